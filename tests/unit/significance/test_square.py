"""Symmetry and marginal homogeneity: against published numbers, statsmodels and their laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.significance.paired import mcnemar
from confmat.significance.square import bowker, stuart_maxwell

# Unaided vision of 7,477 women, right eye by left eye: Stuart (1953), Biometrika 40, 105.
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=k, max_size=k
    ).map(np.array)
)
both = pytest.mark.parametrize("test", [bowker, stuart_maxwell])


def test_published_vision():
    """Bowker 19.11 and Stuart 11.96 of the literature; more digits by statsmodels 0.15.0."""
    found = bowker(VISION)
    assert found[1:4] == pytest.approx((19.106550215266772, 6, 0.003987419840428568), rel=1e-10)
    found = stuart_maxwell(VISION)
    assert found[1:4] == pytest.approx((11.95656962298254, 3, 0.007533425054800591), rel=1e-10)


def test_as_statsmodels():
    table = [[10, 5, 1], [2, 10, 6], [1, 3, 10]]
    found = bowker(table)
    assert found[1:4] == pytest.approx((2.2857142857142856, 3, 0.5152631937191603), rel=1e-10)
    found = stuart_maxwell(table)
    assert found[1:4] == pytest.approx((1.5157894736842112, 2, 0.4686520250164381), rel=1e-10)


@given(st.integers(0, 99), st.integers(0, 99))
def test_of_two_classes_both_are_mcnemar(a, b):
    wanted = mcnemar(a, b, "chi2")
    for test in (bowker, stuart_maxwell):
        found = test([[7, a], [b, 9]])
        assert found[1:5] == pytest.approx((*wanted[1:5],), rel=1e-12, nan_ok=True)


@both
@given(table=tables, data=st.data())
def test_order_sides_and_empty_classes_do_not_matter(test, table, data):
    found = test(table)
    order = data.draw(st.permutations(range(len(table))))
    wider = np.zeros((len(table) + 2,) * 2, dtype=int)
    wider[1:-1, 1:-1] = table
    wider[0, 0] = 50  # a class that is never mistaken
    for other in (table.T, table[np.ix_(order, order)], wider):
        assert test(other)[1:5] == pytest.approx((*found[1:5],), rel=1e-9, abs=1e-9, nan_ok=True)


@given(tables)
def test_stuart_maxwell_is_the_form_of_the_generalised_inverse(table):
    both = table + table.T
    covariance = np.diag(both.sum(axis=1)) - both
    gap = table.sum(axis=1) - table.sum(axis=0)
    rank = np.linalg.matrix_rank(covariance)
    found = stuart_maxwell(table)
    if not rank:
        assert math.isnan(found.statistic)
        assert found.note == "no row is off the diagonal"
    else:
        inverse = np.linalg.pinv(covariance.astype(float), rcond=1e-9, hermitian=True)
        assert found.df == rank
        assert found.statistic == pytest.approx(gap @ inverse @ gap, rel=1e-8, abs=1e-8)


def test_classes_that_no_row_links_are_tested_apart():
    one, other = [[5, 9], [2, 5]], [[3, 4], [8, 1]]
    table = np.zeros((4, 4), dtype=int)
    table[:2, :2], table[2:, 2:] = one, other
    parts = [stuart_maxwell(part).statistic for part in (one, other)]
    found = stuart_maxwell(table)
    assert found.df == 2
    assert found.statistic == pytest.approx(sum(parts))


def test_bowker_counts_the_pairs_that_occur():
    found = bowker([[5, 3, 0], [1, 5, 0], [0, 0, 9]])
    assert (found.statistic, found.df) == (1.0, 1)


@both
def test_symmetric_tables(test):
    found = test([[5, 3, 2], [3, 5, 1], [2, 1, 9]])
    assert (found.statistic, found.p_value, found.log_p) == (0, 1, 0)
    empty = test(np.diag([3, 4, 5]))
    assert math.isnan(empty.p_value)


@both
def test_far_below_the_range_of_floats(test):
    found = test([[0, 10**6, 10], [0, 0, 10], [10, 10, 0]])
    assert found.p_value == 0
    assert -501_000 < found.log_p < -499_000


@both
@pytest.mark.parametrize(
    "wrong", [[[1, 2, 3], [4, 5, 6]], [[1, -1], [2, 3]], [[1, 0.5], [2, 3]], [1, 2], [["a"]]]
)
def test_no_square_tables_of_counts(test, wrong):
    with pytest.raises(cm.InputError, match="table"):
        test(wrong)
