"""Finds what each trait of a candidate weighs, and prints it for `src/decision.rs`.

    edit_eval candidates SETS... > candidates.jsonl
    python weigh.py candidates.jsonl

Logistic regression, for what the rules would do, for what the marks would do and for commands apart. SETS must be ones that the model
has not learned from, or hardly (`held`, `tune` and `twins_held`). What it would do at several certainties is printed for requests that the weights were not fitted on
(five parts, each weighed by the others). Needs numpy.
"""

import json
import sys

import numpy as np

SOURCES = ("RULED", "MARKED", "COMMANDED")
PARTS = 5
RIDGE = 2.0


def fitted(traits, is_right):
    """The weights of the traits: Newton's method, with all but the first kept small."""
    spread = traits.std(axis=0)
    spread[spread == 0] = 1
    spread[0] = 1
    scaled = traits / spread
    keep = np.full(traits.shape[1], RIDGE)
    keep[0] = 1e-6
    weights = np.zeros(traits.shape[1])
    for _ in range(50):
        chance = certainty(scaled, weights)
        slope = scaled.T @ (chance - is_right) + keep * weights
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + np.diag(keep)
        weights -= np.linalg.solve(curve, slope)
    return weights / spread


def certainty(traits, weights):
    return 1 / (1 + np.exp(-np.clip(traits @ weights, -30, 30)))


def of_each(rows):
    """Weights for the candidates of each source."""
    found = []
    for source in range(len(SOURCES)):
        those = [(is_right, traits) for row in rows for own, is_right, traits in row["candidates"] if own == source]
        found.append(fitted(np.array([t for _, t in those]), np.array([r for r, _ in those], dtype=float)))
    return found


def main():
    rows = [json.loads(line) for path in sys.argv[1:] for line in open(path)]
    chosen = []
    for part in range(PARTS):
        weights = of_each([row for at, row in enumerate(rows) if at % PARTS != part])
        for row in rows[part::PARTS]:
            chosen.append([(certainty(np.array(t), weights[source]), is_right) for source, is_right, t in row["candidates"]])
    for least in (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        done = [is_right for sure, is_right in map(max, filter(None, chosen)) if sure >= least]
        right = sum(done)
        print(f"{least:.2f}: {100 * right / len(rows):.1f} % changed rightly, {100 * (len(done) - right) / len(rows):.1f} % wrongly")
    for name, weights in zip(SOURCES, of_each(rows)):
        print(f"const {name}: [f32; TRAITS] =\n    [{', '.join(f'{weight:.3}' for weight in weights)}];")


main()
