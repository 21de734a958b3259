"""Columns: any array-like brought to a form that the core reads, without a copy where possible."""

from __future__ import annotations

import array
import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from confmat.columns.arrow import arrow_data, arrow_series, arrow_table, is_arrow
from confmat.columns.column_input import (
    WANTED,
    WANTED_VALUES,
    ColumnInput,
    as_series,
    shape_message,
)
from confmat.columns.lists import from_list, short_numbers
from confmat.columns.series import from_polars
from confmat.columns.texts import decoded, lying_texts
from confmat.errors import ConfmatError, InputError
from confmat.labels import label_set
from confmat.own_errors import is_of_handler

_OF_THE_CPU = (1, 3, 11)  # DLPack's numbers: the CPU, and memory that it shares with a GPU
_IN_PLANS = "; columns by name and expressions are for cm.metric, cm.metrics and pl.col(name).cm"
_NUMBERS = "?bhilqBHILQfd"  # NumPy's characters for Booleans, integers, float32 and float64


def column(values: Any, argument: str) -> ColumnInput:
    """Return `values` as a column for the core.

    NumPy arrays of booleans, integers and floats pass as they are, whatever their stride, byte
    order and writability; Polars Series and objects with an Arrow stream likewise. Lists, texts
    and bytes in NumPy arrays and pandas extension types become a Polars Series.

    Parameters
    ----------
    values : array-like, shape (n,) or (n, 1)
        NumPy, Polars, pandas, pyarrow, list, tuple, or an object with `__arrow_c_stream__`,
        `__arrow_c_array__`, `__array__` or `__dlpack__`. Of a frame, a table or a DuckDB
        relation the only column.
    argument : str
        Name used in messages.

    Raises
    ------
    InputError
        More than one column, a type that holds no labels, mixed types.
    """
    return ColumnInput(values) if _is_plain(values) else _checked(_column, values, argument)


def label_column(values: Any, argument: str) -> ColumnInput:
    """Return `values` as a column of labels for the core.

    As `column`, and texts in NumPy arrays, in objects and in pandas are read where they lie.

    Raises
    ------
    InputError
        As `column`.
    """
    return ColumnInput(values) if _is_plain(values) else _checked(_label_column, values, argument)


def _is_plain(values: Any) -> bool:
    """Return whether the core reads an array as it is, as it reads most: worth an early look."""
    return type(values) is np.ndarray and values.ndim == 1 and values.dtype.char in _NUMBERS


def _checked(read: Callable[[Any, str], ColumnInput], values: Any, argument: str) -> ColumnInput:
    try:
        return read(values, argument)
    except (ConfmatError, MemoryError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # of code that is not ours
        if is_of_handler(error):
            raise
        raise InputError(
            f"`{argument}` of type {type(values).__name__} cannot be read: {error}"
        ) from error


def _label_column(values: Any, argument: str) -> ColumnInput:
    one = _only_column(values, argument) if is_table(values) else values
    found = lying_texts(one, argument)
    return _column(one, argument) if found is None else ColumnInput(found)


def _column(values: Any, argument: str) -> ColumnInput:
    if isinstance(values, np.ndarray):
        return _numpy_column(values, argument)
    if isinstance(values, pl.Series):
        return from_polars(values, argument)
    if isinstance(values, (list, tuple, range)):
        numbers = short_numbers(values)
        return ColumnInput(from_list(values, argument) if numbers is None else numbers)
    if isinstance(values, (pl.LazyFrame, pl.Expr, str, bytes, dict, set, frozenset)):
        raise InputError(_unusable(values, argument))
    if isinstance(values, (memoryview, array.array)):
        return _numpy_column(np.asarray(values), argument)
    if hasattr(values, "tocsr"):
        raise InputError(f"`{argument}` is a sparse {type(values).__name__}; pass its .toarray()")
    if is_table(values):
        return _column(_only_column(values, argument), argument)
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple) and len(shape) not in (1, 2):
        raise InputError(f"`{argument}` has shape {tuple(shape)}; wanted {WANTED}")
    if _is_pandas(values):
        return _from_pandas(values, argument)
    if is_arrow(values):
        return _from_arrow(values, argument)
    if hasattr(values, "__array__"):
        return _numpy_column(np.asarray(values), argument)
    if hasattr(values, "__dlpack__"):
        return _numpy_column(_from_dlpack(values, argument), argument)
    raise InputError(_unusable(values, argument))


def _from_dlpack(values: Any, argument: str) -> np.ndarray[Any, Any]:
    """Return a view of memory that another library owns."""
    device, _ = values.__dlpack_device__()
    if int(device) not in _OF_THE_CPU:
        raise InputError(
            f"`{argument}` of type {type(values).__name__} lies on a device of kind {int(device)} "
            "of DLPack; wanted one in the memory of the CPU"
        )
    return np.from_dlpack(values)


