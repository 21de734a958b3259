"""What `cm.compare` refuses: options that do not go together, columns that are no numbers."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.options import check_choice, refuse_unused
from confmat.paired.bootstrapping import BOOTSTRAP
from confmat.paired.difference import DELTA
from confmat.paired.models import ClassColumns, Models
from confmat.scores.grid import UNIT


def check_options(
    models: Models, *, bins: Any, cluster: Any, method: Any, seed: Any, replicates: Any
) -> None:
    """Refuse options that these models do not have, or not together. Raises InputError."""
    if bins is not None:
        check_choice("bins", bins, UNIT)
        if models.numbers:
            raise InputError(f"`bins` is {bins!r}, and bins are of scores, not of numbers")
        if models.class_scores:
            raise InputError(
                f"`bins` is {bins!r}, and joint states of scores are of two classes; leave it out"
            )
        if cluster is not None and models.y_score:
            raise InputError(
                "`cluster` needs the rows of scores, and `bins` does not keep them; leave one out"
            )
    if method is not None:
        check_choice("method", method, DELTA, BOOTSTRAP)
    if method is not None or bins is not None or not models.of_rows:
        refuse_unused(method, seed, replicates)
    if method == BOOTSTRAP and bins is not None and models.y_score:
        raise InputError(
            "`method` is 'bootstrap', which draws rows of scores again, and `bins` does not keep "
            "them; leave one out"
        )


def check_of_classes(models: Models, *, other: Any, pos_label: Any, **drawn: Any) -> None:
    """Refuse options that scores of many classes do not have. Raises InputError.

    `drawn`: what belongs to rows that are drawn again.
    """
    if not models.class_scores:
        return
    if other != "raise":
        raise InputError(
            f"`other` is {other!r}, and scores of many classes have one of each; leave rows of "
            "other classes out by `where`"
        )
    if pos_label is not None and not models.y_pred:
        raise InputError(
            f"`pos_label` is {pos_label!r}, and scores of many classes have no positive one; leave "
            "it out"
        )
    for name, given in drawn.items():
        if given == BOOTSTRAP or (given is not None and name != "method"):
            raise InputError(
                f"`{name}` is {given!r}, and scores of many classes are not drawn again; leave it "
                "out"
            )


def check_types(models: Models, schema: pl.Schema, y_true: str, sample_weight: str | None) -> None:
    """Refuse scores, numbers and weights that are none, or are those of two models.

    Raises InputError.
    """
    if sample_weight is not None and not _is_number(schema[sample_weight]):
        raise InputError(f"`sample_weight` has dtype {schema[sample_weight]}: wanted numbers")
    if models.class_scores:
        _check_classes(models.class_scores, schema)
        return
    argument = "y_pred" if models.numbers else "y_score"
    what = "numbers" if models.numbers else "scores, which are numbers"
    columns = list(models.of_rows.values())
    if models.numbers:
        _check_number("y_true", y_true, schema[y_true], what)
    for at, name in enumerate(columns):
        if name in columns[:at]:
            raise InputError(f"`{argument}` names the column {name!r} for two models")
        _check_number(argument, name, schema[name], what)


def _check_classes(scores: ClassColumns, schema: pl.Schema) -> None:
    """Refuse columns of scores of many classes that are none. Raises InputError."""
    named: dict[str, str] = {}
    for model, columns in scores.items():
        of_lists = [name for name in columns if isinstance(schema[name], (pl.List, pl.Array))]
        if of_lists and len(columns) > 1:
            raise InputError(
                f"`y_score` of the model {model!r} has {of_lists[0]!r}, which holds lists, beside "
                "other columns; wanted one of lists, or one of numbers of each class"
            )
        if len(columns) == 1 and not of_lists:
            raise InputError(
                f"`y_score` of the model {model!r} is a list of one column, {columns[0]!r}; wanted "
                "one of each class, or the name alone"
            )
        for name in columns:
            if name in named:
                of = "twice" if named[name] == model else "for two models"
                raise InputError(f"`y_score` names the column {name!r} {of}")
            named[name] = model
            inner: Any = getattr(schema[name], "inner", schema[name])
            _check_number("y_score", name, inner, "scores, which are numbers")


def _check_number(argument: str, name: str, dtype: pl.DataType, what: str) -> None:
    if dtype.is_decimal():
        raise InputError(f"`{argument}` {name!r} is {dtype}; cast it to pl.Float64")
    if not _is_number(dtype):
        raise InputError(f"`{argument}` {name!r} is {dtype}; wanted {what}")


def _is_number(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)
