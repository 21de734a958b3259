"""Label sets: what they may be made of, and how labels are shown."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import confmat as cm
from confmat.labels import label_set, shown


@pytest.mark.parametrize(
    "labels",
    [
        ["b", "a"],
        ("b", "a"),
        np.array(["b", "a"]),
        pl.Series(["b", "a"]),
        pl.Enum(["b", "a"]),
        pd.Series(["b", "a"]),
        pd.Index(["b", "a"]),
        [np.str_("b"), np.str_("a")],
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_label_sets_keep_their_order(labels):
    found = label_set(labels)
    assert found == ["b", "a"]
    assert {type(label) for label in found} == {str}


def test_subclasses_of_str_become_str():
    class Name(str):
        __slots__ = ()

    assert [type(label) for label in label_set([Name("a"), "b"])] == [str, str]


def test_numpy_labels_become_python_values():
    assert [type(x) for x in label_set(np.array([3, 1], dtype=np.uint8))] == [int, int]
    assert [type(x) for x in label_set(np.array([True, False]))] == [bool, bool]
    assert label_set(range(2, 5)) == [2, 3, 4]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([], "empty"),
        ([1, 2, 1], "1 twice, again at position 2"),
        ([1, "a"], "mixes int and str"),
        ([0, True], "mixes int and bool"),
        ([1.0, 2.5], "float 2.5"),
        ([1, None], "a null at position 1"),
        ([1, float("nan")], "a null at position 1"),
        ([b"a"], "bytes"),
        ([2**63], "beyond 64-bit"),
        ([-(2**63) - 1], "beyond 64-bit"),
        (["x" * 65_537], "65537 bytes"),
        (["\ud800"], "Unicode"),
        ([[1], [2]], "list"),
        (np.array([[1, 2]]), "shape (1, 2)"),
        ({1, 2}, "set"),
        ({1: "a"}, "dict"),
        ("ab", "str"),
        (5, "int"),
    ],
)
def test_unusable_label_sets_are_named(labels, words):
    with pytest.raises(cm.InputError) as caught:
        cm.confusion_matrix([1], [1], labels=labels)
    assert "`labels`" in str(caught.value)
    assert words in str(caught.value)


def test_extreme_labels_are_fine():
    limits = [-(2**63), 2**63 - 1]
    m = cm.confusion_matrix(np.array(limits), np.array(limits))
    assert m.labels == tuple(limits)
    odd = ["", " ", "a\0b", "e\u0301", "é", "x" * 65_536]
    m = cm.confusion_matrix(odd, odd, labels=odd)
    assert m.labels == tuple(odd)
    assert m.counts.trace() == len(odd)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("plain", "plain"),
        ("two words", "two words"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\t", "a\\nb\\t"),
        ("\u202eevil", "\\u202eevil"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("", '""'),
        (" x", '" x"'),
        ("漢字", "漢字"),
        (7, "7"),
        (True, "True"),
    ],
)
def test_shown_labels_cannot_disturb_a_terminal(label, words):
    assert shown(label) == words
    assert shown(label).isprintable()


def test_a_huge_label_set_is_refused_before_it_is_built() -> None:
    with pytest.raises(cm.InputError, match="1000000000 labels; at most 16777216"):
        cm.confusion_matrix([0], [0], labels=range(10**9))
    with pytest.raises(cm.InputError, match="1000000000 labels; at most 65533"):
        cm.metrics("y", "p", labels=range(10**9))


def test_labels_of_two_kinds_are_to_be_cast():
    one, other = cm.confusion_matrix([0, 1], [0, 1]), cm.confusion_matrix(["0"], ["1"])
    told = r"labels differ \(int labels .*\); cast the columns of one side, and count it again$"
    with pytest.raises(cm.InputError, match=f"cannot add: {told}"):
        one + other
    with pytest.raises(cm.InputError, match=f"cannot subtract: {told}"):
        one - other
    cast = cm.confusion_matrix(*(pl.Series([0, 1]).cast(pl.String) for _ in range(2)))
    assert (cast + other).n == 3
    with pytest.raises(cm.InputError, match=r"count both with the same `labels=`$"):
        cm.confusion_matrix([0], [0], labels=[0]) + cm.confusion_matrix([1], [1], labels=[1])
