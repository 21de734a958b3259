"""`evaluation.report(path)`: an evaluation as a page of HTML."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from confmat.errors import InputError
from confmat.intervals.levels import checked_level
from confmat.labels import listing
from confmat.report import (
    classes,
    comparison,
    curves,
    fairness,
    matrix,
    predictions,
    slices,
    thresholds,
)
from confmat.report.document import Node, tag
from confmat.report.headline import headline
from confmat.report.numbers import count, label, name_of
from confmat.report.page import Section, page
from confmat.report.provenance import provenance
from confmat.report.subject import Subject
from confmat.report.tables import compact
from confmat.report.verdicts import verdicts
from confmat.whole_file import target_of, write_whole

LEVEL = 0.95


def write_report(
    evaluation: Any,
    path: str | os.PathLike[str],
    title: str | None,
    sensitive: str | Sequence[str] | None,
    level: float | None,
) -> Path:
    """Write the page, whole or not at all, and return its path."""
    target = _checked_path(path)
    data = report_bytes(evaluation, title, sensitive, level)
    write_whole(target, lambda file: file.write(data))
    return target


def report_bytes(
    evaluation: Any,
    title: str | None = None,
    sensitive: str | Sequence[str] | None = None,
    level: float | None = None,
) -> bytes:
    """Return the page: the same evaluation gives the same bytes."""
    if title is not None and not isinstance(title, str):
        raise InputError(f"`title` is {type(title).__name__}; wanted a text")
    asked = evaluation._request.reading.ci
    at = checked_level((LEVEL if asked is None else asked) if level is None else level)
    keys = _checked_keys(evaluation, sensitive)
    subjects = [Subject(evaluation, name, at) for name in evaluation.models or (None,)]
    parts = [_sections(one, keys, f"m{i}") for i, one in enumerate(subjects)]
    first: list[Section] = []
    main: list[Node]
    if len(subjects) > 1:
        told = comparison.verdicts(evaluation, at)
        content = [told, comparison.comparison(subjects, "cmp")]
        first = [Section("comparison", "comparison", "Models compared", content)]
        views = [
            tag(
                "div",
                [part.element([" ", label(one.name, 24)]) for part in of_one],
                class_="view",
                data_view=f"m{i}",
                hidden=i > 0,
            )
            for i, (one, of_one) in enumerate(zip(subjects, parts, strict=True))
        ]
        words = compact([[f"m{i}", name_of(one.name, 24)] for i, one in enumerate(subjects)])
        choice = tag("div", views, class_="choice models", data_choices=words, data_word="Model")
        main = [first[0].element(), choice]
    else:
        main = [part.element() for part in parts[0]]
    last = Section("provenance", "provenance", "Where this comes from", provenance(evaluation))
    nav = [*first, *parts[0], last]
    shown = title if title is not None else _title(evaluation)
    return page(shown, _about(evaluation, subjects), nav, [*main, last.element()])


def _sections(subject: Subject, sensitive: list[str] | None, ident: str) -> list[Section]:
    weak = slices.weakest(subject)
    found: list[tuple[str, str, Node]] = [
        ("headline", "At a glance", [headline(subject), verdicts(subject, weak)])
    ]
    if subject.matrix is not None and subject.matrix.n:
        heat = matrix.heat_map(subject.matrix, f"{ident}-heat")
        found.append(("confusion", "Confusion matrix", heat))
    if not subject.is_of_numbers and subject.state is not None and subject.state.n:
        found.append(("classes", "Classes", classes.per_class(subject, f"{ident}-classes-table")))
    if subject.is_of_numbers and subject.state is not None and subject.state.n:
        shown = predictions.pictures(subject.state, f"{ident}-predictions", subject.level)
        found.append(("predictions", "Predictions", shown))
    if subject.sweeps:
        found.append(("curves", "Curves", _curves(subject, ident)))
        found.append(("explorer", "Threshold explorer", _explorers(subject, ident)))
    if subject.keys and subject.parts.height:
        content = [
            slices.weak_table(subject, weak),
            slices.by_key(subject, f"{ident}-keys"),
            slices.all_slices(subject, f"{ident}-slices-table"),
        ]
        found.append(("slices", "Slices", content))
        groups = fairness.fairness(subject, sensitive, f"{ident}-groups")
        if groups:
            found.append(("fairness", "Groups compared", groups))
    return [Section(key, f"{ident}-{key}", head, content) for key, head, content in found]


def _curves(subject: Subject, ident: str) -> Node:
    if len(subject.sweeps) == 1:
        name, s = subject.sweeps[0]
        return curves.pictures(s, name, f"{ident}-curves-0", subject.level)
    return _of_classes(
        subject,
        f"{ident}-curves-by-class",
        [
            curves.pictures(s, name, f"{ident}-curves-{at}", subject.level)
            for at, (name, s) in enumerate(subject.sweeps)
        ],
    )


def _explorers(subject: Subject, ident: str) -> Node:
    found = [
        thresholds.explorer(s, name, f"{ident}-explorer-{at}", f"{ident}-curves-{at}")
        for at, (name, s) in enumerate(subject.sweeps)
    ]
    return (
        found[0] if len(found) == 1 else _of_classes(subject, f"{ident}-explorer-by-class", found)
    )


def _of_classes(subject: Subject, ident: str, found: Sequence[Node]) -> Node:
    """Return what there is of each class against the rest, one at a time."""
    words = [[f"c{at}", name_of(name, 20)] for at, (name, _) in enumerate(subject.sweeps)]
    views = [
        tag("div", one, class_="view", data_view=f"c{at}", hidden=at > 0)
        for at, one in enumerate(found)
    ]
    told = "Each class against all others."
    return [
        tag("p", told, class_="note"),
        tag(
            "div", views, class_="choice", data_choices=compact(words), data_word="Class", id=ident
        ),
    ]


def _title(evaluation: Any) -> str:
    counting = evaluation._request.counting
    if evaluation.models:
        names = ", ".join(name_of(name, 24) for name in evaluation.models[:4])
        return f"{len(evaluation.models)} models: {names}"
    what = counting.models[0].y_pred or counting.models[0].y_score
    what = what if isinstance(what, str) else counting.y_true
    return f"Evaluation of {name_of(what)}"


def _about(evaluation: Any, subjects: list[Subject]) -> Node:
    counting = evaluation._request.counting
    truth = counting.y_true if isinstance(counting.y_true, str) else ", ".join(counting.y_true)
    parts: list[Node] = [tag("li", tag("strong", count(evaluation.n)), " rows")]
    m = subjects[0].matrix
    if m is not None:
        k = len(m.labels)
        parts.append(tag("li", tag("strong", f"{k:,}"), " class" if k == 1 else " classes"))
        if subjects[0].is_of_two:
            positive = m.pos_label if counting.pos_label is None else counting.pos_label
            positive = m.labels[-1] if positive is None else positive
            parts.append(tag("li", "positive: ", label(positive)))
    parts.append(tag("li", "truth: ", label(truth)))
    keys = evaluation._request.keys
    if keys:
        by = [[", " if at else "", label(key)] for at, key in enumerate(keys)]
        parts.append(tag("li", "by ", by))
    return tag("ul", parts, class_="about")


def _checked_path(path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"`path` is {type(path).__name__}; wanted the name of a file")
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"`path` is {str(target)!r}; its name must end in .html")
    try:
        target_of(target)
    except InputError as error:
        raise InputError(f"`path` is {error}") from None
    return target


def _checked_keys(evaluation: Any, sensitive: Any) -> list[str] | None:
    if sensitive is None:
        return None
    names = [sensitive] if isinstance(sensitive, str) else list(sensitive)
    keys = list(evaluation._request.keys)
    for name in names:
        if name not in keys:
            raise InputError(f"`sensitive` has {name!r}; the keys of slices are {listing(keys)}")
    return names
