"""The H measure, early recognition and the area under curves of gains, row by row and in 30 digits.

The H measure is the integral of the least cost of any threshold, without a hull; early recognition
is the sum over ranks as Truchon and Bayly write it; gains are points in exact fractions.
"""

import itertools
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from sklearn.metrics import hinge_loss

import confmat as cm

mpmath.mp.dps = max(mpmath.mp.dps, 50)  # what all tests share is never less
SEEDS = range(12)
CLOSE = {"rtol": 1e-13, "atol": 1e-14}


def ladder(seed):
    """Return scores and the counts of both classes at each, descending, both classes with rows."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 9))
    counts = rng.integers(0, (4, 40, 900)[seed % 3], (2, size))
    counts[:, rng.integers(size)] += 1
    if seed % 4 == 1:
        counts[0] = counts[0] > 0  # positives are rare
    if seed % 4 == 2:
        counts[1] = counts[1] > 0
    return np.linspace(0.9, 0.1, size), counts[0].tolist(), counts[1].tolist()


def swept(scores, positives, negatives):
    y = np.repeat([1] * len(scores) + [0] * len(scores), positives + negatives)
    return cm.sweep(y, np.repeat(np.append(scores, scores), positives + negatives))


def points(positives, negatives):
    """Return what lies at or above each threshold, beginning with none."""
    found = [(0, 0)]
    for p, n in zip(positives, negatives, strict=True):
        found.append((found[-1][0] + p, found[-1][1] + n))
    return found


def h_measure(positives, negatives, a, b):
    """Return 1 less the least cost at every c over that of the two constant answers."""
    curve = points(positives, negatives)
    total_p = curve[-1][0]

    def expected(allowed):
        crossings = {mpmath.mpf(0), mpmath.mpf(1)}
        for tp, fp in allowed:
            for more_tp, more_fp in allowed:
                if more_tp - tp + more_fp - fp > 0:
                    crossings.add(mpmath.mpf(more_tp - tp) / (more_tp - tp + more_fp - fp))
        ends = sorted(crossings)
        total = mpmath.mpf(0)
        for low, high in itertools.pairwise(ends):
            middle = (low + high) / 2
            cost = lambda c, at: c * at[1] + (1 - c) * (total_p - at[0])  # noqa: E731
            best = min(allowed, key=lambda at: cost(middle, at))
            total += mpmath.quad(
                lambda c: cost(c, best) * c ** (a - 1) * (1 - c) ** (b - 1),  # noqa: B023
                [low, high],
            )
        return total

    return 1 - expected(curve) / expected([curve[0], curve[-1]])


def rank_sum(positives, negatives, alpha):
    """Return the robust initial enhancement, a row at a time; ties share their ranks."""
    n = sum(positives) + sum(negatives)
    rank = 0
    total = mpmath.mpf(0)
    for p, q in zip(positives, negatives, strict=True):
        weights = [
            mpmath.exp(-mpmath.mpf(alpha) * r / n) for r in range(rank + 1, rank + p + q + 1)
        ]
        total += p * mpmath.fsum(weights) / max(p + q, 1)
        rank += p + q
    random = (1 - mpmath.exp(-alpha)) / (mpmath.exp(mpmath.mpf(alpha) / n) - 1) / n
    return total / sum(positives) / random


def bedroc(positives, negatives, alpha):
    share = mpmath.mpf(sum(positives)) / (sum(positives) + sum(negatives))
    alpha = mpmath.mpf(alpha)
    scale = mpmath.cosh(alpha / 2) - mpmath.cosh(alpha / 2 - alpha * share)
    start = 1 / (1 - mpmath.exp(alpha * (1 - share)))
    return rank_sum(positives, negatives, alpha) * share * mpmath.sinh(alpha / 2) / scale + start


def area_of_gains(positives, negatives):
    """Return the area under the curve of gains where the recall gain is 0 or more."""
    curve = [(Fraction(tp), Fraction(fp)) for tp, fp in points(positives, negatives)]
    total_p, total_n = curve[-1]

    def gains(tp, fp):
        precision, recall, share = tp / (tp + fp), tp / total_p, total_p / (total_p + total_n)
        of = lambda x: (x - share) / ((1 - share) * x)  # noqa: E731
        return of(recall), of(precision)

    area = Fraction(0)
    for (tp, fp), (next_tp, next_fp) in itertools.pairwise(curve):
        start = total_p * total_p / (total_p + total_n)
        if next_tp <= start or next_tp == tp:
            continue
        if tp < start:
            fp += (next_fp - fp) * (start - tp) / (next_tp - tp)
            tp = start
        (left, low), (right, high) = gains(tp, fp), gains(next_tp, next_fp)
        area += (right - left) * (low + high) / 2
    return float(area)


@pytest.mark.parametrize("seed", SEEDS)
def test_h_measure(seed):
    scores, positives, negatives = ladder(seed)
    s = swept(scores, positives, negatives)
    share = mpmath.mpf(sum(positives)) / (sum(positives) + sum(negatives))
    wanted = (
        float(h_measure(positives, negatives, 2, 2)),
        float(h_measure(positives, negatives, 1 + share, 2 - share)),
    )
    np.testing.assert_allclose([s.h_measure, s.h_measure_prior], wanted, **CLOSE)


@pytest.mark.parametrize("alpha", [0.001, 1, 20, 80.5, 1000])
@pytest.mark.parametrize("seed", SEEDS)
def test_early_recognition(seed, alpha):
    scores, positives, negatives = ladder(seed)
    s = swept(scores, positives, negatives)
    found = s.value("rie", alpha=alpha), s.value("bedroc", alpha=alpha)
    wanted = (
        float(rank_sum(positives, negatives, alpha)),
        float(bedroc(positives, negatives, alpha)),
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-11 if alpha < 1 else 1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_area_of_gains(seed):
    scores, positives, negatives = ladder(seed)
    s = swept(scores, positives, negatives)
    np.testing.assert_allclose(s.pr_gain_auc, area_of_gains(positives, negatives), **CLOSE)


def test_gains_of_weights_of_any_size():
    y, scores = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2]
    for light in (1e-60, 1e-110, 1e-149):
        weights = np.where(y, light, 1.0)
        found = cm.sweep(y, scores, sample_weight=weights).pr_gain_auc
        wanted = area_of_gains([light, 0, light, 0, 0], [0, 1, 0, 1, 1])
        assert np.isclose(found, float(wanted), rtol=1e-12)


def test_ends_of_the_ranges():
    perfect = cm.sweep([1, 1, 0, 0, 0], [0.9, 0.8, 0.3, 0.2, 0.1])
    worst = cm.sweep([0, 0, 0, 1, 1], [0.9, 0.8, 0.3, 0.2, 0.1])
    tied = cm.sweep([1, 1, 0, 0, 0], [0.5] * 5)
    names = ["h_measure", "h_measure_prior", "bedroc", "pr_gain_auc"]
    assert list(perfect.values(names).values()) == [1, 1, 1, 1]
    np.testing.assert_allclose(list(worst.values(names).values())[:3], [0, 0, 0], atol=1e-15)
    assert tied.h_measure == tied.h_measure_prior == tied.pr_gain_auc == 0
    np.testing.assert_allclose(tied.rie, 1, rtol=1e-15)


def test_ties_are_the_mean_of_all_orders():
    # Of three rows that tie, one positive: it is first, second or third as often.
    rows = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]
    orders = [cm.sweep(y, [0.9, 0.8, 0.7, 0.1]).bedroc for y in rows]
    assert np.isclose(cm.sweep(rows[0], [0.8, 0.8, 0.8, 0.1]).bedroc, np.mean(orders), rtol=1e-14)


@pytest.mark.parametrize("name", ["h_measure", "h_measure_prior", "bedroc", "rie", "pr_gain_auc"])
def test_the_unit_of_weights_is_nothing(name):
    rng = np.random.default_rng(7)
    y, scores, weight = rng.integers(0, 2, 300), rng.random(300).round(2), rng.random(300)
    one = cm.sweep(y, scores, sample_weight=weight).value(name)
    other = cm.sweep(y, scores, sample_weight=weight * 37).value(name)
    assert np.isclose(one, other, rtol=1e-12)


def test_bedroc_of_a_small_alpha_is_the_area():
    rng = np.random.default_rng(8)
    y, scores = rng.integers(0, 2, 300), rng.random(300).round(2)
    s = cm.sweep(y, scores)
    assert np.isclose(s.value("bedroc", alpha=0.001), s.roc_auc, atol=1e-3)


@pytest.mark.parametrize("alpha", [0, -1, 1001, float("nan"), float("inf")])
def test_alpha_out_of_range(alpha):
    with pytest.raises(cm.InputError, match=r"alpha, a number from 0\.001 to 1000"):
        cm.sweep([0, 1], [0.2, 0.8]).value("bedroc", alpha=alpha)
    with pytest.raises(cm.InputError, match=r"`alpha` is 'a'; wanted a number"):
        cm.sweep([0, 1], [0.2, 0.8]).value("bedroc", alpha="a")


@pytest.mark.parametrize("seed", range(6))
def test_hinge_loss(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 200)
    margin = rng.normal(size=200).round(2) * 2
    weights = rng.random(200) if seed % 2 else None
    wanted = hinge_loss(2 * truth - 1, margin, sample_weight=weights)
    s = cm.sweep(truth, margin, sample_weight=weights)
    assert s.hinge_loss == pytest.approx(wanted, rel=1e-14)
    both = np.column_stack([-margin, margin]) / 2  # each side's score above the other's
    k = cm.multiclass_sweep(truth, both, labels=[0, 1], sample_weight=weights)
    assert k.hinge_loss == pytest.approx(wanted, rel=1e-13)


def test_hinge_loss_of_endless_margins():
    assert cm.sweep([1, 0], [np.inf, -np.inf]).hinge_loss == 0
    assert cm.sweep([1, 0], [-np.inf, 0.0]).hinge_loss == np.inf
