"""Sets of labels, one a row: indicator tables and lists of names brought to n x L Booleans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.columns.arrow import arrow_table, is_arrow
from confmat.errors import ConfmatError, InputError
from confmat.inputs import column
from confmat.labels import (
    Label,
    difference,
    is_null,
    label_set,
    listing,
    plain,
    shown,
    sorted_union,
)
from confmat.multiclass.inputs import holds_series, rows_of
from confmat.own_errors import is_of_handler

Bools: TypeAlias = npt.NDArray[np.bool_]

_AT_ONCE = 1 << 20
_WANTED = "n x L indicators, rows of L indicators, a DataFrame or a dict, or lists of label names"


class Indicators(NamedTuple):
    """Which rows have which labels, rows with a null, and the labels where they are known."""

    table: Bools  # (n, L)
    nulls: Bools | None  # (n,)
    labels: list[Label] | None


def read_pair(y_true: Any, y_pred: Any, labels: Any) -> tuple[Indicators, Indicators, list[Label]]:
    """Return true and predicted sets with the same labels.

    Raises
    ------
    InputError
        Shapes or labels that differ; a value other than 0 and 1; a name that is not a label.
    """
    given = None if labels is None else label_set(labels)
    y_true, y_pred = _from_arrow(y_true, "y_true"), _from_arrow(y_pred, "y_pred")
    true_names, pred_names = _guarded(_names, y_true, "y_true"), _guarded(_names, y_pred, "y_pred")
    if true_names is not None and pred_names is not None:
        named = (true_names, pred_names)
        known = given or sorted_union(
            [name for series in named for name in series.explode().drop_nulls().unique()], "y_true"
        )
        pair = [
            _from_names(series, known, argument)
            for series, argument in zip(named, ("y_true", "y_pred"), strict=True)
        ]
    elif true_names is not None or pred_names is not None:
        raise InputError("one of `y_true` and `y_pred` holds lists of names, the other indicators")
    else:
        pair = [
            _guarded(lambda values: _from_table(values, "y_true"), y_true, "y_true"),
            _guarded(lambda values: _from_table(values, "y_pred"), y_pred, "y_pred"),
        ]
        known = _common_labels(pair[0], pair[1], given)
    truth, pred = pair
    if len(truth.table) != len(pred.table):
        raise InputError(f"`y_true` has {len(truth.table)} rows and `y_pred` {len(pred.table)}")
    return truth, pred, known


def read_sets(y_true: Any, labels: Any, names: Sequence[str] | None) -> Indicators:
    """Return true sets where the predictions are scores, whose columns may have names.

    Raises
    ------
    InputError
        As `read_pair`; column names that are the labels in another order.
    """
    given = None if labels is None else label_set(labels)
    y_true = _from_arrow(y_true, "y_true")
    named = _guarded(_names, y_true, "y_true")
    if named is None:
        read = _guarded(lambda values: _from_table(values, "y_true"), y_true, "y_true")
        known = given or read.labels or (list(names) if names is not None else None)
        known = list(range(read.table.shape[1])) if known is None else known
        if len(known) != read.table.shape[1]:
            raise InputError(f"{len(known)} labels for {read.table.shape[1]} columns of `y_true`")
        if read.labels is not None and set(read.labels) == set(known) and read.labels != known:
            raise InputError(f"`y_true` has its columns in another order than {listing(known)}")
    else:
        found = named.explode().drop_nulls().unique()
        known = given or (list(names) if names is not None else sorted_union(found, "y_true"))
        read = _from_names(named, known, "y_true")
    if names is not None and set(names) == set(known) and list(names) != known:
        raise InputError(f"`y_score` has its columns in another order than {listing(known)}")
    return Indicators(read.table, read.nulls, known)


def _guarded(read: Callable[[Any], Any], values: Any, argument: str) -> Any:
    """Return what is read of values that may be of any type."""
    try:
        return read(values)
    except (ConfmatError, MemoryError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # of code that is not ours
        if is_of_handler(error):
            raise
        raise InputError(f"`{argument}` cannot be read ({error}); wanted {_WANTED}") from error


def _common_labels(truth: Indicators, pred: Indicators, given: list[Label] | None) -> list[Label]:
    width = truth.table.shape[1]
    if pred.table.shape[1] != width:
        raise InputError(
            f"`y_true` has {width} labels (columns) and `y_pred` {pred.table.shape[1]}"
        )
    if truth.labels is not None and pred.labels is not None:
        differs = difference(truth.labels, pred.labels)
        if differs:
            raise InputError(f"`y_true` and `y_pred` have other columns: {differs}")
    named = truth.labels or pred.labels
    if given is None:
        return named or list(range(width))
    if len(given) != width:
        raise InputError(f"`labels` has {len(given)} labels for {width} columns")
    if named is not None and set(named) == set(given) and named != given:
        raise InputError(
            f"`labels` are the columns in another order, {listing(given)} and {listing(named)}"
        )
    return given


def _from_arrow(values: Any, argument: str) -> Any:
    """Return what is Arrow data and neither Polars nor pandas as a Series or a frame."""
    known = isinstance(values, (pl.Series, pl.DataFrame, pl.LazyFrame)) or hasattr(values, "iloc")
    return values if known or not is_arrow(values) else arrow_table(values, argument)


def _names(values: Any) -> pl.Series | None:
    """Return a List Series of label names, or None for indicators."""
    if isinstance(values, pl.DataFrame):
        return None
    if isinstance(values, pl.Series) and not isinstance(values.dtype, pl.Object):
        inner = getattr(values.dtype, "inner", None)
        names = isinstance(values.dtype, pl.List) and inner != pl.Boolean
        return values if names else None
    of_objects = _rows_of_objects(values)
    if of_objects is not None:
        values = of_objects
    if not isinstance(values, (list, tuple)) or not values:
        return None
    sets = any(isinstance(item, (set, frozenset)) for item in values)
    texts = any(
        isinstance(item, (list, tuple, np.ndarray)) and any(isinstance(name, str) for name in item)
        for item in values
    )
    if all(isinstance(item, (list, tuple)) and not item for item in values):
        return pl.Series(values, dtype=pl.List(pl.String))  # no table: it would have no columns
    if not sets and not texts and of_objects is None:
        return None
    rows = [None if is_null(item) else [plain(name) for name in item] for item in values]
    if sets:
        rows = [None if row is None else sorted(row) for row in rows]
    kind = pl.List(pl.String) if texts else None
    return pl.Series(rows, dtype=kind, strict=True)


def _rows_of_objects(values: Any) -> list[Any] | None:
    """Return the items of a column of objects that are lists, sets or missing, or None."""
    dtype = getattr(values, "dtype", None)
    if isinstance(dtype, pl.Object):
        items = values.to_list()
    elif dtype == np.dtype(object) and values.ndim == 1:
        items = values.tolist()
    else:
        return None
    kinds = (list, tuple, set, frozenset, np.ndarray)
    return items if all(is_null(item) or isinstance(item, kinds) for item in items) else None


def _from_names(series: pl.Series, labels: list[Label], argument: str) -> Indicators:
    nulls = series.is_null().to_numpy() if series.null_count() else None
    table = np.zeros((len(series), len(labels)), dtype=np.bool_)
    for first in range(0, len(series), _AT_ONCE):  # Ctrl-C is answered in between
        part = slice(first, first + _AT_ONCE)
        _put_names(table[part], series[part], labels, argument, first)
    return Indicators(table, nulls, labels)


def _put_names(
    table: Bools, series: pl.Series, labels: list[Label], argument: str, first: int
) -> None:
    """Set the labels of some rows, which begin at the row `first`."""
    lengths = series.list.len().fill_null(0).to_numpy()
    rows = np.repeat(np.arange(len(series)), lengths)
    items = series.filter(series.list.len() > 0).explode()
    if isinstance(items.dtype, (pl.Categorical, pl.Enum)):
        items = items.cast(pl.String)
    if items.null_count():
        at = first + int(rows[items.is_null().arg_max() or 0])
        raise InputError(f"`{argument}` holds a null inside the list at row {at}")
    if len(items) and (items.dtype == pl.String) != isinstance(labels[0], str):
        raise InputError(
            f"`{argument}` holds names of {items.dtype}, and the labels are {listing(labels)}"
        )
    if len(items):
        places = items.replace_strict(labels, range(len(labels)), default=None)
        if places.null_count():
            at = places.is_null().arg_max() or 0
            raise InputError(
                f"label {shown(items[at])} at row {first + rows[at]} of `{argument}` is not in "
                f"labels {listing(labels)}"
            )
        table[rows, places.to_numpy()] = True


def _from_table(values: Any, argument: str) -> Indicators:
    if isinstance(values, pl.LazyFrame):
        raise InputError(f"`{argument}` is a LazyFrame; collect it first")
    if hasattr(values, "tocsr"):
        return _from_sparse(values, argument)
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
        if isinstance(values, pl.Series):
            values = _rows_of(values, argument)
        if isinstance(values, (list, tuple)):
            values = rows_of(values, argument, _WANTED)
        return Indicators(*_zeros_and_ones(_array(values, argument), argument), None)
    parts: list[Bools] = []
    nulls: Bools | None = None
    for at, values_of in enumerate(columns):
        part, missing = _column(values_of, argument, at)
        if parts and len(part) != len(parts[0]):
            raise InputError(
                f"`{argument}` has {len(parts[0])} rows in column 0 and {len(part)} in column {at}"
            )
        parts.append(part)
        if missing is not None:
            nulls = missing if nulls is None else nulls | missing
    if not parts:
        raise InputError(f"`{argument}` has no columns; wanted {_WANTED}")
    return Indicators(np.stack(parts).T, nulls, names)


def _from_sparse(values: Any, argument: str) -> Indicators:
    if len(values.shape) != 2 or not values.shape[1]:
        raise InputError(f"`{argument}` has shape {values.shape}; wanted {_WANTED}")
    known = values.tocsr(copy=True)
    known.sum_duplicates()
    rows = np.repeat(np.arange(known.shape[0]), np.diff(known.indptr))
    stored, missing = _zeros_and_ones(np.asarray(known.data)[:, None], argument, row_of=rows)
    table = np.zeros(known.shape, dtype=np.bool_)
    table[rows, known.indices] = stored[:, 0]
    nulls = None
    if missing is not None:
        nulls = np.zeros(known.shape[0], dtype=np.bool_)
        nulls[rows[missing]] = True
    return Indicators(table, nulls, None)


def _rows_of(values: pl.Series, argument: str) -> Any:
    if not isinstance(values.dtype, (pl.List, pl.Array)):
        raise InputError(f"`{argument}` is a Series of {values.dtype}; wanted {_WANTED}")
    if values.null_count() or values.explode().null_count():
        raise InputError(f"`{argument}` holds a null; wanted none in rows of indicators")
    return values.to_list()


def _array(values: Any, argument: str) -> npt.NDArray[Any]:
    table = np.asarray(values)
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"`{argument}` has shape {table.shape}; wanted {_WANTED}")
    return table


def _column(values: Any, argument: str, at: int) -> tuple[Bools, Bools | None]:
    if isinstance(values, pl.Series) and values.dtype == pl.Boolean and not values.null_count():
        return values.to_numpy(), None
    data = column(values, f"{argument}[{at}]").data
    missing = None
    if not isinstance(data, np.ndarray):
        series = data if isinstance(data, pl.Series) else pl.Series(data)
        if not series.dtype.is_numeric() and series.dtype not in (pl.Boolean, pl.Null):
            raise InputError(
                f"`{argument}` has column {at} of {series.dtype}; wanted Booleans, or 0 and 1"
            )
        if series.null_count():
            missing = series.is_null().to_numpy()
            series = series.fill_null(False if series.dtype == pl.Boolean else 0)
        data = series.to_numpy()
    table, nan = _zeros_and_ones(data[:, None], argument, at)
    return table[:, 0], any_of(missing, nan)


def _zeros_and_ones(
    table: npt.NDArray[Any], argument: str, first: int = 0, row_of: npt.NDArray[Any] | None = None
) -> tuple[Bools, Bools | None]:
    """Return where a table holds 1, and which of its rows hold a nan."""
    if table.dtype.kind == "O":
        items = [[np.nan if is_null(item) else item for item in row] for row in table.tolist()]
        table = np.asarray(items)
    if table.dtype.kind == "b":
        return table, None
    if table.dtype.kind not in "iuf":
        raise InputError(f"`{argument}` has dtype {table.dtype}; wanted Booleans, or 0 and 1")
    ones = np.empty(table.shape, dtype=np.bool_)
    step = max(_AT_ONCE // table.shape[1], 1)
    for at in range(0, len(table), step):  # Ctrl-C is answered in between
        part = table[at : at + step]
        np.equal(part, 1, out=ones[at : at + step])
        if not (ones[at : at + step] | (part == 0)).all():
            break
    else:
        return ones, None
    bad = (table != 0) & (table != 1)
    nan = None
    if bad.any() and table.dtype.kind == "f":
        missing = np.isnan(table)
        bad &= ~missing
        nan = missing.any(axis=1) if missing.any() else None
    if bad.any():
        row, at = (int(i) for i in np.argwhere(bad)[0])
        value = table[row, at]
        scores = table.dtype.kind == "f" and value != np.rint(value)
        wanted = (
            "these look like scores: give them to cm.multilabel_sweep as `y_score`, or compare "
            "them with a threshold"
            if scores
            else "wanted 0 and 1"
        )
        raise InputError(
            f"`{argument}` holds {value} at row {row if row_of is None else row_of[row]} of column "
            f"{first + at}; {wanted}"
        )
    return np.asarray(table == 1, dtype=np.bool_), nan


def any_of(*nulls: Bools | None) -> Bools | None:
    """Return where one of these is true; None where all are None."""
    found = [part for part in nulls if part is not None]
    return np.logical_or.reduce(found) if found else None


def names_of(labels: Sequence[Label], mask: Bools) -> list[Label]:
    """Return the labels that a row of indicators stands for."""
    return [label for label, there in zip(labels, mask.tolist(), strict=True) if there]
