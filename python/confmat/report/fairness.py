"""Groups compared: how far they lie apart by each criterion of fairness, with intervals."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.errors import ConfmatError
from confmat.fairness import overview
from confmat.fairness.from_parts import fairness as fairness_of
from confmat.fairness.result import Fairness
from confmat.frames.state_queries import SCORED
from confmat.labels import shown
from confmat.objects.any_sweep import AnySweep
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import label, metric_name, metric_title, name_of
from confmat.report.slices import forest, rows_of
from confmat.report.subject import Subject
from confmat.report.tables import Column, compact, plain_table

MOST_GROUPS = 20
_PICTURES = 4


def fairness(subject: Subject, sensitive: list[str] | None, ident: str) -> list[Node]:
    """Return a part for each key whose groups are compared."""
    if subject.is_of_numbers or subject.is_clustered or not subject.evaluation.n:
        return []
    wanted = list(subject.keys) if sensitive is None else sensitive
    found: list[tuple[str, Fairness, pl.DataFrame]] = []
    for key in wanted:
        groups = subject.parts[key].n_unique()
        if sensitive is None and not 2 <= groups <= MOST_GROUPS:
            continue
        try:
            found.append((key, *_asked(subject, key)))
        except ConfmatError:
            if sensitive is not None:
                raise
    if not found:
        return []
    words = compact([[f"k{at}", name_of(key, 24)] for at, (key, *_) in enumerate(found)])
    views = [
        tag(
            "div",
            _part(key, f, between, f"{ident}-{at}"),
            class_="view",
            data_view=f"k{at}",
            hidden=at > 0,
        )
        for at, (key, f, between) in enumerate(found)
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


def _asked(subject: Subject, key: str) -> tuple[Fairness, pl.DataFrame]:
    reading, counting = subject.request.reading, subject.request.counting
    parts = subject.parts
    if SCORED in parts.columns and not isinstance(subject.scores, AnySweep):
        parts = parts.drop(SCORED)
    made = fairness_of(
        parts,
        key,
        level=subject.level,
        min_n=reading.min_n,
        pos_label=counting.pos_label,
    )
    return made, made.between()


def _part(key: str, f: Fairness, between: pl.DataFrame, ident: str) -> list[Node]:
    told = overview.title(f).split("\n")[1:]
    return [
        tag("h3", "Groups by ", label(key)),
        [tag("p", line) for line in told],
        tag("div", _pictures(key, f, ident), class_="pictures forests"),
        _criteria(between),
        _groups(key, f),
    ]


def _pictures(key: str, f: Fairness, ident: str) -> list[Node]:
    """Return the first metrics of the groups as pictures."""
    whole = f.overall().row(0, named=True)
    frame = f.table()
    out: list[Node] = []
    for at, name in enumerate(overview.metrics_of(f)[:_PICTURES]):
        own = frame.filter(pl.col("metric") == name)
        named = own.rename({"value": name, "low": f"{name}_low", "high": f"{name}_high"})
        rows = [one._replace(mark="even") for one in rows_of(named, [key], name, whole[name])]
        about = f"{metric_name(name)} by {name_of(key)}"
        caption = tag("figcaption", tag("p", metric_name(name), class_="title"))
        out.append(tag("figure", caption, forest(rows, whole[name], f"{ident}-{at}", about)))
    return out


def _criteria(between: pl.DataFrame) -> Element:
    rows: dict[str, dict[str, Any]] = {}
    for row in between.iter_rows(named=True):
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
