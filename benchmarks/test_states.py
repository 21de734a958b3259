"""How fast do saved confusion matrices become one."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.clock import Race

import confmat as cm

KINDS = ("rows", "labels found, not all in each", "float weights")
MOST_STATES = 1_000_000
DIFFERENT = 1_000  # states, which recur


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


@pytest.mark.parametrize("name", ["cm.merge", "NumPy, sums of tables"])
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
    ours = name == "cm.merge"
    total = float(sum(table.sum() for table in tables)) * (n // DIFFERENT)
    wanted = total if ours else float(stacked.sum())
    race(
        f"{n:,} states of 10 classes, {kind}",
        name,
        "ours" if ours else "peer",
        (lambda: cm.merge(states).n) if ours else (lambda: float(stacked.sum(axis=0).sum())),
        check=lambda found: np.testing.assert_allclose(found, wanted),
        rows=n * 100,
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
