"""The confusion matrix as a heat map: a table of cells, or of very many classes a picture."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np

from confmat.matrices.normalize import rates
from confmat.objects.matrix import ConfusionMatrix
from confmat.report.document import Attribute, Element, Node, tag
from confmat.report.numbers import count, name_of, percent
from confmat.report.tables import Column, behind, compact, plain_table

IN_TABLE, IN_PICTURE = 25, 200
LEVELS = 10  # of each of the two hues
_SIDE = 640


def heat_map(m: ConfusionMatrix, ident: str) -> list[Node]:
    """Return the matrix with what it says about confusions."""
    k = len(m.labels)
    out: list[Node] = []
    if k <= IN_TABLE:
        out.append(_table(m, ident))
    elif k <= IN_PICTURE:
        out.append(_picture(m, ident))
    else:
        told = f"A matrix of {k:,} classes is too large for a picture; its largest cells:"
        out.append(tag("p", told, class_="note"))
    if k > 2:
        confusions = _confusions(m, 12 if k <= IN_TABLE else 50)
        out.append(confusions if k > IN_TABLE else behind("Most frequent confusions", confusions))
    return out


def level(share: float) -> int:
    """Return the shade of a share, from 0 to 10: small ones are lifted, as mistakes are looked for.

    Examples
    --------
    >>> [level(share) for share in (0.0, 0.01, 0.1, 0.5, 1.0)]
    [0, 1, 2, 6, 10]
    """
    if math.isnan(share) or share <= 0:
        return 0
    return max(1, round(LEVELS * math.pow(min(share, 1.0), 0.7)))


def _table(m: ConfusionMatrix, ident: str) -> Element:
    room = 24 if len(m.labels) <= 8 else 14
    names = [name_of(label, room) for label in m.labels]
    cells, shares = m.counts.tolist(), rates(m.counts, "true")
    heads = [tag("th", tag("bdi", name), scope="col") for name in names]
    rows = []
    for i, name in enumerate(names):
        body = [
            tag("td", count(cell), class_=f"{'r' if i == j else 'w'}{level(shares[i, j])}")
            for j, cell in enumerate(cells[i])
        ]
        total = tag("td", count(sum(cells[i])), class_="total")
        rows.append(tag("tr", tag("th", tag("bdi", name), scope="row"), body, total))
    totals = [tag("td", count(sum(column)), class_="total") for column in zip(*cells, strict=True)]
    whole = tag("td", count(m.n), class_="total")
    foot = tag("tr", tag("th", "predicted", scope="row"), totals, whole)
    caption = "Rows are true classes, columns predicted ones; shaded by the share of the class"
    table = tag(
        "table",
        tag("caption", caption, class_="hidden"),
        tag("thead", tag("tr", tag("th", "true ↓  predicted →", scope="col"), heads, _total())),
        tag("tbody", rows),
        tag("tfoot", foot),
        class_="heat wide" if len(names) > 8 else "heat large" if len(names) < 5 else "heat",
    )
    region: dict[str, Attribute] = {
        "role": "region",
        "aria_label": "Cells of the confusion matrix",
        "tabindex": 0,
    }
    data = tag("div", compact({"counts": cells}), hidden=True, class_="data")
    scroll = tag("div", table, class_="scroll", **region)
    about = tag("p", f"{caption}.", class_="note")
    return tag("div", tag("div", class_="tools"), about, scroll, data, class_="matrix", id=ident)


def _total() -> Element:
    return tag("th", "true", scope="col", class_="total")


def _picture(m: ConfusionMatrix, ident: str) -> Element:
    """Return cells as squares, a path for each shade."""
    k = len(m.labels)
    counts = m.counts
    largest = max(float(counts.max(initial=0)), 1.0)
    groups: list[Node] = []
    for view, shares in (
        ("count", counts / largest),
        *((name, rates(counts, name)) for name in ("true", "pred")),
    ):
        paths = [tag("path", d=way, class_=hue) for hue, way in _ways(counts, shares).items()]
        groups.append(tag("g", paths, class_=f"view {view}"))
    names = [name_of(label, 24) for label in m.labels]
    about = f"Heat map of {k} true classes, down, by {k} predicted classes, across"
    svg = tag(
        "svg",
        tag("title", about),
        tag("rect", width=k, height=k, class_="empty"),
        groups,
        viewBox=f"0 0 {k} {k}",
        role="img",
        class_="cells",
        data_view="true",
    )
    data = {"counts": counts.tolist(), "names": names}
    readout = tag("p", "Point at a cell to read it.", class_="readout note", aria_live="polite")
    return tag(
        "div",
        tag("div", class_="tools"),
        tag("figure", svg, tag("figcaption", f"{about}. The table below lists the largest cells.")),
        readout,
        tag("div", compact(data), hidden=True, class_="data"),
        class_="matrix",
        id=ident,
    )


def _ways(counts: Any, shares: Any) -> dict[str, str]:
    parts: dict[str, list[str]] = defaultdict(list)
    for i, j in zip(*map(np.ndarray.tolist, np.nonzero(counts)), strict=True):
        parts[f"{'r' if i == j else 'w'}{level(shares[i, j])}"].append(f"M{j} {i}h1v1h-1z")
    return {hue: "".join(way) for hue, way in sorted(parts.items())}


def _confusions(m: ConfusionMatrix, most: int) -> Element:
    columns = [
        Column("true", "text"),
        Column("predicted", "text"),
        Column("rows", "count"),
        Column("of the true class", "text"),
    ]
    rows = [
        (name_of(true), name_of(pred), n, percent(rate))
        for true, pred, n, rate in m.top_confusions(most).rows()
    ]
    if not rows:
        return tag("p", "Every row is on the diagonal.", class_="note")
    return plain_table("Most frequent confusions", columns, rows)
