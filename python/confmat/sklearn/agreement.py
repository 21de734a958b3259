"""How often predictions agree with the truth: accuracy and its kin."""

from __future__ import annotations

from typing import Any

from sklearn import metrics

from confmat.sklearn.drop_in import drop_in

__all__ = ["accuracy_score"]


@drop_in(metrics.accuracy_score)
def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of rows whose prediction is right."""
    raise NotImplementedError
