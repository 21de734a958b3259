"""Aickin's alpha: the share of rows that are classified alike for a cause, not by chance."""

from __future__ import annotations

import math
import warnings

import numpy as np

from confmat.errors import InputError, UndefinedMetricWarning
from confmat.labels import described
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import held, margins

_ROUNDS = 100_000


def aickin_alpha(state: MatrixBase, tolerance: float = 1e-12) -> float:
    """Return Aickin's alpha of truth and prediction.

    Parameters
    ----------
    tolerance : float, default 1e-12
        The rounds end where alpha moves by no more than this.

    Returns
    -------
    float
        At most 1, about 0 where rows agree as by chance, and never less than kappa where that is
        positive. nan with a warning that says why where there are no rows, where all are of one
        class and predicted so, or where the rounds do not end.

    Raises
    ------
    InputError
        A tolerance that is not a number from 0 to 1.

    Notes
    -----
    Rows are taken to be of two kinds. A share alpha is classified alike for a cause. All others are
    classified by chance, with shares p and q of the classes in truth and prediction, and agree in e
    = sum p q of the cases. The observed shares are P = (1 - alpha) p + alpha p q / e, and so for q,
    and the observed agreement is alpha + (1 - alpha) e: three equations, solved in turn.

    References
    ----------
    Aickin (1990), Maximum likelihood estimation of agreement in the constant predictive probability
    model, and its relation to Cohen's kappa, Biometrics 46, https://doi.org/10.2307/2531434

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[40, 9], [6, 45]])
    >>> round(m.aickin_alpha(), 4), round(m.kappa, 4)
    (0.7028, 0.6995)
    """
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)):
        raise InputError(f"`tolerance` is {described(tolerance)}; wanted a number from 0 to 1")
    if not 0 <= tolerance <= 1:
        raise InputError(f"`tolerance` is {tolerance}; wanted a number from 0 to 1")
    cells = state._smoothed()
    rows, cols, diagonal = (np.asarray(part, np.float64) for part in margins(cells))
    n = float(np.asarray(held(cells), np.float64).sum())
    if not n > 0:
        return _undefined("there are no rows")
    true, pred, agreed = rows / n, cols / n, float(diagonal.sum()) / n
    by_chance = float(true @ pred)
    if by_chance == 1:
        return _undefined("all rows are of one class, and predicted so")
    p, q, alpha = true, pred, (agreed - by_chance) / (1 - by_chance)
    for _ in range(_ROUNDS):
        if not by_chance > 0:
            return alpha
        p, q = (
            true / (1 - alpha + alpha * q / by_chance),
            pred / (1 - alpha + alpha * p / by_chance),
        )
        by_chance = float(p @ q)
        before, alpha = alpha, (agreed - by_chance) / (1 - by_chance)
        if not abs(alpha - before) > tolerance:
            return alpha
    return _undefined(f"its {_ROUNDS:,} rounds do not come within {tolerance}")


def _undefined(why: str) -> float:
    warnings.warn(f"Aickin's alpha is undefined: {why}", UndefinedMetricWarning, 3)
    return math.nan
