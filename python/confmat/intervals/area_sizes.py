"""How sure an area under the ROC curve is by its size alone, and how many rows a width needs."""

from __future__ import annotations

import math

from confmat.intervals.levels import z_of
from confmat.intervals.sample_size import checked_share, counted
from confmat.own_errors import own_errors

_STEPS = 60  # halvings


@own_errors
def hanley_mcneil(auc: float, n_positive: float, n_negative: float) -> float:
    """Return the standard error of an area under the ROC curve that its size alone suggests.

    For planning, before there are scores: those of the classes are taken as exponential.

    Parameters
    ----------
    auc : float
        The area, from 0 to 1.
    n_positive, n_negative : float
        Rows of the two classes.

    Returns
    -------
    float
        nan where a class has no rows.

    References
    ----------
    Hanley and McNeil (1982), https://doi.org/10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> from confmat.intervals.area_sizes import hanley_mcneil
    >>> round(hanley_mcneil(0.893, 51, 58), 4)
    0.0325
    """
    if not (n_positive > 0 and n_negative > 0) or math.isnan(auc):
        return math.nan
    area = checked_share(auc, "auc", ends=True)
    square = area * area
    of_positives = (n_positive - 1) * (area / (2 - area) - square)
    of_negatives = (n_negative - 1) * (2 * square / (1 + area) - square)
    spread = area * (1 - area) + of_positives + of_negatives
    return math.sqrt(max(spread, 0.0) / n_positive / n_negative)


@own_errors
def area_interval(
    auc: float, n_positive: float, n_negative: float, level: float = 0.95
) -> tuple[float, float]:
    """Return the areas that lie z of their own standard errors, by `hanley_mcneil`, from this one.

    As Wilson's interval of a rate does, it stays within [0, 1] and has width at an area of 1.

    Parameters
    ----------
    auc, n_positive, n_negative
        As in `hanley_mcneil`.
    level : float, default 0.95
        Of the interval.

    Returns
    -------
    tuple of float
        (low, high); nan where a class has no rows.

    References
    ----------
    Newcombe (2006), https://doi.org/10.1002/sim.2324

    Examples
    --------
    >>> from confmat.intervals.area_sizes import area_interval
    >>> [round(end, 3) for end in area_interval(0.893, 51, 58)]
    [0.81, 0.941]
    >>> [round(end, 3) for end in area_interval(1.0, 10, 10)]
    [0.8, 1.0]
    """
    z = z_of(level)
    if math.isnan(hanley_mcneil(auc, n_positive, n_negative)):
        return math.nan, math.nan
    ends = []
    for outer in (0.0, 1.0):
        near, far = float(auc), outer
        for _ in range(_STEPS):
            middle = (near + far) / 2
            is_within = abs(auc - middle) <= z * hanley_mcneil(middle, n_positive, n_negative)
            near, far = (middle, far) if is_within else (near, middle)
        ends.append(outer if near in (far, outer) else far)
    return ends[0], ends[1]


@own_errors
def positives_for_auc(width: float, auc: float, share: float = 0.5, level: float = 0.95) -> int:
    """Return the positives that an interval of the area under the ROC curve of a width needs.

    Parameters
    ----------
    width : float
        From the lower end to the upper one, of `area_interval`.
    auc : float
        What the area is expected to be.
    share : float, default 0.5
        Of all rows, the positive ones; the negatives that go with them are counted on.
    level : float, default 0.95
        Of the interval.

    Examples
    --------
    >>> from confmat.intervals.area_sizes import positives_for_auc
    >>> positives_for_auc(0.1, 0.8), positives_for_auc(0.1, 0.8, share=0.01)
    (151, 108)
    """
    checked_share(width, "width")
    negatives = (1 - checked_share(share, "share")) / share
    checked_share(auc, "auc", ends=True)

    def is_enough(positives: int) -> bool:
        low, high = area_interval(auc, positives, max(positives * negatives, 1.0), level)
        return high - low <= width

    few, many = 0, 1
    while not is_enough(many):
        few, many = many, counted(2 * many)
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if is_enough(middle) else (middle, many)
    return many
