"""Types of keys as texts, and values of keys as the numbers or texts that are saved of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError, StateError

_INT, _UINT, _FLOAT, _TEXT = range(4)  # the kinds of saved values

_PLAIN: dict[str, tuple[Any, int]] = {
    str(dtype): (dtype, kind)
    for kind, dtypes in {
        _INT: (
            *(pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32),
            *(pl.Boolean, pl.Date, pl.Time, pl.Null),
        ),
        _UINT: (pl.UInt64,),
        _FLOAT: (pl.Float32, pl.Float64),
        _TEXT: (pl.String, pl.Categorical),
    }.items()
    for dtype in dtypes
}
# What a text that `dtype_text` did not write may raise.
_OF_FORGED = (
    *(TypeError, ValueError, KeyError, AttributeError, RecursionError),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)
# Those with parameters, from these, and the kind of their values.
_MADE: dict[str, tuple[Callable[..., Any], int]] = {
    "Categorical": (lambda *of: pl.Categorical(_categories(*of)), _TEXT),
    "Enum": (pl.Enum, _INT),
    "Datetime": (pl.Datetime, _INT),
    "Duration": (pl.Duration, _INT),
}


def dtype_text(column: pl.Series) -> str:
    """Return the type of a key as a text, with its unit, zone or categories.

    Raises
    ------
    InputError
        A type whose values are not kept: a list, a struct, a decimal.
    """
    dtype = column.dtype
    name = str(dtype.base_type())
    parts: list[Any] = [name]
    if isinstance(dtype, pl.Enum):
        parts.append(dtype.categories.to_list())
    elif isinstance(dtype, pl.Datetime):
        parts += [dtype.time_unit, dtype.time_zone]
    elif isinstance(dtype, pl.Duration):
        parts.append(dtype.time_unit)
    elif isinstance(dtype, pl.Categorical):
        parts += _names_of(getattr(dtype, "categories", None))
    elif name not in _PLAIN:
        raise InputError(
            f"the key {column.name!r} is {dtype}; wanted integers of up to 64 bits, Booleans, "
            "texts, categories, floats, dates or times: cast it"
        )
    return json.dumps(parts, separators=(",", ":"), ensure_ascii=False)


def values_of(column: pl.Series) -> tuple[int, Any, Any]:
    """Return the kind of a key of a known type, its values, and where numbers are null."""
    name = str(column.dtype.base_type())
    kind = _PLAIN[name][1] if name in _PLAIN else _INT
    if kind == _TEXT:
        return kind, column.cast(pl.String).to_list(), None
    physical = column.to_physical()
    saved: Any = (pl.Int64, pl.UInt64, pl.Float64)[kind]
    nulls = column.is_null().to_numpy() if column.null_count() else None
    return kind, physical.cast(saved).fill_null(0).to_numpy(), nulls


def keys_of(name: str, dtype: str, kind: int, values: Any, nulls: Any) -> pl.Series:
    """Return the column of which `dtype_text` and `values_of` told.

    Raises
    ------
    StateError
        A type that is none, or values that are none of it.
    """
    try:
        made, wanted = _type_of(dtype)
        if wanted == kind:
            saved = pl.Series(name, values, dtype=pl.String if kind == _TEXT else None)
            out = _of_type(saved, made, None if nulls is None else pl.Series(nulls))
            if out is not None:
                return out
    except _OF_FORGED:
        pass
    raise StateError(f"the key {name!r} does not hold values of {dtype}")


def _type_of(text: str) -> tuple[Any, int]:
    """Return the type that a text stands for, and the kind of its values."""
    name, *parameters = json.loads(text)
    if parameters:
        make, kind = _MADE[name]
        made = make(*parameters)
    else:
        made, kind = _PLAIN[name]
    if dtype_text(pl.Series("", [], dtype=made)) != text:
        raise ValueError(text)
    return made, kind


def _names_of(categories: Any) -> list[str]:
    """Return the names of categories that a column shares with some others alone."""
    if not hasattr(categories, "is_global") or categories.is_global():
        return []
    return [categories.name(), categories.namespace(), str(categories.physical())]


def _categories(name: str, namespace: str, physical: str) -> Any:
    return pl.Categories(name, namespace, getattr(pl, physical))


def _of_type(saved: pl.Series, dtype: Any, nulls: pl.Series | None) -> pl.Series | None:
    """Return saved values in their type; None where some are none of it."""
    known = saved
    if nulls is not None:
        known = saved.zip_with(~nulls, pl.Series([None], dtype=saved.dtype))
    if isinstance(dtype, pl.Enum):
        last = len(dtype.categories) - 1
        if not _are_within(known, last):
            return None
        codes = known.cast(pl.UInt32)
        texts: pl.Series = dtype.categories.cast(dtype).gather(codes)
        return texts.alias(saved.name)
    if dtype == pl.Boolean and not _are_within(known, 1):
        return None
    if dtype == pl.Null:
        nothing: pl.Series = known.cast(pl.Null)
        return nothing if known.null_count() == len(known) else None
    if dtype == pl.Date:
        known = known.cast(pl.Int32)
    out: pl.Series = known.cast(dtype)
    if dtype == pl.Float32 and not (out.cast(pl.Float64).eq_missing(known)).all():
        return None
    return out


def _are_within(values: pl.Series, last: int) -> bool:
    return bool(np.all(values.is_between(0, last).fill_null(True).to_numpy()))
