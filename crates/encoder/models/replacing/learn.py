"""Teaches the model that tells whether a later text makes an earlier one out of date; README.md says what it is.

    python -m venv venv && venv/bin/pip install numpy onnx tokenizers torch
    venv/bin/python learn.py train MODEL_FOLDER OUT.pt GROUPS --memory FOLDER [--steps 1400] [--rate 8e-5] [--left-out 16]
    venv/bin/python learn.py test MODEL_FOLDER OUT.pt|weights.bin GROUPS --memory FOLDER [--left-out 16]
    venv/bin/python ../judge/teach.py pack OUT.pt weights.bin

MODEL_FOLDER is that of ../marks/train.py. GROUPS are thoughts in the order they were stored, with the pairs of which the later replaces the earlier, as
crates/afterthought/evals/memories/replaced.jsonl has them; FOLDER is a memory with its questions, as beside them. Of each so many groups one is left out, to
test on. crates/encoder/src/{weights,judge}.rs read what is packed: change the three together.
"""

import argparse
import collections
import math
import pathlib
import random
import re
import sys

import torch

MODELS = pathlib.Path(__file__).parent.parent
sys.path += [str(MODELS / "marks"), str(MODELS / "judge")]
from teach import Judge, Reader, learn, rows  # noqa: E402
from train import floats, unpacked  # noqa: E402

# How many of the thoughts that are most like a later one are pairs with it.
NEAREST = 6


def of_groups(groups):
    """Earlier texts, later texts, and whether these replace them."""
    for group in groups:
        thoughts, replaced = group["thoughts"], {tuple(pair) for pair in group["replaced"]}
        yield from ((thoughts[at], thoughts[of], float((at, of) in replaced)) for of in range(len(thoughts)) for at in range(of))


def of_memory(folder):
    """The same of a memory: what its questions say is replaced, and what is like a later thought by its words and is not."""
    people, places = collections.defaultdict(list), {}
    for row in sorted(rows(f"{folder}/corpus.jsonl"), key=lambda row: row["timestamp"]):
        places[row["id"]] = row["group"], len(people[row["group"]])
        people[row["group"]].append(row["text"])
    answers = collections.defaultdict(list)
    for line in open(f"{folder}/qrels.tsv"):
        question, thought = line.split()[:2]
        answers[question].append(thought)
    replaced, unclear = set(), set()
    for question in rows(f"{folder}/queries.jsonl"):
        older = question.get("older") or []
        replaced |= {(places[old], places[new]) for old in older for new in answers[question["id"]]}
        # Which of two older ones replaces the other nobody has said.
        unclear |= {(places[one], places[other]) for one in older for other in older}
    for person, texts in people.items():
        for of, near in enumerate(alike(texts)):
            for at in range(of):
                pair = (person, at), (person, of)
                if pair in replaced or at in near and pair not in unclear:
                    yield texts[at], texts[of], float(pair in replaced)


def alike(texts):
    """Of each text the earlier ones that share most of its rare words."""
    words = [set(re.findall(r"\w+", text.lower())) for text in texts]
    in_texts = collections.Counter(word for text in words for word in text)
    rare = lambda shared: sum(math.log(len(texts) / in_texts[word]) for word in shared)
    size = [rare(text) + 5 for text in words]
    for of, text in enumerate(words):
        yield set(sorted(range(of), key=lambda at: -rare(text & words[at]) / size[at])[:NEAREST])


def parts(arguments):
    """The pairs to learn from, those of groups that are left out, and those of the memory."""
    groups = rows(arguments.groups)
    kept = [group for place, group in enumerate(groups) if (place + 1) % arguments.left_out]
    tested = [group for place, group in enumerate(groups) if not (place + 1) % arguments.left_out]
    return list(of_groups(kept)), list(of_groups(tested)), [pair for folder in arguments.memory for pair in of_memory(folder)]


def epoch(groups, memory):
    """All that replace, and twice as many that do not."""
    some = lambda pairs, times: random.sample(pairs, min(len(pairs), times))
    chosen = []
    for pairs in (groups, memory):
        right, wrong = ([pair for pair in pairs if pair[2] == which] for which in (1.0, 0.0))
        chosen += right + some(wrong, 2 * len(right))
        # Told the other way round, nothing is replaced.
        chosen += [(later, earlier, 0.0) for earlier, later, _ in some(right, len(right) // 4)]
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
    model.load_state_dict(torch.load(path) if path.endswith(".pt") else unpacked(path, model, ("head",)), strict=False)
    return model


def train(arguments):
    torch.manual_seed(1), random.seed(1)
    reader = Reader(arguments.model)
    # What tells answers has learned to read two texts.
    model = model_of(arguments, arguments.before)
    groups, tested, memory = parts(arguments)
    learn(model, reader, arguments, lambda: epoch(groups, memory), lambda: report("left out", model, reader, tested))


def test(arguments):
    reader, model = Reader(arguments.model), model_of(arguments, arguments.trained)
    _, tested, memory = parts(arguments)
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
