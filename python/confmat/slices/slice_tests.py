"""Each slice tested against the rest of the rows, with p-values adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.reasons import too_few
from confmat.intervals.differences import newcombe
from confmat.intervals.distributions import distributions
from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.wilson import wilson
from confmat.labels import Label
from confmat.options import check_choice, checked_min_n
from confmat.own_errors import own_errors
from confmat.significance.adjustments import ADJUSTMENTS, Adjustment, adjust_p
from confmat.significance.rates import score_z, score_z_of_one
from confmat.slices.all_rows import all_rows, common_keys, rests, slices_of
from confmat.slices.reading import Metric, checked_parts, keys_of, metric_of

_NUMBERS = ("difference", "difference_low", "difference_high", "statistic", "p_value")


class _Test(NamedTuple):
    """What each slice is compared with, and the numbers of the test; nan where there is none."""

    other: pl.Series
    other_reason: pl.Series
    columns: dict[str, Floats]


@own_errors
def slice_tests(
    parts: pl.DataFrame,
    metric: str,
    *,
    against: str | float = "rest",
    adjust: Adjustment | None = "bh",
    min_n: int = 0,
    level: float = 0.95,
    pos_label: Label | None = None,
    within: str | Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return each slice tested against the rest of the rows.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial`, `cm.merge` or `slices.lattice` gave. All rows are those of one grouping.
    metric : str
        A metric that is a rate of counted rows, such as accuracy or recall; others have no test
        yet, and the reason says so.
    against : {"rest", "overall"} or float, default "rest"
        All other rows; all rows; or a number that the rate is to be. As the slice is a part of all
        rows, it differs from them exactly where it differs from the rest: "overall" has the same
        p-values, and differences smaller by the share of the rest.
    adjust : {"bh", "holm", "by", "bonferroni"} or None, default "bh"
        As in `cm.adjust_p`, over all slices of the table that have a p-value.
    min_n : int, default 0
        Slices of fewer rows show their counts alone, and do not count as tests.
    level : float, default 0.95
        Of the interval of the difference, which is not adjusted.
    pos_label : int, bool or str, optional
        The positive class of a metric of one class; default that of the states.
    within : str or sequence of str, optional
        Keys that the rest has in common with the slice. Default: `model`, where there is one.

    Returns
    -------
    pl.DataFrame
        The keys, `grouping` where `parts` has it, and for each slice `n`, its `value`, the `other`
        value, their `difference` with `difference_low` and `difference_high` (Newcombe's; Wilson's
        against a number), the `statistic` (the score test, standard normal), `p_value`
        (two-sided), `p_adjusted` and `reason`: why something is null.

    Raises
    ------
    InputError
        An unknown metric or adjustment, `against` that is none of these.

    References
    ----------
    Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I

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
    checked_level(level)
    share = _checked_against(against)
    if adjust is not None:
        check_choice("adjust", adjust, *ADJUSTMENTS)
    slices = slices_of(parts)
    common = common_keys(keys_of(slices), within)
    told = asked.read(slices)
    shown = (told["n"] >= least).alias("shown")
    if share is None:
        whole = all_rows(parts, common)
        found = _against_rest(asked, slices, whole, common, shown, level, of_all=against != "rest")
    else:
        found = _against_number(asked, slices, share, shown, level)
    numbers = pl.DataFrame(found.columns, nan_to_null=True)
    p = numbers["p_value"]
    adjusted = p if adjust is None else adjust_p(p, adjust)
    columns = [
        *told,
        found.other,
        found.other_reason,
        shown,
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
        .then(pl.lit(asked.no_rate(slices)))
    )
    table = pl.DataFrame(columns).with_columns(
        pl.when("shown").then(pl.col("value", "other")), reason.alias("reason")
    )
    names = ("n", "value", "other", *_NUMBERS, "p_adjusted", "reason")
    return pl.DataFrame([*slices.select(keys_of(slices)), *table.select(names)])


def _against_rest(
    asked: Metric,
    slices: pl.DataFrame,
    whole: pl.DataFrame,
    common: list[str],
    shown: pl.Series,
    level: float,
    *,
    of_all: bool,
) -> _Test:
    """Return the test of each slice against the rest of all rows."""
    rest, overall = rests(asked, slices, whole, common, shown)
    of_rest = asked.read(rest)
    other = overall if of_all else of_rest["value"]
    k, n = asked.counts(slices)
    k2, n2 = asked.counts(rest)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = n2 / (n + n2) if of_all else np.ones(len(n))
        difference = (k / n - k2 / n2) * scale
    low, high = newcombe(k, n, k2, n2, level)
    columns = (difference, low * scale, high * scale, score_z(k, n, k2, n2))
    return _Test(other.alias("other"), of_rest["reason"].alias("other_reason"), _with_p(*columns))


def _against_number(
    asked: Metric, slices: pl.DataFrame, share: float, shown: pl.Series, level: float
) -> _Test:
    """Return the test of each slice against a number."""
    k, n = asked.counts(slices)
    k = np.where(shown.to_numpy(), k, np.nan)
    low, high = wilson(k, n, level)
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = k / n - share
    other = pl.Series("other", [share] * slices.height, dtype=pl.Float64)
    why = pl.Series("other_reason", [None] * slices.height, dtype=pl.String)
    columns = (difference, low - share, high - share, score_z_of_one(k, n, share))
    return _Test(other, why, _with_p(*columns))


def _with_p(difference: Floats, low: Floats, high: Floats, z: Floats) -> dict[str, Floats]:
    """Return the columns of a test that is standard normal."""
    p = 2 * distributions("a test of slices").norm.sf(np.abs(z))
    return dict(zip(_NUMBERS, (difference, low, high, z, p), strict=True))


def _checked_against(against: Any) -> float | None:
    """Return the number to compare with; None for other rows."""
    if against in ("rest", "overall"):
        return None
    if isinstance(against, bool) or not isinstance(against, (int, float)) or not 0 <= against <= 1:
        raise InputError(
            f'`against` is {against!r}; wanted "rest", "overall" or a rate, from 0 to 1'
        )
    return float(against)
