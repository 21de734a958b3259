"""Intervals that are shown though none were asked for: their level, and how they are written."""

from __future__ import annotations

import polars as pl

from confmat.render.figures import figure

LEVEL = 0.95
HEAD = "95% interval"


def in_brackets(ends: pl.DataFrame) -> list[str | None]:
    """Return `low` and `high` of each row as one text, None where there is no interval.

    Examples
    --------
    >>> in_brackets(pl.DataFrame({"low": [0.4385, None], "high": [1.0, None]}))
    ['[0.4385, 1.0000]', None]
    """
    return [
        None if low is None or high is None else f"[{figure(low)}, {figure(high)}]"
        for low, high in ends.select("low", "high").rows()
    ]


def beside_values(table: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Return metrics, a row each, with intervals behind `value` where some row of `ends` has one.

    Examples
    --------
    >>> table = pl.DataFrame({"metric": ["f1"], "value": [0.5], "reason": [None]})
    >>> beside_values(table, pl.DataFrame({"low": [0.25], "high": [0.75]})).rows()
    [('f1', 0.5, '[0.2500, 0.7500]', None)]
    """
    texts = pl.Series(HEAD, in_brackets(ends), dtype=pl.String)
    if texts.is_null().all():
        return table
    at = table.columns.index("value") + 1
    return table.select(*table.columns[:at], texts, *table.columns[at:])
