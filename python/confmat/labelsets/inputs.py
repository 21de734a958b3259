"""Sets of labels, one a row: indicator tables, dense and sparse, and lists of names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import polars as pl

from confmat import _core
from confmat.columns.arrow import arrow_data, arrow_table, is_arrow
from confmat.errors import ConfmatError, InputError, Row
from confmat.labels import (
    MAX_CLASSES,
    Label,
    Origin,
    described,
    is_null,
    label_set,
    listing,
    plain,
)
from confmat.labelsets.indicators import WANTED, Indicators, read_indicators
from confmat.labelsets.name_lists import from_names
from confmat.labelsets.packed_sets import PackedSets
from confmat.labelsets.set_lists import SetLists
from confmat.labelsets.sparse_tables import is_sparse, read_sparse
from confmat.own_errors import is_of_handler

SetTable: TypeAlias = Indicators | PackedSets | SetLists

_HELD = (np.ndarray, list, tuple, dict, pl.Series, pl.DataFrame, pl.LazyFrame)


def read_pair(
    y_true: Any, y_pred: Any, labels: Any
) -> tuple[SetTable, SetTable, list[Label], Origin]:
    """Return true and predicted sets with the same labels, and where these come from.

    Raises
    ------
    InputError
        Shapes or labels that differ; a value other than 0 and 1; a name that is not a label.
    """
    given = None if labels is None else label_set(labels, most=MAX_CLASSES)
    origin = Origin.GIVEN
    y_true, y_pred = _from_arrow(y_true, "y_true"), _from_arrow(y_pred, "y_pred")
    true_names, pred_names = _names(y_true, "y_true"), _names(y_pred, "y_pred")
    if true_names is not None and pred_names is not None:
        pair: list[Any]
        pair, known = from_names({"y_true": true_names, "y_pred": pred_names}, given)
        origin = Origin.FOUND if given is None else Origin.GIVEN
    elif true_names is not None or pred_names is not None:
        raise InputError("one of `y_true` and `y_pred` holds lists of names, the other indicators")
    else:
        pair = [
            _guarded(lambda values: _read_table(values, "y_true"), y_true, "y_true"),
            _guarded(lambda values: _read_table(values, "y_pred"), y_pred, "y_pred"),
        ]
        known = _common_labels(pair[0], pair[1], given)
    truth, pred = pair
    if truth.rows != pred.rows:
        raise InputError(f"`y_true` has {truth.rows} rows and `y_pred` {pred.rows}")
    return truth, pred, known, origin


def read_sets(y_true: Any, labels: Any, names: Sequence[str] | None) -> Indicators:
    """Return true sets where the predictions are scores, whose columns may have names.

    Raises
    ------
    InputError
        As `read_pair`; column names that are the labels in another order.
    """
    given = None if labels is None else label_set(labels)
    y_true = _from_arrow(y_true, "y_true")
    named = _names(y_true, "y_true")
    if named is None:
        read = _guarded(lambda values: _read_table(values, "y_true"), y_true, "y_true")
        known = given or read.labels or (list(names) if names is not None else None)
        known = list(range(read.width)) if known is None else known
        if len(known) != read.width:
            raise InputError(f"{len(known)} labels for {read.width} columns of `y_true`")
        if read.labels is not None and set(read.labels) == set(known) and read.labels != known:
            raise InputError(f"`y_true` has its columns in another order than {listing(known)}")
    else:
        given = given or (list(names) if names is not None else None)
        [read], known = from_names({"y_true": named}, given)
    if names is not None and set(names) == set(known) and list(names) != known:
        raise InputError(f"`y_score` has its columns in another order than {listing(known)}")
    # Scores are n x L numbers, beside which the table is small.
    table = read.table if isinstance(read, Indicators) else read.table()
    return Indicators(table, read.nulls, known)


def _read_table(values: Any, argument: str) -> SetTable:
    sparse = type(values) not in _HELD and is_sparse(values)  # some of SciPy's are dicts
    return read_sparse(values, argument) if sparse else read_indicators(values, argument)


def _guarded(read: Callable[[Any], Any], values: Any, argument: str) -> Any:
    """Return what is read of values that may be of any type."""
    try:
        return read(values)
    except (ConfmatError, MemoryError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # of code that is not ours
        if is_of_handler(error):
            raise
        raise InputError(f"`{argument}` cannot be read ({error}); wanted {WANTED}") from error


def _common_labels(truth: SetTable, pred: SetTable, given: list[Label] | None) -> list[Label]:
    width = truth.width
    if pred.width != width:
        raise InputError(f"`y_true` has {width} labels (columns) and `y_pred` {pred.width}")
    named = truth.labels or pred.labels
    if truth.labels and pred.labels:
        differs = _core.label_difference(truth.labels, pred.labels)
        if differs:
            raise InputError(f"`y_true` and `y_pred` have other columns: {differs}")
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
    """Return Arrow data of neither Polars nor pandas: a table as it is, or a Series."""
    if isinstance(values, _HELD) or hasattr(values, "iloc") or not is_arrow(values):
        return values
    data = arrow_data(values, argument)
    return data if data.dtype == "Struct" else arrow_table(data, argument)


def _names(values: Any, argument: str) -> pl.Series | None:
    return cast("pl.Series | None", _guarded(lambda of: _names_of(of, argument), values, argument))


def _names_of(values: Any, argument: str) -> pl.Series | None:
    """Return a List Series of label names, or None for indicators."""
    if isinstance(values, (pl.DataFrame, _core.ArrowData)) or type(values) is dict:
        return None
    if isinstance(values, pl.Series) and not isinstance(dtype := values.dtype, pl.Object):
        names = isinstance(dtype, pl.List) and dtype.inner != pl.Boolean
        return values if names else None
    of_objects = _rows_of_objects(values)
    if of_objects is not None:
        values = of_objects
    if not isinstance(values, (list, tuple)) or not values:
        return None
    sets = any(isinstance(item, (set, frozenset)) for item in values)
    texts = any(
        isinstance(item, (list, tuple, np.ndarray))
        and any(isinstance(name, (str, np.bytes_)) for name in item)
        for item in values
    )
    rows = [item for item in values if not is_null(item)]
    if rows and all(isinstance(item, (list, tuple)) and not item for item in rows):
        return pl.Series(values, dtype=pl.List(pl.String))  # no table: it would have no columns
    if not sets and not texts and of_objects is None:
        return None
    named = [None if is_null(item) else [plain(name) for name in item] for item in values]
    kind = pl.List(pl.String) if texts else None
    try:
        if sets:
            named = [None if row is None else sorted(row) for row in named]
        return pl.Series(named, dtype=kind, strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        _check_kinds(named, argument)
        raise


def _check_kinds(rows: Sequence[Sequence[Any] | None], argument: str) -> None:
    """Refuse the first name of a row that is no text, or of another type than the first of all."""
    first: tuple[Any, int] | None = None
    for at, row in enumerate(rows):
        for name in row or ():
            if isinstance(name, np.bytes_):
                raise InputError("the text ", Row(at), f" of `{argument}` is not UTF-8")
            first = first or (name, at)
            if type(name) is not type(first[0]):
                raise InputError(
                    f"`{argument}` has {described(name)} ",
                    Row(at),
                    f" and {described(first[0])} at row {first[1]}; wanted labels of one kind",
                )


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
