"""Intervals of means over sweeps of the same rows, one a class or label, from the sweeps alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from confmat.intervals.interval import Interval, why_none, without_ends
from confmat.intervals.levels import Side
from confmat.intervals.scales import reach
from confmat.intervals.together import mean_together, spread_of_support
from confmat.labels import Label
from confmat.scores.confidence import DELTA, ci
from confmat.scores.influence import PRECISION
from confmat.scores.score_names import facts, reading
from confmat.scores.state import ScoreState


def mean_of_sweeps(
    sweeps: Sequence[ScoreState],
    labels: Sequence[Label],
    name: str,
    number: float,
    wanted: tuple[float, Side],
    *,
    weighted: bool,
    exclusive: bool,
    **options: Any,
) -> Interval:
    """Return the interval of a mean of a metric over sweeps, whatever their correlations.

    Parameters
    ----------
    sweeps, labels
        Each class or label against the rest; those where the metric is undefined are left out.
    name : str
        The metric of one sweep, of which average precision has the method "delta".
    number : float
        The mean.
    wanted : tuple
        Level and side.
    weighted : bool
        Weighted by the support of each, which varies with the rows.
    exclusive : bool
        Each row is a positive of one sweep alone.
    **options
        `seed` and `replicates` of metrics whose interval is drawn, and parameters of the metric.
    """
    base = reading(name)[0]
    method = DELTA if base == PRECISION else None
    parts, supports, squares = [], [], []
    for label, sweep in zip(labels, sweeps, strict=True):
        part = ci(sweep, name, wanted[0], method=method, side=wanted[1], **options)
        support = float(sweep._positives.sum())
        if math.isnan(part.value) or (weighted and not support):
            continue
        why = why_none(part)
        if why is not None:
            return without_ends(number, f"that of {label!r} has none: {why}")
        parts.append(part)
        supports.append((float(sweep._negatives.sum()), support))
        known = sweep._effective_squares()
        assert known is not None  # there is an interval
        squares.append((float(known[1].sum()), float(known[0].sum())))
    rows, of_rows = np.array(supports), np.array(squares)
    total = float(rows[:, 1].sum())
    shares = rows[:, 1] / total if weighted else np.full(len(parts), 1 / len(parts))
    moved = 0.0
    if weighted:
        away = np.array([part.value for part in parts]) - number
        if exclusive:
            moved = math.sqrt(float(of_rows[:, 1] @ away**2)) / total
        else:
            moved = float(np.abs(away) @ spread_of_support(rows, of_rows)) / total
    about = facts()[base]
    ends = (float(about["lo"]), float(about["hi"]))
    return mean_together(number, shares.tolist(), parts, ends, reach(*wanted), moved)
