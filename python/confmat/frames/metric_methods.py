"""What every expression method of a metric does: one number of its column and another."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat.frames.expressions import metric
from confmat.frames.regression_expressions import regression_metric
from confmat.frames.score_expressions import score_metric
from confmat.labels import Label
from confmat.registry import name_with


class MetricOfLabels:
    """Metrics of a column of true classes; a subclass has a method for each."""

    _expr: pl.Expr

    def _metric(
        self,
        name: str,
        y_pred: str | pl.Expr = "y_pred",
        *,
        labels: Sequence[Label] | None = None,
        sample_weight: str | pl.Expr | None = None,
        pos_label: Label | None = None,
        undefined: float | None = None,
        other: str = "raise",
        keep_empty: bool = False,
        **params: float,
    ) -> pl.Expr:
        """Return one metric of this column as truth against predicted classes."""
        return metric(
            name_with(name, list(params.values())) if params else name,
            self._expr,
            y_pred,
            labels=labels,
            sample_weight=sample_weight,
            pos_label=pos_label,
            undefined=undefined,
            other=other,
            keep_empty=keep_empty,
        )


class MetricOfScores:
    """Metrics of scores of a column of true classes; a subclass has a method for each."""

    _expr: pl.Expr

    def _score(
        self,
        name: str,
        y_score: str | pl.Expr = "y_score",
        *,
        pos_label: Label | None = None,
        sample_weight: str | pl.Expr | None = None,
        nan: str = "raise",
        undefined: float | None = None,
        **params: float,
    ) -> pl.Expr:
        """Return one metric of this column as truth and of scores."""
        return score_metric(
            name_with(name, list(params.values())) if params else name,
            self._expr,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan=nan,
            undefined=undefined,
        )


class MetricOfNumbers:
    """Metrics of a column of true numbers; a subclass has a method for each."""

    _expr: pl.Expr

    def _number(
        self,
        name: str,
        y_pred: str | pl.Expr = "y_pred",
        *,
        sample_weight: str | pl.Expr | None = None,
        nan: str = "raise",
        undefined: float | None = None,
        **params: float,
    ) -> pl.Expr:
        """Return one metric of this column as truth and of predicted numbers."""
        return regression_metric(
            name_with(name, list(params.values())) if params else name,
            self._expr,
            y_pred,
            sample_weight=sample_weight,
            nan=nan,
            undefined=undefined,
        )
