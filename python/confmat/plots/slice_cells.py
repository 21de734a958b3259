"""A heat map of two keys: one metric in every cell, against its value of all rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from confmat.errors import InputError
from confmat.plots.named_axes import look_of, names_in, side
from confmat.plots.pictures import drawn
from confmat.plots.style import MUTED, heading, rows, titled
from confmat.render.figures import figure
from confmat.render.shades import shade

if TYPE_CHECKING:
    from confmat.plots.framing import Framing

MOST_VALUES = 200  # of a key
_MISSING = "(missing)"
_STEP_WITH_TEXT = 36
_COVERED = 0.99  # the share of rows whose cells tell which color is the darkest


def heat(
    table: pl.DataFrame, metric: str, better: str, x: str, y: str, few: str, asked: Framing
) -> alt.LayerChart:
    """Draw what `slice_values` gives of two keys: `x` across, `y` down; `few` is why not."""
    across, down = _values(table, x), _values(table, y)
    look = look_of(max(len(across), len(down)), asked.width)
    cells, most = _cells(table, better, x, y, across, down)
    texts = {key: _texts(values) for key, values in ((x, across), (y, down))}
    names = {key: names_in(texts[key], look.label_room) for key in (x, y)}
    tight = max(map(len, names[x])) * 6.5 > look.step
    angle = (-45 if len(across) <= 16 else -90) if tight else 0
    places = {
        "x": side(alt.X, "j", drawn(x), names[x], look, angle),
        "y": side(alt.Y, "i", drawn(y), names[y], look, 0),
    }
    tips = [
        alt.Tooltip("x:N", title=drawn(x)),
        alt.Tooltip("y:N", title=drawn(y)),
        alt.Tooltip("n:Q", format=",.6~g"),
        alt.Tooltip("value:Q", title=metric, format=".4~f"),
        alt.Tooltip("why:N", title="no value"),
    ]
    named = cells.with_columns(
        x=pl.Series([texts[x][j] for j in cells["j"]]),
        y=pl.Series([texts[y][i] for i in cells["i"]]),
    )
    base = alt.Chart(rows(named)).encode(**places)
    line = {"stroke": "#d0d0d0", "strokeWidth": 0.6} if look.font else {}
    color = alt.Color("fill:N", scale=None)
    layers = [
        base.mark_rect(**line).encode(color=color, tooltip=tips),
        *_crosses(cells, places, look),
    ]
    if look.step >= _STEP_WITH_TEXT:
        font = min(look.font, 11.5)
        text = base.mark_text(fontSize=font).encode(
            text="text:N", color=alt.Color("ink:N", scale=None)
        )
        layers.append(text)
    title = heading(
        titled(asked, f"{metric} by {drawn(x)} and {drawn(y)}"),
        *_notes(table, better, most, cells, few),
    )
    return alt.layer(*layers).properties(
        width=look.step * len(across), height=look.step * len(down), title=title
    )


def _values(table: pl.DataFrame, key: str) -> list[Any]:
    values = table.select(key).unique().sort(key, nulls_last=True).to_series().to_list()
    if not 1 <= len(values) <= MOST_VALUES:
        raise InputError(
            f"the key {key!r} has {len(values)} values; wanted 1 to {MOST_VALUES} for a picture "
            "(`worst` lists the worst slices of any number)"
        )
    return values


def _texts(values: list[Any]) -> list[str]:
    return [_MISSING if value is None else drawn(value) for value in values]


def _cells(
    table: pl.DataFrame, better: str, x: str, y: str, across: list[Any], down: list[Any]
) -> tuple[pl.DataFrame, float]:
    """Return a row for every pair of values, and how far from all rows the darkest cell is."""
    known = {(row[y], row[x]): row for row in table.iter_rows(named=True)}
    most = _most(table)
    made = []
    for i, row_value in enumerate(down):
        for j, column_value in enumerate(across):
            row = known.get((row_value, column_value))
            made.append((i, j, *_cell(row, better, most)))
    columns = ["i", "j", "n", "value", "text", "fill", "ink", "why"]
    types = {"n": pl.Float64, "value": pl.Float64, "text": pl.String, "why": pl.String}
    return pl.DataFrame(made, schema=columns, schema_overrides=types, orient="row"), most


def _most(table: pl.DataFrame) -> float:
    """Return how far from all rows cells are, but for few rows: a cell of one row tells nothing."""
    gap = (pl.col("value") - pl.col("overall")).abs()
    gaps = table.select(gap.alias("gap"), "n").filter(pl.col("gap").is_finite()).sort("gap")
    if gaps.is_empty():
        return 0.0
    covered = gaps["n"].cast(pl.Float64).cum_sum() / max(float(gaps["n"].sum()), 1.0)
    return float(gaps["gap"][int((covered < _COVERED).sum())])


def _cell(row: dict[str, Any] | None, better: str, most: float) -> tuple[Any, ...]:
    if row is None:
        return 0, None, "", "#ffffff", MUTED, "no rows"
    value, overall = row["value"], row["overall"]
    if value is None or math.isnan(value):
        fill, ink = shade(math.nan, True)
        return row["n"], None, "\N{EN DASH}", fill, ink, row["reason"] or "undefined"
    gap = 0.0 if overall is None else value - overall
    is_better = gap < 0 if better == "lower" else gap > 0
    fill, ink = shade(abs(gap) / most if most else 0.0, is_better)
    return row["n"], value, _short(value), fill, ink, None


def _short(value: float) -> str:
    """Return a value in the few characters that a cell has room for."""
    if abs(value) >= 100:
        return f"{value:,.0f}" if abs(value) < 1e5 else f"{value:.1g}"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def _crosses(cells: pl.DataFrame, places: dict[str, Any], look: Any) -> list[alt.Chart]:
    """Return a layer that crosses out cells without rows."""
    empty = cells.filter(why="no rows").select("i", "j")
    if empty.is_empty():
        return []
    font = min(14, max(7, look.step - 4))
    mark = alt.Chart(rows(empty)).mark_text(
        text="\N{MULTIPLICATION SIGN}", fontSize=font, color="#b0b0b0"
    )
    return [mark.encode(**places)]


def _notes(
    table: pl.DataFrame, better: str, most: float, cells: pl.DataFrame, few: str
) -> list[str]:
    overall = table["overall"].drop_nulls()
    words = ("above", "below") if better == "neither" else ("better", "worse")
    first = "all rows undefined"
    if len(overall):
        first = f"white: as all rows, {figure(overall[0])}; blue {words[0]}, orange {words[1]}"
        first += f", darkest from {figure(most, 3)} away" if most else ""
    second = []
    if cells.filter(why="no rows").height:
        second.append("cross: no rows")
    if cells.filter(pl.col("why").is_not_null() & (pl.col("why") != "no rows")).height:
        second.append(f"grey: {few if few in cells['why'] else 'undefined'}")
    return [first, "; ".join(second)]
