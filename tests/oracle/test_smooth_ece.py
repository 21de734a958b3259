"""The smooth calibration error against sums of densities, integrated between their zeros."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import confmat as cm


def error_at(width, scores, residuals):
    """Return the integral of the size of the residuals, spread by normal densities."""
    turns = 2 * np.arange(-8, 9)
    at = np.concatenate([scores[:, None] + turns, turns - scores[:, None]], axis=1).ravel()
    mass = np.repeat(residuals, 2 * len(turns))

    def left(t):
        return float((mass * np.exp(-(((t - at) / width) ** 2) / 2)).sum())

    places = np.linspace(0, 1, 400)
    values = [left(t) for t in places]
    zeros = [
        brentq(left, a, b, xtol=1e-15)
        for a, b, x, y in zip(places, places[1:], values, values[1:], strict=False)
        if x * y < 0
    ]
    ends = [0, *zeros, 1]
    parts = [quad(left, a, b, epsabs=1e-12, epsrel=1e-12, limit=500)[0] for a, b in pairwise(ends)]
    return math.fsum(map(abs, parts)) / width / math.sqrt(2 * math.pi)


def smooth_ece(truth, scores, weights):
    at = np.unique(scores)
    left = weights * (truth - scores)
    residuals = np.array([left[scores == s].sum() for s in at]) / weights.sum()
    return brentq(lambda width: error_at(width, at, residuals) - width, 0.02, 2, xtol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_definition(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    scores = rng.random(n).round(2)
    scores[:2] = 0, 1  # rows at the ends count like any others
    truth = (rng.random(n) < 0.5).astype(int)
    weights = rng.integers(1, 4, n) / (1 if seed % 2 else 3)
    s = cm.sweep(truth, scores, sample_weight=weights)
    assert s.smooth_ece == pytest.approx(smooth_ece(truth, scores, weights), rel=1e-6)


@pytest.mark.parametrize("n", [1, 50, 3_000])
def test_of_scores_all_too_low_it_is_their_mean_distance(n):
    scores = np.linspace(0.1, 0.7, n)
    s = cm.sweep(np.ones(n, dtype=int), scores)
    assert s.smooth_ece == pytest.approx(1 - scores.mean(), rel=1e-12)


def test_perfect_scores_have_none_and_opposite_ones_have_all():
    assert cm.sweep([0, 1, 1], [0.0, 1.0, 1.0]).smooth_ece == 0
    # Halves of the rows spread into one another, so that some cancels.
    assert 0.3 < cm.sweep([0, 1], [1.0, 0.0]).smooth_ece < 1
    assert cm.sweep([0, 1] * 50, [0.5] * 100).smooth_ece == 0


def test_many_scores_are_put_on_a_grid_without_a_difference():
    rng = np.random.default_rng(2)
    scores = rng.random(1 << 20)
    truth = rng.random(1 << 20) < scores**1.1
    of_all = cm.sweep(truth, scores).smooth_ece
    # So few that each is spread by itself, and each of them twice and a half the rows.
    rounded = cm.sweep(truth, np.round(scores, 5)).smooth_ece
    assert of_all == pytest.approx(rounded, rel=1e-5)


def test_it_does_not_depend_on_the_unit_of_weights():
    rng = np.random.default_rng(4)
    scores, weights = rng.random(500), rng.random(500)
    truth = rng.random(500) < scores**1.5
    one = cm.sweep(truth, scores, sample_weight=weights).smooth_ece
    other = cm.sweep(truth, scores, sample_weight=weights * 1e-100).smooth_ece
    assert one == pytest.approx(other, rel=1e-12)
