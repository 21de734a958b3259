"""Metrics of whole frames, one row a slice: what `df.cm.evaluate` and `lf.cm.evaluate` do."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from confmat.frames.asked import REASONS, with_ends
from confmat.frames.by_batches import counted_frame, counted_query
from confmat.frames.class_expressions import multiclass_metrics
from confmat.frames.counts_of_all_rows import CountsOfAllRows
from confmat.frames.cube import are_recurrent, evaluate_cube, has_states, metrics_of_labels
from confmat.frames.expressions import grouped, whole
from confmat.frames.interruptible import collected
from confmat.frames.label_slicing import LabelCounts, LabelSlicing
from confmat.frames.plugin_errors import core_errors, refuse_row
from confmat.frames.reasons import SCORE_REASONS, put_together
from confmat.frames.request import SCORE_TOTALS, Request
from confmat.frames.roll_up import ALL, GROUPING, RollUp, subsets
from confmat.frames.score_expressions import sweep_metrics
from confmat.frames.state_queries import of_each_state
from confmat.frames.whole_frame import (
    all_rows,
    by_keys,
    check_positive,
    name_row,
    places,
    suppress,
    table_of,
    table_of_all,
    with_labels,
)
from confmat.intervals.levels import Confidence, arguments_of
from confmat.objects.counting import confusion_matrix
from confmat.objects.sweeping import sweep

# The Structs of a query, or their states, out of the way of every column of `by`.
_STRUCT = "__confmat_metrics__"
_SCORES = "__confmat_scores__"


def evaluate_lazy(frame: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    """Return the query: its memory does not grow with the rows but for what expressions collect."""
    otherwise = by_expressions(frame, request)
    slicing = _slicing(request, frame.collect_schema())
    if slicing is None:
        return otherwise
    finish = partial(_table, request)
    return counted_query(frame, slicing, finish, otherwise, coarser=request.cube)


def _slicing(request: Request, schema: pl.Schema) -> LabelSlicing | None:
    """Return what is to be counted by keys; None: it is not labels alone, or not read so."""
    if request.y_score is not None or request.y_pred is None:
        return None
    asked, weight = request.asked, request.sample_weight
    labels, raises = None if asked.implied else asked.labels, asked.other == "raise"
    slicing = LabelSlicing(request.y_true, request.y_pred, request.by, weight, labels, raises)
    return slicing if slicing.fits(schema) else None


def _table(request: Request, counts: LabelCounts, filtered: bool) -> pl.DataFrame | None:
    if isinstance(counts, CountsOfAllRows):
        return table_of_all(counts.total(), request)
    if not filtered:
        check_positive(request, counts.tables.labels)
    if request.sample_weight is not None:
        states = counts.states(None, _STRUCT)
        return None if states is None else _table_of_states(request, states)
    spec = request.asked._replace(other="bucket").packed()
    found = counts.tables.evaluated(spec, places(request))
    return None if found is None else table_of(request, counts.keys, found)


def _table_of_states(request: Request, states: pl.DataFrame) -> pl.DataFrame:
    """Return the table of slices whose states are given, sorted by their keys."""
    keys = list(request.by)
    if request.cube:
        keys.append(GROUPING)
        with core_errors():
            states = RollUp((), request.by, subsets(request.by), (_STRUCT,))(states)
    metrics = of_each_state(states, metrics_of_labels(_STRUCT, request)).struct.unnest()
    table = pl.DataFrame([*(states.get_column(key) for key in keys), *metrics])
    if not request.asked.reasons and request.min_n <= 0:
        return table
    return suppress(put_together(table.lazy(), request), request).collect(engine="in-memory")


def _of_weights(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate all rows by their weights, with one pass over the columns."""
    asked = request.asked
    matrix = confusion_matrix(
        *(frame.get_column(name) for name in (request.y_true, request.predicted)),
        labels=None if asked.implied else asked.labels,
        sample_weight=frame.get_column(str(request.sample_weight)),
        other="bucket" if asked.other == "bucket" else "raise",
    )
    check_positive(request, list(matrix.labels))
    return _table_of_states(request, pl.DataFrame({_STRUCT: [matrix.to_bytes()]}))


def by_expressions(frame: pl.LazyFrame, request: Request, recurrent: bool = False) -> pl.LazyFrame:
    """Return the query of expressions: it streams, whatever the size of the frame.

    `recurrent`: the scores are known to have few values.
    """
    if request.cube and has_states(request, frame.collect_schema(), recurrent):
        return evaluate_cube(frame, request)
    if request.cube:
        slices = [_cube_slice(frame, request, subset) for subset in subsets(request.by)]
        return pl.concat(slices, how="diagonal_relaxed").select(
            *request.by, GROUPING, pl.exclude(*request.by, GROUPING)
        )
    parts = {}
    if request.y_pred is not None:
        parts[_STRUCT] = _of_labels(request, request.y_pred)
    if request.y_score is not None:
        parts[_SCORES] = of_scores(request)
    if not request.by:
        return suppress(put_together(frame.select(**parts).unnest(*parts), request), request)
    query = put_together(frame.group_by(request.by).agg(**parts).unnest(*parts), request)
    return suppress(query, request).sort(request.by, nulls_last=True)


