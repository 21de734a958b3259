"""Errors know the row that they are about, and are moved to it without a look at words."""

import copy
import pickle

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.engines.outcomes import failed
from confmat.errors import Row, Taker, named
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


def test_what_takes_an_argument_is_said_where_it_is_asked_for():
    error = cm.InputError("2 values ", Row(7), "; give pos_label", Taker(), " or b; give pos_label")
    assert str(error) == "2 values at row 7; give pos_label or b; give pos_label"
    for one in (error, pickle.loads(pickle.dumps(error)), cm.InputError(*error.parts)):
        told = named(one.moved(3), "a: ").given_to("cm.f")
        assert str(told) == "a: 2 values at row 10; give pos_label to cm.f or b; give pos_label"
        assert (type(told), told.row) == (cm.InputError, 10)
        assert str(told.given_to("cm.g")) == str(told).replace("cm.f", "cm.g")
        assert str(told.given_to("")) == str(told).replace(" to cm.f", "")
    assert str(failed(error).error) == str(error)
    assert str(failed(error.given_to("cm.f")).error) == str(error.given_to("cm.f"))
    assert cm.InputError("; give pos_label").given_to("cm.f") is None


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
    for _ in range(20):  # groups come in any order
        with pytest.raises(cm.InputError, match="label 9223372036854775808 at row 1 of `y_pred_b`"):
            cm.joint_matrix([0, 1], [0, 1], huge)
    with pytest.raises(cm.InputError, match="`y_true` is Int64, `y_pred_a` is String"):
        cm.joint_matrix(pl.Series([0, 1]), pl.Series(["`y_pred`", "b"]), pl.Series([0, 1]))
    scores = pl.Series([0, 2**53 + 1])
    with pytest.raises(cm.InputError, match="at row 1 of `y_score_b` has no exact float64"):
        cm.joint_sweep([0, 1], [0.1, 0.2], scores)


def test_errors_that_travel_between_processes_keep_their_row():
    error = failed(cm.InputError("part 3: label 7 ", Row(41), " of `y`"), (2, 0)).error
    assert (str(error), error.row) == ("part 3: label 7 at row 41 of `y`", 41)
    assert str(named(error, "a.csv: ")) == f"a.csv: {error}"
    assert named(error, "a.csv: ").row == 41
    assert str(named(cm.StateError("cut"), "a.csv: ")) == "a.csv: cut"


def test_what_names_an_output_or_an_attribute_keeps_the_row():
    with pytest.raises(cm.InputError, match="output 1: nan at row 1 of") as error:
        cm.regression([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, np.nan]])
    assert error.value.row == 1
    frame = pl.DataFrame({"y": [0, 1], "p": [0, 1], "c": [1, None]})
    with pytest.raises(cm.InputError, match="is null at row 1;") as error:
        frame.cm.evaluate("y", "p", cluster="c", ci=0.95)
    assert error.value.row == 1


@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize(
    ("columns", "bad"),
    [
        ({"y_true": "y", "y_score": ["a", "b"]}, "y"),
        ({"y_true": ["t", "u"], "y_pred": ["v", "w"]}, "v"),
        ({"y_true": ["t", "u"], "y_score": ["a", "b"]}, "u"),
    ],
    ids=["classes", "label sets", "scores of label sets"],
)
def test_logs_of_several_columns_name_the_row_of_the_file(tmp_path, by, columns, bad):
    n = 4_000
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            **{name: rng.integers(0, 2, n) for name in "ytuvw"},
            **{name: rng.random(n) for name in "ab"},
            "g": np.arange(n) % 3,
        }
    )
    at = pl.int_range(n) == 3_001
    frame = frame.with_columns(pl.when(at).then(5).otherwise(bad).alias(bad))
    frame.write_parquet(tmp_path / "log.parquet", row_group_size=1_000)
    labels = {"labels": [0, 1]} if bad == "y" else {}
    with pytest.raises(cm.InputError, match="at row 3001") as error:
        cm.evaluate(tmp_path / "log.parquet", by=by, **columns, **labels)
    assert error.value.row == 3001


def test_sets_against_the_default_column_keep_their_own_error():
    frame = pl.DataFrame({"t": [0, 1], "u": [1, 0], "y_pred": [[0, 1], [1, 1]]})
    with pytest.raises(cm.InputError, match="one of `y_true` and `y_pred` holds lists of names"):
        cm.partial(frame, y_true=["t", "u"])
