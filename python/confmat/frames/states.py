"""States as a column: one Binary a group, merged and read in later queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import Asked
from confmat.frames.class_expressions import set_rows
from confmat.frames.expressions import (
    IntoExpr,
    beside_scalars,
    encode,
    metric_names,
    plugin,
)
from confmat.frames.objects_by_group import IntoColumns, Rows, StateBytes, are_several
from confmat.frames.score_expressions import encode_score, score_metric_names
from confmat.labels import Label
from confmat.metric_names import names_asked
from confmat.own_errors import own_errors
from confmat.registry import is_score_metric
from confmat.scores.grid import UNIT, BinMap

# Beside the metrics of a state of scores.
_BOUNDS = ("roc_auc_lo", "roc_auc_hi", "is_exact")


@own_errors
def state(
    y_true: IntoColumns = "y_true",
    y_pred: IntoColumns | None = None,
    *,
    y_score: IntoColumns | None = None,
    labels: Any = None,
    pos_label: Label | None = None,
    sample_weight: IntoExpr | None = None,
    other: str = "raise",
    bins: BinMap | None = UNIT,
    nan: str = "raise",
) -> pl.Expr:
    """State of each group as bytes: small, exact, and merged by later queries.

    Of predicted classes it is a confusion matrix, of scores a sweep over their thresholds; the
    bytes are those of `to_bytes` of these objects, and `cm.from_bytes` reads them. Lists of columns
    have the states of `MulticlassSweep.to_state`, or of label sets: lists for `y_true` and one of
    `y_pred` and `y_score`, as in `multilabel_metrics`; a column of lists is a list of one name.

    Parameters
    ----------
    y_true : str or pl.Expr, default "y_true"
        True classes, as in `metrics`, or with `y_score` as in `sweep_metrics`.
    y_pred : str or pl.Expr, optional
        Predicted classes. Default: "y_pred", unless there is `y_score`.
    y_score : str or pl.Expr, optional
        Scores, higher for the positive class, in place of predicted classes. A list of columns
        has the scores of K classes, as in `multiclass_metrics`.
    labels, other
        As in `metrics`, of predicted classes. Labels that were found in the rows unite when states
        are merged. Of K scores `labels` is the class of each.
    pos_label : int, bool or str, optional
        The positive class, kept in the state; default 1 or True.
    sample_weight : str or pl.Expr, optional
        Finite weights that are not negative, integers or floats.
    bins : "unit", int, "float16" or None, default "unit"
        Of scores, as in `cm.sweep`: "unit" is fine everywhere in [0, 1]; of a power of two, at most
        65536, bins are told apart by the leading bits of the score as float32, so that their
        relative width is the same for scores of any size; of "float16" each float16 is a bin, of
        the scores up to the next. None keeps each distinct score.
    nan : {"raise", "drop"}, default "raise"
        Of scores: refuse those that are nan, or leave their rows out.

    Returns
    -------
    pl.Expr
        Binary called "state". That of a matrix takes about 110 bytes, the labels, and 1 to 8 bytes
        a cell, or a cell that is not 0. That of scores takes about 130 bytes and, for each bin that
        holds a row, 1 to 4 bytes for its distance from the next, 1 to 8 for each of its two counts
        (8 for sums of weights), and while each bin holds one score alone, 8 for that score (4 where
        it is no Float64): such a state is exact. The name of a negative class that is a text is
        kept where it is the lowest or the highest label of the group.

    Raises
    ------
    InputError
        Predictions and scores at once, or an option that cannot be.
    polars.exceptions.ComputeError
        When the query runs: as in `metrics` and `sweep_metrics`.

    Examples
    --------
    Daily states become a month, without the rows:

    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "day": [1, 1, 1, 2, 2, 2],
    ...     "y_true": [0, 1, 0, 1, 1, 0],
    ...     "y_pred": [0, 1, 0, 1, 0, 0],
    ...     "y_score": [0.2, 0.9, 0.4, 0.6, 0.3, 0.1],
    ... })
    >>> days = log.group_by("day").agg(cm.state(), scored=cm.state(y_score="y_score"))
    >>> month = days.select(pl.col("state", "scored").cm.merge_states())
    >>> month.select(pl.col("state").cm.state_metrics(["mcc", "f1"])).unnest("metrics").rows()
    [(6.0, 0, 0, 0.7071067811865476, 0.8)]
    >>> cm.from_bytes(month["scored"].item()).roc_auc
    0.8888888888888888
    """
    truth: Any = y_true
    pred: Any = y_pred
    scores: Any = y_score
    if are_several(truth) or are_several(pred) or are_several(scores):
        for name, option, usual in (("pos_label", pos_label, None), ("other", other, "raise")):
            if option != usual:
                raise InputError(f"`{name}` is for one column of labels; there is a list of them")
        return _of_many_columns(truth, pred, scores, labels, sample_weight, bins, nan)
    # One weight a group, for the type of the column.
    of_weights = [] if sample_weight is None else [_column(sample_weight).first()]
    if y_score is None:
        for name, value, usual in (("bins", bins, UNIT), ("nan", nan, "raise")):
            if value != usual:
                raise InputError(f"`{name}` is for scores; give `y_score` in place of `y_pred`")
        asked = Asked(labels=labels, pos_label=pos_label, other=other, weighted=bool(of_weights))
        spec = asked.packed()
        pairs = encode(truth, "y_pred" if pred is None else pred, sample_weight, spec)
        pairs = beside_scalars(pairs) if of_weights else pairs
        return plugin("label_state", [pairs, *of_weights], spec, is_elementwise=True).alias("state")
    if y_pred is not None:
        raise InputError("`y_pred` and `y_score` are both given; a state is of one of them")
    if labels is not None or other != "raise":
        raise InputError("`labels` and `other` are for `y_pred`; scores take `pos_label`")
    spec = Asked(pos_label=pos_label, bins=bins, nan=nan, weighted=bool(of_weights)).packed()
    coded, labels_of = encode_score(truth, scores, sample_weight, spec), _column(truth)
    args = [beside_scalars(coded), labels_of.min(), labels_of.max(), *of_weights]
    return plugin("score_state", args, spec, is_elementwise=True).alias("state")


def _of_many_columns(
    y_true: Any, y_pred: Any, y_score: Any, labels: Any, sample_weight: Any, bins: Any, nan: str
) -> pl.Expr:
    options = {"labels": labels}
    if are_several(y_true) or are_several(y_pred):
        of_nan = {} if y_score is None else {"nan": nan}
        rows = set_rows(y_true, y_pred, y_score, sample_weight, options | of_nan)
    else:
        rows = Rows("classes", y_true, y_score, sample_weight, options)
    for name, value, usual in (("nan", nan, "raise"), ("bins", bins, UNIT)):
        known = rows.kind == "set scores" or (name == "bins" and rows.kind == "classes")
        if value != usual and not known:
            raise InputError(f"`{name}` is {value!r}; of {rows.kind} it is always {usual!r}")
    read = StateBytes(bins)
    read(rows.sample())
    return rows.expression(read, pl.Binary).alias("state")


@own_errors
def merge_states(state: str | pl.Expr = "state") -> pl.Expr:
    """Return the sum of the states of each group, as one state; null where there are none.

    Parameters
    ----------
    state : str or pl.Expr, default "state"
        States of `cm.state`, or of `to_bytes`, of one kind; nulls are left out.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.states import merge_states, state
    >>> log = pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 0]})
    >>> day = log.select(state())
    >>> pl.concat([day, day]).select(merge_states().bin.size()).item()
    128
    """
    lists = _column(state).implode(maintain_order=False)
    return plugin("merge_states", [lists], Asked().packed(), is_elementwise=True)


@own_errors
def state_metrics(
    state: IntoExpr = "state",
    metrics: Sequence[str] | str | None = None,
    *,
    pos_label: Label | None = None,
    undefined: float | None = None,
    smoothing: float = 0.0,
    keep_empty: bool = False,
    reasons: bool = False,
) -> pl.Expr:
    """Return metrics of states as one Struct a state.

    Parameters
    ----------
    state : str or pl.Expr, default "state"
        States of `cm.state`, or of `to_bytes`, all of matrices or all of scores. Of a null all
        metrics are null, and the rows left out 0.
    metrics : sequence of str, optional
        Names as in `metrics` for states of matrices, or in `sweep_metrics` for states of scores.
        Default: those of `metrics` for matrices of many classes.
    pos_label, smoothing, keep_empty
        As in `metrics`, for matrices alone; the positive class that a state names is the default.
    undefined, reasons
        As in `metrics`.

    Returns
    -------
    pl.Expr
        A Struct called "metrics": `n` (Float64), `n_dropped`, for matrices `n_other`, and one
        Float64 a metric. For scores also `roc_auc_lo` and `roc_auc_hi`, between which the exact
        area lies, and `is_exact`, whether each bin holds one score alone: then every metric is that
        of the exact scores. Scores that share a bin tie, for metrics of probabilities at its
        middle. With `reasons` its last field is the
        Struct "reasons".

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.states import state, state_metrics
    >>> log = pl.DataFrame({"y_true": [0, 1, 1], "y_score": [0.61, 0.6, 0.9]})
    >>> coarse = log.select(state(y_score="y_score", bins=256))
    >>> coarse.select(state_metrics(metrics="roc_auc")).unnest("metrics").rows()
    [(3.0, 0, 0.5, 0.0, 1.0, False)]
    >>> fine = log.select(state(y_score="y_score"))
    >>> fine.select(state_metrics(metrics="roc_auc")).unnest("metrics").rows()
    [(3.0, 0, 0.5, 0.5, 0.5, True)]
    """
    asked = () if metrics is None else names_asked(metrics)
    of_scores = [name for name in asked if is_score_metric(name)]
    if of_scores and len(of_scores) < len(asked):
        first = next(name for name in asked if name not in of_scores)
        raise InputError(
            f"`metrics` holds {first!r}, a metric of classes, and {of_scores[0]!r}, one of scores; "
            "a state is of one of them"
        )
    if not of_scores:
        of_classes = Asked(
            metric_names(metrics),
            pos_label=pos_label,
            undefined=undefined,
            smoothing=smoothing,
            weighted=True,
            keep_empty=keep_empty,
            reasons=reasons,
        )
        spec = of_classes.packed()
        return plugin("state_metrics", [state], spec, is_elementwise=True).alias("metrics")
    if pos_label is not None or smoothing != 0 or keep_empty:
        raise InputError("`pos_label`, `smoothing` and `keep_empty` are for states of matrices")
    names = score_metric_names(metrics)
    spec = Asked(score_metrics=names, undefined=undefined, reasons=reasons).packed()
    return plugin("score_state_metrics", [state], spec, is_elementwise=True).alias("metrics")


@own_errors
def state_curve(state: IntoExpr = "state", curve: Literal["roc", "pr"] = "roc") -> pl.Expr:
    """Return a curve of states of scores, as a list of points a state.

    Parameters
    ----------
    state : str or pl.Expr, default "state"
        States of `cm.state` with `y_score`, or of `to_bytes` of a sweep.
    curve : {"roc", "pr"}, default "roc"
        The ROC curve, or precision over recall.

    Returns
    -------
    pl.Expr
        List(Struct(threshold, fpr, tpr)) or List(Struct(threshold, recall, precision)), as
        `roc_curve` and `pr_curve` of the rows give it; thresholds of bins are their lower bounds.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.states import state, state_curve
    >>> log = pl.DataFrame({"y_true": [0, 1, 1, 0], "y_score": [0.2, 0.9, 0.4, 0.4]})
    >>> log.select(state(y_score="y_score")).select(state_curve()).item().to_list()[:2]
    [{'threshold': inf, 'fpr': 0.0, 'tpr': 0.0}, {'threshold': 0.9, 'fpr': 0.0, 'tpr': 0.5}]
    """
    if curve not in ("roc", "pr"):
        raise InputError(f"`curve` is {curve!r}: wanted 'roc' or 'pr'")
    spec = Asked().packed()
    if curve == "roc":
        points = plugin("state_roc_curve", [state], spec, is_elementwise=True)
    else:
        points = plugin("state_pr_curve", [state], spec, is_elementwise=True)
    return points.alias(f"{curve}_curve")


def _column(column: IntoExpr) -> pl.Expr:
    if isinstance(column, pl.Expr):
        return column
    return pl.col(column) if isinstance(column, str) else pl.lit(column)
