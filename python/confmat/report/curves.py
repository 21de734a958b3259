"""Curves of scores: ROC, precision and recall, calibration; each with its numbers behind."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.errors import ConfmatError
from confmat.objects.any_sweep import AnySweep
from confmat.report.axes import Frame
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import known, label, number, percent
from confmat.report.tables import Column, behind, plain_table

POINTS = 160
_FEW = 21  # rows of the table behind a curve


def pictures(s: AnySweep, name: Any, ident: str, level: float) -> list[Node]:
    """Return the curves of one sweep, side by side."""
    found = [_roc(s, name, f"{ident}-roc", level), _pr(s, name, f"{ident}-pr", level)]
    calibration = _calibration(s, name, f"{ident}-cal")
    return [tag("div", found, calibration, class_="pictures")]


def overlaid(sweeps: dict[str, AnySweep], ident: str) -> Element:
    """Return the ROC curves of several models in one picture."""
    frame = Frame(x_title="false positive rate", y_title="true positive rate")
    frame.rule((0, 0), (1, 1), "reference")
    rows, entries = [], []
    for at, (name, s) in enumerate(sweeps.items()):
        hue = f"s{at % 6}"
        curve = s.roc_curve(max_points=POINTS)
        frame.line(_points(curve, "fpr", "tpr"), hue)
        area = s.value("roc_auc")
        entries.append(tag("li", tag("span", class_=f"key {hue}"), label(name), f" {number(area)}"))
        rows.append((name, area, s.value("average_precision")))
    columns = [
        Column("model", "text"),
        Column("ROC AUC", places=4),
        Column("avg. precision", places=4),
    ]
    about = "ROC curves of " + ", ".join(sweeps)
    return figure(
        "ROC curves",
        [tag("ul", entries, class_="legend")],
        frame.svg(ident, about),
        plain_table("Areas", columns, rows),
    )


def _roc(s: AnySweep, name: Any, ident: str, level: float) -> Element:
    curve = s.roc_curve(max_points=POINTS, ci=level)
    frame = Frame(x_title="false positive rate", y_title="true positive rate")
    frame.rule((0, 0), (1, 1), "reference")
    frame.band(_points(curve, "fpr", "tpr_low"), _points(curve, "fpr", "tpr_high"), "one")
    frame.line(_points(curve, "fpr", "tpr"), "one")
    area = s.value("roc_auc")
    about: list[Node] = [
        "Area ",
        tag("strong", number(area)),
        " for ",
        label(name),
        "; dashed: by chance.",
    ]
    marker = tag("circle", r=5, class_="marker", data_x="fpr", data_y="tpr", hidden=True)
    columns = [
        Column("score at least"),
        Column("true positive rate", "range"),
        Column("false positive rate", "range"),
    ]
    rows = _some(curve, "threshold", "tpr", "fpr")
    svg = frame.svg(ident, f"ROC curve, area {number(area)}", marker)
    return figure("ROC", about, svg, plain_table("Points of the ROC curve", columns, rows))


def _pr(s: AnySweep, name: Any, ident: str, level: float) -> Element:
    curve = s.pr_curve(max_points=POINTS, ci=level)
    frame = Frame(x_title="recall", y_title="precision")
    share = float(s.n_positive) / float(s.n) if s.n else 0.0
    frame.rule((0, share), (1, share), "reference")
    low, high = (_points(curve, "recall", f"precision_{end}") for end in ("low", "high"))
    frame.band(low, high, "one")
    frame.line(_points(curve, "recall", "precision"), "one")
    area = s.value("average_precision")
    about: list[Node] = [
        "Average precision ",
        tag("strong", number(area)),
        "; dashed: the share of ",
    ]
    about += [label(name), f", {percent(share)}."]
    marker = tag("circle", r=5, class_="marker", data_x="tpr", data_y="ppv", hidden=True)
    columns = [
        Column("score at least"),
        Column("precision", "range"),
        Column("recall", "range"),
    ]
    rows = _some(curve, "threshold", "precision", "recall")
    svg = frame.svg(ident, f"Precision against recall, average {number(area)}", marker)
    return figure("Precision and recall", about, svg, plain_table("Points", columns, rows))


def _calibration(s: AnySweep, name: Any, ident: str) -> Element | None:
    try:
        table = s.calibration().table().filter(pl.col("n") > 0)
    except ConfmatError:  # scores that are no probabilities
        return None
    frame = Frame(x_title="mean score", y_title="share of positives")
    frame.rule((0, 0), (1, 1), "reference")
    largest = float(table["n"].max() or 1)  # type: ignore[arg-type]
    for row in table.iter_rows(named=True):
        frame.bar(row["lo"], row["hi"], 0.22 * float(row["n"]) / largest, "rows")
    for row in table.iter_rows(named=True):
        x = row["mean_score"]
        if known(row["ci_low"]):
            frame.rule((x, row["ci_low"]), (x, row["ci_high"]), "whisker")
    frame.line(_points(table, "mean_score", "fraction_positive"), "one thin")
    for row in table.iter_rows(named=True):
        frame.dot(row["mean_score"], row["fraction_positive"], "one", 3.5)
    error = s.value("ece")
    about: list[Node] = [
        "Calibration error ",
        tag("strong", number(error)),
        "; dashed: scores that are the ",
    ]
    about += ["share of ", label(name), ". Bars: rows."]
    columns = [
        Column("scores", "text"),
        Column("rows", "count"),
        Column("mean score"),
        Column("share of positives", "range"),
    ]
    rows = [
        (
            f"{number(r['lo'], 2)} to {number(r['hi'], 2)}",
            r["n"],
            r["mean_score"],
            (r["fraction_positive"], r["ci_low"], r["ci_high"]),
        )
        for r in table.iter_rows(named=True)
    ]
    svg = frame.svg(ident, f"Calibration: share of positives by score, error {number(error)}")
    return figure("Calibration", about, svg, plain_table("Bins of scores", columns, rows))


def figure(title: str, about: list[Node], svg: Element, table: Element) -> Element:
    """Return a picture with its title, what there is to say, and the numbers behind it."""
    caption = tag("figcaption", tag("p", title, class_="title"), tag("div", about, class_="about"))
    return tag("figure", caption, svg, behind("Numbers behind this picture", table))


def _points(frame: pl.DataFrame, x: str, y: str) -> list[tuple[float, float]]:
    if x not in frame.columns or y not in frame.columns:
        return []
    return [(a, b) for a, b in frame.select(x, y).drop_nulls().rows()]


def _some(curve: pl.DataFrame, at: str, *rates: str) -> list[tuple[Any, ...]]:
    """Return rows of a curve, evenly chosen."""
    step = max(1, (curve.height - 1) // (_FEW - 1)) if curve.height else 1
    out = []
    for row in curve.gather_every(step).iter_rows(named=True):
        out.append((row[at], *((row[r], row.get(f"{r}_low"), row.get(f"{r}_high")) for r in rates)))
    return out