def _of_labels(request: Request, y_pred: str) -> pl.Expr:
    """Return the Struct of the metrics of predicted classes."""
    spec = request.asked._replace(score_metrics=()).packed()
    if request.sample_weight is None and not request.by:
        return whole(request.y_true, y_pred, spec)
    return grouped(request.y_true, y_pred, request.sample_weight, spec)


def of_scores(request: Request, ci: Confidence | None = None) -> pl.Expr:
    """Return the Struct of the metrics of scores; its totals are named apart from the others."""
    asked = request.asked
    options: dict[str, Any] = {
        "sample_weight": request.sample_weight,
        "undefined": asked.undefined,
        "reasons": asked.reasons,
    } | arguments_of(ci)
    names, y_score = asked.score_metrics, request.y_score
    if isinstance(y_score, list):
        metrics = multiclass_metrics(request.y_true, y_score, names, labels=asked.labels, **options)
    else:
        assert y_score is not None
        options |= {"pos_label": asked.pos_label, "nan": asked.nan}
        wanted = names if request.names_metrics else None
        metrics = sweep_metrics(request.y_true, y_score, wanted, **options)
    if request.y_pred is None:
        return metrics
    reasons = [SCORE_REASONS] if asked.reasons and names else []
    fields = names if ci is None else with_ends(names, ci)
    return metrics.struct.rename_fields([*SCORE_TOTALS, *fields, *reasons])


def _cube_slice(frame: pl.LazyFrame, request: Request, subset: tuple[str, ...]) -> pl.LazyFrame:
    query = by_expressions(frame, request._replace(by=subset, cube=False))
    schema = frame.collect_schema()
    missing = [pl.lit(None, schema[key]).alias(key) for key in request.by if key not in subset]
    return query.with_columns(*missing, pl.lit(", ".join(subset) or ALL).alias(GROUPING))


def evaluate_eager(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate columns in memory: one pass of the whole-frame kernels where they apply."""
    if request.y_score is not None and request.y_pred is not None:
        return _put_together(frame, request)
    if request.y_pred is None:
        return _collected(frame, request)
    weighted = request.sample_weight is not None
    if not request.by:
        return _of_weights(frame, request) if weighted else all_rows(frame, request)
    slicing = _slicing(request, frame.schema)
    if slicing is not None:
        result = counted_frame(frame, slicing, partial(_table, request))
        if result is not None:
            return result
    if weighted:
        if request.asked.pos_label is not None:
            with_labels(frame, request)  # which refuses one that is no label
        return _collected(frame, request)
    request = with_labels(frame, request)
    result = by_keys(frame, request)
    return _collected(frame, request) if result is None else result


def _put_together(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Evaluate classes and scores apart, each its fastest way."""
    asked = request.asked
    of_labels = request._replace(y_score=None, asked=asked._replace(score_metrics=()))
    plain = evaluate_eager(frame, of_labels)
    scores = request._replace(y_pred=None, asked=asked._replace(metrics=()))
    renamed = dict(zip(("n", "n_dropped"), SCORE_TOTALS, strict=True))
    scored = evaluate_eager(frame, scores).rename(renamed)
    keys = [*request.by, GROUPING] if request.cube else list(request.by)
    if REASONS in scored.columns and asked.reasons:
        scored = scored.rename({REASONS: SCORE_REASONS})
    if keys:
        both = plain.join(scored, on=keys, how="left", nulls_equal=True, maintain_order="left")
    else:
        both = plain.hstack(scored)
    return put_together(both.lazy(), request).collect(engine="in-memory")


def _collected(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Run the query; its errors become those of the rows."""
    recurrent = request.cube and are_recurrent(frame, request)
    with core_errors(lambda: _refuse_row(frame, request)):
        return collected(by_expressions(frame.lazy(), request, recurrent), frame.height)


def _refuse_row(frame: pl.DataFrame, request: Request) -> None:
    if request.y_score is not None:
        name_score(frame, request)
    else:
        refuse_row(lambda: name_row(frame, request, request.asked.labels))


def name_score(frame: pl.DataFrame, request: Request) -> None:
    """Raise the InputError of the first row that a sweep refuses: it names the row of the frame."""
    weight = request.sample_weight
    assert isinstance(request.y_score, str)  # of many classes errors name their rows
    sweep(
        frame.get_column(request.y_true),
        frame.get_column(request.y_score),
        pos_label=request.asked.pos_label,
        sample_weight=None if weight is None else frame.get_column(weight),
        nan="drop" if request.asked.nan == "drop" else "raise",
    )
