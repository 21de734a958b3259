"""Metrics of two scores of the same rows where rows, or whole clusters, are drawn again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.intervals.levels import Floats
from confmat.scores.delong import Mask

# Of weights of rows, one replicate a row: a number, or one of each metric.
Difference: TypeAlias = Callable[[Floats], Floats]
Clusters: TypeAlias = npt.NDArray[np.int64] | None  # the number of that of each row
_AT_ONCE = 1 << 20  # weights of rows


def difference_of_areas(positive: Mask, a: Floats, b: Floats, scale: float = 1) -> Difference:
    """Return what gives the areas under the ROC curve, b - a, of rows with other weights.

    `scale` is 2 of Gini's coefficient.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.paired.score_bootstrapping import difference_of_areas
    >>> y, a, b = np.array([False, True, False]), np.array([1.0, 2, 3]), np.array([1.0, 3, 3])
    >>> difference_of_areas(y, a, b)(np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [0.25, 0.0]
    """
    one, other = _area(positive, a), _area(positive, b)
    return lambda weights: scale * (other(weights) - one(weights))


def difference_of_means(costs: Floats) -> Difference:
    """Return what gives the mean of differences of costs, of rows with other weights."""
    return lambda weights: weights @ costs / weights.sum(1)


def difference_of_sweeps(
    names: Sequence[str],
    positive: Mask,
    scores: Sequence[Floats],
    clips: Sequence[float],
) -> Difference:
    """Return what gives metrics of scores, b - a, of rows with other weights: a column a metric.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.paired.score_bootstrapping import difference_of_sweeps
    >>> y, a, b = np.array([False, True, False]), np.array([1.0, 2, 3]), np.array([1.0, 3, 3])
    >>> of = difference_of_sweeps(["average_precision", "roc_auc"], y, (a, b), (0.0, 0.0))
    >>> of(np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [[0.0, 0.25], [0.0, 0.0]]
    """
    one, other = (_sweep(names, positive, of, clip) for of, clip in zip(scores, clips, strict=True))
    return lambda weights: other(weights) - one(weights)


def replicates(
    difference: Difference, weights: Floats, clusters: Clusters, count: int, seed: int
) -> Floats:
    """Return the differences of rows that are drawn again, or of clusters, given by number.

    nan where one class alone was drawn. The same seed draws the same rows.
    """
    random = np.random.default_rng(seed)
    units = len(weights) if clusters is None else int(clusters.max()) + 1
    step = max(1, _AT_ONCE // len(weights))
    drawn = []
    for start in range(0, count, step):
        rows = min(step, count - start)
        picked = random.integers(0, units, (rows, units))
        picked += units * np.arange(rows)[:, np.newaxis]
        times = np.bincount(picked.ravel(), minlength=rows * units).reshape(rows, units)
        of_rows = times if clusters is None else times[:, clusters]
        with np.errstate(invalid="ignore"):
            drawn.append(difference(of_rows * weights))
    return np.concatenate(drawn)


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


def _sweep(names: Sequence[str], positive: Mask, scores: Floats, clip: float) -> Difference:
    """Return what sums the weights at each distinct score, from the highest, and the metrics."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    is_positive, at = positive[order].astype(np.float64), ordered[starts]
    wanted = list(names)

    def of(weights: Floats) -> Floats:
        found = np.empty((len(weights), len(wanted)))
        for i, row in enumerate(weights):
            own = row[order]
            of_positives = own * is_positive
            sides = (of_positives, own - of_positives)
            sums = (np.add.reduceat(side, starts) for side in sides)
            found[i] = _core.score_values(wanted, at, *sums, clip=clip)
        return found

    return of
