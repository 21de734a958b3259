"""Words and numbers in columns of a terminal: their widths, cuts, and tables of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

WIDTH = 96
NOTHING = "No rows were counted: every metric is undefined."


def number(value: float, places: int = 0) -> str:
    """Return a count with its digits grouped; weights with `places` decimals.

    Negative `places` ask for scientific notation.
    """
    if isinstance(value, int):
        return f"{value:,}"
    if places < 0:
        return f"{value:.3e}" if value else "0"
    return f"{value:,.{places}f}"


def width(word: str) -> int:
    """Return the columns that a word takes on a terminal."""
    if word.isascii():
        return len(word)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in word)
    return len(word) + wide - sum(unicodedata.combining(c) > 0 for c in word)


def fit(word: str, room: int) -> str:
    """Return the word cut in its middle to at most `room` columns."""
    if width(word) <= room:
        return word
    head = list(word)
    tail: list[str] = []
    while head and width("".join(head)) > room - 1 - (room - 1) // 2:
        head.pop()
    for c in reversed(word):
        if width("".join([c, *tail])) > (room - 1) // 2:
            break
        tail.insert(0, c)
    return "".join(head) + "…" + "".join(tail)


def left(word: str, room: int) -> str:
    """Return the word with blanks after it."""
    return word + " " * (room - width(word))


def right(word: str, room: int) -> str:
    """Return the word with blanks before it."""
    return " " * (room - width(word)) + word


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1, room: int = 20
) -> str:
    """Return aligned columns; the first `text_columns`, cut to `room`, left, numbers right."""
    columns = list(zip(heads, *rows, strict=True))
    rooms = [
        min(max(map(width, column)), room if i < text_columns else WIDTH)
        for i, column in enumerate(columns)
    ]
    lines = []
    for row in (heads, *rows):
        cells = [fit(word, room) for word, room in zip(row, rooms, strict=True)]
        aligned = [
            left(cell, room) if i < text_columns else right(cell, room)
            for i, (cell, room) in enumerate(zip(cells, rooms, strict=True))
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join([lines[0], "-" * sum((*rooms, 2 * len(rooms) - 2)), *lines[1:]])


def many(n: int, word: str) -> str:
    """Return "1 label", "2 labels", "3 classes"."""
    return f"{n} {word}{'' if n == 1 else 'es' if word.endswith('s') else 's'}"


def left_out(n_dropped: int, n_nan: int = 0) -> str:
    """Return what a title says of rows that were not counted."""
    counts = ((n_dropped, "null"), (n_nan, "nan score"))
    return "".join(f"; {count:,} dropped: {why}" for count, why in counts if count)
