"""The headline: the numbers that matter, each with its interval."""

from __future__ import annotations

from typing import Any

from confmat.name_calls import base_of
from confmat.registry import find_quietly
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import DASH, interval, known, metric_name, metric_title, number
from confmat.report.subject import Subject
from confmat.report.tables import Column, behind, plain_table

MOST = 8
_FIRST = (
    *("accuracy", "mcc", "f1", "f1_macro", "precision", "precision_macro", "recall"),
    *("balanced_accuracy", "roc_auc", "roc_auc_macro", "average_precision"),
    *("average_precision_macro", "kappa", "gmcc", "brier", "eve"),
)


def headline(subject: Subject) -> list[Node]:
    """Return tiles of the first numbers, and all of them behind."""
    rows = subject.overall.rows(named=True)
    asked = subject.request.reading.metrics
    by_name = {row["metric"]: row for row in rows}
    chosen = list(by_name) if asked or subject.is_of_numbers else _chosen(list(by_name))
    tiles = [_tile(by_name[name]) for name in chosen[:MOST]]
    columns = [
        Column("metric", "text"),
        Column("value", places=4),
        Column("interval", "text"),
        Column("name in code", "text"),
        Column("if missing, why", "text"),
    ]
    table = [
        (
            metric_name(row["metric"]),
            row["value"],
            interval(row["low"], row["high"], 4),
            row["metric"],
            row["reason"],
        )
        for row in rows
    ]
    level = f"{100 * subject.level:g} %"
    told = None if subject.is_of_numbers else f"Brackets are {level} intervals."
    if told and subject.is_clustered:
        told += f" They are as wide as clusters of {subject.request.counting.cluster!r} ask."
    return [
        tag("div", tiles, class_="tiles"),
        tag("p", told, class_="note") if told else None,
        behind("All numbers of the headline", plain_table("Metrics of all rows", columns, table)),
    ]


def _chosen(there: list[str]) -> list[str]:
    first = [name for name in _FIRST if name in there]
    return first or there


def _tile(row: dict[str, Any]) -> Element:
    name, value = row["metric"], row["value"]
    has_value = known(value)
    small: Node = interval(row["low"], row["high"])
    if not has_value:
        small = str(row["reason"] or "undefined")
    return tag(
        "div",
        tag("p", metric_name(name), class_="what", title=metric_title(name)),
        tag("p", number(value) if has_value else DASH, class_="big"),
        _gauge(row) if has_value else None,
        tag("p", small, class_="ends") if small else None,
        class_="tile" if has_value else "tile undefined",
    )


def _gauge(row: dict[str, Any]) -> Element | None:
    """Return a small scale from the worst to the best value, with the interval on it."""
    name = base_of(row["metric"])
    fact = find_quietly(name) or find_quietly(name.removesuffix("_macro"))
    if fact is None or not abs(fact["hi"] - fact["lo"]) <= 2:
        return None
    low, high = fact["lo"], fact["hi"]

    def at(value: float) -> float:
        return round(2 + 116 * min(max((value - low) / (high - low), 0.0), 1.0), 1)

    marks: list[Node] = [tag("line", x1=2, x2=118, y1=6, y2=6, class_="scale")]
    if low < 0:
        marks.append(tag("line", x1=at(0), x2=at(0), y1=2, y2=10, class_="scale"))
    if known(row["low"]) and known(row["high"]):
        ends = {"x1": at(row["low"]), "x2": at(row["high"])}
        marks.append(tag("line", y1=6, y2=6, class_="whisker", **ends))
    marks.append(tag("circle", cx=at(row["value"]), cy=6, r=4, class_="dot one"))
    return tag(
        "svg",
        marks,
        viewBox="0 0 120 12",
        preserveAspectRatio="xMinYMid",
        class_="gauge",
        aria_hidden="true",
    )
