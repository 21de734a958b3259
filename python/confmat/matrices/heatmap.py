"""A confusion matrix as an HTML table for notebooks: inline styles, no script."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from confmat.matrices.normalize import rates
from confmat.matrices.summary import fit, number, places_of

if TYPE_CHECKING:
    from confmat.matrices.views import MatrixViews

MAX_CLASSES = 30

_RIGHT = "31, 119, 180"
_WRONG = "214, 69, 65"
_CELL = "text-align:right;padding:4px 10px;border:1px solid rgba(128,128,128,.25)"
_HEAD = "text-align:right;padding:4px 10px;font-weight:600"


def html_table(m: MatrixViews) -> str:
    """Return the matrix as HTML: cells shaded by their share of the true class.

    Labels go through one escape, so none of them can become markup; above 30 classes the most
    frequent confusions are shown instead.
    """
    rows = _confusions(m) if len(m.labels) > MAX_CLASSES else _heat(m)
    note = _cell("p", caption(m), "font-size:90%;opacity:.8")
    return _node("div", _node("table", "".join(rows), "border-collapse:collapse") + note)


def _node(tag: str, inner: str, style: str = "") -> str:
    """Wrap markup that is already escaped."""
    return f'<{tag} style="{style}">{inner}</{tag}>' if style else f"<{tag}>{inner}</{tag}>"


def _cell(tag: str, content: str, style: str) -> str:
    """Return one table cell: the only place where text enters the page."""
    return _node(tag, escape(content, quote=True), style)


def _heat(m: MatrixViews) -> list[str]:
    shares = rates(m.counts, "true", 0.0)
    places = places_of(m)
    heads = [_cell("th", fit(name, 24), _HEAD) for name in m._shown]
    corner = _cell("th", "true \\ pred", _HEAD)
    lines = [_node("tr", corner + "".join(heads) + _cell("th", "total", _HEAD))]
    for i, (name, row) in enumerate(zip(m._shown, m.counts.tolist(), strict=True)):
        cells = [_cell("th", fit(name, 24), _HEAD)]
        for j, count in enumerate(row):
            color = _RIGHT if i == j else _WRONG
            shade = f"background-color:rgba({color}, {0.6 * shares[i, j]:.3f});{_CELL}"
            cells.append(_cell("td", number(count, places), shade))
        cells.append(_cell("td", number(sum(row), places), _CELL))
        lines.append(_node("tr", "".join(cells)))
    return lines


def _confusions(m: MatrixViews) -> list[str]:
    names = ("true", "pred", "count", "rate")
    lines = [_node("tr", "".join(_cell("th", name, _HEAD) for name in names))]
    place = dict(zip(m.labels, m._shown, strict=True))
    for true, pred, count, rate in m.top_confusions(20).rows():
        shade = f"background-color:rgba({_WRONG}, {0.6 * rate:.3f});{_CELL}"
        cells = [_cell("td", fit(place[label], 24), _CELL) for label in (true, pred)]
        cells += [
            _cell("td", number(count, places_of(m)), shade),
            _cell("td", f"{rate:.1%}", _CELL),
        ]
        lines.append(_node("tr", "".join(cells)))
    return lines


def caption(m: MatrixViews) -> str:
    """Return one line on the matrix: classes, rows, rows left out, a few metrics."""
    parts = [
        f"{len(m.labels)} class{'' if len(m.labels) == 1 else 'es'}",
        f"n = {number(m.n, places_of(m))}",
    ]
    parts += [f"{m.n_dropped:,} dropped"] if m.n_dropped else []
    parts += [f"{m.n_other:,} other"] if m.n_other else []
    if m.labels and m.n:
        for name, value in m.values(("accuracy", "mcc", "gmcc", "eve")).items():
            parts.append(f"{name} {'undefined' if math.isnan(value) else format(value, '.4f')}")
    return " · ".join(parts)
