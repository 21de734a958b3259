"""Sweeps of many classes at their edges: absent classes, rows left out, small grids."""

import math

import polars as pl
import pytest

import confmat as cm


def test_an_absent_class_against_the_rest_is_undefined():
    s = cm.multiclass_sweep([0, 1], [[0.5, 0.3, 0.2]] * 2, labels=[0, 1, 2])
    rest = s.one_vs_rest(2)
    assert (rest.labels, rest.n_positive, rest.n_negative) == ([False, True], 0, 2)
    assert math.isnan(rest.roc_auc)
    weighted = cm.multiclass_sweep([0, 1], [[0.5, 0.5]] * 2, sample_weight=[1.0, 0.0])
    assert math.isnan(weighted.one_vs_rest(1).roc_auc)


def test_nulls():
    y = pl.Series(["a", None, "b", "b"])
    p = [[0.6, 0.4], [7.0, math.nan], [0.5, 0.5], [0.1, 0.9]]  # the second row is not looked at
    s = cm.multiclass_sweep(y, p)
    assert (s.n, s.n_dropped, s.labels) == (3, 1, ("a", "b"))
    assert (s.at_argmax().n, s.at_argmax().n_dropped) == (3, 1)
    assert s.soft_matrix().n_dropped == 1
    s = cm.multiclass_sweep(y, p, sample_weight=pl.Series([1, 1, None, 2]))
    assert (s.n, s.n_rows, s.n_dropped) == (3.0, 2, 2)
    assert s.at_argmax().counts.tolist() == [[1, 0], [0, 2]]
    with pytest.raises(cm.InputError, match="null at row 1 of `y_true`"):
        cm.multiclass_sweep(y, p, nulls="raise")
    with pytest.raises(cm.InputError, match="null at row 2 of `sample_weight`"):
        cm.multiclass_sweep(
            ["a", "b", "b", "b"], p, sample_weight=pl.Series([1, 1, None, 2]), nulls="raise"
        )


def test_weights_of_rows_left_out_are_not_looked_at():
    s = cm.multiclass_sweep([0, None, 1], [[0.9, 0.1]] * 3, sample_weight=[1.0, -1.0, 2.0])
    assert s.at_argmax().counts.tolist() == [[1.0, 0.0], [2.0, 0.0]]
    assert s.at_argmax().n_dropped == 1


@pytest.mark.parametrize("grid", [1, 0, -3, True])
def test_a_grid_has_two_points(grid):
    s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    assert s.roc_curve(grid=2).height == 2
    for curve in (s.roc_curve, s.pr_curve):
        with pytest.raises(cm.InputError, match="wanted at least 2 points"):
            curve(grid=grid)
