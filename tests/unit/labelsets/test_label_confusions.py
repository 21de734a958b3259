"""Which label is missed where which other is named: errors of sets of labels that meet in rows."""

import doctest

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.labelsets import label_confusions

Y = [["a", "c"], ["b"], ["a", "b"], [], ["b"]]
P = [["a", "b"], ["a", "b"], ["c"], ["a"], ["a"]]


def test_by_hand():
    # Row 0 misses c and names b; row 2 misses a and b and names c; row 4 misses b and names a.
    table = cm.label_confusions(Y, P)
    assert table.rows() == [("a", "c", 1), ("b", "a", 1), ("b", "c", 1), ("c", "b", 1)]
    assert table.schema == {"missed": pl.String, "named": pl.String, "count": pl.Int64}


@pytest.mark.parametrize("weights", [None, "whole", "float"])
def test_the_product_of_the_errors(weights):
    rng = np.random.default_rng(0)
    y, p = rng.random((2, 300, 6)) < 0.3
    w = {None: None, "whole": rng.integers(0, 9, 300), "float": rng.integers(0, 99, 300) / 8}[
        weights
    ]
    wanted = (y & ~p).T @ ((p & ~y) * (np.ones(300, int) if w is None else w)[:, None])
    table = cm.label_confusions(y, p, sample_weight=w)
    cells = np.zeros((6, 6), dtype=wanted.dtype)
    cells[table["missed"], table["named"]] = table["count"]
    assert (cells == wanted).all()
    assert table["count"].is_sorted(descending=True)
    assert (table["count"] > 0).all()
    assert table["count"].dtype == (pl.Float64 if weights == "float" else pl.Int64)
    as_lists = [pl.Series([np.flatnonzero(row).tolist() for row in side]) for side in (y, p)]
    assert cm.label_confusions(*as_lists, sample_weight=w).equals(table)


def test_labels_and_nulls():
    y, p = [["a"], None, ["b"]], [["b"], ["a"], ["z"]]
    with pytest.raises(cm.InputError, match="row 2"):
        cm.label_confusions(y, p, labels=["b", "a"])
    table = cm.label_confusions(y, p, labels=["z", "b", "a"])
    assert table.rows() == [("b", "z", 1), ("a", "b", 1)]  # ties in the order of the labels
    with pytest.raises(cm.InputError, match="null at row 1"):
        cm.label_confusions(y, p, nulls="raise")
    assert cm.label_confusions([["a"]], [["a"]]).is_empty()
    assert cm.label_confusions(np.zeros((0, 3), bool), np.zeros((0, 3), bool)).columns == [
        "missed",
        "named",
        "count",
    ]


def test_examples():
    assert doctest.testmod(label_confusions).failed == 0


def test_float_weights_are_summed_in_no_order():
    rng = np.random.default_rng(4)
    sets = [[[c for c in "abcd" if rng.random() < 0.4] for _ in range(400)] for _ in range(2)]
    weights = rng.choice([1e16, 1.0, 0.1], 400)
    found = cm.label_confusions(*sets, sample_weight=weights)
    order = rng.permutation(400)
    mixed = [[side[i] for i in order] for side in sets]
    assert cm.label_confusions(*mixed, sample_weight=weights[order]).equals(found)
