"""A confusion matrix as a heat map: counts and shares in the cells, of few classes or many.

Colors are given cell by cell, and not by a scale of the chart: right and wrong cells have hues of
their own, as in the HTML of the matrix.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.matrices.heatmap import caption
from confmat.matrices.normalize import Normalization, rates
from confmat.matrices.summary import places_of
from confmat.plots.pictures import drawn
from confmat.plots.style import INK, MUTED, heading, rows, titled
from confmat.render.shades import shade
from confmat.render.text import fit, number

if TYPE_CHECKING:
    from confmat.matrices.base import MatrixBase
    from confmat.plots.framing import Framing

MAX_CLASSES = 200
# Classes at most, pixels of a cell, characters of a label.
_STEPS: tuple[tuple[float, float, int], ...] = (
    (4, 84, 36),
    (8, 66, 36),
    (16, 50, 28),
    (40, 36, 28),
    (80, 12, 20),
    (math.inf, 9, 16),
)
_FONTS = ((84, 13), (66, 12), (50, 10.5), (36, 9))  # for cells of so many pixels
_READABLE = 7  # pixels of a cell whose class can be named beside it
_OF = {
    "true": "share of the true class",
    "pred": "share of the predicted class",
    "all": "share of all rows",
    "bistochastic": "share after scaling rows and columns to 1",
}


class Look(NamedTuple):
    """Sizes in pixels that go with a number of classes."""

    step: float
    font: float
    label_room: int

    @property
    def room(self) -> int:
        """Characters that fit into a cell."""
        return int((self.step - 4) / (0.58 * self.font)) if self.font else 0


def look_of(k: int, width: float | None = None) -> Look:
    """Return the sizes for `k` classes, in this width; small cells have no text."""
    step, label_room = next((s, room) for most, s, room in _STEPS if k <= most)
    if width is not None:
        step = width / k
    return Look(step, next((font for least, font in _FONTS if step >= least), 0), label_room)


def heat(m: MatrixBase, normalize: Normalization | None, asked: Framing) -> alt.LayerChart:
    """Draw the matrix: true classes down, predicted classes across."""
    k = len(m.labels)
    if not 1 <= k <= MAX_CLASSES:
        raise InputError(
            f"the matrix has {k} classes; wanted 1 to {MAX_CLASSES} for a picture "
            "(m.top_confusions() lists the mistakes of any number)"
        )
    shares = rates(m.counts, normalize) if normalize else m.counts / max(m.counts.max(), 1)
    look = look_of(k, asked.width)
    labels = [drawn(label) for label in m.labels]
    names = _names(labels, look.label_room)
    cells = _cells(m, labels, shares, look)
    tips = [
        alt.Tooltip("true:N"),
        alt.Tooltip("pred:N", title="predicted"),
        alt.Tooltip("count:Q", format="," if m.counts.dtype.kind == "i" else ",.6~g"),
    ]
    tips += [alt.Tooltip("share:Q", title=_OF[normalize], format=".2%")] if normalize else []
    tight = max(map(len, names)) * 6.5 > look.step
    x = _side(alt.X, "j", "Predicted class", names, look, (-45 if k <= 16 else -90) if tight else 0)
    y = _side(alt.Y, "i", "True class", names, look, 0)
    base = alt.Chart(rows(cells)).encode(x=x, y=y)
    line = {"stroke": "#d0d0d0", "strokeWidth": 0.6} if look.font else {}
    layers = [base.mark_rect(**line).encode(color=alt.Color("fill:N", scale=None), tooltip=tips)]
    if look.font:
        ink = alt.Color("ink:N", scale=None)
        up = 0.55 * look.font if normalize else 0
        layers.append(base.mark_text(fontSize=look.font, dy=-up).encode(text="text:N", color=ink))
        if normalize:
            below = base.mark_text(fontSize=0.88 * look.font, dy=up + 1)
            layers.append(below.encode(text="part:N", color=ink))
    shade = f"shade: {_OF[normalize]}" if normalize else "shade: count"
    note = f"{shade}; blue right, orange wrong"
    if not (m.counts.sum(axis=1) > 0).all() and normalize == "true":
        note += "; grey: no row of this class"
    layers += _whole_names(x, y, names, labels, look)
    title = heading(titled(asked, "Confusion matrix"), caption(m), note)
    return alt.layer(*layers).properties(width=look.step * k, height=look.step * k, title=title)


def _whole_names(
    x: alt.X, y: alt.Y, names: Sequence[str], labels: Sequence[str], look: Look
) -> list[alt.Chart]:
    """Return unseen areas over the labels of the axes that show the whole of a name that is cut."""
    cut = [(at, labels[at]) for at, name in enumerate(names) if name != labels[at]]
    if not cut or look.step < _READABLE:
        return []
    side, far = look.step * len(names), 6.5 * max(map(len, names)) + 12
    areas = []
    for field, at, places in (
        ("i", y, {"x": alt.value(-far), "x2": alt.value(0)}),
        ("j", x, {"y": alt.value(side), "y2": alt.value(side + far)}),
    ):
        frame = pl.DataFrame(cut, schema=[field, "name"], orient="row")
        tip = alt.Tooltip("name:N", title="class")
        area = alt.Chart(rows(frame)).mark_rect(opacity=0)
        areas.append(area.encode(tooltip=tip, **{"y" if field == "i" else "x": at}, **places))
    return areas


def _names(labels: Sequence[str], room: int) -> list[str]:
    """Return the labels cut to `room`; those that look the same then get their number."""
    names = [fit(label, room) for label in labels]
    seen = Counter(names)
    return [
        f"{at} {fit(label, room - 4)}" if seen[name] > 1 else name
        for at, (name, label) in enumerate(zip(names, labels, strict=True))
    ]


def _side(
    channel: type[alt.X] | type[alt.Y],
    field: str,
    title: str,
    names: list[str],
    look: Look,
    angle: int,
) -> alt.X | alt.Y:
    """Return a channel of class numbers that are labelled by name; cut names may be equal."""
    size = 11 if look.font else min(11, max(look.step - 1, 1))
    return channel(
        f"{field}:O",
        title=title,
        sort=None,
        scale=alt.Scale(domain=list(range(len(names))), paddingInner=0, paddingOuter=0),
        axis=alt.Axis(
            labelExpr=f"({json.dumps(names)})[datum.value]",
            labels=look.step >= _READABLE,
            labelAngle=angle,
            labelLimit=0,
            labelOverlap=False,
            labelFontSize=size,
            labelColor=INK,
            titleColor=INK,
            titleFontSize=12,
            titleFontWeight="normal",
            titlePadding=8,
            domain=False,
            tickColor=MUTED,
            ticks=bool(look.font),
        ),
    )


def _cells(
    m: MatrixBase, labels: Sequence[str], shares: npt.NDArray[np.float64], look: Look
) -> pl.DataFrame:
    """Return one row a cell: place, labels, count, share, texts and colors."""
    places = places_of(m)
    made = []
    for i, (row, parts) in enumerate(zip(m.counts.tolist(), shares.tolist(), strict=True)):
        for j, (count, share) in enumerate(zip(row, parts, strict=True)):
            fill, ink = shade(share, i == j)
            text = _short(count, places, look.room) if count or look.step > 50 else ""
            part = _percent(share, look.step > 60) if text else ""
            made.append((i, j, labels[i], labels[j], count, share, text, part, fill, ink))
    columns = ["i", "j", "true", "pred", "count", "share", "text", "part", "fill", "ink"]
    frame = pl.DataFrame(made, schema=columns, orient="row", infer_schema_length=None)
    return frame if look.font else frame.drop("text", "part", "ink")


def _short(count: float, places: int, room: int) -> str:
    """Return a count as text of at most `room` characters: 12,345 or 12.3k."""
    text = number(count, places)
    if len(text) <= room:
        return text
    for unit, size in (("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)):
        scaled = count / size
        if 0.9995 <= abs(scaled) < 999.5:
            return f"{scaled:.3g}{unit}" if room >= 5 or scaled >= 99.5 else f"{scaled:.2g}{unit}"
    return f"{count:.2g}" if count >= 1 else f"{count:.1g}"


def _percent(share: float, fine: bool) -> str:
    """Return a share in percent; what is not zero is never written as zero."""
    if math.isnan(share):
        return "\N{EN DASH}"
    least = 0.001 if fine else 0.01
    if 0 < share < least / 2:
        return f"<{100 * least:g}%"
    return f"{share:.1%}" if fine else f"{share:.0%}"
