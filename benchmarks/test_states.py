"""How fast do saved states become one: a list of them, and a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import logistic

import confmat as cm

KINDS = ("rows", "labels found, not all in each", "float weights")
MOST_STATES = 1_000_000
DIFFERENT = 1_000  # states, which recur
MOST_SWEEPS, DIFFERENT_SWEEPS, MOST_ROWS = 1_000, 20, 1_000_000


def saved(kind: str, classes: int) -> list[bytes]:
    """Return saved matrices of 300 rows each."""
    rng = np.random.default_rng(23)
    states = []
    for _ in range(DIFFERENT):
        y, p = rng.integers(0, classes, (2, 300))
        if kind.startswith("labels"):
            p = y = np.where(y == rng.integers(classes), 0, y)
        weights = rng.random(300) if kind == "float weights" else None
        states.append(cm.confusion_matrix(y, p, sample_weight=weights).to_bytes())
    return states


def as_column(states: list[bytes]) -> Callable[[], Any]:
    """Return what merges them as a column of a frame."""
    frame = pl.DataFrame({"state": states})
    merged = pl.col("state").cm.merge_states()  # type: ignore[attr-defined]
    return lambda: cm.from_bytes(frame.select(merged).item())


OURS = {
    "cm.merge": lambda states: lambda: cm.merge(states),
    "merge_states of a column": as_column,
}


@pytest.mark.parametrize("name", [*OURS, "NumPy, sums of tables"])
@pytest.mark.parametrize("kind", KINDS)
def test_many(race: Race, rows: int, kind: str, name: str) -> None:
    """Against the decoded tables, which lie in memory one behind the other."""
    n = min(max(rows // 20, DIFFERENT), MOST_STATES)
    n = n // DIFFERENT * DIFFERENT
    different = saved(kind, 10)
    states = different * (n // DIFFERENT)
    tables = [cm.ConfusionMatrix.from_bytes(state).counts for state in different]
    full = [table for table in tables if table.shape == (10, 10)]
    stacked = np.resize(np.array(full), (n, 10, 10))
    ours = name in OURS
    merge = OURS[name](states) if ours else None
    total = float(sum(table.sum() for table in tables)) * (n // DIFFERENT)
    wanted = total if ours else float(stacked.sum())
    race(
        f"{n:,} states of 10 classes, {kind}",
        name,
        "ours" if ours else "peer",
        (lambda: merge().n) if merge else (lambda: float(stacked.sum(axis=0).sum())),
        check=lambda found: np.testing.assert_allclose(found, wanted),
        rows=n * 100,
    )


@pytest.fixture(scope="module")
def days(rows: int) -> tuple[list[bytes], npt.NDArray[np.int64]]:
    """Return saved sweeps in the default bins, and their decoded counts."""
    states = []
    for day in range(DIFFERENT_SWEEPS):
        y, p = logistic(min(rows, MOST_ROWS), 0.0, 1.5, seed=day)
        states.append(cm.sweep(y, p, bins="unit").to_bytes())
    n = min(max(rows // 1_000, DIFFERENT_SWEEPS), MOST_SWEEPS)
    sweeps = [cm.from_bytes(state) for state in states]
    entries = [np.stack([s.positives, s.negatives]).astype(np.int64) for s in sweeps]
    decoded = np.concatenate(entries * (n // DIFFERENT_SWEEPS), axis=1)
    return states * (n // DIFFERENT_SWEEPS), decoded


@pytest.mark.parametrize("name", [*OURS, "NumPy max of the decoded counts, one thread"])
def test_sweeps(
    race: Race, days: tuple[list[bytes], npt.NDArray[np.int64]], name: str, rows: int
) -> None:
    states, decoded = days
    merge = OURS[name](states) if name in OURS else None
    total = int(decoded.sum())
    race(
        f"{len(states):,} sweeps of {min(rows, MOST_ROWS):,} rows in bins",
        name,
        "ours" if merge else "floor",
        (lambda: merge().n) if merge else (lambda: int(decoded.max())),
        check=lambda found: np.testing.assert_equal(found, total if merge else decoded.max()),
        rows=decoded.shape[1],
    )


@pytest.mark.parametrize("name", ["from_bytes, +", "NumPy, frombuffer, +"])
def test_two(race: Race, name: str) -> None:
    rng = np.random.default_rng(3)
    m = cm.confusion_matrix(*rng.integers(0, 4, (2, 1_000)))
    state, table = m.to_bytes(), m.counts.copy()
    data = table.tobytes()
    ours = name.startswith("from_bytes")
    race(
        "a saved 4 x 4 matrix and another",
        name,
        "ours" if ours else "peer",
        (lambda: cm.ConfusionMatrix.from_bytes(state) + m)
        if ours
        else (lambda: np.frombuffer(data, np.int64).reshape(4, 4) + table),
        check=lambda found: np.testing.assert_array_equal(found, 2 * table),
        rows=1,
    )
