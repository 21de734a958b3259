"""Soft matrices whose rows belong to classes by shares."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import confmat as cm

Y = [0, 1, 2, 2]
P = np.array([[0.75, 0.25, 0], [0.25, 0.5, 0.25], [0, 0.5, 0.5], [0.125, 0, 0.875]])
SHARES = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 0.25, 0.75], [0, 0, 1]])


def exact(shares, probabilities, weights):
    rows = zip(shares.tolist(), probabilities.tolist(), weights, strict=True)
    cells = [[Fraction(0)] * 3 for _ in range(3)]
    for t, p, w in rows:
        for i in range(3):
            for j in range(3):
                cells[i][j] += Fraction(w) * Fraction(t[i]) * Fraction(p[j])
    return [[float(cell) for cell in row] for row in cells]


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.0, 0.5]])
def test_rows_count_for_the_classes_that_they_belong_to(weights):
    k = cm.multiclass_sweep(Y, P, sample_weight=weights)
    soft = k.soft_matrix(SHARES)
    assert soft.counts.tolist() == exact(SHARES, P, weights or [1, 1, 1, 1])
    assert soft.labels == (0, 1, 2)
    assert soft.n == k.n


def test_whole_memberships_are_true_classes():
    k = cm.multiclass_sweep(Y, P)
    assert k.soft_matrix(np.eye(3)[Y]) == k.soft_matrix()
    assert k.soft_matrix(np.eye(3)[Y]).eve == k.soft_matrix().eve


def test_frames_and_columns_of_lists():
    k = cm.multiclass_sweep(["a", "b", "c", "c"], P)
    frame = pl.DataFrame(SHARES, schema=["a", "b", "c"])
    want = k.soft_matrix(SHARES)
    assert k.soft_matrix(frame) == k.soft_matrix(pl.Series(SHARES.tolist())) == want
    with pytest.raises(cm.InputError, match="`memberships` has the column 'c' at position 0"):
        k.soft_matrix(frame.select("c", "b", "a"))


def test_rows_that_are_left_out():
    k = cm.multiclass_sweep([0, None, 2, 2], P, labels=[0, 1, 2])
    some = SHARES.copy()
    some[1] = np.nan
    soft = k.soft_matrix(some)
    assert soft.counts.tolist() == exact(SHARES, P, [1, 0, 1, 1])
    assert soft.n_dropped == 1


@pytest.mark.parametrize(
    ("memberships", "words"),
    [
        (SHARES[:3], "`memberships` has 3 rows, and `scores` 4"),
        (SHARES[:, :2], "`memberships` has 2 columns, and `scores` 3"),
        (SHARES * 2, "`memberships` holds 2.0 at row 0 of column 0; wanted shares"),
        (SHARES - 0.5, "`memberships` holds -0.5 at row 0 of column 1"),
        (SHARES * 0.5, "`memberships` has the sum 0.5 at row 0; wanted 1 within 1e-05"),
        (np.where(SHARES == 0.5, np.nan, SHARES), "`memberships` holds nan at row 1"),
    ],
)
def test_what_is_refused(memberships, words):
    with pytest.raises(cm.InputError, match=words):
        cm.multiclass_sweep(Y, P).soft_matrix(memberships)
