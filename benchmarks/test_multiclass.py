"""What do three questions about the probabilities of a hundred classes cost.

One-vs-rest AUC, logarithmic loss and top-5 accuracy, from one n x 100 matrix.
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


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    n = max(5 * K, min(rows // K, MOST_ROWS))
    rng = np.random.default_rng(23)
    proba = rng.standard_exponential((n, K))
    y = rng.integers(0, K, n)
    y[:K] = CLASSES  # also of the part that scikit-learn gets
    proba[np.arange(n), y] += 1.0
    proba /= proba.sum(axis=1, keepdims=True)
    return Data(y, proba)


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
