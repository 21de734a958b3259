"""Curves and metrics of scores as methods of the Polars expression namespace ``cm``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.frames import score_expressions
from confmat.frames.expr_metrics import ScoreExprMetrics
from confmat.frames.expressions import IntoExpr
from confmat.frames.shown_options import options_of


class ScoreMethods(ScoreExprMetrics):
    """Methods about scores; the column is the true class, options as in `sweep_metrics`."""

    @options_of(score_expressions.sweep_metrics)
    def sweep_metrics(
        self,
        y_score: IntoExpr = "y_score",
        metrics: Sequence[str] | str | None = None,
        **options: Any,
    ) -> pl.Expr:
        """Several score metrics as one Struct; see `confmat.sweep_metrics`."""
        return score_expressions.sweep_metrics(self._expr, y_score, metrics, **options)

    @options_of(score_expressions.roc_curve)
    def roc_curve(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the ROC curve as List(Struct(threshold, fpr, tpr))."""
        return score_expressions.roc_curve(self._expr, y_score, **options)

    @options_of(score_expressions.pr_curve)
    def pr_curve(self, y_score: IntoExpr = "y_score", **options: Any) -> pl.Expr:
        """Return the precision-recall curve as List(Struct(threshold, recall, precision))."""
        return score_expressions.pr_curve(self._expr, y_score, **options)
