"""Numbers of slices: what states of a log say, as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from confmat import _core, positive_class
from confmat.default_metrics import default_metrics
from confmat.frames.asked import REASONS, TOTALS, Asked
from confmat.frames.cluster_intervals import CLUSTER, ClusteredSlices, OfClass
from confmat.frames.finishing import finished
from confmat.frames.partials import merge
from confmat.frames.request import SCORE_TOTALS
from confmat.frames.score_expressions import score_metric_names
from confmat.frames.slice_ends import with_empty_ends
from confmat.frames.state_families import is_of_kind
from confmat.frames.state_queries import SCORED, STATE
from confmat.intervals.levels import arguments_of
from confmat.logs.request import LogRequest, Reading
from confmat.metric_names import COUNTS, names_asked
from confmat.moments.names import DEFAULT_METRICS, metrics_among
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes
from confmat.state_kinds import SWEEPS, StateKind


def metrics_table(
    parts: pl.DataFrame,
    request: LogRequest,
    metrics: Sequence[str] | str | None = None,
    clusters: pl.DataFrame | None = None,
    among: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return one row a slice: its keys, rows counted and left out, and metrics.

    `clusters`: the same states by cluster, where intervals are as wide as these ask. `among`: keys
    of the slices wanted; the usual metrics are those of all.
    """
    table = _values(parts, request, metrics, clusters, among)
    return _of_no_rows(states_among(parts, among), table)


def states_among(states: pl.DataFrame, slices: pl.DataFrame | None) -> pl.DataFrame:
    """Return the states of these slices, told by all columns that both frames have."""
    if slices is None:
        return states
    keys = [name for name in states.columns if name in slices.columns]
    return states.join(
        slices.select(keys), on=keys, how="semi", nulls_equal=True, maintain_order="left"
    )


