"""How long four metrics of 500 groups take, and the criteria of fairness with their intervals."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role

import confmat as cm
from confmat.fairness.from_parts import fairness

ROWS, GROUPS = 20_000, 500
METRICS = ("selection_rate", "tpr", "fpr", "accuracy")


class Data(NamedTuple):
    frame: pl.DataFrame
    arrays: dict[str, Any]
    expected: pl.DataFrame


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], Any]
    table: Callable[[Any], Any]  # the four metrics by group, in order of the groups


def _finished(data: Data) -> pl.DataFrame:
    return cm.finish(cm.partial(data.frame, y_true="y", y_pred="p", by="group"), METRICS)


def _fairness(data: Data) -> pl.DataFrame:
    parts = cm.partial(data.frame, y_true="y", y_pred="p", by="group")
    return fairness(parts, "group", metrics=METRICS).by_group()


def _between(data: Data) -> pl.DataFrame:
    parts = cm.partial(data.frame, y_true="y", y_pred="p", by="group")
    f = fairness(parts, "group", metrics=METRICS)
    f.between()
    return f.by_group()


def _fairlearn(data: Data) -> Any:
    import fairlearn.metrics as fl
    from sklearn.metrics import accuracy_score

    metrics = {
        "selection_rate": fl.selection_rate,
        "tpr": fl.true_positive_rate,
        "fpr": fl.false_positive_rate,
        "accuracy": accuracy_score,
    }
    return fl.MetricFrame(
        metrics=metrics,
        y_true=data.arrays["y"],
        y_pred=data.arrays["p"],
        sensitive_features=data.arrays["group"],
    )


def _ours(run: Callable[[Data], pl.DataFrame]) -> Contender:
    return Contender("ours", run, lambda table: table.select(METRICS).to_numpy())


CONTENDERS = {
    "cm.partial, cm.finish": _ours(_finished),
    "cm.partial, fairness(...)": _ours(_fairness),
    "cm.partial, fairness(...).between(), with intervals": _ours(_between),
    "fairlearn.MetricFrame": Contender(
        "peer", _fairlearn, lambda frame: frame.by_group[[*METRICS]].to_numpy(float)
    ),
}


@pytest.fixture(scope="module")
def data() -> Data:
    rng = np.random.default_rng(41)
    y = rng.integers(0, 2, ROWS)
    arrays = {
        "group": rng.integers(0, GROUPS, ROWS),
        "y": y,
        "p": y ^ (rng.random(ROWS) < 0.2),
    }
    y, p = pl.col("y").cast(pl.Boolean), pl.col("p").cast(pl.Boolean)
    expected = (
        pl.DataFrame(arrays)
        .group_by("group")
        .agg(
            selection_rate=p.mean(),
            tpr=p.filter(y).mean(),
            fpr=p.filter(~y).mean(),
            accuracy=(y == p).mean(),
        )
        .sort("group")
    )
    return Data(pl.DataFrame(arrays), arrays, expected)


@pytest.mark.parametrize("name", CONTENDERS)
def test_metrics_of_groups(race: Race, data: Data, name: str) -> None:
    if name.startswith("fairlearn") and find_spec("fairlearn") is None:
        pytest.skip("Fairlearn is not installed")
    role, run, table = CONTENDERS[name]
    race(
        f"{ROWS:,} rows, {GROUPS} groups, {len(METRICS)} metrics",
        name,
        role,
        lambda: run(data),
        check=lambda found: np.testing.assert_allclose(
            table(found), data.expected.select(METRICS).to_numpy(), rtol=1e-12
        ),
        rows=ROWS,
    )
