"""How often 95 % intervals of averages over labels hold the truth, by how labels go together.

    python benchmarks/label_coverage.py            # prints the table
    python benchmarks/label_coverage.py --write    # puts it into docs/uncertainty.md

Four labels of unlike shares; what is wrong about one label of a row is shared with the others as
far as the scenario says.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from interval_coverage import table
from numpy.typing import NDArray
from scipy import stats

import confmat as cm

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

LEVEL, RUNS, SEED, LARGE = 0.95, 600, 20_264, 400_000
SCORE_RUNS = RUNS // 3
SHARES = np.array([0.5, 0.4, 0.3, 0.2])
TOGETHER = {"all the same": 1.0, "going together": 0.7, "independent": 0.0}  # correlations
SIZES = (50, 400)
OF_SETS = ("f1_macro", "f1_weighted", "mcc_macro")
OF_SCORES = ("roc_auc_macro", "average_precision_macro")
PAGE = Path(__file__).parent.parent / "docs" / "uncertainty.md"
BEGIN, END = "<!-- labels: begin -->", "<!-- labels: end -->"


def drawn(n: int, together: float, rng: np.random.Generator) -> tuple[Bools, Floats]:
    """Return the labels of rows, and their scores."""
    shares = np.full(4, 0.3) if together == 1 else SHARES

    def normals() -> Floats:
        own, common = rng.normal(size=(n, 4)), rng.normal(size=(n, 1))
        return np.sqrt(together) * common + np.sqrt(1 - together) * own

    truth = normals() < stats.norm.ppf(shares)
    return truth, stats.norm.cdf(normals() + 1.5 * (truth - 0.5))


def lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows of each scenario: the coverage of each average."""
    for name, together in TOGETHER.items():
        rng = np.random.default_rng(SEED)
        truth, scores = drawn(LARGE, together, rng)
        of_sets, of_scores = cm.multilabel(truth, scores > 0.5), cm.multilabel_sweep(truth, scores)
        wanted = [of_sets.value(metric) for metric in OF_SETS]
        wanted += 2 * [of_scores.value(metric) for metric in OF_SCORES]
        for n in SIZES:
            held = np.zeros((RUNS, len(wanted)))
            for run in range(RUNS):
                truth, scores = drawn(n, together, rng)
                found = [cm.multilabel(truth, scores > 0.5).ci(metric) for metric in OF_SETS]
                if run < SCORE_RUNS:
                    rows = cm.multilabel_sweep(truth, scores)
                    found += [rows.to_state().ci(metric, seed=0) for metric in OF_SCORES]
                    found += [rows.ci(metric) for metric in OF_SCORES]
                for at, one in enumerate(found):
                    held[run, at] = one.low <= wanted[at] <= one.high
            counts = np.where(np.arange(len(wanted)) < len(OF_SETS), RUNS, SCORE_RUNS)
            yield (name, f"{n:,}", *(f"{100 * x:.1f}" for x in held.sum(0) / counts))


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    saved = [f"saved scores: {metric}" for metric in OF_SCORES]
    heads = ("labels of a row", "rows", *OF_SETS, *saved, *(f"of rows: {m}" for m in OF_SCORES))
    shown = table(heads, lines())
    if not asked.write:
        print(shown)
        return
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{shown}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
