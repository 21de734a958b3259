"""Sweeps from columns: inputs, totals, labels, merging, and what is refused."""

import math
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
EDGES = [-20.0, -3.0, 0.0, 0.5, 4.0, 20.0]
number = st.one_of(st.integers(-9, 9).map(float), st.floats(-9, 9), st.just(-0.0))
row = st.tuples(st.integers(0, 1), number, st.integers(1, 3))


def test_arrays_and_totals():
    s = cm.sweep([1, 0, 1, 0, 1], [0.5, 0.5, 0.25, 0.0, -0.0])
    assert s.scores.tolist() == [0.5, 0.25, 0.0]
    assert not np.signbit(s.scores).any()
    assert s.positives.tolist() == [1, 1, 1]
    assert s.negatives.tolist() == [1, 0, 1]
    assert s.positives.dtype == s.negatives.dtype
    assert s.positives.dtype.kind == "u"
    assert (s.tp.tolist(), s.fp.tolist()) == ([1, 2, 3], [1, 1, 2])
    assert s.tp.dtype == s.fp.dtype == np.int64
    assert (s.n, s.n_positive, s.n_negative, len(s)) == (5, 3, 2, 3)
    assert type(s.n) is type(s.n_positive) is int
    assert (s.labels, s.pos_label, s.weighted) == ([0, 1], 1, False)
    assert (s.n_dropped, s.n_nan) == (0, 0)


def test_nothing_changes():
    s = cm.sweep(Y, SCORES)
    for array in (s.scores, s.positives, s.negatives, s.tp, s.fp):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError, match="does not change"):
        s.n_nan = 3
    b = cm.sweep(Y, SCORES, bins=[0.0, 0.5, 1.0])
    for array in (b.lower, b.upper, b.bins):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


INPUTS = {
    "numpy": np.array,
    "polars": pl.Series,
    "pandas": pd.Series,
    "pyarrow": pa.array,
    "chunked": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "tuple": tuple,
}


@pytest.mark.parametrize("make", INPUTS.values(), ids=INPUTS)
def test_inputs(make):
    wanted = cm.sweep(Y, SCORES, sample_weight=[1, 2, 3, 4])
    assert cm.sweep(make(Y), make(SCORES), sample_weight=make([1, 2, 3, 4])) == wanted
    assert wanted.n_positive == 7


def test_labels():
    assert cm.sweep([False, True], [0.1, 0.9]).labels == [False, True]
    assert cm.sweep([2, 7], [0.1, 0.9], pos_label=2).labels == [7, 2]
    assert cm.sweep([2, 7], [0.1, 0.9], pos_label=np.int64(2)).labels == [7, 2]
    assert cm.sweep(["a", "b"], [0.1, 0.9], pos_label="a").labels == ["b", "a"]
    enum = pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))
    assert cm.sweep(enum, [0.1, 0.9], pos_label="b").labels == ["a", "b"]
    assert cm.sweep([0, 0], [0.1, 0.9]).labels == [0, 1]
    assert cm.sweep([1], [0.1]).labels == [0, 1]


def test_a_negative_class_without_rows_is_named_for_display():
    assert cm.sweep(["yes"], [0.5], pos_label="yes").labels == ["not yes", "yes"]
    assert cm.sweep([5], [0.5], pos_label=5).labels == [0, 5]
    assert cm.sweep(["yes"], [0.5], pos_label="yes").at(0.1).labels == ("not yes", "yes")
    one = cm.sweep(["yes"], [0.5], pos_label="yes")
    both = cm.sweep(["yes", "no"], [0.7, 0.5], pos_label="yes")
    assert (one + both).labels == (both + one).labels == ["no", "yes"]
    assert one + both == cm.sweep(["yes", "yes", "no"], [0.5, 0.7, 0.5], pos_label="yes")


def test_types_of_scores():
    assert cm.sweep(Y, np.array(SCORES, dtype=np.float32)).scores.dtype == np.float32
    assert cm.sweep(Y, np.array(SCORES, dtype=np.float16)).scores.dtype == np.float32
    assert cm.sweep(Y, [1, 2, 3, 4]).scores.dtype == np.float64
    assert cm.sweep(Y, np.array([1, 2, 3, 4], dtype=np.int8)).scores.tolist() == [4, 3, 2, 1]
    infinite = cm.sweep([1, 0], [math.inf, -math.inf])
    assert infinite.scores.tolist() == [math.inf, -math.inf]
    assert infinite.roc_auc == 1.0


def test_weights():
    s = cm.sweep(Y, SCORES, sample_weight=[0.5, 1.0, 0.25, 2.0])
    assert s.weighted
    assert s.positives.tolist() == [2.0, 0.0, 0.25, 0.0]
    assert (s.n, s.n_positive, s.n_negative) == (3.75, 2.25, 1.5)
    assert s.tp.dtype == np.float64
    assert not cm.sweep(Y, SCORES, sample_weight=[1, 2, 3, 4]).weighted


