"""Teaches the encoder how a person's memory is asked, and packs it; README.md says what comes of it.

    python -m venv venv && venv/bin/pip install numpy onnx tokenizers torch
    venv/bin/python tune.py train ORIGINAL PACKED OUT.pt MEMORIES... [--steps 480] [--rate 4e-5]
    venv/bin/python tune.py pack ORIGINAL PACKED OUT.pt [--share 0.6]

ORIGINAL has the `onnx/model.onnx` and `tokenizer.json` of gte-small in floats, PACKED is the folder that `pack.py` wrote, MEMORIES are folders as
crates/afterthought/evals/memories has them. What is learned:

- A question is closer to what answers it than to whatever else is in the same memory, by vectors, by tokens, and by both as a search
  takes them. What an answer has replaced counts neither way: a search knows by the time which of the two stands.
- A text is closer to the one it replaces than to others.
- The best answer to a question is closer than the best near miss of one that nothing answers.

Weights learn as if they were floats while they work rounded as they are packed: a change that rounding would take back never counts. What is
packed is that share of the way from the original to what was learned: the whole way is best for a person's memory and costs a little on
conversations and long texts.
"""

import argparse
import json
import math
import pathlib
import random
import re
import sys

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "marks"))
from train import LARGEST, LAYERS, POSITIONS, Dropped, Layer, Packed, like  # noqa: E402

DIMENSIONS, WORDS = 384, 30_522
QUESTIONS, TEXT_TOKENS, QUESTION_TOKENS = 40, 128, 64
# How a search takes cosines and likenesses together, and how sharply the best is told from the rest.
TYPICAL_COSINE, TYPICAL_LIKENESS, WARMTH = 0.72, 0.2, 0.06
FIRST_WORD, SPECIAL_END = 1_996, 999
FUNCTION_WORDS = re.search(r'const ENGLISH: &str = "(.*?)";', (HERE / "../../../text/src/function_words.rs").read_text(), re.S)
FUNCTION_WORDS = set(FUNCTION_WORDS.group(1).replace("\\", " ").split())


# The model.

class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(_, weights):
        scale = weights.abs().amax(1, keepdim=True) / LARGEST
        return (weights / scale).round_() * scale

    @staticmethod
    def backward(_, gradient):
        return gradient


class RoundedLinear(nn.Linear):
    def forward(self, x):
        return F.linear(x, Rounded.apply(self.weight), self.bias)


