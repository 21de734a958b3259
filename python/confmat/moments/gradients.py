"""How metrics of a regression change with means of truth and error, and of their products."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from confmat.intervals.levels import Floats
from confmat.moments.spread import Spread

# By the means of truth and error, and of uu, ue and ee: see `Spread`.
Gradient: TypeAlias = Callable[[Spread], Floats]


def _mse(s: Spread) -> Floats:
    return np.array([0.0, 2 * s.error, 0.0, 0.0, 1.0])


def _square(s: Spread) -> float:
    return s.ee + s.error**2


def _rmse(s: Spread) -> Floats:
    root = math.sqrt(_square(s))
    return np.array([0.0, s.error / root, 0.0, 0.0, 0.5 / root])


def _r2(s: Spread) -> Floats:
    return np.array([0, -2 * s.error / s.uu, _square(s) / s.uu**2, 0, -1 / s.uu])


def _explained_variance(s: Spread) -> Floats:
    return np.array([0, 0, s.ee / s.uu**2, 0, -1 / s.uu])


def _nrmse_mean(s: Spread) -> Floats:
    size = abs(s.truth)
    by_truth = -math.sqrt(_square(s)) / (size * s.truth)
    out: Floats = _rmse(s) / size + np.array([by_truth, 0, 0, 0, 0])
    return out


def _nrmse_std(s: Spread) -> Floats:
    by_truth = -math.sqrt(_square(s)) / (2 * s.uu**1.5)
    out: Floats = _rmse(s) / math.sqrt(s.uu) + np.array([0, 0, by_truth, 0, 0])
    return out


def _of_predictions(s: Spread) -> tuple[float, float, float]:
    """Return the mean prediction, its variance, and its covariance with the truth."""
    return s.truth + s.error, s.uu + 2 * s.ue + s.ee, s.uu + s.ue


def _by_error(y: float, p: float, yy: float, yp: float, pp: float) -> Floats:
    """Return a gradient by means of y and p and their products as one by those of y and error."""
    return np.array([y + p, p, yy + yp + pp, yp + 2 * pp, pp])


def _pearson_r(s: Spread) -> Floats:
    _, pp, yp = _of_predictions(s)
    size = math.sqrt(s.uu) * math.sqrt(pp)
    r = yp / size
    return _by_error(0, 0, -r / (2 * s.uu), 1 / size, -r / (2 * pp))


def _ccc(s: Spread) -> Floats:
    _, pp, yp = _of_predictions(s)
    apart = s.uu + pp + s.error**2
    ccc = 2 * yp / apart
    by_error = -2 * ccc * s.error / apart
    return _by_error(-by_error, by_error, -ccc / apart, 2 / apart, -ccc / apart)


def _slope(s: Spread) -> Floats:
    _, pp, yp = _of_predictions(s)
    return _by_error(0, 0, 0, 1 / pp, -yp / pp**2)


def _intercept(s: Spread) -> Floats:
    prediction, pp, yp = _of_predictions(s)
    return _by_error(1, -yp / pp, 0, -prediction / pp, prediction * yp / pp**2)


GRADIENTS: Mapping[str, Gradient] = {
    "mse": _mse,
    "rmse": _rmse,
    "r2": _r2,
    "adjusted_r2": _r2,  # but for a factor
    "explained_variance": _explained_variance,
    "pearson_r": _pearson_r,
    "r2_correlation": _pearson_r,  # whose square it is
    "ccc": _ccc,
    "slope": _slope,
    "intercept": _intercept,
    "nrmse_mean": _nrmse_mean,
    "nrmse_std": _nrmse_std,
}
