"""Whether there are rows enough to know the area under the ROC curve."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from confmat.intervals.area_sizes import area_interval, hanley_mcneil, positives_for_auc
from confmat.intervals.levels import checked_level
from confmat.intervals.sample_size import checked_share, rows_for_events
from confmat.labels import shown
from confmat.render.figures import figure
from confmat.scores.state import ScoreState
from confmat.scores.values import value

_GUESS = 0.75  # of an area that is not known
_SCHEMA = {
    "metric": pl.String,
    **dict.fromkeys(("n_positive", "n_negative", "value", "se"), pl.Float64),
    **dict.fromkeys(("low", "high", "width"), pl.Float64),
    **dict.fromkeys(("positives_for_width", "rows_for_width"), pl.Int64),
    "is_enough": pl.Boolean,
    "verdict": pl.String,
}


def adequacy(
    state: ScoreState, level: float = 0.95, width: float = 0.1, prevalence: float | None = None
) -> pl.DataFrame:
    """Return whether there are rows enough to know the area under the ROC curve.

    For planning: by the area and the numbers of rows alone. Of rates at a threshold,
    `s.at(t).adequacy()` says the same.

    Parameters
    ----------
    level : float, default 0.95
        Of the interval.
    width : float, default 0.1
        How wide it may be, from end to end.
    prevalence : float, optional
        The share of positives among rows that are to come. Default: that of the rows.

    Returns
    -------
    polars.DataFrame
        One row: `metric`, `n_positive`, `n_negative`, `value`, `se`, `low`, `high`, `width`;
        `positives_for_width` and `rows_for_width` (rows of both classes) whose interval is as
        narrow as wanted, at this area, or where there is none at 0.75; `is_enough` and a `verdict`
        in words. null where undefined or not known.

    Raises
    ------
    InputError
        A number outside its range.

    References
    ----------
    Hanley and McNeil (1982), https://doi.org/10.1148/radiology.143.1.7063747;
    Newcombe (2006), https://doi.org/10.1002/sim.2324

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1] * 10, [0.1, 0.4, 0.35, 0.8] * 10)
    >>> for part in s.adequacy()["verdict"].item().split("; "):
    ...     print(part)
    roc_auc: not enough, 0.7500 [0.5711, 0.8660] of 20 positives and 20 negatives
    a width of 0.1 needs 181 positives, about 362 rows
    """
    checked_level(level)
    checked_share(width, "width")
    n1, n0 = float(state.n_positive), float(state.n_negative)
    share = n1 / (n1 + n0) if n1 + n0 else math.nan
    if prevalence is not None:
        share = checked_share(prevalence, "prevalence")
    area = value(state, "roc_auc")
    sizes = state._effective_rows()
    low, high = area_interval(area, *sizes, level)
    positives = None
    if 0 < share < 1:
        guess = _GUESS if math.isnan(area) else min(max(area, 0.0), 1.0)
        positives = positives_for_auc(width, guess, share, level)
    row: dict[str, Any] = {
        "metric": "roc_auc",
        "n_positive": n1,
        "n_negative": n0,
        "value": area,
        "se": hanley_mcneil(area, *sizes),
        "low": low,
        "high": high,
        "width": high - low,
        "positives_for_width": positives,
        "rows_for_width": None if positives is None else rows_for_events(positives, share),
        "is_enough": high - low <= width,
    }
    row["verdict"] = _verdict(state, row, width, share if prevalence is not None else None)
    frame = pl.DataFrame([row], schema=_SCHEMA).with_columns(pl.selectors.float().fill_nan(None))
    if not state.weighted:
        frame = frame.with_columns(pl.col("n_positive", "n_negative").cast(pl.Int64))
    return frame


def _verdict(state: ScoreState, row: dict[str, Any], width: float, share: float | None) -> str:
    at = "" if share is None else f" at a share of positives of {share:.4g}"
    needed = row["positives_for_width"]
    to_get = ""
    if needed is not None:
        rows = f"{row['rows_for_width']:,} rows{at}"
        to_get = f"a width of {width:g} needs {needed:,} positives, about {rows}"
    sizes = state._effective_rows()
    if any(map(math.isnan, sizes)):
        why = "roc_auc: the squared weights of the rows are not known, nor how many they count for"
        return "; ".join(filter(None, [why, to_get]))
    if math.isnan(row["value"]):
        empty = state.labels[1] if not state.n_positive else state.labels[0]
        none = f"roc_auc cannot be estimated: none of the {state.n:,} rows is of {shown(empty)}"
        return "; ".join(filter(None, [none, to_get and f"{to_get}, if the area is {_GUESS:g}"]))
    enough = "enough" if row["is_enough"] else "not enough"
    ends = f"[{figure(row['low'])}, {figure(row['high'])}]"
    of = f"{state.n_positive:,} positives and {state.n_negative:,} negatives"
    if state.weighted:
        of = f"the weight of {sizes[0]:,.1f} positives and {sizes[1]:,.1f} negatives"
    said = f"roc_auc: {enough}, {figure(row['value'])} {ends} of {of}"
    return said if row["is_enough"] else "; ".join(filter(None, [said, to_get]))
