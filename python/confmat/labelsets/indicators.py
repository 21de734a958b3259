"""Tables of 0 and 1: which rows have which labels, from columns of any type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.columns.arrow import arrow_table
from confmat.errors import InputError, Row
from confmat.inputs import column
from confmat.labels import Label, is_null, label_set
from confmat.labelsets.packed_sets import PackedSets
from confmat.multiclass.inputs import holds_series, rows_of

Bools: TypeAlias = npt.NDArray[np.bool_]

_FEW_ROWS = 1 << 16
_READ = frozenset(  # by the core as they are
    [
        *(pl.Boolean, pl.Float32, pl.Float64, pl.Int8, pl.Int16, pl.Int32, pl.Int64),
        *(pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64),
    ]
)
WANTED = (
    "n x L indicators, rows of L indicators, a DataFrame or a dict, or lists of label names (of "
    "integers: sets, or a List column)"
)


class Indicators(NamedTuple):
    """Which rows have which labels, rows with a null, and the labels where they are known."""

    table: Bools  # (n, L)
    nulls: Bools | None  # (n,)
    labels: list[Label] | None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.table)

    @property
    def width(self) -> int:
        """How many labels there are."""
        return int(self.table.shape[1])

    @property
    def sets(self) -> Bools:
        """The sets as the core counts them."""
        return self.table

    def picked(self, rows: Bools) -> Indicators:
        """Return the sets of some rows."""
        # A column after the other: rows of a table that lies by columns are far apart.
        columns = [part[rows] for part in self.table.T]
        table = np.stack(columns).T if columns else self.table[rows]
        return self._replace(table=table, nulls=None)

    def places(self) -> npt.NDArray[np.int64]:
        """Return row * width + label of each label of a row, ascending."""
        return np.flatnonzero(self.table)


def read_indicators(values: Any, argument: str) -> Indicators | PackedSets:
    """Return a table of indicators; of columns, as bits.

    Raises
    ------
    InputError
        Another shape or type, columns of unequal length, a value other than 0 and 1.
    """
    if isinstance(values, pl.LazyFrame):
        raise InputError(f"`{argument}` is a LazyFrame; collect it first")
    found = _from_arrow(values, argument)
    if found is not None:
        return found
    if isinstance(values, _core.ArrowData):
        values = arrow_table(values, argument)
    names: list[Label] | None = None
    if isinstance(values, pl.DataFrame):
        columns = values.get_columns()
        names = label_set(values.columns)
    elif hasattr(values, "iloc") and np.ndim(values) == 2:
        columns = [values[name] for name in values.columns]
        names = label_set([str(name) for name in values.columns])
    elif isinstance(values, Mapping):
        columns = list(values.values())
        names = label_set([str(name) for name in values])
    elif holds_series(values, argument):
        columns = list(values)
    else:
        return Indicators(*_from_rows(values, argument), None)
    if not columns:
        raise InputError(f"`{argument}` has no columns; wanted {WANTED}")
    numbers = [_numbers(part, argument, at) for at, part in enumerate(columns)]
    rows = len(numbers[0])
    for at, part in enumerate(numbers):
        if len(part) != rows:
            raise InputError(
                f"`{argument}` has {rows} rows in column 0 and {len(part)} in column {at}"
            )
    bits, nulls, refused = _core.packed_indicators(numbers, argument, 0)
    if refused is not None:
        row, at = refused
        raise other_value(numbers[at][row], argument, row, at)
    return PackedSets(bits, len(numbers), nulls, names)


def _from_arrow(values: Any, argument: str) -> Indicators | PackedSets | None:
    """Return the table of what hands all of its columns over at once; None: look closer."""
    if isinstance(values, pl.DataFrame):
        # Of many rows a look at each column takes no time, and chunks stay where they are.
        lends = values.height <= _FEW_ROWS
    elif isinstance(values, pl.Series):
        lends = isinstance(values.dtype, pl.Array) and len(values) > 0
    else:
        lends = isinstance(values, _core.ArrowData)
    found = _core.indicator_table(values, argument, 0) if lends else None
    if found is None:
        return None
    table, nulls, names = found
    if names is None:
        return Indicators(table, nulls, None)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"`{argument}` has two columns {twice!r}; wanted a name for each label")
    return PackedSets(table, len(names), nulls, label_set(names))


def _from_rows(values: Any, argument: str) -> tuple[Bools, Bools | None]:
    if isinstance(values, pl.Series):
        return _from_lists(values, argument)
    if isinstance(values, (list, tuple)):
        values = rows_of(values, argument, WANTED)
    table = np.asarray(values)
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"`{argument}` has shape {table.shape}; wanted {WANTED}")
    if table.dtype.kind == "b":
        return table, None
    if table.dtype.kind == "O":
        items = [[np.nan if is_null(item) else item for item in row] for row in table.tolist()]
        table = np.asarray(items)
    found = plain_numbers(table, argument)
    if found.flags.c_contiguous:
        return _of_rows(found.reshape(-1), found.shape[1], argument)
    ones, nulls, refused = _core.indicators(list(found.T), 1, argument, 0)
    if refused is not None:
        raise other_value(table[refused], argument, *refused)
    return ones.T, nulls


def _of_rows(values: Any, width: int, argument: str) -> tuple[Bools, Bools | None]:
    """Return the table of values that lie row by row."""
    ones, nulls, refused = _core.indicators([values], width, argument, 0)
    if refused is not None:
        row, at = refused
        raise other_value(values[row * width + at], argument, row, at)
    return ones.reshape(-1, width), nulls


def _from_lists(values: pl.Series, argument: str) -> tuple[Bools, Bools | None]:
    dtype = values.dtype
    if not isinstance(dtype, (pl.List, pl.Array)):
        raise InputError(f"`{argument}` is a Series of {dtype}; wanted {WANTED}")
    if not len(values):
        raise InputError(f"`{argument}` has no rows; wanted {WANTED}")
    if not values.null_count():
        lengths = values.list.len() if isinstance(dtype, pl.List) else None
        width = dtype.shape[0] if isinstance(dtype, pl.Array) else int(values.list.len()[0])
        if lengths is not None and (at := (lengths != width).arg_max()) and lengths[at] != width:
            raise InputError(
                f"`{argument}` has {lengths[at]} values ",
                Row(at),
                f" and {width} at row 0; wanted {WANTED}",
            )
        if not width:
            raise InputError(f"`{argument}` has shape ({len(values)}, 0); wanted {WANTED}")
        items = values.explode(empty_as_null=False)
        if not items.null_count():
            return _of_rows(_numbers(items, argument, 0), width, argument)
    raise InputError(f"`{argument}` holds a null; wanted none in rows of indicators")


def _numbers(values: Any, argument: str, at: int) -> Any:
    """Return a column of 0 and 1 as the core reads it."""
    if type(values) is pl.Series and type(values.dtype) in _READ:
        return values
    data = column(values, f"{argument}[{at}]").data
    if isinstance(data, np.ndarray):
        return plain_numbers(data, argument)
    series = data if isinstance(data, pl.Series) else pl.Series(data)
    if not series.dtype.is_numeric() and series.dtype not in (pl.Boolean, pl.Null):
        raise InputError(
            f"`{argument}` has column {at} of {series.dtype}; wanted Booleans, or 0 and 1"
        )
    return series


def plain_numbers(values: npt.NDArray[Any], argument: str) -> npt.NDArray[Any]:
    """Return numbers of a type that the core reads."""
    if values.dtype.kind not in "biuf":
        raise InputError(f"`{argument}` has dtype {values.dtype}; wanted Booleans, or 0 and 1")
    if values.dtype.kind != "f" or values.dtype.itemsize in (4, 8):
        return values
    near = values.astype(np.float64)
    near[(near != values) & ~np.isnan(values)] = np.inf  # a rounded number is neither 0 nor 1
    return near


def other_value(value: Any, argument: str, row: int, at: int) -> InputError:
    """Return the error for a value that is neither 0 nor 1."""
    wanted = (
        "these look like scores: give them to cm.multilabel_sweep as `y_score`, or compare "
        "them with a threshold"
        if isinstance(value, (float, np.floating)) and value != np.rint(value)
        else "wanted 0 and 1"
    )
    return InputError(f"`{argument}` holds {value} ", Row(row), f" of column {at}; {wanted}")


def any_of(*nulls: Bools | None) -> Bools | None:
    """Return where one of these is true; None where all are None."""
    found = [part for part in nulls if part is not None]
    return np.logical_or.reduce(found) if found else None
