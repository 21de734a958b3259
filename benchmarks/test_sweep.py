"""How fast do labels and scores become areas: sorted exactly, in a frame too, or in bins.

The exact question is asked of at most 20 million rows, where scikit-learn answers too, and of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import scored
from sklearn.metrics import roc_auc_score

import confmat as cm
from confmat import _core

THREE = ["roc_auc", "average_precision", "ks"]
SKLEARN_ROWS = 20_000_000
STEPS = 2**24  # scores are multiples of 1 / STEPS


class Scored(NamedTuple):
    y: npt.NDArray[np.bool_]
    s: npt.NDArray[np.float32]
    positives: npt.NDArray[np.int64]  # (STEPS,) at each possible score, ascending
    negatives: npt.NDArray[np.int64]


class Contender(NamedTuple):
    role: Role
    run: Callable[[Scored], Any]
    check: Callable[[Any, Scored], None]


def _counted(y: npt.NDArray[np.bool_], s: npt.NDArray[np.float32]) -> Scored:
    step = (s * np.float32(STEPS)).astype(np.int32)
    both = [np.bincount(step[y == true], minlength=STEPS) for true in (True, False)]
    return Scored(y, s, *both)


def _area(positives: Any, negatives: Any) -> float:
    """Return the area under the ROC curve; scores ascend."""
    below = np.cumsum(negatives) - negatives / 2.0
    return float((positives * below).sum() / positives.sum() / negatives.sum())


def _check_bins(found: Any, data: Scored) -> None:
    lower, upper = (np.ceil(bound * STEPS).astype(np.int64) for bound in (found.lower, found.upper))
    for counts, wanted in zip((found.positives, found.negatives), data[2:], strict=True):
        up_to = np.append(0, np.cumsum(wanted))
        np.testing.assert_array_equal(counts, up_to[upper] - up_to[lower])
    assert found.positives.sum() + found.negatives.sum() == len(data.y)


def _check_area(found: float, data: Scored) -> None:
    assert found == pytest.approx(_area(data.positives, data.negatives), abs=1e-9)


def _exact(data: Scored) -> float:
    return cm.sweep(data.y, data.s).values(THREE)["roc_auc"]


def _bins(data: Scored) -> Any:
    return _core.sweep_binned(data.y, data.s, None, None, 65536, False, False, 0)


def _tenths(data: Scored) -> Any:
    return cm.sweep(data.y, data.s, bins=[i / 10 for i in range(11)])


def _check_tenths(found: Any, data: Scored) -> None:
    tenth = np.array([i / 10 for i in range(1, 11)]) * STEPS
    ends = np.append(0, np.ceil(tenth).astype(np.int64))
    for counts, wanted in zip((found.positives, found.negatives), data[2:], strict=True):
        up_to = np.append(0, np.cumsum(wanted))
        np.testing.assert_array_equal(np.sort(counts), np.sort(np.diff(up_to[ends])))


def _check_read(found: tuple[bool, float], data: Scored) -> None:
    assert found[0]
    assert 0.9 < found[1] < 1


EXACT = {
    "cm.sweep(), AUC, AP and KS": Contender("ours", _exact, _check_area),
    "scikit-learn roc_auc_score": Contender("peer", lambda d: roc_auc_score(d.y, d.s), _check_area),
}
READ = Contender("floor", lambda d: (d.y.max(), d.s.max()), _check_read)
BINNED = {
    "65,536 bins": Contender("ours", _bins, _check_bins),
    "ten given bins": Contender("ours", _tenths, _check_tenths),
    "y.max(), s.max(), one thread": READ,
}


@pytest.fixture(scope="module")
def data(rows: int) -> Scored:
    return _counted(*scored(rows))


def _race(race: Race, question: str, name: str, contender: Contender, data: Scored) -> None:
    role, run, check = contender
    rows = len(data.y)
    race(question, name, role, lambda: run(data), check=lambda f: check(f, data), rows=rows)


@pytest.mark.parametrize("name", EXACT)
def test_exact(race: Race, data: Scored, name: str) -> None:
    rows = min(len(data.y), SKLEARN_ROWS)
    few = data if rows == len(data.y) else _counted(data.y[:rows], data.s[:rows])
    _race(race, f"exact areas of {rows:,} float32", name, EXACT[name], few)


def test_all_rows(race: Race, data: Scored) -> None:
    """The time of all rows next to reading them: the sort must not fall behind as they grow."""
    rows = len(data.y)
    question = f"exact areas of all {rows:,} float32"
    _race(race, question, "cm.sweep(), AUC, AP and KS", EXACT["cm.sweep(), AUC, AP and KS"], data)


def test_all_rows_floor(race: Race, data: Scored) -> None:
    question = f"exact areas of all {len(data.y):,} float32"
    _race(race, question, "y.max(), s.max(), one thread", READ, data)


@pytest.mark.parametrize("name", ["expression, in-memory", "expression, streaming", "cm.sweep()"])
def test_in_frames(race: Race, data: Scored, name: str) -> None:
    rows = min(len(data.y), SKLEARN_ROWS)
    few = data if rows == len(data.y) else _counted(data.y[:rows], data.s[:rows])
    frame = pl.DataFrame({"y": few.y, "s": few.s})

    def area() -> float:
        if name == "cm.sweep()":
            return cm.sweep(few.y, few.s).roc_auc
        query = frame.lazy().select(pl.col("y").cm.roc_auc("s"))
        engine: Any = name.rpartition(" ")[2]
        return float(query.collect(engine=engine).item())

    role: Role = "floor" if name == "cm.sweep()" else "ours"
    question = f"roc_auc of {rows:,} float32 of a frame"
    race(question, name, role, area, check=lambda found: _check_area(found, few), rows=rows)


@pytest.mark.parametrize("name", BINNED)
def test_binned(race: Race, data: Scored, name: str) -> None:
    _race(race, f"bins of {len(data.y):,} float32", name, BINNED[name], data)
