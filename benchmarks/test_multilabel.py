"""How fast are the 2 x 2 tables of eight labels, of many rows and of few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from sklearn.metrics import multilabel_confusion_matrix

import confmat as cm

LABELS = 8
MOST_ROWS = 1_000_000
SIZES = {"10": 10, "1,000": 1_000, "many": MOST_ROWS}


class Data(NamedTuple):
    truth: Any
    pred: Any
    true_frame: pl.DataFrame
    pred_frame: pl.DataFrame


class Contender(NamedTuple):
    role: Role
    run: Callable[[Data], Any]


CONTENDERS = {
    "cm.multilabel(arrays)": Contender("ours", lambda d: cm.multilabel(d.truth, d.pred).counts),
    "cm.multilabel(frames)": Contender(
        "ours", lambda d: cm.multilabel(d.true_frame, d.pred_frame).counts
    ),
    "scikit-learn": Contender("peer", lambda d: multilabel_confusion_matrix(d.truth, d.pred)),
}


@pytest.fixture(scope="module", params=SIZES.values(), ids=SIZES)
def data(request: pytest.FixtureRequest, rows: int) -> Data:
    n = min(request.param, rows)
    rng = np.random.default_rng(29)
    truth = rng.random((n, LABELS)) < 0.3
    pred = truth ^ (rng.random((n, LABELS)) < 0.1)
    names = [f"label {i}" for i in range(LABELS)]
    frames = [pl.DataFrame(dict(zip(names, side.T, strict=True))) for side in (truth, pred)]
    return Data(truth, pred, *frames)


@pytest.mark.parametrize("name", CONTENDERS)
def test_multilabel(race: Race, data: Data, name: str) -> None:
    role, run = CONTENDERS[name]
    expected = [
        [[(~t & ~p).sum(), (~t & p).sum()], [(t & ~p).sum(), (t & p).sum()]]
        for t, p in zip(data.truth.T, data.pred.T, strict=True)
    ]
    race(
        f"{len(data.truth):,} rows x {LABELS} labels",
        name,
        role,
        lambda: run(data),
        check=lambda found: np.testing.assert_array_equal(found, expected),
        rows=len(data.truth),
    )
