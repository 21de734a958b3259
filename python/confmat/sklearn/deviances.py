"""Deviances of regressions: Tweedie's of any power, Poisson's and Gamma's, and D2 of them."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.validation import _num_samples

from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.number_pairs import Loss, Pairs, checked_pairs, mean, plain_pairs
from confmat.sklearn.regression_losses import squared

__all__ = [
    "d2_tweedie_score",
    "mean_gamma_deviance",
    "mean_poisson_deviance",
    "mean_tweedie_deviance",
]

Column = npt.NDArray[Any]


@drop_in(metrics.mean_tweedie_deviance)
def mean_tweedie_deviance(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0
) -> float:
    """Return the mean deviance of a Tweedie distribution of a power."""
    return _mean_deviance(y_true, y_pred, sample_weight, power)


@drop_in(metrics.mean_poisson_deviance)
def mean_poisson_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the mean deviance of a Poisson distribution."""
    return _mean_deviance(y_true, y_pred, sample_weight, 1)


@drop_in(metrics.mean_gamma_deviance)
def mean_gamma_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the mean deviance of a Gamma distribution."""
    return _mean_deviance(y_true, y_pred, sample_weight, 2)


@drop_in(metrics.d2_tweedie_score)
def d2_tweedie_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0
) -> float:
    """Return 1 - the mean deviance over that of the mean of the true numbers."""
    pairs = plain_pairs(y_true, y_pred, sample_weight)
    if pairs is not None and len(pairs[0]) > 1:
        score = _share(pairs, power)
        if score is not None:
            return score
    truth, pred, weight = _checked(y_true, y_pred, sample_weight, "d2_tweedie_score")
    if _num_samples(pred) < 2:
        warnings.warn(
            "D^2 score is not well-defined with less than two samples.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
        return float("nan")
    _check_domain(truth, pred, power)
    loss = deviance(power)
    left = mean(loss, truth, pred, weight)
    return 1 - left / _null_deviance(loss, truth, weight)


def _share(pairs: Pairs, power: float) -> float | None:
    truth, _, weight = pairs
    left = _of_plain(pairs, power)
    if left is None:
        return None
    return 1 - left / _null_deviance(deviance(power), truth, weight)


def _null_deviance(loss: Loss, truth: Column, weight: Column | None) -> float:
    middle = np.average(truth, weights=weight)
    return mean(lambda y, _: loss(y, middle), truth, truth, weight)


def _mean_deviance(y_true: Any, y_pred: Any, sample_weight: Any, power: float) -> float:
    pairs = plain_pairs(y_true, y_pred, sample_weight)
    found = None if pairs is None else _of_plain(pairs, power)
    if found is not None:
        return found
    truth, pred, weight = _checked(y_true, y_pred, sample_weight, "mean_tweedie_deviance")
    _check_domain(truth, pred, power)
    return mean(deviance(power), truth, pred, weight)


def _of_plain(pairs: Pairs, power: float) -> float | None:
    """Return the mean deviance of plain columns within its domain; None: look closer."""
    truth, pred, weight = pairs
    # Above 2 an infinite prediction has a deviance that is finite.
    if not _in_domain(truth, pred, power) or not math.isfinite(pred.max()):
        return None
    with np.errstate(all="ignore"):
        value = mean(deviance(power), truth, pred, weight)
    return value if math.isfinite(value) else None


def _checked(y_true: Any, y_pred: Any, sample_weight: Any, name: str) -> Pairs:
    truth, pred, weight, _ = checked_pairs(y_true, y_pred, sample_weight, None)
    if truth.shape[1] > 1:
        raise ValueError(f"Multioutput not supported in {name}")
    return truth[:, 0], pred[:, 0], weight


def _in_domain(truth: Column, pred: Column, power: float) -> bool:
    if power == 0:
        return True
    if power < 0:
        return bool(pred.min() > 0)
    least = truth.min()
    return bool(pred.min() > 0) and bool(least >= 0 if power < 2 else least > 0)


def _check_domain(truth: Column, pred: Column, power: float) -> None:
    if _in_domain(truth, pred, power):
        return
    wanted = "strictly positive y and y_pred."
    if power < 0:
        wanted = "strictly positive y_pred."
    elif power < 2:
        wanted = "non-negative y and strictly positive y_pred."
    raise ValueError(f"Mean Tweedie deviance error with power={power} can only be used on {wanted}")


def deviance(power: float) -> Loss:
    """Return the deviance of each row for a power."""
    if power == 0:
        return squared
    if power == 1:
        return _poisson
    if power == 2:
        return _gamma

    def loss(truth: Column, pred: Column) -> Column:
        base = truth if power > 0 else np.maximum(truth, 0)
        first = np.power(base, 2 - power) / ((1 - power) * (2 - power))
        second = truth * np.power(pred, 1 - power) / (1 - power)
        return 2 * (first - second + np.power(pred, 2 - power) / (2 - power))

    return loss


def _poisson(truth: Column, pred: Column) -> Column:
    some = truth > 0
    ratio = np.divide(truth, pred, out=np.ones_like(truth), where=some)
    each = np.log(ratio, out=ratio)
    each *= truth
    each -= truth
    each += pred
    each *= 2
    return each


def _gamma(truth: Column, pred: Column) -> Column:
    return 2 * (np.log(pred / truth) + truth / pred - 1)
