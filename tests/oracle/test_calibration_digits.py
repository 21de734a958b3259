"""Calibration lines, temperatures and Spiegelhalter's test, in 50 digits and closed forms."""

import math

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf
from support.scored import scored

import confmat as cm
from confmat.calibration.fit import recalibrate

mp.dps = max(mp.dps, 50)


def logit(p):
    return math.log(p / (1 - p))


def pulls(counts, odds, targets=(1, 0)):
    """Return what the derivative of the log loss by the odds is at each score, in 50 digits."""
    for s, p, n in zip(*counts, strict=True):
        x = mpf(float(s))
        chance = 1 / (1 + mpmath.exp(-odds(x)))
        yield x, (mpf(float(p)) * (chance - targets[0]) + mpf(float(n)) * (chance - targets[1]))


def solved(counts, odds, by, start, targets=(1, 0)):
    """Return where the derivatives of the log loss by each parameter are 0."""

    def derivatives(*at):
        sums = [mpf(0) for _ in by]
        for x, pull in pulls(counts, lambda s: odds(s, *at), targets):
            for i, part in enumerate(by):
                sums[i] += pull * part(x)
        return sums if len(sums) > 1 else sums[0]

    found = mpmath.findroot(derivatives, start if len(start) > 1 else start[0])
    return [float(part) for part in found] if len(start) > 1 else float(found)


def log_odds(s):
    return mpmath.log(s / (1 - s))


def one(_):
    return mpf(1)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_lines(seed, weighted):
    counts = scored(seed, weighted, rows=60, ends=False).counts()
    c = cm.Calibration(*counts)
    start = (c.slope, c.intercept)
    line = solved(counts, lambda s, a, b: a * log_odds(s) + b, (log_odds, one), start)
    assert start == pytest.approx(line, rel=1e-11)
    offset = solved(counts, lambda s, b: log_odds(s) + b, (one,), (c.in_the_large,))
    assert c.in_the_large == pytest.approx(offset, rel=1e-11)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_recalibrations(seed, weighted):
    counts = scored(seed, weighted, rows=60, ends=False).counts()
    _, p, n = (part.astype(float) for part in counts)
    fit = recalibrate(*counts, "platt")
    targets = mpf(p.sum() + 1) / mpf(p.sum() + 2), 1 / mpf(n.sum() + 2)
    want = solved(counts, lambda s, a, b: a * s + b, (mpf, one), (fit.a, fit.b), targets)
    assert (fit.a, fit.b) == pytest.approx(want, rel=1e-11)
    inverse = recalibrate(*counts, "temperature").inverse_temperature
    want = solved(counts, lambda s, a: a * log_odds(s), (log_odds,), (inverse,))
    assert inverse == pytest.approx(want, rel=1e-11)


def test_two_scores_fit_their_shares():
    """Two scores, two parameters: the fit goes through both shares."""
    s, shares = (0.3, 0.6), (0.2, 0.75)
    counts = (s, [20, 75], [80, 25])
    slope = (logit(0.75) - logit(0.2)) / (logit(0.6) - logit(0.3))
    c = cm.Calibration(*counts)
    assert c.slope == pytest.approx(slope, rel=1e-13)
    assert c.intercept == pytest.approx(logit(0.2) - slope * logit(0.3), rel=1e-12)
    fit = recalibrate(*counts, "platt", smoothing=False)
    assert fit.a == pytest.approx((logit(0.75) - logit(0.2)) / 0.3, rel=1e-13)
    np.testing.assert_allclose(fit.apply(s), shares, rtol=1e-13)


@pytest.mark.parametrize("share", [0.001, 0.2, 0.9])
def test_one_score(share):
    c = cm.Calibration([0.3], [1000 * share], [1000 * (1 - share)])
    assert c.in_the_large == pytest.approx(logit(share) - logit(0.3), rel=1e-13)
    assert c.reason("slope") == "all scores are equal"
    if share < 0.5:
        fit = recalibrate([0.3], [1000 * share], [1000 * (1 - share)], "temperature")
        assert fit.temperature == pytest.approx(logit(0.3) / logit(share), rel=1e-12)


