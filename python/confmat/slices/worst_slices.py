"""Slices that differ most from the rest of the rows, by the loss that they explain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.reasons import too_few
from confmat.intervals.differences import of_limits
from confmat.intervals.levels import Side, on_side, two_sided
from confmat.labels import Label
from confmat.metric_names import COUNTS
from confmat.options import checked_min_n
from confmat.own_errors import own_errors
from confmat.slices.all_rows import all_rows, common_keys, rests, slices_of
from confmat.slices.asked_metric import metric_of
from confmat.slices.reading import Metric, checked_parts, keys_of, refuse_keys

_SHOWN = "__confmat_shown"
TOLD = ("n", "value", "rest", "difference", "difference_low", "difference_high", "loss", "reason")


@own_errors
def worst(
    parts: pl.DataFrame,
    metric: str,
    n: int = 20,
    *,
    min_n: int = 0,
    level: float = 0.95,
    side: Side = "both",
    pos_label: Label | None = None,
    within: str | Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return the slices that explain most of what a metric loses, the worst first.

    The loss that a slice explains is how much better the metric of all rows would be if the slice
    behaved as the rest does: the value of the rest less that of all rows, or, where lower is
    better, the other way round. Of rates (accuracy, recall, ...) this is the difference between
    the rest and the slice, times the share that the slice has of the rows that the rate is of. So a
    large slice that is a little worse comes before a small one that is much worse. Below 0 the
    slice is better than the rest.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial`, `cm.merge` or `slices.lattice` gave. All rows are those of one grouping.
    metric : str
        A metric of which more or less is better: of predicted classes, scores, numbers, label sets
        or scores for these.
    n : int, default 20
        How many slices.
    min_n : int, default 0
        Slices of fewer rows show their counts alone, and come last.
    level : float, default 0.95
        Of the interval of the difference.
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that the interval may miss below; the other end is that of the range.
    pos_label : int, bool or str, optional
        The positive class of a metric of one class; default that of the states.
    within : str or sequence of str, optional
        Keys that the rest has in common with the slice. Default: `model`, where there is one.

    Returns
    -------
    pl.DataFrame
        The keys, `grouping` where `parts` has it, and for each slice `n`, its `value`, that of the
        `rest`, `difference` (the first less the other), `difference_low` and `difference_high`
        (how far the intervals of both reach towards each other; of rates Newcombe's), `loss`, and
        `reason`: why something is null. Slices without a loss come after the others, those below
        `min_n` last.

    Raises
    ------
    InputError
        A metric of which neither more nor less is better, or that grows with the number of rows.

    References
    ----------
    Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.slices.worst_slices import worst
    >>> log = pl.DataFrame({
    ...     "site": ["a"] * 6 + ["b"] * 4,
    ...     "y_true": [0, 1, 1, 0, 1, 0, 1, 1, 0, 0],
    ...     "y_pred": [0, 1, 1, 0, 1, 1, 0, 1, 0, 1],
    ... })
    >>> table = worst(cm.partial(log, by="site"), "accuracy")
    >>> table.select("site", "n", "value", "rest", pl.col("loss").round(3)).rows()
    [('b', 4, 0.5, 0.8333333333333334, 0.133), ('a', 6, 0.8333333333333334, 0.5, -0.2)]
    """
    asked = _checked(metric_of(checked_parts(parts), metric, pos_label))
    least, most = checked_min_n(min_n), _checked_n(n)
    wanted = (two_sided(level, side), side)
    slices = slices_of(parts)
    refuse_keys(keys_of(slices), TOLD)
    common = common_keys(keys_of(slices), within)
    compared = _compared(slices, all_rows(parts, common), common, asked, least, wanted)
    ranked = compared.sort(_SHOWN, "loss", descending=True, nulls_last=True, maintain_order=True)
    return ranked.head(most).select(*keys_of(slices), *TOLD)


