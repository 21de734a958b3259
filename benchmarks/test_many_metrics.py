r"""What does one metric more cost where there are many groups: against one metric alone.

    POLARS_MAX_THREADS=1 taskset -c 0 python -m pytest benchmarks/test_many_metrics.py \
        --rows 10000000

A metric more of a million groups of two classes, and of 100,000 of ten: the difference over their
number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race

import confmat  # noqa: F401  # the namespace `cm` of frames

ROWS_A_GROUP = 10
MOST_GROUPS = 1_000_000
OF_TWO = (
    "accuracy", "precision", "recall", "f1", "mcc", "kappa", "specificity", "npv",
    "balanced_accuracy", "informedness", "markedness", "fpr", "fnr", "fdr", "jaccard",
    "fowlkes_mallows", "gmean", "prevalence", "diagnostic_odds_ratio", "yule_q", "bangdiwala_b",
)  # fmt: skip
OF_TEN = (
    "accuracy", "mcc", "kappa", "f1_macro", "f1_weighted", "precision_macro", "recall_macro",
    "balanced_accuracy", "scott_pi", "gwet_ac1", "krippendorff_alpha",
)  # fmt: skip


class Case(NamedTuple):
    classes: int
    divisor: int  # groups of ten classes are fewer
    metrics: tuple[str, ...]


CASES = {
    "two classes": Case(2, 1, OF_TWO),
    "ten classes": Case(10, 10, OF_TEN),
    "ten classes, spectra": Case(10, 10, ("accuracy", "gmcc", "eve")),
}


@pytest.fixture(scope="module", params=list(CASES))
def case(request: pytest.FixtureRequest, rows: int) -> tuple[str, Case, pl.DataFrame]:
    """Return groups of ten rows."""
    name = str(request.param)
    of = CASES[name]
    groups = max(min(rows // ROWS_A_GROUP, MOST_GROUPS) // of.divisor, 1)
    rng = np.random.default_rng(27)
    n = groups * ROWS_A_GROUP
    y = rng.integers(0, of.classes, n)
    p = np.where(rng.random(n) < 0.8, y, rng.integers(0, of.classes, n))
    return name, of, pl.DataFrame({"g": np.arange(n) // ROWS_A_GROUP, "y": y, "p": p})


@pytest.mark.parametrize("many", [True, False])
def test_metrics(race: Race, case: tuple[str, Case, pl.DataFrame], many: bool) -> None:
    """All metrics against one of them."""
    name, of, frame = case
    metrics = of.metrics if many else of.metrics[:1]
    labels = list(range(of.classes))

    def check(found: Any) -> None:
        right = frame.group_by("g").agg((pl.col("y") == pl.col("p")).mean()).sort("g")["y"]
        np.testing.assert_allclose(found["accuracy"], right, rtol=1e-12)

    race(
        f"{len(frame) // ROWS_A_GROUP:,} groups of {name}: {len(of.metrics)} metrics",
        f"df.cm.evaluate, {len(metrics)}",
        "ours" if many else "floor",
        lambda: frame.cm.evaluate("y", "p", by="g", labels=labels, metrics=metrics),
        check=check,
        rows=len(frame),
    )
