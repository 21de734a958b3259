"""Bounds of a metric in a bin hold it at every split of the bin; of counts they are attained."""

import math
from functools import cache
from itertools import combinations_with_replacement, pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from laws.test_shapes import DECLARED, grids
from support.forgotten import forgotten

import confmat as cm
from confmat import _core
from confmat.registry import find
from confmat.scores import split_bounds as score_splits

ROOM = 1e-12
EDGES = [0.0, 0.25, 0.5, 0.75, 1.0]


def close(one, two):
    return one == two or abs(one - two) <= ROOM * max(1.0, abs(two))


def inside(value, interval, room=ROOM):
    low, high = interval
    slack = room * max(1.0, abs(value)) if math.isfinite(value) else 0.0
    return low - slack <= value <= high + slack


def bounds(asked, tp, fp, p, n, weight=1.0):
    """Return the interval over a box, as a sweep asks for it."""
    kind = np.int64 if weight == 1.0 else np.float64
    tp, fp = (np.array(part, kind) * kind(weight) for part in (tp, fp))
    sizes = (kind(p * weight).item(), kind(n * weight).item())

    def metric(tp, fp, undefined=None):
        return _core.metrics_at([asked], tp, fp, *sizes, undefined=undefined)[0][0]

    fact = find(asked)
    limits = fact["lo"], fact["hi"]
    return score_splits.extremes(metric, fact["shape"], tp, fp, sizes, limits, edges=fact["edges"])


@cache
def boxes(p, n):
    """Return every box that is no point in a plane of p positives and n negatives."""
    sides = (tuple(combinations_with_replacement(range(k + 1), 2)) for k in (p, n))
    return [(tp, fp) for tp, fp in product(*sides) if (tp[0], fp[0]) != (tp[1], fp[1])]


def defined(asked, tp, fp, p, n, weight=1.0):
    values = grids(p, n, weight)[asked][0][tp[0] : tp[1] + 1, fp[0] : fp[1] + 1]
    return values[~np.isnan(values)]


@cache
def binned(tp, fp, p, n):
    """Return a sweep of three bins whose middle one lies between these counts."""
    at_least = [(0, 0), (tp[0], fp[0]), (tp[1], fp[1]), (p, n)]
    parts = [np.subtract(high, low) for low, high in pairwise(at_least)]
    rows = [
        (y, score)
        for score, part in zip((2, 1, 0), parts, strict=True)
        for y in np.repeat([1, 0], part)
    ]
    y, scores = zip(*rows, strict=True)
    return forgotten(cm.sweep(y, np.array(scores) + 0.5, bins=[0.0, 1.0, 2.0, 3.0]))


@pytest.mark.parametrize("asked", DECLARED)
def test_every_small_bin(asked):
    for p, n in product(range(3), repeat=2):
        for tp, fp in boxes(p, n):
            low, high = binned(tp, fp, p, n).metric_bounds(asked, 1.7)
            values = defined(asked, tp, fp, p, n)
            if values.size:
                assert close(low, values.min()), (tp, fp, p, n, low, high)
                assert close(high, values.max()), (tp, fp, p, n, low, high)
            else:
                assert math.isnan(low), (tp, fp, p, n)
                assert math.isnan(high), (tp, fp, p, n)


sizes = st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(any)
drawn_boxes = sizes.flatmap(lambda drawn: st.tuples(st.just(drawn), st.sampled_from(boxes(*drawn))))


@example(((0, 2), ((0, 0), (0, 2))), 0.37)  # no class but one at an end
@given(drawn_boxes, st.sampled_from([1.0, 0.37]))
def test_larger_bins(drawn, weight):
    (p, n), (tp, fp) = drawn
    for asked in DECLARED:
        interval = bounds(asked, tp, fp, p, n, weight)
        values = defined(asked, tp, fp, p, n, weight)
        for value in values:
            assert inside(value, interval), (asked, interval, value)
        if weight == 1.0 and values.size:
            assert close(interval[0], values.min()), asked
            assert close(interval[1], values.max()), asked


@pytest.mark.parametrize("tried", [4, pytest.param(15, marks=pytest.mark.long)])
@pytest.mark.parametrize("asked", [asked for asked in DECLARED if DECLARED[asked] != "monotone"])
def test_bins_too_large_to_try_every_split(asked, tried, monkeypatch):
    monkeypatch.setattr(score_splits, "_TRIED", 0)
    for p, n in ((7, 5), (12, 12), (11, 2), (4, 0), (0, 45)):
        for tp, fp in boxes(p, n)[:: len(boxes(p, n)) // tried + 1]:
            interval = bounds(asked, tp, fp, p, n)
            for value in defined(asked, tp, fp, p, n):
                assert inside(value, interval), (tp, fp, interval, value)


@pytest.mark.parametrize("asked", ["entropy_pred", "entropy_joint", "cen", "mcen"])
@pytest.mark.parametrize("box", [((20, 90), (10, 200)), ((0, 100), (0, 300)), ((7, 7), (90, 250))])
def test_domes_are_tight(asked, box, monkeypatch):
    exact = bounds(asked, *box, 100, 300)
    monkeypatch.setattr(score_splits, "_TRIED", 0)
    low, high = bounds(asked, *box, 100, 300)
    assert close(low, exact[0])
    assert exact[1] <= high <= exact[1] + 1e-3  # the top lies between whole points


@pytest.mark.parametrize("asked", ["cen", "mcen", "cramer_v", "nmi_min", "log_abs_gmcc", "recall"])
@pytest.mark.parametrize("weight", [1.0, 0.37])
def test_one_class_in_a_large_bin(asked, weight, monkeypatch):
    monkeypatch.setattr(score_splits, "_TRIED", 0)
    interval = bounds(asked, (0, 0), (0, 45), 0, 45, weight)
    values = defined(asked, (0, 0), (0, 45), 0, 45, weight)
    if values.size:
        assert all(inside(value, interval) for value in values)
        assert interval[1] > 0
    else:
        assert np.isnan(interval).all()


def test_counts_in_a_bin_are_whole():
    s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
    s = forgotten(s)
    assert s.metric_bounds("tp", 0.5) == (1.0, 2.0)
    assert s.metric_bounds("support", 0.5) == (2.0, 2.0)


scores_with_ties = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.3000001, 0.6, 0.7, 0.99])
row = st.tuples(st.booleans(), scores_with_ties, st.integers(1, 3))
some_names = st.lists(st.sampled_from(list(DECLARED)), min_size=20, max_size=20, unique=True)
weights = st.sampled_from([None, "int", "float"])


@given(st.lists(row, min_size=1, max_size=25), weights, some_names)
def test_exact_sweeps_at_every_threshold(rows, weighted, names):
    y, scores, weight = (np.array(part) for part in zip(*rows, strict=True))
    # Quarters, whose sums do not round: an undefined value is undefined in both sweeps.
    weight = {None: None, "int": weight, "float": weight / 4}[weighted]
    exact, held = (cm.sweep(y, scores, sample_weight=weight, bins=bins) for bins in (None, EDGES))
    held = forgotten(held)
    thresholds = [*scores, *np.nextafter(scores, 2.0), *np.linspace(0.01, 0.99, 7)]
    for threshold in np.unique(thresholds):
        values = exact.table(names, thresholds=[threshold])
        for name in names:
            value = values[name][0]
            interval = held.metric_bounds(name, threshold)
            assert value is None or inside(value, interval), (name, threshold, interval, value)
