"""Metrics of whole frames, one row a slice: what `df.cm.evaluate` and `lf.cm.evaluate` do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import Any, NamedTuple

import polars as pl

from confmat import _core, positive
from confmat.errors import InputError
from confmat.expressions import booleans, grouped, make_spec, metric_names, whole
from confmat.labels import Label, kind_of, label_set, listing, position, shown
from confmat.matrix import confusion_matrix, outsider_message
from confmat.options import checked_min_n, checked_smoothing, checked_undefined
from confmat.spec import TOTALS

_KEY_DTYPES = (pl.Boolean, pl.Date, pl.Enum)
_TEXT_DTYPES = (pl.String, pl.Categorical, pl.Enum)
_PLUGIN_ERROR = re.compile(
    r"the plugin failed with message: (.*?)(?=\n\n(?:This error|Resolved plan)|\s*\Z)", re.DOTALL
)
# More labels than this travel as pairs: tables of all of them would cost more.
_MOST_FOUND = 1024
_MOST_FOUND_TEXT = 1 << 17  # characters; an expression carries one MiB
# The Struct of a query, out of the way of every column of `by`.
_STRUCT = "__confmat_metrics__"


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
    keep_empty: bool
    cube: bool
    min_n: int
    found: list[Label] | None = None  # the labels of all rows, where none were given

    def spec(self, **changes: Any) -> bytes:
        """Pack what the core needs."""
        options = {
            "labels": self.labels,
            "sample_weight": self.sample_weight,
            "pos_label": self.pos_label,
            "undefined": self.undefined,
            "other": self.other,
            "smoothing": self.smoothing,
            "keep_empty": self.keep_empty,
            "found": self.found,
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
    keep_empty: bool,
    cube: bool,
    min_n: int,
) -> Request:
    """Check the arguments of `evaluate` against the columns."""
    keys = _keys(by)
    asked: list[tuple[str, Any]] = [("y_true", y_true), ("y_pred", y_pred)]
    asked += [("by", key) for key in keys]
    if sample_weight is not None:
        asked.append(("sample_weight", sample_weight))
    for argument, name in asked:
        if not isinstance(name, str):
            raise InputError(
                f"`{argument}` has {_described(name)}; wanted the name of a column, a text"
            )
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
        known = label_set(dtype) if len(dtype.categories) else None
    if pos_label is not None:
        pos_label = label_set([pos_label], "pos_label")[0]
        _check_kind(pos_label, schema, y_true)
        if known is None and dtype == pl.Boolean and schema[y_pred] == dtype:
            position([False, True], pos_label, "pos_label")
    return Request(
        y_true, y_pred, keys, names, known, sample_weight, pos_label, checked_undefined(undefined),
        other, checked_smoothing(smoothing), bool(keep_empty), cube, checked_min_n(min_n),
    )  # fmt: skip


def _keys(by: Any) -> tuple[Any, ...]:
    if by is None:
        return ()
    if isinstance(by, str):
        return (by,)
    if isinstance(by, (pl.Expr, bytes, Mapping, Set)) or not isinstance(by, Iterable):
        raise InputError(
            f"`by` is {_described(by)}; wanted the name of a column, or a list of them"
        )
    return tuple(by)


def _described(value: Any) -> str:
    return "a Polars expression" if isinstance(value, pl.Expr) else f"{value!r}"


def _check_kind(pos_label: Label, schema: pl.Schema, name: str) -> None:
    dtype = schema[name]
    text = isinstance(dtype, _TEXT_DTYPES)
    if not (text or dtype.is_integer() or dtype == pl.Boolean):
        return  # no labels: the core says so
    kind = kind_of([pos_label])
    if text != (kind == "text"):
        raise InputError(
            f"`pos_label` {pos_label!r} is {kind}, and the column {name!r} is {dtype}; "
            "wanted a label of the kind of the column"
        )


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
    if _counts_natively(frame, request):
        metrics = booleans(request.y_true, request.y_pred, request.spec())
    else:
        metrics = grouped(request.y_true, request.y_pred, request.sample_weight, request.spec())
    query = frame.group_by(request.by).agg(metrics.alias(_STRUCT)).unnest(_STRUCT)
    return _suppress(query, request).sort(request.by, nulls_last=True)


def evaluate_eager(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate columns in memory: one pass of the whole-frame kernels where they apply."""
    if request.sample_weight is None:
        if not request.by:
            return _all_rows(frame, request)
        request = _with_labels(frame, request)
        result = _by_key(frame, request) if len(request.by) == 1 and not request.cube else None
        if result is not None:
            return result
    try:
        out = evaluate_lazy(frame.lazy(), request).collect()
    except pl.exceptions.ComputeError as error:
        plain = _PLUGIN_ERROR.search(str(error))
        if plain is None:
            raise
        if request.labels is not None and "not in labels" in plain[1]:
            _name_outsider(frame, request, request.labels)
        raise InputError(plain[1]) from None
    if request.labels is not None and request.other == "raise" and out["n_other"].sum() > 0:
        _name_outsider(frame, request, request.labels)
    return out


def _counts_natively(frame: pl.LazyFrame, request: Request) -> bool:
    if request.sample_weight is not None or request.labels not in (None, [False, True]):
        return False
    schema = frame.collect_schema()
    return schema[request.y_true] == schema[request.y_pred] == pl.Boolean


