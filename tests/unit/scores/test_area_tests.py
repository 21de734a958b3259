"""Areas of two sweeps of different rows compared: published statistics, ends, what is undefined."""

import math

import numpy as np
import pytest
from support.haemorrhage import NDKA, POOR, S100B, WFNS

import confmat as cm
from confmat.errors import InputError


def test_areas_of_other_rows():
    """The tests of pROC 1.19 have D = 1.43490640926908 for wfns and s100b, as unpaired."""
    wfns, s100b = cm.sweep(POOR, WFNS), cm.sweep(POOR, S100B)
    found = wfns.test_auc(s100b)
    assert found.statistic == pytest.approx(1.43490640926908, rel=1e-12)
    assert found.p_value == pytest.approx(0.15131, abs=5e-6)  # pROC has it of t: 0.15283
    assert found.log_p == pytest.approx(math.log(found.p_value))
    assert isinstance(found, cm.TestResult)
    told = found.difference
    assert told.value == pytest.approx(0.0923103, abs=5e-8)
    assert told.se == pytest.approx(told.value / found.statistic)
    assert told.low < 0 < told.high
    assert "113 rows against" in str(found)
    turned = s100b.test_auc(wfns)
    assert turned.difference[:3] == pytest.approx((-told.value, -told.high, -told.low))
    assert turned.statistic == pytest.approx(-found.statistic)
    below, above = (
        wfns.test_auc(s100b, 0.975, side=side).difference for side in ("lower", "upper")
    )
    assert (below.low, above.high) == pytest.approx((told.low, told.high))
    assert (below.high, above.low) == (1.0, -1.0)
    more, less = (wfns.test_auc(s100b, side=side) for side in ("lower", "upper"))
    assert (more.alternative, less.alternative) == ("greater", "less")
    assert more.p_value == pytest.approx(found.p_value / 2)
    assert more.p_value + less.p_value == pytest.approx(1)


def test_areas_at_the_ends():
    perfect = cm.sweep([0, 1] * 30, [0.2, 0.8] * 30)
    same = perfect.test_auc(perfect)
    assert (same.difference.value, same.statistic, same.p_value) == (0.0, 0.0, 1.0)
    assert same.difference.low < 0 < same.difference.high
    wrong = cm.sweep([0, 1] * 30, [0.8, 0.2] * 30)
    apart = perfect.test_auc(wrong)
    assert apart.difference.value == 1.0
    assert 0 < apart.p_value < 1e-6
    assert 0.8 < apart.difference.low < apart.difference.high == 1.0
    far = cm.sweep(np.repeat([0, 1], 10**6), np.tile([0.2, 0.3], 10**6)).test_auc(
        cm.sweep(np.repeat([0, 1], 10**6), np.repeat([0.2, 0.3], 10**6))
    )
    assert far.p_value == 0
    assert -math.inf < far.log_p < -1e5
    assert "e-" in str(far)


def test_areas_that_cannot_be_compared():
    s = cm.sweep(POOR, NDKA)
    weighted = cm.Sweep.from_bytes(s.at_prevalence(0.1).to_bytes())
    for one, other in ((s, weighted), (weighted, s), (s, cm.sweep([1], [2.0]))):
        found = one.test_auc(other)
        assert math.isnan(found.p_value)
        assert found.note
        assert found.note in str(found)
        assert str(found).startswith("equal (delong), two-sided: statistic -, p = -;")
        assert found.difference.method == f"none: {found.note}"
    with pytest.raises(InputError, match="`other` is list; wanted a sweep"):
        s.test_auc([1.0])


def test_metrics_of_other_rows_are_equal_or_equivalent():
    wfns, s100b = cm.sweep(POOR, WFNS), cm.sweep(POOR, S100B)
    whole = wfns.test_auc(s100b)
    found = wfns.test("equal", other=s100b)
    assert found.statistic == pytest.approx(whole.statistic)
    assert found.p_value == pytest.approx(whole.p_value)
    value, se = whole.difference.value, whole.difference.se
    for claim in ("equivalent", "not less", "not greater"):
        near = wfns.test("equivalent", other=s100b, margin=0.2, claim=claim)
        assert near.p_value == pytest.approx(cm.equivalence(value, se, 0.2, claim=claim).p_value)
    same = s100b.test("equal", other=s100b, metric="gini")
    assert (same.statistic, same.p_value) == (0, 1)
    drawn = [s100b.test("equal", other=wfns, metric="ks", seed=1) for _ in range(2)]
    assert drawn[0] == drawn[1]
    rare = s100b.at_prevalence(0.3)
    assert s100b.test("equal", other=cm.Sweep.from_bytes(rare.to_bytes())).note
    for found in (wfns.test("equal", other=rare), wfns.test_auc(rare)):
        assert found.p_value == pytest.approx(wfns.test_auc(s100b).p_value)
    with pytest.raises(InputError, match="`other` is float; wanted a sweep"):
        s100b.test("equal", other=0.5)
