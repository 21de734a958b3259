"""A confusion matrix as HTML for notebooks, with all that `print` says: styles, no script."""

from __future__ import annotations

import math

from confmat.matrices import summary
from confmat.matrices.base import MatrixBase
from confmat.matrices.normalize import rates
from confmat.matrices.summary import CORNER, places_of
from confmat.matrices.values import values
from confmat.render.figures import figure
from confmat.render.html import cell, html_table, page
from confmat.render.shades import shade
from confmat.render.text import NOTHING, many, number

MAX_CLASSES = 30
_ROOM = 24

_CELL = "text-align:right;padding:4px 10px;border:1px solid rgba(128,128,128,.25)"
_HEAD = "text-align:right;padding:4px 10px;font-weight:600"
_SIDE = f"{_HEAD};white-space:nowrap"


def html(m: MatrixBase) -> str:
    """Return the matrix as HTML: cells shaded by their share of the true class, and its metrics.

    Above 12 classes the most frequent confusions are listed too, above 30 they alone.
    """
    title = summary.title(m)
    if not m.n:
        return page(title, cell("p", NOTHING))
    parts = [_heat(m)] if len(m.labels) <= MAX_CLASSES else []
    if len(m.labels) > summary.MAX_CLASSES:
        most = summary.confusions(m)
        parts.append(cell("p", summary.MOST if most else summary.DIAGONAL))
        parts += [html_table(summary.CONFUSIONS, most)] if most else []
    told, classes, note = summary.per_class(m)
    known = summary.numbers(m)
    parts.append(html_table((), summary.overall(m, known)))
    parts += [cell("p", line, room=200) for line in (*summary.undefined(m, known), told) if line]
    parts.append(html_table(summary.HEADS, classes))
    return page(title, *parts, *([cell("p", note)] if note else []))


def _heat(m: MatrixBase) -> str:
    """Return the cells with their totals, each coloured by its share of the true class."""
    shares, places = rates(m.counts, "true"), places_of(m)
    body = [[*row, sum(row)] for row in m.counts.tolist()]
    body.append([sum(column) for column in zip(*body, strict=True)])
    room = _ROOM if len(shares) <= 8 else _ROOM // 2
    heads = [cell("th", name, _HEAD, room) for name in (*m._shown, "total")]
    lines = [cell("th", CORNER, _SIDE) + "".join(heads)]
    for i, (name, row) in enumerate(zip((*m._shown, "total"), body, strict=True)):
        cells = [cell("th", name, _SIDE, _ROOM)]
        for j, count in enumerate(row):
            look = _CELL
            if max(i, j) < len(shares):
                ground, ink = shade(shares[i, j], i == j)
                look = f"background-color:{ground};color:{ink};{_CELL}"
            cells.append(cell("td", number(count, places), look))
        lines.append("".join(cells))
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<table style="border-collapse:collapse">{rows}</table>'


def caption(m: MatrixBase) -> str:
    """Return one line on the matrix: classes, rows, rows left out, a few metrics."""
    parts = [
        many(len(m.labels), "class"),
        f"n = {number(m.n, places_of(m))}",
    ]
    parts += [f"{m.n_dropped:,} dropped"] if m.n_dropped else []
    parts += [f"{m.n_other:,} other"] if m.n_other else []
    if m.labels and m.n:
        for name, value in values(m, ("accuracy", "mcc", "gmcc", "eve")).items():
            parts.append(f"{name} {'undefined' if math.isnan(value) else figure(value)}")
    return " · ".join(parts)
