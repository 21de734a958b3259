"""Slices: each key by itself as a picture, the weakest, and all of them in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from confmat.errors import ConfmatError
from confmat.frames.roll_up import GROUPING, subsets
from confmat.frames.state_queries import SCORED
from confmat.registry import is_score_metric
from confmat.report.axes import short, spread, ticks
from confmat.report.classes import ranges_of
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import (
    count,
    interval,
    known,
    label,
    metric_name,
    metric_title,
    metric_word,
    name_of,
    number,
)
from confmat.report.subject import Subject, better
from confmat.report.tables import STATIC, Column, behind, compact, data_table, plain_table
from confmat.slices.lattice import lattice
from confmat.slices.worst_slices import worst

MOST_ROWS = 24  # of one picture
MOST_SLICES = 50_000
_MOST_ENDS = 1_000  # slices, beyond which areas have no intervals
_MOST_CELLS = 10**8  # of all slices, of which the rest of the rows is made
_DEPTH = 2  # keys of the slices that may be the weakest
_MOST_MERGED = 50_000  # slices that are merged for these
_LABELS, _WIDTH, _ROW, _TOP, _UNDER = 78, 290, 19, 6, 24


class Row(NamedTuple):
    """One line of a picture of intervals."""

    name: str
    n: float | None
    value: float | None
    low: float | None
    high: float | None
    mark: str  # its hue: "better", "worse" or "even"


def weakest(subject: Subject, n: int = 10) -> pl.DataFrame | None:
    """Return the slices that explain most of what the first metric loses; None: not to be had."""
    if (
        not subject.keys
        or subject.is_of_numbers
        or subject.is_clustered
        or not subject.evaluation.n
    ):
        return None
    reading, counting = subject.request.reading, subject.request.counting
    parts = subject.parts
    if SCORED in parts.columns and not is_score_metric(subject.slice_metrics[0]):
        parts = parts.drop(SCORED)
    k = 2 if subject.matrix is None else len(subject.matrix.labels)
    if parts.height * k * k > _MOST_CELLS:
        return None
    try:
        if len(subject.keys) > 1 and parts.height <= _MOST_MERGED:
            parts = lattice(parts, list(subject.keys), depth=_DEPTH)
        return worst(
            parts,
            subject.slice_metrics[0],
            n,
            min_n=max(reading.min_n, 1),
            level=subject.level,
            pos_label=counting.pos_label,
        )
    except ConfmatError:
        return None


def weak_table(subject: Subject, weak: pl.DataFrame | None) -> list[Node]:
    """Return the weakest slices as a table."""
    if weak is None:
        return []
    weak = weak.filter((pl.col("loss") > 0) & pl.col("value").is_not_null())
    if weak.is_empty():
        return []
    metric = subject.slice_metrics[0]
    name = metric_name(metric)
    columns = [Column(name_of(key), "text") for key in subject.keys]
    columns += [Column("rows", "count"), Column(name), Column("of the rest")]
    told = "how much better all rows would be if the slice behaved as the rest"
    columns += [Column("difference", "range"), Column("loss", title=told, places=4)]
    slices = [keys_in(subject, row) for row in weak.iter_rows(named=True)]
    names = [
        [
            name_of(value) if key in keys else "all"
            for value, keys in zip(weak[key], slices, strict=True)
        ]
        for key in subject.keys
    ]
    rows = zip(
        *names,
        weak["n"],
        weak["value"],
        weak["rest"],
        ranges_of(weak, "difference"),
        weak["loss"],
        strict=True,
    )
    caption = f"Slices that cost most of {metric_word(metric)}, the worst first"
    return [tag("h3", "Weakest slices"), plain_table(caption, columns, list(rows))]


def keys_in(subject: Subject, row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys that cut a slice: all, or those that its grouping names."""
    if GROUPING not in row:
        return subject.keys
    return next(
        (keys for keys in subsets(subject.keys, _DEPTH) if ", ".join(keys) == row[GROUPING]), ()
    )


def by_key(subject: Subject, ident: str) -> list[Node]:
    """Return pictures of the metrics by each key alone."""
    whole = {row["metric"]: row["value"] for row in subject.overall.iter_rows(named=True)}
    names = subject.slice_metrics
    cards = []
    for at, key in enumerate(subject.keys):
        frame = subject.slices([key])
        if frame.height:
            cards.append(_card(key, frame, names, whole, f"{ident}-{at}"))
    if not cards:
        return []
    words = compact([[f"m{at}", metric_name(name)] for at, name in enumerate(names)])
    about = (
        "Vertical line: all rows. Orange is surely worse than that, blue surely better: the "
        "interval does not hold it."
    )
    return [
        tag("h3", "By each key"),
        tag("p", about, class_="note") if not subject.is_of_numbers else None,
        tag(
            "div",
            tag("div", cards, class_="pictures forests"),
            class_="choice",
            data_choices=words,
            id=ident,
        ),
    ]


