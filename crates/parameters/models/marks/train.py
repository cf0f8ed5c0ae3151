"""Trains the model that marks words of edit requests, and packs it; README.md says what it is.

    python -m venv venv && venv/bin/pip install numpy onnx tokenizers torch
    venv/bin/python train.py train MODEL_FOLDER OUT.pt SETS... [--epochs 9] [--rate 1.3e-4] [--from BEFORE.pt|weights.bin]
    venv/bin/python train.py mix MODEL_FOLDER OUT.pt weights.bin MIXED.pt [--share 0.75]
    venv/bin/python train.py pack OUT.pt weights.bin

MODEL_FOLDER has the `model.onnx` and `tokenizer.json` of gte-small in 8 bits that ../gte-small-int8/README.md describes.
SETS are files of requests as crates/edits/evals has them; of `tune.jsonl@0.35` each epoch reads 35 in a
hundred. crates/encoder/src/{weights,marks}.rs read what is packed: change the three together.
"""

import argparse
import copy
import difflib
import json
import random
import re

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn

LAYERS = 12
POSITIONS = 256
TRAITS = 7
LINK = 128
# What a request asks for: other words, nothing that can be done, another state, the last change back or again, or what marks do not tell.
KINDS = {kind: place for place, kind in enumerate("change refuse open completed archived undo redo other".split())}
# What the model has besides its layers.
HEADS = ("kind", "tag", "la", "lb")
OPENING, CLOSING = 101, 102
BATCH = 32
# Longer requests are left out: there are few, and they would take most of the time.
MOST_TOKENS = 150

SIGNS = re.compile(r"^\W+$")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")
# Words of a request that may mean another place if there is more text.
PLACES = re.compile(r"\b(first|last|second|third|fourth|end|top|bottom|whole|all|every|everything|everywhere|add|append|start|beginning|both"
                    r"|each|other|item|line|bullet|sentence|paragraph|final|next|rest|entire|only|note|list)\b", re.I)
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
           "nineteen twenty").split()
MONTHS = "January February March April May June July August September October November December".split()


# What a request should have done, as marks.

class Case:
    """A request beside its text, cut into tokens, with the marks that lead to an accepted text."""

    def __init__(self, row, tokenizer):
        self.text, self.request = row["text"], row["request"]
        asked, told = (tokenizer.encode(s, add_special_tokens=False) for s in (self.request, self.text))
        self.asked, self.asked_at, self.told, self.told_at = asked.ids, asked.offsets, told.ids, told.offsets
        self.kind, self.hunks = self.read(row, tokenizer)

    def read(self, row, tokenizer):
        expect, status = row["expect"], row.get("status", "open")
        if expect.get("refuse"):
            return "refuse", []
        accepted = expect.get("accept") or [expect["text"]] if "text" in expect or "accept" in expect else []
        accepted = [text for text in accepted if text != self.text]
        if not accepted:
            return expect.get("status", status), []
        if expect.get("status", status) != status:
            return "other", []
        asked, told = words(self.request, self.asked_at), words(self.text, self.told_at)
        best = None
        for text in accepted:
            new = words(text, tokenizer.encode(text, add_special_tokens=False).offsets)
            found = next(filter(None, (located(hunks, asked) for hunks in differences(told, new))), None)
            if found is not None:
                cost = 3 * len(found) + sum(end - start for start, end, _ in found)
                if best is None or cost < best[0]:
                    best = cost, found
        return ("change", best[1]) if best else ("other", [])


def words(text, places):
    return [text[start:end].lower() for start, end in places]


