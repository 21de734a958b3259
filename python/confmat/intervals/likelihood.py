"""Limits of a rate by its likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats
from confmat.intervals.wilson import limits

_STEPS = 60
_LEAST = 1e-300
_CLOSE = 1e-8  # of a step, in units of the logit; the one after it is about its square


def likelihood_limits(k: Any, n: Any, deviance: Any) -> tuple[Floats, Floats]:
    """Return the least and the greatest rate whose deviance is as given.

    The deviance of a rate p is twice the logarithm of the likelihood of k / n over that of p, for
    k of n rows.

    Parameters
    ----------
    k, n : array-like of float
        Rows counted, whole or effective; n above 0.
    deviance : array-like of float
        At least 0.

    Returns
    -------
    tuple of ndarray
        (low, high); 0 where k is 0, and 1 where it is n.

    Examples
    --------
    >>> from confmat.intervals.likelihood import likelihood_limits
    >>> low, high = likelihood_limits(15, 30, [0, 3.84])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.5, 0.327], [0.5, 0.673])
    """
    counted, half = np.broadcast_arrays(
        np.asarray(k, np.float64), np.asarray(deviance, np.float64) / 2
    )
    return _least(counted, n, half), 1 - _least(n - counted, n, half)


def _least(k: Floats, n: Any, half: Floats) -> Floats:
    """Return the least rate by Newton's steps in the logit, where the deviance is convex.

    So from any rate below k / n they come close to it from below, and from Wilson's limit soon.
    """
    share = k / n
    some = (k > 0) & (half > 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        p = np.maximum(limits(k, n, np.sqrt(2 * half))[0], _LEAST)
        for _ in range(_STEPS):
            errors = np.where(k < n, (n - k) * (np.log1p(-p) - np.log1p(-share)), 0.0)
            slope = n * (p - share)
            step = np.where(slope < 0, (k * np.log(share / p) - errors - half) / slope, 0.0)
            p = np.clip(p / (p + (1 - p) * np.exp(step)), _LEAST, share)
            if not np.abs(step[some]).max(initial=0.0) > _CLOSE:
                break
    return np.where(some, p, np.where(k > 0, share, 0.0))
