"""Frames in memory: labels found first, and one pass of the whole-frame kernels where they fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from confmat import _core, positive_class
from confmat.categories import coded
from confmat.errors import InputError
from confmat.frames.asked import TOTALS
from confmat.frames.key_columns import KeyColumns, is_key
from confmat.frames.reasons import by_position, hidden, one_row, reason_names
from confmat.frames.request import SCORE_TOTALS, Request
from confmat.frames.roll_up import ALL, GROUPING, subsets
from confmat.labels import Label, listing, position, shown
from confmat.matrices.sparse import SparseCells, held, of_core, smoothable
from confmat.objects.counting import confusion_matrix, outsider_error, refuse_identifiers
from confmat.options import Options
from confmat.own_definitions import wired_all

if TYPE_CHECKING:
    from confmat._core import GroupColumns

# More labels than this travel as pairs: tables of all of them would cost more.
_MOST_FOUND = 1024
_MOST_FOUND_TEXT = 1 << 17  # characters; an expression carries one MiB


def all_rows(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate all rows with one pass over the columns."""
    asked = request.asked
    truth, pred = _labels(frame, request)
    state, outsider = _core.count(truth, pred, None, asked.labels, 0)
    if asked.labels is None:
        refuse_identifiers(list(state.labels), state.rows)
    if outsider is not None and asked.other == "raise":
        raise outsider_error(outsider, list(state.labels))
    return table_of_all(state, request)


def table_of_all(state: _core.Counts, request: Request) -> pl.DataFrame:
    """Return the one row of a matrix of all rows."""
    asked = request.asked
    labels = list(state.labels)
    cells, _ = smoothable(of_core(len(labels), state.cells), None, asked.smoothing)
    check_positive(request, labels)
    n, pos = int(held(cells).sum()), positive_class.found(labels, asked.pos_label)
    asks = _core.Asks(wired_all(asked.metrics))
    # One that was asked for is among the labels or may be added: that was checked.
    may_add = not labels or positive_class.may_add(labels, asked.pos_label)
    if pos < 0 and asks.needs_positive and not may_add and len(labels) == 1:
        raise InputError(
            f"`metrics` holds one about one class and the labels are {listing(labels)}; "
            "give pos_label"
        )
    if pos < 0 and asks.needs_positive and may_add and not isinstance(cells, SparseCells):
        cells, labels, pos = positive_class.added(cells, labels, asked.pos_label)
    names = [shown(label) for label in labels]
    implied = asked.implied or asked.labels is None
    options = Options(pos, asked.undefined, asked.smoothing, asked.keep_empty, implied)
    values = asks.values(cells, names, options)
    reasons = None
    if reason_names(request):
        reasons = one_row(asked.metrics, asks.reasons(cells, names, options))
    totals = dict(zip(TOTALS, (n, state.n_dropped, state.n_other), strict=True))
    known = [None if math.isnan(value) else float(value) for value in values]
    row = totals | dict(zip(asked.metrics, known, strict=True))
    schema = dict.fromkeys(TOTALS, pl.UInt64) | dict.fromkeys(asked.metrics, pl.Float64)
    return _frame_of({}, request, pl.DataFrame([row], schema), reasons)


def with_labels(frame: pl.DataFrame, request: Request) -> Request:
    """Find the labels of all rows where none were given: then small codes can carry the rows."""
    if request.asked.labels is not None:
        return request
    truth, pred = _labels(frame, request)
    try:
        labels = list(_core.count(truth, pred, None, None, 0)[0].labels)
    except InputError:
        return request  # too many labels for one table; those of each group may be few
    check_positive(request, labels)
    short = sum(len(label) for label in labels if isinstance(label, str)) <= _MOST_FOUND_TEXT
    if not (0 < len(labels) <= _MOST_FOUND and short):
        return request
    return request._replace(asked=request.asked._replace(found=labels))


def by_keys(frame: pl.DataFrame, request: Request) -> pl.DataFrame | None:
    """Group by columns with the whole-frame kernel; None where they do not fit."""
    asked = request.asked
    labels = asked.labels or asked.found
    if labels is None or not all(is_key(frame.schema[name]) for name in request.by):
        return None
    keys = KeyColumns(request.by, frame.schema)
    truth, pred = _labels(frame, request)
    # Strangers to the labels are counted first, so that the message can name the first row.
    spec = asked._replace(other="bucket").packed()
    found = _core.evaluate_groups(
        keys.numbers(frame), truth, pred, labels, spec, 0, places(request)
    )
    if found is None:
        return None
    result = table_of(request, keys, found)
    if asked.other == "raise" and (result[TOTALS[2]] > 0).any():
        name_row(frame, request, labels)
    return result


def groupings(request: Request) -> list[tuple[str, ...]]:
    """Return the sets of keys that make slices, that of all keys first."""
    return list(subsets(request.by)) if request.cube else [request.by]


def places(request: Request) -> list[list[int]]:
    """Return the same as places among the keys, as the core takes them."""
    return [[request.by.index(key) for key in grouping] for grouping in groupings(request)]


def table_of(request: Request, keys: KeyColumns, found: GroupColumns) -> pl.DataFrame:
    """Return what the core found of groups as a frame: keys, totals, metrics."""
    asked = request.asked
    values_of_keys, sizes, counted, texts = found
    counts = pl.Series(counted).struct.unnest()
    counts.columns = [*TOTALS, *asked.metrics]
    columns = {key.name: key for key in keys.values(values_of_keys)}
    if request.cube:
        names = [", ".join(grouping) or ALL for grouping in groupings(request)]
        columns[GROUPING] = pl.Series(names).gather(np.repeat(np.arange(len(names)), sizes))
    reasons = None if texts is None else by_position(asked.metrics, *texts)
    return _frame_of(columns, request, counts, reasons)


def _labels(frame: pl.DataFrame, request: Request) -> tuple[Any, Any]:
    return coded(frame.get_column(request.y_true)), coded(frame.get_column(request.predicted))


def _frame_of(
    keys: dict[str, pl.Series],
    request: Request,
    numbers: pl.DataFrame,  # totals and metrics
    reasons: pl.Series | None,
) -> pl.DataFrame:
    data = keys | numbers.to_dict()
    if reasons is not None:
        data[reasons.name] = reasons
    frame = pl.DataFrame(data)
    if request.min_n > 0:
        frame = suppress(frame.lazy(), request).collect(engine="in-memory")
    return frame


def name_row(frame: pl.DataFrame, request: Request, labels: list[Label] | None) -> None:
    """Raise the InputError of the first row that cannot be counted: it names label and row."""
    weight = request.sample_weight
    confusion_matrix(
        frame.get_column(request.y_true),
        frame.get_column(request.predicted),
        labels=labels,
        other="bucket" if request.asked.other == "bucket" else "raise",
        sample_weight=None if weight is None else frame.get_column(weight),
    )


def check_positive(request: Request, labels: list[Label]) -> None:
    """Refuse a positive class that is not among the labels of the rows."""
    wanted = request.asked.pos_label
    if wanted is not None and labels and not positive_class.may_add(labels, wanted):
        position(labels, wanted, "pos_label")


def suppress(query: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    """Leave out the metrics of slices with too few rows."""
    if request.min_n <= 0:
        return query
    totals: dict[str, Sequence[str]] = {"n": request.asked.metrics}
    if request.y_score is not None:
        total = "n" if request.y_pred is None else SCORE_TOTALS[0]
        totals[total] = request.asked.score_metrics
    return query.with_columns(hidden(totals, request.min_n, bool(reason_names(request))))
