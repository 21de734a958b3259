"""Tango's interval of a difference of two rates of the same rows."""

import itertools
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import confmat as cm
from confmat.intervals.levels import z_of
from confmat.intervals.paired import mover, tango
from confmat.intervals.wilson import wilson

# (only_b, only_a, n, low, high): the tables of Bentur et al. (2009) and Cavo et al. (2012) as the R
# package contingencytables 3 prints them, which accompanies Fagerland, Lydersen and Laake,
# Statistical Analysis of Contingency Tables (2017), section 8.6.
PUBLISHED = [(1, 7, 21, -0.5173, -0.0260), (6, 16, 161, -0.1240, -0.0054)]
rows = st.integers(0, 60)


@pytest.mark.parametrize(("only_b", "only_a", "n", "low", "high"), PUBLISHED)
def test_published_intervals(only_b, only_a, n, low, high):
    found = tango(only_b, only_a, n)
    assert [round(float(end), 4) for end in found] == pytest.approx([low, high], abs=1.01e-4)


def statistic(difference, b, a, n):
    """Return the score statistic, as Tango (1998) writes it."""
    linear = -b - a + (2 * n - b + a) * difference
    root = sqrt(linear**2 + 8 * n * a * difference * (1 - difference))
    share = (root - linear) / (4 * n)
    spread = sqrt(n * (2 * share + difference * (1 - difference)))
    return (b - a - n * difference) / spread


@given(rows, rows, rows, st.sampled_from([0.8, 0.95, 0.999]))
def test_the_ends_are_those_that_the_score_test_just_does_not_reject(b, a, rest, level):
    n = b + a + rest
    low, high = map(float, tango(b, a, n, level)) if n else (-1.0, 1.0)
    z = z_of(level)
    if low > -0.999:
        assert statistic(low, b, a, n) == pytest.approx(z, rel=1e-6)
    if high < 0.999:
        assert statistic(high, b, a, n) == pytest.approx(-z, rel=1e-6)


@given(rows, rows, rows, st.sampled_from([0.8, 0.95]))
def test_exchanged_models_have_the_interval_with_the_other_sign(b, a, rest, level):
    n = b + a + rest
    low, high = tango(b, a, n, level)
    turned = tango(a, b, n, level)
    assert [-float(end) for end in turned[::-1]] == pytest.approx(
        [float(low), float(high)], abs=1e-12, nan_ok=True
    )
    if n:
        assert -1 <= low <= (b - a) / n <= high <= 1


@given(rows, rows, rows)
def test_no_difference_is_within_where_mcnemar_does_not_reject(b, a, rest):
    n = b + a + rest
    low, high = tango(b, a, n) if n else (-1.0, 1.0)
    z = (b - a) / sqrt(b + a) if b + a else 0.0
    if abs(abs(z) - z_of(0.95)) > 1e-9:
        assert (low <= 0 <= high) == (abs(z) < z_of(0.95))


def test_how_often_it_holds_the_difference():
    n = 20
    tables = np.array(
        [t for t in itertools.product(range(n + 1), repeat=2) if sum(t) <= n], dtype=np.float64
    )
    low, high = tango(tables[:, 0], tables[:, 1], n)
    rng = np.random.default_rng(1)
    for _ in range(60):
        p = rng.dirichlet([1, 1, 8])
        chance = stats.multinomial.pmf(np.column_stack([tables, n - tables.sum(1)]), n, p)
        held = (low <= p[0] - p[1]) & (p[0] - p[1] <= high)
        assert chance[held].sum() > 0.93


def test_one_side_is_the_end_of_an_interval_of_twice_the_miss():
    both = tango(5, 9, 40, 0.9)
    assert tango(5, 9, 40, 0.95, "lower") == (both[0], 1)
    assert tango(5, 9, 40, 0.95, "upper") == (-1, both[1])


def test_many_rows_and_none():
    low, high = tango(500_123_456, 500_100_000, 4_000_000_000)
    se = sqrt(1_000_223_456) / 4e9
    assert float(low) == pytest.approx(23_456 / 4e9 - z_of(0.95) * se, rel=1e-6)
    assert float(high) == pytest.approx(23_456 / 4e9 + z_of(0.95) * se, rel=1e-6)
    assert np.isnan(tango(0, 0, 0)).all()
    assert [end.shape for end in tango([1, 2], 0, [[5], [6]])] == [(2, 2)] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 3, 5), "`only_a` and `only_b` are 3 and 3 of `n` 5 at row 0"),
        ((-1, 0, 5), "`only_b` is -1 of `n` 5 at row 0"),
        ((1, inf, 5), "`only_a` is inf of `n` 5"),
        ((1, 2, 5, 1.5), "`level` is 1.5"),
        ((1, 2, 5, 0.9, "left"), "`side` is 'left'"),
    ],
)
def test_what_is_no_table(arguments, message):
    with pytest.raises(cm.InputError, match=message.replace("(", r"\(")):
        tango(*arguments)


def test_mover_is_newcombe_of_paired_rates():
    # Newcombe (1998), method 10 of the table of Cavo et al., as contingencytables 3 prints it:
    # Wilson's intervals, and a correlation with a correction for continuity.
    both, only_a, only_b, neither = 59, 16, 6, 80
    n = 161
    a, b = both + only_a, both + only_b
    common = both * neither - only_a * only_b - n / 2
    common /= sqrt(a * (n - a) * b * (n - b))
    of_a, of_b = ((k / n, *map(float, wilson(k, n))) for k in (a, b))
    found = mover(of_a, of_b, common)
    assert [round(end, 4) for end in found] == [-0.1186, -0.0046]


@given(
    *[st.tuples(st.floats(0, 0.3), st.floats(0.3, 0.6), st.floats(0.6, 1))] * 2, st.floats(-1, 1)
)
def test_mover_holds_the_difference_and_turns_its_sign(a, b, common):
    (low_a, value_a, high_a), (low_b, value_b, high_b) = a, b
    of_a, of_b = (value_a, low_a, high_a), (value_b, low_b, high_b)
    low, high = mover(of_a, of_b, common)
    assert low <= value_b - value_a <= high
    turned = mover(of_b, of_a, common)
    assert [-end for end in turned[::-1]] == pytest.approx([low, high], abs=1e-12)
    wide = mover(of_a, of_b, -1)
    assert wide == pytest.approx((low_b - high_a, high_b - low_a), abs=1e-12)