def test_nulls_and_nans_are_counted():
    y = [0, None, 1, 1, 0]
    scores = [0.1, 0.2, None, math.nan, 0.5]
    s = cm.sweep(y, scores, nan="drop")
    assert (s.n, s.n_dropped, s.n_nan) == (2, 2, 1)
    with pytest.raises(cm.InputError, match="nan at row 3 of `y_score`"):
        cm.sweep(y, scores)
    with pytest.raises(cm.InputError, match=r"null at row 1 of `y_true` \(2 rows have one\)"):
        cm.sweep(y, scores, nan="drop", nulls="raise")
    with pytest.raises(cm.InputError, match="null at row 0 of `sample_weight`"):
        cm.sweep([0, 1], [0.1, 0.2], sample_weight=[None, 1.0], nulls="raise")


BAD = {
    "classes": (([0, 2], [0.1, 0.2]), {}, "y_true"),
    "texts without pos_label": ((["a", "b"], [0.1, 0.2]), {}, "y_true"),
    "three classes": ((["a", "b", "c"], [0.1, 0.2, 0.3]), {"pos_label": "a"}, "y_true"),
    "pos_label absent": ((["a", "a"], [0.1, 0.2]), {"pos_label": "c"}, "pos_label"),
    "pos_label and two classes": ((["a", "b"], [0.1, 0.2]), {"pos_label": "c"}, "y_true"),
    "a float as pos_label": (([0, 1], [0.1, 0.2]), {"pos_label": 1.5}, "pos_label.*float 1.5"),
    "pos_label of another kind": (([0, 1], [0.1, 0.2]), {"pos_label": "x"}, "pos_label is x"),
    "a list as pos_label": (([0, 1], [0.1, 0.2]), {"pos_label": [1]}, "pos_label"),
    "integers that are no floats": (([0, 1], [2**60 + 1, 1]), {}, "at row 0 of `y_score`"),
    "infinite scores in quantiles": (
        ([0, 1], [0.1, math.inf]),
        {"bins": ("quantile", 4)},
        "`y_score` holds an infinite score",
    ),
    "lengths": (([0, 1], [0.1]), {}, "y_true|y_score"),
    "texts as scores": (([0, 1], ["0.1", "0.2"]), {}, "y_score"),
    "two-dimensional": (([0, 1], [[0.1, 0.2]]), {}, "y_score"),
    "a scalar": (([0, 1], 0.5), {}, "y_score"),
    "negative weights": (([0, 1], [0.1, 0.2]), {"sample_weight": [1, -1]}, "sample_weight"),
    "infinite weights": (
        ([0, 1], [0.1, 0.2]),
        {"sample_weight": [1.0, math.inf]},
        "sample_weight",
    ),
    "nan option": (([0], [0.1]), {"nan": "keep"}, "`nan` is 'keep'; wanted 'raise' or 'drop'"),
    "nulls option": (([0], [0.1]), {"nulls": "keep"}, "`nulls` is 'keep'"),
}


