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


def behind(table: pl.DataFrame, name: str, ends: pl.DataFrame) -> pl.DataFrame:
    """Return the table with intervals behind a column; `ends` may be of its first rows alone.

    Examples
    --------
    >>> table = pl.DataFrame({"f1": [0.5, 0.6], "mcc": [0.1, 0.2]})
    >>> behind(table, "f1", pl.DataFrame({"low": [0.25], "high": [0.75]})).rows()
    [(0.5, '[0.2500, 0.7500]', 0.1), (0.6, None, 0.2)]
    """
    texts = in_brackets(ends) + [None] * (table.height - ends.height)
    at = table.columns.index(name) + 1
    column = pl.Series(HEAD, texts, dtype=pl.String)
    return table.select(*table.columns[:at], column, *table.columns[at:])


def behind_first(table: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Return the table with the intervals of its first column that has some, behind it.

    `known` has them as `<name>_low` and `<name>_high`, of the first rows of the table or of all.

    Examples
    --------
    >>> table = pl.DataFrame({"n": [9], "f1": [0.5]})
    >>> behind_first(table, pl.DataFrame({"f1_low": [0.25], "f1_high": [0.75]})).rows()
    [(9, 0.5, '[0.2500, 0.7500]')]
    """
    for name in table.columns:
        low, high = f"{name}_low", f"{name}_high"
        if low in known.columns and not known[low].is_null().all():
            return behind(table, name, known.select(low=low, high=high))
    return table


def beside_values(table: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Return metrics, a row each, with intervals behind `value` where some row of `ends` has one.

    Examples
    --------
    >>> table = pl.DataFrame({"metric": ["f1"], "value": [0.5], "reason": [None]})
    >>> beside_values(table, pl.DataFrame({"low": [0.25], "high": [0.75]})).rows()
    [('f1', 0.5, '[0.2500, 0.7500]', None)]
    """
    if (ends["low"].is_null() | ends["high"].is_null()).all():
        return table
    return behind(table, "value", ends)


def of_ends(known: pl.DataFrame) -> pl.DataFrame:
    """Return metrics, a row each, with their columns `low` and `high` as one text.

    Examples
    --------
    >>> known = {"metric": ["f1"], "value": [0.5], "low": [0.25], "high": [0.75], "reason": [None]}
    >>> of_ends(pl.DataFrame(known)).rows()
    [('f1', 0.5, '[0.2500, 0.7500]', None)]
    """
    # What is missing beside a value is an interval, of which a screen does not speak.
    why = pl.when(pl.col("value").is_null()).then("reason").alias("reason")
    return beside_values(known.drop("low", "high").with_columns(why), known)
