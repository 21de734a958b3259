"""Tests of the slices of an evaluation."""

from __future__ import annotations

from typing import Protocol

import polars as pl

from confmat.logs.request import LogRequest
from confmat.significance.adjustments import Adjustment
from confmat.slices.slice_tests import slice_tests


class Sliced(Protocol):
    """What an evaluation has of its slices."""

    _request: LogRequest

    def _need_slices(self, what: str) -> None: ...

    def _refuse_clusters(self, what: str) -> None: ...

    def _all_slices(self) -> pl.DataFrame: ...


def test_slices(
    evaluation: Sliced,
    metric: str,
    *,
    against: str | float = "rest",
    adjust: Adjustment | None = "bh",
    min_n: int | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return each slice tested against the rest of the rows, with p-values adjusted.

    Parameters
    ----------
    metric : str
        A metric of predicted classes, such as "accuracy" or "mcc".
    against : {"rest", "overall"} or float, default "rest"
        All other rows, all rows (of rates alone), or a number.
    adjust : {"bh", "holm", "by", "bonferroni"} or None, default "bh"
        As in `cm.adjust_p`, over all slices.
    min_n, level
        As in `worst`.

    Returns
    -------
    pl.DataFrame
        The keys, and of each slice `n`, `value`, the `other` value, their `difference` with
        `difference_low` and `difference_high`, `statistic`, `p_value`, `p_adjusted`, `reason`.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "site": ["a"] * 60 + ["b"] * 40,
    ...     "y_true": [1] * 100,
    ...     "y_pred": [1] * 54 + [0] * 6 + [1] * 28 + [0] * 12,
    ... })
    >>> e = cm.evaluate(log, y_true="y_true", y_pred="y_pred", by="site")
    >>> e.test_slices("accuracy").select("site", pl.col("difference", "p_adjusted").round(4)).rows()
    [('a', 0.2, 0.0108), ('b', -0.2, 0.0108)]
    """
    evaluation._need_slices("test_slices")
    evaluation._refuse_clusters("test_slices")
    request = evaluation._request
    return slice_tests(
        evaluation._all_slices(),
        metric,
        against=against,
        adjust=adjust,
        min_n=request.reading.min_n if min_n is None else min_n,
        level=level,
        pos_label=request.counting.pos_label,
    )
