"""What does the matrix of labels as people have them take, next to the libraries that make it.

What each needs to take them as they are is timed. torchmetrics takes numbers alone, and races where
it is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import cells_of, labels
from pycm import ConfusionMatrix
from sklearn.metrics import confusion_matrix as sklearn_matrix

import confmat as cm

K = 10
NAMES = np.array([f"class_{i}" for i in range(K)])
TYPES: dict[str, Callable[[Any], Any]] = {
    "NumPy int64": lambda codes: codes,
    "NumPy bool": lambda codes: codes >= K // 2,
    "NumPy texts": lambda codes: NAMES[codes],
    "pandas str": lambda codes: pd.Series(NAMES[codes]),
    "Polars String": lambda codes: pl.Series(NAMES).gather(codes),
    "Polars Categorical": lambda codes: pl.Series(NAMES).gather(codes).cast(pl.Categorical),
}


class Peer(NamedTuple):
    run: Callable[[Any, Any], Any]
    n: Callable[[Any], int]  # of rows that it put somewhere
    most_rows: int | None = None
    kinds: tuple[str, ...] = tuple(TYPES)


def _cells(y: Any, p: Any) -> pl.LazyFrame:
    return pl.LazyFrame({"y": pl.Series(y), "p": pl.Series(p)}).group_by("y", "p").len()


def _torch_matrix(y: Any, p: Any) -> Any:
    from torch import from_numpy
    from torchmetrics.functional.classification import multiclass_confusion_matrix

    return multiclass_confusion_matrix(from_numpy(p), from_numpy(y), num_classes=K)


def _all_cells(counts: Any) -> int:
    return int(np.asarray(counts).sum())


PEERS = {
    "Polars, in memory": Peer(
        lambda y, p: _cells(y, p).collect(), lambda cells: cells["len"].sum()
    ),
    "Polars, streaming": Peer(
        lambda y, p: _cells(y, p).collect(engine="streaming"), lambda cells: cells["len"].sum()
    ),
    "scikit-learn": Peer(
        lambda y, p: sklearn_matrix(np.asarray(y), np.asarray(p)), _all_cells, most_rows=2_000_000
    ),
    "torchmetrics": Peer(_torch_matrix, _all_cells, kinds=("NumPy int64",)),
    "PyCM": Peer(
        lambda y, p: ConfusionMatrix(np.asarray(y), np.asarray(p)),
        lambda made: next(iter(made.POP.values())),
        most_rows=200_000,
    ),
}


@pytest.fixture(scope="module", params=TYPES)
def typed(rows: int, request: pytest.FixtureRequest) -> tuple[str, Any, Any]:
    y, p = labels(rows, K, "int64")
    as_type = TYPES[request.param]
    return request.param, as_type(y), as_type(p)


def _question(kind: str, rows: int) -> str:
    return f"{rows:,} pairs of labels, {kind}"


def test_ours(race: Race, rows: int, typed: tuple[str, Any, Any]) -> None:
    kind, y, p = typed
    cells = cells_of(*labels(rows, K, "int64"), K)[0].reshape(K, K)
    if kind == "NumPy bool":
        half = K // 2
        cells = cells.reshape(2, half, 2, half).sum(axis=(1, 3))
    race(
        _question(kind, rows),
        "cm.confusion_matrix",
        "ours",
        lambda: cm.confusion_matrix(y, p).counts,
        check=lambda found: np.testing.assert_array_equal(found, cells),
        rows=rows,
    )


@pytest.mark.parametrize("name", PEERS)
def test_peer(race: Race, rows: int, typed: tuple[str, Any, Any], name: str) -> None:
    kind, peer = typed[0], PEERS[name]
    if kind not in peer.kinds:
        pytest.skip(f"{name} takes no {kind}")
    if name == "torchmetrics":
        pytest.importorskip("torchmetrics")
    y, p = (side[: peer.most_rows] for side in typed[1:])
    n = min(rows, peer.most_rows or rows)

    def check(found: Any) -> None:
        assert peer.n(found) == n

    race(
        _question(kind, rows),
        name,
        "peer",
        lambda: peer.run(y, p),
        check=check,
        rows=n,
        family=name.split(",")[0],
        scale_to=rows,
    )
