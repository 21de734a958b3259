"""Groups with their intervals, around the value of all rows: a panel for each metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import altair as alt
import polars as pl

from confmat.fairness.overview import told
from confmat.plots.pictures import drawn
from confmat.plots.style import COLORS, INK, MUTED, REFERENCE, amount, axis, heading, rows, titled

if TYPE_CHECKING:
    from confmat.fairness.result import Fairness
    from confmat.plots.framing import Framing

PANEL, STEP = 200, 18  # pixels
MOST = 40  # groups; of more, the lowest and the highest of the first metric


def overview(f: Fairness, metrics: Sequence[str], asked: Framing) -> alt.HConcatChart:
    """Draw a dot and an interval for each group and metric, and a line for all rows."""
    points = _points(f, metrics)
    order, left_out = _order(points, metrics[0])
    points = points.filter(pl.col("group").is_in(order))
    panels = [
        _panel(f, points.filter(pl.col("metric") == name), name, order, asked, first=at == 0)
        for at, name in enumerate(metrics)
    ]
    by = " x ".join(map(drawn, f._groups.sensitive))
    within = f" within {' x '.join(map(drawn, f._groups.control))}" if f._groups.control else ""
    lines = [f"{level_of(f)} intervals; dashed: all rows, n = {amount(f._overall.n.sum())}"]
    if left_out:
        lines.append(f"{left_out} groups between the lowest and the highest are left out")
    small = int(f._measures.hidden.sum())
    if small:
        lines.append(f"{small} groups below min_n = {f.min_n:,} are left out")
    chart = alt.hconcat(*panels, spacing=14)
    text = titled(asked, f"Fairness by {by}{within}")
    return chart.properties(title=heading(text, *lines))


def level_of(f: Fairness) -> str:
    """Return the level of the intervals as a share."""
    return f"{100 * f.level:g} %"


def _points(f: Fairness, metrics: Sequence[str]) -> pl.DataFrame:
    """Return value and interval of each group that has one, with its name and that of its block."""
    table = f.table().filter(pl.col("metric").is_in(list(metrics)), pl.col("value").is_not_null())
    keys = [*f._groups.control, *f._groups.sensitive]
    texts = [
        ", ".join("null" if at is None else drawn(at) for at in row)
        for row in table.select(keys).rows()
    ]
    names = pl.Series("group", texts, dtype=pl.String)
    columns = ["metric", "value", "low", "high", "n"]
    return pl.DataFrame([names, *table.select(columns).get_columns()])


def _order(points: pl.DataFrame, first: str) -> tuple[list[str], int]:
    """Return the groups by their value of the first metric, and how many are left out."""
    of_first = points.filter(pl.col("metric") == first).sort("value", descending=True)
    names = list(dict.fromkeys([*of_first["group"], *points["group"]]))
    if len(names) <= MOST:
        return names, 0
    return names[: MOST // 2] + names[-(MOST // 2) :], len(names) - MOST


def _panel(
    f: Fairness, points: pl.DataFrame, name: str, order: list[str], asked: Framing, first: bool
) -> alt.LayerChart:
    x = alt.X("value:Q", title=None, scale=alt.Scale(zero=False, padding=8), axis=axis(tickCount=4))
    labels = axis(labelLimit=220, title=None) if first else None
    y = alt.Y("group:N", sort=order, axis=labels, scale=alt.Scale(domain=order))
    tips = [
        alt.Tooltip("group:N"),
        *(alt.Tooltip(f"{column}:Q", format=".4f") for column in ("value", "low", "high")),
        alt.Tooltip("n:Q", format=","),
    ]
    data = rows(points)
    bars = alt.Chart(data).mark_rule(color=COLORS[0], strokeWidth=2.4, opacity=0.55)
    dots = alt.Chart(data).mark_point(color=COLORS[0], filled=True, size=46, opacity=1)
    layers = [bars.encode(x=alt.X("low:Q"), x2="high:Q", y=y), dots.encode(x=x, y=y, tooltip=tips)]
    whole = f.overall()[name].drop_nulls()
    if len(whole) == 1:  # of several blocks there is no one value
        line = alt.Chart(rows(whole.alias("value").to_frame()))
        layers.insert(0, line.mark_rule(color=MUTED, strokeDash=REFERENCE).encode(x=x))
    subtitle = told(f, name)
    head = alt.TitleParams(
        drawn(name),
        subtitle=subtitle or alt.Undefined,
        anchor="start",
        color=INK,
        fontSize=12.5,
        fontWeight="normal",
        subtitleColor=MUTED,
        subtitleFontSize=10.5,
        offset=6,
    )
    height = max(STEP * len(order), 60)
    return alt.layer(*layers).properties(width=asked.width or PANEL, height=height, title=head)
