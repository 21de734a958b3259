"""Losses of regressions: squared, absolute, relative, of logarithms, of quantiles, the largest."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.metrics._regression import _check_reg_targets
from sklearn.utils._array_api import get_namespace

from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.number_pairs import (
    Loss,
    checked_pairs,
    mean,
    mean_loss,
    outputs,
    over_outputs,
    plain_pairs,
)
from confmat.sklearn.quantiles import weighted_quantile

__all__ = [
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_pinball_loss",
    "mean_squared_error",
    "mean_squared_log_error",
    "median_absolute_error",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
]

Column = npt.NDArray[Any]

_EPSILON = np.finfo(np.float64).eps


def squared(truth: Column, pred: Column) -> Column:
    """Return the squared error of each row."""
    error = truth - pred
    error *= error
    return error


def absolute(truth: Column, pred: Column) -> Column:
    """Return the absolute error of each row."""
    error = truth - pred
    np.abs(error, out=error)
    return error


def pinball(alpha: float) -> Loss:
    """Return the loss of a quantile."""

    def loss(truth: Column, pred: Column) -> Column:
        error = truth - pred
        return np.maximum(alpha * error, (alpha - 1) * error)

    return loss


def _relative(truth: Column, pred: Column) -> Column:
    error = absolute(truth, pred)
    error /= np.maximum(np.abs(truth), error.dtype.type(_EPSILON))
    return error


def _of_logarithms(truth: Column, pred: Column) -> Column:
    return squared(np.log1p(truth), np.log1p(pred))


@drop_in(metrics.mean_squared_error)
def mean_squared_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the mean of squared errors."""
    return mean_loss(squared, y_true, y_pred, sample_weight, multioutput)


@drop_in(metrics.root_mean_squared_error)
def root_mean_squared_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the root of the mean of squared errors; of several outputs the mean of the roots."""
    each = mean_loss(squared, y_true, y_pred, sample_weight, "raw_values")
    return over_outputs(np.sqrt(each), multioutput)


@drop_in(metrics.mean_absolute_error)
def mean_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the mean of absolute errors."""
    return mean_loss(absolute, y_true, y_pred, sample_weight, multioutput)


@drop_in(metrics.mean_absolute_percentage_error)
def mean_absolute_percentage_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the mean of absolute errors, each divided by the size of the true number."""
    return mean_loss(_relative, y_true, y_pred, sample_weight, multioutput)


@drop_in(metrics.mean_pinball_loss)
def mean_pinball_loss(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the mean loss of predicted quantiles."""
    return mean_loss(pinball(alpha), y_true, y_pred, sample_weight, multioutput)


@drop_in(metrics.mean_squared_log_error)
def mean_squared_log_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the mean of squared differences of logarithms of 1 + x."""
    each, shares = _log_errors("Mean", y_true, y_pred, sample_weight, multioutput)
    return over_outputs(each, shares)


@drop_in(metrics.root_mean_squared_log_error)
def root_mean_squared_log_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the root of the mean of squared differences of logarithms of 1 + x."""
    each, shares = _log_errors("Root Mean", y_true, y_pred, sample_weight, multioutput)
    return over_outputs(np.sqrt(each), shares)


def _log_errors(
    name: str, y_true: Any, y_pred: Any, sample_weight: Any, multioutput: Any
) -> tuple[Column, Any]:
    pairs = plain_pairs(y_true, y_pred, sample_weight)
    if pairs is not None and type(multioutput) is str:
        with np.errstate(all="ignore"):
            value = mean(_of_logarithms, *pairs)
        if math.isfinite(value):
            return np.array([value]), multioutput
    truth, pred, weight, shares = checked_pairs(y_true, y_pred, sample_weight, multioutput)
    if (truth <= -1).any() or (pred <= -1).any():
        raise ValueError(
            f"{name} Squared Logarithmic Error cannot be used when targets contain values less "
            "than or equal to -1."
        )
    return outputs(_of_logarithms, truth, pred, weight), shares


@drop_in(metrics.median_absolute_error)
def median_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    multioutput: Any = "uniform_average",
    sample_weight: Any = None,
) -> Any:
    """Return the median of absolute errors."""
    pairs = plain_pairs(y_true, y_pred, sample_weight)
    if pairs is not None and type(multioutput) is str:
        errors = _whole_errors(y_true, y_pred)
        if errors is None:
            errors = absolute(*pairs[:2])
        if np.isfinite(errors.sum()):
            value = _median(errors, pairs[2])
            return np.array([value]) if multioutput == "raw_values" else value
    xp, _ = get_namespace(y_pred)
    _, truth, pred, weight, shares = _check_reg_targets(
        y_true, y_pred, sample_weight, multioutput, xp=xp
    )
    errors = np.abs(pred - truth)
    each = [_median(errors[:, j].copy(), weight) for j in range(errors.shape[1])]
    kind = errors.dtype if errors.dtype.kind == "f" else np.float64
    return over_outputs(np.array(each, dtype=kind), shares)


def _whole_errors(y_true: Any, y_pred: Any) -> Column | None:
    """Return absolute errors of arrays of int64, which have a median sooner than floats."""
    if type(y_true) is type(y_pred) is np.ndarray and y_true.dtype == y_pred.dtype == np.int64:
        errors: Column = np.abs(y_pred - y_true)
        return errors
    return None


def _median(errors: Column, weight: Column | None) -> float:
    """Return the median; the errors may be put into another order."""
    if weight is None:
        return float(np.median(errors, overwrite_input=True))
    return weighted_quantile(errors, weight, 50)


@drop_in(metrics.max_error)
def max_error(y_true: Any, y_pred: Any) -> float:
    """Return the largest absolute error."""
    pairs = plain_pairs(y_true, y_pred, None)
    if pairs is not None:
        truth, pred, _ = pairs
        found = max(
            float(absolute(truth[at : at + _ROWS], pred[at : at + _ROWS]).max())
            for at in range(0, len(truth), _ROWS)
        )
        if math.isfinite(found):
            return found
    xp, _ = get_namespace(y_pred)
    kind, truth, pred, _, _ = _check_reg_targets(y_true, y_pred, None, None, xp=xp)
    if kind == "continuous-multioutput":
        raise ValueError("Multioutput not supported in max_error")
    return float(np.max(np.abs(truth - pred)))


_ROWS = 1 << 14
