"""What does the area under the ROC curve of 20,000 small groups cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polarbearings as pb
import polars as pl
import polars_ds as pds
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from sklearn.metrics import roc_auc_score

import confmat as cm

MOST_ROWS = 200_000
ROWS_A_GROUP = 10
CHECKED = 200  # groups recomputed with scikit-learn


class Contender(NamedTuple):
    role: Role
    auc: Callable[[], pl.Expr]


CONTENDERS = {
    "cm.sweep_metrics()": Contender(
        "ours", lambda: cm.sweep_metrics("y", "s", ["roc_auc"]).struct.field("roc_auc")
    ),
    "polarbearings.roc_auc": Contender("peer", lambda: pb.roc_auc("y", "s").alias("roc_auc")),
    "polars_ds.query_roc_auc": Contender(
        "peer", lambda: pds.query_roc_auc("y", "s").alias("roc_auc")
    ),
}
ENGINES = ("streaming", "in-memory")


class Data(NamedTuple):
    frame: pl.DataFrame
    groups: int
    expected: Any


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    groups = min(rows, MOST_ROWS) // ROWS_A_GROUP
    n = groups * ROWS_A_GROUP
    rng = np.random.default_rng(19)
    y = rng.integers(0, 2, n)
    y[:groups], y[groups : 2 * groups] = 0, 1  # each group has both classes
    s = rng.normal(0.5 * y, 1.0)
    key = np.tile(np.arange(groups), ROWS_A_GROUP)
    order = rng.permutation(n)
    y, s, key = y[order], s[order], key[order]
    expected = [roc_auc_score(y[key == g], s[key == g]) for g in range(min(groups, CHECKED))]
    return Data(pl.DataFrame({"key": key, "y": y, "s": s}), groups, expected)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CONTENDERS)
def test_grouped_scores(race: Race, data: Data, name: str, engine: Any) -> None:
    role, auc = CONTENDERS[name]

    def run() -> pl.DataFrame:
        return data.frame.lazy().group_by("key").agg(auc=auc()).collect(engine=engine)

    def check(found: pl.DataFrame) -> None:
        assert len(found) == data.groups
        values = found.sort("key")["auc"].head(CHECKED).to_numpy()
        np.testing.assert_allclose(values, data.expected, rtol=1e-9)

    race(
        f"{data.groups:,} groups of {ROWS_A_GROUP} rows, roc_auc",
        f"{name}, {engine}",
        role,
        run,
        check=check,
        rows=len(data.frame),
        family=name,
    )
