"""Calibrations: weights, no rows, one class, the frame of all numbers, copies."""

import copy
import math
import pickle

import numpy as np
import polars as pl
import pytest
from support.scored import scored

import confmat as cm

SMALL = ([0.0, 0.1, 0.10000000000000002, 0.5, 1.0], [1, 2, 3, 0, 4], [5, 0, 1, 2, 1])
STRATEGIES = ("uniform", "quantile", "isotonic")


def test_order_of_scores_does_not_matter():
    s, p, n = scored(3).counts()
    up, down = cm.Calibration(s[::-1], p[::-1], n[::-1]), cm.Calibration(s, p, n)
    assert up.table().equals(down.table())
    assert (up.slope, up.brier) == (down.slope, down.brier)


def test_scores_of_no_weight_do_not_show():
    c = cm.Calibration([0.1, 0.2, 0.9], [1, 0, 2], [2, 0, 1], strategy="isotonic")
    assert c.table().equals(cm.Calibration([0.1, 0.9], [1, 2], [2, 1], strategy="isotonic").table())


def test_weights_act_like_repeated_rows():
    s, p, n = scored(5).counts()
    whole, real = cm.Calibration(s, p, n), cm.Calibration(s, p.astype(float), n.astype(float))
    assert whole.table().drop("n").equals(real.table().drop("n"))
    assert real.table()["n"].dtype == pl.Float64
    assert whole.overall().equals(real.overall())
    third = cm.Calibration(s, p / 3, n / 3, n_effective=400)
    np.testing.assert_allclose(third.table()["ci_low"], whole.table()["ci_low"], rtol=1e-12)
    assert third.spiegelhalter_z == pytest.approx(whole.spiegelhalter_z)
    assert third.slope == pytest.approx(whole.slope)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_rows(strategy):
    c = cm.Calibration([], [], [], bins=4, strategy=strategy)
    assert c.table()["n"].sum() == c.n == 0
    assert c.table()["mean_score"].null_count() == len(c.table())
    frame = c.overall()
    assert frame["value"].null_count() == len(frame)
    assert set(frame["reason"]) == {"there are no rows"}
    for terms in (c.brier_decomposition, c.brier_decomposition_exact, c.corp):
        assert all(math.isnan(term) for term in terms)
    assert "n=0" in repr(c)


def test_one_class():
    c = cm.Calibration([0.2, 0.9], [0, 0], [3, 5])
    assert c.ece == pytest.approx((0.2 * 3 + 0.9 * 5) / 8)
    assert c.brier_decomposition_exact.uncertainty == 0
    for name in ("slope", "intercept", "in_the_large"):
        assert math.isnan(getattr(c, name))
        assert c.reason(name) == "all rows are of one class"
    assert c.reason("ece") is None


@pytest.mark.parametrize("scores", [[0.0, 0.4, 0.6], [0.4, 0.6, 1.0]])
def test_a_score_of_infinite_logit_has_no_line(scores):
    counts = scores, [1, 1, 2], [2, 1, 1]
    c = cm.Calibration(*counts)
    assert math.isnan(c.slope)
    assert c.reason("slope").startswith("a score is 0 or 1")
    assert math.isfinite(cm.Calibration(*counts, clip=0.01).slope)


def test_a_reason_is_that_of_its_number():
    c = cm.Calibration([0.0, 1.0], [0, 3], [5, 0])
    assert math.isnan(c.spiegelhalter_z)
    assert c.reason("spiegelhalter_z") == c.reason("spiegelhalter_p") != c.reason("slope")
    assert c.reason("spiegelhalter_z") is not None
    assert c.ece == 0
    assert c.reason("ece") is None
    assert c.reason("in_the_large") != c.reason("spiegelhalter_z")


def test_overall_frame():
    frame = cm.Calibration(*scored(1).counts()).overall()
    assert frame.columns == ["metric", "value", "reason"]
    assert frame.dtypes == [pl.String, pl.Float64, pl.String]
    c = cm.Calibration(*SMALL)
    for name, value, reason in c.overall().rows():
        number = getattr(c, name)
        assert math.isnan(number) if value is None else value == number
        assert reason == c.reason(name)
        assert (reason is None) == (value is not None)


@pytest.mark.parametrize("bins", [10, [0, 0.25, 1]])
def test_copies_are_the_same(bins):
    c = cm.Calibration(*SMALL, bins=bins, n_effective=9, clip=0.01)
    for twin in (pickle.loads(pickle.dumps(c)), copy.copy(c), copy.deepcopy(c)):
        assert twin.table().equals(c.table())
        assert twin.overall().equals(c.overall())
        assert repr(twin) == repr(c)
    with pytest.raises(AttributeError, match="does not change; cannot set 'n'"):
        c.n = 3
    assert repr(cm.Calibration([0.5], [1], [1])) == (
        "<Calibration of 10 bins (uniform), n=2, ece=0>"
    )
