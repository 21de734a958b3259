"""Sweeps from columns: inputs, totals, labels, equality, and what is refused."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confmat as cm

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


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


def test_equality():
    s = cm.sweep(Y, SCORES)
    assert s == cm.sweep(Y[::-1], SCORES[::-1])
    assert s != cm.sweep(Y, SCORES, bins=64)
    assert s != cm.sweep([0, 0, 1, 0], SCORES)
    assert s != cm.sweep([False, False, True, True], SCORES)
    assert s != cm.sweep([*Y, None], [*SCORES, 0.5])
    assert s != cm.sweep(Y, SCORES, sample_weight=[1.0] * 4)
    assert s != "sweep"


def test_empty():
    s = cm.sweep([], [])
    assert (len(s), s.n, s.n_positive) == (0, 0, 0)
    assert "n=0" in repr(s)
    b = cm.sweep([], [], bins=64)
    assert len(b) == 0
    assert b + b == b - b == b


@pytest.mark.parametrize("pos_label", ["yse", "maybe"])
def test_a_misspelt_positive_label_is_no_third_class(pos_label):
    with pytest.raises(cm.InputError, match=f"pos_label {pos_label} does not occur .*no, yes"):
        cm.sweep(["no", "yes", "no"], [0.1, 0.2, 0.3], pos_label=pos_label)
    with pytest.raises(cm.InputError, match=r"pos_label 7 does not occur .*2, 3"):
        cm.sweep([2, 3, 3], [0.1, 0.2, 0.3], pos_label=7)
