"""Polars Series, and what becomes one."""

from __future__ import annotations

import polars as pl

from confmat.columns.column_input import WANTED_VALUES, ColumnInput
from confmat.columns.lists import from_list, narrowed
from confmat.errors import InputError

_SERIES_DTYPES = (pl.Boolean, pl.String, pl.Categorical, pl.Enum, pl.Null, pl.Float32, pl.Float64)
# How values become texts and floats, by the library that they come from.
_CASTS = {
    "polars": ("`.cast(pl.String)`", "`.cast(pl.Float64)`"),
    "pandas": ("`.astype(str)`", "`.astype(float)`"),
    "arrow": ('`.cast("string")`', '`.cast("float64")`'),
}


def from_polars(values: pl.Series, argument: str, origin: str = "polars") -> ColumnInput:
    """Return a Polars Series as a column; `origin` names the library that it comes from.

    Raises
    ------
    InputError
        Its type holds no labels, scores or weights.
    """
    dtype = values.dtype
    if isinstance(dtype, pl.Enum):
        return ColumnInput(values, dtype.categories.to_list() or None)
    if isinstance(dtype, pl.Float16):
        return ColumnInput(values.cast(pl.Float32), half=True)
    if isinstance(dtype, _SERIES_DTYPES) or (dtype.is_integer() and "128" not in str(dtype)):
        return ColumnInput(values)
    if isinstance(dtype, pl.Object):
        return ColumnInput(from_list(values.to_list(), argument))
    if dtype.is_integer():
        return ColumnInput(narrowed(values, argument))
    hint = ""
    texts, floats = _CASTS[origin]
    if dtype.is_temporal() or isinstance(dtype, pl.Binary):
        hint = f": {texts} makes texts of them"
    elif isinstance(dtype, pl.Decimal):
        hint = f": {floats} makes floats of them"
    elif isinstance(dtype, (pl.List, pl.Array)):
        hint = "; lists of labels or scores are for cm.multilabel and cm.multiclass_sweep"
    raise InputError(f"`{argument}` has dtype {dtype}; {WANTED_VALUES}{hint}")