def _card(
    key: str, frame: pl.DataFrame, names: list[str], whole: dict[str, Any], ident: str
) -> Element:
    shown, told = _ordered(frame, key, names[0])
    views = []
    for at, name in enumerate(names):
        rows = rows_of(shown, [key], name, whole.get(name))
        svg = forest(
            rows, whole.get(name), f"{ident}-{at}", f"{metric_name(name)} by {name_of(key)}"
        )
        views.append(tag("div", svg, class_="view", data_view=f"m{at}", hidden=at > 0))
    columns = [Column(name_of(key), "text"), Column("rows", "count")]
    columns += [Column(metric_name(name), "range", metric_title(name)) for name in names]
    table = zip(
        [name_of(value) for value in shown[key]],
        shown["n"],
        *(ranges_of(shown, name) for name in names),
        strict=True,
    )
    caption = tag(
        "figcaption", tag("p", label(key), class_="title"), tag("div", told, class_="about")
    )
    numbers = plain_table(f"Metrics by {name_of(key)}", columns, list(table))
    return tag("figure", caption, views, behind("Numbers behind this picture", numbers))


def _ordered(frame: pl.DataFrame, key: str, metric: str) -> tuple[pl.DataFrame, str]:
    """Return the largest slices in an order that reads well, and what is said of the others."""
    told = f"{frame.height:,} values"
    if frame.height > MOST_ROWS:
        frame = frame.top_k(MOST_ROWS, by="n")
        told = f"the {MOST_ROWS} largest of {told}"
    kind = frame[key].dtype
    if kind == pl.String or kind == pl.Categorical:
        return frame.sort(metric, descending=better(metric) == "lower", nulls_last=True), told
    return frame.sort(key, nulls_last=True), told


def rows_of(frame: pl.DataFrame, keys: Sequence[str], name: str, whole: float | None) -> list[Row]:
    """Return the lines of a picture, marked by how they compare with all rows."""
    side = better(name)
    out = []
    words = [" · ".join(map(name_of, row)) for row in frame.select(keys).rows()]
    for word, n, (value, low, high) in zip(words, frame["n"], ranges_of(frame, name), strict=True):
        mark = "even"
        if known(low) and known(high) and known(whole) and side != "neither":
            above, below = low > whole, high < whole
            good = above if side == "higher" else below
            mark = "better" if good else "worse" if above or below else "even"
        out.append(Row(word, n, value, low, high, mark))
    return out


def forest(rows: Sequence[Row], whole: float | None, ident: str, about: str) -> Element:
    """Return values with their intervals, a line each, and a line down for all rows."""
    numbers = [x for row in rows for x in (row.value, row.low, row.high)]
    low, high = spread([*numbers, whole], 0.06)
    inner = _WIDTH - _LABELS - 12
    height = _TOP + _ROW * len(rows) + _UNDER

    def at(value: float) -> float:
        return round(_LABELS + inner * (min(max(value, low), high) - low) / (high - low), 1)

    bottom = _TOP + _ROW * len(rows)
    parts: list[Node] = []
    for tick in ticks(low, high, 4):
        parts.append(tag("line", x1=at(tick), x2=at(tick), y1=_TOP, y2=bottom, class_="grid"))
        parts.append(tag("text", short(tick), x=at(tick), y=bottom + 16, class_="tick middle"))
    if known(whole):
        assert whole is not None
        parts.append(tag("line", x1=at(whole), x2=at(whole), y1=_TOP, y2=bottom, class_="all"))
    for i, row in enumerate(rows):
        y = _TOP + _ROW * (i + 0.5)
        name = name_of(row.name, 11)
        parts.append(tag("text", name, x=_LABELS - 8, y=y + 4, class_="tick end name"))
        if not known(row.value):
            parts.append(tag("text", "undefined", x=_LABELS + 4, y=y + 4, class_="tick"))
            continue
        if known(row.low) and known(row.high):
            ends = {"x1": at(row.low or 0.0), "x2": at(row.high or 0.0)}
            parts.append(tag("line", y1=y, y2=y, class_=f"whisker {row.mark}", **ends))
        tip = (
            f"{row.name}: {number(row.value)} {interval(row.low, row.high)} of {count(row.n)} rows"
        )
        dot = tag("circle", tag("title", tip), cx=at(row.value or 0.0), cy=y, r=4)
        parts.append(tag("g", dot, class_=f"dot {row.mark}"))
    return tag(
        "svg",
        tag("title", about),
        parts,
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        class_="chart",
        id=ident,
    )


def _without_scores(subject: Subject) -> list[str]:
    """Return the metrics that have intervals in every slice: an area's takes a sort of its own."""
    return [name for name in subject.slice_metrics if not is_score_metric(name)]


def all_slices(subject: Subject, ident: str) -> list[Node]:
    """Return the table of the finest slices."""
    if subject.parts.height > MOST_SLICES:
        told = f"{subject.parts.height:,} slices are too many for a page: e.slices() has them."
        return [tag("p", told, class_="note")]
    ends = None if subject.parts.height <= _MOST_ENDS else _without_scores(subject)
    frame = subject.slices(subject.keys, ends=ends)
    if frame.height > STATIC:
        frame = frame.sort("n", descending=True, maintain_order=True)
    names = subject.slice_metrics
    columns = [Column(name_of(key), "text") for key in subject.keys]
    columns.append(Column("rows", "count"))
    columns += [Column(metric_name(name), "range", metric_title(name)) for name in names]
    words = [[name_of(value) for value in frame[key]] for key in subject.keys]
    ranges = [ranges_of(frame, name) for name in names]
    rows = list(zip(*words, frame["n"], *ranges, strict=True))
    title = tag("h3", "All slices")
    caption = f"{frame.height:,} slices by {', '.join(map(name_of, subject.keys))}"
    return [title, *data_table(ident, caption, "slices", columns, rows)]
