"""Named curves as lines: thinned, told apart by color and dash, with values under the pointer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.plots.style import COLORS, rows, series

MAX_POINTS = 2_000  # of a curve
MAX_TOTAL = 4_000  # of a picture
HOVER_POINTS = 100


def thin(frame: pl.DataFrame, columns: list[str], points: int = MAX_POINTS) -> pl.DataFrame:
    """Return at most `points` rows that draw the same line.

    Rows are taken at equal steps of the length of the line through `columns`, each scaled to its
    range: a row left out is within one step of a row that is kept. Both ends of a long step are
    kept, so corners stay where they are.
    """
    if frame.height <= points:
        return frame
    steps = np.zeros(frame.height - 1)
    for name in columns:
        values = frame[name].cast(pl.Float64).to_numpy()
        finite = values[np.isfinite(values)]
        spread = float(np.ptp(finite)) if finite.size else 0.0
        with np.errstate(invalid="ignore"):
            moves = np.abs(np.diff(values)) / (spread or 1.0)
        steps += np.where(np.isfinite(moves), moves, 0.0)
    length = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.linspace(0.0, length[-1], max((points - 2) // 2, 1))
    after = np.searchsorted(length, wanted)
    return frame[_union(after, after - 1, frame.height)]


def denser(frame: pl.DataFrame, columns: list[str], points: int = 1_000) -> pl.DataFrame:
    """Return the curve with about `points` rows at least, for axes on which it is not straight.

    The new rows lie on straight lines between the old ones in `columns`; their other columns are
    null.
    """
    if not 2 <= frame.height < points:
        return frame
    pieces = -(-points // (frame.height - 1))
    old = np.arange(frame.height)
    at = np.arange((frame.height - 1) * pieces + 1) / pieces
    values = {
        name: np.interp(at, old, frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy())
        for name in columns
    }
    rest = frame.drop(columns).with_columns(at=old.astype(np.float64))
    return pl.DataFrame({"at": at, **values}).join(rest, on="at", how="left").drop("at")


def lines(
    curves: Mapping[str, pl.DataFrame],
    notes: Mapping[str, str],
    x: Any,
    y: Any,
    *,
    interpolate: str = "linear",
    tooltip: list[alt.Tooltip] | None = None,
) -> alt.LayerChart:
    """Return one line for each curve, in the order of its rows, already thinned.

    One curve has no legend; several share one that shows their names and notes.
    """
    names = (str(x.shorthand).partition(":")[0], str(y.shorthand).partition(":")[0])
    tips = [str(tip.shorthand).partition(":")[0] for tip in tooltip or ()]
    wanted = list(dict.fromkeys([*names, *tips]))
    room = min(MAX_POINTS, max(MAX_TOTAL // max(len(curves), 1), 100))
    parts, hovers = [], []
    for name, curve in curves.items():
        part = thin(curve.select(wanted), list(names), room)
        part = part.with_row_index("at").with_columns(series=pl.lit(name))
        parts.append(part)
        hovers.append(thin(part, list(names), HOVER_POINTS))
    alone = len(curves) == 1
    marked = {"color": alt.value(COLORS[0])} if alone else series(notes)
    line = (
        alt.Chart(rows(pl.concat(parts)))
        .mark_line(interpolate=interpolate, strokeWidth=2, clip=True, strokeJoin="round")
        .encode(x=x, y=y, order=alt.Order("at:Q"), **marked)
    )
    if not tooltip:
        return alt.layer(line)
    which = [] if alone else [alt.Tooltip("series:N", title="curve")]
    hover = (
        alt.Chart(rows(pl.concat(hovers)))
        .mark_circle(opacity=0, size=120, clip=True)
        .encode(x=x, y=y, tooltip=[*which, *tooltip])
    )
    return alt.layer(line, hover)


def bands(
    curves: Mapping[str, pl.DataFrame],
    notes: Mapping[str, str],
    x: Any,
    y: Any,
    *,
    interpolate: str = "linear",
) -> alt.Chart:
    """Return an area for each curve, from `<y>_low` to `<y>_high`; none where these are null."""
    across, up = (str(channel.shorthand).partition(":")[0] for channel in (x, y))
    ends = [f"{up}_low", f"{up}_high"]
    room = min(MAX_POINTS, max(MAX_TOTAL // max(len(curves), 1), 100)) // 2
    parts = []
    for name, curve in curves.items():
        known = curve.select(across, *ends).drop_nulls()
        wide = known.group_by(across, maintain_order=True).agg(pl.min(ends[0]), pl.max(ends[1]))
        parts.append(thin(wide, [across, *ends], room).with_columns(series=pl.lit(name)))
    color = alt.value(COLORS[0]) if len(curves) == 1 else series(notes)["color"]
    low = alt.Y(f"{ends[0]}:Q", title=y["title"], scale=y["scale"], axis=y["axis"])
    return (
        alt.Chart(rows(pl.concat(parts)))
        .mark_area(interpolate=interpolate, opacity=0.16, clip=True)
        .encode(x=x, y=low, y2=alt.Y2(f"{ends[1]}:Q"), color=color)
    )


def _union(
    one: npt.NDArray[np.intp], two: npt.NDArray[np.intp], height: int
) -> npt.NDArray[np.int64]:
    """Return the sorted distinct rows of both, with the first and the last row."""
    both = np.concatenate([one, two, [0, height - 1]])
    return np.unique(both[both >= 0]).astype(np.int64)
