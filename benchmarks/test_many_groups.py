"""With a million groups of ten rows: one call for all groups, or one call a group.

The first question has our own function as peer, which is not tuned for it; the second, on binary
labels, has one that is: polars_ds.query_mcc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import polars_ds as pds
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import FORMULAS, Cells, cells_of, labels

import confmat as cm
from confmat.frames.asked import Asked
from confmat.frames.expressions import whole

K = 10
LABELS = list(range(K))
MOST_GROUPS = 1_000_000
ROWS_A_GROUP = 10
CHECKED = 10_000  # so many groups are recomputed with the formulas
METRICS = ("accuracy", "balanced_accuracy", "f1_macro", "mcc")


class Data(NamedTuple):
    frame: pl.DataFrame
    groups: int
    cells: Cells


def _per_group() -> pl.Expr:
    return whole("y", "p", Asked(METRICS, labels=LABELS).packed())


class Contender(NamedTuple):
    role: Role
    metrics: Callable[[], pl.Expr]


CONTENDERS = {
    "cm.metrics(labels=)": Contender("ours", lambda: cm.metrics("y", "p", METRICS, labels=LABELS)),
    "a call a group": Contender("peer", _per_group),
}
BINARY = {
    "cm.metric(labels=)": Contender(
        "ours", lambda: cm.metric("mcc", "y", "p", labels=[0, 1]).alias("mcc")
    ),
    "polars_ds.query_mcc": Contender("peer", lambda: pds.query_mcc("y", "p").alias("mcc")),
}
ENGINES = ("streaming", "in-memory")


def _make(rows: int, k: int) -> Data:
    groups = max(1, min(rows // ROWS_A_GROUP, MOST_GROUPS))
    y, p = labels(groups * ROWS_A_GROUP, k, "int32")
    key = np.tile(np.arange(groups, dtype=np.int32), ROWS_A_GROUP)
    np.random.default_rng(13).shuffle(key)
    first = key < CHECKED
    cells = cells_of(y[first], p[first], k, key[first], min(groups, CHECKED))
    return Data(pl.DataFrame({"key": key, "y": y, "p": p}), groups, cells)


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    return _make(rows, K)


@pytest.fixture(scope="module")
def binary(rows: int) -> Data:
    return _make(rows, 2)


def _check(found: pl.DataFrame, data: Data, metrics: Sequence[str]) -> None:
    assert len(found) == data.groups
    found = found.sort("key").head(CHECKED)
    for metric in metrics:
        values = found[metric].fill_null(np.nan).to_numpy()
        expected = FORMULAS[metric](data.cells)
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-12, err_msg=metric)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CONTENDERS)
def test_many_groups(race: Race, data: Data, name: str, engine: Any) -> None:
    role, metrics = CONTENDERS[name]

    def run() -> pl.DataFrame:
        query = data.frame.lazy().group_by("key").agg(m=metrics()).unnest("m")
        return query.collect(engine=engine)

    race(
        f"{data.groups:,} groups of {ROWS_A_GROUP} rows, K=10, 4 metrics",
        f"{name}, {engine}",
        role,
        run,
        check=lambda found: _check(found, data, METRICS),
        rows=len(data.frame),
        family=name,
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", BINARY)
def test_many_groups_binary(race: Race, binary: Data, name: str, engine: Any) -> None:
    role, metrics = BINARY[name]
    race(
        f"{binary.groups:,} groups of {ROWS_A_GROUP} rows, binary, mcc",
        f"{name}, {engine}",
        role,
        lambda: binary.frame.lazy().group_by("key").agg(metrics()).collect(engine=engine),
        check=lambda found: _check(found, binary, ["mcc"]),
        rows=len(binary.frame),
        family=name,
    )
