"""How often 95 % intervals of average precision of many classes hold the truth, and drawn ones.

    python benchmarks/class_coverage.py            # prints the table
    python benchmarks/class_coverage.py --write    # puts it into docs/uncertainty.md

Classes of as many rows each; the score of the own class is higher than the others by a shift.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from interval_coverage import table
from numpy.typing import NDArray

import confmat as cm
from confmat.intervals.levels import Side
from confmat.multiclass.counted_rows import rows_of
from confmat.multiclass.precision_intervals import drawn_interval, interval_by_changes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BOTH: tuple[float, Side] = (0.95, "both")
RUNS, DRAWN_RUNS, REPLICATES, SEED, LARGE = 2_000, 200, 400, 20_268, 300_000
# Classes, rows of each, by how much the own score is higher.
SCENARIOS = (
    *((3, rows, shift) for rows in (50, 200) for shift in (0.7, 1.5, 3.2)),
    *((10, rows, 0.7) for rows in (50, 160, 400)),
)
PAGE = Path(__file__).parent.parent / "docs" / "uncertainty.md"
BEGIN, END = "<!-- precision of classes: begin -->", "<!-- precision of classes: end -->"


def drawn(classes: int, rows: int, shift: float, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Return the classes of rows, and their probabilities."""
    truth = np.repeat(np.arange(classes), rows)
    raised = rng.normal(size=(len(truth), classes)) + shift * np.eye(classes)[truth]
    odds = np.exp(raised)
    return truth, odds / odds.sum(axis=1, keepdims=True)


def lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a scenario: the coverage of both kinds of intervals."""
    for classes, rows, shift in SCENARIOS:
        rng = np.random.default_rng(SEED)
        whole = cm.multiclass_sweep(*drawn(classes, LARGE // classes, shift, rng))
        truth = whole.value("average_precision_macro")
        held, known = np.zeros(2), 0
        for run in range(RUNS):
            k = cm.multiclass_sweep(*drawn(classes, rows, shift, rng))
            of, value = rows_of(k), k.value("average_precision_macro")
            found = [interval_by_changes(of, value, {}, BOTH)]
            if run < DRAWN_RUNS:
                random = np.random.default_rng(run)
                found.append(drawn_interval(of, value, "macro", BOTH, REPLICATES, random))
                known += not np.isnan(found[1].low)
            held[: len(found)] += [one.low <= truth <= one.high for one in found]
        shares = 100 * np.array([held[0] / RUNS, known / DRAWN_RUNS, held[1] / max(known, 1)])
        yield (f"{classes}", f"{rows}", f"{truth:.3f}", *(f"{share:.1f}" for share in shares))


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    shown = table(("classes", "rows of each", "value", "delta", "drawn", "of which held"), lines())
    if not asked.write:
        print(shown)
        return
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{shown}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
