"""Logistic regressions on one score, by damped Newton steps on the counts at distinct scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from confmat.scores.counts import Floats, dot

_STEPS = 1000
_FAR = 1e100
_ROUNDING = 1e-14  # relative
_CLOSE = 1e-6  # steps this small that stop shrinking are rounding

SEPARATED = "the scores separate the classes: the likelihood has no maximum"
ONE_CLASS = "all rows are of one class"
EQUAL = "all scores are equal"
_LOST = "the fit did not converge"


class NoFit(Exception):  # noqa: N818  (a result, never seen by users)
    """The likelihood has no single maximum; the message is the reason."""


class Chances(NamedTuple):
    """What log odds say of each row, and the log loss summed over the rows."""

    positive: Floats
    negative: Floats
    loss: float


def chances(z: Floats, positives: Floats, negatives: Floats) -> Chances:
    """Return 1 / (1 + exp(-z)), 1 / (1 + exp(z)) and the loss, without overflow or cancellation."""
    small = np.exp(-np.abs(z))
    likely, unlikely = 1.0 / (1.0 + small), small / (1.0 + small)
    up = z >= 0
    wrong = dot(np.where(up, negatives, positives), np.abs(z))
    loss = dot(positives + negatives, np.log1p(small)) + wrong
    return Chances(np.where(up, likely, unlikely), np.where(up, unlikely, likely), loss)


def slope_and_intercept(x: Floats, positives: Floats, negatives: Floats) -> tuple[float, float]:
    """Return (a, b) of the maximum likelihood fit of P(positive) = sigmoid(a x + b).

    Counts may be fractions. `x` is finite and ascending.

    Raises
    ------
    NoFit
        One class, one distinct `x`, or classes that `x` separates.
    """
    _both(positives, negatives)
    if x[0] == x[-1]:
        raise NoFit(EQUAL)
    of_pos, of_neg = x[positives > 0], x[negatives > 0]
    if of_neg[-1] <= of_pos[0] or of_pos[-1] <= of_neg[0]:
        raise NoFit(SEPARATED)
    mass = positives + negatives
    total = mass.sum()
    # In units of its own spread, or the Hessian would be ill-conditioned.
    middle = dot(mass, x) / total
    reach = float(np.abs(x - middle).max())
    scaled = (x - middle) / reach
    spread = math.sqrt(dot(mass, scaled**2) / total)
    scaled, spread = scaled / spread, spread * reach
    start = [0.0, float(np.log(positives.sum() / negatives.sum()))]
    a, b = _newton([scaled, np.ones_like(x)], positives, negatives, start)
    return float(a / spread), float(b - a * middle / spread)


def intercept(x: Floats, positives: Floats, negatives: Floats) -> float:
    """Return b of the maximum likelihood fit of P(positive) = sigmoid(x + b).

    Raises
    ------
    NoFit
        One class.
    """
    _both(positives, negatives)
    mass = positives + negatives
    odds = np.log(positives.sum() / negatives.sum())
    start = [float(odds - dot(mass, x) / mass.sum())]
    return float(_newton([np.ones_like(x)], positives, negatives, start, x)[0])


def slope(x: Floats, positives: Floats, negatives: Floats) -> float:
    """Return a, not negative, of the maximum likelihood fit of P(positive) = sigmoid(a x).

    Raises
    ------
    NoFit
        Every x is 0, or no positive is below 0 and no negative above: the best a is infinite.
    """
    if not x.any():
        raise NoFit("every score is 0.5, whatever the temperature")
    if not ((positives > 0) & (x < 0)).any() and not ((negatives > 0) & (x > 0)).any():
        raise NoFit("every score is on the right side of 0.5: the likelihood has no maximum")
    if dot(x, positives - negatives) <= 0:
        return 0.0
    spread = float(np.abs(x).max())
    return float(_newton([x / spread], positives, negatives, [0.0])[0] / spread)


def _both(positives: Floats, negatives: Floats) -> None:
    if not (positives.any() and negatives.any()):
        raise NoFit(ONE_CLASS if positives.any() or negatives.any() else "there are no rows")


def _newton(
    columns: Sequence[Floats],
    positives: Floats,
    negatives: Floats,
    start: Sequence[float],
    offset: Floats | float = 0.0,
) -> Floats:
    """Minimise the log loss over the weights of `columns`: convex, and known to have a minimum."""
    mass = positives + negatives
    at = np.array(start)

    def odds(weights: Floats) -> Floats:
        z = sum(w * column for w, column in zip(weights, columns, strict=True))
        return np.asarray(z + offset, dtype=np.float64)

    def curved(by_row: Floats) -> Floats:
        return np.array([[dot(one, by_row * two) for two in columns] for one in columns])

    # The Hessian is at most this one, everywhere: a step by it never goes up.
    bound = curved(mass / 4)
    now = chances(odds(at), positives, negatives)
    last, damping = np.inf, 0.0
    for _ in range(_STEPS):
        # mass p - positives, written so that rows which are sure of themselves do not cancel
        pull = negatives * now.positive - positives * now.negative
        gradient = np.array([dot(column, pull) for column in columns])
        hessian = curved(mass * now.positive * now.negative)
        while True:
            step = _solved(hessian + damping * bound, gradient)
            if step is not None:
                new = chances(odds(at - step), positives, negatives)
                hoped = float(gradient @ step - step @ hessian @ step / 2)
                # Near the minimum the loss is flat to rounding, and the step knows better.
                if now.loss - new.loss >= hoped / 4 - _ROUNDING * now.loss:
                    break
            if damping > 1:
                raise NoFit(_LOST)
            damping = max(damping * 4, 1e-6)
        size = float(np.abs(step).max() / (1 + np.abs(at).max()))
        at, now = at - step, new
        if size <= _ROUNDING or last / 2 < size <= _CLOSE:
            return at
        last = size
        damping = damping / 8 if damping > 1e-6 else 0.0
    raise NoFit(_LOST)


def _solved(hessian: Floats, gradient: Floats) -> Floats | None:
    try:
        step = np.asarray(np.linalg.solve(hessian, gradient), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return step if np.abs(step).max() < _FAR else None
