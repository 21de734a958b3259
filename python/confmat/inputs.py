"""Columns: any array-like brought to a form that the core reads, without a copy where possible."""

from __future__ import annotations

import array
import importlib.util
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.labels import Label, label_set

_WANTED = "a one-dimensional array, Series, Arrow array or list"
_WANTED_VALUES = "wanted integers, booleans, texts, categories or floats"
_SERIES_DTYPES = (pl.Boolean, pl.String, pl.Categorical, pl.Enum, pl.Null, pl.Float32, pl.Float64)
_ARROW_HALF = "halffloat"


class ColumnInput(NamedTuple):
    """What the core reads, and the label set that its type declares (Enum, pandas category)."""

    data: Any
    declared: list[Label] | None = None
    half: bool = False  # float16 values, which are float32 in `data`


def column(values: Any, argument: str) -> ColumnInput:
    """Return `values` as a column for the core.

    NumPy arrays of booleans, integers and floats pass as they are, whatever their stride, byte
    order and writability; Polars Series and objects with an Arrow stream likewise. Lists, texts
    in NumPy arrays and pandas extension types become a Polars Series.

    Parameters
    ----------
    values : array-like, shape (n,)
        NumPy, Polars, pandas, pyarrow, list, tuple, or an object with `__arrow_c_stream__`,
        `__arrow_c_array__` or `__array__`.
    argument : str
        Name used in messages.

    Raises
    ------
    InputError
        Not one-dimensional, of a type that holds no labels, or of mixed types.
    """
    if isinstance(values, np.ndarray):
        return _numpy_column(values, argument)
    if isinstance(values, pl.Series):
        return _from_polars(values, argument)
    if isinstance(values, (list, tuple, range)):
        return ColumnInput(_from_list(values, argument))
    if isinstance(values, (pl.DataFrame, pl.LazyFrame, pl.Expr, str, bytes, dict, set, frozenset)):
        raise InputError(_unusable(values, argument))
    if isinstance(values, (memoryview, array.array)):
        return _numpy_column(np.asarray(values), argument)
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise InputError(f"`{argument}` has shape {tuple(shape)}; wanted {_WANTED}")
    if _is_pandas(values):
        return _from_pandas(values, argument)
    if hasattr(values, "__arrow_c_stream__"):
        if str(getattr(values, "type", None)) == _ARROW_HALF:
            return _from_polars(_as_series(values, argument), argument)
        return ColumnInput(values)
    if hasattr(values, "__arrow_c_array__"):
        return _from_polars(_as_series(values, argument), argument)
    if hasattr(values, "__array__"):
        return _numpy_column(_as_array(values, argument), argument)
    raise InputError(_unusable(values, argument))


def first_null(values: Any) -> int | None:
    """Return the row of the first null, or None."""
    if isinstance(values, np.ndarray):
        return None
    series = values if isinstance(values, pl.Series) else pl.Series(values)
    return series.is_null().arg_max() if series.null_count() else None


def null_message(columns: Mapping[str, Any], dropped: int) -> str:
    """Say where the first null is, among columns by the name of their argument."""
    places = [
        (row, argument)
        for argument, data in columns.items()
        if (row := first_null(data)) is not None
    ]
    if not places:
        return f'{dropped} rows have a null; nulls="drop" leaves them out'
    row, argument = min(places)
    have = "1 row has" if dropped == 1 else f"{dropped:,} rows have"
    return (
        f"null at row {row} of `{argument}` ({have} one); "
        'nulls="drop" leaves such rows out and counts them in n_dropped'
    )


def _unusable(values: Any, argument: str) -> str:
    if isinstance(values, (pl.DataFrame, pl.LazyFrame)):
        return f"`{argument}` is a {type(values).__name__}; wanted one column of it"
    if isinstance(values, pl.Expr):
        return f"`{argument}` is a Polars expression; wanted {_WANTED}"
    if np.isscalar(values) and not isinstance(values, (str, bytes)):
        return f"`{argument}` is the single value {values!r}; wanted {_WANTED}"
    return f"`{argument}` is of type {type(values).__name__}; wanted {_WANTED}"


def _numpy_column(values: np.ndarray[Any, Any], argument: str) -> ColumnInput:
    return ColumnInput(_from_numpy(values, argument), half=_is_half(values.dtype))


