"""What queries read of a column of states: metrics of any kind, and curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import Asked
from confmat.frames.class_expressions import metrics_asked
from confmat.frames.expressions import IntoExpr, column_of, metric_names, plugin
from confmat.frames.score_expressions import score_metric_names
from confmat.frames.state_families import (
    CompletedStates,
    ReadStates,
    kinds_of,
    struct_of,
)
from confmat.intervals.levels import Confidence, Side, confidence
from confmat.labels import Label
from confmat.metric_names import names_asked
from confmat.own_errors import own_errors
from confmat.state_kinds import StateKind


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
    ci: float | None = None,
    side: Side = "both",
) -> pl.Expr:
    """Return metrics of states as one Struct a state.

    Parameters
    ----------
    state : str or pl.Expr, default "state"
        States of `cm.state`, or of `to_bytes`, of one kind. Of a null all metrics are null, and the
        rows left out 0.
    metrics : sequence of str, optional
        Names as `value` of the objects of `cm.from_bytes` takes them: of matrices as in `metrics`,
        of sweeps as in `sweep_metrics`, of scores of many classes as in `multiclass_metrics`, of
        label sets and their scores as in `multilabel_metrics`, of numbers as in
        `regression_metrics`. Default: those of `metrics` for
        matrices of many classes.
    pos_label, smoothing, keep_empty
        As in `metrics`, for matrices alone; the positive class that a state names is the default.
    undefined, reasons
        As in `metrics`.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, as `ci` of the objects has them, also of weighted rows; null where there is
        none, or it would take rows of many classes drawn again. Rows of sweeps are drawn by the
        seed 0, as in `sweep_metrics`.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`, as in `metrics`.

    Returns
    -------
    pl.Expr
        A Struct called "metrics": `n` (Float64, as states may be of weights, and no type of a query
        depends on its rows; `finish` has integers), `n_dropped` and one Float64 a metric. Where
        matrices have all these metrics `n_other` comes before them, 0 of label sets. Where
        sweeps have them `roc_auc_lo` and `roc_auc_hi` follow, between which the exact area lies,
        and `is_exact`, whether each bin holds one score alone: then every metric is that of the
        exact scores; of other states these three are null. Scores that share a bin tie, for metrics
        of probabilities at its middle. With `reasons` the last field is the Struct "reasons".

    Raises
    ------
    InputError
        A name that no state has a number of, or names of several kinds of states.
    polars.exceptions.ComputeError, InputError or StateError
        When the query runs: a state of another kind than the metrics, bytes that are no state.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.state_values import state_metrics
    >>> from confmat.frames.states import state
    >>> log = pl.DataFrame({"y_true": [0, 1, 1], "y_score": [0.61, 0.6, 0.9]})
    >>> coarse = log.select(state(y_score="y_score", bins=256))
    >>> coarse.select(state_metrics(metrics="roc_auc")).unnest("metrics").rows()
    [(3.0, 0, 0.5, 0.0, 1.0, False)]
    >>> fine = log.select(state(y_score="y_score"))
    >>> fine.select(state_metrics(metrics="roc_auc")).unnest("metrics").rows()
    [(3.0, 0, 0.5, 0.5, 0.5, True)]
    >>> rows = pl.DataFrame({"tags": [["a"], ["a", "b"]], "guess": [["a"], ["b"]]})
    >>> sets = rows.select(state(["tags"], ["guess"]))
    >>> sets.select(state_metrics(metrics=["exact_match", "f1_micro"])).unnest("metrics").rows()
    [(2.0, 0, 0.5, 0.8)]
    """
    names = () if metrics is None else names_asked(metrics)
    kinds = kinds_of(names) if names else (StateKind.COUNTS,)
    of_matrices = pos_label is not None or smoothing != 0 or keep_empty
    if of_matrices and StateKind.COUNTS not in kinds:
        raise InputError("`pos_label`, `smoothing` and `keep_empty` are for states of matrices")
    kinds = (StateKind.COUNTS,) if of_matrices else kinds
    of_ends = confidence(ci, side)
    read = _by_objects(kinds, names, undefined, reasons, of_ends)
    if StateKind.COUNTS in kinds:
        of_classes = Asked(
            metric_names(metrics),
            pos_label=pos_label,
            undefined=undefined,
            smoothing=smoothing,
            weighted=True,
            keep_empty=keep_empty,
            reasons=reasons,
            apart=read is not None,
            ci=of_ends,
        )
        rows = plugin("state_metrics", [state], of_classes.packed(), is_elementwise=True)
    elif StateKind.BINS in kinds and ci is None:
        of_scores = Asked(
            score_metrics=score_metric_names(metrics),
            undefined=undefined,
            reasons=reasons,
            apart=read is not None,
        )
        rows = plugin("score_state_metrics", [state], of_scores.packed(), is_elementwise=True)
    elif kinds == (StateKind.MOMENTS,) and ci is None:
        of_numbers = Asked(regression_metrics=names, undefined=undefined, reasons=reasons).packed()
        rows = plugin("regression_metrics", [state], of_numbers, is_elementwise=True)
        return rows.alias("metrics")
    else:
        assert read is not None
        return _mapped(column_of(state), read, read.dtype)
    if read is None:
        return rows.alias("metrics")
    return _mapped(rows, CompletedStates(read), read.dtype)


def _by_objects(
    kinds: Sequence[int],
    names: Sequence[str],
    undefined: float | None,
    reasons: bool,
    ci: Confidence | None,
) -> ReadStates | None:
    """Return what reads the states that the core has no metrics of; None where there are none."""
    by_core = (
        (StateKind.COUNTS, StateKind.BINS, StateKind.MOMENTS) if ci is None else (StateKind.COUNTS,)
    )
    others = tuple(kind for kind in kinds if kind not in by_core)
    if not others:
        return None
    asked = metrics_asked(names, (), True, undefined, reasons, ci)
    return ReadStates(tuple(kinds), asked, struct_of(tuple(kinds), asked))


def _mapped(rows: pl.Expr, read: Any, dtype: pl.Struct) -> pl.Expr:
    return rows.map_batches(read, return_dtype=dtype, is_elementwise=True).alias("metrics")


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
    >>> from confmat.frames.state_values import state_curve
    >>> from confmat.frames.states import state
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
