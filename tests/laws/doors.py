"""The doors that columns of a frame go in by: names, and calls of each."""

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

import confmat as cm


def doors_of_labels(
    rows: pl.DataFrame, labels: list[Any] | None = None, **weight: str
) -> Iterator[tuple[str, Callable[[], Any]]]:
    given: Any = {} if labels is None else {"labels": labels}
    columns: Any = {name: rows[column] for name, column in weight.items()} | given
    weight: Any = weight | given
    yield "matrix", lambda: cm.confusion_matrix(rows["y"], rows["p"], **columns)
    yield "function", lambda: cm.accuracy(rows["y"], rows["p"], **columns)
    yield "expression", lambda: rows.select(cm.metrics("y", "p", **weight))
    yield "groups", lambda: rows.group_by("g").agg(cm.metrics("y", "p", **weight))
    yield "state", lambda: rows.group_by("g").agg(cm.state("y", "p", **weight))
    yield "counted slices", lambda: cm.partial(rows, y_true="y", y_pred="p", by="g", **weight)
    for by, query in ((None, "query"), ("g", "counted query")):
        yield "counted frame", lambda by=by: rows.cm.evaluate("y", "p", by=by, **weight)
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
    yield "classes", lambda: cm.multiclass_sweep(rows["y"], scores, **columns)
    asked = cm.multiclass_metrics("y", ["other", "s"], **weight)
    yield "groups", lambda: both.group_by("g").agg(asked)
    yield "frame", lambda: both.cm.evaluate("y", y_score=["other", "s"], **weight)
    ask = both.lazy().cm.evaluate("y", y_score=["other", "s"], by="g", **weight)
    yield "grouped query", ask.collect


def doors_of_sets(rows: pl.DataFrame, **weight: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    columns = {name: rows[column] for name, column in weight.items()}
    both = rows.with_columns(t=pl.concat_list("y"), q=pl.concat_list("p"))
    truth, pred, scores = rows.select("y"), rows.select(y="p"), rows.select(y="s")
    yield "sets", lambda: cm.multilabel(truth, pred, **columns)
    yield "lists", lambda: cm.multilabel(both["t"], both["q"], **columns)
    yield "scored sets", lambda: cm.multilabel_sweep(truth, scores, **columns)
    yield "mistaken", lambda: cm.label_confusions(both["t"], both["q"], **columns)
    asked = cm.multilabel_metrics("t", "q", **weight)
    yield "sets by group", lambda: both.group_by("g").agg(asked)
    asked = cm.multilabel_metrics(["y"], y_score=["s"], **weight)
    yield "scored sets by group", lambda: both.group_by("g").agg(asked)


def doors_of_pairs(rows: pl.DataFrame, **weight: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    columns = {name: rows[column] for name, column in weight.items()}
    y, p, s = rows["y"], rows["p"], rows["s"]
    yield "models", lambda: cm.joint_matrix(y, p, 1 - p, **columns)
    yield "scored models", lambda: cm.joint_sweep(y, s, 1 - s, **columns)


def doors_of_numbers(rows: pl.DataFrame, **weight: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    columns = {name: rows[column] for name, column in weight.items()}
    yield "numbers", lambda: cm.regression(rows["y"], rows["s"], **columns)
    asked = cm.regression_metrics("y", "s", **weight)
    yield "numbers by group", lambda: rows.group_by("g").agg(asked)
