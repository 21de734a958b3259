"""Shares of variation that a regression explains: R2, explained variance, D2 of quantiles."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.validation import _num_samples

from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.number_pairs import checked_pairs, explained, mean, plain_pairs, total
from confmat.sklearn.quantiles import weighted_quantile
from confmat.sklearn.regression_losses import pinball, squared

__all__ = ["d2_absolute_error_score", "d2_pinball_score", "explained_variance_score", "r2_score"]

Column = npt.NDArray[Any]
Parts = Callable[[Column, Column, "Column | None"], tuple[float, float]]


@drop_in(metrics.r2_score)
def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """Return 1 - the sum of squared errors over that around the mean of the true numbers."""
    rows = (y_true, y_pred, sample_weight, multioutput)
    return _explained(_squares, *rows, force_finite, least="R^2")


@drop_in(metrics.explained_variance_score)
def explained_variance_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """Return 1 - the variance of the errors over that of the true numbers."""
    return _explained(_variances, y_true, y_pred, sample_weight, multioutput, force_finite)


@drop_in(metrics.d2_pinball_score)
def d2_pinball_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return 1 - the pinball loss over that of the quantile of the true numbers."""
    rows = (y_true, y_pred, sample_weight, multioutput)
    return _explained(_quantile_losses(alpha), *rows, least="D^2")


@drop_in(metrics.d2_absolute_error_score)
def d2_absolute_error_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return 1 - the mean absolute error over that around the median of the true numbers."""
    rows = (y_true, y_pred, sample_weight, multioutput)
    return _explained(_quantile_losses(0.5), *rows, least="D^2")


def _explained(
    parts: Parts,
    y_true: Any,
    y_pred: Any,
    sample_weight: Any,
    multioutput: Any,
    force_finite: bool = True,
    least: str | None = None,  # the score that needs two rows
) -> Any:
    pairs = plain_pairs(y_true, y_pred, sample_weight)
    if pairs is not None and type(multioutput) is str and (len(pairs[0]) > 1 or least is None):
        with np.errstate(all="ignore"):
            left, all_of_it = parts(*pairs)
        if math.isfinite(left) and math.isfinite(all_of_it):
            if left and all_of_it and multioutput != "raw_values":
                return 1 - left / all_of_it
            return explained(np.array([left]), np.array([all_of_it]), multioutput, force_finite)
    truth, pred, weight, shares = checked_pairs(y_true, y_pred, sample_weight, multioutput)
    if least is not None and _num_samples(pred) < 2:
        warnings.warn(
            f"{least} score is not well-defined with less than two samples.",
            UndefinedMetricWarning,
            stacklevel=3,
        )
        return float("nan")
    found = [parts(truth[:, j], pred[:, j], weight) for j in range(truth.shape[1])]
    both = np.array(found, dtype=truth.dtype)
    return explained(both[:, 0], both[:, 1], shares, force_finite)


def _mean_of(values: Column, weight: Column | None) -> Any:
    if weight is None:
        return values.mean()
    return np.average(values, weights=weight)


def _squares(truth: Column, pred: Column, weight: Column | None) -> tuple[float, float]:
    middle = _mean_of(truth, weight)
    around = total(lambda y, _: squared(y, middle), truth, truth, weight)
    return total(squared, truth, pred, weight), around


def _variances(truth: Column, pred: Column, weight: Column | None) -> tuple[float, float]:
    middle = _mean_of(truth, weight)
    bias = mean(np.subtract, truth, pred, weight)

    def around_bias(y: Column, p: Column) -> Column:
        error = y - p
        error -= bias
        error *= error
        return error

    around = mean(lambda y, _: squared(y, middle), truth, truth, weight)
    return mean(around_bias, truth, pred, weight), around


def _quantile_losses(alpha: float) -> Parts:
    loss = pinball(alpha)

    def parts(truth: Column, pred: Column, weight: Column | None) -> tuple[float, float]:
        middle = weighted_quantile(truth, weight, alpha * 100)
        return (
            mean(loss, truth, pred, weight),
            mean(lambda y, _: loss(y, truth.dtype.type(middle)), truth, truth, weight),
        )

    return parts
