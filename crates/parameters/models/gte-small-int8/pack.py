"""Packs gte-small for the encoder, from the quantised ONNX file and its tokenizer; README.md lists what comes out.

    python -m venv venv && venv/bin/pip install numpy onnx onnxruntime tokenizers
    venv/bin/python pack.py FOLDER_WITH_model.onnx_AND_tokenizer.json [FOLDER_TO_WRITE_TO]

The weights are the ones of the ONNX file, bit for bit; only their order differs. README.md describes the layout, and
crates/encoder/src/weights.rs reads it: change the three together. The same input gives the same bytes, whatever the versions of
the packages, except that characters.txt records how the installed `tokenizers` treats every code point, and that
centre.bin and reference.tsv may differ in the last digits, and related.bin in a few words, with the installed `onnxruntime`.
"""

import hashlib
import json
import os
import pathlib
import re
import sys

import numpy as np
import onnx
from onnx import numpy_helper

DIMENSIONS = 384
LAYERS = 12
# Texts are cut at 256 tokens, so the other half of the position table would never be read.
POSITIONS = 256
# A kernel works on 64 output columns at a time: four 512-bit registers of sums.
PANEL = 64

REFERENCE_TEXTS = [
    "tea",
    "Ana lives in Lisbon and works from home on Fridays.",
    "what did we decide about the retry policy of the importer?",
    "The boundary layer on a flat plate at zero incidence is treated by the method of successive approximation; heat "
    "transfer to the wall is found to depend weakly on the Mach number as long as the wall temperature stays constant.",
    "Café Müller, 東京, naïve — 12.5 % of €1,300 (approx.)",
]