def differences(old, new):
    """Ways to say where two texts differ, as (start, end, new words): as one place, as many, as those not side by side."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    yield [(start, len(old) - end, new[start : len(new) - end])]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    many = [(i, j, new[k:l]) for tag, i, j, k, l in matcher.get_opcodes() if tag != "equal"]
    yield many
    joined = []
    for i, j, added in many:
        if joined and i - joined[-1][1] <= 1:
            first, last, before = joined[-1]
            joined[-1] = (first, j, before + old[last:i] + added)
        else:
            joined.append((i, j, added))
    yield joined


def value(word):
    """What number or day a word is, however it is written."""
    if digits := re.fullmatch(r"(\d+)(st|nd|rd|th)?", word):
        return digits.group(1)
    day = re.fullmatch(r"(mon|tue|wed|thu|fri|sat|sun)((s|nes|rs|ur)?days?)?", word)
    return day.group(1) if day else str(NUMBERS.index(word)) if word in NUMBERS else None


def located(hunks, asked):
    """The hunks with the places of their new words in the request; None if some of them are not there."""
    found = []
    for start, end, added in hunks:
        while added and SIGNS.match(added[0]):
            added = added[1:]
        while added and SIGNS.match(added[-1]):
            added = added[:-1]
        places = [i for i in range(len(asked) - len(added) + 1) if asked[i : i + len(added)] == added]
        if not places and len(added) == 1 and value(added[0]):
            # Written otherwise; crates/edits/src/marked/seam.rs writes it as the text does.
            places = [i for i, word in enumerate(asked) if value(word) == value(added[0])]
        if added and not places:
            return None
        found.append((start, end, (places[-1], places[-1] + len(added)) if added else None))
    return found


def traits(text, places, beside):
    """What is known of each token besides its letters; marks.rs has the same."""
    rows, end = [], 0
    for start, stop in places:
        gap, word = text[end:start], text[start:stop]
        is_sign = bool(SIGNS.match(word))
        rows.append([word.lower() in beside and not is_sign, "\n" in gap, gap == "", word[:1].isupper(),
                     any(c.isdigit() for c in word), is_sign, end == 0])
        end = stop
    return rows


def side_by_side(asked, asked_ids, asked_at, told, told_ids, told_at):
    """Two texts with their tokens as the model reads them."""
    blank = [[0] * TRAITS]
    said = [set(words(text, places)) for text, places in ((asked, asked_at), (told, told_at))]
    return dict(
        tokens=[OPENING, *asked_ids, CLOSING, *told_ids, CLOSING],
        segments=[0] * (len(asked_ids) + 2) + [1] * (len(told_ids) + 1),
        traits=blank + traits(asked, asked_at, said[1]) + blank + traits(told, told_at, said[0]) + blank,
    )


def example(case):
    first = len(case.asked) + 2
    pair = side_by_side(case.request, case.asked, case.asked_at, case.text, case.told, case.told_at)
    marks, links = np.zeros((len(pair["tokens"]), 3)), []
    for start, end, new in case.hunks:
        marks[first + start : first + end, 0] = 1
        if new:
            marks[1 + new[0] : 1 + new[1], 1] = 1
            marks[1 + new[0], 2] = 1
            links.append((1 + new[0], first + end - 1))
    return dict(pair, marks=marks, links=links, first=first, kind=KINDS[case.kind])


# Other names, numbers and days in the same request, and other text around, teach that it is not they that matter.

def varied(row, names):
    row = copy.deepcopy(row)
    expect = row["expect"]
    everything = "\n".join([row["text"], row["request"], *expect.get("accept", []), expect.get("text", "")])
    other = {}
    if random.random() < 0.7:
        for number in set(re.findall(r"(?<!\d)[1-9]\d+(?!\d)", everything)):
            new = str(random.randint(10 ** (len(number) - 1), 10 ** len(number) - 1))
            if random.random() < 0.6 and new not in everything:
                other[number] = new
    if random.random() < 0.7:
        for name in set(NAME.findall(row["text"])) - {*DAYS, *MONTHS}:
            if random.random() < 0.5:
                other[name] = random.choice(names)
    for order in (DAYS, MONTHS):
        if random.random() < 0.4:
            other.update(zip(order, random.sample(order, len(order))))
    if not other:
        return row
    pattern = re.compile("|".join(sorted((rf"(?<!\w){re.escape(old)}(?!\w)" for old in other), key=len, reverse=True)))
    change = lambda text: pattern.sub(lambda match: other.get(match.group(0), match.group(0)), text)
    row["text"], row["request"] = change(row["text"]), change(row["request"])
    if "accept" in expect:
        expect["accept"] = [change(text) for text in expect["accept"]]
    if "text" in expect:
        expect["text"] = change(expect["text"])
    return row


def beside(row, other):
    """The same request about its text with another's before or after it, where that makes no difference."""
    expect, text = row["expect"], row["text"]
    accepted = expect.get("accept") or [expect.get("text")]
    said = lambda words: set(re.findall(r"[A-Z]\w+|\d+", words))
    if (expect.get("refuse") or not all(accepted) or expect.get("status", "open") != row.get("status", "open")
            or PLACES.search(row["request"]) or len(text) + len(other) > 480 or said(row["request"]) & said(other)
            or text[-1] not in ".!?" or other[-1] not in ".!?"):
        return row
    parts = "\n" if "\n" in text + other else " "
    joined = (lambda text: other + parts + text) if random.random() < 0.5 else (lambda text: text + parts + other)
    return dict(row, text=joined(text), expect=dict(expect, accept=[joined(text) for text in accepted]))


