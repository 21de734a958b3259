"""Pages of HTML for notebooks: tables of texts, each escaped in one place; no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from confmat.render.text import fit

_ROOM = 60
_LEFT, _RIGHT = (f"text-align:{side};padding:1px 8px" for side in ("left", "right"))


def page(title: str, *tables: str, whole: str = "") -> str:
    """Return a title over tables that are HTML already; `whole` is the title before it was cut."""
    tip = f' title="{escape(whole)}"' if whole not in ("", title) else ""
    return f"<div><p{tip}>{escape(title)}</p>{''.join(tables)}</div>"


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table; the first cell of a row names it. Texts go through one escape."""
    lines = []
    for tag, row in [("th", heads)] * bool(heads) + [("td", row) for row in rows]:
        first, *rest = row
        lines.append(cell("th", first, _LEFT) + "".join(cell(tag, w, _RIGHT) for w in rest))
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def cell(tag: str, word: str, style: str = "", room: int = _ROOM) -> str:
    """Return one cell: the only place where a text enters a page.

    A text that is cut to `room` has its whole as a tooltip.
    """
    cut = fit(word, room)
    look = f' style="{style}"' if style else ""
    whole = f' title="{escape(word)}"' if cut != word else ""
    return f"<{tag}{look}{whole}>{escape(cut)}</{tag}>"
