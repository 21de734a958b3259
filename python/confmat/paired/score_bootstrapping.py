"""Metrics of two scores of the same rows where rows, or whole clusters, are drawn again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.intervals.levels import Floats
from confmat.scores.delong import Mask

Difference: TypeAlias = Callable[[Floats], Floats]  # of weights of rows, one replicate a row
_AT_ONCE = 1 << 20  # weights of rows


def difference_of_areas(positive: Mask, a: Floats, b: Floats) -> Difference:
    """Return what gives the areas under the ROC curve, b - a, of rows with other weights.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.paired.score_bootstrapping import difference_of_areas
    >>> y, a, b = np.array([False, True, False]), np.array([1.0, 2, 3]), np.array([1.0, 3, 3])
    >>> difference_of_areas(y, a, b)(np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [0.25, 0.0]
    """
    one, other = _area(positive, a), _area(positive, b)
    return lambda weights: other(weights) - one(weights)


def difference_of_means(costs: Floats) -> Difference:
    """Return what gives the mean of differences of costs, of rows with other weights."""
    return lambda weights: weights @ costs / weights.sum(1)


def replicates(
    difference: Difference,
    weights: Floats,
    clusters: npt.NDArray[np.int64] | None,
    count: int,
    seed: int,
) -> Floats:
    """Return the differences of rows that are drawn again, or of clusters, given by number.

    nan where one class alone was drawn. The same seed draws the same rows.
    """
    random = np.random.default_rng(seed)
    units = len(weights) if clusters is None else int(clusters.max()) + 1
    step = max(1, _AT_ONCE // len(weights))
    drawn = np.empty(count)
    for start in range(0, count, step):
        rows = min(step, count - start)
        picked = random.integers(0, units, (rows, units))
        picked += units * np.arange(rows)[:, np.newaxis]
        times = np.bincount(picked.ravel(), minlength=rows * units).reshape(rows, units)
        of_rows = times if clusters is None else times[:, clusters]
        with np.errstate(invalid="ignore"):
            drawn[start : start + rows] = difference(of_rows * weights)
    return drawn


def _area(positive: Mask, scores: Floats) -> Difference:
    """Return what sums, over positives, the negatives below, and half of those beside."""
    positives, negatives = np.flatnonzero(positive), np.flatnonzero(~positive)
    negatives = negatives[np.argsort(scores[negatives], kind="stable")]
    low, high = (
        np.searchsorted(scores[negatives], scores[positives], side) for side in ("left", "right")
    )

    def of(weights: Floats) -> Floats:
        below = np.zeros((len(weights), len(negatives) + 1))
        np.cumsum(weights[:, negatives], axis=1, out=below[:, 1:])
        own = weights[:, positives]
        won = np.einsum("ij,ij->i", own, below[:, low] + below[:, high]) / 2
        area: Floats = won / (own.sum(1) * below[:, -1])
        return area

    return of
