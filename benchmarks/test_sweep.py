"""How fast do a label and a score column become a sweep: what all threshold metrics are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import scored
from sklearn.metrics import roc_auc_score

from confmat import _core

QUESTION = "sweep float32"
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
    most_rows: int | None = None


def _counted(y: npt.NDArray[np.bool_], s: npt.NDArray[np.float32]) -> Scored:
    step = (s * np.float32(STEPS)).astype(np.int32)
    both = [np.bincount(step[y == true], minlength=STEPS) for true in (True, False)]
    return Scored(y, s, *both)


def _area(positives: Any, negatives: Any) -> float:
    """Return the area under the ROC curve; scores ascend."""
    below = np.cumsum(negatives) - negatives / 2.0
    return float((positives * below).sum() / positives.sum() / negatives.sum())


def _check_sweep(found: Any, data: Scored) -> None:
    scores, positives, negatives = found[:3]
    used = np.flatnonzero(data.positives + data.negatives)[::-1]
    np.testing.assert_array_equal(scores, (used / STEPS).astype(np.float32))
    np.testing.assert_array_equal(positives, data.positives[used])
    np.testing.assert_array_equal(negatives, data.negatives[used])


def _check_bins(found: Any, data: Scored) -> None:
    lower, upper = (np.ceil(bound * STEPS).astype(np.int64) for bound in found[:2])
    for counts, wanted in zip(found[2:4], data[2:], strict=True):
        up_to = np.append(0, np.cumsum(wanted))
        np.testing.assert_array_equal(counts, up_to[upper] - up_to[lower])
    assert found[2].sum() + found[3].sum() == len(data.y)


def _check_area(found: float, data: Scored) -> None:
    assert found == pytest.approx(_area(data.positives, data.negatives), abs=1e-9)


def _sweep(data: Scored, threads: int = 0) -> Any:
    return _core.sweep(data.y, data.s, None, None, False, threads)


def _bins(data: Scored, threads: int = 0) -> Any:
    return _core.sweep_binned(data.y, data.s, None, None, 65536, False, threads)


CONTENDERS = {
    "confmat": Contender("ours", _sweep, _check_sweep),
    "confmat, one thread": Contender("ours", lambda d: _sweep(d, 1), _check_sweep),
    "confmat, 65536 bins": Contender("ours", _bins, _check_bins),
    "confmat, 65536 bins, one thread": Contender("ours", lambda d: _bins(d, 1), _check_bins),
    "scikit-learn roc_auc_score": Contender(
        "peer", lambda d: roc_auc_score(d.y, d.s), _check_area, most_rows=SKLEARN_ROWS
    ),
}


@pytest.fixture(scope="module")
def data(rows: int) -> Scored:
    return _counted(*scored(rows))


@pytest.mark.parametrize("name", CONTENDERS)
def test_sweep(race: Race, data: Scored, name: str) -> None:
    contender, rows = CONTENDERS[name], len(data.y)
    if contender.most_rows is not None and rows > contender.most_rows:
        data = _counted(data.y[: contender.most_rows], data.s[: contender.most_rows])
    race(
        QUESTION,
        name,
        contender.role,
        lambda: contender.run(data),
        check=lambda found: contender.check(found, data),
        rows=len(data.y),
        scale_to=rows,
    )


def test_read_floor(race: Race, data: Scored) -> None:
    """Reading both arrays once, on one thread, with NumPy's vectorised maximum."""

    def check(found: tuple[bool, float]) -> None:
        assert found[0]
        assert 0.9 < found[1] < 1

    race(
        QUESTION,
        "y.max(), s.max(), one thread",
        "floor",
        lambda: (data.y.max(), data.s.max()),
        check=check,
        rows=len(data.y),
    )
