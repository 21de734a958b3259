"""Counting rows: labels, nulls, outsiders, weights, and the messages."""

import math

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk

import confmat as cm
from confmat import _core

RNG = np.random.default_rng(3)
Y, P = RNG.integers(-2, 5, (2, 2_000))
W = RNG.random(2_000)


def test_equals_scikit_learn():
    m = cm.confusion_matrix(Y, P)
    assert m.counts.tolist() == sk.confusion_matrix(Y, P).tolist()
    assert m.labels == tuple(range(-2, 5))
    names = np.array(list("gfedcba"))
    m = cm.confusion_matrix(names[Y + 2], names[P + 2])
    assert m.counts.tolist() == sk.confusion_matrix(names[Y + 2], names[P + 2]).tolist()
    m = cm.confusion_matrix(Y, P, sample_weight=W)
    np.testing.assert_allclose(m.counts, sk.confusion_matrix(Y, P, sample_weight=W), rtol=1e-12)


def test_labels_fix_the_order_and_keep_absent_classes():
    m = cm.confusion_matrix([3, 1, 3], [3, 3, 1], labels=[3, 2, 1])
    assert m.labels == (3, 2, 1)
    assert m.counts.tolist() == [[1, 0, 1], [0, 0, 0], [1, 0, 0]]


def test_equal_enums_give_the_labels():
    kind = pl.Enum(["low", "mid", "high"])
    true = pl.Series(["high", "low"], dtype=kind)
    m = cm.confusion_matrix(true, pl.Series(["high", "high"], dtype=kind))
    assert m.labels == ("low", "mid", "high")
    assert m.counts.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1]]
    assert cm.confusion_matrix(true, ["high", "high"]).labels == ("high", "low")
    other = pl.Series(["high", "high"], dtype=pl.Enum(["high", "low"]))
    assert cm.confusion_matrix(true, other).labels == ("high", "low")
    assert cm.confusion_matrix(true, true, labels=kind).labels == ("low", "mid", "high")


def test_nulls_are_dropped_and_counted():
    true = pl.Series([0, None, 1, None, 1])
    pred = pl.Series([0, 1, None, None, 1])
    m = cm.confusion_matrix(true, pred)
    assert (m.n, m.n_dropped) == (2, 3)
    assert m.n + m.n_dropped + m.n_other == len(true)
    m = cm.confusion_matrix([0, 1], [0, 1], sample_weight=pl.Series([1.0, None]))
    assert (m.n, m.n_dropped) == (1.0, 1)


def test_nulls_can_be_refused():
    pred = pl.Series([0, 1, None, 1])
    with pytest.raises(cm.InputError, match=r"null at row 1 of `y_true` \(2 rows have one\)"):
        cm.confusion_matrix([0, None, 1, 1], pred, nulls="raise")
    with pytest.raises(cm.InputError, match="null at row 2 of `y_pred`"):
        cm.confusion_matrix([0, 1, 1, 1], pred, nulls="raise")
    with pytest.raises(cm.InputError, match="null at row 0 of `sample_weight`"):
        cm.confusion_matrix([1], [1], sample_weight=[None], nulls="raise")
    assert cm.confusion_matrix([0, 1], [0, 1], nulls="raise").n == 2


def test_a_label_outside_the_labels_is_named():
    true = np.zeros(2_000, dtype=np.int64)
    pred = true.copy()
    pred[[1_203, 1_900]] = 7
    with pytest.raises(cm.InputError) as caught:
        cm.confusion_matrix(true, pred, labels=[0, 1, 2])
    words = "label 7 at row 1203 of `y_pred` is not in labels [0, 1, 2]"
    assert str(caught.value).startswith(words)
    with pytest.raises(cm.InputError, match=r"label 'x' at row 1 of `y_true` is not in .*'a'"):
        cm.confusion_matrix(["a", "x"], ["a", "a"], labels=["a"])


def test_a_label_outside_the_labels_can_go_in_a_bucket():
    m = cm.confusion_matrix([0, 1, 9, 1], [0, 1, 1, -3], labels=[0, 1], other="bucket")
    assert m.counts.tolist() == [[1, 0], [0, 1]]
    assert (m.n, m.n_other) == (2, 2)