class Encoder(nn.Module):
    def __init__(self, weights, packed):
        super().__init__()
        # The tables are those of the packed file: nothing but the layers learns.
        raw, bytes_before = (packed / "weights.bin").read_bytes(), LAYERS * DIMENSIONS * DIMENSIONS * 12
        table = np.frombuffer(raw, np.uint8, (WORDS + POSITIONS) * DIMENSIONS, bytes_before).reshape(-1, DIMENSIONS)
        scales = np.frombuffer(raw, "<f4", 4 + DIMENSIONS, bytes_before + table.size)
        floats = lambda rows, scale, zero: torch.tensor((rows.astype(np.float32) - zero) * scale)
        self.register_buffer("words", floats(table[:WORDS], *scales[:2]))
        self.register_buffer("places", floats(table[WORDS:], *scales[2:4]) + torch.tensor(scales[4:]))
        self.register_buffer("axes", torch.tensor(np.fromfile(packed / "token_axes.bin", "<f4").reshape(-1, DIMENSIONS)))
        self.register_buffer("mean", torch.tensor(np.fromfile(packed / "token_mean.bin", "<f4")))
        self.n0 = like(nn.LayerNorm, weights, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(Layer(weights, at) for at in range(LAYERS))
        for layer in self.layers:
            for name in "qkvoid":
                getattr(layer, name).__class__ = RoundedLinear
        self.drop = Dropped()

    def forward(self, ids, mask):
        x = self.drop(self.n0(self.words[ids] + self.places[: ids.shape[1]]))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x

    def read(self, texts):
        """The vectors of texts, those of their tokens, and what each token says."""
        length = max(len(ids) for ids, _ in texts)
        ids, mask, says = torch.zeros(3, len(texts), length)
        for row, (own, weights) in enumerate(texts):
            ids[row, : len(own)], mask[row, : len(own)], says[row, : len(own)] = torch.tensor(own), 1, torch.tensor(weights)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self(ids.long(), mask.bool())
        states = states.float()
        whole = F.normalize((states * mask[..., None]).sum(1), dim=-1)
        return whole, F.normalize((states - self.mean) @ self.axes.T, dim=-1), says


def originals(path):
    """The parameters in floats, under their names."""
    graph = onnx.load(path).graph
    tensors = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    for node in graph.node:
        match = re.match(r"/encoder/layer\.(\d+)/(.*)/MatMul_output_0", node.output[0])
        if node.op_type == "MatMul" and match and node.input[1] in tensors:
            tensors[f"encoder.layer.{match.group(1)}.{match.group(2).replace('/', '.')}.weight"] = tensors[node.input[1]].T.copy()
    return tensors


# Texts and what is asked of them.

class Reader:
    def __init__(self, original, packed):
        self.tokenizer = Tokenizer.from_file(str(original / "tokenizer.json"))
        self.tokenizer.no_truncation(), self.tokenizer.no_padding()
        self.vocabulary = (packed / "vocabulary.txt").read_text(encoding="utf-8").split("\n")

    def tokens(self, text, most):
        """The ids of a text, and what each says: nothing if it is no word or holds sentences together. crates/service/src/embed/pieces.rs
        has the same."""
        ids = self.tokenizer.encode(text).ids
        ids = ids if len(ids) <= most else ids[: most - 1] + ids[-1:]
        start, pieces = 0, [1] * len(ids)
        for place, id in enumerate(ids):
            start = start if id >= SPECIAL_END and self.vocabulary[id].startswith("##") else place
            pieces[start : place + 1] = [place - start + 1] * (place - start + 1)
        return ids, [self.says(id, of) for id, of in zip(ids, pieces)]

    def says(self, id, of):
        letters = self.vocabulary[id].removeprefix("##")
        if id < SPECIAL_END or not any(c.isalnum() for c in letters) or of == 1 and letters in FUNCTION_WORDS:
            return 0.0
        rank = WORDS - FIRST_WORD if of > 1 else max(id - FIRST_WORD, 100)
        return math.log(3 + rank / 20) / math.sqrt(of)


def memories(folder, reader):
    """Each person's texts, their questions, and which text replaces which."""
    rows = lambda name: [json.loads(line) for line in open(f"{folder}/{name}", encoding="utf-8")]
    answers = {}
    for line in open(f"{folder}/qrels.tsv", encoding="utf-8"):
        query, document = line.split()
        answers.setdefault(query, set()).add(document)
    texts, questions = rows("corpus.jsonl"), rows("queries.jsonl")
    for group in sorted({text["group"] for text in texts}):
        own = [text for text in texts if text["group"] == group]
        place = {text["id"]: number for number, text in enumerate(own)}
        places = lambda ids: {place[id] for id in ids if id in place}
        asked = [
            (reader.tokens(q["text"], QUESTION_TOKENS), places(answers.get(q["id"], ())), places(q.get("older", ())))
            for q in questions if q["group"] == group and (q["id"] in answers or q["category"] == "unanswerable")]
        replaced = {(new, old) for _, right, older in asked for new in right for old in older if new != old}
        yield [reader.tokens(text["text"], TEXT_TOKENS) for text in own], asked, replaced


# What is learned.

def closeness(cosines, likenesses):
    far = lambda values, typical: (values - typical) / (1 - typical)
    return (far(cosines, TYPICAL_COSINE) + far(likenesses, TYPICAL_LIKENESS)) / 2


def compared(questions, texts):
    """The cosine of each question with each text, and how much of the question's tokens the text holds."""
    (asked, asked_tokens, says), (told, told_tokens, telling) = questions, texts
    similar = torch.einsum("qad,tbd->qatb", asked_tokens, told_tokens)
    held = similar.masked_fill((telling == 0)[None, None], -1.0).amax(-1)
    likeness = (held * says[..., None]).sum(1) / says.sum(1).clamp(min=1e-6)[:, None]
    return asked @ told.T, likeness


def chosen(scores, right, left_out):
    """How badly the right ones are told from the others, each by itself."""
    scores = scores.masked_fill(left_out, -1e4)
    others = scores.masked_fill(right, -1e4).logsumexp(1, keepdim=True)
    missed = (torch.logaddexp(others, scores) - scores) * right
    is_any = right.any(1)
    return (missed.sum(1)[is_any] / right.sum(1)[is_any]).mean() if is_any.any() else torch.zeros(())


def loss(model, bound, texts, asked, replaced):
    # Read in two halves of like length, so that short ones are not filled up much.
    order = sorted(range(len(texts)), key=lambda number: len(texts[number][0]))
    halves = [model.read([texts[number] for number in half]) for half in (order[: len(order) // 2], order[len(order) // 2 :])]
    questions = model.read([tokens for tokens, _, _ in asked])
    cosines, likenesses = (torch.cat(parts, 1) for parts in zip(*(compared(questions, half) for half in halves)))
    row = {number: place for place, number in enumerate(order)}
    right, left_out = torch.zeros(2, len(asked), len(texts), dtype=torch.bool)
    for question, (_, answers, older) in enumerate(asked):
        right[question, [row[number] for number in answers]] = True
        left_out[question, [row[number] for number in older - answers]] = True
    close = closeness(cosines, likenesses)
    found = (chosen(close / WARMTH, right, left_out) + chosen(cosines / (0.56 * WARMTH), right, left_out) / 2
             + chosen(likenesses / (1.6 * WARMTH), right, left_out) / 2)
    is_answered = right.any(1)
    best = torch.where(is_answered, close.masked_fill(~right, -9).amax(1), close.amax(1))
    surely = F.softplus(torch.where(is_answered, bound - best, best - bound) / WARMTH)
    told = (surely * torch.where(is_answered, 1.0, 3.0)).mean()
    vectors = torch.cat([half[0] for half in halves])
    pairs = torch.zeros(len(texts), len(texts), dtype=torch.bool)
    for new, old in replaced:
        pairs[row[new], row[old]] = pairs[row[old], row[new]] = True
    same = chosen((vectors @ vectors.T - 2 * torch.eye(len(texts))) / 0.05, pairs, torch.zeros_like(pairs))
    return found + 0.3 * same + 0.2 * told


def train(arguments):
    torch.manual_seed(1), random.seed(1)
    reader = Reader(arguments.original, arguments.packed)
    people = [person for folder in arguments.memories for person in memories(folder, reader)]
    model = Encoder(originals(arguments.original / "onnx/model.onnx"), arguments.packed).train()
    parameters = list(model.parameters())
    bound = nn.Parameter(torch.tensor(0.5))
    optimizer = torch.optim.AdamW([
        dict(params=[p for p in parameters if p.dim() > 1], lr=arguments.rate),
        dict(params=[p for p in parameters if p.dim() < 2], lr=4 * arguments.rate),
        dict(params=[bound], lr=1e-3)], weight_decay=0.0, fused=True)
    steps = arguments.steps
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 30) * max(0.02, 1 - step / steps))
    step, values = 0, []
    while step < steps:
        batches = []
        for texts, asked, replaced in people:
            asked = random.sample(asked, len(asked))
            batches += [(texts, asked[i : i + QUESTIONS], replaced) for i in range(0, len(asked) - QUESTIONS // 4, QUESTIONS)]
        random.shuffle(batches)
        for batch in batches[: steps - step]:
            value = loss(model, bound, *batch)
            optimizer.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step(), schedule.step()
            step, values = step + 1, [*values, value.item()]
            if step % 25 == 0:
                print(step, "of", steps, round(sum(values[-25:]) / 25, 3), flush=True)
    torch.save(dict(model.named_parameters()), arguments.trained)


# The files that the binary carries.

def pack(arguments):
    model = Encoder(originals(arguments.original / "onnx/model.onnx"), arguments.packed).eval()
    trained = torch.load(arguments.trained)
    with torch.no_grad():
        for name, value in model.named_parameters():
            value.copy_((1 - arguments.share) * value + arguments.share * trained[name])
    packed = Packed({name: value.detach().numpy() for name, value in model.named_parameters()})
    packed.layers()
    panels, floats, sums = packed.parts()
    before = (arguments.packed / "weights.bin").read_bytes()
    # The tables, their scales and the segment row stay.
    kept = before[len(panels) : len(panels) + (WORDS + POSITIONS) * DIMENSIONS + 4 * (4 + DIMENSIONS)]
    after = panels + kept + floats + sums
    assert len(after) == len(before)
    (arguments.packed / "weights.bin").write_bytes(after)

    reader = Reader(arguments.original, arguments.packed)

    @torch.no_grad()
    def vector(text):
        ids = reader.tokenizer.encode(text).ids
        return ids, F.normalize(model(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.bool))[0].mean(0), dim=0).numpy()

    plain = [word for word in reader.vocabulary if word.isascii() and word.isalpha() and len(word) > 2]
    centre = np.mean([vector(word)[1] for word in plain[::10]], axis=0)
    (arguments.packed / "centre.bin").write_bytes(centre.astype("<f4").tobytes())
    reference = arguments.packed / "reference.tsv"
    texts = [line.split("\t")[0] for line in reference.read_text(encoding="utf-8").splitlines()]
    line = lambda text, ids, values: "\t".join([text, " ".join(map(str, ids)), " ".join(f"{value:.5f}" for value in values)])
    reference.write_text("".join(line(text, *vector(text)) + "\n" for text in texts), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one, two = commands.add_parser("train"), commands.add_parser("pack")
    for command, run in ((one, train), (two, pack)):
        for name in ("original", "packed", "trained"):
            command.add_argument(name, type=pathlib.Path)
        command.set_defaults(run=run)
    one.add_argument("memories", nargs="+")
    one.add_argument("--steps", type=int, default=480)
    one.add_argument("--rate", type=float, default=4e-5)
    two.add_argument("--share", type=float, default=0.6)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
