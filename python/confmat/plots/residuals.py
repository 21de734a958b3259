"""How errors of a regression are spread: a histogram of prediction less truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.plots.style import COLORS, amount, axis, framed, reference, rows, scale
from confmat.render.figures import figure

if TYPE_CHECKING:
    from confmat.moments.state import MomentState
    from confmat.plots.framing import Framing

Floats = npt.NDArray[np.float64]
_TAIL = 0.001  # of the rows, on each side, may lie outside
_ROOM = 0.05  # beside what is shown


def residuals(state: MomentState, asked: Framing, bins: int) -> alt.LayerChart:
    """Draw the share of the rows by their error; the farthest ones lie outside."""
    low, high, mass = (np.array(part) for part in state._state.error_bins())
    total = float(mass.sum())
    first, last = _range(low, high, mass)
    edges = first + (last - first) * (np.arange(bins + 1) / bins)
    held = _held(low, high, mass, edges)
    share = held / total if total else held
    frame = pl.DataFrame({"error": edges, "share": np.append(share, share[-1])})
    x = alt.X(
        "error:Q", title="Error: prediction less truth", scale=scale(first, last), axis=axis()
    )
    top = float(share.max()) * (1 + _ROOM) or 1.0
    y = alt.Y("share:Q", title="Share of the rows", scale=scale(0, top), axis=axis(format="~%"))
    base = alt.Chart(rows(frame)).encode(x=x, y=y)
    color = alt.value(COLORS[0])
    fill = base.mark_area(interpolate="step-after", opacity=0.2).encode(color=color)
    line = base.mark_line(interpolate="step-after", strokeWidth=1.8).encode(color=color)
    layers = [fill, line]
    if first < 0 < last:
        layers.append(reference([(0.0, 0.0), (0.0, top)], x, y, [5, 4]))
    return framed(
        alt.layer(*layers),
        asked,
        f"Errors of {amount(float(state.n))} rows",
        *_said(state, total - float(held.sum())),
        wide=True,
        flat=0.75,
    )


def _said(state: MomentState, outside: float) -> list[str]:
    """Return what the title says of the errors."""
    names = ("mean_error", "median_absolute_error", "error_quantile(0.9)")
    found, why = state._state.values(list(names))
    if any(why):
        return [str(why[0])]
    told = f"mean {figure(found[0])}, half are within ±{figure(found[1])}, "
    out = [told + f"90 % within ±{figure(found[2])}"]
    if round(outside) > 0:
        out.append(f"about {round(outside):,} of them lie further out")
    return out


def _range(low: Floats, high: Floats, mass: Floats) -> tuple[float, float]:
    """Return what is shown: all errors but for the farthest ones."""
    if not mass.size:
        return -1.0, 1.0
    below = np.cumsum(mass) / mass.sum()
    last_bin = len(mass) - 1
    first = float(low[min(int(np.searchsorted(below, _TAIL, side="right")), last_bin)])
    last = float(high[min(int(np.searchsorted(below, 1 - _TAIL)), last_bin)])
    room = _ROOM * (last - first) or max(abs(first), 1.0)
    return first - room, last + room


def _held(low: Floats, high: Floats, mass: Floats, edges: Floats) -> Floats:
    """Return the weight between edges: that of a bin is spread evenly over its width."""
    wide = low < high
    out, _ = np.histogram(low[~wide], edges, weights=mass[~wide])
    if wide.any():
        low, high, mass = low[wide], high[wide], mass[wide]
        ends = np.column_stack([low, high]).ravel()
        below = np.column_stack([np.cumsum(mass) - mass, np.cumsum(mass)]).ravel()
        out = out + np.diff(np.interp(edges, ends, below))
    return out
