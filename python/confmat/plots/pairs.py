"""True numbers against predicted ones: how their pairs lie, and how far predictions hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import polars as pl

from confmat.moments import density as pairs
from confmat.plots.style import (
    COLORS,
    INK,
    REFERENCE,
    amount,
    axis,
    framed,
    reference,
    rows,
    scale,
)
from confmat.render.figures import figure

if TYPE_CHECKING:
    from confmat.intervals.levels import Floats
    from confmat.moments.state import MomentState
    from confmat.plots.framing import Framing

_PREDICTED, _TRUE, _MEAN = "Predicted", "True", "Mean true number"


def density(state: MomentState, asked: Framing) -> alt.LayerChart:
    """Draw a square a cell, darker the more rows it has; the farthest ones lie outside."""
    frame = pairs.density(state)
    low, high = _with_room(np.array(pairs.main_range(frame)))
    shown = frame.filter(
        (pl.col("true_hi") >= low)
        & (pl.col("true_lo") <= high)
        & (pl.col("predicted_hi") >= low)
        & (pl.col("predicted_lo") <= high)
    )
    x = alt.X("predicted_lo:Q", title=_PREDICTED, scale=scale(low, high), axis=axis())
    y = alt.Y("true_lo:Q", title=_TRUE, scale=scale(low, high), axis=axis())
    most = float(shown["n"].max() or 1.0)  # type: ignore[arg-type]
    least = float(shown["n"].min() or 1.0)  # type: ignore[arg-type]
    legend = alt.Legend(
        title="Rows of a cell", format="~s", tickCount=4, labelColor=INK, titleColor=INK
    )
    shades = alt.Scale(type="log", domain=[least, most], scheme="blues")
    color: Any = alt.Color("n:Q", scale=shades, legend=legend)
    if least == most:
        color = alt.value(COLORS[0])
    names = {"true_lo": "~g", "predicted_lo": "~g", "n": ",.6~g"}
    tips = [alt.Tooltip(f"{name}:Q", format=form) for name, form in names.items()]
    base = alt.Chart(rows(shown)).encode(x=x, y=y, color=color, tooltip=tips)
    side = pairs.cells(state)[2]
    cells = (
        base.mark_rect(clip=True).encode(x2="predicted_hi:Q", y2="true_hi:Q")
        if side
        else base.mark_circle(size=26, opacity=1, clip=True)
    )
    diagonal = reference([(low, low), (high, high)], x, y, REFERENCE)
    outside = float(frame["n"].sum()) - float(shown["n"].sum())
    total = float(frame["n"].sum())
    said = [f"about {100 * outside / total:.2g}% of them lie further out"] if outside > 0 else []
    of = "rows that weigh " if state._state.has_weights else ""
    text = f"True against predicted numbers of {of}{amount(float(state.n))}"
    text += "" if of else " rows"
    return framed(alt.layer(cells, diagonal), asked, text, *said)


def calibration(state: MomentState, asked: Framing, bins: int, ci: float) -> alt.LayerChart:
    """Draw the mean true number of each group of predictions against their mean."""
    table = pairs.calibration(state, bins, level=ci)
    ends = table.select("mean_predicted", "mean_true", "ci_low", "ci_high").to_numpy().ravel()
    low, high = _with_room(ends[np.isfinite(ends)])
    x = alt.X("mean_predicted:Q", title="Mean prediction", scale=scale(low, high), axis=axis())
    y = alt.Y("mean_true:Q", title=_MEAN, scale=scale(low, high), axis=axis())
    names = {"lo": "~g", "hi": "~g", "n": ",.6~g", "mean_predicted": ".6~g", "mean_true": ".6~g"}
    tips = [alt.Tooltip(f"{name}:Q", format=form) for name, form in names.items()]
    color = alt.value(COLORS[0])
    base = alt.Chart(rows(table)).encode(x=x, y=y, color=color)
    band = alt.Chart(rows(table)).mark_area(opacity=0.2, clip=True)
    layers = [
        reference([(low, low), (high, high)], x, y, REFERENCE),
        band.encode(x=x, y=alt.Y("ci_low:Q", title=_MEAN), y2="ci_high:Q", color=color),
        base.mark_line(strokeWidth=2),
        base.mark_circle(size=46, opacity=1).encode(tooltip=tips),
    ]
    (slope, intercept), why = state._state.values(["slope", "intercept"])
    line = f"line through all rows: {figure(intercept)} + {figure(slope)} of the prediction"
    how = f"{table.height} groups of predictions, band: {100 * ci:g}% interval"
    return framed(alt.layer(*layers), asked, "Calibration", how, "" if any(why) else line)


def _with_room(numbers: Floats) -> tuple[float, float]:
    if not numbers.size:
        return 0.0, 1.0
    low, high = float(numbers.min()), float(numbers.max())
    room = 0.05 * (high - low) or max(abs(low), 1.0) / 2
    return low - room, high + room
