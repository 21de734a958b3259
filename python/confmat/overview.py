"""What an object shows of itself: a line about it and its tables, as text and as HTML."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import polars as pl

from confmat.digits import figure
from confmat.labels import shown
from confmat.matrices.summary import fit, table
from confmat.own_errors import OwnErrors

MAX_ROWS = 20
_ROOM = 60
_LEFT, _RIGHT = (f"text-align:{side};padding:1px 8px" for side in ("left", "right"))


class Overview(OwnErrors, ABC):
    """An object that `print` and notebooks show by its title and its tables."""

    @abstractmethod
    def _title(self) -> str:
        """Return one line about the object."""

    @abstractmethod
    def _frames(self) -> list[pl.DataFrame]:
        """Return the tables that follow it."""

    def __str__(self) -> str:
        """Return one screen of text."""
        return "\n\n".join([self._title(), *map(_text, self._frames())])

    def _repr_html_(self) -> str:
        few = map(_few, self._frames())
        return page(self._title(), *(html_table(frame.columns, _words(frame)) for frame in few))


def numbers(
    metrics: Sequence[str], values: Iterable[float], reasons: Iterable[str | None]
) -> pl.DataFrame:
    """Return a frame of `metric`, `value` (null where undefined) and `reason`."""
    columns = {"metric": list(metrics), "value": list(values), "reason": list(reasons)}
    schema = {"metric": pl.String, "value": pl.Float64, "reason": pl.String}
    return pl.DataFrame(columns, schema=schema).with_columns(pl.col("value").fill_nan(None))


def left_out(n_dropped: int, n_nan: int = 0) -> str:
    """Return what a title says of rows that were not counted."""
    counts = ((n_dropped, "null"), (n_nan, "nan score"))
    return "".join(f"; {count:,} dropped: {why}" for count, why in counts if count)


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


def _few(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the first rows, without reasons where there are none."""
    if "reason" in frame.columns and frame["reason"].null_count() == len(frame):
        frame = frame.drop("reason")
    return frame.head(MAX_ROWS)


def _text(frame: pl.DataFrame) -> str:
    few = _few(frame)
    words = [tuple(fit(word, _ROOM) for word in row) for row in _words(few)]
    rest = [f"... and {len(frame) - len(few):,} more"] if len(frame) > len(few) else []
    return "\n".join([table(few.columns, words, room=_ROOM), *rest])


def _words(frame: pl.DataFrame) -> list[tuple[str, ...]]:
    return [tuple(map(_word, row)) for row in frame.rows()]


def _word(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return figure(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return shown(value)
