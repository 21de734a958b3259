"""Curves, states and metrics of scores as methods of the Polars expression namespace ``cm``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import polars as pl

from confmat.frames import score_expressions, score_states
from confmat.frames.expr_metrics import ScoreExprMetrics
from confmat.frames.expressions import IntoExpr

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


class ScoreMethods(ScoreExprMetrics):
    """Methods about scores; the column is the true class, options as in `sweep_metrics`."""

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

        See `confmat.frames.score_states.binned_sweep` for the options.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> log = pl.DataFrame({"day": [1, 1, 2, 2], "y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.3, 0.4]})
        >>> days = log.group_by("day").agg(state=pl.col("y").cm.binned_sweep("s"))
        >>> all_days = days.select(pl.col("state").cm.merge_binned_sweeps())
        >>> metrics = all_days.select(pl.col("state").cm.binned_metrics(["roc_auc"]))
        >>> metrics.unnest("binned_metrics").rows()  # n, n_dropped, the area, its bounds, is_exact
        [(4.0, 0, 0.75, 0.75, 0.75, True)]
        """
        return score_states.binned_sweep(self._expr, y_score, **options)

    def merge_binned_sweeps(self) -> pl.Expr:
        """Return the sum of the binned sweeps in this column, of each group."""
        return score_states.merge_binned_sweeps(self._expr)

    def binned_metrics(self, metrics: Sequence[str] | str | None = None) -> pl.Expr:
        """Return metrics of the binned sweeps in this column, with bounds of the AUC."""
        return score_states.binned_metrics(self._expr, metrics)
