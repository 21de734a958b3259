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
    return ROWS.with_columns(pl.Series(column, values, strict=False))


WEIGHTS = {
    "weight -1 at row 3 of `sample_weight` is negative": changed("w", -1.0),
    "weight -0.5 at row 3 of `sample_weight` is negative": changed("w", -0.5),
    "weight nan at row 3 of `sample_weight` is not finite": changed("w", math.nan),
    "weight inf at row 3 of `sample_weight` is not finite": changed("w", math.inf),
    "`sample_weight` has dtype String: wanted numbers": ROWS.with_columns(w=pl.lit("a")),
}
LABELS = {
    "label 0.5 at row 3 of `y_true` is not a whole number": ROWS.with_columns(
        y=pl.Series([0.0, 1.0, 1.0, 0.5, 1.0, 0.0])
    ),
    "`y_true` is Int64, `y_pred` is String: labels of one kind are needed": ROWS.with_columns(
        pl.col("p").cast(pl.String)
    ),
    "`y_pred` has dtype Date": ROWS.with_columns(p=pl.date(2020, 1, 1)),
}
SCORES = {
    "score nan at row 3 of `y_score` is no number": changed("s", math.nan),
    "`y_score` has dtype String: wanted numbers": ROWS.with_columns(s=pl.lit("a")),
}


def doors_of_labels(rows: pl.DataFrame, **weight: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    columns = {name: rows[column] for name, column in weight.items()}
    yield "matrix", lambda: cm.confusion_matrix(rows["y"], rows["p"], **columns)
    yield "function", lambda: cm.accuracy(rows["y"], rows["p"], **columns)
    yield "expression", lambda: rows.select(cm.metrics("y", "p", **weight))
    yield "groups", lambda: rows.group_by("g").agg(cm.metrics("y", "p", **weight))
    yield "state", lambda: rows.group_by("g").agg(cm.state("y", "p", **weight))
    yield "partial", lambda: cm.partial(rows, y_true="y", y_pred="p", by="g", **weight)
    for by in (None, "g"):
        yield "frame", lambda by=by: rows.cm.evaluate("y", "p", by=by, **weight)
        yield "query", lambda by=by: rows.lazy().cm.evaluate("y", "p", by=by, **weight).collect()


def doors_of_scores(rows: pl.DataFrame, **weight: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    columns = {name: rows[column] for name, column in weight.items()}
    yield "sweep", lambda: cm.sweep(rows["y"], rows["s"], **columns)
    yield "bins", lambda: cm.sweep(rows["y"], rows["s"], bins="unit", **columns)
    yield "function", lambda: cm.roc_auc(rows["y"], rows["s"], **columns)
    yield "groups", lambda: rows.group_by("g").agg(cm.sweep_metrics("y", "s", **weight))
    yield "state", lambda: rows.group_by("g").agg(cm.state("y", y_score="s", **weight))
    yield "partial", lambda: cm.partial(rows, y_true="y", y_score="s", by="g", **weight)
    for by in (None, "g"):
        yield "frame", lambda by=by: rows.cm.evaluate("y", None, "s", by=by, **weight)
        query = rows.lazy().cm.evaluate
        yield "query", lambda by=by, query=query: query("y", None, "s", by=by, **weight).collect()


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
        return re.sub(r"at row \d+ \(of the rows read together\)", f"at row {AT}", message)
    except cm.InputError as error:
        return re.sub(r"^in a group of \d+ rows: ", "", str(error))
    return "nothing"


@pytest.mark.parametrize("words", WEIGHTS)
def test_weights(words: str) -> None:
    rows = WEIGHTS[words]
    of_each = (doors_of_labels, doors_of_scores, doors_of_classes)
    for door, call in (one for doors in of_each for one in doors(rows, sample_weight="w")):
        assert words in told(call), door


@pytest.mark.parametrize("words", LABELS)
def test_labels(words: str) -> None:
    for door, call in doors_of_labels(LABELS[words]):
        assert words in told(call), door


@pytest.mark.parametrize("words", SCORES)
def test_scores(words: str) -> None:
    for door, call in doors_of_scores(SCORES[words]):
        assert words in told(call), door
