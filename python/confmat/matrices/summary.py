"""A confusion matrix as one screen of text: `print(m)`."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from confmat.matrices.cells import Cells

if TYPE_CHECKING:
    from confmat.matrices.views import MatrixViews

WIDTH = 96
MAX_CLASSES = 12
Z95 = 1.959963984540054

_OVERALL = ("balanced_accuracy", "f1_macro", "kappa", "mcc", "gmcc", "eve")
_CLASS = ("precision", "recall", "specificity", "f1", "mcc_binary", "prevalence")
_HEADS = ("precision", "recall", "specificity", "f1", "mcc", "prevalence")


def text(m: MatrixViews) -> str:
    """Return the summary of the matrix: cells, accuracy with its interval, metrics, classes."""
    k = len(m.labels)
    classes = "1 class" if k == 1 else f"{k} classes"
    blocks = [f"Confusion matrix: {classes}, n = {number(m.n, places_of(m))}{_left_out(m)}"]
    if k == 0 or not m.n:
        return blocks[0] + "\nNo rows were counted: every metric is undefined."
    table = _matrix(m.counts, m._shown, places_of(m)) if k <= MAX_CLASSES else None
    blocks.append(table or _confusions(m))
    blocks.append(_overall(m))
    blocks.append(_per_class(m))
    return "\n\n".join(blocks)


def wilson(share: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's score interval for a share of `n` rows.

    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953. `n` may be an effective number.
    """
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def number(value: float, places: int = 0) -> str:
    """Return a count with its digits grouped; weights with `places` decimals.

    Negative `places` ask for scientific notation.
    """
    if isinstance(value, int):
        return f"{value:,}"
    if places < 0:
        return f"{value:.3e}" if value else "0"
    return f"{value:,.{places}f}"


def places_of(m: MatrixViews) -> int:
    """Return the decimals that show cells of this size: five digits or so, none for counts."""
    cells = m.counts
    if cells.dtype.kind == "i" or not m.n:
        return 0
    if not 1e-3 <= cells.max() < 1e15:
        return -1
    if (cells == np.rint(cells)).all():
        return 0
    return max(4 - math.floor(math.log10(cells.max())), 1)


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


def _left(word: str, room: int) -> str:
    return word + " " * (room - width(word))


def _right(word: str, room: int) -> str:
    return " " * (room - width(word)) + word


def _left_out(m: MatrixViews) -> str:
    parts = [
        f"{count:,} {why}"
        for count, why in ((m.n_dropped, "dropped: null"), (m.n_other, "outside the labels"))
        if count
    ]
    if m.weights_sq is not None:
        known = not math.isnan(m.n_effective)
        parts.insert(0, f"weighted, effective n = {m.n_effective:,.1f}" if known else "weighted")
    elif m.counts.dtype.kind == "f":
        parts.insert(0, "float counts")
    if m.smoothing:
        parts.append(f"smoothing = {m.smoothing:g}")
    return f" ({'; '.join(parts)})" if parts else ""


def _matrix(cells: Cells, names: Sequence[str], places: int) -> str | None:
    """Return the cells with headers and totals, or None when they do not fit the width."""
    body = [[*row, sum(row)] for row in cells.tolist()]
    body.append([sum(column) for column in zip(*body, strict=True)])
    words = [[number(cell, places) for cell in row] for row in body]
    needs = [max(map(len, column)) for column in zip(*words, strict=True)]
    stub = min(max(12, *map(width, names)), 20)
    spare = WIDTH - stub - 2 * len(needs) - sum(needs[:-1]) - max(needs[-1], 5) - 2
    if spare < sum(max(0, 3 - need) for need in needs[:-1]):
        return None
    rooms = _rooms(needs[:-1], [width(name) for name in names], spare)
    head = [_right(fit(name, room), room) for name, room in zip(names, rooms, strict=True)]
    total = max(needs[-1], 5)
    lines = [
        _left("true \\ pred", stub) + "  " + "  ".join(head) + "  | " + _right("total", total),
    ]
    for name, row in zip([*names, "total"], words, strict=True):
        line = "  ".join(_right(word, room) for word, room in zip(row[:-1], rooms, strict=True))
        lines.append(f"{_left(fit(name, stub), stub)}  {line}  | {_right(row[-1], total)}")
    rule = "-" * (width(lines[0]))
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])


def _rooms(needs: list[int], wanted: list[int], spare: int) -> list[int]:
    """Return the column widths: the cells fit, and headers share the spare room evenly."""
    rooms = list(needs)
    while spare > 0:
        short = [i for i, room in enumerate(rooms) if room < min(wanted[i], 16)]
        if not short or spare < len(short):
            break
        for i in short:
            rooms[i] += 1
        spare -= len(short)
    return rooms


def _confusions(m: MatrixViews) -> str:
    top = m.top_confusions(10)
    if top.is_empty():
        return "Every row is on the diagonal."
    place = dict(zip(m.labels, m._shown, strict=True))
    rows = [
        (place[true], place[pred], number(count, places_of(m)), f"{rate:.1%}")
        for true, pred, count, rate in top.rows()
    ]
    return "Most frequent confusions\n" + table(("true", "predicted", "count", "of true"), rows, 2)


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
            _left(cell, room) if i < text_columns else _right(cell, room)
            for i, (cell, room) in enumerate(zip(cells, rooms, strict=True))
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join([lines[0], "-" * sum((*rooms, 2 * len(rooms) - 2)), *lines[1:]])


def _share(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.4f}"


def _overall(m: MatrixViews) -> str:
    values = m.values(("accuracy", "nir", *_OVERALL))
    accuracy = _share(values["accuracy"])
    n = m.n_effective
    if n > 0 and not m.smoothing:
        low, high = wilson(values["accuracy"], n)
        note = "Wilson" if m.weights_sq is None else "Wilson on the effective n"
        accuracy += f"   95% interval [{low:.4f}, {high:.4f}] ({note})"
    lines = [f"accuracy             {accuracy}"]
    lines.append(f"no-information rate  {_share(values['nir'])}")
    for one, two in zip(_OVERALL[::2], _OVERALL[1::2], strict=True):
        lines.append(f"{one:<19}  {_share(values[one]):<10} {two:<9} {_share(values[two])}")
    for name in _OVERALL:
        if math.isnan(values[name]):
            lines.append(f"  {name} is undefined: {_cut(m.reason(name))}")
    return "\n".join(lines)


def _cut(reason: str | None) -> str:
    return fit(reason or "0/0", WIDTH - 32)


def _per_class(m: MatrixViews) -> str:
    frame = m.per_class(_CLASS).drop("label").with_columns(support=m.counts.sum(axis=1))
    rows = list(zip(m._shown, frame.rows(), strict=True))
    places = places_of(m)
    title = ""
    if len(rows) > MAX_CLASSES:
        at = _CLASS.index("f1")
        rows = [row for row in rows if row[1][at] is not None]
        rows = sorted(rows, key=lambda row: float(row[1][at]))[:10]
        title = f"The {len(rows)} of {len(m.labels)} classes with the lowest f1\n"
    words = [(name, *map(_share, row[:-1]), number(row[-1], places)) for name, row in rows]
    undefined = any(word == "-" for row in words for word in row[1:])
    note = "\n- undefined (0/0): m.reason(name, pos_label=...) says why" if undefined else ""
    return title + table(("class", *_HEADS, "support"), words) + note