def panels(weights):
    """(K, N) weights as [N/64][K/4][64][4]: what one step of a dot-product instruction needs lies side by side."""
    inner, outer = weights.shape
    blocks = weights.reshape(inner // 4, 4, outer // PANEL, PANEL)
    return np.ascontiguousarray(blocks.transpose(2, 0, 3, 1)).tobytes()


class Model:
    def __init__(self, path):
        graph = onnx.load(path).graph
        self.tensors = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        # The exporter named the weights by number; the output of the node that uses them carries the real name.
        self.matmul_inputs = {
            match.group(1): node.input[1].removesuffix("_quantized")
            for node in graph.node
            if node.op_type == "MatMulInteger"
            and (match := re.match(r"/encoder/(.*)/MatMul_output_0_output_quantized", node.output[0]))
        }

    def linear(self, layer, *names):
        """Weights (K, N), scales, biases of one or several layers side by side."""
        weights, scales, biases = [], [], []
        for name in names:
            key = self.matmul_inputs[f"layer.{layer}/{name.replace('.', '/')}"]
            assert not self.tensors[f"{key}_zero_point"].any(), "weights are symmetric"
            weights.append(self.tensors[f"{key}_quantized"])
            scales.append(self.tensors[f"{key}_scale"])
            biases.append(self.tensors[f"encoder.layer.{layer}.{name}.bias"])
        joined = np.concatenate(weights, axis=1)
        # Two products of such a weight and any unsigned byte fit 16 bits, which the AVX2 kernel relies on.
        assert np.abs(joined.astype(int)).max() <= 64
        return joined, np.concatenate(scales), np.concatenate(biases)

    def table(self, name):
        key = f"embeddings.{name}_embeddings.weight"
        return (
            self.tensors[f"{key}_quantized"],
            float(self.tensors[f"{key}_scale"]),
            int(self.tensors[f"{key}_zero_point"]),
        )


def pack_weights(model):
    words, word_scale, word_zero = model.table("word")
    positions, position_scale, position_zero = model.table("position")
    types, type_scale, type_zero = model.table("token_type")
    # One text has one segment, so only the first row of the segment table is ever added.
    segment = (types[0].astype(np.float32) - type_zero) * np.float32(type_scale)

    small = [[word_scale, word_zero, position_scale, position_zero], segment]
    small += [model.tensors["embeddings.LayerNorm.weight"], model.tensors["embeddings.LayerNorm.bias"]]
    big, sums = [], []

    def add_linear(layer, *names):
        weights, scales, biases = model.linear(layer, *names)
        big.append(panels(weights))
        small.extend([scales, biases])
        sums.append(weights.astype(np.int32).sum(axis=0))

    def add_norm(layer, name):
        prefix = f"encoder.layer.{layer}.{name}.LayerNorm"
        small.extend([model.tensors[f"{prefix}.weight"], model.tensors[f"{prefix}.bias"]])

    for layer in range(LAYERS):
        add_linear(layer, "attention.self.query", "attention.self.key", "attention.self.value")
        add_linear(layer, "attention.output.dense")
        add_norm(layer, "attention.output")
        add_linear(layer, "intermediate.dense")
        add_linear(layer, "output.dense")
        add_norm(layer, "output")

    assert words.shape == (30522, DIMENSIONS) and positions.shape[1] == DIMENSIONS
    tables = words.tobytes() + positions[:POSITIONS].tobytes()
    floats = b"".join(np.asarray(part, dtype="<f4").tobytes() for part in small)
    integers = b"".join(np.asarray(part, dtype="<i4").tobytes() for part in sums)
    return b"".join(big) + tables + floats + integers


def ranges(points):
    found = []
    for point in points:
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return found


def describe_characters(tokenizer):
    """How the reference tokenizer treats each code point: dropped, space, alone, or replaced by others."""
    normalise, split = tokenizer.normalizer.normalize_str, tokenizer.pre_tokenizer.pre_tokenize_str
    drop, space, alone, replace = [], [], [], {}
    for point in range(0x110000):
        # Surrogates are no characters; Hangul syllables decompose by a formula.
        if 0xD800 <= point < 0xE000 or 0xAC00 <= point < 0xD7A4:
            continue
        character = chr(point)
        normal = normalise(character)
        if normal == "":
            drop.append(point)
        elif normal == " ":
            space.append(point)
        elif normal == f" {character} " or len(split(f"a{normal}a")) == 3 and normal == character:
            alone.append(point)
        elif normal != character:
            replace[point] = normal
    known_alone = set(alone)
    lines = []
    for kind, points in (("drop", drop), ("space", space), ("alone", alone)):
        lines += [f"{kind} {first:x} {last:x}" for first, last in ranges(points)]
    for point, normal in replace.items():
        bare = normal.strip(" ")
        # The spaces around an ideograph say that it stands alone, which its own entry says already.
        if bare != normal and all(ord(c) in known_alone for c in bare):
            normal = bare
        lines.append(" ".join(["replace", f"{point:x}", *(f"{ord(c):x}" for c in normal)]))
    return "\n".join(lines) + "\n"


class Reference:
    """onnxruntime on one thread, one text at a time, so that dynamic quantisation sees that text alone."""

    def __init__(self, folder, tokenizer):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.tokenizer = tokenizer
        self.session = onnxruntime.InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])

    def encode(self, text):
        ids = self.tokenizer.encode(text).ids
        vector = self.states(text).mean(axis=0)
        return np.array(ids), vector / np.linalg.norm(vector)

    def states(self, text):
        ids = np.array([self.tokenizer.encode(text).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return self.session.run(None, inputs)[0][0]


def reference_vectors(reference):
    """What onnxruntime makes of a few texts, for a test that needs neither Python nor the ONNX file."""
    lines = []
    for text in REFERENCE_TEXTS:
        ids, vector = reference.encode(text)
        lines.append("\t".join([text, " ".join(map(str, ids)), " ".join(f"{value:.5f}" for value in vector)]))
    return "\n".join(lines) + "\n"


def centre(reference, words):
    """The mean vector of single words: what the vectors of all texts have in common, without looking at any text."""
    plain = [word for word in words if word.isascii() and word.isalpha() and len(word) > 2]
    return np.mean([reference.encode(word)[1] for word in plain[::10]], axis=0)


# Where the vocabulary's words begin, the most common one first; the first of them hold sentences together.
FIRST_WORD, COMMON = 1_996, 200

# How many words that mean something like it each is given, and how like it they are at least.
RELATED, LIKE = 12, 0.35


def is_form(one, other):
    """Whether two words are forms of one, which whoever looks up words finds without being told."""
    shared = len(os.path.commonprefix([one, other]))
    return shared >= 3 and shared >= max(len(one), len(other)) - 3


def related(reference, words):
    """For each word from the first on, the ids of those whose states, standing alone, are most like its own; 0 for none."""
    ids = [
        id for id, word in enumerate(words)
        if id >= FIRST_WORD + COMMON and word.isascii() and word.isalpha() and len(word) > 2
    ]
    states = np.array([reference.states(words[id])[1] for id in ids])
    states -= states.mean(axis=0)
    states /= np.linalg.norm(states, axis=1, keepdims=True)
    table = np.zeros((len(words) - FIRST_WORD, RELATED), dtype="<u2")
    for id, state in zip(ids, states):
        likeness = states @ state
        nearest = [place for place in np.argsort(-likeness, kind="stable")[:64] if likeness[place] >= LIKE]
        others = [ids[place] for place in nearest if not is_form(words[ids[place]], words[id])]
        table[id - FIRST_WORD, : len(others[:RELATED])] = others[:RELATED]
    return table


def main():
    from tokenizers import Tokenizer

    source = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent)
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    vocabulary = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    words = sorted(vocabulary, key=vocabulary.get)
    assert [vocabulary[word] for word in words] == list(range(len(words)))

    reference = Reference(source, tokenizer)
    files = {
        "weights.bin": pack_weights(Model(source / "model.onnx")),
        "vocabulary.txt": ("\n".join(words) + "\n").encode(),
        "characters.txt": describe_characters(tokenizer).encode(),
        "reference.tsv": reference_vectors(reference).encode(),
        "centre.bin": centre(reference, words).astype("<f4").tobytes(),
        "related.bin": related(reference, words).tobytes(),
    }
    for name, content in files.items():
        (target / name).write_bytes(content)
        print(f"| {name} | {len(content):,} | {hashlib.sha256(content).hexdigest()} |")


if __name__ == "__main__":
    main()
