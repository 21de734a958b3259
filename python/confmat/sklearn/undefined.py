"""Ratios that may be 0/0, what stands for them, and scikit-learn's warning about them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import UndefinedMetricWarning

Floats = npt.NDArray[np.float64]

LEVEL = 5  # the caller of a metric, from where its ratios are taken


def ratio(
    numerator: npt.NDArray[Any],
    denominator: npt.NDArray[Any],
    metric: str,
    modifier: str,
    average: str | None,
    warn_for: Collection[str],
    zero_division: Any,
    rows: int,
) -> Floats:
    """Return the ratios, `zero_division` where the denominator is 0.

    `rows` is how many classes, or rows of label sets, scikit-learn would take ratios of.
    """
    undefined = denominator == 0
    if not undefined.any():
        return np.asarray(numerator / denominator)
    found: Floats = np.empty(len(undefined))
    np.divide(numerator, denominator, where=~undefined, out=found)
    warns = isinstance(zero_division, str)
    found[undefined] = 0.0 if warns else float(zero_division)
    if warns and metric in warn_for:
        _warn(f"{metric.capitalize()} is", modifier, average == "samples", rows)
    return found


def _warn(of: str, modifier: str, by_row: bool, rows: int) -> None:
    lacks, held = ("labels", "samples") if by_row else ("samples", "labels")
    where = "due to" if rows == 1 else f"in {held} with"
    warnings.warn(
        f"{of} ill-defined and being set to 0.0 {where} no {modifier} {lacks}. "
        "Use `zero_division` parameter to control this behavior.",
        UndefinedMetricWarning,
        stacklevel=LEVEL,
    )


def mean(values: Floats, weights: Any = None) -> float:
    """Return the mean of the values that are numbers; where all of these weigh 0, the plain one."""
    numbers = ~np.isnan(values)
    if not numbers.all():
        values = values[numbers]
        weights = None if weights is None else weights[numbers]
    if not len(values):
        return math.nan
    total = 0 if weights is None else weights.sum()
    if not total:
        return float(values.sum() / len(values))
    return float((values * weights).sum() / total)
