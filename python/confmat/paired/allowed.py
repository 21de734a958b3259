"""What `cm.compare` refuses: options that do not go together, columns that are no numbers."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.options import check_choice, refuse_unused
from confmat.paired.bootstrapping import BOOTSTRAP
from confmat.paired.difference import DELTA
from confmat.paired.models import Models
from confmat.scores.grid import UNIT


def check_options(
    models: Models, *, bins: Any, cluster: Any, method: Any, seed: Any, replicates: Any
) -> None:
    """Refuse options that these models do not have, or not together. Raises InputError."""
    if bins is not None:
        check_choice("bins", bins, UNIT)
        if models.numbers:
            raise InputError(f"`bins` is {bins!r}, and bins are of scores, not of numbers")
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


def check_types(models: Models, schema: pl.Schema, y_true: str) -> None:
    """Refuse scores and numbers that are none, or are those of two models. Raises InputError."""
    argument = "y_pred" if models.numbers else "y_score"
    what = "numbers" if models.numbers else "scores, which are numbers"
    columns = list(models.of_rows.values())
    if models.numbers:
        _check_number("y_true", y_true, schema, what)
    for at, name in enumerate(columns):
        if name in columns[:at]:
            raise InputError(f"`{argument}` names the column {name!r} for two models")
        _check_number(argument, name, schema, what)


def _check_number(argument: str, name: str, schema: pl.Schema, what: str) -> None:
    dtype = schema[name]
    if dtype.is_decimal():
        raise InputError(f"`{argument}` {name!r} is {dtype}; cast it to pl.Float64")
    if not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
        raise InputError(f"`{argument}` {name!r} is {dtype}; wanted {what}")