def _one_row(frame: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    if request.sample_weight is None:
        metrics = whole(request.y_true, request.y_pred, request.spec())
    else:
        metrics = grouped(request.y_true, request.y_pred, request.sample_weight, request.spec())
    return frame.select(metrics.alias(_STRUCT)).unnest(_STRUCT)


def _cube_slice(frame: pl.LazyFrame, request: Request, subset: tuple[str, ...]) -> pl.LazyFrame:
    query = evaluate_lazy(frame, request._replace(by=subset, cube=False))
    schema = frame.collect_schema()
    missing = [pl.lit(None, schema[key]).alias(key) for key in request.by if key not in subset]
    return query.with_columns(*missing, grouping=pl.lit(", ".join(subset) or "all"))


def _suppress(query: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    if request.min_n <= 0:
        return query
    return query.with_columns(pl.when(pl.col("n") >= request.min_n).then(pl.col(request.names)))


def _all_rows(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate all rows with one pass over the columns."""
    request.spec()  # checks what the core would check
    truth, pred = frame.get_column(request.y_true), frame.get_column(request.y_pred)
    labels, cells, _, _, dropped, outside, outsider = _core.count(
        truth, pred, None, request.labels, False, 0
    )
    if outsider is not None and request.other == "raise":
        raise InputError(outsider_message(outsider, labels))
    _check_positive(request, labels)
    n, pos = int(cells.sum()), positive.found(labels, request.pos_label)
    asks = _core.Asks(list(request.names))
    if pos < 0 and asks.needs_positive and _gets_positive(request, labels):
        cells, labels, pos = positive.added(cells, labels, request.pos_label)
    values = asks.values(
        cells,
        [shown(label) for label in labels],
        pos=pos,
        undefined=request.undefined,
        smoothing=request.smoothing,
        keep_empty=request.keep_empty,
    )
    return _frame_of({}, request, ([n], [dropped], [outside]), [[float(x)] for x in values])


def _gets_positive(request: Request, labels: list[Label]) -> bool:
    if not labels and request.pos_label is not None:
        return True
    return positive.may_add(labels, request.pos_label)


def _with_labels(frame: pl.DataFrame, request: Request) -> Request:
    """Find the labels of all rows where none were given: then small codes can carry the rows."""
    if request.labels is not None:
        return request
    truth, pred = frame.get_column(request.y_true), frame.get_column(request.y_pred)
    try:
        labels = _core.count(truth, pred, None, None, False, 0)[0]
    except InputError:
        return request  # too many labels for one table; those of each group may be few
    _check_positive(request, labels)
    short = sum(len(label) for label in labels if isinstance(label, str)) <= _MOST_FOUND_TEXT
    return request._replace(found=labels) if 0 < len(labels) <= _MOST_FOUND and short else request


def _by_key(frame: pl.DataFrame, request: Request) -> pl.DataFrame | None:
    """Group by one integer-like column with the whole-frame kernel; None where it does not fit."""
    key = frame.get_column(request.by[0])
    if not (key.dtype.is_integer() or isinstance(key.dtype, _KEY_DTYPES)):
        return None
    if "128" in str(key.dtype):
        return None
    labels = request.labels or request.found
    if labels is None:
        return None
    truth, pred = frame.get_column(request.y_true), frame.get_column(request.y_pred)
    codes = key.to_physical() if isinstance(key.dtype, (pl.Enum, pl.Date)) else key
    # Strangers to the labels are counted first, so that the message can name the first row.
    found = _core.evaluate_groups(codes, truth, pred, labels, request.spec(other="bucket"), 0)
    if found is None:
        return None
    keys, has_null, n, dropped, others, values = found
    if request.other == "raise" and others.any():
        _name_outsider(frame, request, labels)
    column = pl.Series(keys)
    if isinstance(key.dtype, pl.Enum):
        column = key.dtype.categories.gather(column)
    column = column.cast(key.dtype).alias(request.by[0])
    if has_null:
        column = column.extend(pl.Series([None], dtype=key.dtype))
    return _frame_of({request.by[0]: column}, request, (n, dropped, others), values)


def _frame_of(
    keys: dict[str, pl.Series], request: Request, totals: Iterable[Any], values: Iterable[Any]
) -> pl.DataFrame:
    data = dict(keys)
    for name, total in zip(TOTALS, totals, strict=True):
        data[name] = pl.Series(name, total).cast(pl.UInt64)
    for name, value in zip(request.names, values, strict=True):
        numbers = pl.Series(name, value, dtype=pl.Float64, nan_to_null=True)
        data[name] = numbers.fill_nan(None)
    return _suppress(pl.DataFrame(data).lazy(), request).collect(engine="in-memory")


def _check_positive(request: Request, labels: list[Label]) -> None:
    """Refuse a positive class that is not among the labels of the rows."""
    wanted = request.pos_label
    if wanted is not None and labels and not positive.may_add(labels, wanted):
        position(labels, wanted, "pos_label")


def _name_outsider(frame: pl.DataFrame, request: Request, labels: list[Label]) -> None:
    """Raise the InputError of the first row with a label outside: it names label and row."""
    weight = request.sample_weight
    confusion_matrix(
        frame.get_column(request.y_true),
        frame.get_column(request.y_pred),
        labels=labels,
        sample_weight=None if weight is None else frame.get_column(weight),
    )
