"""What do three questions about the probabilities of a hundred classes cost.

One-vs-rest AUC, logarithmic loss and top-5 accuracy, from one n x 100 matrix; and the first two,
each alone, of five classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from sklearn.metrics import log_loss, roc_auc_score, top_k_accuracy_score

import confmat as cm

K = 100
FEW = 5
CLASSES = list(range(K))
MOST_ROWS = 1_000_000
MOST_SKLEARN = 50_000  # beyond, its time is scaled up linearly


class Data(NamedTuple):
    y: Any
    proba: Any


def _ours(data: Data) -> tuple[float, ...]:
    sweep = cm.multiclass_sweep(data.y, data.proba, labels=CLASSES)
    auc = sweep.value("roc_auc", average="macro", multi_class="ovr")
    return auc, sweep.log_loss, sweep.value("top_k_accuracy", k=5)


def _sklearn(data: Data) -> tuple[float, ...]:
    return (
        roc_auc_score(data.y, data.proba, multi_class="ovr", labels=CLASSES),
        log_loss(data.y, data.proba, labels=CLASSES),
        top_k_accuracy_score(data.y, data.proba, k=5, labels=CLASSES),
    )


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], tuple[float, ...]]


CONTENDERS = {
    "cm.multiclass_sweep()": Contender("ours", _ours),
    "scikit-learn": Contender("peer", _sklearn),
}


FEW_CLASSES: dict[str, dict[str, Contender]] = {
    "one-vs-rest AUC": {
        "cm.multiclass_sweep()": Contender(
            "ours", lambda d: (cm.multiclass_sweep(d.y, d.proba).roc_auc,)
        ),
        "scikit-learn": Contender(
            "peer", lambda d: (roc_auc_score(d.y, d.proba, multi_class="ovr"),)
        ),
    },
    "log loss": {
        "cm.multiclass_sweep()": Contender(
            "ours", lambda d: (cm.multiclass_sweep(d.y, d.proba).log_loss,)
        ),
        "scikit-learn": Contender("peer", lambda d: (log_loss(d.y, d.proba),)),
    },
}


def _drawn(n: int, k: int) -> Data:
    rng = np.random.default_rng(23)
    proba = rng.standard_exponential((n, k))
    y = rng.integers(0, k, n)
    y[:k] = range(k)  # also of the part that scikit-learn gets
    proba[np.arange(n), y] += 1.0
    proba /= proba.sum(axis=1, keepdims=True)
    return Data(y, proba)


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    return _drawn(max(5 * K, min(rows // K, MOST_ROWS)), K)


@pytest.fixture(scope="module")
def few(rows: int) -> Data:
    return _drawn(min(rows, MOST_ROWS), FEW)


@pytest.mark.parametrize("name", ["cm.multiclass_sweep()", "scikit-learn"])
@pytest.mark.parametrize("question", FEW_CLASSES)
def test_few_classes(race: Race, few: Data, question: str, name: str) -> None:
    role, run = FEW_CLASSES[question][name]
    expected = FEW_CLASSES[question]["scikit-learn"].run(few)
    race(
        f"{len(few.y):,} x {FEW} probabilities: {question}",
        name,
        role,
        lambda: run(few),
        check=lambda found: np.testing.assert_allclose(found, expected, rtol=1e-9),
        rows=len(few.y),
    )


@pytest.mark.parametrize("name", CONTENDERS)
def test_multiclass(race: Race, data: Data, name: str) -> None:
    role, run = CONTENDERS[name]
    n = len(data.y)
    few = Data(data.y[:MOST_SKLEARN], data.proba[:MOST_SKLEARN])
    used = few if role == "peer" else data

    def check(found: tuple[float, ...]) -> None:
        expected = run(few) if role == "peer" else _sklearn(few)
        values = found if used is few or n <= MOST_SKLEARN else run(few)
        np.testing.assert_allclose(values, expected, rtol=1e-9)

    race(
        f"{n:,} x {K} probabilities: AUC, log loss, top 5",
        name,
        role,
        lambda: run(used),
        check=check,
        rows=len(used.y),
        scale_to=n if used is few else None,
    )
