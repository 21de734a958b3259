"""What does a call cost on ten to a thousand rows, where there is almost nothing to count.

The peer computes three metrics; ours the same three, then every overall metric and average. Then
one question at a time, against the function of the peer that answers it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import FORMULAS, cells_of, labels
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    f1_score,
    hamming_loss,
    log_loss,
    matthews_corrcoef,
    roc_auc_score,
    roc_curve,
)

import confmat as cm
from confmat.registry import names

ROWS = 1_000
K = 10
THREE = ("accuracy", "mcc", "f1_macro")


def _three(y: Any, p: Any) -> dict[str, float]:
    return cm.confusion_matrix(y, p).values(THREE)


def _all_values(y: Any, p: Any) -> dict[str, float]:
    return cm.confusion_matrix(y, p).values(names("overall") + names("average"))


def _all_rows(y: Any, p: Any) -> Any:
    return cm.confusion_matrix(y, p).overall()


def _sklearn(y: Any, p: Any) -> dict[str, float]:
    return {
        "accuracy": accuracy_score(y, p),
        "mcc": matthews_corrcoef(y, p),
        "f1_macro": f1_score(y, p, average="macro"),
    }


class Contender(NamedTuple):
    role: Role
    run: Callable[[Any, Any], Any]


CONTENDERS = {
    "matrix and the same 3 values": Contender("ours", _three),
    "matrix and all values": Contender("ours", _all_values),
    "matrix and m.overall() with reasons": Contender("ours", _all_rows),
    "scikit-learn, 3 values": Contender("peer", _sklearn),
}


@pytest.fixture(scope="module")
def pair() -> tuple[Any, Any]:
    return labels(ROWS, K, "int64")


@pytest.mark.parametrize("name", CONTENDERS)
def test_small(race: Race, pair: tuple[Any, Any], name: str) -> None:
    y, p = pair
    role, run = CONTENDERS[name]
    cells = cells_of(y, p, K)

    def check(found: Any) -> None:
        if not isinstance(found, dict):
            found = dict(found.select("metric", "value").rows())
        for metric in THREE:
            expected = FORMULAS[metric](cells)[0]
            np.testing.assert_allclose(found[metric], expected, rtol=1e-12, err_msg=metric)

    race(f"{ROWS:,} rows, K={K}", name, role, lambda: run(y, p), check=check, rows=ROWS)


class Rows(NamedTuple):
    y: Any
    p: Any
    score: Any
    truth: Any  # sets of eight labels
    pred: Any


ALONE: dict[str, tuple[Callable[[Rows], Any], Callable[[Rows], Any]]] = {
    "accuracy": (lambda d: cm.accuracy(d.y, d.p), lambda d: accuracy_score(d.y, d.p)),
    "f1": (lambda d: cm.f1(d.y, d.p), lambda d: f1_score(d.y, d.p)),
    "mcc": (lambda d: cm.mcc(d.y, d.p), lambda d: matthews_corrcoef(d.y, d.p)),
    "roc_auc": (lambda d: cm.roc_auc(d.y, d.score), lambda d: roc_auc_score(d.y, d.score)),
    "average_precision": (
        lambda d: cm.average_precision(d.y, d.score),
        lambda d: average_precision_score(d.y, d.score),
    ),
    "log_loss": (lambda d: cm.log_loss(d.y, d.score), lambda d: log_loss(d.y, d.score)),
    "largest tpr - fpr of the ROC curve": (
        lambda d: _gap(*cm.sweep(d.y, d.score).roc_curve()["fpr", "tpr"]),
        lambda d: _gap(*roc_curve(d.y, d.score)[:2]),
    ),
    "label sets, f1_macro": (
        lambda d: cm.multilabel(d.truth, d.pred).f1_macro,
        lambda d: f1_score(d.truth, d.pred, average="macro"),
    ),
    "label sets, f1_samples": (
        lambda d: cm.multilabel(d.truth, d.pred).f1_samples,
        lambda d: f1_score(d.truth, d.pred, average="samples", zero_division=np.nan),
    ),
    "label sets, hamming_loss": (
        lambda d: cm.multilabel(d.truth, d.pred).hamming_loss,
        lambda d: hamming_loss(d.truth, d.pred),
    ),
}


def _gap(fpr: Any, tpr: Any) -> float:
    return float((tpr - fpr).max())


@pytest.fixture(scope="module", params=[10, 100, 1_000])
def few(request: pytest.FixtureRequest) -> Rows:
    n = request.param
    rng = np.random.default_rng(31)
    y = np.arange(n) % 2
    p = np.where(rng.random(n) < 0.8, y, 1 - y)
    truth = rng.random((n, 8)) < 0.3
    truth[0] = True  # every label occurs
    return Rows(y, p, rng.random(n), truth, truth ^ (rng.random((n, 8)) < 0.1))


@pytest.mark.parametrize("role", ["ours", "peer"])
@pytest.mark.parametrize("metric", ALONE)
def test_alone(race: Race, few: Rows, metric: str, role: Role) -> None:
    ours, peer = ALONE[metric]
    run = ours if role == "ours" else peer
    expected = peer(few)
    race(
        f"{len(few.y):,} rows: {metric}",
        "confmat" if role == "ours" else "scikit-learn",
        role,
        lambda: run(few),
        check=lambda found: np.testing.assert_allclose(found, expected, rtol=1e-12),
        rows=len(few.y),
    )
