"""Polars expressions over a label column and a score column.

As with predicted labels, three steps stream: `encode_score` turns label and score of each row into
one code, `implode(maintain_order=False)` collects the codes of a group, and `score_metrics` sorts
each list once and computes every metric asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.frames.asked import Asked
from confmat.frames.class_expressions import metrics_asked
from confmat.frames.expressions import (
    IntoExpr,
    beside_scalars,
    column_of,
    label_args,
    plugin,
    refuse_reasons,
)
from confmat.frames.objects_by_group import ReadSweeps
from confmat.intervals.levels import Side, confidence
from confmat.labels import Label
from confmat.metric_names import names_asked
from confmat.own_errors import own_errors
from confmat.scores.grid import BinMap

DEFAULT_SCORE_METRICS = ("roc_auc", "average_precision", "ks")


def score_metric_names(metrics: Sequence[str] | str | None) -> tuple[str, ...]:
    """Return the names asked for, checked; None gives the default set."""
    if metrics is None:
        return DEFAULT_SCORE_METRICS
    asked = names_asked(metrics)
    names = tuple(name.strip(" ") for name in asked)
    nothing = np.empty(0)
    _core.score_values(names, nothing, nothing, nothing)  # refuses unknown ones
    for at, name in enumerate(names):
        if name in names[:at]:
            raise InputError(f"`metrics` holds {name!r} twice, again at position {at}")
    return names


def encode_score(
    y_true: IntoExpr, y_score: IntoExpr, sample_weight: IntoExpr | None, spec: bytes
) -> pl.Expr:
    """Return label and score of each row as one code, imploded without order."""
    args = label_args(y_true, others=[column_of(y_score), sample_weight])
    codes = plugin("encode_score", args, spec, is_elementwise=True)
    return codes.implode(maintain_order=False)


@own_errors
def sweep_metrics(
    y_true: IntoExpr = "y_true",
    y_score: IntoExpr = "y_score",
    metrics: Sequence[str] | str | None = None,
    *,
    pos_label: Label | None = None,
    sample_weight: IntoExpr | None = None,
    nan: str = "raise",
    undefined: float | None = None,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.Expr:
    """Metrics of a column of scores, as one Struct a group.

    Use it in `select`, `group_by(...).agg`, `over`, `group_by_dynamic` and `rolling`, eager, lazy
    and streaming: the query keeps streaming next to native aggregates.

    Parameters
    ----------
    y_true : str or pl.Expr, default "y_true"
        True classes: 0 and 1 or Booleans; with `pos_label` integers, Booleans, strings,
        Categorical or Enum, of at most two classes in each group.
    y_score : str or pl.Expr, default "y_score"
        Scores, higher for the positive class: floats, integers that are exact as Float64, or
        Booleans, which are 0 and 1.
    metrics : sequence of str, optional
        Names: roc_auc, gini, average_precision, pr_auc_trapezoid, ks, eer, h_measure,
        h_measure_prior, pr_gain_auc, hinge_loss, bedroc and rie, the last two with alpha as in
        ``"bedroc(80.5)"``; for probabilities also brier, brier_skill, log_loss, d2_log_loss,
        smooth_ece, ece, mce and rms_ce, the last three with a number of bins as in ``"ece(15)"``.
        Default: roc_auc, average_precision and ks.
    pos_label : int, bool or str, optional
        The positive class; default 1 or True.
    sample_weight : str or pl.Expr, optional
        Finite weights that are not negative. `n` is then Float64, of integer weights too.
    nan : {"raise", "drop"}, default "raise"
        Refuse scores that are nan, or count their rows in `n_dropped`.
    undefined : float, optional
        Replaces undefined values. Default: they are null, as ROC AUC is where a group has one
        class.
    reasons : bool, default False
        Also say why a value is undefined, even where `undefined` stands in for it, or with `ci` why
        it has no interval.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, as `Sweep.ci` has them, also of weighted rows. Those that take rows drawn
        again, by the seed 0, are null unless the metric is named in `metrics`: they take 2 ms a
        group, and 10 more for each 1,000 distinct scores.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`, as in `metrics`.

    Returns
    -------
    pl.Expr
        A Struct called "sweep_metrics": `n`, `n_dropped` (rows with a null, or a nan), then one
        Float64 a metric. `n` is UInt64, or Float64 (the sum of weights) with `sample_weight`. With
        `reasons` its last field is the Struct "reasons": one String a metric, null where the value
        is defined.

    Raises
    ------
    InputError
        An unknown metric, or an option that cannot be.
    polars.exceptions.ComputeError
        When the query runs: columns of other types, classes other than 0 and 1 without
        `pos_label`, more than two classes with it, a score that is nan, or outside [0, 1] where a
        metric needs probabilities.

    Notes
    -----
    Of counts, ROC AUC, Gini and KS are exact fractions, rounded once. Values do not depend on the
    order of the rows or on threads.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> df = pl.DataFrame({
    ...     "site": ["a", "a", "a", "a", "b", "b"],
    ...     "y_true": [0, 1, 1, 0, 1, 1],
    ...     "y_score": [0.2, 0.9, 0.4, 0.4, 0.7, 0.1],
    ... })
    >>> asked = cm.sweep_metrics(metrics=["roc_auc", "average_precision"])
    >>> df.group_by("site", maintain_order=True).agg(m=asked).unnest("m").rows()
    [('a', 4, 0, 0.875, 0.8333333333333333), ('b', 2, 0, None, 1.0)]
    """
    names = score_metric_names(metrics)
    of_ends = confidence(ci, side)
    if of_ends is not None:
        wanted = None if metrics is None else names
        asked = metrics_asked(wanted, names, sample_weight is not None, undefined, reasons, of_ends)
        states = score_state(y_true, y_score, pos_label, sample_weight, None, nan)
        read = ReadSweeps(asked)
        rows = states.map_batches(read, return_dtype=asked.dtype, is_elementwise=True)
        return rows.alias("sweep_metrics")
    spec = Asked(
        score_metrics=names,
        pos_label=pos_label,
        undefined=undefined,
        nan=nan,
        weighted=sample_weight is not None,
        reasons=reasons,
    ).packed()
    lists = encode_score(y_true, y_score, sample_weight, spec)
    return plugin("score_metrics", [lists], spec, is_elementwise=True).alias("sweep_metrics")


def score_metric(
    name: str, y_true: IntoExpr = "y_true", y_score: IntoExpr = "y_score", **options: Any
) -> pl.Expr:
    """One metric of a column of scores, as Float64 named after it.

    Several metrics of the same columns are cheaper as one `sweep_metrics` Struct.

    Parameters
    ----------
    name : str
        A name as in `sweep_metrics`, such as ``"roc_auc"`` or ``"ece(15)"``.
    y_true, y_score : str or pl.Expr, default "y_true", "y_score"
        True classes and scores.
    **options
        `pos_label`, `sample_weight`, `nan` and `undefined` as in `sweep_metrics`.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.score_expressions import score_metric
    >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
    >>> df.select(score_metric("roc_auc", "y", "s")).item()
    0.875
    """
    names = score_metric_names([name])
    refuse_reasons(options, "sweep_metrics")
    if "ci" in options:
        raise InputError("`ci` needs a Struct to stand in; use `sweep_metrics`")
    return sweep_metrics(y_true, y_score, names, **options).struct.field(names[0])


def score_state(
    y_true: IntoExpr,
    y_score: IntoExpr,
    pos_label: Label | None,
    sample_weight: IntoExpr | None,
    bins: BinMap | None,
    nan: str,
) -> pl.Expr:
    """Return the state of the scores of each group; `state` says more."""
    # One weight a group, for the type of the column.
    of_weights = [] if sample_weight is None else [column_of(sample_weight).first()]
    spec = Asked(pos_label=pos_label, bins=bins, nan=nan, weighted=bool(of_weights)).packed()
    coded = encode_score(y_true, y_score, sample_weight, spec)
    swept = _swept(y_true, y_score, sample_weight, nan)
    args = [beside_scalars(coded), swept.min(), swept.max(), *of_weights]
    return plugin("score_state", args, spec, is_elementwise=True)


def _swept(y_true: Any, y_score: Any, sample_weight: Any, nan: str) -> pl.Expr:
    """Return the true classes of the rows that are swept: two, so one of them is the negative."""
    score = column_of(y_score)
    is_swept = score.is_not_null()
    if nan == "drop":
        is_swept &= score.cast(pl.Float64).is_not_nan()
    if sample_weight is not None:
        is_swept &= column_of(sample_weight).is_not_null()
    return pl.when(is_swept).then(column_of(y_true))


def _collected(
    y_true: IntoExpr,
    y_score: IntoExpr,
    pos_label: Label | None,
    sample_weight: IntoExpr | None,
    nan: str,
) -> tuple[list[pl.Expr], bytes]:
    asked = Asked(pos_label=pos_label, nan=nan, weighted=sample_weight is not None)
    spec = asked.packed()
    return [encode_score(y_true, y_score, sample_weight, spec)], spec


def roc_curve(
    y_true: IntoExpr = "y_true",
    y_score: IntoExpr = "y_score",
    *,
    pos_label: Label | None = None,
    sample_weight: IntoExpr | None = None,
    nan: str = "raise",
) -> pl.Expr:
    """Return the ROC curve of each group, as a list of points.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, nan
        As in `sweep_metrics`.

    Returns
    -------
    pl.Expr
        List(Struct(threshold, fpr, tpr)) of Float64, called "roc_curve": the point (0, 0) at
        threshold inf, then one point a distinct score, descending; null where a class is missing.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.score_expressions import roc_curve
    >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
    >>> df.select(roc_curve("y", "s").explode()).unnest("roc_curve").rows()
    [(inf, 0.0, 0.0), (0.9, 0.0, 0.5), (0.4, 0.5, 1.0), (0.2, 1.0, 1.0)]
    """
    lists, spec = _collected(y_true, y_score, pos_label, sample_weight, nan)
    return plugin("roc_curve", lists, spec, is_elementwise=True).alias("roc_curve")


def pr_curve(
    y_true: IntoExpr = "y_true",
    y_score: IntoExpr = "y_score",
    *,
    pos_label: Label | None = None,
    sample_weight: IntoExpr | None = None,
    nan: str = "raise",
) -> pl.Expr:
    """Return the precision-recall curve of each group, as a list of points.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, nan
        As in `sweep_metrics`.

    Returns
    -------
    pl.Expr
        List(Struct(threshold, recall, precision)) of Float64, called "pr_curve": one point a
        distinct score, descending; null where there are no positives.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.score_expressions import pr_curve
    >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.6, 0.4]})
    >>> df.select(pr_curve("y", "s").explode()).unnest("pr_curve").rows()[:2]
    [(0.9, 0.5, 1.0), (0.6, 1.0, 1.0)]
    """
    lists, spec = _collected(y_true, y_score, pos_label, sample_weight, nan)
    return plugin("pr_curve", lists, spec, is_elementwise=True).alias("pr_curve")
