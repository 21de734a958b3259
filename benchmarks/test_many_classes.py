"""How fast are rows counted where their classes are many for their number, with weights or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role

import confmat as cm

# Rows and classes: more cells than rows, about as many, fewer.
SIZES = [
    (10_000, 300),
    (100_000, 300),
    (100_000, 1_000),
    (100_000, 2_000),
    (100_000, 5_000),
    (1_000_000, 1_000),
    (1_000_000, 8_000),
]
WEIGHTED = [(10_000, 100), (100_000, 100), (100_000, 1_000), (1_000_000, 300)]


class Data(NamedTuple):
    y: npt.NDArray[np.int64]
    p: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    frame: pl.DataFrame


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], Any]


def _bincount(data: Data, weights: Any = None) -> Any:
    k = int(data.y.max()) + 1
    return np.bincount(data.y * k + data.p, weights=weights, minlength=k * k).sum()


def _polars(engine: Any) -> Callable[[Data], Any]:
    def run(data: Data) -> Any:
        counted = data.frame.lazy().group_by("y", "p").len().collect(engine=engine)
        return counted["len"].sum()

    return run


COUNTED = {
    "cm.confusion_matrix": Contender(
        "ours", lambda data: cm.confusion_matrix(data.frame["y"], data.frame["p"]).n
    ),
    "Polars, in memory": Contender("peer", _polars("in-memory")),
    "Polars, streaming": Contender("peer", _polars("streaming")),
}
SUMMED = {
    "cm.confusion_matrix": Contender(
        "ours", lambda data: cm.confusion_matrix(data.y, data.p, sample_weight=data.weights).n
    ),
    "np.bincount": Contender("peer", lambda data: _bincount(data, data.weights)),
}


def _data(rows: int, k: int) -> Data:
    rng = np.random.default_rng(5)
    y = rng.integers(0, k, rows)
    y[0] = k - 1
    p = np.where(rng.random(rows) < 0.8, y, rng.integers(0, k, rows))
    return Data(y, p, rng.random(rows), pl.DataFrame({"y": y, "p": p}))


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("kind", ["Int64", "String"])
@pytest.mark.parametrize(("n", "k"), SIZES)
def test_rows(race: Race, rows: int, n: int, k: int, kind: str, name: str) -> None:
    n = min(n, rows)
    data = _data(n, k)
    if kind == "String":
        data = data._replace(frame=data.frame.cast(pl.String))
    role, run = COUNTED[name]

    def check(found: int) -> None:
        assert found == n

    race(f"{n:,} {kind} of {k:,} classes", name, role, lambda: run(data), check=check, rows=n)


@pytest.mark.parametrize("name", SUMMED)
@pytest.mark.parametrize(("n", "k"), WEIGHTED)
def test_weights(race: Race, rows: int, n: int, k: int, name: str) -> None:
    n = min(n, rows)
    data = _data(n, k)
    total = data.weights.sum()
    role, run = SUMMED[name]

    def check(found: float) -> None:
        assert found == pytest.approx(total, rel=1e-12)

    race(f"{n:,} weights of {k:,} classes", name, role, lambda: run(data), check=check, rows=n)
