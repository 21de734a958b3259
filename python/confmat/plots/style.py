"""How pictures look: colors, dashes, titles, scales.

Colors are those of Okabe and Ito, which the color-blind tell apart; every series has a dash of its
own too, for print without color. Nothing is set for a whole chart (`configure_*`), so that any two
pictures can be layered or put side by side.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from confmat.plots.pictures import drawn
from confmat.render.figures import figure
from confmat.render.text import fit

if TYPE_CHECKING:
    from confmat.plots.framing import Framing

SIDE = 340  # of square pictures, in pixels
WIDE, HIGH = 460, 280
INK, MUTED = "#222222", "#767676"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ([1, 0], [7, 3], [2, 2], [9, 2, 2, 2], [4, 1], [12, 4])
REFERENCE, DOTS = [5, 4], [1, 3]
NAME_ROOM = 60
_FRAME_ROWS = 5_000


def rows(frame: pl.DataFrame) -> pl.DataFrame | alt.InlineData:
    """Return the rows as chart data; JSON has no inf and no nan, so these become null.

    Altair is quicker with frames, but refuses those of more than 5,000 rows.
    """
    floats = pl.selectors.float()
    finite = frame.with_columns(pl.when(floats.is_finite()).then(floats))
    if finite.height <= _FRAME_ROWS:
        return finite
    return alt.InlineData(values=finite.to_dicts())


def heading(text: str | list[str], *lines: str) -> alt.TitleParams:
    """Return a title on the left with smaller lines below it."""
    return alt.TitleParams(
        text,
        subtitle=[line for line in lines if line] or alt.Undefined,
        anchor="start",
        frame="group",
        color=INK,
        fontSize=15,
        subtitleColor="#555555",
        subtitleFontSize=11.5,
        subtitlePadding=4,
        offset=12,
    )


def framed(
    chart: Any, asked: Framing, text: str, *lines: str, wide: bool = False, flat: float = 1.0
) -> Any:
    """Return a chart with its size and title; those asked for come first.

    Square, or `wide`; `flat` lowers it.
    """
    width = asked.width or (WIDE if wide else SIDE)
    height = width * (HIGH / WIDE if wide else 1) * flat
    return chart.properties(
        width=width, height=round(height), title=heading(titled(asked, text), *lines)
    )


def over(chart: Any, asked: Framing) -> Any:
    """Return several panels under the title asked for, if any."""
    return chart if asked.title is None else chart.properties(title=heading(titled(asked, "")))


def titled(asked: Framing, text: str) -> str | list[str]:
    """Return the title asked for, a line each, or else `text`."""
    if asked.title is None:
        return text
    return [drawn(line) if line.strip() else "" for line in asked.title.split("\n")]


def named_places(texts: list[str], font: float) -> alt.Axis:
    """Return an axis of the places 0, 1, ..., each with its text and no line."""
    return alt.Axis(
        labelExpr=f"({json.dumps(texts)})[datum.value] || ''",
        labelFontSize=font,
        labelLimit=0,
        labelOverlap=False,
        labelColor=INK,
        labelPadding=6,
        domain=False,
        ticks=False,
    )


def axis(**options: Any) -> alt.Axis:
    """Return an axis with a faint grid and labels that are not too close."""
    return alt.Axis(
        gridColor="#e6e6e6",
        domainColor=MUTED,
        tickColor=MUTED,
        labelColor=INK,
        titleColor=INK,
        labelFontSize=11,
        titleFontSize=12,
        titleFontWeight="normal",
        labelOverlap=True,
        labelFlush=False,
        **options,
    )


def scale(low: float, high: float | None, **options: Any) -> alt.Scale:
    """Return a scale from `low` to `high`, neither rounded nor stretched to zero."""
    return alt.Scale(domain=[low, high], nice=False, zero=False, padding=0, **options)


def unit(channel: Any, field: str, title: str, most: float | None = None) -> Any:
    """Return an x or y channel from 0 to 1, or to `most`."""
    if most not in (None, 1.0):
        part = axis(tickCount=6, format="~g")
        return channel(f"{field}:Q", title=title, scale=scale(0, most), axis=part)
    ticks = [at / 5 for at in range(6)]
    return channel(
        f"{field}:Q", title=title, scale=scale(0, 1), axis=axis(values=ticks, format=".1f")
    )


def series(notes: Mapping[str, str], title: str | None = None) -> dict[str, Any]:
    """Return color and dash by the field `series`, with one legend: names, and notes on them."""
    names = list(notes)
    texts = {name: ": ".join(filter(None, [fit(name, NAME_ROOM), notes[name]])) for name in names}
    legend = alt.Legend(
        title=title,
        labelExpr=f"({json.dumps(texts)})[datum.label] || datum.label",
        labelLimit=0,
        symbolType="stroke",
        symbolSize=500,
        symbolStrokeWidth=2.2,
        symbolOpacity=1,
        labelFontSize=11.5,
        labelColor=INK,
    )
    colors = [COLORS[at % len(COLORS)] for at in range(len(names))]
    dashes = [DASHES[at % len(DASHES)] for at in range(len(names))]
    return {
        "color": alt.Color(
            "series:N", sort=names, scale=alt.Scale(domain=names, range=colors), legend=legend
        ),
        "strokeDash": alt.StrokeDash(
            "series:N", sort=names, scale=alt.Scale(domain=names, range=dashes), legend=legend
        ),
    }


def reference(points: Sequence[tuple[float, float]], x: Any, y: Any, dash: list[int]) -> alt.Chart:
    """Return a grey line through points, drawn in the channels of the curves."""
    names = (str(x.shorthand).partition(":")[0], str(y.shorthand).partition(":")[0])
    frame = pl.DataFrame(points, schema=list(names), orient="row").with_row_index("at")
    return (
        alt.Chart(rows(frame))
        .mark_line(color=MUTED, strokeDash=dash, strokeWidth=1.3, clip=True)
        .encode(x=x, y=y, order=alt.Order("at:Q"))
    )


def amount(value: float) -> str:
    """Return a count with its digits grouped, a weight with one decimal at most."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def measured(name: str, bounds: tuple[float, float]) -> str:
    """Return what is known for a caption: `AUC 0.8123`, `AUC 0.8120 to 0.8131`, or undefined."""
    if math.isnan(bounds[0]):
        return f"{name} undefined"
    low, high = map(figure, bounds)
    return f"{name} {low}" if low == high else f"{name} {low} to {high}"
