"""How much more than the finest slices does a cube cost: every subset of four keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import FORMULAS, cells_of, labels

import confmat as cm
from confmat.slices.lattice import lattice

K = 10
VALUES = {"a": 10, "b": 12, "c": 30, "d": 50}  # of each key
BY = list(VALUES)
MOST_ROWS = 5_000_000
METRICS = {"4 metrics": ["accuracy", "balanced_accuracy", "f1_macro", "mcc"], "usual metrics": None}
DOORS = ("df.cm.evaluate", "lf.cm.evaluate, streaming", "cm.finish of states")


class Data(NamedTuple):
    frame: pl.DataFrame
    parts: pl.DataFrame
    accuracy: float


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    n = min(rows, MOST_ROWS)
    y, p = labels(n, K, "uint8")
    rng = np.random.default_rng(29)
    keys = {key: rng.integers(0, size, n, dtype=np.int32) for key, size in VALUES.items()}
    frame = pl.DataFrame({**keys, "y": y, "p": p})
    parts = cm.partial(frame, y_true="y", y_pred="p", by=BY)
    return Data(frame, parts, float(FORMULAS["accuracy"](cells_of(y, p, K))[0]))


def evaluation(door: str, data: Data, metrics: Any, cube: bool) -> Callable[[], pl.DataFrame]:
    """Return what evaluates the finest slices, or all."""
    options: dict[str, Any] = {"by": BY, "metrics": metrics, "cube": cube}
    if door.startswith("df"):
        return lambda: data.frame.cm.evaluate("y", "p", **options)
    if door.startswith("lf"):
        query = data.frame.lazy().cm.evaluate("y", "p", **options)
        return lambda: query.collect(engine="streaming")
    return lambda: cm.finish(lattice(data.parts, BY, cube=cube), metrics)


@pytest.mark.parametrize("cube", [False, True], ids=["finest", "cube"])
@pytest.mark.parametrize("metrics", METRICS)
@pytest.mark.parametrize("door", DOORS)
def test_cube_over_finest(race: Race, data: Data, door: str, metrics: str, cube: bool) -> None:
    def check(found: pl.DataFrame) -> None:
        if cube:
            np.testing.assert_allclose(found.filter(grouping="all")["accuracy"], data.accuracy)
        assert len(found) >= len(data.parts)

    race(
        f"cube of 4 keys, {len(data.parts):,} finest slices, {metrics}: {door}",
        "cube" if cube else "finest slices alone",
        "ours" if cube else "floor",
        evaluation(door, data, METRICS[metrics], cube),
        check=check,
        rows=len(data.frame),
    )
