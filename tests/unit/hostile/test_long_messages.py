"""Messages stay short where an argument holds thousands of values."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

LOG = pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 1]})
ROWS = list(range(5_000))


@pytest.mark.parametrize(
    ("call", "starts", "ends"),
    [
        (lambda: cm.evaluate(LOG, where=ROWS), "`where` is [0, 1, 2,", "> 0"),
        (lambda: cm.evaluate(LOG, ci=ROWS), "`ci` is [0, 1, 2,", "0.95"),
        (lambda: LOG.cm.evaluate(ROWS), "`y_true` is [0, 1, 2,", ")"),
        (lambda: cm.confusion_matrix([0], [0], nulls=ROWS), "`nulls` is [0, 1,", "'raise'"),
    ],
    ids=["where", "ci", "y_true", "nulls"],
)
def test_the_ends_of_a_message_are_kept(call, starts, ends):
    with pytest.raises(cm.InputError) as caught:
        call()
    message = str(caught.value)
    assert len(message) < 2_100
    assert message.startswith(starts)
    assert " ... " in message
    assert message.endswith(ends)


def test_the_row_is_known_behind_a_cut():
    with pytest.raises(cm.InputError) as caught:
        cm.confusion_matrix(["a", "x" * 9_000], ["a", "a"], labels=["a"])
    assert caught.value.row == 1
    assert "at row 1 of `y_true` is not in labels" in str(caught.value)
    moved = caught.value.moved(10)
    assert moved.row == 11
    assert "at row 11" in str(moved)


@pytest.mark.parametrize("given", ["t", pl.col("t")], ids=["name", "expression"])
def test_columns_of_plans_are_for_expressions(given):
    for call in (cm.f1, cm.confusion_matrix, cm.sweep):
        with pytest.raises(cm.InputError, match=r"; columns by name and expressions are for cm\."):
            call(given, np.array([0, 1]))
