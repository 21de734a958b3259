"""Tables for the terminal: slices of an evaluation, metric values and facts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import polars as pl
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from confmat.frames.asked import TOTALS
from confmat.frames.request import SCORE_TOTALS
from confmat.labels import shown
from confmat.registry import Fact, averages, find_quietly
from confmat.render.figures import figure

Ends: TypeAlias = tuple[str, pl.DataFrame]  # a metric, and `low` and `high` of each slice
MISSING = "\N{EN DASH}"
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
LEVELS = {
    "overall": "One number a matrix",
    "class": "One number a class",
    "average": "An average over the classes",
    "score": "One number of scores",
    "regression": "One number of true and predicted numbers",
}


def _decimals(values: Sequence[float]) -> int:
    """Return how many decimals a column needs for its largest number to show three digits."""
    largest = max(map(abs, values), default=0.0)
    if largest >= 1000 or (largest > 1 and all(value.is_integer() for value in values)):
        return 0
    return 3 if largest >= 0.1 or largest == 0 else min(8, 2 - math.floor(math.log10(largest)))


def numbers(values: Sequence[float | None]) -> list[Text]:
    """Return a column of numbers with the same decimals, a dash where one is missing."""
    known = [math.nan if value is None else float(value) for value in values]
    places = _decimals([value for value in known if math.isfinite(value)])
    return [_number(value, places) for value in known]


def _number(value: float, places: int) -> Text:
    if math.isnan(value):
        return Text(MISSING, style="dim")
    if math.isinf(value):
        return Text("∞" if value > 0 else "-∞")
    return Text(figure(value, places))


def _header(name: str, better: str = "neither") -> Text:
    """Return a header of one word a line, and an arrow towards the better end."""
    return Text("\n".join([*shown(name).split("_"), ARROWS[better] or " "]))


def _key(value: Any) -> Text:
    return Text(MISSING, style="dim") if value is None else Text(shown(value))


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")


def _intervals(ends: pl.DataFrame) -> list[Text]:
    """Return intervals with the same decimals, a dash where one is missing."""
    both = numbers([*ends["low"], *ends["high"]])
    return [
        low if low.plain == MISSING else Text(f"[{low}, {high}]")
        for low, high in zip(both[: ends.height], both[ends.height :], strict=True)
    ]


def _slices(
    frame: pl.DataFrame, by: Sequence[str], others: Sequence[str], found: Ends | None
) -> Table:
    """Return a table of the slices' names and of these tallies and metrics."""
    table = _table()
    columns: list[list[Text]] = []
    for name in by:
        justify: Literal["left", "right"] = "right" if frame[name].dtype.is_numeric() else "left"
        table.add_column(
            _header(name), justify=justify, max_width=32, no_wrap=True, vertical="bottom"
        )
        columns.append([_key(value) for value in frame[name]])
    for name in others:
        tally = name in (*TOTALS, *SCORE_TOTALS)
        fact = None if tally else find_quietly(name)  # ends of intervals have none
        better = "neither" if fact is None else fact["better"]
        header = Text(f"{name.removeprefix('n_')}\n ") if tally else _header(name, better)
        table.add_column(header, justify="right", no_wrap=True, vertical="bottom")
        columns.append(numbers(frame[name].to_list()))
        if found is not None and found[0] == name:
            table.add_column(
                Text("95%\ninterval\n "), justify="right", no_wrap=True, vertical="bottom"
            )
            columns.append(_intervals(found[1]))
    for cells in zip(*columns, strict=True):
        table.add_row(*cells)
    return table


def print_slices(
    console: Console,
    frame: pl.DataFrame,
    by: Sequence[str],
    metrics: Sequence[str],
    found: Ends | None = None,
) -> None:
    """Print one row a slice; the metrics that the width does not hold follow in more tables.

    `found`: a metric, and the ends of its intervals, which go beside it.
    """
    tallies = [name for name in (*TOTALS, *SCORE_TOTALS) if name in frame.columns]
    left = [name for name in tallies if name == "n" or frame[name].sum() > 0] + list(metrics)
    while left:
        count = len(left)
        while (
            count > 1 and _width(console, _slices(frame, by, left[:count], found)) > console.width
        ):
            count -= 1
        console.print(_slices(frame, by, left[:count], found))
        console.print()
        left = left[count:]


