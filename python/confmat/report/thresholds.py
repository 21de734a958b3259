"""The threshold explorer: a slider through the sweep, and what follows from where it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.errors import ConfmatError
from confmat.objects.any_sweep import AnySweep
from confmat.report.axes import Frame, spread
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import count, label, number
from confmat.report.tables import Column, behind, compact, plain_table

STOPS = 240
RATES = (
    ("tpr", "Recall", "of the positives, those that are found"),
    ("ppv", "Precision", "of those predicted positive, the positives"),
    ("tnr", "Specificity", "of the negatives, those that are left alone"),
    ("f1", "F1", "the harmonic mean of precision and recall"),
    ("mcc", "MCC", "the correlation of truth and prediction"),
    ("accuracy", "Accuracy", "of all rows, those that are right"),
    ("share", "Predicted positive", "of all rows"),
)
_SHOWN = (("tpr", "s0"), ("ppv", "s1"), ("f1", "s2"))


def explorer(s: AnySweep, name: Any, ident: str, pictures: str) -> Element:
    """Return the explorer of one sweep; `pictures` begins the names of its curves."""
    curve = stops(s)
    positives, negatives = float(s.n_positive), float(s.n_negative)
    rows = [
        rates_of(t, float(tp), float(fp), positives, negatives) for t, tp, fp in curve.iter_rows()
    ]
    first = _first(rows)
    best = {key: _best(rows, key) for key in ("f1", "mcc")}
    data = {
        "t": [row["t"] for row in rows],
        "tp": curve["tp"].to_list(),
        "fp": curve["fp"].to_list(),
        "p": positives,
        "n": negatives,
        "at": first,
        "best": best,
        "pictures": pictures,
    }
    is_rest = isinstance(s.labels[1], bool) and not isinstance(name, bool)
    negative: list[Node] = ["not ", label(name, 20)] if is_rest else [label(s.labels[0], 24)]
    return tag(
        "div",
        tag("div", class_="tools"),
        tag(
            "div",
            tag(
                "div",
                _cells(rows[first], [label(name, 24)], negative),
                _lines(rows, ident),
                class_="part",
            ),
            tag("div", _rates(rows[first]), _cost(rows, ident), class_="part"),
            class_="split",
        ),
        behind("Numbers at some thresholds", _table(rows)),
        tag("div", compact(data), hidden=True, class_="data"),
        class_="explorer",
        id=ident,
    )


def stops(s: AnySweep) -> pl.DataFrame:
    """Return `threshold`, `tp` and `fp` where the slider stops, at 0.5 too, if it can."""
    columns = ["threshold", "tp", "fp"]
    curve = s.roc_curve(max_points=STOPS).select(columns)
    at = curve["threshold"]
    if curve.height < 2 or not (at.min() <= 0.5 <= at[1]) or (at == 0.5).any():  # type: ignore[operator]
        return curve
    try:
        middle = s.roc_curve(thresholds=[0.5]).select(columns).cast(curve.schema)
    except ConfmatError:  # within a bin of several scores
        return curve
    return pl.concat([curve, middle]).sort("threshold", descending=True)


def rates_of(t: float, tp: float, fp: float, p: float, n: float) -> dict[str, Any]:
    """Return the cells and the rates at a threshold; None where undefined."""
    fn, tn = p - tp, n - fp
    under = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return {
        "t": t,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "tn": tn,
        "tpr": _ratio(tp, p),
        "ppv": _ratio(tp, tp + fp),
        "tnr": _ratio(tn, n),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "mcc": _ratio(tp * tn - fp * fn, under),
        "accuracy": _ratio(tp + tn, p + n),
        "share": _ratio(tp + fp, p + n),
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _first(rows: list[dict[str, Any]]) -> int:
    """Return where the slider stands first: at 0.5 of probabilities, else at the best MCC."""
    finite = [row["t"] for row in rows if math.isfinite(row["t"])]
    if finite and 0 <= min(finite) < 0.5 <= max(finite) <= 1:
        at = [i for i, row in enumerate(rows) if row["t"] >= 0.5]
        return at[-1]
    return _best(rows, "mcc")


def _best(rows: list[dict[str, Any]], key: str) -> int:
    return max(range(len(rows)), key=lambda at: -2.0 if rows[at][key] is None else rows[at][key])


def _cells(row: dict[str, Any], positive: Sequence[Node], negative: Sequence[Node]) -> Element:
    def cell(key: str, hue: str, word: str) -> Element:
        small = tag("small", word)
        return tag("td", tag("span", count(row[key]), data_cell=key), small, class_=hue)

    lines = [
        (negative, [cell("tn", "r7", "true negatives"), cell("fp", "w7", "false positives")]),
        (positive, [cell("fn", "w7", "false negatives"), cell("tp", "r7", "true positives")]),
    ]
    heads = [tag("th", "predicted ", *of, scope="col") for of, _ in lines]
    body = [tag("tr", tag("th", "true ", *of, scope="row"), cells) for of, cells in lines]
    at = tag("span", threshold_word(row["t"]), data_cell="t")
    caption = tag("caption", "Predicted positive where the score is ", at)
    head = tag("thead", tag("tr", tag("td"), heads))
    return tag("table", caption, head, tag("tbody", body), class_="four")


def threshold_word(t: float) -> str:
    """Return what a threshold asks of a score.

    Examples
    --------
    >>> threshold_word(0.5), threshold_word(float("inf"))
    ('at least 0.5', 'above all scores')
    """
    return "above all scores" if math.isinf(t) else f"at least {t:.4g}"


def _rates(row: dict[str, Any]) -> Element:
    lines = []
    for key, word, meaning in RATES:
        value = row[key]
        at = f"{max(value or 0.0, 0.0):.4f}"
        bar = tag("meter", value=at, min=0, max=1, data_bar=key, aria_label=word)
        lines.append(
            tag(
                "tr",
                tag("th", word, tag("small", meaning), scope="row"),
                tag("td", number(value), class_="n", data_cell=key),
                tag("td", bar, class_="bar"),
            )
        )
    return tag("table", tag("caption", "Rates there"), tag("tbody", lines), class_="rates")


def _lines(rows: list[dict[str, Any]], ident: str) -> Element:
    finite = [row for row in rows if math.isfinite(row["t"])]
    frame = _frame(finite, "")
    entries = []
    words = {key: word for key, word, _ in RATES}
    for key, hue in _SHOWN:
        frame.line([(row["t"], row[key]) for row in finite if row[key] is not None], hue)
        entries.append(tag("li", tag("span", class_=f"key {hue}"), words[key]))
    about = tag("ul", entries, class_="legend")
    caption = tag("figcaption", tag("p", "Rates by threshold", class_="title"), about)
    svg = frame.svg(f"{ident}-lines", "Recall, precision and F1 by threshold", _here(frame))
    return tag("figure", caption, svg)


def _cost(rows: list[dict[str, Any]], ident: str) -> Element:
    """Return the frame of a picture that the script draws, from the costs given there."""
    frame = _frame([row for row in rows if math.isfinite(row["t"])], "share of the highest")
    caption = tag("figcaption", tag("p", "Cost by threshold", class_="title"))
    line = tag("path", class_="line one price")
    svg = frame.svg(f"{ident}-cost", "Cost by threshold", line, _here(frame))
    return tag("figure", caption, svg, hidden=True)


def _frame(finite: list[dict[str, Any]], y_title: str) -> Frame:
    ends = spread([row["t"] for row in finite], 0.0)
    return Frame(ends, x_title="threshold", y_title=y_title, width=400, height=235)


def _here(frame: Frame) -> Element:
    """Return the line down at the threshold, which the script moves."""
    low, high = frame.at(0, 0)[1], frame.at(0, 1)[1]
    return tag("line", y1=f"{low:.0f}", y2=f"{high:.0f}", class_="here", hidden=True)


def _table(rows: list[dict[str, Any]]) -> Element:
    columns = [Column("score", "text"), Column("predicted positive", "count")]
    columns += [Column(word, title=meaning) for _, word, meaning in RATES[:6]]
    step = max(1, len(rows) // 16)
    body = [
        (threshold_word(row["t"]), row["tp"] + row["fp"], *(row[key] for key, _, _ in RATES[:6]))
        for row in rows[::step]
    ]
    return plain_table("Rates at some thresholds", columns, body)
