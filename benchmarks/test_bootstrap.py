"""What do bootstrap replicates of many metrics cost, of a few rows and of 10^9.

The peer draws whole tables with NumPy and computes the same metrics from all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role

import confmat as cm
from confmat import _core
from confmat.matrices.bootstrapping import bootstrap
from confmat.metric_names import asks
from confmat.scores.bootstrapping import bootstrap as bootstrap_scores

K = 10
REPLICATES = 10_000
OF_COUNTS = (
    "accuracy", "balanced_accuracy", "precision_macro", "recall_macro", "f1_macro", "mcc", "kappa",
    "jaccard_macro", "f1_micro", "f1_weighted", "precision_weighted", "cramer_v",
)  # fmt: skip
METRICS = {"12 metrics": OF_COUNTS, "eve and gmcc among 12": (*OF_COUNTS[:10], "gmcc", "eve")}
ROWS = (1_000, 100_000, 1_000_000_000)
OF_SCORES = ("roc_auc", "average_precision", "ks")
DRAWS = 10


class Contender(NamedTuple):
    role: Role
    run: Callable[[cm.ConfusionMatrix, tuple[str, ...]], Any]


def _numpy(m: cm.ConfusionMatrix, names: tuple[str, ...]) -> Any:
    shares = m.counts.ravel() / m.n
    tables = np.random.default_rng(1).multinomial(m.n, shares, REPLICATES).reshape(-1, K, K)
    return asks(names).values(tables, [str(label) for label in m.labels])


def _ours(m: cm.ConfusionMatrix, names: tuple[str, ...]) -> Any:
    return bootstrap(m, names, REPLICATES, seed=1)[1]


def _one_thread(m: cm.ConfusionMatrix, names: tuple[str, ...]) -> Any:
    shown = [str(label) for label in m.labels]
    return _core.replicates(
        asks(names), m.counts, shown, squares=None, replicates=REPLICATES, seed=1, threads=1
    )


CONTENDERS = {
    "bootstrap()": Contender("ours", _ours),
    "bootstrap(), one thread": Contender("ours", _one_thread),
    "NumPy multinomial, then the values": Contender("peer", _numpy),
}


def _matrix(rows: int) -> cm.ConfusionMatrix:
    rng = np.random.default_rng(7)
    shares = rng.dirichlet(np.full(K * K, 0.5)).reshape(K, K) + 0.15 * np.eye(K)
    return cm.ConfusionMatrix(rng.multinomial(rows, shares.ravel() / shares.sum()).reshape(K, K))


@pytest.mark.parametrize("rows_of", ROWS)
@pytest.mark.parametrize("metrics", METRICS)
@pytest.mark.parametrize("name", CONTENDERS)
def test_matrix(race: Race, name: str, metrics: str, rows_of: int) -> None:
    role, run = CONTENDERS[name]
    m, names = _matrix(rows_of), METRICS[metrics]

    def check(found: Any) -> None:
        assert found.shape == (REPLICATES, len(names))
        slopes = m.gradient("accuracy")[1]
        gap = slopes - (m.counts * slopes).sum() / m.n
        se = np.sqrt((m.counts * gap * gap).sum())
        np.testing.assert_allclose(found[:, 0].std(), se, rtol=0.05)

    question = f"{REPLICATES:,} replicates of {rows_of:,} rows, {metrics}"
    race(question, name, role, lambda: run(m, names), check=check, rows=REPLICATES)


def _scored(sweep: cm.Sweep) -> Any:
    return bootstrap_scores(sweep, OF_SCORES, DRAWS, seed=1)[1][:, 0]


def _scored_by_numpy(sweep: cm.Sweep) -> Any:
    """Draw rows, count them, and sum the area in float64: for the AUC alone."""
    rng = np.random.default_rng(1)
    sides = (np.repeat(np.arange(len(sweep)), side) for side in (sweep.positives, sweep.negatives))
    rows = [side.astype(np.intp) for side in sides]
    found = []
    for _ in range(DRAWS):
        p, n = (
            np.bincount(side[rng.integers(0, len(side), len(side))], minlength=len(sweep))
            for side in rows
        )
        above = np.cumsum(p) - p / 2
        found.append(float((n * above).sum()) / len(rows[0]) / len(rows[1]))
    return np.array(found)


SCORED = {
    "bootstrap(), AUC, average precision and KS": ("ours", _scored),
    "NumPy, rows drawn, the AUC alone": ("peer", _scored_by_numpy),
}


@pytest.mark.parametrize("name", SCORED)
def test_scores(race: Race, rows: int, name: str) -> None:
    role, run = SCORED[name]
    rng = np.random.default_rng(3)
    s = rng.permutation(rows) / rows
    sweep = cm.sweep(rng.random(rows) < s, s)

    def check(found: Any) -> None:
        np.testing.assert_allclose(found, sweep.roc_auc, atol=0.03)

    question = f"{DRAWS} replicates of {rows:,} distinct scores"
    race(question, name, role, lambda: run(sweep), check=check, rows=DRAWS * rows)
