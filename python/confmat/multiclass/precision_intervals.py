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
# Of fewer rows of a class the intervals by what each row adds are too short, as average precision
# grows by chance: with 6 rows of each of ten classes they held a difference in 88 % of samples.
ENOUGH = 50
_FILLED = "a class has no value, and `undefined` in its place is no estimate"


def fewest(codes: npt.NDArray[np.integer[Any]], average: str) -> int:
    """Return the rows of the smallest of the classes that have any; of a "micro" average all.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.multiclass.precision_intervals import fewest
    >>> codes = np.array([0, 0, 3, 3, 3])
    >>> fewest(codes, "macro"), fewest(codes, "micro")
    (2, 5)
    """
    sizes = np.bincount(codes)
    return len(codes) if average == "micro" else int(sizes[sizes > 0].min(initial=len(codes)))


def precision_interval(
    rows: CountedRows,
    number: float,
    given: dict[str, Any],
    wanted: tuple[float, Side],
    replicates: int,
    seed: int | None,
) -> Interval:
    """Return the interval of an average, which is drawn where a class has fewer rows than `ENOUGH`.

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
    if fewest(rows.codes, average) >= ENOUGH:
        return _of_changes(rows, number, given, wanted)
    if given.get("undefined") is not None:
        why = "drawn without `undefined`, as classes come and go among the draws"
        return without_ends(number, why)
    if rows.n < 2:
        return without_ends(number, "there is one row alone")
    return drawn_interval(rows, number, average, wanted, times, np.random.default_rng(seed))


def _of_changes(
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
