"""What each row adds to a metric of a regression: its derivative in the weight of the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from confmat import _core
from confmat.intervals.levels import Floats
from confmat.moments.gradients import GRADIENTS
from confmat.moments.names import fact_of
from confmat.objects.regression import Regression

Term: TypeAlias = Callable[[Floats, Floats, float], Floats]  # of truth, prediction, parameter


def _pinball(y: Floats, p: Floats, quantile: float) -> Floats:
    error = y - p
    out: Floats = np.maximum(quantile * error, (quantile - 1) * error)
    return out


def _huber(y: Floats, p: Floats, delta: float) -> Floats:
    size = np.abs(y - p)
    return np.where(size <= delta, size * size / 2, delta * (size - delta / 2))


def _smape(y: Floats, p: Floats, _: float) -> Floats:
    size = np.abs(y) + np.abs(p)
    out: Floats = np.divide(2 * np.abs(y - p), size, out=np.zeros_like(size), where=size > 0)
    return out


def _of_logarithms(y: Floats, p: Floats, _: float) -> Floats:
    return (np.log1p(y) - np.log1p(p)) ** 2


# Metrics that are the mean of a term of each row.
_MEANS: Mapping[str, Term] = {
    "mean_error": lambda y, p, _: p - y,
    "mae": lambda y, p, _: np.abs(y - p),
    "mase": lambda y, p, naive: np.abs(y - p) / naive,
    "mse": lambda y, p, _: (y - p) ** 2,
    "mape": lambda y, p, _: np.abs((y - p) / y),
    "pinball": _pinball,
    "huber": _huber,
    "smape": _smape,
    "msle": _of_logarithms,
}
_ROOTS: Mapping[str, Term] = {"rmsle": _of_logarithms}  # of such means


def is_mean(metric: str) -> bool:
    """Return whether a metric is the mean of a term of each row."""
    return metric in _MEANS


def has_terms(metric: str) -> bool:
    """Return whether it is known what each row adds."""
    return metric in _MEANS or metric in _ROOTS or metric in GRADIENTS


def divides_by_value(metric: str) -> bool:
    """Return whether nothing is known where the metric is at an end of its range."""
    return has_terms(metric) and not is_mean(metric)


def added(state: Regression, name: str, truth: Floats, prediction: Floats) -> Floats:
    """Return by how much a row more, over their number, moves the metric: 0 in the mean.

    Needs: `has_terms`, and a value inside its range where `divides_by_value`.

    Examples
    --------
    >>> import confmat as cm
    >>> import numpy as np
    >>> from confmat.paired.row_terms import added
    >>> y, p = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.0, 3.0])
    >>> added(cm.regression(y, p), "mae", y, p).tolist()
    [0.0, -0.5, 0.5]
    """
    metric, value = fact_of(name)["name"], state.value(name)
    if metric in _MEANS or metric in _ROOTS:
        term = _MEANS.get(metric) or _ROOTS[metric]
        terms = term(truth, prediction, _core.regression_param(name))
        return terms - value if metric in _MEANS else (terms - value**2) / (2 * value)
    s = state._spread()
    u, e = truth - s.truth, prediction - truth - s.error
    gradient = GRADIENTS[metric](s)
    if metric == "adjusted_r2":
        gradient = gradient * (state.n_rows - 1) / (state.n_rows - _core.regression_param(name) - 1)
    elif metric == "r2_correlation":  # the square of what has the gradient
        gradient = gradient * 2 * state.value("pearson_r")
    moved: Floats = gradient @ np.stack([u, e, u * u - s.uu, u * e - s.ue, e * e - s.ee])
    return moved
