"""Metrics of scores of many classes, and of label sets, as Polars expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.expressions import IntoExpr
from confmat.frames.objects_by_group import IntoColumns, Metrics, Rows
from confmat.intervals.levels import Confidence, Side, confidence
from confmat.metric_names import names_asked
from confmat.options import checked_undefined
from confmat.own_errors import own_errors

DEFAULT_CLASS_METRICS = ("roc_auc_macro", "average_precision_macro", "top_1_accuracy")
DEFAULT_SET_METRICS = ("exact_match", "hamming_loss", "f1_samples", "f1_micro", "f1_macro")
DEFAULT_SET_SCORE_METRICS = (
    "roc_auc_macro",
    "roc_auc_micro",
    "average_precision_macro",
    "label_ranking_average_precision",
)
# By the number of the kind of their states in saved bytes.
DEFAULT_METRICS = {
    4: DEFAULT_CLASS_METRICS,
    5: DEFAULT_SET_METRICS,
    7: DEFAULT_SET_SCORE_METRICS,
}


@own_errors
def multiclass_metrics(
    y_true: IntoExpr = "y_true",
    y_score: IntoColumns = "y_score",
    metrics: Sequence[str] | str | None = None,
    *,
    labels: Any = None,
    sample_weight: IntoExpr | None = None,
    normalize: bool = False,
    tolerance: float | None = None,
    undefined: float | None = None,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.Expr:
    """Metrics of scores of K classes, as one Struct a group.

    Use it in `select`, `group_by(...).agg`, `over`, `group_by_dynamic` and `rolling`, eager, lazy
    and streaming. Each group has the numbers of `multiclass_sweep` of its rows.

    Parameters
    ----------
    y_true : str or pl.Expr, default "y_true"
        True classes: integers, Booleans, strings, Categorical or Enum.
    y_score : sequence of str or pl.Expr, or one of them
        K columns of scores, or one List or Array column of K scores a row; higher where the class
        is more likely.
    metrics : sequence of str, optional
        Names as `MulticlassSweep.value` takes them: "roc_auc_macro", "roc_auc_ovo", "log_loss",
        "top_3_accuracy". Default: roc_auc_macro, average_precision_macro and top_1_accuracy.
    labels : sequence of int, bool or str, optional
        The class of each column, in order. Without it every group must tell them, as in
        `multiclass_sweep`: by column names, by an Enum, or by having rows of all K classes.
    sample_weight : str or pl.Expr, optional
        Weights that are not negative. `n` is then Float64.
    normalize, tolerance
        As in `multiclass_sweep`.
    undefined : float, optional
        Replaces undefined values. Default: they are null.
    reasons : bool, default False
        Also say why a value is undefined, even where `undefined` stands in for it, or with `ci` why
        it has no interval.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, as `MulticlassSweep.ci` has them; null where there is none. Rows
        are drawn again where `metrics` names what takes it, as average precision of few rows of a
        class, with the seed 0.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`, as in `metrics`.

    Returns
    -------
    pl.Expr
        A Struct called "multiclass_metrics": `n` (UInt64, or Float64 with weights), `n_dropped`
        (rows with a null class or weight) and one Float64 a metric; with `reasons` last the Struct
        "reasons", one String a metric.

    Raises
    ------
    InputError
        An unknown metric, or an option that cannot be. When the query runs: what
        `multiclass_sweep` refuses; the row is one of the group.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> df = pl.DataFrame({
    ...     "site": ["u", "u", "u", "v", "v"],
    ...     "y_true": ["a", "b", "c", "a", "b"],
    ...     "p_a": [0.7, 0.3, 0.1, 0.2, 0.5],
    ...     "p_b": [0.2, 0.6, 0.2, 0.7, 0.3],
    ...     "p_c": [0.1, 0.1, 0.7, 0.1, 0.2],
    ... })
    >>> names = ["roc_auc_macro", "top_2_accuracy"]
    >>> asked = cm.multiclass_metrics("y_true", ["p_a", "p_b", "p_c"], names, labels=list("abc"))
    >>> df.group_by("site", maintain_order=True).agg(m=asked).unnest("m").rows()
    [('u', 3, 0, 1.0, 1.0), ('v', 2, 0, 0.0, 1.0)]
    """
    options = {"labels": labels, "normalize": normalize, "tolerance": tolerance}
    rows = Rows("classes", y_true, y_score, sample_weight, options)
    asked = _asked(rows, metrics, DEFAULT_CLASS_METRICS, undefined, reasons, confidence(ci, side))
    return rows.expression(asked, asked.dtype).alias("multiclass_metrics")


@own_errors
def multilabel_metrics(
    y_true: IntoColumns = "y_true",
    y_pred: IntoColumns | None = None,
    metrics: Sequence[str] | str | None = None,
    *,
    y_score: IntoColumns | None = None,
    labels: Any = None,
    sample_weight: IntoExpr | None = None,
    undefined: float | None = None,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.Expr:
    """Metrics of rows that have sets of labels, as one Struct a group.

    Use it as `multiclass_metrics`. Each group has the numbers of `multilabel` of its rows, or with
    scores those of `multilabel_sweep`.

    Parameters
    ----------
    y_true, y_pred : sequence of str or pl.Expr, or one of them, default "y_true", "y_pred"
        L columns of Booleans or 0 and 1, or one List or Array column: of Booleans, or of the labels
        of each row.
    metrics : sequence of str, optional
        Names as `MultilabelMatrix.value` takes them: "exact_match", "f1_samples", "recall_macro".
        Of scores as `MultilabelSweep.value` does: "roc_auc_micro", "coverage_error". Default:
        exact_match, hamming_loss, f1_samples, f1_micro and f1_macro; of scores roc_auc_macro,
        roc_auc_micro, average_precision_macro and label_ranking_average_precision.
    y_score : sequence of str or pl.Expr, or one of them, optional
        L columns of scores, or one List or Array column of L scores a row, in place of `y_pred`.
    labels : sequence of int, bool or str, optional
        The labels, in order. Default: those of each group, as in `multilabel`.
    sample_weight : str or pl.Expr, optional
        Weights of rows that are not negative. `n` is then Float64.
    undefined, reasons
        As in `multiclass_metrics`.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, as `MultilabelMatrix.ci` and `MultilabelSweep.ci` have them; null where there
        is none.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`, as in `metrics`.

    Returns
    -------
    pl.Expr
        A Struct called "multilabel_metrics", with fields as that of `multiclass_metrics`.

    Raises
    ------
    InputError
        As in `multiclass_metrics`; predictions and scores both.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> df = pl.DataFrame({
    ...     "site": [1, 1, 2],
    ...     "tags": [["a"], ["a", "b"], ["b"]],
    ...     "guess": [["a"], ["b"], ["b"]],
    ... })
    >>> asked = cm.multilabel_metrics("tags", "guess", ["exact_match", "f1_micro"])
    >>> df.group_by("site", maintain_order=True).agg(m=asked).unnest("m").rows()
    [(1, 2, 0, 0.5, 0.8), (2, 1, 0, 1.0, 1.0)]
    """
    rows = set_rows(y_true, y_pred, y_score, sample_weight, {"labels": labels})
    default = DEFAULT_SET_METRICS if y_score is None else DEFAULT_SET_SCORE_METRICS
    asked = _asked(rows, metrics, default, undefined, reasons, confidence(ci, side))
    return rows.expression(asked, asked.dtype).alias("multilabel_metrics")


def set_rows(
    y_true: IntoColumns,
    y_pred: IntoColumns | None,
    y_score: IntoColumns | None,
    sample_weight: IntoExpr | None,
    options: dict[str, Any],
) -> Rows:
    """Return rows of label sets: of predicted ones, or of scores.

    Raises
    ------
    InputError
        Both are given.
    """
    if y_score is None:
        pred = "y_pred" if y_pred is None else y_pred
        return Rows("sets", y_true, pred, sample_weight, options)
    if y_pred is not None:
        raise InputError("`y_pred` and `y_score` are both given; wanted one of them")
    return Rows("set scores", y_true, y_score, sample_weight, options)


def _asked(
    rows: Rows,
    metrics: Any,
    default: tuple[str, ...],
    undefined: Any,
    reasons: Any,
    ci: Confidence | None,
) -> Metrics:
    weighted = rows.sample_weight is not None
    asked = metrics_asked(metrics, default, weighted, undefined, reasons, ci)
    asked(rows.sample())
    return asked


def metrics_asked(
    metrics: Any,
    default: tuple[str, ...],
    weighted: bool,
    undefined: Any,
    reasons: Any,
    ci: Confidence | None = None,
) -> Metrics:
    """Return what is asked of objects; that the names are theirs is not checked."""
    names = default if metrics is None else tuple(names_asked(metrics))
    for at, name in enumerate(names):
        if name in names[:at]:
            raise InputError(f"`metrics` holds {name!r} twice, again at position {at}")
        if name in ("n", "n_dropped"):
            raise InputError(f"`metrics` holds {name!r}; n, n_dropped are always there")
    told = bool(reasons) and bool(names)
    named = metrics is not None
    asked = Metrics(names, weighted, checked_undefined(undefined), told, ci, draws=named)
    fields = asked.fields
    for at, name in enumerate(fields):
        if name in fields[:at]:
            raise InputError(f"`metrics` holds {name!r}, the name of an end of an interval")
    return asked
