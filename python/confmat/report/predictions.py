"""True numbers against predicted ones: how their pairs lie, and how far predictions hold."""

from __future__ import annotations

import math

import polars as pl

from confmat.moments import density
from confmat.moments.names import DENSITY
from confmat.moments.state import MomentState
from confmat.report.axes import Frame, spread
from confmat.report.curves import figure
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import count, known, number, percent
from confmat.report.tables import Column, plain_table

_DEPTHS = 10
_FEW = 20  # cells of the table


def pictures(state: MomentState, ident: str, level: float) -> Node:
    """Return the pictures of a regression, side by side; without cells what would keep them."""
    if not state.holds(DENSITY):
        return tag("p", 'Pictures need cells of numbers: metrics=["density"] keeps them.')
    found = [_density(state, f"{ident}-density"), _calibration(state, f"{ident}-cal", level)]
    return tag("div", found, class_="pictures")


def _density(state: MomentState, ident: str) -> Element:
    cells = density.density(state)
    low, high = density.main_range(cells)
    inside = cells.filter(
        pl.min_horizontal("true_lo", "predicted_lo") >= low,
        pl.max_horizontal("true_hi", "predicted_hi") <= high,
    )
    ends = spread([low, high])
    frame = Frame(ends, ends, x_title="predicted", y_title="true")
    most = float(inside["n"].max() or 1)  # type: ignore[arg-type]
    least = float(inside["n"].min() or 1)  # type: ignore[arg-type]
    scale = math.log(most / least) or 1.0
    depth = ((pl.col("n") / least).log() / scale * (_DEPTHS - 3)).round().cast(pl.Int64) + 3
    side = density.cells(state)[2]
    for (at,), part in sorted(inside.group_by(depth.clip(3, _DEPTHS).alias("depth"))):
        corners = part.select("predicted_lo", "true_lo").rows()
        frame.squares(corners, side, f"r{at}")
    frame.rule((ends[0], ends[0]), (ends[1], ends[1]), "reference")
    total = float(cells["n"].sum())
    outside = 1 - float(inside["n"].sum()) / total if total else 0.0
    about: list[Node] = [f"Darker: more rows, up to {count(most)} in a cell; dashed: right."]
    if outside > 0:
        about += [f" {percent(outside)} of the rows lie further out."]
    columns = [Column("true", "text"), Column("predicted", "text"), Column("rows", "count")]
    largest = cells.sort("n", descending=True, maintain_order=True).head(_FEW)
    rows = [(_cell(y0, y1), _cell(p0, p1), n) for y0, y1, p0, p1, n in largest.iter_rows()]
    svg = frame.svg(ident, f"How true and predicted numbers of {count(state.n)} rows lie")
    return figure("True against predicted", about, svg, plain_table("Fullest cells", columns, rows))


def _calibration(state: MomentState, ident: str, level: float) -> Element:
    table = density.calibration(state, level=level)
    shown = ("mean_predicted", "mean_true", "ci_low", "ci_high")
    ends = spread(value for name in shown for value in table[name])
    frame = Frame(ends, ends, x_title="mean prediction", y_title="mean true number")
    frame.rule((ends[0], ends[0]), (ends[1], ends[1]), "reference")
    for row in table.iter_rows(named=True):
        x = row["mean_predicted"]
        if known(row["ci_low"]):
            frame.rule((x, row["ci_low"]), (x, row["ci_high"]), "whisker")
    frame.line(table.select("mean_predicted", "mean_true").rows(), "one thin")
    for x, y in table.select("mean_predicted", "mean_true").iter_rows():
        frame.dot(x, y, "one", 3.5)
    about: list[Node] = [
        "Groups of about as many rows each, by prediction; dashed: predictions that hold."
    ]
    columns = [
        Column("predictions", "text"),
        Column("rows", "count"),
        Column("mean prediction"),
        Column("mean true number", "range"),
    ]
    rows = [
        (
            _cell(row["lo"], row["hi"]),
            row["n"],
            row["mean_predicted"],
            (row["mean_true"], row["ci_low"], row["ci_high"]),
        )
        for row in table.iter_rows(named=True)
    ]
    svg = frame.svg(ident, "Calibration: mean true number by prediction")
    return figure("Calibration", about, svg, plain_table("Groups of predictions", columns, rows))


def _cell(low: float, high: float) -> str:
    return number(low) if low == high else f"{number(low)} to {number(high)}"
