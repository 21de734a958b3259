"""Groups compared: how far they lie apart by each criterion of fairness, with intervals."""

from __future__ import annotations

from typing import Any

from confmat.errors import ConfmatError
from confmat.fairness import overview
from confmat.fairness.from_parts import fairness as fairness_of
from confmat.fairness.result import Fairness
from confmat.labels import shown
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import label, metric_name, metric_title, name_of
from confmat.report.subject import Subject
from confmat.report.tables import Column, compact, plain_table

MOST_GROUPS = 20


def fairness(subject: Subject, sensitive: list[str] | None, ident: str) -> list[Node]:
    """Return a part for each key whose groups are compared."""
    if subject.is_of_numbers or subject.is_clustered or not subject.evaluation.n:
        return []
    wanted = list(subject.keys) if sensitive is None else sensitive
    found: list[tuple[str, Fairness]] = []
    for key in wanted:
        groups = subject.parts[key].n_unique()
        if sensitive is None and not 2 <= groups <= MOST_GROUPS:
            continue
        try:
            found.append((key, _asked(subject, key)))
        except ConfmatError:
            if sensitive is not None:
                raise
    if not found:
        return []
    words = compact([[f"k{at}", name_of(key, 24)] for at, (key, _) in enumerate(found)])
    views = [
        tag("div", _part(key, one), class_="view", data_view=f"k{at}", hidden=at > 0)
        for at, (key, one) in enumerate(found)
    ]
    about = (
        "How far the groups of a key lie apart: the highest less the lowest, and the lowest over "
        "the highest, with intervals that hold for the two that were picked among all groups. "
        "Whether a key is one by which people must not differ, the numbers do not know."
    )
    return [
        tag("p", about, class_="note"),
        tag("div", views, class_="choice", data_choices=words, id=ident),
    ]


def _asked(subject: Subject, key: str) -> Fairness:
    reading, counting = subject.request.reading, subject.request.counting
    made = fairness_of(
        subject.parts,
        key,
        level=subject.level,
        min_n=reading.min_n,
        pos_label=counting.pos_label,
    )
    made.between()
    return made


def _part(key: str, f: Fairness) -> list[Node]:
    told = overview.title(f).split("\n")[1:]
    return [
        tag("h3", "Groups by ", label(key)),
        [tag("p", line) for line in told],
        _criteria(f),
        _groups(key, f),
    ]


def _criteria(f: Fairness) -> Element:
    rows: dict[str, dict[str, Any]] = {}
    for row in f.between().iter_rows(named=True):
        stem, _, kind = row["criterion"].removesuffix("_mean").rpartition("_")
        if row["criterion"].endswith("_mean"):
            continue
        rows.setdefault(stem, {})[kind] = row
    columns = [
        Column("criterion", "text"),
        Column("difference", "range", ends=(0.0, 1.0)),
        Column("ratio", "range"),
        Column("lowest", "text"),
        Column("highest", "text"),
    ]
    table = []
    for stem, kinds in rows.items():
        one, other = kinds["difference"], kinds["ratio"]
        ends = [(kind["value"], kind["low"], kind["high"]) for kind in (one, other)]
        groups = [None if one[end] is None else shown(one[end]) for end in ("lowest", "highest")]
        table.append((metric_name(stem), *ends, *groups))
    return plain_table("How far groups lie apart", columns, table)


def _groups(key: str, f: Fairness) -> Element:
    names = overview.metrics_of(f)
    frame = f.table()
    columns = [Column(name_of(key), "text"), Column("rows", "count")]
    columns += [Column(metric_name(name), "range", metric_title(name)) for name in names]
    groups: dict[Any, dict[str, Any]] = {}
    for row in frame.iter_rows(named=True):
        group = groups.setdefault(row[key], {"n": row["n"]})
        group[row["metric"]] = (row["value"], row["low"], row["high"])
    nothing = (None, None, None)
    table = [
        (name_of(value), row["n"], *(row.get(name, nothing) for name in names))
        for value, row in groups.items()
    ]
    return plain_table("Metrics of the groups", columns, table)
