"""How fast are the 2 x 2 tables of eight labels, of many rows and of few, by what holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from sklearn.metrics import multilabel_confusion_matrix

import confmat as cm

LABELS = 8
MOST_ROWS = 1_000_000
SIZES = {"10": 10, "1,000": 1_000, "many": MOST_ROWS}


class Data(NamedTuple):
    truth: Any
    pred: Any
    doors: dict[str, tuple[Any, Any]]


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], Any]


def _names(frame: pl.DataFrame) -> pl.Series:
    there = [pl.when(name).then(pl.lit(name)) for name in frame.columns]
    return frame.select(pl.concat_list(there).list.drop_nulls()).to_series()


def _frame(table: Any) -> pl.DataFrame:
    return pl.DataFrame({f"label {i}": column.copy() for i, column in enumerate(table.T)})


DOORS: dict[str, Callable[[Any], Any]] = {
    "Booleans": lambda table: table,
    "int64": lambda table: table.astype(np.int64),
    "frame of Booleans": _frame,
    "frame of Int64": lambda table: _frame(table).cast(pl.Int64),
    "pyarrow table": lambda table: _frame(table).to_arrow(),
    "dict of uint8": lambda table: _frame(table.astype(np.uint8)).to_dict(),
    "Array of Booleans": pl.Series,
    "List of names": lambda table: _names(_frame(table)),
}


def _ours(door: str) -> Contender:
    return Contender("ours", lambda d: cm.multilabel(*d.doors[door]).counts)


CONTENDERS = {
    **{f"cm.multilabel({door})": _ours(door) for door in DOORS},
    "scikit-learn": Contender("peer", lambda d: multilabel_confusion_matrix(d.truth, d.pred)),
}


@pytest.fixture(scope="module", params=SIZES.values(), ids=SIZES)
def data(request: pytest.FixtureRequest, rows: int) -> Data:
    n = min(request.param, rows)
    rng = np.random.default_rng(29)
    truth = rng.random((n, LABELS)) < 0.3
    pred = truth ^ (rng.random((n, LABELS)) < 0.1)
    doors = {door: (make(truth), make(pred)) for door, make in DOORS.items()}
    return Data(truth, pred, doors)


@pytest.mark.parametrize("name", CONTENDERS)
def test_multilabel(race: Race, data: Data, name: str) -> None:
    role, run = CONTENDERS[name]
    expected = [
        [[(~t & ~p).sum(), (~t & p).sum()], [(t & ~p).sum(), (t & p).sum()]]
        for t, p in zip(data.truth.T, data.pred.T, strict=True)
    ]
    race(
        f"{len(data.truth):,} rows x {LABELS} labels",
        name,
        role,
        lambda: run(data),
        check=lambda found: np.testing.assert_array_equal(found, expected),
        rows=len(data.truth),
    )
