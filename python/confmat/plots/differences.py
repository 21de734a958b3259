"""A forest plot of differences of two models: of each metric, or of one metric in each slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import polars as pl

from confmat.paired.tables import verdict
from confmat.plots.pictures import drawn
from confmat.plots.style import (
    COLORS,
    INK,
    MUTED,
    REFERENCE,
    amount,
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
    from confmat.paired.comparison import Comparison
    from confmat.plots.framing import Framing

MOST = 60  # rows in one picture: of more, those at both ends
_STEP, _WIDTH, _FONT, _ROOM = 22, 400, 11.0, 36
_COLOR = {"better": COLORS[0], "worse": COLORS[1]}
_EVEN = "#4d4d4d"
_ALL, _MISSING = "all rows", "(missing)"


def forest(c: Comparison, metric: str | None, asked: Framing) -> alt.LayerChart:
    """Draw what `Comparison.plot` says."""
    table = _of_metrics(c) if metric is None else _of_slices(c, metric)
    left_out = table.height - MOST
    if left_out > 0:
        table = pl.concat([table.head(MOST // 2), table.tail(MOST // 2)])
    a, b = drawn(c.baseline), "b" if len(c.models) > 1 else drawn(c.models[0])
    what = "metrics" if metric is None else metric
    by = f" by {', '.join(map(drawn, c.keys))}" if metric is not None and c.keys else ""
    lines = [f"lines: {100 * c.level:g} % intervals of the difference, {b} minus {a}{by}"]
    colors = f"blue: {b} is better, orange: {b} is worse, grey: the interval holds 0"
    lines.append(colors if metric is None or _direction(c, metric) else "")
    if left_out > 0:
        lines.append(f"{left_out:,} rows between both ends are left out")
    title = heading(titled(asked, f"{what}: {b} against {a}"), *lines)
    return _chart(table, asked).properties(title=title)


def _of_metrics(c: Comparison) -> pl.DataFrame:
    table = c.overall()
    several = len(c.models) > 1
    names = [
        f"{name}: {drawn(model)}" if several else str(name)
        for name, model in table.select("metric", "model_b").rows()
    ]
    told = [
        table[at].select(verdict(_direction(c, name))).to_series().item()
        for at, name in enumerate(table["metric"])
    ]
    return _marked(table, names, told)


def _of_slices(c: Comparison, metric: str) -> pl.DataFrame:
    several = len(c.models) > 1
    whole = c.overall([metric]).with_columns(verdict=verdict(_direction(c, metric)))
    tables = [_marked(whole, _names(whole, (), several), whole["verdict"].to_list())]
    if c.keys:
        table = c.slices(metric, adjust=None).with_columns(verdict=verdict(_direction(c, metric)))
        tables.append(_marked(table, _names(table, c.keys, several), table["verdict"].to_list()))
    return pl.concat(tables)


def _direction(c: Comparison, metric: str) -> str:
    better = c._asked.fact(metric).better
    return better if better != "neither" else ""


def _names(table: pl.DataFrame, keys: tuple[str, ...], several: bool) -> list[str]:
    names = []
    for model, *values in table.select("model_b", *keys).rows():
        slice_of = ", ".join(_MISSING if one is None else drawn(one) for one in values) or _ALL
        names.append(f"{drawn(model)}: {slice_of}" if several else slice_of)
    return names


def _marked(table: pl.DataFrame, names: list[str], told: list[str | None]) -> pl.DataFrame:
    """Return what the picture shows of each row: a name, numbers, a color and texts."""
    colors = [_COLOR.get(word or "", _EVEN) for word in told]
    numbers = table.select("difference", "low", "high", "value_a", "value_b").rows()
    beside = [_beside(difference, a, b) for difference, _, _, a, b in numbers]
    why = [
        reason or "undefined" if difference is None else None
        for difference, reason in table.select("difference", "reason").rows()
    ]
    return pl.DataFrame(
        [
            pl.Series("name", names, pl.String),
            *table.select("difference", "low", "high", "value_a", "value_b").get_columns(),
            table["n"].cast(pl.Float64),
            pl.Series("color", colors, pl.String),
            pl.Series("beside", beside, pl.String),
            pl.Series("why", why, pl.String),
        ]
    )


def _beside(difference: float | None, a: float | None, b: float | None) -> str:
    return "" if difference is None else f"{figure(a, 3)} → {figure(b, 3)}"


def _chart(table: pl.DataFrame, asked: Framing) -> alt.LayerChart:
    width = asked.width or _WIDTH
    table = table.with_columns(
        at=pl.int_range(pl.len()), counted=pl.col("n").map_elements(amount, pl.String)
    )
    y = alt.Y(
        "at:O",
        title=None,
        sort=None,
        scale=alt.Scale(domain=list(range(table.height)), paddingInner=0, paddingOuter=0),
        axis=named_places([fit(name, _ROOM) for name in table["name"]], _FONT),
    )
    x = _across(table)
    tips = [
        alt.Tooltip("name:N", title=" "),
        *(alt.Tooltip(f"{name}:Q", format=".4~f") for name in ("difference", "low", "high")),
        alt.Tooltip("value_a:Q", title="a", format=".4~f"),
        alt.Tooltip("value_b:Q", title="b", format=".4~f"),
        alt.Tooltip("counted:N", title="n"),
    ]
    base = alt.Chart(rows(table)).encode(y=y)
    color = alt.Color("color:N", scale=None)
    lines = base.mark_rule(strokeWidth=1.8, opacity=0.75).encode(
        x=alt.X("low:Q", scale=x["scale"], axis=x["axis"], title=x["title"]),
        x2="high:Q",
        color=color,
        tooltip=tips,
    )
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(x=x, color=color, tooltip=tips)
    beside = base.mark_text(align="left", color=MUTED, fontSize=0.92 * _FONT)
    zero = alt.Chart(rows(pl.DataFrame({"difference": [0.0]})))
    layers: list[alt.Chart] = [
        zero.mark_rule(color=INK, strokeDash=REFERENCE, strokeWidth=1.2).encode(x=x),
        lines,
        dots,
        beside.encode(x=alt.value(width + 8), text="beside:N"),
    ]
    missing = table.filter(pl.col("why").is_not_null())
    if missing.height:
        mark = alt.Chart(rows(missing)).mark_text(
            align="left", color=MUTED, fontSize=0.92 * _FONT, fontStyle="italic"
        )
        layers.append(mark.encode(x=alt.value(4), y=y, text="why:N"))
    return alt.layer(*layers).properties(width=width, height=_STEP * max(table.height, 1))


def _across(table: pl.DataFrame) -> alt.X:
    """Return the axis of differences, wide enough for all intervals and for 0."""
    seen = pl.concat(table[name] for name in ("difference", "low", "high"))
    seen = seen.filter(seen.is_finite())
    low, high = min(float(seen.min() or 0), 0.0), max(float(seen.max() or 0), 0.0)
    room = 0.04 * (high - low) or 0.05
    ends = scale(low - room, high + room)
    return alt.X(
        "difference:Q", title="difference", scale=ends, axis=axis(tickCount=5, format="+~g")
    )