def _of_no_rows(parts: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Say of slices without a state, as that of all of no rows, that they have no rows."""
    states = [name for name in _STATES if name in parts.columns]
    nothing = parts.select(pl.all_horizontal(pl.col(states).is_null())).to_series()
    if not nothing.any():
        return table
    totals = [name for name in (TOTALS[0], SCORE_TOTALS[0]) if name in table.columns]
    known = pl.when(nothing).then(pl.col(totals).fill_null(0)).otherwise(pl.col(totals))
    return table.with_columns(known)


def _values(
    parts: pl.DataFrame,
    request: LogRequest,
    metrics: Sequence[str] | str | None,
    clusters: pl.DataFrame | None,
    among: pl.DataFrame | None,
) -> pl.DataFrame:
    reading = request.reading
    asked = reading.metrics if metrics is None else list(names_asked(metrics))
    options: dict[str, Any] = {"min_n": reading.min_n, "draws": asked is not None}
    options["ci"] = reading.intervals
    plain = Asked(undefined=reading.undefined, reasons=reading.reasons)
    kind, scored = kind_of(parts, STATE), kind_of(parts, SCORED)
    whole = parts
    if clusters is not None and reading.ci is not None:
        options["cluster"], whole = CLUSTER, clusters
    whole = states_among(whole, among)
    if request.is_of_numbers:
        of_numbers = metrics_among(asked or ()) if metrics is None else asked
        return finished(whole, of_numbers or list(DEFAULT_METRICS), plain, **options)
    if kind is None and any(isinstance(m.y_pred, str) for m in request.counting.models):
        kind = StateKind.COUNTS  # of no rows
    of_labels = plain
    if kind == StateKind.COUNTS:
        of_labels = plain._replace(
            pos_label=request.counting.pos_label,
            smoothing=reading.smoothing,
            keep_empty=reading.keep_empty,
        )
    if SCORED not in parts.columns:
        usual = _usual(parts, request) if asked is None and kind == StateKind.COUNTS else asked
        return finished(whole, usual, of_labels, **options)
    if kind == StateKind.COUNTS and (scored is None or scored in SWEEPS):
        usual = [*_usual(parts, request), *_USUAL_OF_SCORES] if asked is None else asked
        return finished(whole, usual, of_labels, **options)
    names = _usual(parts, request) if asked is None and kind == StateKind.COUNTS else None
    of_scores = None
    if asked is not None:
        names = [name for name in asked if is_of_kind(kind or StateKind.COUNTS, name)]
        of_scores = [name for name in asked if name not in names]
    left = finished(whole.drop(SCORED), names, of_labels, **options)
    right = finished(whole.drop(STATE).rename({SCORED: STATE}), of_scores, plain, **options)
    return _side_by_side(left, right, [name for name in parts.columns if name not in _STATES])


_STATES = (STATE, SCORED)
_USUAL_OF_SCORES = score_metric_names(None)


def _side_by_side(left: pl.DataFrame, right: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Return the numbers of predictions, and behind them those of scores."""
    right = right.drop(*keys, "n_other", strict=False)
    right = right.rename(dict(zip(TOTALS[:2], SCORE_TOTALS, strict=True)))
    told = [frame[REASONS].struct.unnest() for frame in (left, right) if REASONS in frame.columns]
    whole = left.drop(REASONS, strict=False).hstack(right.drop(REASONS, strict=False))
    if not told:
        return whole
    texts = pl.DataFrame([column for frame in told for column in frame])
    return whole.with_columns(texts.to_struct(REASONS))


def kind_of(parts: pl.DataFrame, column: str) -> int | None:
    """Return the number of the kind of some states; None where there are none."""
    if column not in parts.columns:
        return None
    first = parts[column].drop_nulls().head(1).to_list()
    return _core.state_kind(first[0]) if first else None


def _usual(parts: pl.DataFrame, request: LogRequest) -> list[str]:
    """Return the usual metrics: of the positive class where the labels of all rows tell it."""
    state = merge(parts.select(STATE), by=[])[STATE].item()
    m = ConfusionMatrix.from_bytes(state) if state is not None else ConfusionMatrix([[0]], [0])
    pos = request.counting.pos_label
    two = positive_class.are_two(m.labels, m.pos_label if pos is None else pos)
    return list(default_metrics(two))


def long_table(
    whole: pl.DataFrame,
    request: LogRequest,
    metrics: Sequence[str] | str | None,
    clusters: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the metrics of all rows: a row a metric, and a model where there are several."""
    reading = replace(request.reading, reasons=True, min_n=0)
    table = metrics_table(whole, replace(request, reading=reading), metrics, clusters)
    keys = [name for name in whole.columns if name not in _STATES]
    taken = {*keys, *TOTALS, *SCORE_TOTALS, REASONS}
    ends = {f"{name}{end}" for name in table.columns for end in _ENDS}
    names = [name for name in table.columns if name not in taken | ends]
    out = table.unpivot(names, index=keys, variable_name="metric", value_name="value")
    if reading.ci is not None:
        for end in _ENDS:
            columns = [
                (table[f"{n}{end}"] if f"{n}{end}" in table else pl.lit(None, pl.Float64)).alias(n)
                for n in names
            ]
            long = table.select(columns).unpivot(names, value_name=end[1:])
            out = out.with_columns(long[end[1:]])
    if REASONS not in table.columns:
        return out.with_columns(reason=pl.lit(None, pl.String))
    why = table.select(pl.col(REASONS).struct.unnest()).select(names)
    return out.with_columns(why.unpivot(names, value_name="reason")["reason"].cast(pl.String))


_ENDS = ("_low", "_high")
_COUNTED = ("n", "n_positive", *COUNTS)  # of weights: sums


def per_class_table(
    parts: pl.DataFrame,
    request: LogRequest,
    metrics: Sequence[str] | str | None = None,
    clusters: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return a row a slice and class. Needs: states of objects that have tables of classes."""
    reading = request.reading
    of = None
    if clusters is not None and reading.ci is not None:
        of = ClusteredSlices(parts, clusters, CLUSTER)
    options = arguments_of(reading.intervals) if of is None else {}
    of_matrices = kind_of(parts, STATE) == StateKind.COUNTS
    if of_matrices:
        options |= {"keep_empty": reading.keep_empty, "undefined": reading.undefined}
    keys = [name for name in parts.columns if name not in _STATES]
    asked = reading.metrics if metrics is None and reading.per_class else metrics
    frames = []
    for row, state in enumerate(parts[STATE]):
        if state is None:
            continue
        objects: Any = from_bytes(state)
        table = objects.per_class(*([] if asked is None else [asked]), **options)
        if reading.undefined is not None and not of_matrices:
            table = table.with_columns(pl.col(_numbers(table)).fill_null(reading.undefined))
        if of is not None:
            table = _with_cluster_ends(table, of.of_one_class(row, reading.keep_empty), reading)
        frames.append(_beside(parts[row].select(keys), table) if keys else table)
    return pl.concat(frames, how="vertical_relaxed") if frames else parts.select(keys)


def _numbers(table: pl.DataFrame) -> list[str]:
    """Return the metrics of a table of classes, without counts."""
    return [n for n in table.columns if table.schema[n].is_float() and n not in _COUNTED]


def _with_cluster_ends(table: pl.DataFrame, of: OfClass, reading: Reading) -> pl.DataFrame:
    """Return a table of classes with the intervals that clusters ask for."""
    ci = reading.intervals
    assert ci is not None
    names = _numbers(table)
    columns = []
    table = with_empty_ends(table, names)
    for name in names:
        found = [of(label, name, ci) for label in table["label"]]
        for at, end in enumerate(_ENDS, 1):
            numbers = [one[at] for one in found]
            columns.append(pl.Series(name + end, numbers, dtype=pl.Float64).fill_nan(None))
    return table.with_columns(columns)


def _beside(keys: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    repeated = pl.all().repeat_by(table.height).explode(empty_as_null=False)
    return keys.select(repeated).hstack(table)
