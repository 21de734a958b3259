"""Confidence sequences: exact martingales, their coverage at all times, counts of any size."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import special, stats

import confmat as cm
from confmat.monitoring.confidence_sequences import ends


def log_ratio(k, n, p, prior=(0.5, 0.5)):
    """Return ln of the mean likelihood over the prior over that of p."""
    a, b = prior
    mean = special.betaln(k + a, n - k + b) - special.betaln(a, b)
    return mean - special.xlogy(k, p) - special.xlog1py(n - k, -p)


@st.composite
def shares(draw):
    n = draw(st.integers(1, 5_000))
    return draw(st.integers(0, n)), n


@given(shares(), st.sampled_from([0.5, 0.95, 0.999]), st.sampled_from([(0.5, 0.5), (1, 9), (3, 2)]))
@example((45, 46), 0.5, (1, 9))
@example((1, 1602), 0.999, (3, 2))
def test_the_ends_are_where_the_martingale_reaches_its_bound(share, level, prior):
    k, n = share
    found = cm.confidence_sequence([k], [n], level, prior=prior).row(0, named=True)
    low, high = found["low"], found["high"]
    assert 0 <= low <= k / n <= high <= 1
    for end, count, left in ((low, k, low), (high, n - k, 1 - high)):
        if count and left:
            bound = -math.log1p(-level)
            # What is left of a share is known to a few floats near 1, which is much of it near 0.
            rounding = 4 * count * np.finfo(float).eps * max(count / n, 1 - count / n) / left
            assert log_ratio(k, n, end, prior) == pytest.approx(bound, abs=1e-6 + rounding)
        else:
            assert end in (0, 1)


def test_the_ratio_is_a_martingale_in_fractions():
    """What the next row is expected to make of it, at the true rate, is what it is."""
    p = Fraction(3, 10)

    def ratio(k, n):  # over the uniform prior
        mean = Fraction(1, (n + 1) * math.comb(n, k))
        return mean / (p**k * (1 - p) ** (n - k))

    for n in range(12):
        for k in range(n + 1):
            assert p * ratio(k + 1, n + 1) + (1 - p) * ratio(k, n + 1) == ratio(k, n)
            assert math.log(ratio(k, n)) == pytest.approx(log_ratio(k, n, 0.3, (1, 1)))


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.01])
def test_streams_that_ever_miss_the_truth_are_few(rate):
    """Of 10,000 rows each, looked at after every row; the limit is three standard errors above."""
    streams, rows = 600, 10_000
    rng = np.random.default_rng(17)
    n = np.arange(1.0, rows + 1)
    missed = naive = 0
    for _ in range(streams):
        k = np.cumsum(rng.random(rows) < rate).astype(float)
        # Within the ends is where the ratio is below its bound; the test above says so.
        missed += (log_ratio(k, n, rate) >= math.log(20)).any()
        z = abs(k / n - rate) / np.sqrt(rate * (1 - rate) / n)
        naive += (z[30:] > 1.96).any()
    assert missed / streams <= 0.05
    assert naive / streams > 0.4
    k = k[::100]
    low, high = ends(k, n[::100], 0.95)
    inside = log_ratio(k, n[::100], rate) < math.log(20)
    assert (((low < rate) & (rate < high)) == inside).all()


def test_a_row_at_a_time_is_wider_than_one_look():
    found = cm.confidence_sequence([850], [1000]).row(0, named=True)
    once = stats.binomtest(850, 1000).proportion_ci(method="exact")
    assert found["low"] < once.low < once.high < found["high"]
    assert found["high"] - found["low"] < 2 * (once.high - once.low)


def test_counts_of_any_size():
    k = np.array([0, 1e3, 5e14])
    n = np.array([0, 1e9, 1e15])
    low, high = ends(k, n, 0.95)
    assert (low[0], high[0]) == (0, 1)
    # ln of the ratio at p is about n (p - k/n)^2 / (2 p q) less ln of a root: as of a normal.
    for at in (1, 2):
        p = k[at] / n[at]
        spread = math.sqrt(p * (1 - p) / n[at])
        root = math.sqrt(2 * math.pi * spread**2) / (math.pi * math.sqrt(p * (1 - p)))
        reach = spread * math.sqrt(2 * (math.log(20) - math.log(root)))
        assert high[at] - p == pytest.approx(reach, rel=0.1)
        assert p - low[at] == pytest.approx(reach, rel=0.1)


def test_a_row_a_time_with_its_value():
    found = cm.confidence_sequence([0, 2], [0, 4])
    assert found.columns == ["k", "n", "value", "low", "high"]
    assert found["value"].to_list() == [None, 0.5]
    assert found.select("k", "n").rows() == [(0, 0), (2, 4)]
    assert cm.confidence_sequence([], []).height == 0


@pytest.mark.parametrize(
    ("k", "n", "more", "said"),
    [
        ([1, 0], [2, 3], {}, "`k` falls from 1 to 0 at row 1"),
        ([1, 1], [3, 2], {}, "`n` falls from 3 to 2 at row 1"),
        ([1, 3], [3, 4], {}, "`n - k` falls from 2 to 1 at row 1"),
        ([2], [1], {}, "`k` is 2 of `n` 1 at row 0"),
        ([0.5], [1], {}, "`k` holds 0.5 at row 0"),
        ([math.nan], [1], {}, "`k` holds nan at row 0"),
        ([[1]], [[2]], {}, "one dimension"),
        ([1], [2], {"level": 2}, "`level` is 2"),
        ([1], [2], {"prior": (0, 1)}, "`prior` is"),
        ([1], [2], {"prior": 3}, "`prior` is 3"),
        (["x"], [2], {}, "are no counts"),
    ],
)
def test_what_is_no_count_is_refused(k, n, more, said):
    with pytest.raises(cm.InputError, match=said):
        cm.confidence_sequence(k, n, **more)
