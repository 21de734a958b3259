"""Tables of a report: short ones as they are, long ones that can be sorted and filtered."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from confmat.report.document import Element, Node, tag
from confmat.report.numbers import count, interval, known, number

STATIC = 50  # rows that are there without a script, and in print
Kind = Literal["text", "count", "number", "range", "p"]


@dataclass(frozen=True)
class Column:
    """A column: its head, and how its cells are written.

    Cells of kind "range" are (value, low, high).
    """

    head: str
    kind: Kind = "number"
    title: str | None = None
    ends: tuple[float, float] | None = None  # of the small picture in the cells of a range
    places: int = 3


def plain_table(
    caption: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]], **attributes: Any
) -> Element:
    """Return a table whose first column names its rows."""
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption),
            _head(columns),
            tag("tbody", [_row(columns, row) for row in rows]),
            **attributes,
        ),
        class_="scroll",
        tabindex=0,
        role="region",
        aria_label=caption,
    )


def data_table(
    ident: str, caption: str, noun: str, columns: Sequence[Column], rows: Sequence[Sequence[Any]]
) -> list[Node]:
    """Return a table that a script sorts, filters and shows page by page.

    Its rows travel as text in an element that is not shown; without a script the first are there.
    `noun` is what its rows are, in the plural.
    """
    about = [{"head": c.head, "kind": c.kind, "ends": c.ends, "places": c.places} for c in columns]
    rest = len(rows) - STATIC
    more = tag("p", f"{rest:,} more {noun} are in this file; a browser with scripts shows them.")
    table = tag(
        "table",
        tag("caption", caption),
        _head(columns),
        tag("tbody", [_row(columns, row) for row in rows[:STATIC]]),
    )
    scroll = tag("div", table, class_="scroll", tabindex=0, role="region", aria_label=caption)
    packed = [_packed(columns, row) for row in rows]
    try:
        body = _json(packed)  # ranges are rounded already: much quicker for many rows
    except ValueError:
        body = compact(packed)
    data = f'{{"columns":{compact(about)},"rows":{body}}}'
    return [
        tag(
            "div",
            tag("div", class_="tools"),
            scroll,
            tag("noscript", more) if rest > 0 else None,
            tag("div", data, hidden=True, class_="data"),
            class_="sortable",
            id=ident,
            data_noun=noun,
        )
    ]


def behind(summary: str, *content: Node) -> Element:
    """Return what stands behind a picture: its numbers, folded."""
    return tag("details", tag("summary", summary), content)


def compact(data: Any) -> str:
    """Return data as JSON; what is not finite is null.

    Examples
    --------
    >>> compact({"a": [0.1234567, float("nan"), 3.0]})
    '{"a":[0.123457,null,3]}'
    """
    return _json(_finite(data))


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        if not math.isfinite(data):
            return None
        short = float(f"{data:.6g}") if abs(data) < 1e6 else data
        return int(short) if short.is_integer() and abs(short) < 2**53 else short
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return data


def _head(columns: Sequence[Column]) -> Element:
    cells = [
        tag("th", c.head, scope="col", title=c.title, class_=None if c.kind == "text" else "n")
        for c in columns
    ]
    return tag("thead", tag("tr", cells))


def _row(columns: Sequence[Column], row: Sequence[Any]) -> Element:
    cells = [_cell(at, c, value) for at, (c, value) in enumerate(zip(columns, row, strict=True))]
    return tag("tr", cells)


def _cell(at: int, column: Column, value: Any) -> Element:
    if isinstance(value, Element):
        return tag("td", value)
    if column.kind == "text":
        word = "" if value is None else str(value)
        if at == 0:
            return tag("th", tag("bdi", word), scope="row")
        return tag("td", tag("bdi", word))
    if column.kind == "count":
        return tag("td", count(value), class_="n")
    if column.kind == "p":
        return tag("td", p_value(value), class_="n")
    if column.kind == "number":
        return tag("td", number(value, column.places), class_="n")
    middle, low, high = value
    ends = interval(low, high, column.places)
    small = tag("small", ends) if ends else None
    return tag("td", number(middle, column.places), " " if ends else None, small, class_="n")


def _packed(columns: Sequence[Column], row: Sequence[Any]) -> list[Any]:
    """Return a row as JSON holds it: texts as they are shown, a range without ends as a number."""
    out: list[Any] = []
    for column, value in zip(columns, row, strict=True):
        if column.kind == "range" and not known(value[1]):
            out.append(value[0])
        else:
            out.append(value)
    return out


def p_value(p: Any) -> str:
    """Return a p value with two digits; a very small one as smaller than a bound."""
    if not known(p):
        return number(None)
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"
