"""The same fault has the same words at every door, and the row wherever it can be known."""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

import confmat as cm
from confmat.frames.plugin_errors import plugin_message

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
# Rows of groups become codes before the labels that count are known: a code of any label but those
# has neither the label nor the row, a code of a score has the label alone.
OF_CODES = ("expression", "groups", "state", "grouped query")
STRANGERS = {
    "label 7 at row 3 of `y_true` is not in labels [0, 1]": changed("y", 7),
    "label 7 at row 3 of `y_pred` is not in labels [0, 1]": changed("p", 7),
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


def doors_of_labels(
    rows: pl.DataFrame, labels: list[int] | None = None, **weight: str
) -> Iterator[tuple[str, Callable[[], Any]]]:
    given: Any = {} if labels is None else {"labels": labels}
    columns: Any = {name: rows[column] for name, column in weight.items()} | given
    weight: Any = weight | given
    yield "matrix", lambda: cm.confusion_matrix(rows["y"], rows["p"], **columns)
    yield "function", lambda: cm.accuracy(rows["y"], rows["p"], **columns)
    yield "expression", lambda: rows.select(cm.metrics("y", "p", **weight))
    yield "groups", lambda: rows.group_by("g").agg(cm.metrics("y", "p", **weight))
    yield "state", lambda: rows.group_by("g").agg(cm.state("y", "p", **weight))
    yield "partial", lambda: cm.partial(rows, y_true="y", y_pred="p", by="g", **weight)
    for by, query in ((None, "query"), ("g", "grouped query")):
        yield "frame", lambda by=by: rows.cm.evaluate("y", "p", by=by, **weight)
        yield query, lambda by=by: rows.lazy().cm.evaluate("y", "p", by=by, **weight).collect()


def doors_of_scores(
    rows: pl.DataFrame, pos_label: int | None = None, **weight: str
) -> Iterator[tuple[str, Callable[[], Any]]]:
    given: Any = {} if pos_label is None else {"pos_label": pos_label}
    columns: Any = {name: rows[column] for name, column in weight.items()} | given
    weight: Any = weight | given
    yield "sweep", lambda: cm.sweep(rows["y"], rows["s"], **columns)
    yield "bins", lambda: cm.sweep(rows["y"], rows["s"], bins="unit", **columns)
    yield "function", lambda: cm.roc_auc(rows["y"], rows["s"], **columns)
    yield "groups", lambda: rows.group_by("g").agg(cm.sweep_metrics("y", "s", **weight))
    yield "state", lambda: rows.group_by("g").agg(cm.state("y", y_score="s", **weight))
    yield "partial", lambda: cm.partial(rows, y_true="y", y_score="s", by="g", **weight)
    for by in (None, "g"):
        yield "frame", lambda by=by: rows.cm.evaluate("y", None, "s", by=by, **weight)
        ask = rows.lazy().cm.evaluate
        call = lambda by=by, ask=ask: ask("y", None, "s", by=by, **weight).collect()  # noqa: E731
        yield "grouped query", call


def doors_of_classes(rows: pl.DataFrame, **weight: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    both = rows.with_columns(other=1 - pl.col("s"))
    columns = {name: rows[column] for name, column in weight.items()}
    scores = both.select("other", "s")
    yield "sweep", lambda: cm.multiclass_sweep(rows["y"], scores, **columns)
    asked = cm.multiclass_metrics("y", ["other", "s"], **weight)
    yield "groups", lambda: both.group_by("g").agg(asked)
    yield "frame", lambda: both.cm.evaluate("y", y_score=["other", "s"], **weight)


def told(call: Callable[[], Any]) -> str:
    """Return what is said, without the row where only those read together are counted."""
    try:
        call()
    except pl.exceptions.ComputeError as error:
        message = plugin_message(error) or str(error)
    except cm.InputError as error:
        message = re.sub(r"^in a group of \d+ rows: ", "", str(error))
    else:
        return "nothing"
    return re.sub(r"at row \d+ \(of the rows read together\)", f"at row {AT}", message)


@pytest.mark.parametrize("words", WEIGHTS)
def test_weights(words: str) -> None:
    rows = WEIGHTS[words]
    of_each = (doors_of_labels, doors_of_scores, doors_of_classes)
    for door, call in (one for doors in of_each for one in doors(rows, sample_weight="w")):
        assert words in told(call), door


@pytest.mark.parametrize("weight", [2**53 + 1, 2**63, -1])
def test_integer_weights(weight: int) -> None:
    values = pl.Series([1, 1, 1, weight, 1, 1], dtype=pl.UInt64 if weight > 0 else pl.Int64)
    rows = ROWS.with_columns(w=values)
    exact = {"matrix", "function", "sweep", "bins"}  # which sum integers; others sum doubles
    for doors in (doors_of_labels, doors_of_scores):
        for door, call in doors(rows, sample_weight="w"):
            words = f"weight {weight} at row {AT} of `sample_weight` is "
            if weight < 0:
                words += "negative"
            elif weight < 2**63:
                words = "nothing" if door in exact else words + "beyond 2^53, up to which"
            else:
                words += "beyond 2^63 - 1" if door in exact else "beyond 2^"
            assert words in told(call), door


@pytest.mark.parametrize("words", LABELS)
def test_labels(words: str) -> None:
    for door, call in doors_of_labels(LABELS[words]):
        assert words in told(call), door


@pytest.mark.parametrize("words", SCORES)
def test_scores(words: str) -> None:
    for door, call in doors_of_scores(SCORES[words]):
        assert words in told(call), door


@pytest.mark.parametrize("words", STRANGERS)
def test_labels_outside_the_given_ones(words: str) -> None:
    argument = re.search(r"`y_\w+`", words)
    assert argument is not None
    for door, call in doors_of_labels(STRANGERS[words], labels=[0, 1]):
        message = told(call)
        if door in OF_CODES:
            assert argument[0] in message, door
            assert "1 row of a group with a label that is not in labels [0, 1]" in message, door
        else:
            assert words in message, door


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
        options |= {"labels": [0, 1]} if fault in STRANGERS else {}
    row = AT if "at row" in fault else None
    for door, call in doors(rows, **options):
        if door in ("matrix", "function", "sweep", "bins", "partial", "frame"):
            with pytest.raises(cm.InputError) as error:
                call()
            assert error.value.row == row, door
