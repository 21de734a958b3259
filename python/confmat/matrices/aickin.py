"""Aickin's alpha: the share of rows that are classified alike for a cause, not by chance."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.errors import undefined
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import held, margins

_HALVINGS = 200
Floats: TypeAlias = npt.NDArray[np.float64]


def aickin_alpha(state: MatrixBase) -> float:
    """Return Aickin's alpha of truth and prediction.

    Returns
    -------
    float
        From 0, where rows agree no more often than by chance, to 1; at least kappa. nan with a
        warning that says why where there are no rows, or all are of one class and predicted so.

    Notes
    -----
    Rows are taken to be of two kinds. A share alpha is classified alike for a cause. All others are
    classified by chance, with shares p and q of the classes in truth and prediction, and agree in e
    = sum p q of the cases. The observed shares are P = (1 - alpha) p + alpha p q / e, and so for q,
    and the observed agreement is alpha + (1 - alpha) e. Given e, these are a quadratic equation for
    each class; e is where the shares sum to 1, found by halving. It is 0 where no row need agree by
    chance, and alpha the accuracy.

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
    cells = state._smoothed()
    rows, cols, diagonal = (np.asarray(part, np.float64) for part in margins(cells))
    n = float(np.asarray(held(cells), np.float64).sum())
    if not n > 0:
        return undefined("aickin_alpha", "there are no rows")
    true, pred, agreed = rows / n, cols / n, float(diagonal.sum()) / n
    by_chance = float(true @ pred)
    if by_chance == 1:
        return undefined("aickin_alpha", "all rows are of one class, and predicted so")
    if agreed <= by_chance:
        return 0.0
    if agreed == 1 or not np.any((rows > diagonal) & (cols > diagonal)):
        return agreed  # no class is both missed and named wrongly: nothing need agree by chance
    low, high = 0.0, by_chance
    for _ in range(_HALVINGS):
        e = (low + high) / 2
        if not low < e < high:
            break
        if _shares_by_chance(true, pred, agreed, e) > 1:
            high = e
        else:
            low = e
    return (agreed - high) / (1 - high)


def _shares_by_chance(true: Floats, pred: Floats, agreed: float, e: float) -> float:
    """Return the sum of the shares q that follow from an agreement by chance."""
    rest = (1 - agreed) / (1 - e)  # of rows by chance
    a = (1 - rest) / e
    b = rest + a * (true - pred) / rest
    root = np.sqrt(b * b + 4 * a * pred)
    with np.errstate(divide="ignore", invalid="ignore"):  # both forms are one, but for their digits
        q = np.where(b > 0, 2 * pred / (b + root), (root - b) / (2 * a))
    return math.fsum(q.tolist())
