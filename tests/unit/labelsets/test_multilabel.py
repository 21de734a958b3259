"""Sets of labels: exact small cases, definitions, every form of input."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

NAMES = ["x", "y", "z"]
TRUE = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1]])
PRED = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 0], [0, 1, 1]])


def sets(table, labels=NAMES):
    return [[name for name, there in zip(labels, row, strict=True) if there] for row in table]


def test_small_case_by_hand():
    m = cm.multilabel(TRUE, PRED, labels=NAMES)
    assert m.counts.tolist() == [[[2, 0], [1, 1]], [[2, 0], [0, 2]], [[1, 1], [1, 1]]]
    assert (m.n, m.labels, m.n_dropped) == (4, ("x", "y", "z"), 0)
    assert m.exact_match == 0.25
    assert m.hamming_loss == 3 / 12 + 1 / 12 - 1 / 12  # 3 wrong of 12
    # Rows: 1 of {x,z} found, {y} and one more, nothing of nothing, 2 of 3.
    assert m["precision_samples"] == float(Fraction(1 + Fraction(1, 2) + 1, 3))
    assert m["recall_samples"] == float(Fraction(Fraction(1, 2) + 1 + Fraction(2, 3), 3))
    assert m["jaccard_samples"] == pytest.approx((1 / 2 + 1 / 2 + 2 / 3) / 3)
    assert m.value("jaccard_samples", undefined=0.0) == pytest.approx((1 / 2 + 1 / 2 + 2 / 3) / 4)
    assert m.value("jaccard_samples", undefined=1.0) == pytest.approx((1 / 2 + 1 / 2 + 5 / 3) / 4)
    assert m.n_used("jaccard_samples") == 3
    assert m.f1_micro == 2 * 4 / (2 * 4 + 1 + 2)
    assert m.jaccard_macro == pytest.approx((1 / 2 + 1 + 1 / 3) / 3)
    assert m.value("recall", average="weighted") == pytest.approx((2 * 0.5 + 2 * 1 + 2 * 0.5) / 6)
    assert m.value("fbeta", "micro", beta=2) == m["fbeta_micro(2)"] == 20 / (20 + 4 * 2 + 1)


def test_each_label_is_a_matrix():
    m = cm.multilabel(TRUE, PRED, labels=NAMES)
    for i, name in enumerate(NAMES):
        one = cm.confusion_matrix(TRUE[:, i] == 1, PRED[:, i] == 1)
        assert m.label(name) == one
        row = m.per_class(["f1", "mcc", "fbeta(2)", "specificity"]).row(i)
        assert row[0] == name
        values = [one.value(metric) for metric in ("f1", "mcc", "fbeta(2)", "specificity")]
        assert list(row[1:]) == [None if math.isnan(value) else value for value in values]


def test_powerset():
    m = cm.multilabel(TRUE, PRED, labels=NAMES)
    assert m.powerset().rows() == [
        ([], 1, 1, 1),
        (["x", "y", "z"], 1, 0, 0),
        (["x", "z"], 1, 0, 0),
        (["y"], 1, 0, 0),
        (["y", "z"], 0, 2, 0),
        (["x"], 0, 1, 0),
    ]
    assert m.powerset()["n_true"].sum() == m.powerset()["n_pred"].sum() == 4


@given(st.integers(0, 10_000), st.sampled_from([1, 3, 20, 21, 70]), st.integers(1, 40))
def test_powerset_counts_rows(seed, width, n):
    rng = np.random.default_rng(seed)
    true, pred = rng.random((2, n, width)) < 0.1
    w = rng.integers(0, 5, n)
    seen = cm.multilabel(true, pred, sample_weight=w).powerset()
    names = [tuple(row) for row in seen["labels"].to_list()]
    assert len(set(names)) == len(names)
    for column, pick in (
        ("n_true", lambda t, p: t),
        ("n_pred", lambda t, p: p),
        ("n_both", lambda t, p: t if t == p else None),
    ):
        expected = dict.fromkeys(names, 0)  # sets of rows without weight are not among them
        for t, p, weight in zip(true, pred, w, strict=True):
            key = pick(tuple(np.flatnonzero(t).tolist()), tuple(np.flatnonzero(p).tolist()))
            if key is not None and weight > 0:
                expected[key] += int(weight)
        assert dict(zip(names, seen[column], strict=True)) == expected
    assert seen["n_both"].sum() == (w * (true == pred).all(axis=1)).sum()


FORMS = {
    "Booleans": lambda a: a == 1,
    "integers": lambda a: a,
    "small integers": lambda a: a.astype(np.uint8),
    "strided": lambda a: np.asfortranarray(np.repeat(a, 2, axis=1))[:, ::2],
    "nested lists": lambda a: a.tolist(),
    "rows of arrays": list,
    "rows of Booleans": lambda a: [row == 1 for row in a],
    "rows of floats": lambda a: [row.astype(float) for row in a],
    "rows of pandas": lambda a: [pd.Series(row) for row in a],
    "rows of tuples": lambda a: tuple(map(tuple, a.tolist())),
    "floats": lambda a: a.astype(float),
    "objects": lambda a: a.astype(object),
    "dict": lambda a: {name: a[:, at] for at, name in enumerate(NAMES)},
    "sparse": scipy.sparse.csr_array,
    "sparse of floats": lambda a: scipy.sparse.coo_matrix(a.astype(float)),
    "list of Series": lambda a: [pl.Series(c == 1) for c in a.T],
    "DataFrame": lambda a: pl.DataFrame(a, schema=NAMES),
    "Boolean DataFrame": lambda a: pl.DataFrame(a == 1, schema=NAMES),
    "pandas": lambda a: pd.DataFrame(a, columns=NAMES),
    "pyarrow": lambda a: pl.DataFrame(a, schema=NAMES).to_arrow(),
    "Array Series": lambda a: pl.Series(a, dtype=pl.Array(pl.Int8, 3)),
    "Boolean List Series": lambda a: pl.Series((a == 1).tolist()),
    "List Series of names": lambda a: pl.Series(sets(a), dtype=pl.List(pl.String)),
    "of categories": lambda a: pl.Series(sets(a), dtype=pl.List(pl.Enum(NAMES))),
    "lists of names": sets,
    "sets of names": lambda a: [set(row) for row in sets(a)],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form):
    read = FORMS[form]
    m = cm.multilabel(read(TRUE), read(PRED), labels=NAMES)
    assert m == cm.multilabel(TRUE, PRED, labels=NAMES)


def test_labels_come_from_the_input():
    assert cm.multilabel(TRUE, PRED).labels == (0, 1, 2)
    assert cm.multilabel(pl.DataFrame(TRUE, schema=NAMES), PRED).labels == ("x", "y", "z")
    assert cm.multilabel([["b"], ["a"]], [["c", "b"], []]).labels == ("a", "b", "c")
    m = cm.multilabel(pl.Series([[3], [5, 3]]), pl.Series([[5], [5]]))
    assert m.labels == (3, 5)
    assert m.counts.tolist() == [[[0, 0], [2, 0]], [[0, 1], [0, 1]]]
    assert cm.multilabel([["b"]], [["b"]], labels=["c", "b"]).counts.tolist()[1] == [[0, 0], [0, 1]]


def test_nulls_are_dropped_and_counted():
    frame = pl.DataFrame({"x": [1, None, 0, 1], "y": [0, 1, 1, 1]})
    pred = pl.DataFrame({"x": [1, 1, 0, 0], "y": [0, 1, None, 1]})
    m = cm.multilabel(frame, pred)
    assert (m.n, m.n_dropped) == (2, 2)
    assert m.label("x").n_dropped == 2
    holes = pl.DataFrame({"x": [None, 0, 1, 1], "y": [0, None, 1, 1]}, schema_overrides={"x": int})
    assert cm.multilabel(holes, holes).n_dropped == 2
    m = cm.multilabel(frame, pred, sample_weight=pl.Series([1, -1, 1, None]))
    assert (m.n, m.n_dropped) == (1, 3)
    m = cm.multilabel(pl.Series([["a"], None]), pl.Series([["a"], ["b"]]))
    assert (m.n, m.n_dropped, m.labels) == (1, 1, ("a", "b"))
    with pytest.raises(cm.InputError, match="null at row 1"):
        cm.multilabel(frame, pred, nulls="raise")


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 30))
def test_whole_weights_are_repeated_rows_and_logs_merge(seed, width, n):
    rng = np.random.default_rng(seed)
    true, pred = rng.integers(0, 2, (2, n, width))
    w = rng.integers(0, 4, n)
    m = cm.multilabel(true, pred, sample_weight=w)
    repeated = cm.multilabel(np.repeat(true, w, axis=0), np.repeat(pred, w, axis=0))
    assert m.counts.tolist() == repeated.counts.tolist()
    assert m.counts.dtype == repeated.counts.dtype == np.int64
    assert type(m.n) is int
    cut = int(rng.integers(0, n + 1))
    parts = [
        cm.multilabel(true[rows], pred[rows], sample_weight=w[rows])
        for rows in (slice(cut), slice(cut, None))
    ]
    merged = sum(parts)
    assert merged.counts.tolist() == m.counts.tolist()
    assert merged.overall().equals(m.overall())
    assert merged.overall()["value"].to_list() == pytest.approx(
        repeated.overall()["value"].to_list(), nan_ok=True
    )
    assert merged.powerset().sort("labels").equals(m.powerset().sort("labels"))
    assert merged.label(0) == m.label(0)


def test_order_of_rows_and_labels_changes_nothing():
    rng = np.random.default_rng(2)
    true, pred = rng.integers(0, 2, (2, 50, 4))
    m = cm.multilabel(true, pred, labels=list("abcd"))
    rows, order = rng.permutation(50), [2, 0, 3, 1]
    t = cm.multilabel(true[np.ix_(rows, order)], pred[np.ix_(rows, order)], labels=list("cadb"))
    assert t.overall()["value"].to_list() == pytest.approx(m.overall()["value"].to_list())
    assert t.label("a") == m.label("a")


def test_undefined_values_have_reasons():
    m = cm.multilabel([[0, 1], [0, 1]], [[0, 0], [0, 0]], labels=["a", "b"])
    assert math.isnan(m.precision_macro)
    assert m.reason("precision_macro") == "precision is undefined for every label that occurs"
    assert m.reason("precision_samples") == "precision is undefined for every row"
    assert m.reason("recall_macro") is None
    assert (m.recall_macro, m.n_used("recall_macro")) == (0.0, 1)
    assert m.value("precision_macro", undefined=0.0) == 0
    assert m.per_class(["precision"])["precision"].null_count() == 2
    empty = cm.multilabel(np.zeros((0, 2), int), np.zeros((0, 2), int))
    assert math.isnan(empty.exact_match)
    assert empty.reason("hamming_loss") == "there are no rows"
    assert empty.overall()["value"].null_count() == 18
    assert empty.powerset().height == 0
    none = cm.multilabel(TRUE, PRED, sample_weight=[0, 0, 0, 0])
    assert none.reason("exact_match") == "all weights are 0"
    assert none.value("exact_match", undefined=0.5) == 0.5
    negative = cm.multilabel([[0]], [[1]])
    assert math.isnan(negative.precision_weighted)
    assert negative.reason("precision_weighted").endswith("labels without support alone")
    alike = cm.multilabel([[1, 1], [0, 0]], [[1, 1], [0, 0]])  # each row is all or nothing
    assert alike.value("informedness", "macro") == 1
    assert alike.reason("informedness", "samples") == "informedness is undefined for every row"
    defined = cm.multilabel([[1, 0], [0, 1]], [[1, 0], [0, 1]]).overall()
    assert defined["reason"].to_list() == [None] * 18
    assert defined.dtypes == [pl.String, pl.Float64, pl.String]


def test_objects_are_copied_and_pickled():
    m = cm.multilabel(TRUE, PRED, labels=NAMES, sample_weight=[0.5, 1, 2, 1])
    assert repr(m) == "<MultilabelMatrix of 3 labels, n=4.5>"
    for other in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m), copy.copy(m)):
        assert other == m
        assert other.powerset().equals(m.powerset())
    assert m != cm.multilabel(TRUE, PRED, labels=NAMES)
    with pytest.raises(ValueError, match="read-only"):
        m.counts[0] = 1


def test_counts_of_labels_are_integers():
    m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
    frame = m.per_class(["tp", "fp", "fn", "tn", "support", "recall"])
    assert frame.dtypes[1:] == [*[pl.Int64] * 5, pl.Float64]
    assert frame.rows() == [("a", 1, 0, 1, 1, 2, 0.5), ("b", 1, 1, 0, 1, 1, 1.0)]


def test_rows_without_labels_on_one_side():
    empty, labels = [[], []], ["a", "b"]
    for some in ([["a"], []], [{"a"}, set()], pl.Series([["a"], []])):
        one = cm.multilabel(empty, some, labels=labels)
        assert (one.hamming_loss, one.exact_match) == (0.25, 0.5)
        assert math.isnan(cm.multilabel(some, empty, labels=labels)["precision_micro"])
    assert cm.multilabel(empty, empty, labels=labels).exact_match == 1.0
    swept = cm.multilabel_sweep(empty, [[0.1, 0.2], [0.3, 0.4]], labels=labels)
    assert swept.per_class()["n_positive"].to_list() == [0, 0]


def test_rows_without_any_label_are_counted():
    none = cm.multilabel([[], []], [[], []])
    assert (none.labels, none.n, none.exact_match) == ((), 2, 1.0)
    assert math.isnan(none.f1_macro)
    for name in ("f1_macro", "f1_samples", "f1_micro", "hamming_loss"):
        assert none.reason(name) == "no label occurs"
    assert none.powerset().rows() == [([], 2, 2, 2)]
    assert none.per_class().height == 0
    assert "2" in str(none)
    both = none + cm.multilabel([["a"]], [["a"]])
    assert both == cm.multilabel([[], [], ["a"]], [[], [], ["a"]])
    assert cm.multilabel([[], None], [[], []]).n_dropped == 1
