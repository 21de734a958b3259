"""How far are the bins called "unit" from reading their columns, and how narrow are the bounds.

Two logs: usual scores, and fraud, where one row of 1,000 is positive and most scores are below
1e-3 (`LOGS`; formula and seed are those of `synthetic.logistic`). With each time go, as
`extra_info`, the width of the bounds of the area under the ROC curve and the bytes of the state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import logistic
from pytest_benchmark.fixture import BenchmarkFixture

import confmat as cm
from confmat import _core

LOGS = {"usual": (0.0, 1.5), "fraud": (-8.5, 1.8)}  # mean and spread of the log-odds
WIDEST = 2e-4
OURS = {"unit bins": "unit", "65,536 bins": 65536}
FLOOR = "y.max(), s.max(), one thread"


class Scored(NamedTuple):
    question: str
    y: npt.NDArray[np.bool_]
    s: npt.NDArray[np.floating[Any]]
    area: float


@pytest.fixture(scope="module", params=[(log, f) for log in LOGS for f in ("float32", "float64")])
def data(request: pytest.FixtureRequest, rows: int) -> Scored:
    log, dtype = request.param
    y, p = logistic(rows, *LOGS[log])
    s = p.astype(dtype)
    negative = np.sort(s[~y])
    below = np.searchsorted(negative, s[y], side="left")
    up_to = np.searchsorted(negative, s[y], side="right")
    area = float((below + up_to).sum() / 2 / len(below) / len(negative))
    return Scored(f"bins of {rows:,} {log} {dtype}", y, s, area)


def _read(data: Scored) -> Any:
    return data.y.max(), data.s.max()


@pytest.mark.parametrize("name", OURS)
def test_bins(race: Race, benchmark: BenchmarkFixture, data: Scored, name: str) -> None:
    bins = OURS[name]

    def check(found: Any) -> None:
        assert found.positives.sum() + found.negatives.sum() == len(data.y)
        s = cm.sweep(data.y, data.s, bins=bins)
        low, high = s.roc_auc_bounds
        assert low - 1e-9 <= data.area <= high + 1e-9
        assert high - low <= WIDEST or bins != "unit"
        benchmark.extra_info["roc_auc_width"] = high - low
        benchmark.extra_info["state_bytes"] = len(s.to_bytes())

    def run() -> Any:
        return _core.sweep_binned(data.y, data.s, None, None, bins, False, False, 0)

    race(data.question, name, "ours", run, check=check, rows=len(data.y))


def test_floor(race: Race, data: Scored) -> None:
    def check(found: Any) -> None:
        assert found[0]
        assert 0 < found[1] <= 1

    race(data.question, FLOOR, "floor", lambda: _read(data), check=check, rows=len(data.y))
