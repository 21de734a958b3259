"""The same fault has the same words at every door, and the row wherever it can be known."""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from laws.doors import (
    doors_of_classes,
    doors_of_labels,
    doors_of_numbers,
    doors_of_pairs,
    doors_of_scores,
    doors_of_sets,
)

import confmat as cm
from confmat.frames.plugin_errors import refusal_in

ROWS = pl.DataFrame(
    {
        "g": [1] * 6,
        "y": [0, 1, 1, 0, 1, 0],
        "p": [0, 1, 0, 0, 1, 1],
        "s": [0.1, 0.9, 0.4, 0.3, 0.8, 0.6],
        "w": [1.0, 2.0, 1.0, 1.0, 3.0, 1.0],
    }
)
AT = 3


def changed(column: str, value: Any) -> pl.DataFrame:
    """Return the rows with another value at row AT."""
    values: list[Any] = ROWS[column].to_list()
    values[AT] = value
    dtype = pl.UInt64 if isinstance(value, int) and value > 2**62 else None
    return ROWS.with_columns(pl.Series(column, values, dtype, strict=False))


def whole_scores(value: int) -> pl.DataFrame:
    return ROWS.with_columns(s=pl.Series([1, 9, 4, value, 8, 6]))


WEIGHTS = {
    "weight -1 at row 3 of `sample_weight` is negative": changed("w", -1.0),
    "weight -0.5 at row 3 of `sample_weight` is negative": changed("w", -0.5),
    "weight nan at row 3 of `sample_weight` is not finite": changed("w", math.nan),
    "weight inf at row 3 of `sample_weight` is not finite": changed("w", math.inf),
    "`sample_weight` has dtype String: wanted numbers": ROWS.with_columns(w=pl.lit("a")),
}
FRACTION = "label 0.5 at row 3 of `y_true` is not a whole number"
LABELS = {
    FRACTION: ROWS.with_columns(y=pl.Series([0.0, 1.0, 1.0, 0.5, 1.0, 0.0])),
    "`y_true` is Int64, `y_pred` is String: labels of one kind are needed": ROWS.with_columns(
        pl.col("p").cast(pl.String)
    ),
    "`y_pred` has dtype Date": ROWS.with_columns(p=pl.date(2020, 1, 1)),
    "label 9223372036854775808 at row 3 of `y_true` is beyond 2^63 - 1": changed("y", 2**63),
    "label 18446744073709551615 at row 3 of `y_pred` is beyond 2^63 - 1": changed("p", 2**64 - 1),
}
SCORES = {
    "score nan at row 3 of `y_score` is no number": changed("s", math.nan),
    "`y_score` has dtype String: wanted numbers": ROWS.with_columns(s=pl.lit("a")),
    "score 9007199254740993 at row 3 of `y_score` has no exact float64": whole_scores(2**53 + 1),
    "score -9007199254740993 at row 3 of `y_score` has no exact float64": whole_scores(
        -(2**53) - 1
    ),
    "label 9223372036854775808 at row 3 of `y_true` is beyond 2^63 - 1": changed("y", 2**63),
    "label 0.5 at row 3 of `y_true` is not a whole number": LABELS[FRACTION],
}
# Rows of groups become codes before it is known which label is positive: such a code has the label,
# not the row.
OF_CODES = ("groups", "state", "grouped query")
TEXT = {"y": pl.String, "p": pl.String}
STRANGERS = {
    "label 7 at row 3 of `y_true` is not in labels [0, 1]": changed("y", 7),
    "label 7 at row 3 of `y_pred` is not in labels [0, 1]": changed("p", 7),
    "label '7' at row 3 of `y_true` is not in labels ['0', '1']": changed("y", 7).cast(TEXT),
    "label '7' at row 3 of `y_pred` is not in labels ['0', '1']": changed("p", 7).cast(TEXT),
}
THIRD = {
    "label 2 at row 3 of `y_true` is neither 0 nor 1": (
        None,
        "`y_true` holds 2: wanted the labels",
    ),
    "label 2 at row 3 of `y_true` is a third class beside pos_label 1": (
        1,
        "`y_true` has more than one class beside pos_label 1: ",
    ),
}


