"""Each slice tested against the rest of the rows, with p-values adjusted for their number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.reasons import too_few
from confmat.intervals.differences import newcombe
from confmat.intervals.distributions import distributions
from confmat.intervals.levels import Floats, Side, on_side, two_sided
from confmat.intervals.wilson import wilson
from confmat.labels import Label
from confmat.options import check_choice, checked_min_n
from confmat.own_errors import own_errors
from confmat.significance.adjustments import ADJUSTMENTS, Adjustment, adjust_p
from confmat.significance.own_sides import Estimates, ends, estimates, p_of, told_apart
from confmat.significance.rates import score_z, score_z_of_one
from confmat.slices.all_rows import all_rows, common_keys, rests, slices_of
from confmat.slices.asked_metric import metric_of
from confmat.slices.reading import Metric, checked_parts, keys_of, refuse_keys

_LEVEL = 0.95  # of the intervals that p-values are read from
_ENDS = ("difference_low", "difference_high")
_NUMBERS = ("difference", *_ENDS, "statistic", "p_value")
_NAMES = ("n", "value", "other", *_NUMBERS, "p_adjusted", "reason")


class _Test(NamedTuple):
    """What each slice is compared with, and the numbers of the test; nan where there is none."""

    other: pl.Series
    other_reason: pl.Series
    columns: dict[str, Floats]
    why: pl.Series  # there is no standard error of a slice, where its interval says so


@own_errors
def slice_tests(
    parts: pl.DataFrame,
    metric: str,
    *,
    against: str | float = "rest",
    adjust: Adjustment | None = "bh",
    min_n: int = 0,
    level: float = 0.95,
    side: Side = "both",
    pos_label: Label | None = None,
    within: str | Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return each slice tested against the rest of the rows.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial`, `cm.merge` or `slices.lattice` gave. All rows are those of one grouping.
    metric : str
        A metric of predicted classes. Rates, such as accuracy or recall, are tested by the score
        test, with weights over the effective numbers of rows; others by their intervals, and so are
        metrics of label sets, of scores for them and of numbers, and of scores those that have an
        interval by a formula or by rows drawn again; where there is none, the reason says so.
    against : {"rest", "overall"} or float, default "rest"
        All other rows; all rows; or a number. As the slice is a part of all rows, a rate of it
        differs from theirs exactly where it differs from that of the rest: "overall", which is for
        rates alone, has the same p-values, and differences smaller by the share of the rest.
    adjust : {"bh", "holm", "by", "bonferroni"} or None, default "bh"
        As in `cm.adjust_p`, over all slices of the table that have a p-value.
    min_n : int, default 0
        Slices of fewer rows show their counts alone, and do not count as tests.
    level : float, default 0.95
        Of the interval of the difference, which is not adjusted.
    side : {"both", "lower", "upper"}, default "both"
        "lower": the interval has a lower end alone, and the test asks whether the slice has more.
        "upper": an upper end, and whether the slice has less.
    pos_label : int, bool or str, optional
        The positive class of a metric of one class; default that of the states.
    within : str or sequence of str, optional
        Keys that the rest has in common with the slice. Default: `model`, where there is one.

    Returns
    -------
    pl.DataFrame
        The keys, `grouping` where `parts` has it, and for each slice `n`, its `value`, the `other`
        value, their `difference` with `difference_low` and `difference_high` (of rates
        Newcombe's, or Wilson's against a number), the `statistic` (standard normal, or Student's
        t), `p_value` (of `side`), `p_adjusted` and `reason`: why something is null.

    Raises
    ------
    InputError
        An unknown metric or adjustment, `against` that is none of these.

    Notes
    -----
    What is no rate is told apart by how far the intervals of both reach towards each other. Of two
    classes, the area under the ROC curve aside, a standard error rests on the rows of the smaller
    one: the statistic is then Student's t, with one degree of freedom less than these, by
    Satterthwaite; of numbers, with one less than there are rows. P-values are those of intervals at
    0.95, whatever `level` is asked for.

    References
    ----------
    Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I;
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095;
    Satterthwaite (1946), https://doi.org/10.2307/3002019

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.slices.slice_tests import slice_tests
    >>> log = pl.DataFrame({
    ...     "site": ["a"] * 60 + ["b"] * 40,
    ...     "y_true": [1] * 100,
    ...     "y_pred": [1] * 54 + [0] * 6 + [1] * 28 + [0] * 12,
    ... })
    >>> table = slice_tests(cm.partial(log, by="site"), "accuracy")
    >>> table.select("site", "n", "value", "other", pl.col("p_value", "p_adjusted").round(4)).rows()
    [('a', 60, 0.9, 0.7, 0.0108, 0.0108), ('b', 40, 0.7, 0.9, 0.0108, 0.0108)]
    """
    asked = metric_of(checked_parts(parts), metric, pos_label)
    least = checked_min_n(min_n)
    both = two_sided(level, side)
    share = _checked_against(asked, against)
    if adjust is not None:
        check_choice("adjust", adjust, *ADJUSTMENTS)
    slices = slices_of(parts)
    refuse_keys(keys_of(slices), _NAMES)
    common = common_keys(keys_of(slices), within)
    told = asked.read(slices).with_columns(shown=pl.col("n") >= least)
    if share is None:
        whole = all_rows(parts, common)
        found = _against_rest(
            asked, slices, told, whole, common, both, side, of_all=against != "rest"
        )
    else:
        found = _against_number(asked, slices, told, share, both, side)
    numbers = pl.DataFrame(_of_side(found.columns, side, asked.range, share), nan_to_null=True)
    p = numbers["p_value"]
    adjusted = p if adjust is None else adjust_p(p, adjust)
    columns = [
        *told,
        found.other,
        found.other_reason,
        *numbers,
        adjusted.alias("p_adjusted"),
    ]
    reason = (
        pl.when(~pl.col("shown"))
        .then(pl.lit(too_few(least)))
        .when(pl.col("value").is_null())
        .then(pl.col("reason"))
        .when(pl.col("other").is_null())
        .then(pl.lit("of the rest: ") + pl.col("other_reason"))
        .when(pl.col("p_value").is_null())
        .then(_no_error(asked, slices, found))
    )
    table = pl.DataFrame(columns).with_columns(
        pl.when("shown").then(pl.col("value", "other")), reason.alias("reason")
    )
    return pl.DataFrame([*slices.select(keys_of(slices)), *table.select(_NAMES)])


