"""Numbers of several outputs: the means over them, those of each, and intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.intervals.interval import Interval, why_none, without_ends
from confmat.intervals.levels import Side, checked_ci, refuse_elsewhere, z_of
from confmat.intervals.student import t_quantile
from confmat.intervals.table_ends import with_intervals
from confmat.intervals.together import mean_together
from confmat.moments.confidence import NO_POWERS, ci, intervals_of, lacks_powers
from confmat.moments.names import fact_of, full_name
from confmat.moments.outputs import Average, mean_of, weights_of
from confmat.moments.state import MomentState
from confmat.named_numbers import numbers
from confmat.options import check_choice

Outputs: TypeAlias = Mapping[int | str, MomentState]
Method: TypeAlias = Literal["delta", "normal"]

OUTPUT = "output"  # the column of their names
_OF_TRUTH = 2  # where the square of the truth is, among the statistics of `Spread.covariance`


def mean(of: Outputs, name: str, average: Average) -> tuple[float, str | None]:
    """Return the mean of a metric over outputs, and why there is none."""
    states = list(of.values())
    found = [one._state.values([name]) for one in states]
    values, reasons = [one[0][0] for one in found], [one[1][0] for one in found]
    return mean_of(values, reasons, list(of), weights_of(states, average))


def ci_of_mean(
    of: Outputs,
    name: str,
    level: float,
    average: Average,
    method: Method,
    side: Side,
    parameters: Mapping[str, Any],
) -> Interval:
    """Return the mean with its interval, whatever the correlations of the outputs are."""
    refuse_elsewhere(parameters)
    z_of(level, side)  # refuses what is no level or side
    check_choice("method", method, "delta", "normal")
    asked = full_name(name, parameters)
    value, why = mean(of, asked, average)
    if why is not None:
        return without_ends(value, why)
    weights = np.array(weights_of(list(of.values()), average))
    shares = (weights / weights.sum()).tolist()
    parts = [ci(one, asked, level, method=method, side=side) for one in of.values()]
    for output, part in zip(of, parts, strict=True):
        missing = why_none(part)
        if missing is not None:
            return without_ends(value, f"that of output {output!r} has none: {missing}")
    moved = 0.0
    if average == "variance":
        errors = [_error_of_variance(one, method) for one in of.values()]
        if None in errors:
            return without_ends(value, NO_POWERS)
        away = np.array([part.value for part in parts]) - value
        moved = float(np.abs(away) @ np.array(errors)) / float(weights.sum())
    rows = min(one._spread().n for one in of.values()) - 1
    z = t_quantile(z_of(level, side), rows)
    below, above = (math.inf if side == one else z for one in ("upper", "lower"))
    fact = fact_of(asked)
    return mean_together(value, shares, parts, (fact["lo"], fact["hi"]), (below, above), moved)


def _error_of_variance(state: MomentState, method: Method) -> float | None:
    """Return the standard error of the variance of the true values; None: it takes powers."""
    spread = state._spread()
    covariance = spread.normal if method == "normal" else spread.covariance
    if covariance is None:
        return None
    return math.sqrt(max(float(covariance[_OF_TRUTH, _OF_TRUTH]), 0.0) / (spread.n - 1))


def overall(
    of: Outputs, names: Sequence[str], average: Average, ci: float | None, side: Side
) -> pl.DataFrame:
    """Return a row a metric, the mean over outputs; with `ci` also ends of intervals."""
    level = checked_ci(ci, side)
    found = [mean(of, name, average) for name in names]
    frame = numbers(names, [value for value, _ in found], [why for _, why in found])
    if level is None:
        return frame
    ends = []
    for name, (value, _) in zip(names, found, strict=True):
        if any(lacks_powers(one, name) for one in of.values()):
            ends.append(without_ends(value, NO_POWERS))
        else:
            ends.append(ci_of_mean(of, name, level, average, "delta", side, {}))
    return with_intervals(frame, ends)


def per_output(of: Outputs, names: Sequence[str], ci: float | None, side: Side) -> pl.DataFrame:
    """Return a row an output."""
    outputs = list(of)
    kind = pl.String if isinstance(outputs[0], str) else pl.Int64
    frame = pl.DataFrame({OUTPUT: pl.Series(outputs, dtype=kind)})
    found = np.array([one._state.values(list(names))[0] for one in of.values()], np.float64)
    level = checked_ci(ci, side)
    ends = [] if level is None else [intervals_of(one, names, level, side) for one in of.values()]
    for at, name in enumerate(names):
        columns = {name: found[:, at]}
        if ends:
            low, high = np.array([of_output[at][1:3] for of_output in ends]).T
            columns |= {f"{name}_low": low, f"{name}_high": high}
        frame = frame.with_columns(**columns)
    return frame.with_columns(pl.selectors.float().fill_nan(None))
