"""What does the difference of two areas cost by a state that merges, beside that of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchmarks.clock import Race
from numpy.typing import NDArray

import confmat as cm
from confmat.scores.delong import paired_delong

OWN = {"apart": 0.7, "together": 0.1}


def _rows(rows: int, own: float) -> tuple[NDArray[Any], ...]:
    rng = np.random.default_rng(8)
    y = (rng.random(rows) < 0.3).astype(np.int64)
    common = rng.normal(size=rows) + 1.2 * y
    a, b = (1 / (1 + np.exp(-common - own * rng.normal(size=rows))) for _ in "ab")
    return y, a, b


@pytest.mark.parametrize("what", ["rows", "state"])
@pytest.mark.parametrize("scores", OWN)
def test_difference(race: Race, rows: int, scores: str, what: str) -> None:
    y, a, b = _rows(rows, OWN[scores])
    known = paired_delong(y, a, b)

    def of_rows() -> float:
        found = paired_delong(y, a, b)
        return found.auc_b - found.auc_a

    def of_state() -> float:
        return cm.joint_sweep(y, a, b).difference().value

    def check(found: float) -> None:
        assert abs(found - (known.auc_b - known.auc_a)) < 1e-3

    name, role, run = (
        ("paired_delong", "peer", of_rows)
        if what == "rows"
        else ("joint_sweep().difference()", "ours", of_state)
    )
    race(f"two areas of scores {scores}", name, role, run, check=check, rows=rows)


@pytest.mark.parametrize("what", ["sweeps", "joint"])
def test_merge(race: Race, rows: int, what: str) -> None:
    parts = [_rows(rows // 10 + at, 0.7) for at in range(10)]
    if what == "joint":
        states = [cm.joint_sweep(*part).to_bytes() for part in parts]
    else:
        states = [cm.sweep(y, s, bins="unit").to_bytes() for y, a, b in parts for s in (a, b)]
    n = sum(len(y) for y, _, _ in parts)

    def run() -> Any:
        if what == "joint":
            return cm.merge(states)
        return cm.merge(states[::2]), cm.merge(states[1::2])

    def check(found: Any) -> None:
        assert (found if what == "joint" else found[0]).n == n

    name, role = ("cm.merge", "ours") if what == "joint" else ("both sweeps alone", "floor")
    race("ten joint states merged", name, role, run, check=check, rows=rows)
