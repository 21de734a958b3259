"""Numbers of several outputs: the means over them, those of each, and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side, checked_ci, refuse_elsewhere, z_of
from confmat.intervals.table_ends import with_intervals
from confmat.moments.confidence import intervals_of
from confmat.moments.names import full_name
from confmat.moments.outputs import Average, mean_of, weights_of
from confmat.moments.state import MomentState
from confmat.named_numbers import numbers
from confmat.options import check_choice

Outputs: TypeAlias = Mapping[int | str, MomentState]
Method: TypeAlias = Literal["delta", "normal"]

OUTPUT = "output"  # the column of their names
_TOGETHER = "how outputs of a row go together is not kept"


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
    """Return the mean, and in place of a method why there is no interval."""
    refuse_elsewhere(parameters)
    z_of(level, side)  # refuses what is no level or side
    check_choice("method", method, "delta", "normal")
    value, why = mean(of, full_name(name, parameters), average)
    return without_ends(value, why or _TOGETHER)


def overall(
    of: Outputs, names: Sequence[str], average: Average, ci: float | None, side: Side
) -> pl.DataFrame:
    """Return a row a metric, the mean over outputs; with `ci` ends of intervals, which are null."""
    level = checked_ci(ci, side)
    found = [mean(of, name, average) for name in names]
    frame = numbers(names, [value for value, _ in found], [why for _, why in found])
    if level is None:
        return frame
    return with_intervals(frame, [without_ends(value, _TOGETHER) for value, _ in found])


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
