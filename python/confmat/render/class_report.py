"""A report of classes and of averages over them, in the format that is asked for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from confmat.labels import shown
from confmat.render.html import html_table, page
from confmat.render.markup import latex_table, markdown_table

_HEADS = {"f1": "f1-score"}
_LAST = "weighted avg"  # the line that is as wide as lines are at least
_ROOM = 9
NO_ENDS = (math.nan, math.nan)


@dataclass(frozen=True)
class Line:
    """One class or one average: numbers by the columns asked, None where there is none."""

    name: str
    numbers: Sequence[float | int | None]
    ends: Sequence[tuple[float, float]] | None = None
    alone: bool = False  # one number in a line of its own, as the accuracy


@dataclass(frozen=True)
class ClassReport:
    """Lines of classes and of averages under the names of metrics."""

    columns: Sequence[str]
    classes: Sequence[Line]
    averages: Sequence[Line]
    digits: int

    def text(self) -> str:
        """Return the text as scikit-learn writes it; intervals stand behind the numbers."""
        lines = self._lines()
        names = [line.name if line.name.isprintable() else shown(line.name) for line in lines]
        words = [self._words(line) for line in lines]
        heads = self._heads()
        stub = max(*map(len, [*names[: len(self.classes)], _LAST]), self.digits)
        rooms = [max(_ROOM, len(head)) for head in heads]
        if any(line.ends is not None for line in lines):
            rooms = [max(room, *map(len, c)) for room, *c in zip(rooms, *words, strict=True)]
        rows = [_row(name, row, stub, rooms) for name, row in zip(names, words, strict=True)]
        at = len(self.classes)
        return "\n".join([_row("", heads, stub, rooms), "", *rows[:at], "", *rows[at:], ""])

    def dict(self) -> dict[str, Any]:
        """Return numbers by lines and columns; of a line of one number this alone."""
        return {line.name: self._numbers(line) for line in self._lines()}

    def _numbers(self, line: Line) -> Any:
        found: dict[str, float] = {}
        for at, (head, number) in enumerate(zip(self._heads(), line.numbers, strict=True)):
            if number is None or (line.alone and head == "support"):
                continue
            if line.alone and line.ends is None:
                return float(number)
            found[head] = float(number)
            if line.ends is not None and head != "support":
                found[f"{head}_low"], found[f"{head}_high"] = line.ends[at]
        return found

    def json(self) -> str:
        """Return `dict` as JSON of the standard: what is not finite is null."""
        return json.dumps(_finite(self.dict()), indent=2, allow_nan=False, ensure_ascii=True)

    def polars(self) -> pl.DataFrame:
        """Return a row a line: `label`, `kind` ("class" or "average"), the numbers; null: none."""
        lines = [*self.classes, *self.averages]
        frame: dict[str, Any] = {
            "label": pl.Series([line.name for line in lines], dtype=pl.String),
            "kind": ["class"] * len(self.classes) + ["average"] * len(self.averages),
        }
        for at, name in enumerate(self.columns):
            found = [line.numbers[at] for line in lines]
            whole = name == "support" and not any(type(number) is float for number in found)
            frame[name] = pl.Series(found, dtype=pl.Int64 if whole else pl.Float64)
            if name != "support" and any(line.ends is not None for line in lines):
                low, high = zip(
                    *(line.ends[at] if line.ends else NO_ENDS for line in lines), strict=True
                )
                frame |= {f"{name}_low": low, f"{name}_high": high}
        return pl.DataFrame(frame).with_columns(pl.selectors.float().fill_nan(None))

    def markdown(self) -> str:
        """Return a table of Markdown."""
        return markdown_table(["", *self._heads()], map(self._cells, self._lines()))

    def html(self) -> str:
        """Return a table of HTML, without script and styles of the page."""
        return page("", html_table(["", *self._heads()], map(self._cells, self._lines())))

    def latex(self) -> str:
        """Return a `tabular` of LaTeX."""
        parts = [map(self._cells, part) for part in (self.classes, self.averages) if part]
        return latex_table(["", *self._heads()], parts)

    def _lines(self) -> list[Line]:
        return [*self.classes, *self.averages]

    def _heads(self) -> list[str]:
        return [_HEADS.get(name, name) for name in self.columns]

    def _cells(self, line: Line) -> list[str]:
        return [shown(line.name), *self._words(line)]

    def _words(self, line: Line) -> list[str]:
        words = []
        for at, (name, number) in enumerate(zip(self.columns, line.numbers, strict=True)):
            if number is None:
                words.append("")
            elif name == "support":
                words.append(str(number))
            else:
                word = f"{number:.{self.digits}f}"
                if line.ends is not None and not math.isnan(line.ends[at][0]):
                    low, high = line.ends[at]
                    word += f" [{low:.{self.digits}f}, {high:.{self.digits}f}]"
                words.append(word)
        return words


def _row(name: str, words: Sequence[str], stub: int, rooms: Sequence[int]) -> str:
    cells = (f" {word:>{room}}" for word, room in zip(words, rooms, strict=True))
    return f"{name:>{stub}} {''.join(cells)}"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return value if math.isfinite(value) else None


FORMATS: dict[str, Callable[[ClassReport], Any]] = {
    "text": ClassReport.text,
    "polars": ClassReport.polars,
    "dict": ClassReport.dict,
    "markdown": ClassReport.markdown,
    "html": ClassReport.html,
    "json": ClassReport.json,
    "latex": ClassReport.latex,
}
