"""Matrices as JSON: everything that was kept comes back, and nothing else is taken."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

read = cm.ConfusionMatrix.from_json


@given(
    labels=st.one_of(
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=4, unique=True),
        st.lists(st.text(), min_size=1, max_size=4, unique=True),
        st.just([False, True]),
    ),
    data=st.data(),
)
def test_counts_come_back_with_the_same_bytes(labels, data):
    k = len(labels)
    cells = st.lists(st.integers(0, 2**58), min_size=k, max_size=k)
    counts = data.draw(st.lists(cells, min_size=k, max_size=k))
    pos = data.draw(st.sampled_from([None, *labels]))
    m = cm.ConfusionMatrix(counts, labels, pos_label=pos)
    again = read(m.to_json())
    assert again == m
    assert again.to_bytes() == m.to_bytes()
    assert json.loads(m.to_json())["counts"] == counts


@pytest.mark.parametrize(
    "m",
    [
        cm.confusion_matrix(["a", "b", None, "a"], ["a", "a", "a", "b"]),
        cm.confusion_matrix([1, 0, 7], [1, 1, 0], labels=[0, 1], other="bucket", pos_label=0),
        cm.confusion_matrix([1, 0, 1], [1, 1, 0], sample_weight=[0.1, 0.2, 1e-300]),
        cm.confusion_matrix(pl.Series(["x"], dtype=pl.Enum(["x", "y"])), pl.Series(["x"])),
        cm.confusion_matrix([], [], labels=["a", "b"]),
        cm.confusion_matrix([], []),
        cm.confusion_matrix([1, 0, 1], [1, 1, 0]).smooth(0.5),
        cm.ConfusionMatrix([[50, 3], [2, 45]]).at_prevalence(0.1),
    ],
    ids=["found", "other", "weights", "enum", "empty", "nothing", "smoothed", "prevalence"],
)
def test_all_that_is_known_comes_back(m):
    again = read(m.to_json())
    assert again == m
    assert read(m.to_json().encode()) == m
    for name in ("labels", "pos_label", "n", "n_dropped", "n_other", "smoothing"):
        assert getattr(again, name) == getattr(m, name), name
    assert again.class_sizes_known == m.class_sizes_known
    assert np.array_equal(again.counts, m.counts)
    assert (m.weights_sq is None) == (again.weights_sq is None)
    assert m.weights_sq is None or np.array_equal(m.weights_sq, again.weights_sq)
    assert again.ci("accuracy") == m.ci("accuracy") or np.isnan(m.accuracy)
    assert read(again.to_json()).to_json() == m.to_json()


@pytest.mark.parametrize("weights", [None, np.full(6_000, 0.5)])
def test_many_classes_are_cells(weights):
    y = np.arange(6_000) % 3_000
    m = cm.confusion_matrix(y, (y * 7) % 3_000, sample_weight=weights)
    text = m.to_json()
    assert len(text) < 200_000
    assert read(text) == m
    assert read(text).f1_macro == m.f1_macro
    assert weights is not None or read(text).to_bytes() == m.to_bytes()


def test_where_labels_come_from_has_a_word():
    enum = pl.Series(["x"], dtype=pl.Enum(["x", "y"]))
    for m, word in (
        (cm.confusion_matrix(["b"], ["b"]), "rows"),
        (cm.ConfusionMatrix([[1]], labels=["b"]), "user"),
        (cm.confusion_matrix(enum, enum), "type"),
    ):
        assert json.loads(m.to_json())["labels_from"] == word


def test_what_was_found_gains_labels_still():
    m = read(cm.confusion_matrix(["b"], ["b"]).to_json())
    assert (m + cm.confusion_matrix(["a"], ["b"])).labels == ("a", "b")


GOOD = {
    "confmat": "confusion matrix",
    "version": 1,
    "labels": ["a", "b"],
    "counts": [[3, 1], [0, 2]],
}
SPARSE = {name: GOOD[name] for name in ("confmat", "version", "labels")}


def test_little_is_enough():
    assert read(json.dumps(GOOD)) == cm.ConfusionMatrix([[3, 1], [0, 2]], labels=["a", "b"])
    assert read(json.dumps(SPARSE | {"cells": [[0, 0, 3], [0, 1, 1], [1, 1, 2]]})).n == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"confmat": "sweep"}, "another JSON than wanted"),
        ({"version": 2}, "of version 2; this confmat reads version 1"),
        ({"version": True}, "of version True"),
        ({"more": 1}, "has 'more', which no matrix has"),
        ({"labels": "ab"}, "'labels' is str; wanted a list"),
        ({"labels": ["a", "a"]}, "`labels`"),
        ({"labels": ["a", 1]}, "`labels`"),
        ({"labels": [["a"], "b"]}, "`labels`"),
        ({"labels": ["a"]}, "'counts' has 2 rows for 1 labels"),
        ({"counts": {}}, "'counts' is dict; wanted a list"),
        ({"counts": [[3, 1], [0]]}, "row 1 of 'counts' is no list of 2 numbers"),
        ({"counts": [[3, True], [0, 1]]}, "row 0 of 'counts' is no list of 2 numbers"),
        ({"counts": [[3, "1"], [0, 1]]}, "row 0 of 'counts' is no list of 2 numbers"),
        ({"counts": [[3, -1], [0, 1]]}, r"`counts` holds -1 at \[0, 1\]; wanted non-negative"),
        ({"counts": [[2**64, 1], [0, 1]]}, "beyond 64-bit integers"),
        ({"counts": [[2**63 - 1, 1], [0, 1]]}, "beyond 64-bit integers"),
        ({"weights_sq": [[1.0, 2.0]]}, "'weights_sq' has 1 rows"),
        ({"weights_sq": [[1.0, -2.0], [0, 0]]}, "`weights_sq` holds -2.0"),
        ({"cells": []}, "both 'cells' and a table"),
        ({"labels_from": "hearsay"}, "'labels_from' is 'hearsay'"),
        ({"labels_from": ["rows"]}, r"'labels_from' is \['rows'\]"),
        ({"class_sizes_known": True}, "no squared weights beside the counts"),
        ({"counts": [[2**63, 2], [0, 1]]}, "beyond 64-bit integers"),
        ({"counts": [[2**63, 2.5], [0, 1]]}, "beyond 64-bit integers"),
        ({"counts": [[2**53 + 1, 2.5], [0, 1]]}, r"whole numbers beyond 2\^53 beside floats"),
        ({"pos_label": "c"}, "'pos_label' is 'c', which is not among the labels"),
        ({"pos_label": ["a"]}, "which is not among the labels"),
        ({"n_dropped": -1}, "'n_dropped' is -1; wanted a number of rows"),
        ({"n_other": 1.5}, "'n_other' is 1.5; wanted a number of rows"),
        ({"n_other": 2**63}, "wanted a number of rows"),
        ({"smoothing": -1}, "`smoothing` is -1"),
        ({"class_sizes_known": 1}, "'class_sizes_known' is 1; wanted true or false"),
    ],
)
def test_another_object_is_refused(change, said):
    with pytest.raises(cm.InputError, match=said):
        read(json.dumps(GOOD | change))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([[0, 0]], "number 0 of 'cells' is no list"),
        ([[0, 0, 1], [0, 1, 1, 1]], "number 1 of 'cells' is no list"),
        ([[0, 2, 1]], "of no two of 2 labels"),
        ([[-1, 0, 1]], "of no two of 2 labels"),
        ([[0.0, 0, 1]], "of no two of 2 labels"),
        ([[0, 1, 1], [0, 0, 1]], "do not ascend"),
        ([[0, 1, 1], [0, 1, 1]], "do not ascend"),
        ([[0, 1, -1]], "wanted non-negative"),
        (7, "'cells' is int; wanted a list"),
    ],
)
def test_other_cells_are_refused(cells, said):
    with pytest.raises(cm.InputError, match=said):
        read(json.dumps(SPARSE | {"cells": cells}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "`text` is no JSON"),
        ("{", "`text` is no JSON"),
        ("[" * 100_000, "`text` is no JSON"),
        (b"\xff", "`text` is no JSON"),
        ('{"counts": [[NaN]]}', "NaN is no number of JSON"),
        ('{"counts": ' + "9" * 5_000 + "}", "`text` is no JSON"),
        ("[]", "another JSON than wanted"),
        ("null", "another JSON than wanted"),
        ('{"confmat": "confusion matrix", "version": 1}', "lacks 'labels'"),
        (json.dumps(SPARSE), "neither 'counts' nor 'cells'"),
        (7, "`text` is int"),
        (None, "`text` is NoneType"),
    ],
)
def test_other_text_is_refused(text, said):
    with pytest.raises(cm.InputError, match=said):
        read(text)
