"""Errors know the row that they are about, and are moved to it without a look at words."""

import copy
import pickle

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.errors import Row
from confmat.scores.slice_bins import SliceBins


def test_parts_of_a_message():
    error = cm.InputError("`y` has 2 values ", Row(7), " and 3 ", Row(0), "; at row 9 too")
    assert (str(error), error.row) == ("`y` has 2 values at row 7 and 3 at row 0; at row 9 too", 7)
    assert error.args == (str(error),)
    moved = error.moved(100, " (of some)", "a.csv: ")
    assert str(moved) == (
        "a.csv: `y` has 2 values at row 107 (of some) and 3 at row 100 (of some); at row 9 too"
    )
    assert moved.row == 107
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (str(again), again.row) == (str(error), 7)
        assert str(again.moved(1)) == str(error.moved(1))
    assert cm.InputError("at row 3").row is None
    assert str(cm.InputError("at row 3").moved(5)) == "at row 3"


@pytest.mark.parametrize(
    ("call", "row"),
    [
        (lambda: cm.confusion_matrix([0, 1, 0.5], [0, 1, 1]), 2),
        (lambda: cm.confusion_matrix([0, 1, 1], [0, 7, 1], labels=[0, 1]), 1),
        (lambda: cm.confusion_matrix([0, 1], [0, None], nulls="raise"), 1),
        (lambda: cm.confusion_matrix([0, 1], [0, 1], sample_weight=[1.0, -1.0]), 1),
        (lambda: cm.sweep([0, 1, 2], [0.1, 0.2, 0.3]), 2),
        (lambda: cm.multiclass_sweep([0, 1], [[0.5, 0.5], [np.nan, 0.5]]), 1),
        (lambda: cm.multiclass_sweep([0, 3], [[0.5, 0.5], [0.5, 0.5]], labels=[0, 1]), 1),
        (lambda: SliceBins(1 << 20).add(np.array([0, 4], np.uint32), [0, 1], [0.5, 0.1], 2), 1),
        (lambda: cm.confusion_matrix([0, 1], ["a", "b"]), None),
    ],
)
def test_rows(call, row):
    with pytest.raises(cm.InputError) as error:
        call()
    assert error.value.row == row
    assert (f"at row {row}" in str(error.value)) == (row is not None)


def test_a_label_is_no_row():
    """A label that reads like a place stays as it is where errors are moved."""
    with pytest.raises(cm.InputError) as error:
        cm.confusion_matrix(["a", "is at row 5"], ["a", "b"], labels=["a", "b"])
    moved = str(error.value.moved(10))
    assert moved.startswith("label 'is at row 5' at row 11 of `y_true` is not in labels")


def test_joint_errors_name_their_columns():
    huge = pl.Series([0, 2**63], dtype=pl.UInt64)
    with pytest.raises(cm.InputError, match="label 9223372036854775808 at row 1 of `y_pred_b` is"):
        cm.joint_matrix([0, 1], [0, 1], huge)
    with pytest.raises(cm.InputError, match="`y_true` is Int64, `y_pred_a` is String"):
        cm.joint_matrix(pl.Series([0, 1]), pl.Series(["`y_pred`", "b"]), pl.Series([0, 1]))
    scores = pl.Series([0, 2**53 + 1])
    with pytest.raises(cm.InputError, match="at row 1 of `y_score_b` has no exact float64"):
        cm.joint_sweep([0, 1], [0.1, 0.2], scores)
