"""P-values of many tests, adjusted for their number."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.errors import InputError, Row
from confmat.intervals.levels import Floats
from confmat.options import check_choice
from confmat.own_errors import own_errors

Adjustment: TypeAlias = Literal["bh", "holm", "by", "bonferroni"]
ADJUSTMENTS = ("bh", "holm", "by", "bonferroni")


@own_errors
def adjust_p(p: Any, method: Adjustment = "bh") -> Any:
    """Return p-values adjusted for how many they are.

    Parameters
    ----------
    p : pl.Series or array-like
        P-values; nan and null are kept, and not counted.
    method : {"bh", "holm", "by", "bonferroni"}, default "bh"
        What stays below the level if adjusted values below it are called significant. "bh"
        (Benjamini and Hochberg): the share of false ones among these, of tests that are independent
        or positively dependent. "by" (Benjamini and Yekutieli): the same, under any dependence.
        "holm" and "bonferroni": the probability of any false one, under any dependence; Holm's are
        never larger.

    Returns
    -------
    pl.Series or ndarray
        In the same order; a Series for a Series, under the same name.

    Raises
    ------
    InputError
        A value outside [0, 1], with its row.

    References
    ----------
    Benjamini and Hochberg (1995), https://doi.org/10.1111/j.2517-6161.1995.tb02031.x;
    Benjamini and Yekutieli (2001), https://doi.org/10.1214/aos/1013699998;
    Holm (1979), https://www.jstor.org/stable/4615733

    Examples
    --------
    >>> import confmat as cm
    >>> cm.adjust_p([0.01, 0.04, None, 0.03]).round(3).tolist()
    [0.03, 0.04, nan, 0.04]
    >>> cm.adjust_p([0.01, 0.04, None, 0.03], "holm").round(3).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    check_choice("method", method, *ADJUSTMENTS)
    if isinstance(p, pl.Series):
        if not (p.dtype.is_numeric() or p.dtype == pl.Null):
            raise InputError(f"`p` is a Series of {p.dtype}; wanted p-values")
        values = p.cast(pl.Float64)
        adjusted = pl.Series(p.name, _adjusted(values.to_numpy(), method), dtype=pl.Float64)
        return pl.select(pl.when(values.is_not_null()).then(adjusted).alias(p.name)).to_series()
    try:
        numbers = np.asarray(p, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"`p` is not made of numbers: {error}") from None
    return _adjusted(numbers.ravel(), method).reshape(numbers.shape)


def _adjusted(p: Floats, method: Adjustment) -> Floats:
    known = ~np.isnan(p)
    wrong = known & ~((p >= 0) & (p <= 1))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(f"`p` is {p[row]:g} ", Row(row), "; wanted p-values, from 0 to 1")
    order = np.argsort(p[known], kind="stable")
    ordered, m = p[known][order], int(known.sum())
    rank = np.arange(1, m + 1)
    if method == "bonferroni":
        found = ordered * m
    elif method == "holm":
        found = np.maximum.accumulate(ordered * (m + 1 - rank))
    else:
        times = float((1 / rank).sum()) if method == "by" else 1.0
        found = np.minimum.accumulate((ordered * (m * times / rank))[::-1])[::-1]
    out: Floats = np.full(p.shape, np.nan)
    back = np.empty(m)
    back[order] = np.minimum(found, 1.0)
    out[known] = back
    return out
