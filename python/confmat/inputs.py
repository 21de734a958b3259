"""Columns: any array-like brought to a form that the core reads, without a copy where possible."""

from __future__ import annotations

import array
import importlib.util
import sys
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import ConfmatError, InputError
from confmat.labels import MAX_WHOLE, Label, described, is_null, label_set

_WANTED = "a one-dimensional array, Series, Arrow array or list"
_WANTED_VALUES = "wanted integers, booleans, texts, categories or floats"
_SERIES_DTYPES = (pl.Boolean, pl.String, pl.Categorical, pl.Enum, pl.Null, pl.Float32, pl.Float64)
_MISSING = ("NAType", "NaTType")  # those of pandas
# How values become texts and floats, by the library that they come from.
_CASTS = {
    "polars": ("`.cast(pl.String)`", "`.cast(pl.Float64)`"),
    "pandas": ("`.astype(str)`", "`.astype(float)`"),
    "arrow": ('`.cast("string")`', '`.cast("float64")`'),
}


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
    values : array-like, shape (n,) or (n, 1)
        NumPy, Polars, pandas, pyarrow, list, tuple, or an object with `__arrow_c_stream__`,
        `__arrow_c_array__` or `__array__`. Of a frame, a table or a DuckDB relation the only
        column.
    argument : str
        Name used in messages.

    Raises
    ------
    InputError
        More than one column, a type that holds no labels, mixed types.
    """
    try:
        return _column(values, argument)
    except (ConfmatError, MemoryError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # of code that is not ours
        raise InputError(
            f"`{argument}` of type {type(values).__name__} cannot be read: {error}"
        ) from error


def _column(values: Any, argument: str) -> ColumnInput:
    if isinstance(values, np.ndarray):
        return _numpy_column(values, argument)
    if isinstance(values, pl.Series):
        return _from_polars(values, argument)
    if isinstance(values, (list, tuple, range)):
        return ColumnInput(_from_list(values, argument))
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
        raise InputError(f"`{argument}` has shape {tuple(shape)}; wanted {_WANTED}")
    if _is_pandas(values):
        return _from_pandas(values, argument)
    if is_arrow(values):
        return _from_arrow(values, argument)
    if hasattr(values, "__array__"):
        return _numpy_column(np.asarray(values), argument)
    raise InputError(_unusable(values, argument))


def is_arrow(values: Any) -> bool:
    """Return whether an object hands over Arrow data."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def arrow_series(values: Any, argument: str) -> pl.Series:
    """Return Arrow data as a Series, once it is known to hold what its type promises.

    Raises
    ------
    InputError
        It does not, it cannot be read, or Polars has no such type.
    """
    data = values if isinstance(values, _core.ArrowData) else _arrow_data(values, argument)
    try:
        return pl.Series(argument, data)
    except (
        TypeError,
        ValueError,
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
    ) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"`{argument}` is not readable as {data.dtype}: {error}") from error


def _arrow_data(values: Any, argument: str) -> _core.ArrowData:
    # pyarrow knows the sizes of its buffers, which it cannot hand over: whether they are large
    # enough is a matter of constant time for it.
    if type(values).__module__.partition(".")[0] == "pyarrow" and hasattr(values, "validate"):
        try:
            values.validate()
        except ValueError as error:
            raise InputError(f"`{argument}` is not a valid Arrow array: {error}") from error
    return _core.ArrowData(values, argument)


def arrow_table(values: Any, argument: str) -> pl.Series | pl.DataFrame:
    """Return Arrow data as a frame if its rows are structs, as those of a table are."""
    series = arrow_series(values, argument)
    return series.struct.unnest() if series.dtype == pl.Struct else series


