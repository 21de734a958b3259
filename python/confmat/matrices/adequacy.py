"""Whether there are rows enough: how wide intervals are, and how many rows would do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import checked_level, z_of
from confmat.intervals.power import rows_for_two_rates
from confmat.intervals.sample_size import (
    checked_share,
    rows_for_events,
    rows_for_width,
    zero_events_bound,
)
from confmat.intervals.wilson import limits
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.rate_parts import Part, rate_parts
from confmat.matrices.verdicts import Wanted, verdict

_SCHEMA = {
    "n": pl.Float64,
    "events": pl.Float64,
    **dict.fromkeys(("value", "low", "high", "width", "exact_bound"), pl.Float64),
    **dict.fromkeys(("n_for_width", "n_for_width_worst", "n_for_delta"), pl.Int64),
    "rows_for_width": pl.Int64,
    "is_enough": pl.Boolean,
    "verdict": pl.String,
}


def adequacy(
    state: MatrixBase,
    level: float = 0.95,
    width: float = 0.1,
    power: float = 0.8,
    delta: float = 0.05,
    prevalence: Any = None,
    pos_label: Label | None = None,
) -> pl.DataFrame:
    """Return whether there are rows enough to know each rate, and how many rows would do.

    Parameters
    ----------
    level : float, default 0.95
        Of the intervals, which are Wilson's; 1 - level is the size of the test below.
    width : float, default 0.1
        How wide an interval may be, from end to end.
    power : float, default 0.8
        How often a change of `delta` is to be found.
    delta : float, default 0.05
        A change of a rate between two independent test sets of the same size: a fall of this
        much, or a rise where the rate is lower than that.
    prevalence : float, mapping or sequence, optional
        Shares of classes where the model will be used: of the positive class, of some by label,
        or of all in label order. Accuracy, precision and specificity are those at these shares,
        as of `at_prevalence`, and rows of a class turn into rows of a test set. Default: the shares
        of the rows.
    pos_label : label, optional
        The class that a single number as `prevalence` is of. Default: the positive one.

    Returns
    -------
    polars.DataFrame
        A row for accuracy, with a null as `label`, and rows for the recall, the precision and the
        specificity of each class:

        - `n`, rows that the rate is a share of (recall: rows of the class, precision: rows
          predicted as it, specificity: rows of the others), and `events`, those that are right;
          of weighted rows and at other shares the number of rows that would be as sure;
        - `value`, `low`, `high`, `width`;
        - `exact_bound`, where none or all are right: the one-sided exact bound of the rate on the
          side where it can be, 1 - (1 - level)^(1 / n) from that end (the rule of three);
        - `n_for_width` and `n_for_width_worst`: the `n` whose interval is as narrow as wanted, at
          this value and at the worst, 1/2;
        - `n_for_delta`: the `n` of each of two test sets that tell a change of `delta`;
        - `rows_for_width`: rows of all classes that hold so many, on average;
        - `is_enough`: whether the interval is as narrow as wanted;
        - `verdict`, in words.

        null where undefined or not known. Of a class that has a share and no rows nothing is known:
        then accuracy, precision and specificity are those of the rows as they are, which the
        verdict says.

    Raises
    ------
    InputError
        A number outside its range, shares that do not add up to 1, a label that is not there;
        `prevalence` for more than 11,585 classes.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953; Hanley and
    Lippman-Hand (1983), https://doi.org/10.1001/jama.1983.03330370053031; Mercaldo, Lau and
    Zhou (2007), https://doi.org/10.1002/sim.2677, for other shares

    Examples
    --------
    A watch looks for a disease of 1 in 100,000, and 100 people were asked:

    >>> import confmat as cm
    >>> watch = cm.ConfusionMatrix([[98, 2], [0, 0]])
    >>> found = watch.adequacy(prevalence=1e-5)
    >>> for line in found["verdict"][4].split(": "):
    ...     print(line)
    recall of 1 cannot be estimated
    none of the 100 rows is of this class. A 95% interval of width 0.1 needs up to 381 of them
    at a share of 1e-05 that takes about 38,100,000 rows; 299,572 hold one of them, 95% of the time
    """
    wanted = _checked(level, width, power, delta)
    parts = list(rate_parts(state, prevalence, pos_label, wanted.level))
    worst = rows_for_width(width, 0.5, level)
    n, events, middle = np.array([(part.n, part.events, part.middle) for part in parts]).T
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = limits(np.where(np.isnan(middle), events, n * middle), n, z_of(level))
        low, high = np.fmin(low, events / n), np.fmax(high, events / n)
    total = float(state.n)
    rows = [
        _judged(part, ends, worst, wanted, total)
        for part, *ends in zip(parts, low.tolist(), high.tolist(), strict=True)
    ]
    labels = pl.Series("label", [part.label for part in parts])
    metrics = pl.Series("metric", [part.metric for part in parts], dtype=pl.String)
    frame = pl.DataFrame(rows, schema=_SCHEMA).with_columns(pl.selectors.float().fill_nan(None))
    if all(part.is_counted for part in parts):
        frame = frame.with_columns(pl.col("n", "events").cast(pl.Int64, strict=False))
    return pl.DataFrame([metrics, labels, *frame.get_columns()])


def _checked(level: Any, width: Any, power: Any, delta: Any) -> Wanted:
    shares = (checked_share(width, "width"), checked_share(power, "power"))
    return Wanted(checked_level(level), *shares, checked_share(delta, "delta"))


def _judged(
    part: Part, ends: list[float], worst: int, wanted: Wanted, total: float
) -> dict[str, Any]:
    """Return the numbers of one row, and the verdict."""
    low, high = ends
    value = part.events / part.n if part.n > 0 else math.nan
    known = not math.isnan(value)
    value = min(value, 1.0) if known else value
    middle = value if math.isnan(part.middle) else part.middle
    needed = rows_for_width(wanted.width, middle, wanted.level) if known else None
    found: dict[str, Any] = {
        "n": part.n,
        "events": part.events,
        "value": value,
        "low": low,
        "high": high,
        "width": high - low,
        "exact_bound": _exact_bound(part, value, wanted.level),
        "n_for_width": needed,
        "n_for_width_worst": worst,
        "n_for_delta": _for_delta(value, wanted) if known else None,
        "rows_for_width": _rows(worst if needed is None else needed, part.share),
        "is_enough": bool(high - low <= wanted.width),
    }
    return found | {"verdict": verdict(part, found, wanted, total)}


def _exact_bound(part: Part, value: float, level: float) -> float:
    if value not in (0.0, 1.0):
        return math.nan
    bound = zero_events_bound(part.n, level)
    return bound if value == 0 else 1 - bound


def _for_delta(value: float, wanted: Wanted) -> int | None:
    other = value - wanted.delta if value >= wanted.delta else value + wanted.delta
    return rows_for_two_rates(value, other, wanted.power, wanted.level) if other <= 1 else None


def _rows(needed: int, share: float) -> int | None:
    try:
        return rows_for_events(needed, min(share, 1.0)) if share > 0 else None
    except InputError:  # more than can be counted
        return None
