"""What was meant by a text on the command line: a label, a list of names, a column."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

import polars as pl

from confmat.errors import InputError
from confmat.labels import Label


def split(text: str | None) -> list[str] | None:
    """Split a comma-separated option; commas inside parentheses or quotes do not count."""
    if text is None:
        return None
    parts: list[str] = []
    for part in next(csv.reader([text], skipinitialspace=True), []):
        if parts and parts[-1].count("(") > parts[-1].count(")"):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def as_label(text: str, dtype: pl.DataType, option: str) -> Label:
    """Return the label that a text means in a column of this type."""
    if dtype.is_integer() or dtype.is_float():  # whole numbers in floats are labels
        number = _whole(text)
        if number is None:
            raise InputError(f"`{option}`: {text!r} is no integer, and the column is")
        if not -(2**63) <= number < 2**63:
            raise InputError(f"`{option}`: {text} is beyond 64-bit integers")
        return number
    if dtype == pl.Boolean:
        if text.lower() not in {"true", "false"}:
            raise InputError(f"`{option}`: {text!r} is neither true nor false, as the column is")
        return text.lower() == "true"
    return text


def _whole(text: str) -> int | None:
    """Return the whole number that a text is, also one written as 1.0."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def by_columns(given: Iterable[str], present: Sequence[str]) -> list[str]:
    """Return the columns to slice by: each option is a column, or several with commas between."""
    columns = [
        name for text in given for name in ([text] if text in present else split(text) or [])
    ]
    return list(dict.fromkeys(columns))