def _against_rest(
    asked: Metric,
    slices: pl.DataFrame,
    told: pl.DataFrame,
    whole: pl.DataFrame,
    common: list[str],
    level: float,
    side: Side,
    *,
    of_all: bool,
) -> _Test:
    """Return the test of each slice against the rest of all rows."""
    rest, overall = rests(asked, slices, whole, common, told["shown"])
    of_rest = asked.read(rest)
    why = _NO_REASONS
    if asked.is_rate:
        counted = (*asked.counts(slices), *asked.counts(rest))
        low, high = newcombe(*counted, level)
        z, p = _normal(score_z(*counted), side)
    else:
        of_slices, why = _both(asked, asked.only(told["shown"], slices), level)
        # The many rows of a rest take long, and say nothing beside a slice without an interval.
        of_rests, _ = _both(asked, asked.only(_reach(of_slices), rest), level)
        low, high, z, p = _told(of_slices, of_rests, level, side)
        lo, hi = asked.range
        low, high = np.maximum(low, lo - hi), np.minimum(high, hi - lo)
    value = told["value"].to_numpy()
    difference = value - of_rest["value"].to_numpy()
    other = of_rest["value"]
    if of_all:
        other = overall
        of_overall = value - overall.to_numpy()
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = np.where(difference == 0, 1.0, of_overall / difference)
        difference, low, high = of_overall, low * scale, high * scale
    of_other = of_rest["reason"].alias("other_reason")
    return _Test(other.alias("other"), of_other, _columns(difference, low, high, z, p), why)


