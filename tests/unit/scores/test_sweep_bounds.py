"""Intervals of binned sweeps hold the values of the exact scores, whatever these are."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.forgotten import forgotten

import confmat as cm
from confmat.scores import bounds as score_bounds

NAMES = ("roc_auc", "gini", "average_precision", "ks", "eer")
PROBABILITIES = ("brier", "brier_skill", "log_loss", "d2_log_loss", "ece", "ece(3)", "ece(15)")
EDGES = [0.0, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0]
# Scores on edges of the bins and of the calibration bins, next to them, and everywhere else.
CORNERS = [x + d for x in EDGES for d in (0.0, 1e-16, 1e-9, -1e-9) if 0 <= x + d <= 1]
scores_in_unit = st.one_of(st.sampled_from(CORNERS), st.floats(0, 1, allow_subnormal=False))
pairs = st.tuples(st.integers(0, 1), scores_in_unit, st.integers(1, 4))
any_bins = st.sampled_from([EDGES, [0.0, 1.0], [0.0, 0.5, 1.0], 2, 64, 4096, 65536, "unit"])
weights = st.sampled_from([None, "int", "float"])


def swept(rows, bins=None, weight=None):
    y, scores, w = zip(*rows, strict=True)
    w = {None: None, "int": np.array(w), "float": np.array(w) / 3}[weight]
    return cm.sweep(np.array(y), np.array(scores), sample_weight=w, bins=bins)


def holds(interval, value, room=0.0):
    low, high = interval
    if math.isnan(value):
        return math.isnan(low) and math.isnan(high)
    return low - room <= value <= high + room


# No double lies between the last two of these, and each has a bin of its own.
@example([(0, 0.0, 1), (0, 1.0, 1), (0, 1 - 2**-53, 1)], "unit", None)
@given(st.lists(pairs, min_size=1, max_size=40), any_bins, weights)
def test_hold_the_exact_values(rows, bins, weight):
    exact, binned = swept(rows, None, weight), forgotten(swept(rows, bins, weight))
    for name in NAMES + PROBABILITIES:
        value = exact.value(name)
        assert holds(binned.bounds(name), value), (name, binned.bounds(name), value)
        assert holds(binned.bounds(name), binned.value(name)), name
        assert exact.bounds(name) == (value, value) or math.isnan(value)


@given(st.lists(pairs, min_size=2, max_size=40), any_bins, st.floats(0.01, 1.0), st.booleans())
def test_hold_the_partial_areas(rows, bins, part, standardize):
    exact, binned = swept(rows), forgotten(swept(rows, bins))
    for option in ({"max_fpr": part}, {"min_tpr": 1 - part}):
        value = exact.value("partial_auc", **option, standardize=standardize)
        # Standardizing divides the rounding of the area by as little as part * (1 - part / 2).
        assert holds(
            binned.bounds("partial_auc", **option, standardize=standardize), value, 1e-15 / part**2
        )


def worst_and_best(counts):
    """Return scores in [0, 1) of bins of (p, n): positives below or above all negatives."""
    sides = []
    for up in (0.2, 0.8):
        rows = []
        for at, (p, n) in enumerate(counts):
            place = len(counts) - 1 - at
            rows += [(1, (place + up) / len(counts), 1)] * p
            rows += [(0, (place + 0.5) / len(counts), 1)] * n
        sides.append(swept(rows))
    return sides


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6))
def test_are_tight_for_ranks(counts):
    if not all(map(sum, zip(*counts, strict=True))):
        return
    worst, best = worst_and_best(counts)
    edges = np.linspace(0, 1, len(counts) + 1)
    at = edges[:-1][::-1]
    rows = [(1, x, 1) for x, (p, _) in zip(at, counts, strict=True) for _ in range(p)]
    rows += [(0, x, 1) for x, (_, n) in zip(at, counts, strict=True) for _ in range(n)]
    binned = forgotten(swept(rows, edges))
    low, high = binned.roc_auc_bounds
    assert math.isclose(low, worst.roc_auc, abs_tol=1e-12)
    assert math.isclose(high, best.roc_auc, abs_tol=1e-12)
    assert math.isclose(binned.average_precision_bounds[1], best.average_precision, abs_tol=1e-12)
    low, high = binned.ks_bounds
    assert math.isclose(high, max(best.ks, worst.ks), abs_tol=1e-12) or high >= best.ks
    total = sum(p * n for p, n in counts)
    width = total / (binned.n_positive * binned.n_negative)
    assert math.isclose(np.diff(binned.roc_auc_bounds)[0], width, abs_tol=1e-12)


def orders(p, n):
    """Return every ranking of p positives and n negatives, ties included, best ones first."""
    if p == n == 0:
        yield ()
        return
    for a, b in itertools.product(range(p + 1), range(n + 1)):
        if a + b:
            yield from (((a, b), *rest) for rest in orders(p - a, n - b))


def precision_sum(ranking):
    """Return average precision as a fraction, from (positives, negatives) of each score."""
    tp = fp = total = Fraction(0)
    for p, n in ranking:
        tp, fp = tp + p, fp + n
        total += p * (tp / (tp + fp))
    return total / tp


@pytest.mark.parametrize(
    "counts",
    [
        ((1, 1),), ((2, 2),), ((3, 2),), ((2, 3),), ((0, 1), (3, 1)), ((1, 2), (2, 1)),
        ((2, 0), (2, 2), (0, 1)), ((0, 2), (2, 2)), ((1, 0), (0, 3), (3, 1)), ((1, 1), (1, 1)),
    ],
)  # fmt: skip
def test_average_precision_of_counts_is_attained(counts):
    ways = itertools.product(*(list(orders(p, n)) for p, n in counts))
    values = [precision_sum(itertools.chain(*way)) for way in ways]
    rows = [
        (y, i, m)
        for i, bin in enumerate(counts[::-1])
        for y, m in zip((1, 0), bin, strict=True)
        if m
    ]
    binned = forgotten(swept(rows, [*map(float, range(len(counts) + 1))], "int"))
    low, high = binned.average_precision_bounds
    assert low <= min(values) <= low + 1e-13
    assert high - 1e-13 <= max(values) <= high


@given(
    st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), min_size=1, max_size=8),
    st.sampled_from([0, 31, 10**6, 2**40]),
)
def test_average_precision_of_positives_last(counts, before):
    """The least is the value with all negatives of a bin first and its positives apart."""
    counts = [(before, before // 3), *counts]
    t, f = (np.cumsum([0, *part]) for part in zip(*counts, strict=True))
    if not t[-1]:
        return
    total = Fraction(0)
    for i, (p, n) in enumerate(counts[1:], 1):
        total += sum(
            Fraction(int(t[i]) + k, int(t[i]) + k + int(f[i]) + n) for k in range(1, p + 1)
        )
    first = score_bounds.average_precision(t[:2] * 1.0, f[:2] * 1.0, True)[0] if before else 0.0
    exact = (float(total) + first * before) / int(t[-1])
    low, _ = score_bounds.average_precision(t * 1.0, f * 1.0, True)
    assert math.isclose(low, exact, rel_tol=0, abs_tol=5e-14)


def test_average_precision_of_weights_lies_below_that_of_counts():
    tp, fp = np.array([0.0, 3.0, 3.0, 40.0]), np.array([0.0, 5.0, 9.0, 12.0])
    counts, weights = (score_bounds.average_precision(tp, fp, whole) for whole in (True, False))
    assert weights[0] < counts[0]
    assert weights[1] == counts[1]


@given(st.integers(0, 2**60), st.integers(1, 2**60))
def test_harmonic_differences(a, p):
    a, p = float(a), float(p)
    mpmath.mp.dps = max(mpmath.mp.dps, 50)
    exact = mpmath.psi(0, mpmath.mpf(a) + p + 1) - mpmath.psi(0, mpmath.mpf(a) + 1)
    assert math.isclose(
        score_bounds.harmonic(np.array([a]), np.array([p]))[0], exact, rel_tol=2e-15
    )


def test_fine_bins_give_narrow_intervals():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 20_000)
    scores = np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0.02, 0.98)
    s = cm.sweep(y, scores, bins=np.linspace(0, 1, 4097))
    for name in NAMES + PROBABILITIES:
        low, high = s.bounds(name)
        assert high - low < 0.02, (name, low, high)


def test_log_loss_of_float32_scores():
    scores = np.array([1e-30, 1e-30, 1 - 1e-7, 1.0], dtype=np.float32)
    for y in itertools.product([0, 1], repeat=4):
        exact = cm.sweep(list(y), scores)
        for bins in (64, 65536, [0.0, 0.5, 1.0]):
            assert holds(cm.sweep(list(y), scores, bins=bins).log_loss_bounds, exact.log_loss)


def test_costs_inside_a_bin():
    s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
    low, high = s.metric_bounds("cost", 0.35, cost=[[0, 3], [5, 0]])
    assert (round(low, 9), round(high, 9)) == (0.0, 8.0)
    low, high = s.metric_bounds("cost", 0.35, cost=[[-4, 3], [5, -1]])
    assert (round(low, 9), round(high, 9)) == (-10.0, 3.0)
    low, high = s.metric_bounds("mean_cost", 0.35, cost=[[0, 3], [5, 0]])
    assert (round(low, 9), round(high, 9)) == (0.0, 2.0)
    low, high = s.metric_bounds("top_left", 0.35)
    assert (round(low, 9), round(high, 9)) == (0.0, round(math.hypot(0.5, 0.5), 9))


def test_no_width_at_edges_between_bins_and_when_exact():
    rows = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    binned, exact = cm.sweep(*rows, bins=[0.0, 0.3, 0.6, 0.7, 1.0]), cm.sweep(*rows)
    for threshold in (0.3, 0.6, 0.65, 0.7, 1.0, 5.0, -1.0, math.inf):
        value = exact.at(threshold).recall
        assert binned.metric_bounds("recall", threshold) == (value, value)
    assert exact.metric_bounds("eve", 0.35) == (exact.at(0.35).eve,) * 2


def test_refuses_what_has_no_interval():
    s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
    for name in ("pr_auc_trapezoid", "mce", "rms_ce(5)"):
        with pytest.raises(cm.InputError, match="no bounds on a binned sweep"):
            s.bounds(name)
    with pytest.raises(cm.InputError, match="one number of a whole sweep"):
        s.metric_bounds("roc_auc", 0.35)
    with pytest.raises(cm.InputError, match="nope"):
        s.bounds("nope")