def epoch(rows, names, tokenizer):
    """Examples of one epoch, in batches of like length."""
    examples = []
    for row in rows:
        row = beside(row, random.choice(rows)["text"]) if random.random() < 0.1 else row
        case = Case(varied(row, names), tokenizer)
        examples.append(example(case))
        # A request about something else has to be refused, unless it only adds.
        if case.kind == "change" and not row.get("may_refuse") and any(h[1] > h[0] for h in case.hunks) and random.random() < 0.04:
            stranger = dict(row, text=random.choice(rows)["text"], expect={"refuse": True})
            examples.append(example(Case(stranger, tokenizer)))
    examples = [e for e in examples if len(e["tokens"]) <= MOST_TOKENS]
    random.shuffle(examples)
    for start in range(0, len(examples), 20 * BATCH):
        part = sorted(examples[start : start + 20 * BATCH], key=lambda e: len(e["tokens"]))
        yield from (part[i : i + BATCH] for i in range(0, len(part), BATCH))


# The model.

class Dropped(nn.Module):
    """Dropout by numbers drawn beforehand: drawing them anew takes a sixth of a step."""

    pool = (torch.rand(1 << 23) >= 0.1).float() / 0.9

    def forward(self, x):
        if not self.training:
            return x
        start = random.randrange(len(self.pool) - x.numel())
        return x * self.pool[start : start + x.numel()].view_as(x).to(x.dtype)


class Layer(nn.Module):
    def __init__(self, weights, at):
        super().__init__()
        linear = lambda name: like(nn.Linear, weights, f"encoder.layer.{at}.{name}")
        norm = lambda name: like(nn.LayerNorm, weights, f"encoder.layer.{at}.{name}.LayerNorm")
        self.q, self.k, self.v = (linear(f"attention.self.{name}") for name in ("query", "key", "value"))
        self.o, self.n1 = linear("attention.output.dense"), norm("attention.output")
        self.i, self.d, self.n2 = linear("intermediate.dense"), linear("output.dense"), norm("output")
        self.drop = Dropped()

    def forward(self, x, mask):
        heads = lambda t: t.view(*t.shape[:2], 12, 32).transpose(1, 2)
        mixed = attended(heads(self.q(x)), heads(self.k(x)), heads(self.v(x)), mask)
        x = self.n1(x + self.drop(self.o(mixed.transpose(1, 2).reshape(x.shape))))
        return self.n2(x + self.drop(self.d(F.gelu(self.i(x)))))


def attended(queries, keys, values, mask):
    """Written out: on texts as short as these the library's own attention takes several times as long backwards."""
    near = queries @ keys.transpose(2, 3) * 32**-0.5
    return near.masked_fill(~mask, -1e4).softmax(-1).to(values.dtype) @ values


def like(kind, weights, name):
    weight, bias = (torch.tensor(weights[f"{name}.{part}"]) for part in ("weight", "bias"))
    module = nn.LayerNorm(384, eps=1e-12) if kind is nn.LayerNorm else nn.Linear(weight.shape[1], weight.shape[0])
    module.weight.data, module.bias.data = weight, bias
    return module


