"""Binned sweeps whose bins hold one score each give the numbers of the exact sweep."""

import copy
import itertools
import math
import pickle
from functools import reduce
from operator import add

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.forgotten import forgotten, of_type

import confmat as cm
from confmat.scores.points import outside

RNG = np.random.default_rng(11)
RANKS = ("roc_auc", "gini", "average_precision", "pr_auc_trapezoid", "ks", "eer")
LOSSES = ("brier", "brier_skill", "log_loss", "ece", "ece(15)", "mce", "rms_ce")
HALVES = np.arange(65536, dtype=np.uint16).view(np.float16)
HALVES = HALVES[~np.isnan(HALVES)]
SPECIAL = np.array([0.0, -0.0, 6e-8, -6e-8, 6.1e-5, 65504, -65504, np.inf, -np.inf], np.float16)


def bfloat16(scores):
    return (np.asarray(scores, np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)


def agree(binned, exact):
    """Check that every number of a binned sweep is that of the exact one, bit for bit."""
    assert binned.is_exact
    assert exact.is_exact
    assert binned.scores.dtype == exact.scores.dtype
    for name in ("scores", "positives", "negatives", "tp", "fp"):
        np.testing.assert_array_equal(getattr(binned, name), getattr(exact, name))
    losses = () if outside(exact) else LOSSES
    for name in RANKS + losses:
        value = exact.value(name)
        assert binned.value(name) == value or math.isnan(value)
        np.testing.assert_array_equal(binned.bounds(name), (value, value))
        assert binned.reason(name) == exact.reason(name)
    for part in ({"max_fpr": 0.3}, {"min_tpr": 0.6}):
        area = exact.value("partial_auc", **part)
        np.testing.assert_array_equal(binned.bounds("partial_auc", **part), (area, area))
    assert binned.roc_curve().equals(exact.roc_curve())
    assert binned.pr_curve().equals(exact.pr_curve())
    assert binned.table().equals(exact.table())
    assert binned.best("f1") == exact.best("f1") or math.isnan(exact.best("f1").value)
    if losses:
        assert binned.n_clipped == exact.n_clipped
        assert binned.decision_curve().equals(exact.decision_curve())
        assert binned.calibration().table().equals(exact.calibration().table())
    finite = exact.scores[np.isfinite(exact.scores)].astype(np.float64)
    for at in finite[:: max(len(finite) // 9, 1)]:
        for threshold in (at, np.nextafter(at, math.inf), np.nextafter(at, -math.inf)):
            assert binned.at(threshold) == exact.at(threshold)
            recall = exact.metric_bounds("recall", threshold)
            np.testing.assert_array_equal(binned.metric_bounds("recall", threshold), recall)


def truth(scores):
    return RNG.random(len(scores)) < 0.4


@pytest.mark.parametrize(
    "given", [np.asarray, pl.Series, pa.array, lambda x: pa.chunked_array([x])]
)
def test_each_float16_is_a_bin(given):
    scores = np.concatenate([RNG.permutation(HALVES), SPECIAL, SPECIAL])
    y = truth(scores)
    exact, binned = cm.sweep(y, scores), cm.sweep(y, given(scores), bins=65536)
    assert isinstance(binned.bins, str)
    assert binned.bins == "float16"
    assert len(binned) == len(np.unique(HALVES))
    agree(binned, exact)
    assert binned.upper[0] == math.inf
    np.testing.assert_array_equal(binned.upper[1:], binned.lower[:-1])
    wide = cm.sweep(y, scores.astype(np.float32), bins=binned.bins)
    assert wide != binned  # log loss clips float32 scores elsewhere
    assert of_type(wide, "float16") == binned
    assert cm.sweep(y, scores, bins=32768).bins == 32768
    unit = np.abs(scores[np.abs(scores) <= 1])
    y = truth(unit)
    agree(cm.sweep(y, given(unit), bins=65536), cm.sweep(y, unit))


def test_wider_scores_are_rounded_down_to_float16():
    halves = np.unique(HALVES).astype(np.float64)
    finite = halves[np.isfinite(halves)]
    scores = np.concatenate([
        halves,
        np.nextafter(finite, math.inf),
        np.nextafter(finite, -math.inf),
        RNG.permutation(finite) + RNG.random(len(finite)) * 7,
        [5e-324, -5e-324, 1e300, -1e300, 65519.99, 65520, -65520],
    ])  # fmt: skip
    for dtype in (np.float64, np.float32):
        with np.errstate(over="ignore"):
            given = scores.astype(dtype)
        s = cm.sweep(np.ones(len(given), bool), given, bins="float16", pos_label=True)
        assert not s.is_exact
        place = np.searchsorted(halves, given, "right") - 1
        bins, counts = np.unique(place, return_counts=True)
        np.testing.assert_array_equal(s.lower, halves[bins][::-1])
        np.testing.assert_array_equal(s.upper, np.append(halves[1:], math.inf)[bins][::-1])
        np.testing.assert_array_equal(s.positives, counts[::-1])


QUANTIZED = {
    "bfloat16": bfloat16(RNG.random(20_000)),
    "k/255": RNG.integers(0, 256, 20_000) / 255,
    "k/255 of float32": RNG.integers(0, 256, 20_000).astype(np.float32) / np.float32(255),
    "k/100": RNG.integers(0, 101, 20_000) / 100,
    "a list": (RNG.integers(0, 11, 500) / 10).tolist(),
    "int8": RNG.integers(-128, 128, 20_000).astype(np.int8),
    "uint8": RNG.integers(0, 256, 20_000).astype(np.uint8),
    "int64": RNG.integers(-99, 99, 20_000) * 2**40,
    "one": np.full(50, 0.1),
    "infinite": RNG.choice([-math.inf, 0.0, 1e300, math.inf], 500),
}


@pytest.mark.parametrize("scores", QUANTIZED.values(), ids=QUANTIZED)
@pytest.mark.parametrize("weight", [None, "int", "float"])
def test_quantized_scores_are_exact(scores, weight):
    y = truth(scores)
    w = {None: None, "int": RNG.integers(0, 5, len(y)), "float": RNG.random(len(y))}[weight]
    binned = cm.sweep(y, scores, bins=65536, sample_weight=w)
    agree(binned, cm.sweep(y, scores, sample_weight=w))
    assert binned != forgotten(binned)


@pytest.mark.parametrize("bins", [np.arange(-0.5, 256) / 255, ("quantile", 4000)])
def test_edges_and_quantiles_with_one_score_each_are_exact(bins):
    scores = QUANTIZED["k/255"]
    y = truth(scores)
    s = cm.sweep(y, scores, bins=bins)
    agree(s, cm.sweep(y, scores))
    assert cm.sweep(y, scores, bins=s.bins) == s
    assert not cm.sweep(y, scores, bins=("quantile", 40)).is_exact


@pytest.mark.parametrize("bins", ["unit", 65536, "float16", [0.0, 0.25, 0.5, 0.75, 1.0]])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_outlier_makes_it_inexact(bins, dtype):
    scores = RNG.choice(np.array([0.0, 0.3, 0.5, 0.8]), 3_000_000).astype(dtype)
    y = truth(scores)
    s = cm.sweep(y, scores, bins=bins)
    assert s.is_exact
    assert "bins of one score each" in str(s)
    assert "bins of one score each" in s._repr_html_()
    for at in (0, len(scores) - 1):
        other = scores.copy()
        other[at] = np.nextafter(dtype(0.3), dtype(1))
        t = cm.sweep(y, other, bins=bins)
        assert not t.is_exact
        assert t.scores is None
        assert "one score each" not in str(t)
        low, high = t.roc_auc_bounds
        assert low < t.roc_auc < high
        with pytest.raises(cm.InputError, match="lies inside the bin"):
            t.at(0.8000001)
        if at == 0:  # a row of weight 0 is as good as absent, and so is a null
            weight = np.ones(len(y), int)
            weight[0] = 0
            assert cm.sweep(y, other, bins=bins, sample_weight=weight).is_exact
            nulls = pl.Series(other).scatter(0, None)
            assert cm.sweep(y, nulls, bins=bins).is_exact


FEW = st.sampled_from([0.1, 0.10005, 0.25, 0.8, -0.0, 0.0])  # the second in the bin of the first
NUMBERS = st.one_of(FEW, FEW, FEW, st.floats(0, 1))
ROW = st.tuples(st.integers(0, 1), NUMBERS, st.integers(1, 3))
ROWS = st.lists(ROW, max_size=12)
BINS = st.sampled_from([2, 16, 65536, "float16", "unit", [0.0, 0.2, 0.3, 0.5, 1.0]])
DTYPES = st.sampled_from([np.float16, np.float32, np.float64])
WEIGHTS = st.sampled_from([None, int])


def swept(rows, bins=None, dtype=np.float64, weight=None):
    y, scores, w = (np.array([row[i] for row in rows]) for i in range(3))
    w = None if weight is None else w.astype(weight)
    with np.errstate(under="ignore"):
        return cm.sweep(y.astype(int), scores.astype(dtype), bins=bins, sample_weight=w)


@given(ROWS, BINS, DTYPES, WEIGHTS)
def test_exact_means_one_score_a_bin_and_no_width(rows, bins, dtype, weight):
    binned, exact = swept(rows, bins, dtype, weight), swept(rows, None, dtype, weight)
    assert binned.is_exact == (len(exact) == len(binned))
    if binned.is_exact:
        agree(binned, exact)
    assert forgotten(binned) == forgotten(swept(rows[::-1], bins, dtype, weight))
    assert binned.to_bytes() == swept(rows[::-1], bins, dtype, weight).to_bytes()
    for back in (pickle.loads(pickle.dumps(binned)), copy.copy(binned)):
        assert back == binned
        assert back.is_exact == binned.is_exact


@given(st.lists(st.lists(ROW, max_size=3), min_size=2, max_size=4), BINS, DTYPES)
def test_parts_merge_to_the_whole_bit_for_bit(parts, bins, dtype):
    bins = "float16" if dtype is np.float16 and bins == 65536 else bins
    whole = swept([row for part in parts for row in part], bins, dtype)
    states = [swept(part, bins, dtype) for part in parts]
    for order in itertools.permutations(states):
        merged = reduce(add, order)
        assert merged == whole
        assert merged.to_bytes() == whole.to_bytes()


@given(ROWS, ROWS, BINS)
def test_what_is_exact_stays_so_when_rows_are_taken_away(one, two, bins):
    a, b = swept(one, bins), swept(two, bins)
    left = (a + b) - b
    assert forgotten(left) == forgotten(a)
    assert left.is_exact == ((a + b).is_exact or not one)  # of no rows: exact
    if left.is_exact:
        assert left.to_bytes() == a.to_bytes()


def test_merging_exact_with_inexact_is_inexact():
    exact = cm.sweep([0, 1], [0.1, 0.8], bins=[0.0, 0.5, 1.0])
    other = cm.sweep([0, 1], [0.1, 0.9], bins=[0.0, 0.5, 1.0])
    several = cm.sweep([0, 1], [0.1, 0.2], bins=[0.0, 0.5, 1.0])
    assert exact.is_exact
    assert other.is_exact
    assert not several.is_exact
    for sum_ in (exact + other, exact + several, several + exact, several + several):
        assert not sum_.is_exact
    assert (exact + exact).is_exact
    with pytest.raises(cm.InputError, match=r"holds the score 0\.9 in the second and 0\.8 in the"):
        exact - other
    assert ((exact + exact) - exact) == exact


def test_bins_of_float16_are_their_own():
    scores = np.array([0.1, 0.9], np.float16)
    half = cm.sweep([0, 1], scores, bins=65536)
    with pytest.raises(cm.InputError, match="a sweep of float16 bins and a sweep of 65536 bins"):
        half + cm.sweep([0, 1], scores.astype(np.float32), bins=65536)
    with pytest.raises(cm.InputError, match='"float16"'):
        cm.sweep([0, 1], scores, bins="float8")
    wide = cm.sweep([0, 1], np.array([0.1, 0.9], np.float32), bins="float16")
    with pytest.raises(cm.InputError, match=r"clips float16 scores at 2\^-10 and float32 scores"):
        half + wide
    both = half + of_type(wide, "float16")  # not the same 0.1 and 0.9
    assert (len(both), both.is_exact) == (2, False)
