"""Numbers of a sweep in a frame, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import polars as pl

from confmat.intervals.interval import without_ends
from confmat.intervals.levels import Side, checked_ci
from confmat.intervals.table_ends import with_intervals
from confmat.named_numbers import numbers
from confmat.scores.confidence import REPLICATES, SEED, SLOW, not_asked, several
from confmat.scores.points import outside
from confmat.scores.score_names import is_of_probability, names
from confmat.scores.state import ScoreState
from confmat.scores.values import reason, values


def overall(
    state: ScoreState,
    metrics: Iterable[str] | None = None,
    *,
    ci: float | None = None,
    side: Side = "both",
    seed: int | None = None,
    replicates: int = 2_000,
) -> pl.DataFrame:
    """Return a frame of score metrics, one row a metric.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names as `value` takes them. Default: all.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, as `s.ci` has them; null
        where there is none, and the reason says why. "smooth_ece", whose draws take as long as
        those of all others together, has one where it is named in `metrics`.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.
    seed, replicates
        Of the intervals by bootstrap.

    Returns
    -------
    polars.DataFrame
        Columns `metric`, `value` (null where undefined) and `reason`. Where a score lies
        outside [0, 1], metrics of probabilities are null and the reason says so.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.overall(["roc_auc", "ks"]).rows()
    [('roc_auc', 0.75, None), ('ks', 0.5, None)]
    """
    level = checked_ci(ci, side)
    if metrics is None:
        wanted: tuple[str, ...] = names()
    else:
        wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    refused = outside(state)
    known = values(state, [n for n in wanted if not (refused and is_of_probability(n))])
    found = [known.get(name, math.nan) for name in wanted]
    why = [
        (reason(state, name) if name in known else refused) if math.isnan(number) else None
        for name, number in zip(wanted, found, strict=True)
    ]
    frame = numbers(wanted, found, why)
    if level is None:
        return frame
    drawn = [name for name in known if metrics is not None or name not in SLOW]
    intervals = several(state, drawn, level, replicates, seed, side)
    for name in wanted:
        if name not in intervals:
            why_not = not_asked(name) if name in known else str(refused)
            intervals[name] = without_ends(math.nan, why_not)
    return with_intervals(frame, [intervals[name] for name in wanted])


def ends_of_each(
    sweeps: Iterable[ScoreState], metrics: Sequence[str], level: float, side: Side = "both"
) -> dict[str, pl.Series]:
    """Return the ends of metrics of the sweep of each class, as columns; null where none is."""
    found = [several(one, metrics, level, REPLICATES, SEED, side) for one in sweeps]
    ends = {
        f"{name}_{end}": [getattr(of_class[name], end) for of_class in found]
        for name in metrics
        for end in ("low", "high")
    }
    return {name: pl.Series(end, dtype=pl.Float64).fill_nan(None) for name, end in ends.items()}
