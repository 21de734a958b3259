"""Scales on which a range is the whole line, and back."""

import math

import numpy as np
import pytest
from scipy.special import logit

from confmat.intervals.scales import from_line, on_scale, to_line

ENDS = [(0.0, 1.0), (-1.0, 1.0), (-2.0, 5.0), (0.0, math.inf), (-math.inf, 1.0)]
ENDS += [(-math.inf, math.inf)]


@pytest.mark.parametrize(("lo", "hi"), ENDS)
def test_there_and_back(lo, hi):
    low, high = max(lo, -30.0), min(hi, 30.0)
    values = np.linspace(low, high, 41)[1:-1]
    line = to_line(values, lo, hi)
    assert (np.diff(line) > 0).all()
    np.testing.assert_allclose(from_line(line, lo, hi), values, rtol=1e-12, atol=1e-12)
    for end in (lo, hi):
        assert from_line(to_line(end, lo, hi), lo, hi) == end


def test_they_are_those_of_intervals():
    values = np.array([0.1, 0.5, 0.93])
    np.testing.assert_allclose(to_line(values, 0, 1), logit(values))
    np.testing.assert_allclose(to_line(values, -1, 1), 2 * np.arctanh(values))
    np.testing.assert_allclose(to_line(values, 0, math.inf), np.log(values))
    for lo, hi, slope in ((0, 1, 1 / (0.8 * 0.2)), (0, math.inf, 1 / 0.8)):
        line = to_line(0.8, lo, hi)
        reach = 1.959963984540054 * 0.05 * slope
        ends = from_line([line - reach, line + reach], lo, hi)
        np.testing.assert_allclose(ends, on_scale(0.8, 0.05, lo, hi), rtol=1e-9)
