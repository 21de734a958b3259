"""Metrics of numbers as methods of the Polars expression namespace ``cm``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.frames import regression_expressions
from confmat.frames.expr_metrics import NumberExprMetrics
from confmat.frames.expressions import IntoExpr
from confmat.frames.shown_options import options_of


class RegressionMethods(NumberExprMetrics):
    """Methods about predicted numbers; the column is the truth."""

    @options_of(regression_expressions.regression_metrics)
    def regression_metrics(
        self,
        y_pred: IntoExpr = "y_pred",
        metrics: Sequence[str] | str | None = None,
        **options: Any,
    ) -> pl.Expr:
        """Several metrics of numbers as one Struct; see `confmat.regression_metrics`."""
        return regression_expressions.regression_metrics(self._expr, y_pred, metrics, **options)
