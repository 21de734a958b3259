"""How fast are sets of five of 100,000 labels counted, by what holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
import scipy.sparse
from benchmarks.clock import Race
from benchmarks.ratios import Role
from sklearn.metrics import f1_score, multilabel_confusion_matrix

import confmat as cm

LABELS, OF_ROW = 100_000, 5
MOST_ROWS = 1_000_000


class Data(NamedTuple):
    doors: dict[str, tuple[Any, Any]]
    counts: Any
    f1: float


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], Any]


def _sparse(labels: Any) -> Any:
    ends = np.arange(0, labels.size + 1, OF_ROW)
    ones = np.ones(labels.size, dtype=np.int8)
    places = labels.ravel().copy()  # sorted in place
    table = scipy.sparse.csr_array((ones, places, ends), (len(labels), LABELS))
    table.sum_duplicates()
    table.data[:] = 1
    return table


def _integers(labels: Any) -> pl.Series:
    return pl.Series(labels, dtype=pl.Array(pl.Int64, OF_ROW)).cast(pl.List(pl.Int64))


def _texts(labels: Any) -> pl.Series:
    names = pl.Series([f"label {at:06}" for at in range(LABELS)]).gather(labels.ravel())
    return names.reshape((len(labels), OF_ROW)).arr.to_list()


DOORS: dict[str, Callable[[Any], Any]] = {
    "SciPy CSR": _sparse,
    "List of integers": _integers,
    "List of texts": _texts,
}


def _ours(door: str) -> Contender:
    return Contender("ours", lambda d: cm.multilabel(*d.doors[door]).counts)


CONTENDERS = {
    **{f"cm.multilabel({door})": _ours(door) for door in DOORS},
    "scikit-learn, the tables alone": Contender(
        "peer", lambda d: multilabel_confusion_matrix(*d.doors["SciPy CSR"])
    ),
}
FOUR_NUMBERS = {
    "cm.multilabel": Contender("ours", lambda d: _of_ours(cm.multilabel(*d.doors["SciPy CSR"]))),
    "scikit-learn": Contender("peer", lambda d: _of_theirs(*d.doors["SciPy CSR"])),
}
AVERAGES = ("macro", "micro", "weighted", "samples")


def _of_ours(m: cm.MultilabelMatrix) -> list[float]:
    return [m.value("f1", average, undefined=0.0) for average in AVERAGES]


def _of_theirs(truth: Any, pred: Any) -> list[float]:
    return [f1_score(truth, pred, average=average, zero_division=0) for average in AVERAGES]


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    n = min(MOST_ROWS, rows)
    rng = np.random.default_rng(31)
    truth = rng.integers(0, LABELS, (n, OF_ROW))
    pred = np.where(rng.random(truth.shape) < 0.3, rng.integers(0, LABELS, truth.shape), truth)
    doors = {door: (make(truth), make(pred)) for door, make in DOORS.items()}
    sides = doors["SciPy CSR"]
    return Data(
        doors,
        multilabel_confusion_matrix(*sides),
        f1_score(*sides, average="macro", zero_division=0),
    )


@pytest.mark.parametrize("name", CONTENDERS)
def test_tables(race: Race, data: Data, name: str) -> None:
    role, run = CONTENDERS[name]
    n = data.doors["SciPy CSR"][0].shape[0]

    def check(found: Any) -> None:
        # Of lists labels that no row has are not there.
        there = data.counts[(data.counts[:, 0, 0] < n)] if len(found) < LABELS else data.counts
        np.testing.assert_array_equal(found, there)

    race(f"{n:,} rows x {LABELS:,} labels", name, role, lambda: run(data), check=check, rows=n)


@pytest.mark.parametrize("name", FOUR_NUMBERS)
def test_four_averages(race: Race, data: Data, name: str) -> None:
    role, run = FOUR_NUMBERS[name]
    n = data.doors["SciPy CSR"][0].shape[0]
    race(
        f"{n:,} rows x {LABELS:,} labels: four averages of f1",
        name,
        role,
        lambda: run(data),
        check=lambda found: np.testing.assert_allclose(found[0], data.f1),
        rows=n,
    )
