"""Teaches the model that tells whether a later text makes an earlier one out of date; README.md says what it is.

    python -m venv venv && venv/bin/pip install numpy onnx tokenizers torch
    venv/bin/python learn.py train MODEL_FOLDER OUT.pt GROUPS --memory FOLDER [--from weights.bin] [--steps 1400] [--rate 8e-5] [--left-out 16]
    venv/bin/python learn.py test MODEL_FOLDER OUT.pt|weights.bin GROUPS --memory FOLDER [--left-out 16]
    venv/bin/python ../judge/teach.py pack OUT.pt weights.bin

MODEL_FOLDER is that of ../marks/train.py. GROUPS are thoughts in the order they were stored, with the pairs of which the later replaces the earlier, as
crates/afterthought/evals/memories/replaced.jsonl has them; FOLDER, of which there may be several, is a memory with such pairs, as beside them. Of each so many groups
one is left out, to test on. crates/encoder/src/{weights,judge}.rs read what is packed: change the three together.
"""

import argparse
import collections
import math
import pathlib
import random
import sys

import torch
import torch.nn.functional as F

MODELS = pathlib.Path(__file__).parent.parent
sys.path += [str(MODELS / "marks"), str(MODELS / "judge")]
from teach import HEADS, Judge, Reader, learn, rows  # noqa: E402
from train import floats, go_on  # noqa: E402

# How many of the thoughts that are most like a later one are pairs with it.
NEAREST = 10


def of_groups(groups):
    """Earlier texts, later texts, and whether these replace them."""
    for group in groups:
        thoughts, replaced = group["thoughts"], {tuple(pair) for pair in group["replaced"]}
        yield from ((thoughts[at], thoughts[of], float((at, of) in replaced)) for of in range(len(thoughts)) for at in range(of))


def of_memory(folder, reader, words):
    """The same of a memory: what replaces what, and what is like a later thought and does not. What is doubtful is left out."""
    people, places = collections.defaultdict(list), {}
    for row in sorted(rows(f"{folder}/corpus.jsonl"), key=lambda row: row["timestamp"]):
        places[row["id"]] = row["group"], len(people[row["group"]])
        people[row["group"]].append(row["text"])
    replaced, doubtful = set(), set()
    for line in open(f"{folder}/replaced.tsv"):
        older, newer, *is_doubtful = line.split()
        (doubtful if is_doubtful else replaced).add((places[older], places[newer]))
    for person, texts in people.items():
        for of, near in enumerate(alike(texts, reader, words)):
            for at in range(of):
                pair = (person, at), (person, of)
                if pair in replaced or at in near and pair not in doubtful:
                    yield texts[at], texts[of], float(pair in replaced)


def alike(texts, reader, words):
    """Of each text the earlier ones that say most alike, by the vectors of their tokens, the rare ones first."""
    tokens = [set(reader.tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]
    in_texts = collections.Counter(token for own in tokens for token in own)
    rarity = lambda token: math.log(1 + len(texts) / in_texts[token])
    vectors = F.normalize(torch.stack([sum(rarity(token) * words[token] for token in own) for own in tokens]))
    close = F.normalize(vectors - vectors.mean(0))
    close = close @ close.T
    for of in range(len(texts)):
        yield set(close[of, :of].topk(min(of, NEAREST)).indices.tolist())


def parts(arguments, reader, words):
    """The pairs to learn from, those of groups that are left out, and those of the memory."""
    groups = rows(arguments.groups)
    kept = [group for place, group in enumerate(groups) if (place + 1) % arguments.left_out]
    tested = [group for place, group in enumerate(groups) if not (place + 1) % arguments.left_out]
    return list(of_groups(kept)), list(of_groups(tested)), [pair for folder in arguments.memory for pair in of_memory(folder, reader, words)]


def epoch(groups, memory):
    """All of the memories that replace, four times as many that do not, and half as many of the groups."""
    some = lambda pairs, times: random.sample(pairs, min(len(pairs), int(times)))
    chosen = []
    for pairs, share, others in (groups, 0.5, 2), (memory, 1, 4):
        right, wrong = ([pair for pair in pairs if pair[2] == which] for which in (1.0, 0.0))
        right = some(right, share * len(right))
        chosen += right + some(wrong, others * len(right))
        # Told the other way round, nothing is replaced.
        chosen += [(later, earlier, 0.0) for earlier, later, _ in some(right, len(right) / 4)]
    random.shuffle(chosen)
    return chosen


def precision(odds, wanted):
    """The mean precision at each pair that replaces, the surest first."""
    found = total = 0
    for place, (_, right) in enumerate(sorted(zip(odds, wanted), key=lambda pair: -pair[0]), 1):
        if right:
            found += 1
            total += found / place
    return total / max(1, found)


@torch.no_grad()
def judged(model, reader, pairs):
    odds = []
    for start in range(0, len(pairs), 64):
        odds += model([reader.pair(earlier, later) for earlier, later, _ in pairs[start : start + 64]]).tolist()
    return odds


def report(name, model, reader, pairs):
    model.eval()
    odds, wanted = judged(model, reader, pairs), [pair[2] for pair in pairs]
    told = [(found >= 0, right) for found, right in zip(odds, wanted)]
    of = lambda chosen: sum(chosen) / max(1, len(chosen))
    print(f"{name}: {len(pairs)} pairs, {sum(wanted):.0f} replace; average precision {precision(odds, wanted):.3f}, at even odds "
          f"{of([right for is_told, right in told if is_told]):.2f} of those told are right and {of([is_told for is_told, right in told if right]):.2f} are told",
          flush=True)
    model.train()


def model_of(arguments, path):
    model = Judge(floats(f"{arguments.model}/model.onnx"))
    go_on(model, path, HEADS)
    return model


def train(arguments):
    torch.manual_seed(1), random.seed(1)
    reader = Reader(arguments.model)
    # What tells answers has learned to read two texts.
    model = model_of(arguments, arguments.before)
    groups, tested, memory = parts(arguments, reader, model.we.weight)
    learn(model, reader, arguments, lambda: epoch(groups, memory), lambda: report("left out", model, reader, tested))


def test(arguments):
    reader, model = Reader(arguments.model), model_of(arguments, arguments.trained)
    _, tested, memory = parts(arguments, reader, model.we.weight)
    report("left out", model, reader, tested)
    report("memory", model, reader, memory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run, model in (("train", train, "out"), ("test", test, "trained")):
        one = commands.add_parser(name)
        for argument in ("model", model, "groups"):
            one.add_argument(argument)
        one.add_argument("--memory", action="append", default=[], metavar="FOLDER")
        one.add_argument("--left-out", type=int, default=16)
        one.add_argument("--from", dest="before", default=str(MODELS / "judge" / "weights.bin"))
        one.add_argument("--steps", type=int, default=1400)
        one.add_argument("--rate", type=float, default=8e-5)
        one.set_defaults(run=run)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
