"""Intervals of numbers of several rates: published ones, correlations, rates that seem sure."""

import numpy as np
import pytest

from confmat.intervals.differences import newcombe
from confmat.intervals.moved_rates import moved_by_rates
from confmat.intervals.wilson import wilson

Z = 1.959963984540054


def test_of_one_rate_it_is_that_of_the_rate():
    k, n = np.array([0, 3, 20]), 20
    for rising, falling in zip(
        moved_by_rates(lambda p: 2 * p, [(k, n)], Z),
        moved_by_rates(lambda p: 2 - 2 * p, [(k, n)], Z)[::-1],
        strict=True,
    ):
        np.testing.assert_allclose(rising, 2 - falling)
    np.testing.assert_allclose(
        moved_by_rates(lambda p: 2 * p, [(k, n)], Z), 2 * np.array(wilson(k, n))
    )


def test_a_difference_is_newcombes():
    k, n, k2, n2 = [56, 9, 10, 0], [70, 10, 10, 10], [48, 3, 0, 0], [80, 10, 20, 10]
    found = moved_by_rates(lambda a, b: a - b, [(k, n), (k2, n2)], Z)
    np.testing.assert_allclose(found, newcombe(k, n, k2, n2), rtol=1e-12)


@pytest.mark.parametrize("correlation", [-0.6, 0.0, 0.6])
def test_correlations_count_by_the_direction_of_both(correlation):
    """Of many rows the reach is that of a normal sum; the second rate pulls the number down."""
    n, rates, slopes = 10**8, (0.3, 0.6), (2.0, -3.0)
    parts = [(p * n, n) for p in rates]
    together = {(0, 1): correlation}
    found = moved_by_rates(lambda a, b: slopes[0] * a + slopes[1] * b, parts, Z, together)
    each = [s * np.sqrt(p * (1 - p) / n) for s, p in zip(slopes, rates, strict=True)]
    se = np.sqrt(each[0] ** 2 + each[1] ** 2 + 2 * correlation * each[0] * each[1])
    np.testing.assert_allclose(np.subtract(*found[::-1]), 2 * Z * se, rtol=1e-4)


def test_what_is_undefined():
    assert np.isnan(moved_by_rates(lambda a, b: a / b, [(0, 5), (0, 5)], Z)).all()
    assert np.isnan(moved_by_rates(lambda a, b: a - b, [(0, 0), (1, 5)], Z)).all()
    # At a lower end of 0 of both the ratio is 0/0: that end of the second does not move it.
    low, high = moved_by_rates(lambda a, b: a / (a + b), [(3, 5), (0, 5)], Z)
    assert 0 < low < high == 1