def is_table(values: Any) -> bool:
    """Return whether an object has columns: a frame, an Arrow table, a DuckDB relation."""
    if isinstance(values, pl.DataFrame):
        return True
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
        return f"`{argument}` is a Polars expression; wanted {_WANTED}"
    if np.isscalar(values) and not isinstance(values, (str, bytes)):
        return f"`{argument}` is the single value {values!r}; wanted {_WANTED}"
    return f"`{argument}` is of type {type(values).__name__}; wanted {_WANTED}"


def _shape_message(values: np.ndarray[Any, Any], argument: str, second: str = "") -> str:
    """Refuse a shape; `second` is the code for the second column of what was given."""
    shape = tuple(values.shape)
    found = f"`{argument}` has shape {shape}; "
    if len(shape) == 2 and values.dtype.kind == "f" and shape[1] > 1:
        if shape[1] == 2:
            return found + (
                "if these are probabilities of two classes, pass the column of the positive class, "
                f"`{second or f'{argument}[:, 1]'}`, to cm.sweep, or use cm.multiclass_sweep"
            )
        return found + "if these are scores of each class, use cm.multiclass_sweep"
    if len(shape) == 2 and values.dtype.kind in "biu" and shape[1] > 1:
        return found + f"wanted {_WANTED}; sets of labels are for cm.multilabel"
    return found + f"wanted {_WANTED}"


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
        raise InputError(_shape_message(values, argument))
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
    elif kind == "U":
        return _as_series(values, argument)
    elif kind in "OT":
        return _from_list(values.tolist(), argument)
    raise InputError(f"`{argument}` has dtype {values.dtype}; {_WANTED_VALUES}{_cast(kind)}")


def _cast(kind: str) -> str:
    """Return how values of a kind of NumPy become labels."""
    if kind in "Mm":
        return ': `.astype("U")` makes texts of them'
    if kind == "S":
        return ': `.astype("U")` decodes them'
    return ": `.astype(float)` makes floats of them" if kind == "f" else ""


def _from_polars(values: pl.Series, argument: str, origin: str = "polars") -> ColumnInput:
    dtype = values.dtype
    if isinstance(dtype, pl.Enum):
        return ColumnInput(values, dtype.categories.to_list() or None)
    if isinstance(dtype, pl.Float16):
        return ColumnInput(values.cast(pl.Float32), half=True)
    if isinstance(dtype, _SERIES_DTYPES) or (dtype.is_integer() and "128" not in str(dtype)):
        return ColumnInput(values)
    if isinstance(dtype, pl.Object):
        return ColumnInput(_from_list(values.to_list(), argument))
    if dtype.is_integer():
        return ColumnInput(_narrowed(values, argument))
    hint = ""
    texts, floats = _CASTS[origin]
    if dtype.is_temporal() or isinstance(dtype, pl.Binary):
        hint = f": {texts} makes texts of them"
    elif isinstance(dtype, pl.Decimal):
        hint = f": {floats} makes floats of them"
    elif isinstance(dtype, (pl.List, pl.Array)):
        hint = "; lists of labels or scores are for cm.multilabel and cm.multiclass_sweep"
    raise InputError(f"`{argument}` has dtype {dtype}; {_WANTED_VALUES}{hint}")


def _narrowed(values: pl.Series, argument: str) -> pl.Series:
    """Return integers of 128 bits in 64."""
    narrow: pl.Series = values.cast(pl.Int64, strict=False)
    if narrow.null_count() > values.null_count():
        row = int((narrow.is_null() & values.is_not_null()).to_numpy().argmax())
        raise InputError(
            f"`{argument}` holds {values[row]} at row {row}; wanted integers of 64 bits, or texts"
        )
    return narrow


def _from_arrow(values: Any, argument: str) -> ColumnInput:
    data = _arrow_data(values, argument)
    if data.readable:
        return ColumnInput(data)
    series = arrow_series(data, argument)
    if isinstance(series.dtype, pl.Struct) and len(series.dtype.fields) == 1:
        series = series.struct.unnest().to_series(0)  # a stream of one column
    return _from_polars(series, argument, "arrow")


