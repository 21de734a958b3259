"""Many classes and label sets as methods of the Polars expression namespace ``cm``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.frames import class_expressions
from confmat.frames.objects_by_group import IntoColumns
from confmat.frames.shown_options import options_of


class ClassMethods:
    """Methods of a column of true classes, or of true sets of labels."""

    _expr: pl.Expr

    @options_of(class_expressions.multiclass_metrics)
    def multiclass_metrics(
        self,
        y_score: IntoColumns = "y_score",
        metrics: Sequence[str] | str | None = None,
        **options: Any,
    ) -> pl.Expr:
        """Metrics of scores of many classes as one Struct; see `confmat.multiclass_metrics`."""
        return class_expressions.multiclass_metrics(self._expr, y_score, metrics, **options)

    @options_of(class_expressions.multilabel_metrics)
    def multilabel_metrics(
        self,
        y_pred: IntoColumns | None = None,
        metrics: Sequence[str] | str | None = None,
        **options: Any,
    ) -> pl.Expr:
        """Metrics of label sets as one Struct; see `confmat.multilabel_metrics`."""
        return class_expressions.multilabel_metrics(self._expr, y_pred, metrics, **options)