@pytest.mark.parametrize("slope", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("intercept", [-6.0, 0.0, 0.5])
def test_the_line_that_made_the_shares_is_found(slope, intercept):
    s = np.linspace(0.01, 0.99, 99)
    odds = slope * np.log(s / (1 - s)) + intercept
    share = 1 / (1 + np.exp(-odds))
    c = cm.Calibration(s, 50 * share, 50 * (1 - share))
    assert (c.slope, c.intercept) == pytest.approx((slope, intercept), rel=1e-11, abs=1e-12)
    if not intercept:
        fit = recalibrate(s, 50 * share, 50 * (1 - share), "temperature")
        assert fit.temperature == pytest.approx(1 / slope, rel=1e-11)
    if slope == 1:
        assert c.in_the_large == pytest.approx(intercept, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("shift", [-30.0, 30.0])
def test_shares_far_from_the_scores(shift):
    """The start of the search is in the flat part of the likelihood."""
    s = 1 / (1 + np.exp(-(np.array([-1.0, 0.0, 1.0]) + shift)))
    if shift > 0:  # near 1 scores have few digits: take what they are
        s = np.array([1 - 3e-13, 1 - 1e-13, 1 - 4e-14])
    counts = (s, [1, 2, 3], [4, 4, 4])
    c = cm.Calibration(*counts)
    start = (c.slope, c.intercept)
    line = solved(counts, lambda x, a, b: a * log_odds(x) + b, (log_odds, one), start)
    assert start == pytest.approx(line, rel=1e-8)
    offset = solved(counts, lambda x, b: log_odds(x) + b, (one,), (c.in_the_large,))
    assert c.in_the_large == pytest.approx(offset, rel=1e-10)


@pytest.mark.parametrize(
    ("x", "positives", "negatives"),
    [
        ([-8, -0.1, 1.1, 9.7], [100, 0, 0, 10], [1000, 1e5, 1, 0]),
        ([-6, -1.9, 0.3, 1.1, 1.2], [0, 1e5, 0, 1, 100], [1e4, 10, 1000, 0, 0]),
        ([-0.02, -0.01, 0.15], [0, 100, 0], [1, 10, 1e5]),
        ([-40, -30, 2, 9], [100, 1000, 1, 1000], [1, 0, 100, 0]),
        ([-31, -8], [0, 1], [100, 1]),
        ([0.27, 0.34], [1e5, 1], [1, 10]),
        ([-31.635, 2.933, 4.953, 31.726], [1e6, 10, 100, 1e5], [1000, 1e6, 0, 0]),
    ],
)
def test_undamped_steps_would_run_away(x, positives, negatives):
    counts = (1 / (1 + np.exp(-np.array(x))), positives, negatives)
    c = cm.Calibration(*counts)
    offset = solved(counts, lambda s, b: log_odds(s) + b, (one,), (c.in_the_large,))
    assert c.in_the_large == pytest.approx(offset, rel=1e-8)  # flat there: few digits
    if len(x) > 2:
        start = (c.slope, c.intercept)
        line = solved(counts, lambda s, a, b: a * log_odds(s) + b, (log_odds, one), start)
        assert start == pytest.approx(line, rel=1e-9)
    elif positives[0]:
        shares = np.array(positives) / (np.array(positives) + negatives)
        rise = logit(shares[1]) - logit(shares[0])
        assert c.slope == pytest.approx(rise / (x[1] - x[0]), rel=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_spiegelhalter(seed):
    rows = scored(seed)
    c = cm.Calibration(*rows.counts())
    s = [mpf(float(x)) for x in rows.s]
    top = sum((int(y) - p) * (1 - 2 * p) for y, p in zip(rows.y, s, strict=True))
    z = top / mpmath.sqrt(sum((1 - 2 * p) ** 2 * p * (1 - p) for p in s))
    assert c.spiegelhalter_z == pytest.approx(float(z), rel=1e-12, abs=1e-14)
    both_tails = 2 * mpmath.ncdf(-abs(z))
    assert c.spiegelhalter_p == pytest.approx(float(both_tails), rel=1e-10)
    # It is the standardised Brier score (Spiegelhalter 1986, eq. 9).
    expected = sum(p * (1 - p) for p in s) / len(s)
    spread = mpmath.sqrt(sum((1 - 2 * p) ** 2 * p * (1 - p) for p in s)) / len(s)
    assert c.spiegelhalter_z == pytest.approx(float((c.brier - expected) / spread), rel=1e-9)


def test_spiegelhalter_of_scores_without_variance():
    c = cm.Calibration([0.0, 0.5, 1.0], [1, 2, 3], [1, 2, 3])
    assert math.isnan(c.spiegelhalter_z)
    assert math.isnan(c.spiegelhalter_p)
    assert c.reason("spiegelhalter_p") == "every score is 0, 0.5 or 1: the variance is 0"


@pytest.mark.parametrize(
    ("positives", "negatives"),
    [([0, 0, 3, 4], [5, 1, 0, 0]), ([2, 2, 0, 0], [0, 0, 1, 1]), ([0, 2, 3, 0], [5, 1, 0, 0])],
)
def test_separated_classes(positives, negatives):
    c = cm.Calibration([0.1, 0.4, 0.6, 0.9], positives, negatives)
    assert math.isnan(c.slope)
    assert math.isnan(c.intercept)
    assert c.reason("intercept").startswith("the scores separate the classes")
    assert math.isfinite(c.in_the_large)


def test_one_row_on_the_other_side_is_enough():
    c = cm.Calibration([0.1, 0.4, 0.6, 0.9], [1, 0, 1000, 1000], [1000, 1000, 1, 0])
    assert 0 < c.slope < math.inf
    assert c.reason("slope") is None


def test_scores_of_0_and_1_have_no_logit():
    rows = ([0.0, 0.3, 0.7, 1.0], [1, 2, 5, 9], [9, 4, 3, 1])
    c = cm.Calibration(*rows)
    for name in ("slope", "intercept", "in_the_large"):
        assert math.isnan(getattr(c, name))
        assert "`clip=1e-6` would move it" in c.reason(name)
    clipped = cm.Calibration(*rows, clip=0.01)
    plain = cm.Calibration([0.01, 0.3, 0.7, 0.99], *rows[1:])
    assert clipped.slope == pytest.approx(plain.slope, rel=1e-12)
    assert clipped.in_the_large == pytest.approx(plain.in_the_large, rel=1e-12)
    assert clipped.brier == c.brier
    assert clipped.spiegelhalter_z == c.spiegelhalter_z
