"""Frames with a line above them, as one screen of text and as HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import polars as pl

from confmat.labels import shown
from confmat.render.figures import figure
from confmat.render.html import html_table, page
from confmat.render.text import WIDTH, fit, table, width

MAX_ROWS = 20
_ROOM = 60
_LEAST = 24  # of a reason


def text_of(title: str, frames: Iterable[pl.DataFrame]) -> str:
    """Return a line and the tables that follow it."""
    return "\n\n".join([title, *map(_text, frames)])


def html_of(title: str, frames: Iterable[pl.DataFrame]) -> str:
    """Return the same as HTML."""
    few = map(_few, frames)
    return page(title, *(html_table(frame.columns, _words(frame)) for frame in few))


def _few(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the first rows, without reasons where there are none."""
    if "reason" in frame.columns and frame["reason"].null_count() == len(frame):
        frame = frame.drop("reason")
    return frame.head(MAX_ROWS)


def _text(frame: pl.DataFrame) -> str:
    few = _few(frame)
    rooms = _rooms(few.columns, _words(few))
    words = [tuple(map(fit, row, rooms)) for row in _words(few)]
    rest = [f"... and {len(frame) - len(few):,} more"] if len(frame) > len(few) else []
    return "\n".join([table(few.columns, words, room=_ROOM), *rest])


def _rooms(heads: list[str], words: list[tuple[str, ...]]) -> list[int]:
    """Return how wide columns may be: a reason takes what the others leave of the width."""
    rooms = [_ROOM] * len(heads)
    if heads[-1] == "reason":
        widths = [max(map(width, column)) for column in zip(heads, *words, strict=True)]
        used = sum(min(width, _ROOM) + 2 for width in widths[:-1])
        rooms[-1] = min(max(WIDTH - used, _LEAST), _ROOM)
    return rooms


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
