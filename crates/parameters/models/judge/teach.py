"""Teaches the model that tells whether a text answers a question, and packs it; README.md says what it is.

    python -m venv venv && venv/bin/pip install numpy onnx tokenizers torch
    venv/bin/python teach.py train MODEL_FOLDER OUT.pt ANSWERS --memory FOLDER FOUND [--states STATES] [--from ENCODER.pt|weights.bin] [--steps 3600]
                                [--rate 1.2e-4]
    venv/bin/python teach.py pack OUT.pt weights.bin

MODEL_FOLDER is that of ../marks/train.py. ANSWERS are groups of thoughts with questions that one of them answers, or none, as
crates/afterthought/evals/memories/answers.jsonl has them; STATES are groups of what has become of the same thing, as states.jsonl beside it has them:
each state answers. FOLDER is a memory with its questions, as beside them; FOUND what a search finds for these
(`cargo bench --bench retrieval -- FOLDER --found FOUND`): its best hits that are no answers are the near misses to learn from.
crates/encoder/src/{weights,judge}.rs read what is packed: change the three together.
"""

import argparse
import json
import pathlib
import random
import sys

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "marks"))
from train import BATCH, Learning, Pairs, floats, go_on, pack, reading, side_by_side  # noqa: E402

LAYERS = 6
HEADS = ("head",)
MOST_TOKENS = 110


class Judge(Pairs):
    def __init__(self, weights):
        super().__init__(weights, LAYERS)
        self.head = nn.Linear(384, 1)

    def forward(self, examples):
        return self.head(self.states(examples)[:, 0]).float()[:, 0]


class Reader:
    """Questions beside texts, as the model reads them."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.tokenizer.no_truncation(), self.tokenizer.no_padding()

    def pair(self, question, text):
        parts = []
        for words in (question, text):
            read = self.tokenizer.encode(words, add_special_tokens=False)
            parts += [words, read.ids[:MOST_TOKENS], read.offsets[:MOST_TOKENS]]
        return side_by_side(*parts)


def rows(path):
    return [json.loads(line) for line in open(path) if line.strip()]


def lessons(groups, memory, found):
    """Questions, texts, and whether these answer them: other ones in each epoch."""
    pairs = []
    for asked in found:
        answers, older = asked["wanted"]["answers"], asked["wanted"]["older"]
        missed = [id for id, _ in asked["full"] if id not in answers and id not in older]
        right = random.sample(answers, min(2, len(answers)))
        wrong = random.sample(missed[:5], min(2, len(missed[:5]))) + random.sample(missed[5:], min(1, len(missed[5:])))
        pairs += [(asked["asked"]["query"], memory[id], float(id in right)) for id in right + wrong]
    for group in groups:
        for at, text in enumerate(group["thoughts"]):
            for of, questions in enumerate(group["answered"]):
                pairs += [(question, text, float(at == of)) for question in questions if at == of or random.random() < 0.6]
            pairs += [(question, text, 0.0) for question in group["near"] if random.random() < 0.6]
    random.shuffle(pairs)
    return pairs


def of_states(groups):
    """The same of things that have changed: other questions in each epoch."""
    pairs = []
    for group in groups:
        states, beside = group["states"], group["beside"]
        for question in random.sample(group["asked"], 3):
            pairs += [(question, text, 1.0) for text in states] + [(question, text, 0.0) for text in beside]
        for question in group["about_beside"]:
            pairs.append((question, beside[0], 1.0))
            pairs += [(question, text, 0.0) for text in states + beside[1:] if random.random() < 0.6]
    return pairs


def beside_changed(changed, known):
    """As many of other pairs as of things that have changed."""
    pairs = changed + random.sample(known, min(len(known), len(changed)))
    random.shuffle(pairs)
    return pairs


def batches(pairs):
    """Of like length each."""
    for start in range(0, len(pairs), 20 * BATCH):
        part = sorted(pairs[start : start + 20 * BATCH], key=lambda pair: len(pair[0]) + len(pair[1]))
        cut = [part[at : at + BATCH] for at in range(0, len(part), BATCH)]
        random.shuffle(cut)
        yield from cut


def learn(model, reader, arguments, epoch, after=lambda: None):
    """Steps through pairs of texts and whether it is so, other ones in each epoch; keeps the model, and does what comes after each."""
    learning = Learning(model, arguments.steps, arguments.rate, faster=5, warm=100)
    while learning.done < arguments.steps:
        for batch in batches(epoch()):
            examples = [reader.pair(first, second) for first, second, _ in batch]
            with reading():
                odds = model(examples)
            learning.step(F.binary_cross_entropy_with_logits(odds, torch.tensor([is_so for *_, is_so in batch])))
            if learning.done == arguments.steps:
                break
        torch.save(model.state_dict(), arguments.out)
        after()


def train(arguments):
    torch.manual_seed(1), random.seed(1)
    reader = Reader(arguments.model)
    model = Judge(floats(f"{arguments.model}/model.onnx"))
    if arguments.before:
        go_on(model, arguments.before, HEADS)
    folder, found = arguments.memory
    memory, found = {row["id"]: row["text"] for row in rows(f"{folder}/corpus.jsonl")}, rows(found)
    known = lambda: lessons(rows(arguments.answers), memory, found)
    changed = lambda: beside_changed(of_states(rows(arguments.states)), known())
    learn(model, reader, arguments, changed if arguments.states else known)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("train")
    for name in ("model", "out", "answers"):
        one.add_argument(name)
    one.add_argument("--memory", nargs=2, required=True, metavar=("FOLDER", "FOUND"))
    one.add_argument("--states")
    one.add_argument("--from", dest="before")
    one.add_argument("--steps", type=int, default=3600)
    one.add_argument("--rate", type=float, default=1.2e-4)
    one.set_defaults(run=train)
    two = commands.add_parser("pack")
    for name in ("trained", "out"):
        two.add_argument(name)
    two.set_defaults(run=lambda arguments: pack(arguments.trained, arguments.out, HEADS, LAYERS))
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
