"""Metrics of whole frames, one row a slice: what `df.cm.evaluate` and `lf.cm.evaluate` do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.expressions import TOTALS, grouped, make_spec, metric_names, whole
from confmat.labels import Label, label_set, listing
from confmat.matrix import confusion_matrix

_KEY_DTYPES = (pl.Boolean, pl.Date, pl.Enum)


class Request(NamedTuple):
    """The arguments of `evaluate`, checked against the columns of a frame."""

    y_true: str
    y_pred: str
    by: tuple[str, ...]
    names: tuple[str, ...]
    labels: list[Label] | None
    sample_weight: str | None
    pos_label: Label | None
    undefined: float | None
    other: str
    smoothing: float
    cube: bool
    min_n: int

    def spec(self, **changes: Any) -> bytes:
        """Pack what the core needs."""
        options = {
            "labels": self.labels,
            "sample_weight": self.sample_weight,
            "pos_label": self.pos_label,
            "undefined": self.undefined,
            "other": self.other,
            "smoothing": self.smoothing,
        }
        return make_spec(self.names, **(options | changes))


def make_request(
    schema: pl.Schema,
    *,
    y_true: str,
    y_pred: str,
    by: str | Sequence[str] | None,
    metrics: Sequence[str] | str | None,
    labels: Any,
    sample_weight: str | None,
    pos_label: Label | None,
    undefined: float | None,
    other: str,
    smoothing: float,
    cube: bool,
    min_n: int,
) -> Request:
    """Check the arguments of `evaluate` against the columns."""
    keys = () if by is None else (by,) if isinstance(by, str) else tuple(by)
    asked = [("y_true", y_true), ("y_pred", y_pred), *(("by", key) for key in keys)]
    if sample_weight is not None:
        asked.append(("sample_weight", sample_weight))
    for argument, name in asked:
        if name not in schema:
            raise InputError(
                f"`{argument}` names the column {name!r}, which is not there; "
                f"the columns are {listing(list(schema))}"
            )
    names = metric_names(metrics)
    for key in keys:
        if key in names or key in TOTALS or (cube and key == "grouping"):
            raise InputError(f"`by` has the column {key!r}, a name of the result; rename it first")
    if len(set(keys)) != len(keys):
        raise InputError(f"`by` names a column twice: {list(keys)}")
    if cube and not keys:
        raise InputError("`cube` needs columns in `by`")
    known = None if labels is None else label_set(labels)
    dtype = schema[y_true]
    if known is None and isinstance(dtype, pl.Enum) and schema[y_pred] == dtype:
        known = label_set(dtype)
    return Request(
        y_true, y_pred, keys, names, known, sample_weight, pos_label, undefined, other, smoothing,
        cube, min_n,
    )  # fmt: skip


def evaluate_lazy(frame: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    """Return the query: it streams, whatever the size of the frame."""
    if request.cube:
        subsets = (
            subset
            for size in range(len(request.by), -1, -1)
            for subset in combinations(request.by, size)
        )
        slices = [_cube_slice(frame, request, subset) for subset in subsets]
        return pl.concat(slices, how="diagonal_relaxed").select(
            *request.by, "grouping", pl.exclude(*request.by, "grouping")
        )
    if not request.by:
        return _suppress(_one_row(frame, request), request)
    metrics = grouped(request.y_true, request.y_pred, request.sample_weight, request.spec())
    query = frame.group_by(request.by).agg(metrics.alias("metrics")).unnest("metrics")
    return _suppress(query, request).sort(request.by, nulls_last=True)


def evaluate_eager(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate columns in memory: one pass of the whole-frame kernels where they apply."""
    if request.sample_weight is None and not request.cube and len(request.by) == 1:
        result = _by_key(frame, request)
        if result is not None:
            return result
    return evaluate_lazy(frame.lazy(), request).collect()


def _one_row(frame: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    if request.sample_weight is None:
        metrics = whole(request.y_true, request.y_pred, request.spec())
    else:
        metrics = grouped(request.y_true, request.y_pred, request.sample_weight, request.spec())
    return frame.select(metrics.alias("metrics")).unnest("metrics")


def _cube_slice(frame: pl.LazyFrame, request: Request, subset: tuple[str, ...]) -> pl.LazyFrame:
    query = evaluate_lazy(frame, request._replace(by=subset, cube=False))
    schema = frame.collect_schema()
    missing = [pl.lit(None, schema[key]).alias(key) for key in request.by if key not in subset]
    return query.with_columns(*missing, grouping=pl.lit(", ".join(subset) or "all"))


def _suppress(query: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    if request.min_n <= 0:
        return query
    return query.with_columns(pl.when(pl.col("n") >= request.min_n).then(pl.col(request.names)))


def _by_key(frame: pl.DataFrame, request: Request) -> pl.DataFrame | None:
    """Group by one integer-like column with the whole-frame kernel; None where it does not fit."""
    key = frame.get_column(request.by[0])
    if not (key.dtype.is_integer() or isinstance(key.dtype, _KEY_DTYPES)) or key.dtype == pl.Int128:
        return None
    truth, pred = frame.get_column(request.y_true), frame.get_column(request.y_pred)
    labels = request.labels
    if labels is None:
        labels = _core.count(truth, pred, None, None, False, 0)[0]
    codes = key.to_physical() if isinstance(key.dtype, (pl.Enum, pl.Date)) else key
    # Strangers to the labels are counted first, so that the message can name the first row.
    found = _core.evaluate_groups(codes, truth, pred, labels, request.spec(other="bucket"), 0)
    if found is None:
        return None
    keys, has_null, n, dropped, others, values = found
    if request.other == "raise" and others.any():
        confusion_matrix(truth, pred, labels=labels)
    column = pl.Series(keys)
    if isinstance(key.dtype, pl.Enum):
        column = key.dtype.categories.gather(column)
    column = column.cast(key.dtype).alias(request.by[0])
    if has_null:
        column = column.extend(pl.Series([None], dtype=key.dtype))
    data = {request.by[0]: column}
    for name, total in zip(TOTALS, (n, dropped, others), strict=True):
        data[name] = pl.Series(name, total).cast(pl.UInt64)
    for name, value in zip(request.names, values, strict=True):
        data[name] = pl.Series(name, value, nan_to_null=True)
    return _suppress(pl.DataFrame(data).lazy(), request).collect(engine="in-memory")
