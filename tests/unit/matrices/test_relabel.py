"""Matrices of other classes, against counting the rows with these labels."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

LETTERS = list("abcde")
labels = st.sampled_from(LETTERS)
rows = st.lists(st.tuples(labels, labels, st.integers(1, 5)), min_size=1, max_size=40)
mappings = st.dictionaries(labels, st.sampled_from(["a", "x", "y", "zz"]), max_size=5)


def same(one, other):
    assert one.labels == other.labels
    assert one.counts.tolist() == other.counts.tolist()
    assert (one.n_dropped, one.n_other) == (other.n_dropped, other.n_other)
    assert one.pos_label == other.pos_label
    if one.weights_sq is None:
        assert other.weights_sq is None
    else:
        np.testing.assert_array_equal(one.weights_sq, other.weights_sq)


@given(rows, mappings, st.booleans(), st.sampled_from([None, "x", "rest"]))
def test_relabelled_is_counted_with_these_labels(drawn, mapping, is_weighted, default):
    y, p, w = map(list, zip(*drawn, strict=True))
    weights = np.array(w, float) if is_weighted else None
    m = cm.confusion_matrix(
        [*y, None], [*p, "a"], sample_weight=None if weights is None else [*w, 1.0]
    )
    known = {old: new for old, new in mapping.items() if old in m.labels}
    found = m.relabel(known, default)

    def new(old):
        return known.get(old, old if default is None else default)

    counted = cm.confusion_matrix(
        [*map(new, y), None],
        [*map(new, p), "a"],
        sample_weight=None if weights is None else [*w, 1.0],
    )
    same(found, counted)


@given(rows, st.permutations(LETTERS), st.integers(1, 5))
def test_a_subset_is_counted_of_the_rows_that_are_in_it(drawn, order, many):
    y, p, _ = map(list, zip(*drawn, strict=True))
    m = cm.confusion_matrix(y, p, labels=LETTERS)
    kept = order[:many]
    counted = cm.confusion_matrix(y, p, labels=kept, other="bucket")
    same(m.subset(kept), counted)
    assert m.subset(order).subset(LETTERS) == m


@pytest.mark.parametrize("k", [4, 400])
def test_pruned_has_the_classes_of_rows(k):
    m = cm.confusion_matrix([1, 3, 3], [1, 2, 3], labels=range(k))
    assert m.pruned().labels == (1, 2, 3)
    assert m.pruned().counts.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 1]]
    assert m.pruned().accuracy == m.accuracy
    assert cm.confusion_matrix([], [], labels=["a"]).pruned().labels == ()


def test_thousands_of_classes_roll_up():
    rng = np.random.default_rng(2)
    y, p = rng.integers(0, 20_000, (2, 50_000))
    m = cm.confusion_matrix(y, p, labels=range(20_000))
    assert m.relabel({at: at % 7 for at in range(20_000)}) == cm.confusion_matrix(
        y % 7, p % 7, labels=range(7)
    )


def test_many_classes_are_looked_up_at_once():
    k = 40_000
    y = np.arange(k)
    m = cm.confusion_matrix(np.tile(y, 2), np.tile(y[::-1], 2))
    before = time.process_time()
    assert m.subset(y[::-1]).labels == tuple(range(k))[::-1]
    assert len(m.relabel({at: at // 2 for at in range(k)}).labels) == k // 2
    rows = m.classification_report(labels=y[::-1], format="dict", undefined=0.0)
    assert list(rows)[:2] == [str(k - 1), str(k - 2)]
    assert m.value("recall", average="macro", classes=y) == 0.0
    assert time.process_time() - before < 6  # one after the other: 20 s


def test_labels_are_looked_up_by_what_they_are():
    m = cm.ConfusionMatrix([[3, 1], [2, 4]])
    assert m.subset([True, False]).labels == (1, 0)
    assert m.relabel({1.0: 7, np.int8(0): 5}).labels == (5, 7)
    for odd in ((0,), None, 0.5):
        with pytest.raises(cm.InputError, match="`mapping` of "):
            m.relabel({odd: 1})


def test_the_positive_class_is_known_afterwards():
    m = cm.ConfusionMatrix([[90, 10], [5, 95]])
    named = m.relabel({0: "fine", 1: "fraud"})
    assert named.pos_label == "fraud"
    assert named.precision == m.precision
    assert m.subset([1, 0]).pos_label == 1
    three = cm.ConfusionMatrix(np.eye(3, dtype=int), ["a", "b", "c"], pos_label="c")
    assert three.relabel({"b": "c"}).pos_label == "c"
    assert three.subset(["a", "b"]).pos_label is None


def test_what_is_kept():
    m = cm.confusion_matrix([0, 1, 2], [0, 1, 1], smoothing=0.5)
    assert m.relabel({2: 1}).smoothing == m.pruned().smoothing == 0.5
    known = cm.ConfusionMatrix([[5, 1], [1, 5]]).at_prevalence(0.1)
    assert known.subset([1, 0]).class_sizes_known


@pytest.mark.parametrize(
    ("mapping", "options", "said"),
    [
        ({"ct": "x"}, {}, r"`mapping` 'ct' is not in the labels .*; did you mean 'cat'\?"),
        ({9: "x"}, {}, "`mapping` 9 is not in the labels"),
        ({"cat": 1}, {}, "`mapping` mixes"),
        ({"cat": None}, {}, "`mapping`"),
        ({"cat": "x"}, {"default": 1.5}, "`default`"),
        (["cat"], {}, "`mapping` is .*; wanted a mapping of labels to labels"),
    ],
)
def test_mappings_that_are_none(mapping, options, said):
    with pytest.raises(cm.InputError, match=said):
        cm.ConfusionMatrix(np.eye(2, dtype=int), ["cat", "dog"]).relabel(mapping, **options)


def test_classes_that_are_not_there():
    m = cm.ConfusionMatrix(np.eye(2, dtype=int), ["cat", "dog"])
    with pytest.raises(cm.InputError, match="`labels` 'cow' is not in the labels"):
        m.subset(["cat", "cow"])
    with pytest.raises(cm.InputError, match="holds 'cat' twice"):
        m.subset(["cat", "cat"])


def test_a_named_positive_class_stays_without_rows():
    m = cm.confusion_matrix([0, 1, 1], [0, 1, 0], labels=[0, 1, 2], pos_label=2)
    assert (m.pruned().labels, m.pruned().pos_label) == ((0, 1, 2), 2)
    assert np.isnan(m.pruned().value("recall"))


def test_weights_are_added_before_they_are_rounded():
    weights = [1e16, 1.0, 1.0, 1.0, 1.0]
    m = cm.confusion_matrix(LETTERS, LETTERS, sample_weight=weights)
    assert m.relabel(dict.fromkeys(LETTERS, "z")) == cm.confusion_matrix(
        ["z"] * 5, ["z"] * 5, sample_weight=weights
    )