def _is_half(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" and dtype.itemsize == 2


def _from_numpy(values: np.ndarray[Any, Any], argument: str) -> Any:
    if values.ndim != 1:
        raise InputError(f"`{argument}` has shape {values.shape}; wanted {_WANTED}")
    if isinstance(values, np.ma.MaskedArray):
        plain = pl.Series(_from_numpy(values.data, argument))
        return pl.select(pl.when(pl.Series(~np.ma.getmaskarray(values))).then(plain)).to_series()
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "biu":
        return values
    if kind == "f":
        if _is_half(values.dtype):
            return values.astype(np.float32)
        if size <= 8:
            return values
    elif kind in "UT":
        return _as_series(values, argument)
    elif kind == "O":
        return _from_list(values.tolist(), argument)
    raise InputError(f"`{argument}` has dtype {values.dtype}; {_WANTED_VALUES}")


def _from_polars(values: pl.Series, argument: str) -> ColumnInput:
    dtype = values.dtype
    if isinstance(dtype, pl.Enum):
        return ColumnInput(values, dtype.categories.to_list() or None)
    if isinstance(dtype, pl.Float16):
        return ColumnInput(values.cast(pl.Float32), half=True)
    if isinstance(dtype, _SERIES_DTYPES) or (dtype.is_integer() and "128" not in str(dtype)):
        return ColumnInput(values)
    raise InputError(f"`{argument}` has dtype {dtype}; {_WANTED_VALUES}")


def _from_list(values: list[Any] | tuple[Any, ...] | range, argument: str) -> Any:
    kinds = {_kind(kind) for kind in set(map(type, values))} - {"null"}
    if kinds == {"float", "int"}:
        kinds = {"float"}
    if len(kinds) > 1 or not kinds <= {"int", "bool", "str", "float"}:
        raise InputError(_bad_list(values, argument))
    if not kinds:
        return pl.Series(argument, values, dtype=pl.Null)
    if kinds == {"int"}:
        return _from_polars(_as_series(values, argument), argument).data
    dtype = {"bool": pl.Boolean, "str": pl.String, "float": pl.Float64}[kinds.pop()]
    return _as_series(values, argument, dtype)


def _kind(kind: type) -> str:
    if issubclass(kind, type(None)):
        return "null"
    if issubclass(kind, (bool, np.bool_)):
        return "bool"
    if issubclass(kind, (int, np.integer)):
        return "int"
    if issubclass(kind, (float, np.floating)):
        return "float"
    return "str" if issubclass(kind, str) else kind.__name__


def _bad_list(values: Any, argument: str) -> str:
    first = ""
    for row, value in enumerate(values):
        kind = _kind(type(value))
        if kind in ("list", "tuple", "ndarray", "Series"):
            shape = (len(values), *np.shape(value)) if kind != "Series" else (len(values), "...")
            return f"`{argument}` is nested, of shape {shape}; wanted {_WANTED}"
        if kind not in ("int", "bool", "str", "float", "null"):
            return f"`{argument}` holds a value of type {kind} at row {row}; {_WANTED_VALUES}"
        if kind != "null" and first and kind != first:
            return (
                f"`{argument}` mixes {first} and {kind} (first {kind}: {value!r} at row {row}); "
                "wanted labels of one type"
            )
        first = first or (kind if kind != "null" else "")
    return f"`{argument}` holds mixed types; wanted labels of one type"


def _is_pandas(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "pandas"


def _from_pandas(values: Any, argument: str) -> ColumnInput:
    pandas = sys.modules["pandas"]
    series = values if isinstance(values, pandas.Series) else pandas.Series(values)
    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _from_categories(series, argument)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        plain = series.to_numpy()
        if dtype.kind != "f" or not np.isnan(plain).any():
            return _numpy_column(plain, argument)
    if isinstance(dtype, np.dtype) and dtype.kind not in "fO":
        return ColumnInput(_from_numpy(series.to_numpy(), argument))
    if not isinstance(dtype, np.dtype) and importlib.util.find_spec("pyarrow") is not None:
        return _from_polars(_as_series(series, argument), argument)
    known = series.notna().tolist()
    items = series.astype(object).tolist()
    texts = [item if ok else None for item, ok in zip(items, known, strict=True)]
    return ColumnInput(_from_list(texts, argument))


def _from_categories(series: Any, argument: str) -> ColumnInput:
    names = _from_list(series.cat.categories.tolist(), argument)
    if names.dtype.is_float():
        raise InputError(f"`{argument}` has float categories; wanted integers, booleans or texts")
    codes = pl.Series(series.cat.codes.to_numpy())
    rows = pl.select(pl.when(codes >= 0).then(codes).cast(pl.UInt32)).to_series()
    declared = label_set(names.to_list(), argument) if len(names) else None
    return ColumnInput(names.gather(rows), declared)


def _as_array(values: Any, argument: str) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(values)
    except (RuntimeError, TypeError, ValueError) as error:
        raise InputError(
            f"`{argument}` of type {type(values).__name__} gives no array: {error}"
        ) from error


def _as_series(values: Any, argument: str, dtype: Any = None) -> pl.Series:
    try:
        return pl.Series(argument, values, dtype=dtype, strict=True)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"`{argument}` of type {type(values).__name__} is not a column of labels: {error}"
        ) from error