def _against_number(
    asked: Metric, slices: pl.DataFrame, told: pl.DataFrame, share: float, level: float, side: Side
) -> _Test:
    """Return the test of each slice against a number."""
    why = _NO_REASONS
    if asked.is_rate:
        k, n = asked.counts(slices)
        low, high = wilson(k, n, level)
        low, high = low - share, high - share
        z, p = _normal(score_z_of_one(k, n, share), side)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = k / n
    else:
        of_slices, why = _both(asked, asked.only(told["shown"], slices), level)
        number = estimates([[share] * 3] * slices.height, math.inf, level, by_t=False)
        low, high, z, p = _told(of_slices, (number, number), level, side)
        lo, hi = asked.range
        low, high = np.maximum(low, lo - share), np.minimum(high, hi - share)
        value = of_slices[0].value
    hidden = np.where(told["shown"].to_numpy(), 0.0, np.nan)
    other = pl.Series("other", [share] * slices.height, dtype=pl.Float64)
    of_other = pl.Series("other_reason", [None] * slices.height, dtype=pl.String)
    columns = (column + hidden for column in (value - share, low, high, z, p))
    return _Test(other, of_other, _columns(*columns), why)


_NO_REASONS = pl.Series("why", [None], dtype=pl.String)
_Both: TypeAlias = tuple[Estimates, ...]  # two: of the level of p-values, and of the one asked for


def _both(asked: Metric, states: pl.DataFrame, level: float) -> tuple[_Both, pl.Series]:
    """Return what each row of states says of the metric, and how surely, and why it does not."""
    found = asked.measured(states, list(dict.fromkeys([_LEVEL, level])))
    near, *others = (
        estimates(limits, found.freedom, at, by_t=asked.reaches_by_t)
        for at, limits in found.limits.items()
    )
    return (near, *(others or [near])), found.why


def _reach(found: _Both) -> pl.Series:
    """Return where there is an interval of any level."""
    return pl.Series(~np.isnan([[of.down, of.up] for of in found]).all(axis=(0, 1)))


def _no_error(asked: Metric, slices: pl.DataFrame, found: _Test) -> pl.Series | None:
    """Return why values that are defined have no test; None where all have one."""
    lacks = np.isnan(found.columns["p_value"]).any()
    return asked.no_error(slices, found.why) if lacks else None


def _told(
    one: _Both, other: _Both, level: float, side: Side
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return low, high, the statistic and the p-value of each difference."""
    return *ends(one[1], other[1], level), *told_apart(one[0], other[0], side)


def _normal(z: Floats, side: Side) -> tuple[Floats, Floats]:
    """Return a statistic that is standard normal with its p-values."""
    return z, p_of(z, side, distributions("a test of slices").norm.sf)


def _of_side(
    columns: dict[str, Floats], side: Side, range_of: tuple[float, float], share: float | None
) -> dict[str, Floats]:
    """Return the columns with the end of the range where an interval has none of its own."""
    lo, hi = range_of
    ends = (lo - hi, hi - lo) if share is None else (lo - share, hi - share)
    low, high = (columns[name] for name in _ENDS)
    return columns | dict(zip(_ENDS, on_side(low, high, side, ends), strict=True))


def _columns(*numbers: Floats) -> dict[str, Floats]:
    return dict(zip(_NUMBERS, numbers, strict=True))


def _checked_against(asked: Metric, against: Any) -> float | None:
    """Return the number to compare with; None for other rows."""
    if against == "rest":
        return None
    if against == "overall":
        if not asked.is_rate:
            raise InputError(
                f'`against` is "overall", and {asked.name} is no rate; wanted "rest" or a number'
            )
        return None
    number = float(against) if isinstance(against, (int, float)) else math.nan
    if isinstance(against, bool) or not math.isfinite(number):
        raise InputError(f'`against` is {against!r}; wanted "rest", "overall" or a number')
    if asked.is_rate and not 0 <= number <= 1:
        raise InputError(f"`against` is {against!r}, and {asked.name} is a rate, from 0 to 1")
    return number
