"""A confusion matrix as a heat map: counts and shares in the cells, of few classes or many.

Colors are given cell by cell, and not by a scale of the chart: right and wrong cells have hues of
their own, as in the HTML of the matrix.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.matrices.heatmap import caption
from confmat.matrices.normalize import Normalization, rates
from confmat.matrices.summary import places_of
from confmat.plots.named_axes import Look, look_of, names_in, side, whole_names
from confmat.plots.pictures import drawn
from confmat.plots.style import heading, rows, titled
from confmat.render.shades import shade
from confmat.render.text import number

if TYPE_CHECKING:
    from confmat.matrices.base import MatrixBase
    from confmat.plots.framing import Framing

MAX_CLASSES = 200
_OF = {
    "true": "share of the true class",
    "pred": "share of the predicted class",
    "all": "share of all rows",
    "bistochastic": "share after scaling rows and columns to 1",
}


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
    names = names_in(labels, look.label_room)
    cells = _cells(m, labels, shares, look)
    tips = [
        alt.Tooltip("true:N"),
        alt.Tooltip("pred:N", title="predicted"),
        alt.Tooltip("count:Q", format="," if m.counts.dtype.kind == "i" else ",.6~g"),
    ]
    tips += [alt.Tooltip("share:Q", title=_OF[normalize], format=".2%")] if normalize else []
    tight = max(map(len, names)) * 6.5 > look.step
    x = side(alt.X, "j", "Predicted class", names, look, (-45 if k <= 16 else -90) if tight else 0)
    y = side(alt.Y, "i", "True class", names, look, 0)
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
    layers += whole_names(x, y, names, labels, look)
    title = heading(titled(asked, "Confusion matrix"), caption(m), note)
    return alt.layer(*layers).properties(width=look.step * k, height=look.step * k, title=title)


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
