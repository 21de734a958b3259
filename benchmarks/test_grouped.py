"""What do twelve metrics of 1,000 segments cost next to Polars counting the cells alone.

The binary question asks for one metric, the one that polars_ds has too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import polars_ds as pds
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import FORMULAS, Cells, cells_of, labels, segments

import confmat as cm

GROUPS = 1_000
K = 10
METRICS = (
    "accuracy", "balanced_accuracy", "precision_macro", "recall_macro", "f1_macro", "mcc",
    "kappa", "gmcc", "eve", "f1_weighted", "f1_micro", "jaccard_macro",
)  # fmt: skip


class Data(NamedTuple):
    frame: pl.DataFrame
    cells: Cells


class Contender(NamedTuple):
    role: Role
    run: Callable[[pl.DataFrame, str], pl.DataFrame]
    family: str | None = None


def _streamed(frame: pl.DataFrame, key: str, **options: Any) -> pl.DataFrame:
    metrics = cm.metrics("y", "p", options.pop("metrics", METRICS), **options)
    query = frame.lazy().group_by(key).agg(m=metrics).unnest("m")
    return query.collect(engine="streaming")


CONTENDERS = {
    "df.cm.evaluate(by=)": Contender(
        "ours", lambda df, key: df.cm.evaluate("y", "p", by=key, metrics=METRICS)
    ),
    "lf.group_by.agg(cm.metrics())": Contender("ours", _streamed),
    "the same with labels=": Contender(
        "ours", lambda df, key: _streamed(df, key, labels=list(range(K)))
    ),
    "Polars counts, in memory": Contender(
        "peer", lambda df, key: df.group_by(key, "y", "p").len(), "Polars counts"
    ),
    "Polars counts, streaming": Contender(
        "peer",
        lambda df, key: df.lazy().group_by(key, "y", "p").len().collect(engine="streaming"),
        "Polars counts",
    ),
}
BINARY = {
    "df.cm.evaluate(by=)": Contender(
        "ours", lambda df, key: df.cm.evaluate("y", "p", by=key, metrics=["mcc"])
    ),
    "lf.group_by.agg(cm.metrics())": Contender(
        "ours", lambda df, key: _streamed(df, key, metrics=["mcc"])
    ),
    "polars_ds.query_mcc, in memory": Contender(
        "peer", lambda df, key: df.group_by(key).agg(mcc=pds.query_mcc("y", "p")), "polars_ds"
    ),
    "polars_ds.query_mcc, lazy": Contender(
        "peer",
        lambda df, key: df.lazy().group_by(key).agg(mcc=pds.query_mcc("y", "p")).collect(),
        "polars_ds",
    ),
}


def _make(rows: int, k: int, dtype: str) -> Data:
    y, p = labels(rows, k, dtype)
    segment = segments(rows, GROUPS)
    names = pl.Series([f"seg-{i:04}" for i in range(GROUPS)])
    frame = pl.DataFrame({"segment": segment, "y": y, "p": p})
    if k == K:
        frame = frame.with_columns(name=names.gather(frame["segment"]))
    return Data(frame, cells_of(y, p, k, segment, GROUPS))


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    return _make(rows, K, "int32")


@pytest.fixture(scope="module")
def binary(rows: int) -> Data:
    return _make(rows, 2, "uint8")


def _check(found: pl.DataFrame, key: str, cells: Cells) -> None:
    """Compare with the cells of the segments that occur; both keys sort the same way."""
    cells = cells[cells.sum((1, 2)) > 0]
    found = found.sort(key)
    if "len" in found.columns:
        cell = found.group_by(key, maintain_order=True).agg(pl.col("len").sum())
        np.testing.assert_array_equal(cell["len"], cells.sum((1, 2)))
        assert len(found) == np.count_nonzero(cells)
        return
    if "n" in found.columns:
        np.testing.assert_array_equal(found["n"], cells.sum((1, 2)))
    for name in set(FORMULAS) & set(found.columns):
        values = found[name].fill_null(np.nan).to_numpy()
        np.testing.assert_allclose(values, FORMULAS[name](cells), rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("name", CONTENDERS)
@pytest.mark.parametrize("key", ["segment", "name"], ids=["int key", "text key"])
def test_grouped(race: Race, data: Data, key: str, name: str) -> None:
    role, run, family = CONTENDERS[name]
    race(
        f"1,000 segments, K=10, {'int' if key == 'segment' else 'text'} key",
        name,
        role,
        lambda: run(data.frame, key),
        check=lambda found: _check(found, key, data.cells),
        rows=len(data.frame),
        family=family,
    )


@pytest.mark.parametrize("name", BINARY)
def test_grouped_binary(race: Race, binary: Data, name: str) -> None:
    role, run, family = BINARY[name]
    race(
        "1,000 segments, binary, mcc",
        name,
        role,
        lambda: run(binary.frame, "segment"),
        check=lambda found: _check(found, "segment", binary.cells),
        rows=len(binary.frame),
        family=family,
    )
