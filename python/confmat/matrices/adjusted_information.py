"""Mutual information beyond what two labelings share by chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from confmat import _core
from confmat.errors import InputError, undefined
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import margins
from confmat.matrices.values import values
from confmat.options import check_choice

_AVERAGES: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda x, y: (x + y) / 2,
    "geometric": lambda x, y: math.sqrt(x * y),
    "min": min,
    "max": max,
}
_ROUNDING = 1e-12  # of entropies
_ULPS = 4 * float(np.finfo(np.float64).eps)


def adjusted_mutual_information(
    state: MatrixBase, average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic"
) -> float:
    """Return the adjusted mutual information of truth and prediction.

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"
        Which mean of the entropies of truth and prediction is the most that they could share.

    Returns
    -------
    float
        (I - E) / (H - E) with the mutual information I, its mean E where rows of the same two
        classes meet by chance, and the mean entropy H: 1 where one tells the other, about 0 where
        neither does. nan with a warning that says why where there are no rows, or all that could be
        shared is shared by chance.

    Raises
    ------
    InputError
        Another average; cells that are no counts.

    Notes
    -----
    Exact up to rounding for any number of rows: E is a sum over the hypergeometric distribution of
    each cell, at every integer or, where that is wide, at every eighth part of its deviation. That
    is at most 1,300 terms for each pair of a true and a predicted class of sizes that differ from
    those of other pairs.

    References
    ----------
    Vinh, Epps and Bailey (2010), Information theoretic measures for clusterings comparison, Journal
    of Machine Learning Research 11, https://www.jmlr.org/papers/v11/vinh10a.html

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.confusion_matrix([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2])
    >>> round(m.adjusted_mutual_information(), 4)
    0.5024
    """
    check_choice("average", average, *_AVERAGES)
    cells = state._smoothed()
    true, pred, _ = margins(cells)
    if np.asarray(true).dtype.kind == "f":
        raise InputError("the cells are weights; the adjusted mutual information is of counts")
    names = ["mutual_information", "entropy_true", "entropy_pred"]
    shared, of_true, of_pred = (math.log(2) * x for x in values(state, names).values())
    if math.isnan(shared):
        return undefined("adjusted_mutual_information", "there are no rows")
    by_chance = _core.expected_information(np.asarray(true), np.asarray(pred))
    most = _AVERAGES[average](of_true, of_pred)
    if not most - by_chance > _ROUNDING * most:
        why = "all that truth and prediction could share, they share by chance"
        return undefined("adjusted_mutual_information", why)
    # What is known of one from the other is all there is: rounding would leave it beside 1.
    if most - shared <= _ULPS * most:
        return 1.0
    return (shared - by_chance) / (most - by_chance)
