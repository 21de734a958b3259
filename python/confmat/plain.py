"""What every generated function does: count, take one value, warn once where it is undefined."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from confmat.errors import InputError, UndefinedMetricWarning
from confmat.labels import Label
from confmat.matrices.matrix import confusion_matrix
from confmat.options import checked_undefined
from confmat.registry import averages, name_with
from confmat.scores.exact import sweep

Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "ovo"]


def value(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    average: str | None = None,
    pos_label: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: Any | None = None,
    undefined: float | None = None,
    **params: Any,
) -> float:
    """Return one metric of true and predicted classes; the public functions say more."""
    asked = name
    if average is not None and average != "binary":
        known = averages(name)
        if average not in known:
            wanted = ", ".join(map(repr, known))
            raise InputError(f"`average` is {average!r}; wanted {wanted} or None for {name}")
        asked = known[average]
    matrix = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    number = matrix.value(asked, pos_label=pos_label, undefined=undefined, **params)
    return _warned(asked, number, undefined)


def score_value(
    name: str,
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = None,
    sample_weight: Any | None = None,
    undefined: float | None = None,
    **params: Any,
) -> float:
    """Return one metric of true classes and scores; the public functions say more."""
    fill = checked_undefined(undefined)
    state = sweep(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    asked = name_with(name, list(params.values())) if params else name
    number = state.value(asked)
    if fill is not None and math.isnan(number):
        number = fill
    return _warned(asked, number, undefined)


def _warned(name: str, number: float, undefined: float | None) -> float:
    if undefined is None and math.isnan(number):
        message = f"{name} is undefined here and nan; `undefined=0.0` would give 0.0 instead"
        warnings.warn(message, UndefinedMetricWarning, stacklevel=4)
    return number