def is_table(values: Any) -> bool:
    """Return whether an object has columns: a frame, an Arrow table, a DuckDB relation."""
    if isinstance(values, (pl.DataFrame, pl.Series)):  # of which to ask for an attribute takes long
        return isinstance(values, pl.DataFrame)
    if _is_pandas(values):
        return hasattr(values, "columns")
    names = ("columns", "column_names", "read_next_batch")
    return hasattr(values, "__arrow_c_stream__") and any(hasattr(values, name) for name in names)


def _only_column(values: Any, argument: str) -> Any:
    if _is_pandas(values):
        names = list(values.columns)
        one = values.iloc[:, 0] if len(names) == 1 else None
    else:
        table = values if isinstance(values, pl.DataFrame) else arrow_table(values, argument)
        frame = table.to_frame() if isinstance(table, pl.Series) else table
        names = frame.columns
        one = frame.to_series(0) if len(names) == 1 else None
    if one is None:
        shown = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
        raise InputError(
            f"`{argument}` is a {type(values).__name__} of {len(names)} columns"
            f"{f' ({shown})' if names else ''}; wanted one column of it"
        )
    return one


def _unusable(values: Any, argument: str) -> str:
    if isinstance(values, pl.LazyFrame):
        return f"`{argument}` is a LazyFrame; collect it, and pass one column of it"
    if isinstance(values, pl.Expr):
        return f"`{argument}` is a Polars expression; wanted {WANTED}{_IN_PLANS}"
    if isinstance(values, str):
        return f"`{argument}` is of type str; wanted {WANTED}{_IN_PLANS}"
    if np.isscalar(values) and not isinstance(values, (str, bytes)):
        return f"`{argument}` is the single value {values!r}; wanted {WANTED}"
    return f"`{argument}` is of type {type(values).__name__}; wanted {WANTED}"


def _numpy_column(values: np.ndarray[Any, Any], argument: str) -> ColumnInput:
    return ColumnInput(_from_numpy(values, argument), half=_is_half(values.dtype))


def _is_half(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" and dtype.itemsize == 2


def _from_numpy(values: np.ndarray[Any, Any], argument: str) -> Any:
    if isinstance(values, np.matrix):
        values = np.asarray(values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(shape_message(values, argument))
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
    elif kind in "US":
        return as_series(decoded(values, argument) if kind == "S" else values, argument)
    elif kind in "OT":
        return from_list(values.tolist(), argument)
    raise InputError(f"`{argument}` has dtype {values.dtype}; {WANTED_VALUES}{_cast(kind)}")


def _cast(kind: str) -> str:
    """Return how values of a kind of NumPy become labels."""
    if kind in "Mm":
        return ': `.astype("U")` makes texts of them'
    return ": `.astype(float)` makes floats of them" if kind == "f" else ""


def _from_arrow(values: Any, argument: str) -> ColumnInput:
    data = arrow_data(values, argument)
    if data.readable:
        return ColumnInput(data)
    series = arrow_series(data, argument)
    if isinstance(series.dtype, pl.Struct) and len(series.dtype.fields) == 1:
        series = series.struct.unnest().to_series(0)  # a stream of one column
    return from_polars(series, argument, "arrow")


def _is_pandas(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "pandas"


def _from_pandas(values: Any, argument: str) -> ColumnInput:
    pandas = sys.modules["pandas"]
    if isinstance(values, pandas.MultiIndex):
        raise InputError(
            f"`{argument}` is a MultiIndex of {values.nlevels} levels; wanted one level of it: "
            "`.get_level_values(0)`"
        )
    series = values if isinstance(values, pandas.Series) else pandas.Series(values)
    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _from_categories(series, argument)
    if isinstance(dtype, pandas.SparseDtype):
        return _numpy_column(np.asarray(series), argument)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        plain = series.to_numpy()
        if dtype.kind != "f" or not np.isnan(plain).any():
            return _numpy_column(plain, argument)
        wide = _from_numpy(plain, argument)
        return ColumnInput(pl.Series(wide, nan_to_null=True), half=_is_half(dtype))
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return ColumnInput(_from_numpy(series.to_numpy(), argument))
    if not isinstance(dtype, np.dtype) and importlib.util.find_spec("pyarrow") is not None:
        return from_polars(as_series(series, argument), argument, "pandas")
    known = series.notna().tolist()
    items = series.astype(object).tolist()
    texts = [item if ok else None for item, ok in zip(items, known, strict=True)]
    return ColumnInput(from_list(texts, argument))


def _from_categories(series: Any, argument: str) -> ColumnInput:
    coded = series.array
    names = coded.categories.tolist()
    values = from_list([*names, None], argument)
    if values.dtype.is_float():
        names = label_set(names, argument)
        values = pl.Series([*names, None])
    rows = np.where(coded.codes < 0, len(names), coded.codes)  # a null is behind all names
    return ColumnInput(values[rows], label_set(names, argument) if names else None)
