"""A forest plot: a metric of many slices, with intervals, around its value of all rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from confmat.frames.roll_up import GROUPING
from confmat.plots.pictures import drawn
from confmat.plots.style import (
    COLORS,
    INK,
    MUTED,
    REFERENCE,
    axis,
    heading,
    named_places,
    rows,
    scale,
    titled,
)
from confmat.render.figures import figure
from confmat.render.text import fit

if TYPE_CHECKING:
    from confmat.plots.framing import Framing

MOST = 200  # slices in one picture
_A_PANEL = 50  # slices below each other; with more there are panels side by side
_TOLD = ("n", "value", "value_low", "value_high", "overall", "reason")
_BETTER, _WORSE, _EVEN = COLORS[0], COLORS[1], "#4d4d4d"
_MISSING, _ALL = "(missing)", "*"
# Slices at most in a panel; pixels of one, size of its text, characters of its name.
_SIZES = ((12, 26, 12.0, 40), (30, 19, 11.0, 34), (math.inf, 13, 9.5, 26))


def forest(
    table: pl.DataFrame, metric: str, better: str, level: float, asked: Framing
) -> alt.LayerChart | alt.HConcatChart:
    """Draw what `slice_values` gives."""
    keys = [name for name in table.columns if name not in _TOLD]
    ordered, left_out = _ordered(_marked(table, keys, better), better)
    n_panels = max(1, math.ceil(ordered.height / _A_PANEL))
    height = math.ceil(ordered.height / n_panels) if ordered.height else 1
    x = _across(ordered, metric)
    panels = [
        _panel(ordered[at * height : (at + 1) * height], x, height, n_panels, asked)
        for at in range(n_panels)
    ]
    title = heading(
        titled(asked, _title(table, metric)), *_notes(table, keys, better, level, left_out)
    )
    chart = panels[0] if n_panels == 1 else alt.hconcat(*panels, spacing=28)
    return chart.properties(title=title)


def _marked(table: pl.DataFrame, keys: list[str], better: str) -> pl.DataFrame:
    """Return the table with a name, a color and texts of each slice."""
    names = [_name(row, keys) for row in table.iter_rows(named=True)]
    value, overall = pl.col("value"), pl.col("overall")
    above = pl.col("value_low") > overall
    below = pl.col("value_high") < overall
    good, bad = (below, above) if better == "lower" else (above, below)
    color = pl.when(good).then(pl.lit(_BETTER)).when(bad).then(pl.lit(_WORSE))
    return table.select(
        pl.Series("name", names, dtype=pl.String),
        "n",
        value.fill_nan(None),
        pl.col("value_low", "value_high"),
        "overall",
        color.otherwise(pl.lit(_EVEN)).alias("color"),
        pl.when(value.is_null()).then(pl.col("reason").fill_null("undefined")).alias("why"),
    )


def _name(row: dict[str, Any], keys: list[str]) -> str:
    held = [key for key in keys if key != GROUPING]
    values = {key: _MISSING if row[key] is None else drawn(row[key]) for key in held}
    if GROUPING in keys:
        cut = set(str(row[GROUPING]).split(", "))
        # What is null in each grouping that lacks it; keys of no grouping, as `model`, never are.
        values |= {key: _ALL for key in held if key not in cut and row[key] is None}
    return ", ".join(values.values())


def _ordered(marked: pl.DataFrame, better: str) -> tuple[pl.DataFrame, int]:
    """Return the slices, the worst first and those without a value last, and how many are left."""
    ordered = marked.sort(
        "value", descending=better == "lower", nulls_last=True, maintain_order=True
    )
    valued = ordered.filter(pl.col("value").is_not_null())
    if ordered.height <= MOST:
        return ordered, 0
    if valued.height <= MOST:
        return ordered.head(MOST), ordered.height - MOST
    ends = pl.concat([valued.head(MOST // 2), valued.tail(MOST // 2)])
    return ends, ordered.height - MOST


def _across(ordered: pl.DataFrame, metric: str) -> alt.X:
    """Return the axis of the values, wide enough for all intervals."""
    seen = pl.concat(ordered[name] for name in ("value", "value_low", "value_high", "overall"))
    seen = seen.filter(seen.is_finite())
    low, high = (float(seen.min() or 0), float(seen.max() or 0)) if len(seen) else (0.0, 1.0)
    room = 0.04 * (high - low) or 0.05 * max(abs(high), 1)
    ends = scale(low - room, high + room)
    return alt.X("value:Q", title=metric, scale=ends, axis=axis(tickCount=5, format="~g"))


def _panel(
    part: pl.DataFrame, x: alt.X, height: int, n_panels: int, asked: Framing
) -> alt.LayerChart:
    _, step, font, room = next(size for size in _SIZES if height <= size[0])
    width = asked.width or (380 if n_panels == 1 else 200)
    part = part.with_columns(
        at=pl.int_range(pl.len()), counted=pl.col("n").map_elements(_amount, pl.String)
    )
    names = [fit(name, room) for name in part["name"]]
    y = alt.Y(
        "at:O",
        title=None,
        sort=None,
        scale=alt.Scale(domain=list(range(height)), paddingInner=0, paddingOuter=0),
        axis=named_places(names, font),
    )
    tips = [
        alt.Tooltip("name:N", title="slice"),
        alt.Tooltip("n:Q", format=",.6~g"),
        alt.Tooltip("value:Q", format=".4~f"),
        alt.Tooltip("value_low:Q", title="low", format=".4~f"),
        alt.Tooltip("value_high:Q", title="high", format=".4~f"),
        alt.Tooltip("overall:Q", title="all rows", format=".4~f"),
    ]
    base = alt.Chart(rows(part)).encode(y=y)
    color = alt.Color("color:N", scale=None)
    lines = base.mark_rule(strokeWidth=1.6, opacity=0.75).encode(
        x=alt.X("value_low:Q", scale=x["scale"], axis=x["axis"], title=x["title"]),
        x2="value_high:Q",
        color=color,
        tooltip=tips,
    )
    dots = base.mark_point(filled=True, size=5 * font, opacity=1).encode(
        x=x, color=color, tooltip=tips
    )
    whole = part.select("overall").unique().drop_nulls().rename({"overall": "value"})
    rule = alt.Chart(rows(whole)).mark_rule(color=INK, strokeDash=REFERENCE, strokeWidth=1.2)
    beside = base.mark_text(align="left", color=MUTED, fontSize=0.92 * font)
    layers = [
        rule.encode(x=x),
        lines,
        dots.encode(x=x, color=color, tooltip=tips),
        beside.encode(x=alt.value(width + 8), text="counted:N"),
        *_reasons(part.filter(pl.col("value").is_null()), y, font),
    ]
    return alt.layer(*layers).properties(width=width, height=step * height)


def _reasons(part: pl.DataFrame, y: alt.Y, font: float) -> list[alt.Chart]:
    """Return a layer that says why slices have no value."""
    if part.is_empty():
        return []
    mark = alt.Chart(rows(part)).mark_text(
        align="left", color=MUTED, fontSize=0.92 * font, fontStyle="italic"
    )
    return [mark.encode(x=alt.value(4), y=y, text="why:N")]


def _amount(n: float) -> str:
    return f"{n:,.0f}" if n == int(n) else f"{n:,.1f}"


def _title(table: pl.DataFrame, metric: str) -> str:
    return f"{metric} of {table.height:,} slice{'' if table.height == 1 else 's'}"


def _notes(
    table: pl.DataFrame, keys: list[str], better: str, level: float, left_out: int
) -> list[str]:
    overall = table["overall"].unique().drop_nulls()
    by = "by " + ", ".join(drawn(key) for key in keys if key != GROUPING)
    by += " (*: all)" if GROUPING in keys else ""
    dashed = figure(overall[0]) if len(overall) == 1 else "each model its own"
    lines = ""
    if table["value_low"].null_count() < table.height:
        than = ("above", "below", "") if better == "neither" else ("better", "worse", " than all")
        lines = f"lines: {level:.0%} intervals; blue {than[0]}, orange {than[1]}{than[2]}"
    hidden = f"{left_out:,} slices in between are not shown" if left_out else ""
    return [f"{by}; dashed: all rows, {dashed}; right: n", "; ".join(filter(None, (lines, hidden)))]
