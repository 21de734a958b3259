"""Where the numbers come from: files, rows counted and left out, options, version, checksum."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from confmat import _core
from confmat.report.document import Element, Node, tag
from confmat.report.numbers import count, name_of
from confmat.report.tables import Column, behind, compact, plain_table

_MOST_FILES = 200


def provenance(evaluation: Any) -> list[Node]:
    """Return what was read and asked."""
    files = evaluation._files
    lines: list[tuple[str, Node]] = [
        ("Source", _source(files)),
        ("Rows counted", count(evaluation.n)),
        ("Left out: null", count(evaluation.n_dropped)),
        ("Left out: score nan", count(evaluation.n_nan)),
        ("Left out: other labels", count(evaluation.n_other)),
        ("Slices", count(evaluation.states().height) if evaluation.keys else "none"),
        ("Complete", "yes" if evaluation.complete else "no: stopped before the end"),
        ("confmat", _core.__version__),
        ("SHA-256 of the state", tag("code", checksum(evaluation), class_="long")),
    ]
    terms = [tag("div", tag("dt", term), tag("dd", value)) for term, value in lines]
    out: list[Node] = [tag("dl", terms, class_="facts")]
    if files and len(files) > 1:
        rows = [(name_of(path, 200),) for path in files[:_MOST_FILES]]
        rest = f" (the first {_MOST_FILES})" if len(files) > _MOST_FILES else ""
        table = plain_table(f"Files{rest}", [Column("file", "text")], rows)
        out.append(behind(f"{len(files):,} files", table))
    if evaluation.skipped:
        skipped = [(name_of(path, 200), name_of(why, 400)) for path, why in evaluation.skipped]
        columns = [Column("file", "text"), Column("why it was left out", "text")]
        out.append(behind("Files left out", plain_table("Files left out", columns, skipped)))
    out.append(behind("What was asked", _options(evaluation._request.as_dict())))
    return out


def checksum(evaluation: Any) -> str:
    """Return the SHA-256 of `evaluation.to_bytes()`: the same rows and question give the same."""
    return hashlib.sha256(evaluation.to_bytes()).hexdigest()


def _source(files: Any) -> Node:
    if files is None:
        return "rows in memory, or states that were saved"
    return name_of(files[0], 200) if len(files) == 1 else f"{len(files):,} files"


def _options(asked: dict[str, Any]) -> Element:
    options = {**asked["counting"], **asked["reading"]}
    rows = [
        (name, name_of(compact(json.loads(json.dumps(value, default=str))), 400))
        for name, value in options.items()
        if value not in (None, False, [], 0, 0.0)
    ]
    return plain_table("Arguments", [Column("argument", "text"), Column("value", "text")], rows)
