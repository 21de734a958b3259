"""One metric of every slice, with its interval where there is one, beside that of all rows."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat.frames.reasons import too_few
from confmat.intervals.levels import checked_level
from confmat.labels import Label
from confmat.options import checked_min_n
from confmat.own_errors import own_errors
from confmat.slices.all_rows import all_rows, beside, common_keys, slices_of
from confmat.slices.asked_metric import metric_of
from confmat.slices.reading import checked_parts, keys_of


@own_errors
def slice_values(
    parts: pl.DataFrame,
    metric: str,
    *,
    min_n: int = 0,
    level: float = 0.95,
    pos_label: Label | None = None,
    within: str | Sequence[str] | None = None,
    clusters: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return one metric of every slice, beside that of all rows: what pictures of slices show.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial`, `cm.merge` or `slices.lattice` gave.
    metric : str
        A metric of predicted classes, scores, numbers, label sets or scores for these.
    min_n : int, default 0
        Slices of fewer rows show their counts alone.
    level : float, default 0.95
        Of the intervals.
    pos_label : int, bool or str, optional
        The positive class of a metric of one class; default that of the states.
    within : str or sequence of str, optional
        Keys whose values have each a value of all their rows. Default: `model`, where there is one.
    clusters : pl.DataFrame, optional
        `parts` by cluster, with one key besides: intervals are as wide as these ask.

    Returns
    -------
    pl.DataFrame
        The keys, `grouping` where `parts` has it, and for each slice but "all" `n`, `value`,
        `value_low` and `value_high` (null where there is no interval), `overall` and `reason`: why
        there is no value.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.slices.values import slice_values
    >>> log = pl.DataFrame({"site": ["a", "a", "b"], "y_true": [1, 1, 0], "y_pred": [1, 0, 0]})
    >>> table = slice_values(cm.partial(log, by="site"), "accuracy")
    >>> table.select("site", "n", "value", pl.col("value_low", "overall").round(3)).rows()
    [('a', 2, 0.5, 0.095, 0.667), ('b', 1, 1.0, 0.207, 0.667)]
    """
    asked = metric_of(checked_parts(parts), metric, pos_label)
    least = checked_min_n(min_n)
    checked_level(level)
    slices = slices_of(parts)
    keys = keys_of(slices)
    common = common_keys(keys, within)
    whole = all_rows(parts, common)
    overall = pl.DataFrame([*whole.select(common), asked.read(whole)["value"].alias("overall")])
    told = asked.read(slices)
    if clusters is None:
        low, high = asked.interval(slices, level)
    else:
        low, high = asked.clustered(slices, clusters, level)
    columns = [
        *slices.select(keys),
        *told.select("n", "value"),
        low.alias("value_low"),
        high.alias("value_high"),
        beside(slices, overall, common)["overall"],
        told["reason"],
    ]
    shown = pl.col("n") >= least
    return pl.DataFrame(columns).with_columns(
        pl.when(shown).then(pl.col("value", "value_low", "value_high")),
        pl.when(shown).then("reason").otherwise(pl.lit(too_few(least))).alias("reason"),
    )