def print_reasons(console: Console, frame: pl.DataFrame, by: Sequence[str], reasons: str) -> None:
    """Print why values are undefined: one row a slice and metric, of the column `reasons`."""
    if reasons not in frame.columns:
        return
    table = _table()
    for title in (*by, "metric", "because"):
        table.add_column(shown(title))
    for row in frame.iter_rows(named=True):
        keys = [_key(row[name]) for name in by]
        for name, why in row[reasons].items():
            if why is not None:
                table.add_row(*keys, Text(name), Text(shown(why)))
    if table.row_count:
        console.print(table)
        console.print()


def _width(console: Console, table: Table) -> int:
    return Measurement.get(console, console.options.update(max_width=10_000), table).maximum


def print_values(console: Console, metrics: pl.DataFrame) -> None:
    """Print metrics: `metric`, `value`, intervals or their ends where there are some, `reason`."""
    table = _table()
    table.add_column("metric")
    *known, _ = metrics.columns[1:]
    for name in known:
        table.add_column(name, justify="right")
    with_reasons = metrics["reason"].null_count() < metrics.height
    if with_reasons:
        table.add_column("because", style="dim")
    for name, *cells, reason in metrics.rows():
        table.add_row(Text(name), *map(_value, cells), *_because(reason, with_reasons))
    console.print(table)


def _value(cell: float | str | None) -> Text:
    if cell is None:
        return Text(MISSING, style="dim")
    return Text(cell if isinstance(cell, str) else f"{cell:.6g}")


def _because(reason: str | None, shows: bool) -> list[Text]:
    return [Text(shown(reason) if reason else "")] if shows else []


def of_checks(rows: pl.DataFrame) -> Table:
    """Return a table of checks: a row each, with a mark of colour for its outcome."""
    table = _table()
    for name in rows.columns:
        justify: Literal["left", "right"] = "right" if rows[name].dtype.is_numeric() else "left"
        table.add_column(name, justify=justify, overflow="fold")
    for row in rows.iter_rows(named=True):
        table.add_row(*(_cell(name, value) for name, value in row.items()))
    return table


def _cell(name: str, value: Any) -> Text:
    if value is None:
        return Text(" ") if name == "reason" else Text(MISSING, style="dim")
    if name == "outcome":
        return Text(value, style=_OUTCOMES[value])
    if isinstance(value, float):  # of several metrics, and of numbers of rows
        return Text(f"{value:,.0f}" if value.is_integer() and abs(value) > 1 else figure(value))
    return Text(f"{value:,}" if isinstance(value, int) else shown(value))


_OUTCOMES = {"passed": "green", "failed": "bold red", "skipped": "yellow"}


def range_of(fact: Fact) -> str:
    """Return the range of a metric, such as ``[0, 1]``."""
    lo = "(-∞" if fact["lo"] == -math.inf else f"[{fact['lo']:g}"
    return f"{lo}, {'∞)' if fact['hi'] == math.inf else format(fact['hi'], 'g') + ']'}"


def print_facts(console: Console, title: str, chosen: Sequence[Fact]) -> None:
    """Print one row a metric: name, range, direction and what it is."""
    table = _table()
    table.add_column("metric", no_wrap=True)
    table.add_column("range", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("what it is", ratio=1)
    for fact in chosen:
        arrow = ARROWS[fact["better"]]
        table.add_row(Text(fact["name"]), Text(range_of(fact)), arrow, Text(fact["summary"]))
    console.print(Text(f"{title}\n", style="bold"))
    console.print(table)
    console.print()


def print_card(console: Console, fact: Fact) -> None:
    """Print everything that is known of one metric."""
    better = {"neither": "neither end is better"}.get(fact["better"], f"{fact['better']} is better")
    params = [
        (p["name"] if p["value"] is None else f"{p['name']} = {p['value']:g}") + f": {p['text']}"
        for p in fact["params"]
    ]
    same = fact["symbol"] == fact["formula"]
    lines = {
        "also": ", ".join(fact["aliases"]),
        "range": f"{range_of(fact)}, {better}",
        "level": LEVELS[fact["level"]].lower(),
        "averages": ", ".join(averages(fact["name"]).values()),
        "parameters": "; ".join(params),
        "formula": fact["formula"] if same else f"{fact['symbol']} = {fact['formula']}",
        "undefined": fact["undefined"],
        "reference": fact["reference"],
    }
    console.print(Text(fact["name"], style="bold"), Text(fact["summary"]), sep="  ")
    grid = Table.grid(padding=(0, 2, 0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for title, text in lines.items():
        if text:
            grid.add_row(title, Text(text))
    console.print(grid)
