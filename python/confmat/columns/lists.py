"""Lists, tuples and object arrays of values: one kind each, with nulls."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.columns.column_input import OF_SETS, WANTED, WANTED_VALUES, as_series, shape_message
from confmat.errors import InputError, Row
from confmat.labels import MAX_WHOLE, described, is_null

_MISSING = ("NAType", "NaTType")  # those of pandas
_AT_ONCE = 1 << 18
_SHORT = 1 << 12
_PLAIN: dict[type, str] = {int: "i", bool: "b", float: "f"}


def short_numbers(values: list[Any] | tuple[Any, ...] | range) -> Any:
    """Return a short list of numbers of one kind as an array, sooner than a Series; or None."""
    if not 0 < len(values) <= _SHORT:
        return None
    kinds = set(map(type, values))
    kind = _PLAIN.get(kinds.pop())
    if kind is None or kinds:
        return None
    numbers = np.array(values)
    return numbers if numbers.dtype.kind == kind else None  # integers beyond 64 bits are others


def from_list(values: list[Any] | tuple[Any, ...] | range, argument: str) -> Any:
    """Return values of one kind as a Series; None, nan among texts and the NA of pandas are nulls.

    Raises
    ------
    InputError
        Mixed kinds, or values that are no labels, scores or weights.
    """
    found = _types(values)
    kinds = {_kind(kind) for kind in found} - {"null"}
    rows: Any = values
    if (
        kinds
        and kinds <= {"list", "tuple", "ndarray", "Series"}
        and all(row is not None and len(row) == 1 for row in rows)
    ):
        return from_list([row[0] for row in rows], argument)
    if "float" in kinds and len(kinds) == 2 and kinds & {"str", "bool"}:
        # A nan among texts is a null, as pandas writes it.
        values = [None if is_null(value) else value for value in values]
        found = _types(values)
        kinds = {_kind(kind) for kind in found} - {"null"}
    if kinds == {"float", "int"}:
        _check_whole(values, argument)
        kinds = {"float"}
    if len(kinds) > 1 or not kinds <= {"int", "bool", "str", "float"}:
        raise _bad_list(values, argument)
    if any(kind.__name__ in _MISSING for kind in found):
        values = [None if type(value).__name__ in _MISSING else value for value in values]
    if not kinds:
        return pl.Series(argument, [None] * len(values), dtype=pl.Null)
    if kinds == {"int"}:
        whole = _in_parts(values, argument, pl.Int64)
        if whole is None:
            whole = as_series(values, argument)
        return narrowed(whole, argument) if "128" in str(whole.dtype) else whole
    dtype = {"bool": pl.Boolean, "str": pl.String, "float": pl.Float64}[kinds.pop()]
    whole = _in_parts(values, argument, dtype)
    return as_series(values, argument, dtype) if whole is None else whole


def _types(values: Any) -> set[type]:
    """Return the types of the values; Ctrl-C is answered between parts of them."""
    found: set[type] = set()
    for first in range(0, len(values), _AT_ONCE):
        found.update(map(type, values[first : first + _AT_ONCE]))
    return found


def _in_parts(values: Any, argument: str, dtype: Any) -> pl.Series | None:
    """Return many values as a Series, made in parts; None: few, or they do not make one so.

    The conversion is one call that nothing interrupts.
    """
    if len(values) <= _AT_ONCE:
        return None
    parts = []
    for first in range(0, len(values), _AT_ONCE):
        try:
            part = pl.Series(argument, values[first : first + _AT_ONCE], dtype=dtype, strict=True)
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
            return None
        parts.append(part)
    return pl.concat(parts, rechunk=False)


def _check_whole(values: Any, argument: str) -> None:
    """Refuse an integer beside floats that is none of them."""
    for row, value in enumerate(values):
        if isinstance(value, (int, np.integer)) and abs(int(value)) > MAX_WHOLE:
            raise InputError(
                f"`{argument}` holds {described(value)} ",
                Row(row),
                " beside floats, which do not hold it; wanted integers alone, with None for a null",
            )


def _kind(kind: type) -> str:
    if issubclass(kind, type(None)) or kind.__name__ in _MISSING:
        return "null"
    if issubclass(kind, (bool, np.bool_)):
        return "bool"
    if issubclass(kind, (int, np.integer)):
        return "int"
    if issubclass(kind, (float, np.floating)):
        return "float"
    return "str" if issubclass(kind, str) else kind.__name__


def _bad_list(values: Any, argument: str) -> InputError:
    first = ""
    for row, value in enumerate(values):
        kind = _kind(type(value))
        if kind in ("list", "tuple", "ndarray", "Series"):
            return InputError(_nested(values, argument))
        if kind not in ("int", "bool", "str", "float", "null"):
            return InputError(
                f"`{argument}` holds a value of type {kind} ", Row(row), f"; {WANTED_VALUES}"
            )
        if kind != "null" and first and kind != first:
            return InputError(
                f"`{argument}` mixes {first} and {kind} (first {kind}: {value!r} ",
                Row(row),
                "); wanted labels of one type",
            )
        first = first or (kind if kind != "null" else "")
    return InputError(f"`{argument}` holds mixed types; wanted labels of one type")


def _nested(values: Any, argument: str) -> str:
    try:
        table = np.asarray(values)
    except ValueError:
        table = None
    if table is None or table.ndim != 2:
        return f"`{argument}` holds lists; wanted {WANTED}; {OF_SETS}"
    return shape_message(table, argument, f"[row[1] for row in {argument}]")


def narrowed(values: pl.Series, argument: str) -> pl.Series:
    """Return integers of 128 bits in 64."""
    narrow: pl.Series = values.cast(pl.Int64, strict=False)
    if narrow.null_count() > values.null_count():
        row = int((narrow.is_null() & values.is_not_null()).to_numpy().argmax())
        raise InputError(
            f"`{argument}` holds {values[row]} ",
            Row(row),
            "; wanted integers of 64 bits; labels may be texts",
        )
    return narrow