def test_integer_weights_stay_integers():
    m = cm.confusion_matrix([0, 1, 1], [0, 0, 0], sample_weight=[3, 2, 1])
    assert m.counts.dtype == np.int64
    assert m.counts.tolist() == [[3, 0], [3, 0]]
    assert m.weights_sq.tolist() == [[9, 0], [5, 0]]
    assert type(m.n) is int


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1.0, -0.5], "row 1"),
        ([1.0, float("nan")], "row 1"),
        ([float("inf"), 1.0], "row 0"),
        (np.array([1, -2]), "row 1"),
        ([1.0], "1"),
        (["a", "b"], "sample_weight"),
        (np.ones((2, 2)), "shape (2, 2)"),
        (2.0, "single value 2.0"),
    ],
    ids=str,
)
def test_unusable_weights_are_named(weight, words):
    with pytest.raises(cm.InputError) as caught:
        cm.confusion_matrix([0, 1], [0, 1], sample_weight=weight)
    assert "sample_weight" in str(caught.value)
    assert words in str(caught.value)


def test_unequal_lengths_are_named():
    with pytest.raises(cm.InputError) as caught:
        cm.confusion_matrix([0, 1, 1], [0, 1])
    for words in ("y_true", "y_pred", "3", "2"):
        assert words in str(caught.value)


def test_kinds_of_labels_do_not_mix():
    with pytest.raises(cm.InputError):
        cm.confusion_matrix([0, 1], ["0", "1"])
    with pytest.raises(cm.InputError):
        cm.confusion_matrix(["a"], ["a"], labels=[0, 1])


def test_whole_numbers_in_floats_are_labels():
    m = cm.confusion_matrix([0.0, 1.0, math.nan], np.array([0, 1, 1], dtype=np.float16))
    assert (m.labels, m.n_dropped) == ((0, 1), 1)
    assert m.counts.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(cm.InputError, match="row 2 of `y_true`"):
        cm.confusion_matrix([0.0, 1.0, math.nan], [0, 1, 1], nulls="raise")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"nulls": "skip"}, "`nulls`"),
        ({"other": "drop"}, "`other`"),
        ({"smoothing": -1}, "`smoothing`"),
        ({"smoothing": float("nan")}, "`smoothing`"),
        ({"smoothing": "a"}, "`smoothing`"),
    ],
    ids=str,
)
def test_unusable_options_are_named(option, words):
    with pytest.raises(cm.InputError, match=words):
        cm.confusion_matrix([0], [0], **option)


def test_no_rows():
    m = cm.confusion_matrix([], [], labels=[0, 1])
    assert (m.n, m.labels) == (0, (0, 1))
    assert np.isnan(m.accuracy)
    assert m.reason("accuracy")


def test_no_labels_at_all():
    for true in ([], [None, None]):
        m = cm.confusion_matrix(true, true)
        assert (m.n, m.labels, m.n_dropped) == (0, (), len(true))
        assert np.isnan(m.accuracy)
        assert m.counts.shape == (0, 0)
        assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m
        assert "undefined" in str(m)


def test_one_label():
    m = cm.confusion_matrix([1, 1], [1, 1])
    assert m.counts.tolist() == [[2]]
    assert m.accuracy == 1
    assert np.isnan(m.mcc)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("k", [5, 10, 14])
def test_so_many_rows_that_pairs_of_them_are_counted(dtype, k):
    n = (1 << 22) + 4_099  # on one thread, and an end that is no whole step
    rng = np.random.default_rng(k)
    y, p = rng.integers(0, k, n).astype(dtype), rng.integers(0, k, n).astype(dtype)
    p[-1] = k - 1
    state, _ = _core.count(y, p, None, None, 1)
    expected = np.bincount(y.astype(np.int64) * k + p, minlength=k * k).reshape(k, k)
    np.testing.assert_array_equal(state.cells, expected)
    known, outsider = _core.count(y, p, None, list(range(k - 1)), 1)  # the last one is unknown
    np.testing.assert_array_equal(known.cells, expected[:-1, :-1])
    assert known.n_other == n - expected[:-1, :-1].sum()
    assert outsider is not None
