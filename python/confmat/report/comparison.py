"""Models compared on the same rows: differences, who is right where the other is wrong, slices."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.errors import ConfmatError
from confmat.frames.partials import merge
from confmat.logs.joint_states import PAIR
from confmat.paired.asked import Asked
from confmat.paired.comparison import Comparison
from confmat.paired.models import Models
from confmat.paired.tables import verdict
from confmat.paired.units import Units
from confmat.report import curves
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import (
    known,
    label,
    metric_name,
    metric_title,
    metric_word,
    name_of,
    number,
)
from confmat.report.slices import MOST_ROWS, Row, forest
from confmat.report.subject import Subject, better
from confmat.report.tables import Column, behind, plain_table

MOST_GROUPS = 60  # values of a key by which models are compared
_WORDS = {"better": "better", "worse": "worse", None: "not sure"}


def comparison(subjects: list[Subject], ident: str) -> list[Node]:
    """Return how models differ: classes in pairs with the first, scores as curves."""
    out: list[Node] = []
    level = subjects[0].level
    compared = compared_of(subjects[0].evaluation, level)
    if compared is None:
        out.append(_side_by_side(subjects))
    else:
        for at, other in enumerate(compared.models):
            out += _pair(compared, other, f"{ident}-{at}")
    sweeps = {
        str(subject.name): subject.sweeps[0][1] for subject in subjects if len(subject.sweeps) == 1
    }
    if len(sweeps) < 2:
        return out
    areas = curves.overlaid(sweeps, f"{ident}-roc")
    beside = 1 if compared is not None else 0
    first = tag("div", tag("div", out[beside]), areas, class_="split")
    return [*out[:beside], first, *out[beside + 1 :]]


def compared_of(evaluation: Any, level: float, key: str | None = None) -> Comparison | None:
    """Return the comparison that joint counts give; None where none were kept, or of clusters."""
    counting = evaluation._request.counting
    if evaluation._joints is None or counting.cluster is not None or not evaluation.n:
        return None
    columns = {model.name: model.y_pred for model in counting.models if model.y_pred}
    models = Models(tuple(columns), columns, {}, {}, {})
    joints = evaluation._joints.filter(pl.col(PAIR[0]) == models.names[0]).drop(PAIR[0])
    keys = () if key is None else (key,)
    joints = merge(joints, by=[PAIR[1], *keys])
    asked = Asked(None, level, "both", None, counting.pos_label, evaluation._request.reading.min_n)
    units = Units(
        models, asked, counting.y_true, keys, joints, None, None, "raise", counting.sample_weight
    )
    try:
        return Comparison._around(models, asked, units, evaluation)
    except ConfmatError:
        return None


def verdicts(evaluation: Any, level: float) -> Element | None:
    """Return a sentence on each model beside the first."""
    compared = compared_of(evaluation, level)
    if compared is None:
        return None
    items = []
    for other in compared.models:
        table = _told(compared, other).filter(pl.col("metric").is_in(["accuracy", "mcc"]))
        for row in table.iter_rows(named=True):
            word = _WORDS[row["told"]]
            kind = {"better": "good", "worse": "bad"}.get(word, "note")
            strong: Node = [" is ", word, " than ", label(compared.baseline)]
            if not row["told"]:
                strong = [" and ", label(compared.baseline), " do not surely differ"]
            ends = f"[{number(row['low'])}, {number(row['high'])}]" if known(row["low"]) else ""
            name = tag("strong", label(other), strong, f" in {metric_word(row['metric'])}.")
            told = f"{number(row['value_a'])} → {number(row['value_b'])}, a difference of "
            told += f"{number(row['difference'])} {ends} on the same rows."
            items.append(tag("li", name, " ", told, class_=kind))
    return tag("ul", items, class_="verdicts") if items else None


def _told(compared: Comparison, other: str) -> pl.DataFrame:
    table = compared.overall().filter(pl.col("model_b") == other)
    words = [
        table[at].select(verdict(better(name)).alias("told")).item()
        for at, name in enumerate(table["metric"])
    ]
    return table.with_columns(pl.Series("told", words, dtype=pl.String))


def _pair(compared: Comparison, other: str, ident: str) -> list[Node]:
    a, b = _names(compared.baseline, other)
    table = _told(compared, other)
    columns = [
        Column("metric", "text"),
        Column(a, places=4),
        Column(b, places=4),
        Column("difference", "range", places=4),
        Column("p", "p", "the p value of no difference"),
        Column(f"{b} is", "text"),
    ]
    rows = [
        (
            metric_name(row["metric"]),
            row["value_a"],
            row["value_b"],
            (row["difference"], row["low"], row["high"]),
            row["p_value"],
            _WORDS[row["told"]],
        )
        for row in table.iter_rows(named=True)
    ]
    caption = f"{b} less {a}, on the same rows"
    return [
        tag("h3", label(other), " against ", label(compared.baseline)),
        plain_table(caption, columns, rows),
        _flips(compared, other, a, b),
        _by_keys(compared, other, ident),
    ]


def _names(baseline: str, other: str) -> tuple[str, str]:
    """Return what two models are called over columns, told apart from each other and the rest."""
    a, b = name_of(baseline, 24), name_of(other, 24)
    taken = {"metric", "difference", "p"}
    if a in (b, f"{b} is") or not taken.isdisjoint((a, b)):
        return f"{a} (a)", f"{b} (b)"
    return a, b


def _flips(compared: Comparison, other: str, a: str, b: str) -> Element:
    flips = compared.joint(other).flips()
    columns = [Column("true class", "text"), Column("rows", "count"), Column("both right", "count")]
    columns += [Column(f"only {a}", "count"), Column(f"only {b}", "count")]
    columns.append(Column("neither", "count"))
    rows = [(name_of(row[0]), *row[1:]) for row in flips.head(MOST_ROWS).rows()]
    rest = f" (the first {MOST_ROWS} classes)" if flips.height > MOST_ROWS else ""
    return behind("Who is right", plain_table(f"Rows by who is right{rest}", columns, rows))


def _by_keys(compared: Comparison, other: str, ident: str) -> Element | None:
    """Return pictures of the differences by each key alone."""
    evaluation = compared.evaluation
    assert evaluation is not None
    metric = "accuracy"
    cards = []
    for at, key in enumerate(evaluation._request.keys):
        if not 2 <= evaluation._parts[key].n_unique() <= MOST_GROUPS:
            continue
        of_key = compared_of(evaluation, compared.level, key)
        if of_key is None:
            continue
        found = of_key.slices(metric).filter(pl.col("model_b") == other)
        shown = found.head(MOST_ROWS)
        marks = {"better": "better", "worse": "worse"}
        rows = [
            Row(
                name_of(r[key]),
                r["n"],
                r["difference"],
                r["low"],
                r["high"],
                marks.get(r["verdict"], "even"),
            )
            for r in shown.iter_rows(named=True)
        ]
        about = f"Difference of accuracy by {name_of(key)}"
        columns = [
            Column(name_of(key), "text"),
            Column("rows", "count"),
            Column("difference", "range", metric_title(metric)),
            Column("adjusted p", "p"),
        ]
        table = [
            (name_of(r[key]), r["n"], (r["difference"], r["low"], r["high"]), r["p_adjusted"])
            for r in shown.iter_rows(named=True)
        ]
        rest = f", the {MOST_ROWS} worst of {found.height}" if found.height > MOST_ROWS else ""
        told = f"accuracy, {name_of(other, 24)} less {name_of(compared.baseline, 24)}{rest}"
        caption = tag(
            "figcaption", tag("p", label(key), class_="title"), tag("div", told, class_="about")
        )
        svg = forest(rows, 0.0, f"{ident}-{at}", about)
        numbers = behind("Numbers behind this picture", plain_table(about, columns, table))
        cards.append(tag("figure", caption, svg, numbers))
    return tag("div", cards, class_="pictures forests") if cards else None


def _side_by_side(subjects: list[Subject]) -> Element:
    """Return the metrics of models beside each other, without a word on differences."""
    names = list(dict.fromkeys(n for s in subjects for n in s.overall["metric"].to_list()))
    columns = [Column("metric", "text")]
    columns += [Column(name_of(s.name, 24), "range", places=4) for s in subjects]
    found = []
    for s in subjects:
        rows = s.overall.iter_rows(named=True)
        found.append({r["metric"]: (r["value"], r["low"], r["high"]) for r in rows})
    nothing = (None, None, None)
    table = [(metric_name(n), *(of.get(n, nothing) for of in found)) for n in names]
    return plain_table("Metrics of the models", columns, table)
