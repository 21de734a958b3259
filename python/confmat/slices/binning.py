"""Continuous columns as ordered keys: bins between edges, or between quantiles."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from itertools import pairwise
from numbers import Real
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.request import check_columns
from confmat.own_errors import own_errors

_MOST_BINS = 1000


@own_errors
def bin_intervals(
    column: str | pl.Expr, edges: Sequence[Any], *, labels: Sequence[str] | None = None
) -> pl.Expr:
    """Return a column as bins between edges: an ordered key for `by`.

    As `bin_intervals` of Polars, with labels that tell the edges, of any version of Polars.

    Parameters
    ----------
    column : str or pl.Expr
        Numbers, dates or times.
    edges : sequence
        Ascending and finite, at least one; the first bin is below the first, the last one begins
        at the last.
    labels : sequence of str, optional
        A name a bin, one more than there are edges. Default: ``"[18, 30)"`` and the like.

    Returns
    -------
    pl.Expr
        An Enum named as the column, whose categories are the bins in their order. A missing value
        stays null and is a slice of its own, of which nan is a part: it is in no bin.

    Raises
    ------
    InputError
        Edges that do not ascend, another number of labels.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "age": [17.5, 18, 44, 64, None, float("nan")],
    ...     "y_true": [0, 1, 1, 0, 1, 1],
    ...     "y_pred": [0, 1, 0, 0, 1, 0],
    ... })
    >>> table = log.cm.evaluate(by=cm.bin_intervals("age", [18, 45]), metrics="accuracy")
    >>> table.select("age", "n", "accuracy").rows()
    [('< 18', 1, 1.0), ('[18, 45)', 2, 0.5), ('>= 45', 1, 1.0), (None, 2, 0.5)]
    """
    values = _column(column)
    known = _edges(edges)
    names = _labels(known, labels)
    is_missing = values.is_null()
    if isinstance(known[0], Real):
        is_missing |= values > math.inf  # nan alone is beyond it
    places = pl.sum_horizontal((values >= edge).cast(pl.UInt16) for edge in known)
    places = pl.when(~is_missing).then(places.cast(pl.UInt16))
    bins = dict(enumerate(names)) | {None: None}
    return places.replace_strict(bins, return_dtype=pl.Enum(names)).alias(values.meta.output_name())


@own_errors
def bin_quantiles(
    column: str | pl.Expr,
    quantiles: int | Sequence[float],
    frame: pl.DataFrame | pl.LazyFrame,
    *,
    labels: Sequence[str] | None = None,
) -> pl.Expr:
    """Return a column as bins of about as many rows each: an ordered key for `by`.

    The edges are values of the column, found by one query over the frame. They stand in the
    expression, so that the bins stay the same when it is used for other rows, as for the next
    day's.

    Parameters
    ----------
    column : str or pl.Expr
        Numbers.
    quantiles : int or sequence of float
        How many bins, or the shares of the values below each edge, ascending between 0 and 1.
    frame : pl.DataFrame or pl.LazyFrame
        Whose values tell the edges; missing ones and nan are left aside.
    labels : sequence of str, optional
        A name a bin. Default: its edges.

    Returns
    -------
    pl.Expr
        As of `bin_intervals`. Where a value is so frequent that edges are equal there are fewer
        bins than asked for.

    Raises
    ------
    InputError
        No number of bins, a column without values; with `labels`, edges that are equal.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "delay": [-3.0, 0.0, 2.0, 9.0, 40.0, None],
    ...     "y_true": [0, 0, 1, 1, 1, 0],
    ...     "y_pred": [0, 1, 1, 1, 1, 0],
    ... })
    >>> parts = cm.partial(log, by=cm.bin_quantiles("delay", 2, log))
    >>> cm.finish(parts, "accuracy").select("delay", "n", "accuracy").rows()
    [('< 2', 2, 0.5), ('>= 2', 3, 1.0), (None, 1, 1.0)]
    """
    shares = _shares(quantiles)
    values = _column(column)
    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise InputError(f"`frame` is {type(frame).__name__}; wanted the pl.DataFrame to look at")
    check_columns([("column", name) for name in values.meta.root_names()], frame.collect_schema())
    numbers = values.filter(values.is_not_null() & (values <= math.inf))
    found = frame.lazy().select(
        numbers.quantile(share, "higher").alias(str(at)) for at, share in enumerate(shares)
    )
    edges = [edge for edge in found.collect().row(0) if edge is not None]
    if not edges:
        raise InputError("`column` has no value in `frame`, so it has no quantiles")
    edges = list(dict.fromkeys(_whole(edge) for edge in edges if math.isfinite(edge)))
    if labels is not None and len(edges) < len(shares):
        raise InputError(
            f"`labels` has {len(labels)} names, and the quantiles are only {len(edges)} values, "
            f"{edges}; leave `labels` out, or ask for fewer bins"
        )
    return bin_intervals(values, edges, labels=labels)


def _column(column: Any) -> pl.Expr:
    if isinstance(column, pl.Expr):
        return column
    if isinstance(column, str):
        return pl.col(column)
    raise InputError(f"`column` is a {type(column).__name__}; wanted a name or an expression")


def _edges(edges: Any) -> list[Any]:
    known = [] if isinstance(edges, (str, bytes)) else list(edges)
    if not 1 <= len(known) < _MOST_BINS:
        raise InputError(f"`edges` is {edges!r}; wanted 1 to {_MOST_BINS - 1} ascending values")
    kinds = (Real, datetime.date, datetime.time, datetime.timedelta)
    for at, edge in enumerate(known):
        is_number = isinstance(edge, Real) and not isinstance(edge, bool)
        if not (math.isfinite(edge) if is_number else isinstance(edge, kinds[1:])):
            raise InputError(
                f"`edges` has {edge!r} at position {at}; wanted finite numbers or dates"
            )
        if at > 0 and not known[at - 1] < edge:
            raise InputError(
                f"`edges` has {edge!r} after {known[at - 1]!r} at position {at}; wanted them "
                "to ascend"
            )
    return known


def _labels(edges: list[Any], labels: Sequence[str] | None) -> list[str]:
    if labels is None:
        texts = [_text(edge) for edge in edges]
        between = [f"[{low}, {high})" for low, high in pairwise(texts)]
        return [f"< {texts[0]}", *between, f">= {texts[-1]}"]
    names = [labels] if isinstance(labels, str) else list(labels)
    if len(names) != len(edges) + 1 or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"`labels` is {names}; wanted {len(edges) + 1} texts, one more than there are edges"
        )
    if len(set(names)) < len(names):
        raise InputError(f"`labels` has a name twice: {names}")
    return names


def _shares(quantiles: Any) -> list[float]:
    if isinstance(quantiles, int) and not isinstance(quantiles, bool):
        if not 2 <= quantiles <= _MOST_BINS:
            raise InputError(f"`quantiles` is {quantiles}; wanted 2 to {_MOST_BINS} bins")
        return [at / quantiles for at in range(1, quantiles)]
    is_list = isinstance(quantiles, Sequence) and not isinstance(quantiles, (str, bytes))
    shares = list(quantiles) if is_list else []
    ascend = all(isinstance(share, (int, float)) and 0 < share < 1 for share in shares) and all(
        one < next_one for one, next_one in pairwise(shares)
    )
    if not shares or not ascend:
        raise InputError(
            f"`quantiles` is {quantiles!r}; wanted a number of bins, or ascending shares between "
            "0 and 1"
        )
    return [float(share) for share in shares]


def _whole(value: float) -> float:
    """Return a number as an integer where it is one that prints shorter."""
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def _text(edge: Any) -> str:
    return str(_whole(edge)) if isinstance(edge, (int, float)) else str(edge)
