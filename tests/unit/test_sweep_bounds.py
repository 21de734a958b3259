"""Intervals of binned sweeps hold the values of the exact scores, whatever these are."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.states import forgotten

import confmat as cm

NAMES = ("roc_auc", "gini", "average_precision", "ks", "eer")
PROBABILITIES = ("brier", "brier_skill", "log_loss", "ece", "ece(3)", "ece(15)")
EDGES = [0.0, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0]
# Scores on edges of the bins and of the calibration bins, next to them, and everywhere else.
CORNERS = [x + d for x in EDGES for d in (0.0, 1e-16, 1e-9, -1e-9) if 0 <= x + d <= 1]
scores_in_unit = st.one_of(st.sampled_from(CORNERS), st.floats(0, 1, allow_subnormal=False))
pairs = st.tuples(st.integers(0, 1), scores_in_unit, st.integers(1, 4))
any_bins = st.sampled_from([EDGES, [0.0, 1.0], [0.0, 0.5, 1.0], 2, 64, 4096, 65536])
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
        value = exact.partial_auc(**option, standardize=standardize)
        # Standardizing divides the rounding of the area by as little as part * (1 - part / 2).
        assert holds(
            binned.partial_auc_bounds(**option, standardize=standardize), value, 1e-15 / part**2
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


def test_average_precision_is_close_below():
    # Positives last and apart: the sum over them is within one step of the integral.
    rows = [(0, 0.5, 1)] * 50 + [(1, 0.5 - k * 1e-6, 1) for k in range(1, 101)]
    exact, binned = swept(rows), swept(rows, [0.0, 1.0])
    low, _ = binned.average_precision_bounds
    assert low <= exact.average_precision <= low + 1 / 100


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
