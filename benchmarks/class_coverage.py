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
from confmat.multiclass.counted_rows import rows_of
from confmat.multiclass.precision_intervals import drawn_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RUNS, DRAWN_RUNS, REPLICATES, SEED, LARGE = 2_000, 200, 400, 20_268, 300_000
# Classes, rows of each, by how much the own score is higher.
SCENARIOS = (
    *((3, rows, shift) for rows in (50, 200) for shift in (0.7, 1.5, 3.2)),
    (10, 50, 0.7),
    (10, 400, 0.7),
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
        held = np.zeros(2)
        for run in range(RUNS):
            k = cm.multiclass_sweep(*drawn(classes, rows, shift, rng))
            found = [k.ci("average_precision_macro")]
            assert found[0].method == "delta"
            if run < DRAWN_RUNS:
                given = (found[0].value, "macro", (0.95, "both"), REPLICATES)
                found.append(drawn_interval(rows_of(k), *given, np.random.default_rng(run)))
            held[: len(found)] += [one.low <= truth <= one.high for one in found]
        shares = 100 * held / (RUNS, DRAWN_RUNS)
        yield (f"{classes}", f"{rows}", f"{truth:.3f}", *(f"{share:.1f}" for share in shares))


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    shown = table(("classes", "rows of each", "value", "delta", "drawn"), lines())
    if not asked.write:
        print(shown)
        return
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{shown}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
