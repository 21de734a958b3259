"""What do intervals of rows in clusters cost: users of ten rows, of each kind of evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race

import confmat as cm

A_USER, K, MOST = 10, 10, 200_000
METRICS = {
    "predictions": ["accuracy", "mcc"],
    "scores of ten classes": ["roc_auc_macro"],
    "sets of ten labels": ["f1_macro", "f1_samples"],
    "numbers": ["mae", "rmse", "r2"],
}


def _log(rows: int, kind: str) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Return rows of users, and what `cm.evaluate` is asked."""
    rng = np.random.default_rng(12)
    user = pl.Series("user", np.arange(rows) // A_USER)
    y = rng.integers(0, K, rows)
    if kind == "predictions":
        y = y % 2
        p = np.where(rng.random(rows) < 0.8, y, 1 - y)
        return pl.DataFrame({"y": y, "p": p, "user": user}), {"y_true": "y", "y_pred": "p"}
    if kind == "numbers":
        x = rng.normal(size=rows)
        log = pl.DataFrame({"y": x, "p": x + rng.normal(size=rows), "user": user})
        return log, {"y_true": "y", "y_pred": "p", "task": "regression"}
    if kind == "sets of ten labels":
        truth = rng.random((rows, K)) < 0.3
        found = truth ^ (rng.random((rows, K)) < 0.1)
        names = [[f"{side}{i}" for i in range(K)] for side in "tp"]
        log = pl.DataFrame(np.hstack([truth, found]), schema=[*names[0], *names[1]])
        return log.with_columns(user), {"y_true": names[0], "y_pred": names[1]}
    scores = rng.normal(size=(rows, K)) + 2 * np.eye(K)[y]
    scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    names = [f"s{i}" for i in range(K)]
    log = pl.DataFrame(scores, schema=names).with_columns(user, y=y)
    return log, {"y_true": "y", "y_score": names, "labels": list(range(K))}


@pytest.mark.parametrize("what", ["rows", "clusters"])
@pytest.mark.parametrize("kind", METRICS)
def test_evaluate(race: Race, rows: int, kind: str, what: str) -> None:
    used = min(rows, MOST)
    log, asked = _log(used, kind)
    cluster = {"cluster": "user"} if what == "clusters" else {}

    def run() -> Any:
        return cm.evaluate(log, **asked, **cluster).overall(METRICS[kind], ci=0.95)

    def check(found: pl.DataFrame) -> None:
        assert found["value"].is_not_null().all()
        if cluster:
            assert (found["low"] < found["high"]).all()

    name, role = ("cluster=", "ours") if cluster else ("rows as independent", "floor")
    question = f"{used // A_USER:,} users of ten rows: {kind}"
    race(question, name, role, run, check=check, rows=used)
