"""How far the axis of a value reaches, so that bands are seen and curves do not get flat."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

_MOST = 2.0  # times as high as the highest curve
_CUT = 0.02  # of the width of the axis: where a band may leave it, as lift does at its left end
_ROOM = 1.05  # above a band, whose edge would else lie on that of the picture
_PLACES = 501


def top(
    curves: Mapping[str, pl.DataFrame],
    x: str,
    y: str,
    highest: float,
    span: tuple[float, float] = (0.0, 1.0),
    most: float | None = None,
) -> float:
    """Return how high an axis reaches: to the band, but for a fiftieth of the width.

    Parameters
    ----------
    curves : mapping of str to frame
        Columns `x` and, where there is a band, `<y>_high`.
    highest : float
        The greatest value of the curves, to which the axis reaches without a band.
    span : tuple of float, default (0.0, 1.0)
        Both ends of the axis of `x`.
    most : float, optional
        How far it reaches at most; default twice as far.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.plots.heights import top
    >>> curve = pl.DataFrame({"x": [0.0, 1.0], "y": [1.0, 0.5], "y_high": [1.4, 1.4]})
    >>> top({"a": curve}, "x", "y", 1.0), top({"a": curve}, "x", "y", 0.5)
    (1.47, 1.0)
    """
    end = _ROOM * _end(curves, x, f"{y}_high", span, 1 - _CUT)
    return max(highest, min(end, _MOST * highest if most is None else most))


def bottom(
    curves: Mapping[str, pl.DataFrame],
    x: str,
    y: str,
    lowest: float,
    deepest: float,
    span: tuple[float, float] = (0.0, 1.0),
) -> float:
    """Return how low an axis reaches that has 0 on it, as `top`.

    It ends at `lowest` without a band, and at `deepest` at the least.
    """
    return min(lowest, max(_end(curves, x, f"{y}_low", span, _CUT), deepest))


def _end(
    curves: Mapping[str, pl.DataFrame], x: str, end: str, span: tuple[float, float], share: float
) -> float:
    """Return the end of a band that this share of the axis is below, of the outermost band."""
    places = np.linspace(*span, _PLACES)
    found = [0.0]
    for curve in curves.values():
        if end not in curve.columns:
            continue
        known = curve.select(pl.col(x, end).cast(pl.Float64))
        known = known.filter(pl.all_horizontal(pl.all().is_finite())).sort(x)
        if not known.is_empty():
            ends = np.interp(places, known[x].to_numpy(), known[end].to_numpy())
            found.append(float(np.quantile(ends, share)))
    return max(found) if share > 0.5 else min(found)
