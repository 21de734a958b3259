"""Quantiles of Student's t distribution, against SciPy."""

import pytest

from confmat.intervals.student import t_quantile

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("level", [0.1, 0.5, 0.8, 0.95, 0.99, 0.9999, 1 - 1e-9])
@pytest.mark.parametrize("df", [1, 1.01, 1.5, 2, 2.7, 3, 9, 30, 99.9, 999, 1_000, 1e5, 1e12])
def test_quantiles(level, df):
    tail = (1 - level) / 2
    assert t_quantile(stats.norm.isf(tail), df) == pytest.approx(stats.t.isf(tail, df), rel=1e-9)
