"""Limits of a rate by its likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats

_HALVINGS = 100


def likelihood_limits(k: float, n: float, deviance: Any) -> tuple[Floats, Floats]:
    """Return the least and the greatest rate whose deviance is as given.

    The deviance of a rate p is twice the logarithm of the likelihood of k / n over that of p, for
    k of n rows.

    Parameters
    ----------
    k, n : float
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
    ([0.5, 0.326], [0.5, 0.674])
    """
    wanted = np.asarray(deviance, np.float64)
    low = _below(k, n, wanted)
    return low, 1 - _below(n - k, n, wanted)


def _below(k: float, n: float, deviance: Floats) -> Floats:
    share = k / n
    low, high = np.zeros_like(deviance), np.full_like(deviance, share)
    if k == 0:
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        with np.errstate(divide="ignore"):
            found = -2 * k * np.log(middle / share)
            if k < n:
                found -= 2 * (n - k) * (np.log1p(-middle) - np.log1p(-share))
        too_far = found > deviance
        low, high = np.where(too_far, middle, low), np.where(too_far, high, middle)
    return high
