"""Axes of named places: rows and columns of heat maps, few or many."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import altair as alt
import polars as pl

from confmat.plots.style import INK, MUTED, rows
from confmat.render.text import fit

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


def whole_names(
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


def names_in(labels: Sequence[str], room: int) -> list[str]:
    """Return the labels cut to `room`; those that look the same then get their number."""
    names = [fit(label, room) for label in labels]
    seen = Counter(names)
    return [
        f"{at} {fit(label, room - 4)}" if seen[name] > 1 else name
        for at, (name, label) in enumerate(zip(names, labels, strict=True))
    ]


def side(
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
