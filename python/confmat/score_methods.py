"""Metrics of scores as methods of the Polars expression namespace ``cm``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import polars as pl

from confmat import score_expressions, score_states
from confmat.expressions import IntoExpr

_Method = TypeVar("_Method", bound=Callable[..., pl.Expr])


def _options_of(source: Callable[..., pl.Expr]) -> Callable[[_Method], _Method]:
    """Show the options of `source` in the signature of a method that hands them on."""

    def listed(method: _Method) -> _Method:
        own, theirs = (inspect.signature(one) for one in (method, source))
        known = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
        handed_on = [
            one
            for one in theirs.parameters.values()
            if one.kind is one.KEYWORD_ONLY and one.name not in own.parameters
        ]
        method.__signature__ = own.replace(parameters=[*known, *handed_on])  # type: ignore[attr-defined]
        return method

    return listed


class ScoreMethods:
    """One method a score metric; the column is the true class, options as in `sweep_metrics`."""

    _expr: pl.Expr

    @_options_of(score_expressions.sweep_metrics)
    def sweep_metrics(
        self,
        y_score: IntoExpr = "y_score",
        metrics: Sequence[str] | str | None = None,
        **options: Any,
    ) -> pl.Expr:
        """Several score metrics as one Struct; see `confmat.sweep_metrics`."""
        return score_expressions.sweep_metrics(self._expr, y_score, metrics, **options)

    @_options_of(score_expressions.roc_curve)
    def roc_curve(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the ROC curve as List(Struct(threshold, fpr, tpr))."""
        return score_expressions.roc_curve(self._expr, y_score, **options)

    @_options_of(score_expressions.pr_curve)
    def pr_curve(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the precision-recall curve as List(Struct(threshold, recall, precision))."""
        return score_expressions.pr_curve(self._expr, y_score, **options)

    @_options_of(score_states.binned_sweep)
    def binned_sweep(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the binned sweep of each group as bytes, which later queries can merge.

        See `confmat.score_states.binned_sweep` for the options.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> log = pl.DataFrame({"day": [1, 1, 2, 2], "y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.3, 0.4]})
        >>> days = log.group_by("day").agg(state=pl.col("y").cm.binned_sweep("s"))
        >>> all_days = days.select(pl.col("state").cm.merge_binned_sweeps())
        >>> metrics = all_days.select(pl.col("state").cm.binned_metrics(["roc_auc"]))
        >>> metrics.unnest("binned_metrics").rows()  # n, n_dropped, the area and its bounds
        [(4.0, 0, 0.75, 0.75, 0.75)]
        """
        return score_states.binned_sweep(self._expr, y_score, **options)

    def merge_binned_sweeps(self) -> pl.Expr:
        """Return the sum of the binned sweeps in this column, of each group."""
        return score_states.merge_binned_sweeps(self._expr)

    def binned_metrics(self, metrics: Sequence[str] | str | None = None) -> pl.Expr:
        """Return metrics of the binned sweeps in this column, with bounds of the AUC."""
        return score_states.binned_metrics(self._expr, metrics)

    def _score(self, name: str, y_score: IntoExpr, **options: Any) -> pl.Expr:
        return score_expressions.score_metric(name, self._expr, y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def roc_auc(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the area under the ROC curve.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> df.select(pl.col("y").cm.roc_auc("s")).item()
        0.875
        """
        return self._score("roc_auc", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def gini(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return twice the area under the ROC curve minus one.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> df.select(pl.col("y").cm.gini("s")).item()
        0.75
        """
        return self._score("gini", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def average_precision(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the area under the precision-recall curve drawn in steps.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.average_precision("s")).item(), 6)
        0.833333
        """
        return self._score("average_precision", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def pr_auc_trapezoid(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the area under the precision-recall curve drawn in straight lines.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.pr_auc_trapezoid("s")).item(), 6)
        0.916667
        """
        return self._score("pr_auc_trapezoid", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def ks(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the largest distance between the distributions of both classes.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> df.select(pl.col("y").cm.ks("s")).item()
        0.5
        """
        return self._score("ks", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def eer(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the rate of false positives where it equals that of false negatives.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> df.select(pl.col("y").cm.eer("s")).item()
        0.25
        """
        return self._score("eer", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def brier(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the mean squared difference of probability and outcome.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.brier("s")).item(), 6)
        0.1425
        """
        return self._score("brier", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def brier_skill(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return how much better the Brier score is than that of the base rate.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.brier_skill("s")).item(), 6)
        0.43
        """
        return self._score("brier_skill", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def log_loss(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return minus the mean log-likelihood, in nats.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.log_loss("s")).item(), 6)
        0.438905
        """
        return self._score("log_loss", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def ece(self, y_score: IntoExpr = "y_score", *, bins: int = 10, **options: Any) -> pl.Expr:
        """Return the mean distance of probability and outcome over bins of scores.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.ece("s", bins=5)).item(), 6)
        0.125
        """
        return self._score(f"ece({bins})", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def mce(self, y_score: IntoExpr = "y_score", *, bins: int = 10, **options: Any) -> pl.Expr:
        """Return the largest distance of probability and outcome over bins of scores.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.mce("s", bins=5)).item(), 6)
        0.2
        """
        return self._score(f"mce({bins})", y_score, **options)

    @_options_of(score_expressions.sweep_metrics)
    def rms_ce(self, y_score: IntoExpr = "y_score", *, bins: int = 10, **options: Any) -> pl.Expr:
        """Return the root mean squared distance of both over bins of scores.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.4, 0.4]})
        >>> round(df.select(pl.col("y").cm.rms_ce("s", bins=5)).item(), 6)
        0.132288
        """
        return self._score(f"rms_ce({bins})", y_score, **options)
