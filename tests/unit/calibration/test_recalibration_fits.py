"""Platt's curve and the temperature: what their fits reach, and the rows that they can take."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recalibrated import ROWS, fitted
from support.scored import counted, scored

import confmat as cm
from confmat.calibration.fit import recalibrate


def log_loss(y, p, w=None):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = -np.where(y == 1, np.log(p), np.log1p(-p))
    return np.average(terms, weights=w)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["platt", "temperature"])
@given(seed=st.integers(0, 2**32))
def test_log_loss_does_not_rise(method, weighted, seed):
    rows = scored(seed, weighted, ends=False)
    options = {"logit": True, "smoothing": False} if method == "platt" else {}
    after = log_loss(rows.y, fitted(method, options, rows).apply(rows.s), rows.w)
    assert after <= log_loss(rows.y, rows.s, rows.w) * (1 + 1e-13)


@given(seed=st.integers(0, 2**32))
def test_log_loss_of_platt_is_at_most_that_of_the_base_rate(seed):
    rows = scored(seed)
    after = log_loss(rows.y, fitted("platt", {"smoothing": False}, rows).apply(rows.s))
    assert after <= log_loss(rows.y, np.full(400, rows.y.mean())) * (1 + 1e-13)


def test_temperature_of_useless_scores_is_infinite():
    r = recalibrate([0.2, 0.8], [3, 1], [1, 3], "temperature")
    assert r.temperature == math.inf
    assert r.apply([0, 0.2, 1]).tolist() == [0.5] * 3
    assert cm.Recalibration.from_dict(r.to_dict()) == r


def test_temperature_leaves_sure_and_right_rows_out():
    with_ends = recalibrate([0.0, 0.2, 0.7, 1.0], [0, 1, 3, 9], [9, 3, 1, 0], "temperature")
    assert with_ends == recalibrate([0.2, 0.7], [1, 3], [3, 1], "temperature")


def test_platt_takes_margins():
    rng = np.random.default_rng(0)
    margin = rng.normal(0, 50, 500)
    y = (margin + rng.normal(0, 30, 500) > 10).astype(int)
    r = recalibrate(*counted(y, margin), "platt")
    assert r.a > 0
    assert r.apply([-1e6, 1e6]).tolist() == [0, 1]
    down = recalibrate(*counted(y, -margin), "platt")
    assert (down.a, down.b) == pytest.approx((-r.a, r.b))
    assert recalibrate(*counted(y, margin), "isotonic").apply([0.0]).item() < 0.5


@pytest.mark.parametrize("scale", [1e-290, 1e-9, 1e9, 1e290])
def test_platt_of_scores_in_other_units(scale):
    s, *counts = ROWS.counts()
    plain = recalibrate(s, *counts, "platt")
    other = recalibrate(s * scale, *counts, "platt")
    assert other.a * scale == pytest.approx(plain.a, rel=1e-9)
    assert other.b == pytest.approx(plain.b, rel=1e-9)


def test_smoothing_makes_separated_classes_fit():
    counts = ([0.1, 0.4, 0.6, 0.9], [0, 0, 3, 4], [5, 1, 0, 0])
    r = recalibrate(*counts, "platt")
    low, *_, high = r.apply(counts[0])
    assert 0 < low < 1 / 8 + 0.1
    assert 8 / 9 - 0.1 < high < 1
    with pytest.raises(cm.InputError, match="cannot recalibrate: the scores separate"):
        recalibrate(*counts, "platt", smoothing=False)
    one = recalibrate([0.3], [2], [1], "platt")
    assert one.a == 0
    assert one.apply([0.3, 0.9]).tolist() == pytest.approx([(2 * 0.75 + 1 / 3) / 3] * 2)
