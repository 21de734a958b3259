"""True and predicted numbers, and means over their rows, block by block, as caches hold them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics._regression import _check_reg_targets_with_floating_dtype
from sklearn.utils._array_api import get_namespace

from confmat.sklearn import plain_columns

Column = npt.NDArray[Any]
Loss = Callable[[Column, Column], Column]  # of each row; may write into what it made itself
Pairs = tuple[Column, Column, Column | None]

_BLOCK = 1 << 14


def plain_pairs(y_true: Any, y_pred: Any, sample_weight: Any) -> Pairs | None:
    """Return plain columns of float64 and weights above 0; None: scikit-learn must look at them.

    They may hold nan or infinity, of which every mean of a loss is not finite.
    """
    columns = []
    for values in (y_true, y_pred):
        column = plain_columns.plain(values)
        if column is None or column.dtype.char not in "dilq":
            return None
        columns.append(column.astype(np.float64, copy=False))
    truth, pred = columns
    if len(truth) != len(pred):
        return None
    if sample_weight is None:
        return truth, pred, None
    weight = plain_columns.weights(sample_weight, len(truth))
    if weight is None or weight.dtype.char == "f":
        return None
    return truth, pred, weight.astype(np.float64, copy=False)


def checked_pairs(
    y_true: Any, y_pred: Any, sample_weight: Any, multioutput: Any
) -> tuple[Column, Column, Column | None, Any]:
    """Return tables of numbers that scikit-learn's validators have passed, a column an output."""
    xp, _ = get_namespace(y_pred)
    _, truth, pred, weight, shares = _check_reg_targets_with_floating_dtype(
        y_true, y_pred, sample_weight, multioutput, xp=xp
    )
    return truth, pred, weight, shares


def total(loss: Loss, truth: Column, pred: Column, weight: Column | None = None) -> float:
    """Return the sum of a loss of each row times its weight."""
    parts = []
    for first in range(0, len(truth), _BLOCK):
        rows = slice(first, first + _BLOCK)
        each = loss(truth[rows], pred[rows])
        if weight is not None:
            each = each * weight[rows]
        parts.append(float(each.sum(dtype=np.float64)))
    if len(parts) == 1:
        return parts[0]
    found = sum(parts)  # fsum refuses infinities of both signs
    return math.fsum(parts) if math.isfinite(found) else found


def mean(loss: Loss, truth: Column, pred: Column, weight: Column | None = None) -> float:
    """Return the mean of a loss of each row."""
    if weight is None:
        return total(loss, truth, pred) / len(truth)
    weights = float(weight.sum(dtype=np.float64))
    if weights == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return total(loss, truth, pred, weight) / weights


def mean_loss(loss: Loss, y_true: Any, y_pred: Any, sample_weight: Any, multioutput: Any) -> Any:
    """Return the mean of a loss, of several outputs as `multioutput` says."""
    pairs = plain_pairs(y_true, y_pred, sample_weight)
    if pairs is not None and type(multioutput) is str:
        with np.errstate(all="ignore"):
            value = mean(loss, *pairs)
        if math.isfinite(value):
            return np.array([value]) if multioutput == "raw_values" else value
    truth, pred, weight, shares = checked_pairs(y_true, y_pred, sample_weight, multioutput)
    return over_outputs(outputs(loss, truth, pred, weight), shares)


def outputs(loss: Loss, truth: Column, pred: Column, weight: Column | None) -> Column:
    """Return the mean of a loss of each output of tables."""
    found = [mean(loss, truth[:, at], pred[:, at], weight) for at in range(truth.shape[1])]
    return np.array(found, dtype=truth.dtype)


def over_outputs(each: Column, multioutput: Any) -> Any:
    """Return numbers of outputs as they are, or their mean."""
    if isinstance(multioutput, str) and multioutput == "raw_values":
        return each
    return float(np.average(each, weights=None if isinstance(multioutput, str) else multioutput))


def explained(
    numerator: Column, denominator: Column, multioutput: Any, force_finite: bool = True
) -> Any:
    """Return 1 - numerator / denominator of each output, or their mean.

    With `force_finite` no variation is 1 where nothing is left of it, and 0 elsewhere.
    """
    if force_finite:
        scores = np.where(numerator == 0, 1.0, 0.0).astype(numerator.dtype)
        some = (denominator != 0) & (numerator != 0)
        scores[some] = 1 - numerator[some] / denominator[some]
        scores[numerator == 0] = 1.0
    else:
        scores = 1 - numerator / denominator
    if not isinstance(multioutput, str):
        return float(np.average(scores, weights=multioutput))
    if multioutput == "raw_values":
        return scores
    by_variance = multioutput == "variance_weighted" and bool((denominator != 0).any())
    return float(np.average(scores, weights=denominator if by_variance else None))
