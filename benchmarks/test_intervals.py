"""What do intervals cost beside the numbers: of one matrix, of many slices, of a sweep."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race

import confmat as cm

K = 10
CALLS = 200
METRICS = ("accuracy", "mcc", "f1_macro", "kappa", "gmcc", "eve")
SLICES = 5_000
OF_SLICES = ["accuracy", "mcc", "kappa", "f1_macro", "gmcc", "eve"]


def _matrix() -> cm.ConfusionMatrix:
    cells = np.random.default_rng(4).integers(1, 60, (K, K)) + 200 * np.eye(K, dtype=np.int64)
    return cm.ConfusionMatrix(cells)


@pytest.mark.parametrize("what", ["value", "ci"])
@pytest.mark.parametrize("metric", METRICS)
def test_matrix(race: Race, metric: str, what: str) -> None:
    m = _matrix()
    call = getattr(m, what)

    def run() -> Any:
        for _ in range(CALLS):
            found = call(metric)
        return found

    def check(found: Any) -> None:
        value = found if what == "value" else found.value
        assert value == m.value(metric)

    role = "floor" if what == "value" else "ours"
    race(f"{CALLS} times {metric} of 10 classes", f"m.{what}()", role, run, check=check, rows=CALLS)


@pytest.mark.parametrize("ci", [None, 0.95])
def test_slices(race: Race, ci: float | None) -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 4, 100 * SLICES)
    log = pl.DataFrame(
        {
            "site": rng.integers(0, SLICES, len(y)),
            "y_true": y,
            "y_pred": np.where(rng.random(len(y)) < 0.8, y, rng.integers(0, 4, len(y))),
        }
    )
    parts = cm.partial(log, by="site", y_pred="y_pred")

    def check(found: Any) -> None:
        assert found.height == SLICES
        if ci is not None:
            assert (found["mcc_low"] <= found["mcc"]).all()

    name, role = ("finish()", "floor") if ci is None else ("finish(ci=0.95)", "ours")
    question = f"6 metrics of {SLICES:,} slices of 4 classes"
    race(question, name, role, lambda: cm.finish(parts, OF_SLICES, ci=ci), check=check, rows=SLICES)


@pytest.mark.parametrize("what", ["sweep", "interval"])
def test_area(race: Race, rows: int, what: str) -> None:
    rng = np.random.default_rng(6)
    s = rng.random(rows, dtype=np.float32)
    y = rng.random(rows) < s

    def run() -> Any:
        sweep = cm.sweep(y, s)
        return sweep.roc_auc if what == "sweep" else sweep.ci("roc_auc")

    def check(found: Any) -> None:
        assert 0.8 < (found if what == "sweep" else found.value) < 0.85

    name, role = ("the area", "floor") if what == "sweep" else ("the area and its interval", "ours")
    race("A sweep of float32 scores", name, role, run, check=check, rows=rows)