@pytest.mark.parametrize(("rows", "options", "words"), BAD.values(), ids=BAD)
def test_bad_input(rows, options, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(*rows, **options)


@pytest.mark.parametrize(
    ("bins", "words"),
    [
        (100, "`bins` is 100; wanted a power of two from 2 to 65536"),
        (1, "`bins` is 1"),
        (131072, "`bins` is 131072"),
        (True, "`bins` is True"),
        (0.5, "`bins` is 0.5"),
        ("auto", "`bins` is 'auto'"),
        ([0.5], r"`bins` has shape \(1,\); wanted 2 to"),
        ([[0, 1]], r"`bins` has shape \(1, 2\)"),
        ([0, 1, 1], "`bins` holds 1.0 after 1.0 at position 2; wanted increasing"),
        ([0, math.nan], "`bins` holds nan at position 1; wanted finite"),
        ([0, math.inf], "wanted finite"),
        (["a", "b"], "`bins` is not a list of numbers"),
        (("quantile",), "`bins` is .*quantile"),
        (("quantile", 0), "0 quantiles; wanted 1 to 65536"),
        (("quantile", 2.5), "`bins` is"),
        (("uniform", 5), "`bins` is"),
    ],
)
def test_bad_bins(bins, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(Y, SCORES, bins=bins)


def test_scores_outside_the_edges_have_bins_of_their_own():
    s = cm.sweep([*Y, 1, 0, 1], [*SCORES, -7.0, 1.0, math.inf], bins=[0.2, 0.5, 1.0])
    assert s.lower.tolist() == [1.0, 0.5, 0.2, -math.inf]
    assert s.upper.tolist() == [math.inf, 1.0, 0.5, 0.2]
    assert s.positives.tolist() == [1, 1, 1, 1]
    assert s.negatives.tolist() == [1, 0, 1, 1]
    assert s.at(1.0).counts.tolist() == [[2, 1], [3, 1]]
    assert s.at(0.0, nearest=True) == s.at(0.2)
    assert s.at(3.0, nearest=True) == s.at(1.0)
    assert s.at(math.inf).tp == 0
    assert cm.BinnedSweep.from_bytes(s.to_bytes()) == s
    assert (s + s - s) == s


def test_quantiles():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=20_000)
    y = rng.integers(0, 2, 20_000)
    s = cm.sweep(y, scores, bins=("quantile", 50))
    assert 45 <= len(s) <= 50
    rows = s.positives + s.negatives
    assert rows.sum() == 20_000
    assert rows.min() > 300
    assert rows.max() < 500
    exact = cm.sweep(y, scores)
    for edge in s.bins[1:-1]:
        assert s.at(edge) == exact.at(edge)
    # The edges found serve for other rows.
    other = cm.sweep(y[:10_000], scores[:10_000], bins=s.bins)
    rest = cm.sweep(y[10_000:], scores[10_000:], bins=s.bins)
    assert other + rest == s
    with pytest.raises(cm.InputError, match="there are no rows"):
        cm.sweep([], [], bins=("quantile", 5))


def swept(rows, **options):
    y, scores, weights = ([row[i] for row in rows] for i in range(3))
    y, scores = np.array(y, dtype=np.int64), np.array(scores, dtype=np.float64)
    return cm.sweep(y, scores, sample_weight=np.array(weights, dtype=np.int64), **options)


@given(
    st.lists(st.lists(row, max_size=12), min_size=1, max_size=5),
    st.sampled_from([None, EDGES, 2, 256, 65536]),
)
def test_split_and_merged_is_the_whole(parts, bins):
    whole = swept([row for part in parts for row in part], bins=bins)
    merged = reduce(add, [swept(part, bins=bins) for part in parts])
    assert merged == whole
    assert hash(merged) == hash(whole)
    assert merged.to_bytes() == whole.to_bytes()
    assert sum(swept(part, bins=bins) for part in parts) == whole


def test_mixed_counts_and_weights_merge_to_weights():
    both = cm.sweep(Y, SCORES) + cm.sweep([1], [0.4], sample_weight=[0.5])
    assert both.weighted
    assert both.n_positive == 2.5
    float32 = cm.sweep(Y, np.array(SCORES, dtype=np.float32))
    assert (float32 + float32).scores.dtype == np.float32
    assert (float32 + cm.sweep(Y, SCORES)).scores.dtype == np.float64
    assert len(float32 + cm.sweep(Y, SCORES)) == 8


def test_what_cannot_be_merged():
    s, b = cm.sweep(Y, SCORES), cm.sweep(Y, SCORES, bins=[0.0, 0.5, 1.0])
    texts = cm.sweep(["a", "b"], [0.1, 0.2], pos_label="b")
    with pytest.raises(cm.InputError, match="cannot add: labels differ"):
        s + texts
    with pytest.raises(cm.InputError, match="cannot add: labels differ"):
        texts + cm.sweep(["a", "b"], [0.1, 0.2], pos_label="a")
    with pytest.raises(cm.InputError, match="labels differ"):
        s + cm.sweep([False, True], [0.1, 0.2])
    with pytest.raises(cm.InputError, match="an exact sweep and a sweep of 2 given bins from 0"):
        s + b
    for bins in ([0.0, 0.4, 1.0], 64):
        with pytest.raises(cm.InputError, match="cannot add: a sweep of 2 given bins"):
            b + cm.sweep(Y, SCORES, bins=bins)
        with pytest.raises(cm.InputError, match="cannot subtract: a sweep of 2 given bins"):
            b - cm.sweep(Y, SCORES, bins=bins)
    with pytest.raises(TypeError):
        s + 1
    with pytest.raises(TypeError):
        s - 1


def test_equality():
    s = cm.sweep(Y, SCORES)
    assert s == cm.sweep(Y[::-1], SCORES[::-1])
    assert s != cm.sweep(Y, SCORES, bins=64)
    assert s != cm.sweep([0, 0, 1, 0], SCORES)
    assert s != cm.sweep([False, False, True, True], SCORES)
    assert s != cm.sweep([*Y, None], [*SCORES, 0.5])
    assert s != cm.sweep(Y, SCORES, sample_weight=[1.0] * 4)
    assert s != "sweep"


def test_dropped_rows_add_up():
    one = cm.sweep([1, None, 0], [0.1, 0.2, math.nan], nan="drop")
    assert ((one + one).n_dropped, (one + one).n_nan) == (2, 2)


def test_empty():
    s = cm.sweep([], [])
    assert (len(s), s.n, s.n_positive) == (0, 0, 0)
    assert "n=0" in repr(s)
    b = cm.sweep([], [], bins=64)
    assert len(b) == 0
    assert b + b == b - b == b