class Pairs(nn.Module):
    """Reads two texts side by side; the states of all tokens come out."""

    def __init__(self, weights, layers=LAYERS):
        super().__init__()
        embedding = lambda name: nn.Embedding.from_pretrained(
            torch.tensor(weights[f"embeddings.{name}_embeddings.weight"]), freeze=name == "word")
        # The words stay those of the encoder, so that the binary has them once.
        self.we, self.te, self.pe = (embedding(name) for name in ("word", "token_type", "position"))
        self.fe = nn.Parameter(0.02 * torch.randn(TRAITS, 384))
        self.n0 = like(nn.LayerNorm, weights, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(Layer(weights, at) for at in range(layers))
        self.drop = Dropped()

    def states(self, examples):
        """Of the examples, filled up to the same length with tokens that nothing looks at."""
        tokens, segments, traits = padded(examples, "tokens").long(), padded(examples, "segments").long(), padded(examples, "traits", TRAITS)
        mask = torch.tensor([[i < len(e["tokens"]) for i in range(tokens.shape[1])] for e in examples])
        x = self.we(tokens) + self.te(segments) + self.pe.weight[: tokens.shape[1]] + traits.float() @ self.fe
        x = self.drop(self.n0(x))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x


class Marking(Pairs):
    def __init__(self, weights):
        super().__init__(weights)
        self.kind, self.tag = nn.Linear(384, len(KINDS)), nn.Linear(384, 3)
        self.la, self.lb = nn.Linear(384, LINK), nn.Linear(384, LINK)

    def forward(self, examples):
        x = self.states(examples)
        links = self.la(x) @ self.lb(x).transpose(1, 2) / 11.3
        return self.kind(x[:, 0]).float(), self.tag(x).float(), links.float()


def padded(examples, key, *shape):
    length = max(len(e["tokens"]) for e in examples)
    return torch.tensor(np.stack([
        np.concatenate([np.asarray(e[key]), np.zeros((length - len(e["tokens"]), *shape))]) for e in examples]))


def floats(path):
    """The parameters of the quantised file as floats, under the names of the original."""
    graph = onnx.load(path).graph
    tensors = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    whole = lambda key: (tensors[f"{key}_quantized"].astype(np.float32)
                         - tensors[f"{key}_zero_point"].astype(np.float32)) * tensors[f"{key}_scale"]
    weights = {key: value for key, value in tensors.items() if value.dtype == np.float32}
    for name in ("word", "token_type", "position"):
        key = f"embeddings.{name}_embeddings.weight"
        weights[key] = whole(key)
    for node in graph.node:
        match = re.match(r"/encoder/layer\.(\d+)/(.*)/MatMul", node.output[0])
        if node.op_type == "MatMulInteger" and match and node.input[1].endswith("_quantized"):
            name = f"encoder.layer.{match.group(1)}.{match.group(2).replace('/', '.')}.weight"
            weights[name] = whole(node.input[1].removesuffix("_quantized")).T.copy()
    return weights


def reading():
    """In which a model reads: in half of the bits where the processor computes with those."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported())


def loss(model, examples):
    with reading():
        kinds, tags, links = model(examples)
    counted = torch.zeros_like(tags)
    for row, e in enumerate(examples):
        if e["kind"] == KINDS["change"]:
            counted[row, e["first"] - 1 : len(e["tokens"]) - 1, 0] = 1
            counted[row, 1 : e["first"] - 1, 1:] = 1
    marks = F.binary_cross_entropy_with_logits(tags, padded(examples, "marks", 3).float(), reduction="none") * counted
    linked = sum(
        F.cross_entropy(links[row, asked, e["first"] - 1 : len(e["tokens"]) - 1][None], torch.tensor([told - e["first"] + 1]))
        for row, e in enumerate(examples) for asked, told in e["links"])
    kind = F.cross_entropy(kinds, torch.tensor([e["kind"] for e in examples]))
    return kind + marks.sum() / len(examples) / 4 + linked / len(examples) / 2


class Learning:
    """The steps in which a model learns: what is new in it, heads and traits, faster than what it starts from."""

    def __init__(self, model, steps, rate, faster, warm):
        self.model, self.steps, self.done = model, steps, 0
        learns = [(name.split(".")[0] in ("te", "pe", "n0", "layers"), p) for name, p in model.named_parameters() if p.requires_grad]
        old, new = ([p for is_old, p in learns if is_old is kind] for kind in (True, False))
        self.optimizer = torch.optim.AdamW([dict(params=old, lr=rate), dict(params=new, lr=faster * rate)], weight_decay=0.01, fused=True)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: min(1, (step + 1) / warm) * max(0.02, 1 - step / steps))

    def step(self, value):
        self.optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step(), self.schedule.step()
        self.done += 1
        if self.done % 50 == 0:
            print(self.done, "of", self.steps, round(value.item(), 3), flush=True)


def train(arguments):
    torch.manual_seed(1), random.seed(1)
    sets = []
    for argument in arguments.sets:
        path, _, share = argument.partition("@")
        sets.append((float(share or 1), [json.loads(line) for line in open(path) if line.strip()]))
    names = sorted({name for _, rows in sets for row in rows for name in NAME.findall(row["text"])} - {*DAYS, *MONTHS})
    tokenizer = Tokenizer.from_file(f"{arguments.model}/tokenizer.json")
    tokenizer.no_truncation(), tokenizer.no_padding()
    model = Marking(floats(f"{arguments.model}/model.onnx"))
    if arguments.before:
        go_on(model, arguments.before)
    steps = int(arguments.epochs * sum(share * len(rows) for share, rows in sets) / BATCH)
    learning = Learning(model, steps, arguments.rate, faster=8, warm=150)
    while learning.done < steps:
        rows = [row for share, rows in sets for row in rows if random.random() < share]
        for examples in epoch(rows, names, tokenizer):
            learning.step(loss(model, examples))
        torch.save(model.state_dict(), arguments.out)


def mix(arguments):
    """Writes so much of what was learned, and for the rest what it was learned from: where the two disagree, neither has it all."""
    before = unpacked(arguments.before, Marking(floats(f"{arguments.model}/model.onnx")))
    share, learned = arguments.share, torch.load(arguments.learned)
    mixed = {name: share * value + (1 - share) * before.get(name, value) for name, value in learned.items()}
    torch.save(mixed, arguments.out)


# The file that the binary carries.

# Two products of such a weight and any byte fit 16 bits.
LARGEST = 64


class Packed:
    """Parameters in the form that crates/encoder/src/weights.rs reads: matrices in panels, floats, and sums of columns."""

    def __init__(self, state):
        self.state = state
        self._panels, self._floats, self._sums = [], [], []

    def floats(self, *parts):
        self._floats.extend(parts)

    def both(self, *names):
        for name in names:
            self.floats(self.state[f"{name}.weight"], self.state[f"{name}.bias"])

    def linear(self, *names):
        weights = np.concatenate([self.state[f"{name}.weight"].T for name in names], axis=1)
        scales = np.abs(weights).max(axis=0) / LARGEST
        whole = np.clip(np.round(weights / scales), -LARGEST, LARGEST).astype(np.int8)
        inner, outer = whole.shape
        self._panels.append(np.ascontiguousarray(whole.reshape(inner // 4, 4, outer // 64, 64).transpose(2, 0, 3, 1)).tobytes())
        self.floats(scales, np.concatenate([self.state[f"{name}.bias"] for name in names]))
        self._sums.append(whole.astype(np.int32).sum(axis=0))

    def layers(self, count=LAYERS):
        """The first normalisation and all layers."""
        self.both("n0")
        for at in range(count):
            self.linear(*(f"layers.{at}.{name}" for name in "qkv"))
            self.linear(f"layers.{at}.o")
            self.both(f"layers.{at}.n1")
            self.linear(f"layers.{at}.i")
            self.linear(f"layers.{at}.d")
            self.both(f"layers.{at}.n2")

    def parts(self):
        """The panels, the floats and the sums as bytes."""
        joined = lambda parts, kind: b"".join(np.asarray(part, dtype=kind).tobytes() for part in parts)
        return b"".join(self._panels), joined(self._floats, "<f4"), joined(self._sums, "<i4")


def unpacked(path, model, heads=HEADS):
    """The parameters of a model that reads two texts as they were packed, in floats; words and later positions are not, and stay the model's."""
    packed, layers = open(path, "rb").read(), len(model.layers)
    weights, columns = layers * 384 * (4 * 384 + 2 * 1536), layers * (3 * 384 + 384 + 1536 + 384)
    panels, numbers = np.frombuffer(packed[:weights], np.int8), np.frombuffer(packed[weights : -4 * columns], "<f4")
    state, at, panel = {}, 0, 0

    def floats(name, *shape):
        nonlocal at
        state[name] = torch.tensor(numbers[at : at + np.prod(shape)].reshape(shape))
        at += np.prod(shape)

    def both(name, outer, *inner):
        floats(f"{name}.weight", outer, *inner), floats(f"{name}.bias", outer)

    def linear(inner, *names):
        nonlocal panel
        outer = 384 * len(names) if names[0][-1] != "i" else 1536
        whole = panels[panel : panel + inner * outer].reshape(outer // 64, inner // 4, 64, 4).transpose(1, 3, 0, 2).reshape(inner, outer)
        panel += inner * outer
        floats("scales", outer), floats("biases", outer)
        rows, biases = (torch.tensor(whole) * state.pop("scales")).T, state.pop("biases")
        for place, name in enumerate(names):
            own = slice(place * outer // len(names), (place + 1) * outer // len(names))
            state[f"{name}.weight"], state[f"{name}.bias"] = rows[own].clone(), biases[own].clone()

    floats("pe.weight", POSITIONS, 384), floats("te.weight", 2, 384), floats("fe", TRAITS, 384), both("n0", 384)
    for layer in (f"layers.{place}" for place in range(layers)):
        linear(384, *(f"{layer}.{name}" for name in "qkv")), linear(384, f"{layer}.o"), both(f"{layer}.n1", 384)
        linear(384, f"{layer}.i"), linear(1536, f"{layer}.d"), both(f"{layer}.n2", 384)
    state["pe.weight"] = torch.cat([state["pe.weight"], model.pe.weight.detach()[POSITIONS:]])
    for name in heads:
        both(name, *getattr(model, name).weight.shape)
    return state


def go_on(model, path, heads=HEADS):
    """Gives a model what was learned before, packed or not; what that lacks, such as layers, stays the encoder's."""
    before = unpacked(path, model, heads) if path.endswith(".bin") else torch.load(path)
    model.load_state_dict(before, strict=False)


def pack(trained, out, heads, layers=LAYERS):
    """Writes a model that reads two texts, with its heads."""
    packed = Packed({name: value.float().numpy() for name, value in torch.load(trained).items()})
    packed.floats(packed.state["pe.weight"][:POSITIONS], *packed.state["te.weight"], packed.state["fe"])
    packed.layers(layers)
    packed.both(*heads)
    with open(out, "wb") as file:
        file.write(b"".join(packed.parts()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("train")
    for name in ("model", "out"):
        one.add_argument(name)
    one.add_argument("sets", nargs="+")
    one.add_argument("--epochs", type=float, default=9)
    one.add_argument("--rate", type=float, default=1.3e-4)
    one.add_argument("--from", dest="before")
    one.set_defaults(run=train)
    two = commands.add_parser("mix")
    for name in ("model", "learned", "before", "out"):
        two.add_argument(name)
    two.add_argument("--share", type=float, default=0.75)
    two.set_defaults(run=mix)
    three = commands.add_parser("pack")
    for name in ("trained", "out"):
        three.add_argument(name)
    three.set_defaults(run=lambda arguments: pack(arguments.trained, arguments.out, HEADS))
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