def _compared(
    slices: pl.DataFrame,
    whole: pl.DataFrame,
    common: list[str],
    asked: Metric,
    min_n: int,
    wanted: tuple[float, Side],
) -> pl.DataFrame:
    """Return each slice beside the rest of all rows."""
    told = asked.read(slices)
    shown = (told["n"] >= min_n).alias(_SHOWN)
    rest, overall = rests(asked, slices, whole, common, shown)
    of_rest = asked.read(rest).select(rest="value", rest_reason="reason")
    both = told.hstack(of_rest)
    columns = [
        *both,
        overall,
        *_intervals(asked.only(shown, slices), rest, both, asked, *wanted),
        shown,
    ]
    sign = -1 if asked.is_lower_better else 1
    hidden = ["value", "rest", "overall", "difference_low", "difference_high"]
    reason = (
        pl.when(~pl.col(_SHOWN))
        .then(pl.lit(too_few(min_n)))
        .when(pl.col("value").is_null())
        .then(pl.col("reason"))
        .when(pl.col("rest").is_null())
        .then(pl.lit("of the rest: ") + pl.col("rest_reason"))
        .otherwise("why")
    )
    table = pl.DataFrame(columns).with_columns(
        pl.when(_SHOWN).then(pl.col(hidden)), reason.alias("reason")
    )
    difference = pl.col("value") - pl.col("rest")
    loss = pl.when(pl.col("value").is_not_null()).then(sign * (pl.col("rest") - pl.col("overall")))
    table = table.with_columns(difference.alias("difference"), loss.alias("loss"))
    return pl.DataFrame([*slices.select(keys_of(slices)), *table.select(*TOLD, _SHOWN)])


def _intervals(
    slices: pl.DataFrame,
    rest: pl.DataFrame,
    values: pl.DataFrame,
    asked: Metric,
    level: float,
    side: Side,
) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return the ends of the interval of each difference, and why there is none.

    Of Wilson's intervals of rates it is Newcombe's.
    """
    of_slices = asked.interval(slices, level)
    is_known = of_slices[0].is_not_null()
    # The many rows of a rest take long, and say nothing beside a slice without an interval.
    of_rest = asked.interval(asked.only(is_known, rest), level)
    one, other = (
        [ends.to_numpy() for ends in (value, *found)]
        for value, found in ((values["value"], of_slices), (values["rest"], of_rest))
    )
    with np.errstate(invalid="ignore"):
        low, high = of_limits(one, other)
    lo, hi = asked.range
    low, high = on_side(low, high, side, (lo - hi, hi - lo))
    has_none = pl.Series(np.isnan(low))
    of_rest_alone = "of the rest: " + _why(asked, rest, has_none & is_known)
    why = _why(asked, slices, ~is_known & slices[asked.column].is_not_null())
    return (
        pl.Series("difference_low", low, nan_to_null=True),
        pl.Series("difference_high", high, nan_to_null=True),
        why.zip_with(why.is_not_null(), of_rest_alone).alias("why"),
    )


def _why(asked: Metric, states: pl.DataFrame, rows: pl.Series) -> pl.Series:
    """Return why some rows have no interval."""
    out = pl.Series([None] * states.height, dtype=pl.String)
    return (
        out.scatter(rows.arg_true(), asked.no_interval(states.filter(rows))) if rows.any() else out
    )


def _checked(asked: Metric) -> Metric:
    """Refuse metrics that have no better side, and numbers of rows."""
    if asked.fact["better"] == "neither":
        raise InputError(
            f"`metric` is {asked.name!r}, of which neither more nor less is better; wanted one "
            "such as 'accuracy'"
        )
    if asked.fact["base"] in COUNTS and asked.fact["level"] == "class":
        raise InputError(
            f"`metric` is {asked.name!r}, a number of rows, which is large where a slice is; "
            "wanted a rate such as 'fpr'"
        )
    return asked


def _checked_n(n: object) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"`n` is {n!r}; wanted a number of slices, at least 1")
    return n
