"""Tables of probabilities, one column a class: any array-like brought to floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.columns.arrow import arrow_table, is_arrow
from confmat.errors import ConfmatError, InputError, Row
from confmat.inputs import column
from confmat.labels import Label, described
from confmat.scores.clipping import ScoreType

Floats: TypeAlias = npt.NDArray[np.float64]
FloatColumn: TypeAlias = npt.NDArray[np.floating[Any]]

_WANTED = "an n x K array, rows of K numbers, a List or Array Series, a DataFrame or a dict"


class Table(NamedTuple):
    """K columns of float32 or float64, and what is known of them."""

    columns: list[FloatColumn]
    names: list[str] | None  # of a frame
    half: bool  # some were read from float16
    score_type: ScoreType  # the common type of the columns as they were read

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0])


def read_table(values: Any, argument: str = "scores") -> Table:
    """Return a table of numbers by its columns; native floats are not copied, whatever the strides.

    A list or tuple holds rows, whatever they are; one of Polars Series holds columns. Integers and
    Booleans become float64, float16 becomes float32.

    Raises
    ------
    InputError
        Another shape or type, columns of unequal length, a null.
    """
    try:
        return _read_table(values, argument)
    except (ConfmatError, MemoryError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # of code that is not ours
        raise InputError(f"`{argument}` is no table ({error}); wanted {_WANTED}") from error


def _read_table(values: Any, argument: str) -> Table:
    names: list[str] | None = None
    if isinstance(values, pl.LazyFrame):
        raise InputError(f"`{argument}` is a LazyFrame; collect it first")
    if not isinstance(values, (pl.DataFrame, pl.Series)) and is_arrow(values):
        values = arrow_table(values, argument)
    parts: Any
    if isinstance(values, pl.DataFrame) or hasattr(values, "iloc"):
        if np.ndim(values) != 2:
            parts = _from_array(rows_of(values.tolist(), argument, _WANTED), argument)
        else:
            names = [str(name) for name in values.columns]
            parts = [values[name] for name in values.columns]
    elif isinstance(values, Mapping):
        names, parts = [str(name) for name in values], list(values.values())
    elif isinstance(values, pl.Series):
        parts = _from_lists(values, argument)
    elif holds_series(values, argument):
        parts = list(values)
    elif isinstance(values, (list, tuple)):
        parts = _from_array(rows_of(values, argument, _WANTED), argument)
    else:
        parts = _from_array(values.toarray() if hasattr(values, "tocsr") else values, argument)
    if not parts:
        raise InputError(f"`{argument}` has no columns; wanted {_WANTED}")
    read = [_floats(part, f"{argument}", at) for at, part in enumerate(parts)]
    for at, part in enumerate(read):
        if len(part) != len(read[0]):
            raise InputError(
                f"`{argument}` has {len(read[0])} rows in column 0 and {len(part)} in column {at}"
            )
    half = any(part.dtype == np.float16 for part in read)
    kind = np.float64 if any(part.dtype.itemsize == 8 for part in read) else np.float32
    # What is of the wanted type keeps its memory and byte order.
    same = [
        part if part.dtype.itemsize == np.dtype(kind).itemsize else part.astype(kind)
        for part in read
    ]
    common: ScoreType = "float64" if kind is np.float64 else "float32"
    if all(part.dtype.itemsize == 2 for part in read):
        common = "float16"
    return Table(same, names, half, common)


def holds_series(values: Any, argument: str) -> bool:
    """Return whether a list holds columns: Polars Series, all of them.

    Raises
    ------
    InputError
        Only some are Series.
    """
    if not isinstance(values, (list, tuple)) or not values:
        return False
    found = [isinstance(item, pl.Series) for item in values]
    if any(found) and not all(found):
        at = found.index(not found[0])
        raise InputError(
            f"`{argument}` holds a {type(values[0]).__name__} and, at position {at}, a "
            f"{type(values[at]).__name__}; wanted rows, or Polars Series as columns"
        )
    return all(found)


def rows_of(values: Sequence[Any], argument: str, wanted: str) -> npt.NDArray[Any]:
    """Return a list of rows, each a list or an array, as one array; all have the same length.

    Raises
    ------
    InputError
        A row that is none, or of another length, by its number.
    """
    if not values:
        raise InputError(f"`{argument}` has no rows; wanted {wanted}")
    rows = [item if isinstance(item, (list, tuple)) else _row(item) for item in values]
    for at, row in enumerate(rows):
        if np.ndim(row) == 0 and not isinstance(row, (list, tuple)):
            raise InputError(
                f"`{argument}` holds {described(values[at])} ", Row(at), f"; wanted {wanted}"
            )
        if len(row) != len(rows[0]):
            raise InputError(
                f"`{argument}` has {len(row)} values ",
                Row(at),
                f" and {len(rows[0])} at row 0; wanted {wanted}",
            )
    return np.asarray(rows)


def _row(item: Any) -> Any:
    if isinstance(item, np.ndarray):
        return item
    to_numpy = getattr(item, "to_numpy", None)
    if to_numpy is None:
        return np.asarray(item)
    try:
        return to_numpy()
    except ValueError:  # of pyarrow: a copy must be allowed
        return to_numpy(zero_copy_only=False)


def _from_lists(values: pl.Series, argument: str) -> list[Any]:
    if not isinstance(values.dtype, (pl.List, pl.Array)):
        raise InputError(f"`{argument}` is a Series of {values.dtype}; wanted {_WANTED}")
    if values.null_count():
        raise InputError(f"`{argument}` holds a null ", Row(values.is_null().arg_max() or 0))
    if isinstance(values.dtype, pl.Array):
        width = -1 if len(values) else values.dtype.size
        return _from_array(_flat(values, argument).reshape(len(values), width), argument)
    lengths = values.list.len()
    width = lengths[0] if len(lengths) else 0
    other = (lengths != width).arg_max() if lengths.n_unique() > 1 else None
    if other is not None:
        raise InputError(
            f"`{argument}` has a list of {lengths[other]} ", Row(other), f"; row 0 has {width}"
        )
    return _from_array(_flat(values, argument).reshape(len(values), width), argument)


def _flat(values: pl.Series, argument: str) -> npt.NDArray[Any]:
    inner = values.explode(empty_as_null=True) if len(values) else pl.Series(dtype=pl.Float64)
    if inner.null_count():
        at = inner.is_null().arg_max()
        width = len(inner) // len(values)
        raise InputError(f"`{argument}` holds a null ", Row((at or 0) // max(width, 1)))
    return inner.to_numpy()


def _from_array(values: Any, argument: str) -> list[Any]:
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        if mask.any():
            raise InputError(f"`{argument}` is masked ", Row(int(np.argwhere(mask)[0][0])))
        values = values.data
    try:
        table = np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"`{argument}` is no table ({error}); wanted {_WANTED}") from error
    if table.ndim != 2:
        raise InputError(f"`{argument}` has shape {table.shape}; wanted {_WANTED}")
    if table.dtype.kind not in "biuf":
        raise InputError(f"`{argument}` has dtype {table.dtype}; wanted floats")
    if table.dtype.kind != "f" or table.dtype.itemsize > 8:
        table = table.astype(np.float64)
    return list(table.T)


def _floats(values: Any, argument: str, at: int) -> FloatColumn:
    where = f"{argument}"
    if isinstance(values, np.ndarray) and values.dtype.kind == "f" and values.ndim == 1:
        data: Any = values
        half = False
    else:
        found = column(values, f"{where}[{at}]")
        data, half = found.data, found.half
    if not isinstance(data, np.ndarray):
        series = data if isinstance(data, pl.Series) else pl.Series(data)
        if not series.dtype.is_numeric() and series.dtype != pl.Boolean:
            raise InputError(f"`{where}` has column {at} of {series.dtype}; wanted floats")
        if series.null_count():
            row = series.is_null().arg_max()
            raise InputError(f"`{where}` holds a null ", Row(row or 0), f" of column {at}")
        data = series.to_numpy()
    if data.dtype.kind != "f" or data.dtype.itemsize > 8:
        if data.dtype.kind not in "biuf":
            raise InputError(f"`{where}` has column {at} of {data.dtype}; wanted floats")
        data = data.astype(np.float64)
    floats: FloatColumn = data.astype(np.float16) if half else data
    return floats


def normalized(table: Table, used: npt.NDArray[np.bool_], argument: str = "scores") -> Table:
    """Return the table with each used row divided by its sum, as a copy in float64.

    Raises
    ------
    InputError
        A value that is negative or not finite, or a row that sums to 0.
    """
    values = np.stack([np.asarray(part, dtype=np.float64) for part in table.columns], axis=1)
    bad = ~((values >= 0) & (values < np.inf)) & used[:, None]
    if bad.any():
        row, at = (int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"`{argument}` holds {values[row, at]} ",
            Row(row),
            f" of column {at}; wanted finite values, at least 0, to normalize",
        )
    sums = values.sum(axis=1)
    empty = used & ~((sums > 0) & (sums < np.inf))
    if empty.any():
        row = int(empty.argmax())
        raise InputError(f"`{argument}` has the sum {sums[row]} ", Row(row), "; cannot normalize")
    with np.errstate(invalid="ignore", divide="ignore"):
        values /= sums[:, None]
    return Table(list(values.T), table.names, table.half, "float64")


def in_column_order(names: Sequence[str], labels: Sequence[Label]) -> list[Label] | None:
    """Return the labels in the order of columns that are named after them, or None.

    The names are the labels with the same text before all, and the same after: "p_a", "p_b".
    """
    spellings: list[dict[str, Label]] = [{str(label): label for label in labels}]
    if all(isinstance(label, bool) for label in labels):
        spellings.append({str(label).lower(): label for label in labels})
    for spelling in spellings:
        extra, rest = divmod(sum(map(len, names)) - sum(map(len, spelling)), len(names))
        if rest or extra < 0:
            continue
        for at in range(extra + 1):
            before, after = names[0][:at], names[0][len(names[0]) - extra + at :]
            named = {f"{before}{text}{after}": label for text, label in spelling.items()}
            if set(named) == set(names):
                return [named[name] for name in names]
    return None


def agree(
    names: Sequence[str] | None,
    labels: Sequence[Label],
    argument: str = "scores",
    *,
    are_given: bool = True,
) -> None:
    """Refuse labels that column names have in another order; integers may count positions.

    `are_given`: else they were found in the rows.

    Raises
    ------
    InputError
        So it is, of all columns or of those that are called as labels are.
    """
    if names is None or any(type(label) is int for label in labels):
        return
    named = in_column_order(names, labels)
    if named is None:
        named = [name if name in labels else at for name, at in zip(names, labels, strict=True)]
    for at, (label, of_name) in enumerate(zip(labels, named, strict=True)):
        if label != of_name:
            has = f"`{argument}` has the column {names[at]!r} at position {at}"
            if are_given:
                wanted = f" and `labels` {label!r}; wanted the labels in the order of the columns"
            else:
                wanted = (
                    f", and the labels of `y_true` have {label!r} there, as not every column is "
                    "called as a label; pass labels=..., the class of each column in order"
                )
            raise InputError(has + wanted)