def _from_list(values: list[Any] | tuple[Any, ...] | range, argument: str) -> Any:
    found = set(map(type, values))
    kinds = {_kind(kind) for kind in found} - {"null"}
    rows: Any = values
    if (
        kinds
        and kinds <= {"list", "tuple", "ndarray", "Series"}
        and all(row is not None and len(row) == 1 for row in rows)
    ):
        return _from_list([row[0] for row in rows], argument)
    if "float" in kinds and len(kinds) == 2 and kinds & {"str", "bool"}:
        # A nan among texts is a null, as pandas writes it.
        values = [None if is_null(value) else value for value in values]
        found = set(map(type, values))
        kinds = {_kind(kind) for kind in found} - {"null"}
    if kinds == {"float", "int"}:
        _check_whole(values, argument)
        kinds = {"float"}
    if len(kinds) > 1 or not kinds <= {"int", "bool", "str", "float"}:
        raise InputError(_bad_list(values, argument))
    if any(kind.__name__ in _MISSING for kind in found):
        values = [None if type(value).__name__ in _MISSING else value for value in values]
    if not kinds:
        return pl.Series(argument, [None] * len(values), dtype=pl.Null)
    if kinds == {"int"}:
        return _from_polars(_as_series(values, argument), argument).data
    dtype = {"bool": pl.Boolean, "str": pl.String, "float": pl.Float64}[kinds.pop()]
    return _as_series(values, argument, dtype)


def _check_whole(values: Any, argument: str) -> None:
    """Refuse an integer beside floats that is none of them."""
    for row, value in enumerate(values):
        if isinstance(value, (int, np.integer)) and abs(int(value)) > MAX_WHOLE:
            raise InputError(
                f"`{argument}` holds {described(value)} at row {row} beside floats, which do not "
                "hold it; wanted integers alone, with None for a null"
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


def _bad_list(values: Any, argument: str) -> str:
    first = ""
    for row, value in enumerate(values):
        kind = _kind(type(value))
        if kind in ("list", "tuple", "ndarray", "Series"):
            return _nested(values, argument)
        if kind not in ("int", "bool", "str", "float", "null"):
            return f"`{argument}` holds a value of type {kind} at row {row}; {_WANTED_VALUES}"
        if kind != "null" and first and kind != first:
            return (
                f"`{argument}` mixes {first} and {kind} (first {kind}: {value!r} at row {row}); "
                "wanted labels of one type"
            )
        first = first or (kind if kind != "null" else "")
    return f"`{argument}` holds mixed types; wanted labels of one type"


def _nested(values: Any, argument: str) -> str:
    try:
        table = np.asarray(values)
    except ValueError:
        table = None
    if table is None or table.ndim != 2:
        return f"`{argument}` holds lists; wanted {_WANTED}; sets of labels are for cm.multilabel"
    return _shape_message(table, argument, f"[row[1] for row in {argument}]")


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
        return _from_polars(_as_series(series, argument), argument, "pandas")
    known = series.notna().tolist()
    items = series.astype(object).tolist()
    texts = [item if ok else None for item, ok in zip(items, known, strict=True)]
    return ColumnInput(_from_list(texts, argument))


def _from_categories(series: Any, argument: str) -> ColumnInput:
    names = _from_list(series.cat.categories.tolist(), argument)
    if names.dtype.is_float():
        names = pl.Series(label_set(names.to_list(), argument))
    codes = pl.Series(series.cat.codes.to_numpy())
    rows = pl.select(pl.when(codes >= 0).then(codes).cast(pl.UInt32)).to_series()
    declared = label_set(names.to_list(), argument) if len(names) else None
    return ColumnInput(names.gather(rows), declared)


def _as_series(values: Any, argument: str, dtype: Any = None) -> pl.Series:
    try:
        return pl.Series(argument, values, dtype=dtype, strict=True)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"`{argument}` of type {type(values).__name__} is not a column of labels: {error}"
        ) from error
