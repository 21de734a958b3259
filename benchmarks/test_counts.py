"""How fast is the matrix of two NumPy arrays, no labels given, next to other ways to count."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import duckdb
import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import Cells, cells_of, labels
from sklearn.metrics import confusion_matrix as sklearn_matrix

import confmat as cm
from confmat import _core

CASES = [
    ("int32", 10),
    ("int64", 10),
    ("uint8", 2),
    ("uint8", 10),
    ("int64", 1000),
    ("int64", 3000),
]
SKLEARN_ROWS = 10_000_000
SQL = "SELECT y, p, count(*) AS len FROM pairs GROUP BY y, p"


class Pair(NamedTuple):
    k: int
    y: Any
    p: Any
    frame: pl.DataFrame
    duck: duckdb.DuckDBPyConnection
    cells: Cells


class Contender(NamedTuple):
    role: Role
    run: Callable[[Pair], Any]
    cells: Callable[[Any, int], Any]
    most_rows: int | None = None
    family: str | None = None


def _square(cells: Any, k: int) -> Any:
    if isinstance(cells, tuple):  # sparse: places and what they hold
        table = np.zeros(k * k, dtype=np.int64)
        table[cells[0]] = cells[1]
        return table.reshape(k, k)
    return np.asarray(cells).reshape(k, k)


def _of_groups(counted: dict[str, Any], k: int) -> Any:
    cells = np.zeros((k, k), dtype=np.int64)
    cells[counted["y"], counted["p"]] = counted["len"]
    return cells


def _of_frame(counted: pl.DataFrame, k: int) -> Any:
    return _of_groups({name: counted[name].to_numpy() for name in counted.columns}, k)


CONTENDERS = {
    "confmat": Contender("ours", lambda d: cm.confusion_matrix(d.y, d.p).counts, _square),
    "confmat, one thread": Contender(
        "ours", lambda d: _core.count(d.y, d.p, None, None, 1)[0].cells, _square
    ),
    "np.bincount(y * K + p)": Contender(
        "peer", lambda d: np.bincount(d.y * d.k + d.p, minlength=d.k * d.k), _square
    ),
    "Polars group_by.len, in memory": Contender(
        "peer", lambda d: d.frame.group_by("y", "p").len(), _of_frame, family="Polars"
    ),
    "Polars group_by.len, streaming": Contender(
        "peer",
        lambda d: d.frame.lazy().group_by("y", "p").len().collect(engine="streaming"),
        _of_frame,
        family="Polars",
    ),
    "DuckDB GROUP BY": Contender(
        "peer", lambda d: d.duck.execute(SQL).fetchnumpy(), _of_groups
    ),
    "scikit-learn": Contender(
        "peer", lambda d: sklearn_matrix(d.y, d.p), _square, most_rows=SKLEARN_ROWS
    ),
}  # fmt: skip


WEIGHTED = {
    "confmat": Contender(
        "ours", lambda d: cm.confusion_matrix(d.y, d.p, sample_weight=d.weight).counts, _square
    ),
    "np.bincount(y * K + p, weights)": Contender(
        "peer",
        lambda d: np.bincount(d.y * d.k + d.p, weights=d.weight, minlength=d.k * d.k),
        _square,
    ),
    "scikit-learn": Contender(
        "peer",
        lambda d: sklearn_matrix(d.y, d.p, sample_weight=d.weight),
        _square,
        most_rows=SKLEARN_ROWS,
    ),
}


class Weighted(NamedTuple):
    k: int
    y: Any
    p: Any
    weight: Any


@pytest.fixture(scope="module")
def weighted(rows: int) -> Weighted:
    y, p = labels(rows, 10, "int64")
    return Weighted(10, y, p, np.random.default_rng(31).random(rows))


@pytest.mark.parametrize("name", WEIGHTED)
def test_float_weights(race: Race, weighted: Weighted, name: str) -> None:
    contender, rows = WEIGHTED[name], len(weighted.y)
    data = Weighted(10, *(part[: contender.most_rows] for part in weighted[1:]))
    exact = [
        math.fsum(data.weight[(data.y == i) & (data.p == j)]) for i in range(10) for j in range(10)
    ]
    race(
        "float64 weights, int64 K=10",
        name,
        contender.role,
        lambda: contender.run(data),
        check=lambda found: np.testing.assert_allclose(
            contender.cells(found, 10), _square(exact, 10), rtol=0 if name == "confmat" else 1e-9
        ),
        rows=len(data.y),
        scale_to=rows,
    )


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}-K{case[1]}")
def case(request: pytest.FixtureRequest, rows: int) -> Iterator[tuple[str, Pair]]:
    dtype, k = request.param
    y, p = labels(rows, k, dtype)
    frame = pl.DataFrame({"y": y, "p": p})
    with duckdb.connect() as duck:
        duck.register("pairs", frame.to_arrow())
        yield f"counts {dtype} K={k}", Pair(k, y, p, frame, duck, cells_of(y, p, k)[0])


@pytest.mark.parametrize("name", CONTENDERS)
def test_counts(race: Race, case: tuple[str, Pair], name: str) -> None:
    (question, data), contender = case, CONTENDERS[name]
    rows = len(data.y)
    if contender.most_rows is not None and rows > contender.most_rows:
        y, p = data.y[: contender.most_rows], data.p[: contender.most_rows]
        data = data._replace(y=y, p=p, cells=cells_of(y, p, data.k)[0])
    race(
        question,
        name,
        contender.role,
        lambda: contender.run(data),
        check=lambda found: np.testing.assert_array_equal(
            contender.cells(found, data.k), data.cells
        ),
        rows=len(data.y),
        family=contender.family,
        scale_to=rows,
    )  # fmt: skip


def test_read_floor(race: Race, case: tuple[str, Pair]) -> None:
    """Reading both arrays once, on one thread, with NumPy's vectorised maximum."""
    question, data = case

    def check(found: tuple[int, int]) -> None:
        assert found == (data.k - 1, data.k - 1)

    race(
        question,
        "y.max(), p.max(), one thread",
        "floor",
        lambda: (data.y.max(), data.p.max()),
        check=check,
        rows=len(data.y),
    )
