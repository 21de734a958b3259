"""Adjusted p-values: as statsmodels and SciPy have them, and by their definitions."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import confmat as cm

P = [0.01, 0.04, 0.03, 0.2, 0.0001, 0.04, 0.9, 1.0, 0.0]
# statsmodels 0.15.0, stats.multitest.multipletests
WANTED = {
    "bh": [
        *(0.030000000000000002, 0.060000000000000005, 0.060000000000000005, 0.2571428571428572),
        *(0.00045000000000000004, 0.060000000000000005, 1.0, 1.0, 0.0),
    ],
    "by": [
        *(0.08486904761904762, 0.16973809523809524, 0.16973809523809524, 0.7274489795918367),
        *(0.0012730357142857142, 0.16973809523809524, 1.0, 1.0, 0.0),
    ],
    "holm": [0.07, 0.2, 0.18, 0.6000000000000001, 0.0008, 0.2, 1.0, 1.0, 0.0],
    "bonferroni": [0.09, 0.36, 0.27, 1.0, 0.0009000000000000001, 0.36, 1.0, 1.0, 0.0],
}
every = pytest.mark.parametrize("method", WANTED)
values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@every
def test_as_statsmodels(method):
    assert cm.adjust_p(P, method).tolist() == pytest.approx(WANTED[method], rel=1e-14)


@pytest.mark.parametrize("method", ["bh", "by"])
@given(p=values)
def test_as_scipy(method, p):
    wanted = stats.false_discovery_control(p, method=method)
    assert cm.adjust_p(p, method).tolist() == pytest.approx(wanted.tolist(), rel=1e-12)


@given(values)
def test_holm_is_bonferroni_step_by_step(p):
    found = dict(enumerate(cm.adjust_p(p, "holm").tolist()))
    largest = 0.0
    for place, at in enumerate(sorted(range(len(p)), key=lambda at: p[at])):
        largest = max(largest, min((len(p) - place) * p[at], 1))
        assert found[at] == pytest.approx(largest, rel=1e-14)


@every
@given(p=values, data=st.data())
def test_order_does_not_matter(method, p, data):
    order = data.draw(st.permutations(range(len(p))))
    found = cm.adjust_p(p, method)
    assert cm.adjust_p(np.array(p)[order], method).tolist() == found[order].tolist()
    assert (found >= p).all()
    assert (found <= 1).all()


@every
def test_what_is_missing_is_kept_and_not_counted(method):
    wanted = cm.adjust_p(P, method)
    holes = [math.nan, *P[:4], None, *P[4:]]
    found = cm.adjust_p(holes, method)
    assert np.isnan(found[[0, 5]]).all()
    assert np.delete(found, [0, 5]).tolist() == wanted.tolist()
    series = cm.adjust_p(pl.Series("p_value", holes, strict=False), method)
    assert series.name == "p_value"
    assert series.dtype == pl.Float64
    assert series[5] is None
    assert math.isnan(series[0])
    assert series.drop_nulls().drop_nans().to_list() == wanted.tolist()


@every
def test_few_or_none(method):
    assert cm.adjust_p([], method).tolist() == []
    assert cm.adjust_p([0.2], method).tolist() == [0.2]
    assert cm.adjust_p(pl.Series("p", [], dtype=pl.Float64), method).to_list() == []
    assert cm.adjust_p(pl.Series("p", [None, None]), method).to_list() == [None, None]
    assert np.isnan(cm.adjust_p([math.nan] * 3, method)).all()


def test_shape_and_dtype():
    table = np.array(P, dtype=np.float32).reshape(3, 3)
    found = cm.adjust_p(table)
    assert found.shape == (3, 3)
    assert found.dtype == np.float64
    assert cm.adjust_p([0, 1]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("p", "words"),
    [
        ([0.1, 1.5], "1.5 at row 1"),
        ([0.1, -0.1], "-0.1 at row 1"),
        ([0.1, "x"], "numbers"),
        (pl.Series(["a"]), "String"),
        ([0.1, math.inf], "inf at row 1"),
    ],
)
def test_refused(p, words):
    with pytest.raises(cm.InputError, match=words):
        cm.adjust_p(p)


def test_method():
    with pytest.raises(cm.InputError, match="method"):
        cm.adjust_p(P, "fdr_bh")
