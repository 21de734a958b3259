"""A confusion matrix as one screen of text: `print(m)`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from confmat import positive_class
from confmat.default_metrics import default_metrics
from confmat.matrices import tables
from confmat.matrices.base import MatrixBase
from confmat.matrices.cells import Cells
from confmat.matrices.confidence import ci
from confmat.matrices.interval_ends import ends
from confmat.matrices.sparse import held, margins
from confmat.matrices.top_confusions import top_confusions
from confmat.matrices.values import reason, values
from confmat.render.figures import figure
from confmat.render.intervals import HEAD, LEVEL, in_brackets
from confmat.render.text import NOTHING, WIDTH, fit, left, number, right, table, width

MAX_CLASSES = 12
_MOST_CLASSES = 100  # whose intervals take less than a tenth of a second

_CLASS = ("precision", "recall", "specificity", "f1", "mcc_binary", "prevalence")
HEADS = ("class", "precision", "recall", "specificity", "f1", "mcc", "prevalence", "support")
CONFUSIONS = ("true", "predicted", "count", "of true")
CORNER = "true \\ pred"
MOST, DIAGONAL = "Most frequent confusions", "Every row is on the diagonal."
WHY = "m.reason(name, pos_label=...)"


def text(m: MatrixBase, why: str = WHY, *, rows_are_independent: bool = True) -> str:
    """Return the summary of the matrix: cells, metrics with their intervals, classes.

    `why` is said where a metric of a class is undefined. Without `rows_are_independent` metrics
    have no intervals.
    """
    if not m.n:
        return f"{title(m)}\n{NOTHING}"
    cells = _matrix(m.counts, m._shown, places_of(m)) if len(m.labels) <= MAX_CLASSES else None
    metrics = _overall(m, rows_are_independent)
    return "\n\n".join([title(m), cells or _confusions(m), metrics, _per_class(m, why)])


def title(m: MatrixBase) -> str:
    """Return one line on the classes and the rows, counted and left out."""
    k = len(m.labels)
    classes = "1 class" if k == 1 else f"{k} classes"
    return f"Confusion matrix: {classes}, n = {number(m.n, places_of(m))}{_left_out(m)}"


def places_of(m: MatrixBase) -> int:
    """Return the decimals that show cells of this size: five digits or so, none for counts."""
    cells = held(m._cells)
    if cells.dtype.kind == "i" or not m.n:
        return 0
    if not 1e-3 <= cells.max() < 1e15:
        return -1
    if (cells == np.rint(cells)).all():
        return 0
    return max(4 - math.floor(math.log10(cells.max())), 1)


def _left_out(m: MatrixBase) -> str:
    parts = [
        f"{count:,} {why}"
        for count, why in ((m.n_dropped, "dropped: null"), (m.n_other, "outside the labels"))
        if count
    ]
    if m._squares is not None:
        known = not math.isnan(m.n_effective)
        parts.insert(0, f"weighted, effective n = {m.n_effective:,.1f}" if known else "weighted")
    elif m._cells.dtype.kind == "f":
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
    head = [right(fit(name, room), room) for name, room in zip(names, rooms, strict=True)]
    total = max(needs[-1], 5)
    lines = [left(CORNER, stub) + "  " + "  ".join(head) + "  | " + right("total", total)]
    for name, row in zip([*names, "total"], words, strict=True):
        line = "  ".join(right(word, room) for word, room in zip(row[:-1], rooms, strict=True))
        lines.append(f"{left(fit(name, stub), stub)}  {line}  | {right(row[-1], total)}")
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


def confusions(m: MatrixBase) -> list[tuple[str, str, str, str]]:
    """Return the most frequent confusions, under the heads `CONFUSIONS`."""
    place = dict(zip(m.labels, m._shown, strict=True))
    places = places_of(m)
    return [
        (place[true], place[pred], number(count, places), f"{rate:.1%}")
        for true, pred, count, rate in top_confusions(m, 10).rows()
    ]


def _confusions(m: MatrixBase) -> str:
    rows = confusions(m)
    return f"{MOST}\n{table(CONFUSIONS, rows, 2)}" if rows else DIAGONAL


def numbers(m: MatrixBase) -> dict[str, float]:
    """Return the metrics of the whole matrix that are shown; of many classes they take long."""
    return values(m, ("nir", *_shown(m)))


def overall(
    m: MatrixBase, known: Mapping[str, float], rows_are_independent: bool = True
) -> list[tuple[str, ...]]:
    """Return the metrics of the whole matrix by name; behind each its interval, where known."""
    shown = _shown(m)
    accuracy = ["accuracy", figure(known["accuracy"])]
    _, low, high, _, method = ci(m, "accuracy")
    has_intervals = rows_are_independent and not math.isnan(low) and not m.smoothing
    if has_intervals:
        note = {"wilson": "Wilson"}.get(method, method)
        is_told = m._squares is None or m.class_sizes_known or m._mixed is not None
        note += "" if is_told else " of weighted rows"
        accuracy.append(f"{HEAD} [{figure(low)}, {figure(high)}] ({note})")
    rest: list[tuple[str, ...]] = [(name, figure(known[name])) for name in shown[1:]]
    if has_intervals and len(m.labels) <= _MOST_CLASSES:
        low_high = ends(m, shown[1:], LEVEL)
        told = in_brackets(pl.DataFrame(low_high, ["low", "high"]).fill_nan(None))
        rest = [(*words, *filter(None, [text])) for words, text in zip(rest, told, strict=True)]
    return [tuple(accuracy), ("no-information rate", figure(known["nir"])), *rest]


def _shown(m: MatrixBase) -> tuple[str, ...]:
    """Return the metrics shown, accuracy first."""
    return default_metrics(positive_class.are_two(m.labels, m.pos_label))


def undefined(m: MatrixBase, known: Mapping[str, float]) -> list[str]:
    """Return a line on each metric of the whole matrix that is undefined."""
    return [
        f"{name} is undefined: {fit(reason(m, name) or '0/0', WIDTH - 32)}"
        for name in _shown(m)[1:]
        if math.isnan(known[name])
    ]


def _overall(m: MatrixBase, rows_are_independent: bool) -> str:
    known = numbers(m)
    first, second, *rest = overall(m, known, rows_are_independent)
    lines = [f"{name:<19}  {'   '.join(words)}" for name, *words in (first, second)]
    cells = [(name, " ".join(words)) for name, *words in rest]
    room = max(10, *(len(words) + 2 for _, words in cells[::2]))
    for one, two in zip(cells[::2], cells[1::2], strict=True):
        lines.append("{:<19}  {:<{room}} {:<15} {}".format(*one, *two, room=room))
    return "\n".join([*lines, *(f"  {line}" for line in undefined(m, known))])


def per_class(m: MatrixBase, why: str = WHY) -> tuple[str, list[tuple[str, ...]], str]:
    """Return a title, the rows of the table of classes under `HEADS`, and a note; or empty texts.

    Of many classes, those with the lowest f1.
    """
    frame = tables.per_class(m, _CLASS).drop("label").with_columns(support=margins(m._cells)[0])
    rows = list(zip(m._shown, frame.rows(), strict=True))
    places = places_of(m)
    told = ""
    if len(rows) > MAX_CLASSES:
        at = _CLASS.index("f1")
        rows = [row for row in rows if row[1][at] is not None]
        rows = sorted(rows, key=lambda row: float(row[1][at]))[:10]
        told = f"The {len(rows)} of {len(m.labels)} classes with the lowest f1"
    words = [(name, *map(figure, row[:-1]), number(row[-1], places)) for name, row in rows]
    unknown = any(word == "-" for row in words for word in row[1:])
    return told, words, f"- undefined (0/0): {why} says why" if unknown else ""


def _per_class(m: MatrixBase, why: str) -> str:
    told, rows, note = per_class(m, why)
    return "\n".join(filter(None, [told, table(HEADS, rows), note]))
