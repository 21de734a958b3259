"""Intervals of average precision of many classes: by what each row adds, or by rows drawn again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.intervals.bootstrap import bca, deviations
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.jackknife import acceleration
from confmat.intervals.levels import Side
from confmat.intervals.mean_loss import MeanLoss
from confmat.multiclass.counted_rows import CountedRows
from confmat.multiclass.drawn_precisions import drawn_precisions
from confmat.multiclass.row_changes import row_changes
from confmat.options import checked_replicates, checked_seed

PRECISION = "average_precision"
# Rows of each class, or of a "micro" average all, below which average precision, which grows by
# chance, is further off than what each row adds tells.
ENOUGH = 50
# The same for each class: what n rows of a class add by chance falls as 1 / n, however many classes
# there are, and the standard error of their mean as 1 / sqrt(n K).
_ENOUGH_OF_EACH = 16
_FILLED = "a class has no value, and `undefined` in its place is no estimate"


def fewest(
    codes: npt.NDArray[np.integer[Any]], average: str, weights: npt.NDArray[Any] | None = None
) -> float:
    """Return the rows of the smallest of the classes that have any; of a "micro" average all.

    Of weighted rows their effective number.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.multiclass.precision_intervals import fewest
    >>> codes = np.array([0, 0, 3, 3, 3])
    >>> fewest(codes, "macro"), fewest(codes, "micro")
    (2.0, 5.0)
    >>> round(fewest(codes, "macro", np.array([1.0, 1.0, 2.0, 0.1, 0.1])), 2)
    1.2
    """
    of = np.zeros_like(codes) if average == "micro" else codes
    sums = np.bincount(of, weights)
    squares = sums if weights is None else np.bincount(of, np.square(weights, dtype=np.float64))
    known = sums > 0
    return float((sums[known] / squares[known] * sums[known]).min(initial=len(codes)))


def enough(classes: int, average: str) -> int:
    """Return of how many rows of each class there is an interval by what each row adds.

    Examples
    --------
    >>> from confmat.multiclass.precision_intervals import enough
    >>> enough(3, "macro"), enough(10, "macro"), enough(10, "micro")
    (50, 160, 50)
    """
    return ENOUGH if average == "micro" else max(ENOUGH, _ENOUGH_OF_EACH * classes)


def precision_interval(
    rows: CountedRows,
    number: float,
    given: dict[str, Any],
    wanted: tuple[float, Side],
    replicates: int,
    seed: int | None,
) -> Interval:
    """Return the interval of an average, which is drawn where a class has fewer than `enough` rows.

    Parameters
    ----------
    number : float
        Its value.
    given : dict
        Its parameters.
    wanted : tuple
        Level and side.
    replicates, seed
        Of rows that are drawn.
    """
    times, seed = checked_replicates(replicates, 1), checked_seed(seed)
    average = given.get("average", "macro")
    is_filled = given.get("undefined") is not None and average != "micro"
    if is_filled and len(np.unique(rows.codes)) < len(rows.columns):
        return without_ends(number, _FILLED)
    if fewest(rows.codes, average, rows.weights) >= enough(len(rows.columns), average):
        return interval_by_changes(rows, number, given, wanted)
    if given.get("undefined") is not None:
        why = "drawn without `undefined`, as classes come and go among the draws"
        return without_ends(number, why)
    if rows.n < 2:
        return without_ends(number, "there is one row alone")
    return drawn_interval(rows, number, average, wanted, times, np.random.default_rng(seed))


def interval_by_changes(
    rows: CountedRows, number: float, given: dict[str, Any], wanted: tuple[float, Side]
) -> Interval:
    """Return the interval by the variance of what each row adds, with all its classes."""
    changes = row_changes(rows, PRECISION, number, given, 0.0)
    is_macro = given.get("average", "macro") == "macro"
    se = math.sqrt(rows.variance_by_class(changes) if is_macro else rows.variance(changes))
    mean = MeanLoss(se, 0.0, 1.0, 0.0, 1.0, rows.n)
    return Interval(number, *mean.interval(number, *wanted), se, "delta")


def drawn_interval(
    rows: CountedRows,
    number: float,
    average: str,
    wanted: tuple[float, Side],
    replicates: int,
    random: np.random.Generator,
) -> Interval:
    """Return the interval of an average by rows drawn again, of any number of rows."""
    drawn, less, times = drawn_precisions(rows, average, replicates, random)
    if not deviations(drawn) > 0:
        return without_ends(number, "rows that are drawn again all give the same")
    rate = acceleration(number - less, times)
    low, high = (float(end) for end in bca(number, drawn, rate, *wanted)[:2])
    if math.isnan(low + high):
        return without_ends(number, "rows that are drawn again all lie on one side")
    return Interval(number, max(low, 0.0), min(high, 1.0), float(deviations(drawn)), "bootstrap")
