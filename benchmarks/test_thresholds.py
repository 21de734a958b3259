"""What does any metric cost at every distinct score, once the scores are sorted.

scikit-learn calls a Python function for each threshold, so its question has few of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from sklearn.metrics import f1_score, metric_at_thresholds

import confmat as cm

MOST = 1_000_000
FEW = 1_000
THREE = ("accuracy", "f1", "mcc")
THIRTY = (
    *THREE, "error", "balanced_accuracy", "precision", "recall", "specificity", "npv", "fpr",
    "fnr", "fdr", "for_rate", "f1_negative", "fbeta(2)", "jaccard", "fowlkes_mallows", "gmean",
    "informedness", "markedness", "kappa", "lr_positive", "lr_negative", "diagnostic_odds_ratio",
    "predicted_prevalence", "f1_macro", "precision_macro", "recall_macro", "jaccard_macro", "gmcc",
)  # fmt: skip
assert len(THIRTY) == 30


class Data(NamedTuple):
    y: Any
    s: Any
    sweep: cm.Sweep


def _make(thresholds: int) -> Data:
    """Make as many distinct scores, shuffled, with more positives among the high ones."""
    rng = np.random.default_rng(17)
    s = rng.permutation(thresholds).astype(np.float64) / thresholds
    y = rng.random(thresholds) < 0.1 + 0.4 * s
    return Data(y, s, cm.sweep(y, s))


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    return _make(min(rows, MOST))


@pytest.fixture(scope="module")
def few() -> Data:
    return _make(FEW)


def _numpy(sweep: cm.Sweep) -> dict[str, Any]:
    tp, fp = sweep.tp.astype(np.float64), sweep.fp.astype(np.float64)
    positives, negatives = tp[-1], fp[-1]
    fn, tn = positives - tp, negatives - fp
    with np.errstate(all="ignore"):
        margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return {
            "accuracy": (tp + tn) / (positives + negatives),
            "f1": 2 * tp / (2 * tp + fp + fn),
            "mcc": (tp * tn - fp * fn) / np.sqrt(margins),
        }


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], Any]


CONTENDERS = {
    "s.table(), 3 metrics": Contender("ours", lambda data: data.sweep.table(THREE)),
    "s.table(), 30 metrics": Contender("ours", lambda data: data.sweep.table(THIRTY)),
    "NumPy, 3 metrics": Contender("peer", lambda data: _numpy(data.sweep)),
}
SMALL = {
    "cm.sweep().table()": Contender("ours", lambda data: cm.sweep(data.y, data.s).table(["f1"])),
    "scikit-learn metric_at_thresholds": Contender(
        "peer", lambda data: {"f1": metric_at_thresholds(data.y, data.s, f1_score)[0]}
    ),
}


@pytest.mark.parametrize("name", CONTENDERS)
def test_thresholds(race: Race, data: Data, name: str) -> None:
    role, run = CONTENDERS[name]
    expected = _numpy(data.sweep)

    def check(found: Any) -> None:
        for metric in THREE:
            values = np.asarray(found[metric])
            known = np.isfinite(expected[metric])
            np.testing.assert_allclose(values[known], expected[metric][known], rtol=1e-6)

    thresholds = len(data.sweep)
    question = f"{thresholds:,} thresholds"
    race(question, name, role, lambda: run(data), check=check, rows=thresholds)


@pytest.mark.parametrize("name", SMALL)
def test_few_thresholds(race: Race, few: Data, name: str) -> None:
    role, run = SMALL[name]
    expected = _numpy(few.sweep)["f1"]

    def check(found: Any) -> None:
        # Either end first.
        np.testing.assert_allclose(np.sort(found["f1"]), np.sort(expected), rtol=1e-12)

    race(f"f1 at {FEW:,} scores", name, role, lambda: run(few), check=check, rows=FEW)
