"""Columns of scores of many classes, brought together: one for each class of each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError
from confmat.inputs import label_column
from confmat.labels import Label, finder
from confmat.objects.multiclass_sweeping import labels_of_columns
from confmat.paired.models import Models

SPREAD = "__confmat_of_"  # before the names of columns that are made of lists


class ClassScores(NamedTuple):
    """Rows with a column of numbers for each class and model, all in the order of `labels`."""

    rows: pl.DataFrame
    labels: tuple[Label, ...]
    columns: Mapping[str, list[str]]


def class_scores(rows: pl.DataFrame, y_true: str, models: Models, labels: Any) -> ClassScores:
    """Return the scores of all models, and the classes that they are of.

    Raises
    ------
    InputError
        Lists of several lengths, models of another number of classes, labels that do not fit.
    """
    columns: dict[str, list[str]] = {}
    for model, names in models.class_scores.items():
        rows, columns[model] = _spread(rows, names)
    first, *others = columns
    for model in others:
        if len(columns[model]) != len(columns[first]):
            raise InputError(
                f"`y_score` of the model {model!r} has scores of {len(columns[model])} classes, "
                f"and of {first!r} of {len(columns[first])}; wanted the same classes"
            )
    if not rows[y_true].count():
        return ClassScores(rows, tuple(range(len(columns[first]))), columns)
    found, declared, _ = label_column(rows[y_true], "y_true")
    truth = coded(found)
    of_models = {
        model: labels_of_columns(truth, declared, len(of), of, labels, "y_score")
        for model, of in columns.items()
    }
    order = _one_order(list(of_models.values()), declared)
    for model, own in of_models.items():
        _core.class_codes(truth, own, 0)  # refuses a row of another class
        columns[model] = [columns[model][at] for at in map(finder(own, "labels"), order)]
    return ClassScores(rows, tuple(order), columns)


def _one_order(orders: Sequence[list[Label]], declared: list[Label] | None) -> list[Label]:
    """Return the order of columns where all models have one, else that of the labels themselves."""
    first = orders[0]
    if all(own == first for own in orders):
        return first
    if declared is not None and set(declared) == set(first):
        return declared
    return sorted(first)


def _spread(rows: pl.DataFrame, names: list[str]) -> tuple[pl.DataFrame, list[str]]:
    """Return rows with a column for each class, and what these are called."""
    dtype = rows[names[0]].dtype
    if isinstance(dtype, pl.Array):
        width = dtype.size
    elif isinstance(dtype, pl.List):
        lengths = rows[names[0]].list.len().drop_nulls().unique().sort().to_list()
        if len(lengths) > 1:
            raise InputError(
                f"`y_score` {names[0]!r} has lists of {lengths[0]} scores and of {lengths[1]}; "
                "wanted one of each class in every row"
            )
        width = lengths[0] if lengths else 0
    else:
        return rows, names
    made = [f"{SPREAD}{names[0]}[{at}]" for at in range(width)]
    lists = pl.col(names[0])
    lists = lists.arr.to_list() if isinstance(dtype, pl.Array) else lists
    return rows.with_columns(lists.list.get(at).alias(of) for at, of in enumerate(made)), made
