"""Compares the built-in encoder with onnxruntime on the model it was packed from: tokens, vectors, CPU time, recall.

    python -m venv venv && venv/bin/pip install numpy onnxruntime tokenizers
    cargo build --release --example embed
    venv/bin/python crates/encoder/evals/compare.py MODEL SET [SET ...]

MODEL is a folder with model.onnx and tokenizer.json (crates/parameters/models/gte-small-int8/README.md says where they come from). A SET is
a folder with corpus.jsonl and queries.jsonl (id, group, text) and qrels.tsv (query id, document id); a query searches
its own group. The first SET is also used for recall@10 of the vectors alone. Linux only; one thread on both sides, and
times are the least of many runs in turn, because other processes only ever add to them.
"""

import argparse
import json
import pathlib
import random
import subprocess
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MAX_TOKENS = 256


class Ours:
    """The example program `embed`, one process a call."""

    def __init__(self, program):
        self.program = program

    def run(self, texts, *arguments):
        escape = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
        lines = "\n".join("".join(escape.get(c, c) for c in text) for text in texts)
        command = [self.program, *arguments]
        output = subprocess.run(command, input=lines.encode(), capture_output=True, check=True).stdout.decode()
        return [line.split("\t") for line in output.splitlines()]

    def encode(self, texts):
        rows = self.run(texts, "vectors")
        tokens = [[int(token) for token in ids.split()] for ids, _ in rows]
        return tokens, np.array([[float(value) for value in vector.split()] for _, vector in rows])

    def cpu_ms(self, text, repeats, *kernel):
        return float(self.run([text], "time", str(repeats), *kernel)[0][1])


class Theirs:
    """onnxruntime on one thread, one text at a time."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])

    def tokenize(self, text):
        return self.tokenizer.encode(text).ids

    def states(self, tokens):
        ids = np.array([tokens], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return self.session.run(None, inputs)[0][0]

    def encode(self, texts):
        vectors = np.array([self.states(self.tokenize(text)).mean(axis=0) for text in texts])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def cpu_ms(self, text, repeats):
        least = float("inf")
        for _ in range(repeats):
            start = time.process_time()
            self.states(self.tokenize(text))
            least = min(least, (time.process_time() - start) * 1e3)
        return least


def read(folder, name):
    with open(folder / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def strange_texts(chance, count):
    """Texts that no corpus has: characters of all of Unicode, of single blocks, and glued special tokens."""
    points = [p for p in range(1, 0x110000) if not 0xD800 <= p < 0xE000]
    blocks = [range(0x20, 0x7F), range(0xA0, 0x250), range(0x300, 0x600), range(0x900, 0xE00), range(0x1100, 0x1200),
              range(0x1E00, 0x2000), range(0x2000, 0x2C00), range(0x3000, 0x3200), range(0x4E00, 0x5000),
              range(0xAC00, 0xD7A4), range(0xF900, 0xFB00), range(0xFF00, 0xFFF0), range(0x1F300, 0x1F700)]
    glue = ["[CLS]", "[SEP]", "[UNK]", "[MASK]", "[PAD]", "[sep]", "[", "]", "##", "a" * 101, "\n", "\t ", "\u200b"]
    for _ in range(count):
        pool = chance.choice([points, *blocks])
        parts = []
        for _ in range(chance.randrange(1, 40)):
            kind = chance.random()
            parts.append(chance.choice(glue) if kind < 0.08 else " " if kind < 0.2 else chr(chance.choice(pool)))
        yield "".join(parts)


def cut(chance, texts, count):
    """Texts of all lengths: for each a random number of words, few of them more often than many."""
    for _ in range(count):
        words = chance.choice(texts).split(" ")
        wanted = int(np.exp(chance.uniform(0, np.log(300))))
        start = chance.randrange(max(1, len(words) - wanted + 1))
        yield " ".join(words[start : start + wanted])


def recall(vectors_of, folder):
    corpus, queries = read(folder, "corpus.jsonl"), read(folder, "queries.jsonl")
    relevant = {}
    for line in (folder / "qrels.tsv").read_text().splitlines():
        query, document = line.split("\t")[:2]
        relevant.setdefault(query, set()).add(document)
    documents, questions = vectors_of([d["text"] for d in corpus]), vectors_of([q["text"] for q in queries])
    groups = {}
    for index, document in enumerate(corpus):
        groups.setdefault(document["group"], []).append(index)
    shares = []
    for query, vector in zip(queries, questions):
        wanted = relevant.get(query["id"])
        if not wanted or query.get("category") == "adversarial":
            continue
        members = np.array(groups[query["group"]])
        best = members[np.argsort(-(documents[members] @ vector), kind="stable")[:10]]
        shares.append(len(wanted & {corpus[index]["id"] for index in best}) / len(wanted))
    return 100 * float(np.mean(shares)), len(shares)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("sets", type=pathlib.Path, nargs="+")
    parser.add_argument("--program", default="target/release/examples/embed")
    parser.add_argument("--texts", type=int, default=1000, help="texts to compare vectors on")
    parser.add_argument("--strange", type=int, default=20000, help="strange texts to compare tokens on")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of 15 runs for the times")
    options = parser.parse_args()
    chance = random.Random(7)
    ours, theirs = Ours(options.program), Theirs(options.model)
    texts = [row["text"] for folder in options.sets for name in ("corpus", "queries") for row in read(folder, f"{name}.jsonl")]

    sample = list(cut(chance, texts, options.texts))
    strange = list(strange_texts(chance, options.strange))
    ours_tokens = [[int(token) for token in ids.split()] for ids, in ours.run(texts + strange, "tokens")]
    different = [text for text, tokens in zip(texts + strange, ours_tokens) if tokens != theirs.tokenize(text)]
    print(f"tokens: {len(ours_tokens)} texts, {len(different)} differ", *map(ascii, different[:5]), sep="\n  ")

    tokens, vectors = ours.encode(sample)
    cosines = (vectors * theirs.encode(sample)).sum(axis=1)
    lengths = [len(row) for row in tokens]
    print(f"vectors: {len(sample)} texts of {min(lengths)} to {max(lengths)} tokens, "
          f"cosine least {cosines.min():.4f}, mean {cosines.mean():.5f}")

    least = {}
    for _ in range(options.rounds):
        for count in (12, 60, 256):
            text = " ".join(["word"] * (count - 2))
            for name, side in (("ours", ours), ("theirs", theirs)):
                least[name, count] = min(side.cpu_ms(text, 15), least.get((name, count), float("inf")))
    for count in (12, 60, 256):
        mine, other = least["ours", count], least["theirs", count]
        print(f"{count} tokens: ours {mine:.2f} CPU-ms, onnxruntime {other:.2f}, ratio {mine / other:.2f}")

    for name, vectors_of in (("ours", lambda texts: ours.encode(texts)[1]), ("onnxruntime", theirs.encode)):
        share, queries = recall(vectors_of, options.sets[0])
        print(f"{options.sets[0].name}: recall@10 {share:.2f} over {queries} queries with vectors of {name}")


if __name__ == "__main__":
    main()
