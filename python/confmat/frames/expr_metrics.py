"""Every metric as a method of the Polars expression namespace ``cm``."""

from __future__ import annotations

from confmat.callables.late_methods import add_methods
from confmat.frames.metric_methods import MetricOfLabels, MetricOfNumbers, MetricOfScores
from confmat.registry import names


class ExprMetrics(MetricOfLabels):
    """One method a metric of labels; `expr_metrics.pyi` lists them."""


class ScoreExprMetrics(MetricOfScores):
    """One method a metric of scores; `expr_metrics.pyi` lists them."""


class NumberExprMetrics(MetricOfNumbers):
    """One method a metric of numbers; `expr_metrics.pyi` lists them."""


add_methods(ExprMetrics, ExprMetrics._metric, names("overall", "class", "average"))
add_methods(ScoreExprMetrics, ScoreExprMetrics._score, names("score"))
add_methods(NumberExprMetrics, NumberExprMetrics._number, names("regression"))
