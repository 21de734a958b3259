"""Keys of coarser slices as texts: a column, or a date cut to a month and the like."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat.errors import InputError
from confmat.labels import listing

UNITS = {"year": "1y", "quarter": "1q", "month": "1mo", "week": "1w", "day": "1d", "hour": "1h"}


def slice_keys(given: Sequence[str], schema: pl.Schema, keys: Sequence[str]) -> list[pl.Expr]:
    """Return the expressions of keys: `month` is a column, `day:month` a date cut to its month.

    The cut key is called as its unit, and holds the first moment of it.

    Raises
    ------
    InputError
        No such column or unit, a unit of something else than dates, two keys of one name.

    Examples
    --------
    >>> from datetime import date
    >>> import polars as pl
    >>> from confmat.logs.slice_keys import slice_keys
    >>> days = pl.DataFrame({"site": ["a", "b"], "day": [date(2024, 5, 3), date(2024, 6, 9)]})
    >>> days.select(slice_keys(["site", "day:month"], days.schema, days.columns)).rows()
    [('a', datetime.date(2024, 5, 1)), ('b', datetime.date(2024, 6, 1))]
    """
    out: dict[str, pl.Expr] = {}
    for text in given:
        name, key = _key(text, schema, keys)
        if name in out:
            raise InputError(f"`by` has two keys called {name!r}; wanted each once")
        out[name] = key
    return list(out.values())


def _key(text: str, schema: pl.Schema, keys: Sequence[str]) -> tuple[str, pl.Expr]:
    if text in keys:
        return text, pl.col(text)
    column, colon, unit = text.rpartition(":")
    if not colon or column not in keys:
        dates = [name for name in keys if schema[name].base_type() in (pl.Date, pl.Datetime)]
        cut = text in UNITS and len(dates) == 1
        hint = f"; did you mean {dates[0]}:{text}?" if cut else ""
        missing = column if colon else text
        raise InputError(f"`by` has the key {missing!r}, and the keys are {listing(keys)}{hint}")
    if unit not in UNITS:
        raise InputError(f"`by` has {text!r}; wanted a unit of {', '.join(UNITS)}")
    if schema[column].base_type() not in (pl.Date, pl.Datetime):
        raise InputError(f"`by` has {text!r}, and {column!r} is {schema[column]}; wanted dates")
    if unit == "hour" and schema[column] == pl.Date:
        raise InputError(f"`by` has {text!r}, and {column!r} is Date; wanted times")
    return unit, pl.col(column).dt.truncate(UNITS[unit]).alias(unit)