def told(call: Callable[[], Any]) -> str:
    """Return what is said, without the row where only those read together are counted."""
    try:
        call()
    except pl.exceptions.ComputeError as error:
        message = str(refusal_in(error) or error)
    except cm.InputError as error:
        message = re.sub(r"^in a group of \d+ rows: ", "", str(error))
    else:
        return "nothing"
    return re.sub(r"at row \d+ \(of the rows read together\)", f"at row {AT}", message)


# Which sum integer weights as such; others sum doubles.
COUNTED = ("counted slices", "counted frame", "counted query", "query")
OF_INTEGERS = {
    *COUNTED,
    *("matrix", "function", "sweep", "bins", "models", "scored models"),
    *("sets", "lists", "mistaken", "sets by group"),
}


def doors_of_weights(rows: pl.DataFrame) -> Iterator[tuple[str, Callable[[], Any]]]:
    for doors in (
        doors_of_labels,
        doors_of_scores,
        doors_of_classes,
        doors_of_sets,
        doors_of_pairs,
        doors_of_numbers,
    ):
        yield from doors(rows, sample_weight="w")


@pytest.mark.parametrize("words", WEIGHTS)
def test_weights(words: str) -> None:
    for door, call in doors_of_weights(WEIGHTS[words]):
        assert words in told(call), door


@pytest.mark.parametrize("weight", [2**53 + 1, 2**63, -1])
def test_integer_weights(weight: int) -> None:
    values = pl.Series([1, 1, 1, weight, 1, 1], dtype=pl.UInt64 if weight > 0 else pl.Int64)
    for door, call in doors_of_weights(ROWS.with_columns(w=values)):
        words = f"weight {weight} at row {AT} of `sample_weight` is "
        if weight < 0:
            words += "negative"
        elif weight < 2**63:
            words = "nothing" if door in OF_INTEGERS else words + "beyond 2^53, up to which"
        else:
            words += "beyond 2^63 - 1" if door in OF_INTEGERS else "beyond 2^"
        assert words in told(call), door


