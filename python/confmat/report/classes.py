"""The classes one by one: how many rows, and how well each is found."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.partials import merge
from confmat.logs import tables as log_tables
from confmat.matrices.sparse import margins
from confmat.report.document import Node
from confmat.report.numbers import metric_name, metric_title, name_of
from confmat.report.subject import Subject
from confmat.report.tables import Column, data_table

METRICS = ("precision", "recall", "f1", "specificity")


def per_class(subject: Subject, ident: str) -> list[Node]:
    """Return the table of classes."""
    m = subject.matrix
    frame = class_frame(subject)
    names = [name for name in METRICS if name in frame.columns]
    names = names or [
        n for n in frame.columns if n != "label" and not n.endswith(("_low", "_high"))
    ]
    columns = [Column("class", "text")]
    sizes: list[Any] = []
    if m is not None:
        truth, predicted = margins(m._cells)[:2]
        sizes = [truth.tolist(), predicted.tolist()]
        columns += [Column("rows", "count"), Column("predicted", "count")]
    columns += [Column(metric_name(n), "range", metric_title(n), (0.0, 1.0)) for n in names]
    ranges = [ranges_of(frame, name) for name in names]
    labels = [name_of(label) for label in frame["label"]]
    rows = list(zip(labels, *sizes, *ranges, strict=True))
    return data_table(ident, "Metrics of each class", "classes", columns, rows)


def class_frame(subject: Subject) -> pl.DataFrame:
    """Return the metrics of the classes with their intervals."""
    if subject.matrix is None:
        found: pl.DataFrame = subject.state.per_class()
        return found.rename({found.columns[0]: "label"})
    parts, clusters = merge(subject.parts, by=[]), None
    if subject.is_clustered:
        clusters = merge(subject._own(subject.evaluation._stored), by=[CLUSTER])
    return log_tables.per_class_table(parts, subject.request, METRICS, clusters)


def ranges_of(frame: pl.DataFrame, name: str) -> list[tuple[Any, Any, Any]]:
    """Return a metric and the ends of its interval in each row."""
    columns = [
        frame[f"{name}{end}"].cast(pl.Float64).fill_nan(None).round_sig_figs(6).to_list()
        if f"{name}{end}" in frame.columns
        else [None] * len(frame)
        for end in ("", "_low", "_high")
    ]
    return list(zip(*columns, strict=True))
