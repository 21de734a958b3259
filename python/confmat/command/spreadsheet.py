"""Texts in CSV that a spreadsheet would run, or a terminal act upon, made harmless."""

from __future__ import annotations

import csv
import io
import re

import polars as pl

# Before a sign, a spreadsheet skips what takes no room: white space, controls, invisible marks.
_SKIPPED = r"\s\p{Z}\p{Cc}\p{Cf}"
# ASCII, full-width and small forms, and the minus of typography.
_SIGNS = r"[=+\-@＝＋－＠﹦﹢﹣﹫−]"  # noqa: RUF001
# Where a cell begins; within a text also behind what some locales or line readers split cells at.
_STARTS = r"[;\n\r\x0b\x0c\x{85}\x{2028}\x{2029}]"
_FORMULA = rf"(?:^([{_SKIPPED}]*{_SIGNS})|({_STARTS})([{_SKIPPED}--{_STARTS}]*{_SIGNS}))"
_BLANK = r"^([\t\r\n])"  # a sheet drops these in front, and what is behind them begins the cell
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"

# Controls, line ends of Unicode, and marks that turn the direction of writing.
UNSEEN = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff"
_UNSEEN = re.compile(f"[{UNSEEN}]")


def guarded(texts: pl.Series) -> pl.Series:
    """Return texts that begin no formula and hold no control: for CSV, which people open.

    In front of what would begin a formula stands a ``'``. Plain numbers stay as they are. Controls
    and marks of direction are escaped as Python writes them.
    """
    if not texts.str.contains(f"{_FORMULA}|[{UNSEEN}]").any():
        return texts
    marked = texts.str.replace_all(_FORMULA, "${2}'${1}${3}").str.replace(_BLANK, "'${1}")
    made = pl.select(pl.when(texts.str.contains(_NUMBER)).then(texts).otherwise(marked)).to_series()
    words = [
        word and _UNSEEN.sub(lambda c: c[0].encode("unicode_escape").decode(), word)
        for word in made
    ]
    return pl.Series(texts.name, words, dtype=pl.String)


def header(names: list[str]) -> bytes:
    """Return the first line of a CSV file; two names may be the same once they are guarded."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(guarded(pl.Series(names, dtype=pl.String)))
    return line.getvalue().encode()


def readable(column: pl.Series) -> pl.Series:
    """Return a column as CSV can hold it: texts guarded, nan left empty, lists as text."""
    kind = column.dtype
    if kind.is_float():
        return column.fill_nan(None)
    if kind.is_numeric() or kind in (pl.Boolean, pl.Null, pl.Date, pl.Datetime, pl.Time):
        return column
    if kind not in (pl.String, pl.Categorical, pl.Enum):
        texts = [None if value is None else str(value) for value in column.to_list()]
        return guarded(pl.Series(column.name, texts, dtype=pl.String))
    return guarded(column.cast(pl.String))
