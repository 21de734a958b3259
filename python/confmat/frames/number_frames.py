"""Whole frames and queries of true and predicted numbers, one row a slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import REASONS, TOTALS
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.clustered_frames import clustered_table, with_cluster_key
from confmat.frames.keys import with_keys
from confmat.frames.objects_by_group import are_several
from confmat.frames.partials import partial
from confmat.frames.reasons import hidden, hidden_ends
from confmat.frames.request import check_columns, column_names
from confmat.frames.roll_up import GROUPING, RollUp, subsets
from confmat.frames.state_queries import STATE, of_each_state
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import Side, checked_ci
from confmat.moments.names import INTERVALS, exact, needs_more_sums, regression_names
from confmat.options import check_choice, checked_min_n

_METRICS = "__confmat_metrics__"
OUTPUT = "output"
_MANY = 128  # slices, whose metrics are worth more than one core
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)
# Options of `evaluate` that are of classes or scores, and what they are where they are not given.
_OF_CLASSES: dict[str, Any] = {
    "y_score": None,
    "labels": None,
    "pos_label": None,
    "other": "raise",
    "smoothing": 0.0,
    "keep_empty": False,
}


def evaluate_numbers(
    frame: Frame,
    y_true: str | Sequence[str],
    y_pred: str | Sequence[str] | None,
    task: str,
    *,
    by: Any,
    **options: Any,
) -> Frame:
    """Return what `evaluate` gives of numbers: of a query, a query.

    Of lists of columns each pair is an output, with rows of its own.

    Raises
    ------
    InputError
        An option that is of classes or scores alone; what `cm.partial` refuses.
    """
    if not _are_outputs(y_true) and not _are_outputs(y_pred):
        return _of_one(frame, y_true, y_pred, task, by=by, **options)
    outputs: dict[str, str] = outputs_of(y_true, y_pred)
    frame, keys = with_keys(frame, by, (*outputs, *outputs.values(), options["sample_weight"]))
    if OUTPUT in ([keys] if isinstance(keys, str) else keys or ()):
        raise InputError(f"`by` has the key {OUTPUT!r}, which is the column of outputs; rename it")
    tables = []
    for name, predicted in outputs.items():
        try:
            table: Any = _of_one(frame, name, predicted, task, by=keys, **options)
        except InputError as error:
            raise error.moved(0, before=f"output {name!r}: ") from None
        tables.append(table.select(pl.lit(name).alias(OUTPUT), pl.all()))
    whole: Frame = pl.concat(tables)
    return whole


def _are_outputs(columns: Any) -> bool:
    return are_several(columns) or isinstance(columns, (np.ndarray, pl.Series, set, frozenset))


def outputs_of(y_true: Any, y_pred: Any) -> dict[str, str]:
    """Return the predicted column of each true one; a mapping has them by the true columns.

    Raises
    ------
    InputError
        There are none, not as many of both, one twice, or what has no order or is no name.
    """
    truth = _names("y_true", y_true)
    if isinstance(y_pred, Mapping):
        if set(y_pred) != set(truth):
            raise InputError(
                f"`y_pred` has the outputs {list(y_pred)}, `y_true` {truth}; "
                "wanted a column for each"
            )
        y_pred = [y_pred[name] for name in truth]
    predicted = _names("y_pred", y_pred)
    if len(truth) != len(predicted):
        raise InputError(
            f"`y_true` has {len(truth)} outputs, `y_pred` {len(predicted)}; wanted as many"
        )
    if not truth:
        raise InputError("`y_true` has no outputs; wanted at least one column")
    twice = next((name for at, name in enumerate(truth) if name in truth[:at]), None)
    if twice is not None:
        raise InputError(f"`y_true` has {twice!r} twice; wanted a column an output")
    return dict(zip(truth, predicted, strict=True))


def _names(argument: str, given: Any) -> list[str]:
    """Return the names of outputs, of which there may be none."""
    return [] if given is None else column_names(argument, given, " an output")


def _check_numbers(named: Mapping[str, Any], schema: pl.Schema) -> None:
    """Refuse columns of lists, which are several outputs."""
    for argument, name in named.items():
        dtype = schema.get(name) if isinstance(name, str) else None
        if dtype is not None and dtype.is_nested():
            raise InputError(
                f"`{argument}` is {name!r}, a column of {dtype}; wanted one number a row: name a "
                "column for each output, as in y_true=['a', 'b']"
            )


def _of_one(
    frame: Frame,
    y_true: Any,
    y_pred: Any,
    task: str,
    *,
    by: Any,
    metrics: Sequence[str] | str | None,
    sample_weight: str | None,
    undefined: float | None,
    nan: Any,
    cube: bool,
    min_n: int,
    reasons: bool,
    ci: float | None,
    side: Side,
    cluster: str | None,
    of_classes: Mapping[str, Any],
) -> Frame:
    check_choice("task", task, "regression")
    for name, usual in _OF_CLASSES.items():
        given = of_classes[name]
        if given is not usual and given != usual:
            raise InputError(f'`{name}` is {given!r} with task="regression"; numbers have none')
    least = checked_min_n(min_n)
    level: float | None = checked_ci(ci, side)
    names = regression_names(metrics)
    frame, asked_by = with_keys(frame, by, (y_true, y_pred, sample_weight))
    keys: list[str] = [asked_by] if isinstance(asked_by, str) else list(asked_by or ())
    schema = frame.collect_schema()
    check_columns([("by", key) for key in keys], schema)
    _check_numbers({"y_true": y_true, "y_pred": y_pred}, schema)
    if cube and not keys:
        raise InputError("`cube` needs keys in `by`")
    within: tuple[str, ...] = () if cluster is None else (CLUSTER,)
    if cluster is not None:
        if level is None:
            raise InputError(f"`cluster` is {cluster!r}, which is for intervals; give `ci`, too")
        frame = with_cluster_key(frame, cluster)
    sums: list[str] = [name for name in exact(names) if needs_more_sums(name)]
    parts: Any = partial(
        frame,
        y_true=y_true,
        y_pred=y_pred,
        by=[*keys, *within] or None,
        sample_weight=sample_weight,
        nan=nan,
        task="regression",
        metrics=[*sums, *([] if level is None or within else [INTERVALS])],
    )
    if cube:
        roll_up = RollUp(within, tuple(keys), subsets(keys), (STATE,))
        parts = roll_up.lazily(parts) if isinstance(parts, pl.LazyFrame) else roll_up(parts)
        keys = [*keys, GROUPING]
    options: dict[str, Any] = {
        "undefined": undefined,
        "reasons": reasons,
        "ci": level,
        "side": side,
    }
    if cluster is not None:
        clustered: Frame = clustered_table(
            parts, cluster, bool(sample_weight), metrics=names, min_n=least, **options
        )
        return clustered
    told = state_metrics(STATE, names, **options).alias(_METRICS)
    table: Any
    if isinstance(parts, pl.DataFrame) and parts.height >= _MANY:
        values: pl.Series = of_each_state(parts, told)
        table = pl.DataFrame([*parts.select(keys), *values.struct.unnest()])
    else:
        table = parts.select(*keys, told).unnest(_METRICS)
    counted = pl.col(TOTALS[0]).fill_null(0.0)
    table = table.with_columns(counted if sample_weight else counted.cast(pl.UInt64))
    if least:
        has_reasons = REASONS in table.collect_schema()
        table = table.with_columns(hidden({TOTALS[0]: names}, least, has_reasons))
    out: Frame = table
    return out if level is None else out.with_columns(hidden_ends(table.collect_schema().names()))