def of_arrays(weights: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what takes arrays."""
    columns: Any = ROWS.with_columns(other=1 - pl.col("s"))
    y, p, s = (columns[name] for name in "yps")
    scores = columns.select("other", "s")
    sets = scores.select(pl.all() > 0.5)
    calls: dict[str, Callable[..., Any]] = {
        "matrix": lambda w: cm.confusion_matrix(y, p, sample_weight=w),
        "function": lambda w: cm.accuracy(y, p, sample_weight=w),
        "sweep": lambda w: cm.sweep(y, s, sample_weight=w),
        "bins": lambda w: cm.sweep(y, s, sample_weight=w, bins="unit"),
        "classes": lambda w: cm.multiclass_sweep(y, scores, sample_weight=w),
        "sets": lambda w: cm.multilabel(sets, sets, sample_weight=w),
        "scored sets": lambda w: cm.multilabel_sweep(sets, scores, sample_weight=w),
        "mistaken": lambda w: cm.label_confusions(sets, sets, sample_weight=w),
        "models": lambda w: cm.joint_matrix(y, p, p, sample_weight=w),
        "scored models": lambda w: cm.joint_sweep(y, s, s, sample_weight=w),
        "numbers": lambda w: cm.regression(y, s, sample_weight=w),
    }
    for door, call in calls.items():
        yield door, lambda call=call: call(weights)


FORMS: dict[str, Callable[[Any], Any]] = {
    "list": lambda values: values.tolist(),
    "NumPy": lambda values: values,
    "NumPy, every other one": lambda values: np.repeat(values, 2)[::2],
    "Polars": pl.Series,
    "pandas": pd.Series,
    "pandas, with nulls": lambda values: pd.Series(values).convert_dtypes(),
    "pyarrow, in two pieces": lambda values: pa.chunked_array(
        [pa.array(values[:2]), pa.array(values[2:])]
    ),
}
BAD = {
    -1: "weight -1 at row 3 of `sample_weight` is negative",
    -0.5: "weight -0.5 at row 3 of `sample_weight` is negative",
    math.inf: "weight inf at row 3 of `sample_weight` is not finite",
    2**63: "weight 9223372036854775808 at row 3 of `sample_weight` is beyond 2^",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bad", BAD)
def test_weights_of_every_form(bad: float, form: str) -> None:
    weights = np.ones(6, np.asarray(bad).dtype)
    weights[AT] = bad
    for door, call in of_arrays(FORMS[form](weights)):
        assert BAD[bad] in told(call), door


@pytest.mark.parametrize("form", FORMS)
def test_texts_and_weights_of_other_lengths(form: str) -> None:
    for door, call in of_arrays(FORMS[form](np.array(["a"] * 6))):
        assert re.search(r"`sample_weight` has dtype \w+: wanted numbers", told(call)), door
    for door, call in of_arrays(FORMS[form](np.ones(3))):
        assert told(call) == "`y_true` has 6 rows, `sample_weight` has 3", door


@pytest.mark.parametrize("value", [1, np.array(1), np.ones((6, 2))])
def test_weights_that_are_no_column(value: Any) -> None:
    said = {re.sub(r"; .*", "", told(call)) for _, call in of_arrays(value)}
    assert len(said) == 1, said
    assert said.pop().startswith("`sample_weight` ")


def test_rows_without_a_weight_are_left_out_and_others_of_them_not_looked_at() -> None:
    weights = pl.Series([None, 1, 2, None, 1, 1])
    for door, call in of_arrays(weights):
        found = call()
        if door not in ("function", "mistaken"):
            assert (found.n, found.n_dropped) == (5, 2), door


@pytest.mark.parametrize("words", LABELS)
def test_labels(words: str) -> None:
    for door, call in doors_of_labels(LABELS[words]):
        assert words in told(call), door


@pytest.mark.parametrize("words", SCORES)
def test_scores(words: str) -> None:
    for door, call in doors_of_scores(SCORES[words]):
        assert words in told(call), door


def given_labels(words: str) -> list[Any]:
    return ["0", "1"] if "'" in words else [0, 1]


@pytest.mark.parametrize("words", STRANGERS)
def test_labels_outside_the_given_ones(words: str) -> None:
    for door, call in doors_of_labels(STRANGERS[words], labels=given_labels(words)):
        assert words in told(call), door
        assert 'other="bucket"' in told(call), door


def test_rows_that_do_not_count_may_have_labels_outside_the_given_ones() -> None:
    rows = changed("y", 7)
    for name in ("p", "w"):
        nothing = rows.with_columns(pl.when(pl.col("y") != 7).then(name).alias(name))
        asked = cm.metrics("y", "p", labels=[0, 1], sample_weight="w" if name == "w" else None)
        found = nothing.group_by("g").agg(asked.alias("m")).unnest("m")
        assert found["n_dropped"].to_list() == [1], name


@pytest.mark.parametrize("words", THIRD)
def test_third_class(words: str) -> None:
    pos_label, of_codes = THIRD[words]
    for door, call in doors_of_scores(changed("y", 2), pos_label=pos_label):
        assert (of_codes if door in OF_CODES else words) in told(call), door


def test_classes_beyond_63_bits() -> None:
    words = "label 9223372036854775808 at row 3 of `y_true` is beyond 2^63 - 1"
    for door, call in doors_of_classes(changed("y", 2**63)):
        assert words in told(call), door


@pytest.mark.parametrize("fault", [*WEIGHTS, *LABELS, *SCORES, *STRANGERS, *THIRD])
def test_errors_of_columns_have_the_row_that_they_tell(fault: str) -> None:
    of_scores, rows = doors_of_scores, SCORES.get(fault)
    if rows is None and fault in THIRD:
        rows = changed("y", 2)
    doors: Any
    options: dict[str, Any] = {}
    if rows is not None:
        doors, options = of_scores, {"pos_label": THIRD.get(fault, (None,))[0]}
    else:
        doors, rows = doors_of_labels, {**WEIGHTS, **LABELS, **STRANGERS}[fault]
        options = {"sample_weight": "w"} if fault in WEIGHTS else {}
        options |= {"labels": given_labels(fault)} if fault in STRANGERS else {}
    row = AT if "at row" in fault else None
    for door, call in doors(rows, **options):
        if door in ("matrix", "function", "sweep", "bins", "partial", "frame", *COUNTED[:2]):
            with pytest.raises(cm.InputError) as error:
                call()
            assert error.value.row == row, door
