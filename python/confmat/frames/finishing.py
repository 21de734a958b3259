"""Metrics of states of slices: the table that `evaluate` gives of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat import _core, positive_class
from confmat.default_metrics import planned
from confmat.errors import ConfmatError, InputError
from confmat.foreign_frames import FRAME, frame_error
from confmat.frames.asked import REASONS, TOTALS, Asked, with_ends
from confmat.frames.class_expressions import DEFAULT_METRICS, metrics_asked
from confmat.frames.cluster_intervals import (
    ClusteredSlices,
    check_cluster,
    without_clusters,
)
from confmat.frames.expressions import metric_names
from confmat.frames.partials import merge
from confmat.frames.reasons import hidden, hidden_ends
from confmat.frames.request import SCORE_TOTALS
from confmat.frames.roll_up import GROUPING
from confmat.frames.score_expressions import score_metric_names
from confmat.frames.score_tables import score_table, table_of
from confmat.frames.slice_ends import with_empty_ends, with_found_ends
from confmat.frames.state_families import ReadStates
from confmat.frames.state_queries import SCORED, STATE
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import Confidence, Side, arguments_of, confidence
from confmat.labels import Label, Origin, position
from confmat.metric_names import names_asked
from confmat.moments.names import regression_names
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes
from confmat.options import checked_min_n
from confmat.own_errors import own_errors
from confmat.registry import is_regression_metric, is_score_metric
from confmat.scores.clustered import has_formula as of_clusters
from confmat.state_kinds import StateKind

_PLACE = "__confmat_place__"


@own_errors
def finish(
    parts: pl.DataFrame,
    metrics: Sequence[str] | str | None = None,
    *,
    pos_label: Label | None = None,
    undefined: float | None = None,
    smoothing: float = 0.0,
    keep_empty: bool = False,
    min_n: int = 0,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
    cluster: str | None = None,
) -> pl.DataFrame:
    """Return the metrics of states: the table that `df.cm.evaluate` gives of the rows.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave; rows of the same slice are merged first.
    metrics : sequence of str, optional
        Names of metrics, of classes, of scores or of both, as the states have them; default as in
        `df.cm.evaluate`. Of scores of many classes and of label sets names and defaults are those
        of `multiclass_metrics` and `multilabel_metrics`.
    pos_label, undefined, smoothing, keep_empty, min_n, reasons
        As in `df.cm.evaluate`; `pos_label`, `smoothing` and `keep_empty` are of classes. The
        positive class that a state names is the default.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, null where there is none, and `reasons` says why. Of scores those of a
        formula (`roc_auc`, `gini`, `brier`, `log_loss`, `brier_skill`) and, of metrics named in
        `metrics`, the others: `average_precision` by a formula from 200 rows of each class on;
        those of rows drawn again (`ks`, ...) 2,000 times by the seed 0: 2 ms a slice, and 10 more
        for each 1,000 distinct scores or bins.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`: "lower" puts all that intervals may miss below; the other end is that of the
        range.
    cluster : str, optional
        A key of `parts` that says which rows belong together, such as a user: they are not
        independent. The result has no such key, and its intervals are as wide as that asks;
        `reasons` then says also why there is none. Averages over labels of sets, and over classes
        in bins, are then as wide as their rows ask, and no wider.

    Returns
    -------
    pl.DataFrame
        The keys, `n`, `n_dropped`, `n_other`, and one column a metric, sorted by slice; where a key
        `grouping` says what cuts a slice, groupings stay in their order. Metrics of scores come
        after `n_scored` and `n_unscored`, or, of scores alone, after `n` and `n_dropped`. `n` is
        Float64 where weights were summed. Scores that share a bin tie: `state_metrics` and
        the objects of `cm.from_bytes` tell the bounds.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({"y_true": [0, 0, 1, 1], "score": [0.1, 0.4, 0.35, 0.8]})
    >>> cm.finish(cm.partial(log, y_score="score"), metrics=["roc_auc", "ks"]).rows()
    [(4, 0, 0.75, 0.5)]
    """
    if not isinstance(parts, pl.DataFrame):
        raise frame_error(parts, "parts", FRAME)
    asked = Asked(
        pos_label=pos_label,
        undefined=undefined,
        smoothing=smoothing,
        keep_empty=keep_empty,
        reasons=reasons,
    )
    options: dict[str, Any] = {"min_n": checked_min_n(min_n), "cluster": cluster}
    options["ci"] = confidence(ci, side)
    return finished(parts, metrics, asked, draws=metrics is not None, **options)


def finished(
    parts: pl.DataFrame,
    metrics: Sequence[str] | str | None,
    options: Asked,
    *,
    draws: bool,
    min_n: int = 0,
    ci: Confidence | None = None,
    cluster: str | None = None,
) -> pl.DataFrame:
    """Return what `finish` does; `draws`: also intervals of scores that take rows drawn again."""
    if cluster is not None:
        check_cluster(parts, cluster)
    try:
        frame = _one_a_slice(parts, cluster)
        table, totals = _metrics_of(frame, metrics, options, ci, cluster is not None, draws)
        if cluster is not None and ci is not None:
            clustered = ClusteredSlices(frame, parts, cluster)
            table = _with_clusters(table, clustered, totals, options, ci)
    except ConfmatError:
        merge(parts)  # which names the row of bytes that are no state
        raise
    if min_n > 0:
        has_reasons = REASONS in table.columns
        table = table.lazy().with_columns(hidden(totals, min_n, has_reasons)).collect()
    if ci is not None:
        table = table.with_columns(hidden_ends(table.columns))
    keys = frame.drop([name for name in (STATE, SCORED) if name in frame.columns])
    return _beside(keys, table)


def _one_a_slice(parts: pl.DataFrame, cluster: str | None) -> pl.DataFrame:
    """Return a row a slice, sorted; groupings of a lattice stay in their order."""
    keys = [name for name in parts.columns if name not in (STATE, SCORED, cluster)]
    is_one_a_slice = not parts.select(keys).is_duplicated().any() if keys else parts.height == 1
    if cluster is not None:
        merged = without_clusters(parts, cluster)
    elif not is_one_a_slice or STATE not in parts.columns:
        merged = merge(parts)
    elif GROUPING in keys:
        return parts
    else:
        merged = parts.sort(keys, nulls_last=True) if keys else parts
    if GROUPING not in keys:
        return merged
    order = parts.select(pl.col(GROUPING).unique(maintain_order=True)).with_row_index(_PLACE)
    placed = merged.join(order, on=GROUPING, how="left", maintain_order="left")
    return placed.sort(_PLACE, maintain_order=True).drop(_PLACE)


def _metrics_of(
    frame: pl.DataFrame,
    metrics: Any,
    options: Asked,
    ci: Confidence | None,
    is_clustered: bool,
    draws: bool,
) -> tuple[pl.DataFrame, dict[str, Sequence[str]]]:
    """Return totals and metrics, and which metrics are of the rows of which total."""
    pos_label, undefined, reasons = options.pos_label, options.undefined, options.reasons
    kind = _kind_of(frame[STATE])
    if kind is None and metrics is not None:  # no states: what is asked tells
        asked_for = names_asked(metrics)
        kind = (
            StateKind.MOMENTS if asked_for and all(map(is_regression_metric, asked_for)) else None
        )
    if kind == StateKind.MOMENTS:
        return _of_numbers(frame, metrics, options, None if is_clustered else ci)
    if kind in DEFAULT_METRICS:
        if kind == StateKind.SET_SCORES and is_clustered and ci is not None:
            raise InputError(
                "`cluster` is not for scores for label sets, which have no intervals with clusters"
            )
        if pos_label is not None or options.smoothing != 0 or options.keep_empty:
            raise InputError("`pos_label`, `smoothing` and `keep_empty` are for states of matrices")
        weighted = any(_core.state_holds_weights(one) for one in frame[STATE].drop_nulls())
        default = DEFAULT_METRICS[kind]
        level = None if is_clustered else ci
        asked_of = metrics_asked(metrics, default, weighted, undefined, reasons, level)
        read = ReadStates((kind,), asked_of, asked_of.dtype)
        return read(frame[STATE]).struct.unnest(), {TOTALS[0]: asked_of.names}
    of_labels = kind == StateKind.COUNTS
    if kind is None:  # no states: what is asked tells
        of_labels = metrics is None or not all(map(is_score_metric, names_asked(metrics)))
    scored = SCORED if SCORED in frame.columns else None if of_labels else STATE
    names, score_names = _split(metrics, frame if of_labels else None, scored, pos_label)
    columns: list[pl.Series] = []
    texts = []
    totals: dict[str, Sequence[str]] = {}
    if of_labels:
        _check_known(frame[STATE], pos_label)
        asked = state_metrics(
            STATE,
            names,
            pos_label=pos_label,
            undefined=undefined,
            smoothing=options.smoothing,
            keep_empty=options.keep_empty,
            reasons=reasons,
            **arguments_of(ci),
        )
        table = table_of(frame, asked, STATE)
        if reasons and names:
            texts += table[REASONS].struct.unnest().select(names).get_columns()
        columns += table.select(*TOTALS, *with_ends(names, ci)).get_columns()
        totals[TOTALS[0]] = names
    if scored is not None:
        level = None if is_clustered else ci
        table = score_table(frame, scored, score_names, options, level, draws)
        if ci is not None and is_clustered:
            table = with_empty_ends(table, list(filter(of_clusters, score_names)))
        if reasons and score_names:
            texts += table[REASONS].struct.unnest().get_columns()
        told = SCORE_TOTALS if of_labels else TOTALS[:2]
        table = table.rename(dict(zip(TOTALS[:2], told, strict=True))).drop(REASONS, strict=False)
        columns += table.get_columns()
        totals[told[0]] = score_names
    if texts:
        columns.append(pl.DataFrame(texts).to_struct(REASONS))
    return pl.DataFrame(columns), totals


def _check_known(states: pl.Series, pos_label: Label | None) -> None:
    """Refuse a positive class that no state has: all rows would be of the others, and right."""
    found: set[Label] = set()
    for data in states.drop_nulls() if pos_label is not None else ():
        labels = getattr(from_bytes(data), "labels", ())
        if pos_label in labels or (labels and positive_class.may_add(labels, pos_label)):
            return
        found |= set(labels)
    if found:
        position(sorted(found, key=str), pos_label, "pos_label")


def _with_clusters(
    table: pl.DataFrame,
    clustered: ClusteredSlices,
    totals: dict[str, Sequence[str]],
    options: Asked,
    ci: Confidence,
) -> pl.DataFrame:
    """Return the table with the intervals that clusters ask for."""
    names = next(iter(totals.values()))
    if clustered.are_of_objects(names):
        return with_found_ends(
            with_empty_ends(table, names), names, clustered.of_objects(names, ci)
        )
    column = SCORED if SCORE_TOTALS[0] in totals else STATE
    for names in totals.values():
        if not names:
            continue
        if is_score_metric(names[0]):
            found = clustered.of_scores(names, ci, column)
        else:
            of = {"pos_label": options.pos_label, "smoothing": options.smoothing}
            found = clustered.of_classes(names, ci, keep_empty=options.keep_empty, **of)
        table = with_found_ends(table, names, found)
    return table


def _of_numbers(
    frame: pl.DataFrame, metrics: Any, options: Asked, ci: Confidence | None
) -> tuple[pl.DataFrame, dict[str, Sequence[str]]]:
    """Return the same of states of numbers."""
    if options.pos_label is not None or options.smoothing != 0 or options.keep_empty:
        raise InputError("`pos_label`, `smoothing` and `keep_empty` are for states of matrices")
    names = regression_names(metrics)
    options_of = {"undefined": options.undefined, "reasons": options.reasons}
    asked = state_metrics(STATE, names, **options_of, **arguments_of(ci))
    return table_of(frame, asked, STATE), {TOTALS[0]: names}


def _beside(keys: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    for key in keys.columns:
        if key in table.columns:
            raise InputError(f"`parts` has the key {key!r}, a name of the result; rename it")
    return pl.DataFrame([*keys.get_columns(), *table.get_columns()])


def _kind_of(states: pl.Series) -> int | None:
    """Return the number of the kind of the states, which is one; None where all are null."""
    first = states.drop_nulls().head(1).to_list()
    return _core.state_kind(first[0]) if first else None


def _split(
    metrics: Any, matrices: pl.DataFrame | None, scored: str | None, pos_label: Label | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of metrics of classes, and of metrics of scores."""
    if metrics is None:
        names = () if matrices is None else metric_names(None, _are_two(matrices, pos_label))
        return names, () if scored is None else score_metric_names(None)
    asked = names_asked(metrics)
    of_scores = tuple(name for name in asked if is_score_metric(name))
    of_labels = tuple(name for name in asked if name not in of_scores)
    if of_scores and scored is None:
        raise InputError(
            f"`metrics` holds {of_scores[0]!r}, a metric of scores, and there are states of "
            "predicted classes alone; give `y_score` to `cm.partial` or `cm.evaluate`"
        )
    if of_labels and matrices is None:
        metric_names(of_labels)  # which suggests names where one is unknown
        raise InputError(
            f"`metrics` holds {of_labels[0]!r}, a metric of predicted classes, and there are "
            "states of scores alone; give `y_pred` to `cm.partial` or `cm.evaluate`"
        )
    return metric_names(of_labels) if of_labels else (), score_metric_names(of_scores)


def _are_two(frame: pl.DataFrame, pos_label: Label | None) -> bool:
    """Return whether all states that have labels are of two and the positive one is known."""
    some = False
    for state in frame[STATE].drop_nulls():
        m = ConfusionMatrix.from_bytes(state)
        if not m.labels:
            continue
        labels = None if m._origin == Origin.FOUND else m.labels
        positive = m._state.positive if pos_label is None else pos_label
        if not planned(labels, positive, booleans=False):
            return False
        some = True
    return some
