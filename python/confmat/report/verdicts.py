"""What the numbers say, in sentences: imbalance, confusions, weak slices, data that is enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.errors import ConfmatError
from confmat.matrices.sparse import margins
from confmat.report import regression
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import count, interval, known, label, metric_word, number, percent
from confmat.report.slices import keys_in
from confmat.report.subject import Subject

# How sure one must be to call something good or bad: "good", "warn", "bad" or "note".
Verdict = tuple[str, Node]
_WORDS = {"good": "good:", "warn": "look here:", "bad": "problem:", "note": "note:"}
_EQUAL, _UNEQUAL = 1.5, 4.0  # so many times the rows of the smallest class has the largest
_WIDTH = 0.1
_MOST = 3  # classes that a sentence names
_MAX_CLASSES = 2000  # beyond, the data of every class is not judged one by one


def verdicts(subject: Subject, weak: pl.DataFrame | None) -> Element:
    """Return the sentences as a list; `weak` are the worst slices, if there are slices."""
    found = _of_rows(subject)
    if subject.is_of_numbers:
        found += regression.verdicts(subject)
    elif subject.matrix is not None and subject.matrix.n:
        found += [*_chance(subject), *_balance(subject), *_confused(subject)]
        found += [*_never(subject), *_enough(subject)]
    if subject.sweeps and not subject.is_of_numbers:
        found += _scores(subject)
    if weak is not None:
        found += _weak(subject, weak)
    items = [
        tag("li", tag("span", _WORDS[kind], class_="hidden"), " ", sentence, class_=kind)
        for kind, sentence in found
    ]
    return tag("ul", items, class_="verdicts")


def _said(kind: str, strong: str, *rest: Node) -> Verdict:
    return kind, [tag("strong", strong), " ", rest]


def _of_rows(subject: Subject) -> list[Verdict]:
    e = subject.evaluation
    out: list[Verdict] = []
    if not e.n:
        out.append(_said("bad", "No rows were counted.", "Every number is undefined."))
    if not e.complete:
        told = "The evaluation was stopped before its end; the numbers are of the rows so far."
        out.append(_said("bad", "Incomplete.", told))
    if e.skipped:
        files = "1 file" if len(e.skipped) == 1 else f"{len(e.skipped):,} files"
        out.append(_said("bad", "Files are missing.", f"{files} could not be read; see the end."))
    left = e.n_dropped + e.n_nan + e.n_other
    share = left / (left + e.n) if left else 0.0
    if share > 0.01:
        told = (
            f"{percent(share)} of the rows ({count(left)}) have no label, score or weight to count."
        )
        out.append(_said("warn" if share < 0.2 else "bad", "Rows are left out.", told))
    return out


def _chance(subject: Subject) -> list[Verdict]:
    m: Any = subject.matrix
    accuracy, nir = m.value("accuracy"), m.value("nir")
    if not known(accuracy):
        return []
    largest = m.labels[int(np.argmax(margins(m._cells)[0]))]
    low = m.ci("accuracy", level=subject.level).low
    told: list[Node] = [
        f"{percent(accuracy)} of the rows are right; always answering ",
        label(largest),
    ]
    told.append(f" would be right in {percent(nir)}.")
    if known(low) and low > nir:
        return [_said("good", "Better than the largest class alone.", told)]
    if accuracy > nir:
        return [_said("warn", "Hardly better than the largest class alone.", told)]
    return [_said("bad", "No better than the largest class alone.", told)]


def _balance(subject: Subject) -> list[Verdict]:
    m: Any = subject.matrix
    sizes = margins(m._cells)[0]
    there = [(float(size), name) for size, name in zip(sizes, m.labels, strict=True) if size]
    if len(there) < 2:
        return [_said("warn", "One class alone.", "All rows are of one class: much is undefined.")]
    (most, big), (least, small) = max(there, key=_size), min(there, key=_size)
    told: list[Node] = [label(big), f" has {percent(most / m.n)} of the rows, ", label(small)]
    told.append(f" {percent(least / m.n)}.")
    if most < _EQUAL * least:
        return [_said("good", "Classes are about equal.", told)]
    if most < _UNEQUAL * least:
        return [_said("note", "Classes differ in size.", told)]
    more = " Accuracy is mostly about the former; MCC and balanced accuracy weigh both."
    return [_said("warn", "Classes are unequal.", told, more)]


def _size(one: tuple[float, Any]) -> float:
    return one[0]


def _confused(subject: Subject) -> list[Verdict]:
    m: Any = subject.matrix
    top = m.top_confusions(1).rows()
    if not top:
        return [_said("good", "Nothing is confused.", "Every row is on the diagonal.")]
    true, pred, n, rate = top[0]
    told: list[Node] = [count(n), " rows of ", label(true), " are taken for ", label(pred)]
    told.append(f": {percent(rate)} of that class")
    wrong = m.n * (1 - m.value("accuracy"))
    told.append(f", and {percent(n / wrong)} of all mistakes.")
    return [_said(_how_bad(rate), "The largest confusion.", told)]


def _how_bad(rate: float) -> str:
    return "bad" if rate > 0.5 else "warn" if rate > 0.02 else "note"


def _never(subject: Subject) -> list[Verdict]:
    m: Any = subject.matrix
    truth, predicted = margins(m._cells)[:2]
    names = [name for name, n, p in zip(m.labels, truth, predicted, strict=True) if n and not p]
    if not names:
        return []
    return [_said("bad", "Never predicted.", _listed(names), f": {_no_recall(len(names))}")]


def _no_recall(n: int) -> str:
    return "none of its rows is found." if n == 1 else "none of their rows is found."


def _listed(names: list[Any]) -> list[Node]:
    out: list[Node] = []
    for at, name in enumerate(names[:_MOST]):
        out += [", " if at else "", label(name)]
    return [*out, f" and {len(names) - _MOST:,} more"] if len(names) > _MOST else out


def _enough(subject: Subject) -> list[Verdict]:
    m: Any = subject.matrix
    if subject.is_clustered or len(m.labels) > _MAX_CLASSES:
        return []
    found = m.adequacy(level=subject.level, width=_WIDTH)
    found = found.filter(pl.col("metric").is_in(["accuracy", "recall"]))
    few = found.filter(~pl.col("is_enough") & (pl.col("n") > 0)).sort("n")
    ends = f"{100 * subject.level:g} % intervals are at most {_WIDTH:g} wide"
    if few.is_empty():
        told = f"{ends}: of accuracy and of the recall of every class that has rows."
        return [_said("good", "The data is enough.", told)]
    row = few.row(0, named=True)
    name: Node = row["metric"] if row["label"] is None else ["recall of ", label(row["label"])]
    ends = interval(row["low"], row["high"])
    of = f" is {number(row['value'])} {ends} from {count(row['n'])} rows"
    need = f"; a width of {_WIDTH:g} takes {count(row['n_for_width'])}"
    more = f" {few.height - 1:,} more are not known so well." if few.height > 1 else ""
    return [_said("warn", "More data is needed.", "The ", name, of, need, ".", more)]


def _scores(subject: Subject) -> list[Verdict]:
    name, s = subject.sweeps[0]
    if len(subject.sweeps) != 1:
        return []
    area = s.value("roc_auc")
    out: list[Verdict] = []
    if known(area):
        told: list[Node] = ["A row of ", label(name), " has a higher score than one of "]
        told += [label(s.labels[0]), f" in {percent(area)} of pairs (ROC AUC {number(area)})."]
        kind = "good" if area >= 0.8 else "warn" if area > 0.6 else "bad"
        out.append(_said(kind, "How scores order rows.", told))
    try:
        table = s.calibration().table()
    except ConfmatError:
        return out
    mean = float((table["mean_score"] * table["n"]).sum()) / float(s.n)
    share = float(s.n_positive) / float(s.n)
    told = [
        f"The mean score is {number(mean)}, the share of ",
        label(name),
        f" {number(share)}",
    ]
    error = s.value("ece")
    told.append(f"; in bins of scores the two are {number(error)} apart on average")
    told.append(" (the calibration error).")
    fits = abs(mean - share) < 0.02 and error < 0.03
    if fits:  # which no single bin and no group has to
        told.append(" Single bins, and groups, may be farther off.")
    strong = f"As probabilities, scores {'fit' if fits else 'are off'} on average."
    out.append(_said("good" if fits else "warn", strong, told))
    return out


def _weak(subject: Subject, weak: pl.DataFrame) -> list[Verdict]:
    metric = subject.slice_metrics[0]
    worse = weak.filter((pl.col("loss") > 0) & pl.col("difference").is_not_null())
    sure = worse.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
    name = metric_word(metric)
    if sure.is_empty():
        no = f"No slice is surely worse in {name} than the other rows."
        return [_said("note", "No weak slice.", no)]
    row = sure.row(0, named=True)
    told: list[Node] = []
    for key in keys_in(subject, row):
        told += [", " if told else "", label(key), " ", label(row[key])]
    of = f": {name} {number(row['value'])} of {count(row['n'])} rows against "
    told += [of, f"{number(row['rest'])} of the rest. Of all slices it costs most."]
    return [_said("warn", "The weakest slice.", told)]
