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
    whole = "grey: all groups within" if f._groups.control else "dashed: all groups"
    lines = [f"{level_of(f)} intervals; {whole}; n = {amount(f._overall.n.sum())}"]
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
    """Return value and interval of each group that has one, and the value of its block."""
    table = f.table().filter(pl.col("metric").is_in(list(metrics)), pl.col("value").is_not_null())
    keys = [*f._groups.control, *f._groups.sensitive]
    texts = [
        ", ".join("null" if at is None else drawn(at) for at in row)
        for row in table.select(keys).rows()
    ]
    names = pl.Series("group", texts, dtype=pl.String)
    columns = [pl.col("metric", "value", "low", "high", "n")]
    within = pl.struct(f._groups.control) if f._groups.control else pl.lit(0)
    columns.append(within.rank("dense").alias("block"))
    of_blocks = f.overall().unpivot(
        list(metrics), index=list(f._groups.control), variable_name="metric"
    )
    of_blocks = of_blocks.rename({"value": "whole"})
    table = table.join(
        of_blocks,
        on=[*f._groups.control, "metric"],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    columns.append(pl.col("whole"))
    return pl.DataFrame([names, *table.select(columns).get_columns()])


def _order(points: pl.DataFrame, first: str) -> tuple[list[str], int]:
    """Return the groups, of each block by the first metric, and how many are left out."""
    by_value = points.filter(pl.col("metric") == first).sort("value", descending=True)
    left_out = max(by_value.height - MOST, 0)
    if left_out:
        by_value = pl.concat([by_value.head(MOST // 2), by_value.tail(MOST // 2)])
    names = by_value.sort("block", maintain_order=True)["group"].to_list()
    others = [] if left_out else points["group"].to_list()
    return list(dict.fromkeys([*names, *others])), left_out


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
    if f._groups.control:  # a value of each block
        line = alt.Chart(data).mark_tick(color=MUTED, thickness=1.5, size=STEP - 3)
        layers.insert(0, line.encode(x=alt.X("whole:Q"), y=y))
    else:
        line = alt.Chart(rows(points.select(pl.col("whole").first().alias("value"))))
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
