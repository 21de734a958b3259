"""How the generated files say what the registry knows: prose, docstrings, LaTeX and Markdown."""

from __future__ import annotations

import keyword
import math
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

Fact: TypeAlias = dict[str, Any]
TEMPLATES = Path(__file__).resolve().parent / "templates"
BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": "no better end"}
ARROW = {"higher": "↑", "lower": "↓", "neither": ""}


def template(name: str) -> str:
    """Return the text of a template."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def block(text: str, by: int) -> str:
    """Wrap every line of a text and indent it."""
    margin = " " * by
    fold = textwrap.TextWrapper(99, initial_indent=margin, subsequent_indent=margin)
    fold.break_long_words = fold.break_on_hyphens = False
    return "\n".join(fold.fill(line) for line in text.split("\n"))


def lines(items: Iterable[str], by: int) -> str:
    """Indent lines that must not be wrapped."""
    return "\n".join(" " * by + item for item in items)


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def tick(name: str) -> str:
    """Return a name in code font."""
    return f"`{name}`"


def headline(text: str, room: int) -> str:
    """Return a summary as one line of a docstring, what is too long for it as a paragraph."""
    text = sentence(text)
    if len(text) <= room:
        return text
    for mark in ("; ", ": ", ", "):
        head, found, rest = text.partition(mark)
        if found and len(head) < room:
            return f"{head}.\n\n{sentence(rest)}"
    raise SystemExit(f"error: a summary is too long for one line: {text}")


def when_undefined(fact: Fact) -> str:
    """Return a sentence on when a metric is undefined."""
    if fact["undefined"] in ("", "never"):
        return "Never undefined."
    where = "" if fact["undefined"].startswith("for ") else "where "
    return f"Undefined {where}{fact['undefined']}."


def equation(fact: Fact) -> str:
    """Return the symbol and the formula in LaTeX; once where they are the same."""
    same = fact["symbol"] == fact["formula"]
    return str(fact["formula"]) if same else f"{fact['symbol']} = {fact['formula']}"


def in_table(formula: str) -> str:
    """Return LaTeX that GitHub shows in a table: no bars, which end a cell, no operatorname."""
    formula = formula.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
    return re.sub(r"\\operatorname\{(\w+)\}", r"\\mathrm{\1}\\,", formula)


def escaped(text: str) -> str:
    """Return plain text with the marks of Markdown escaped."""
    return re.sub(r"([|*_<\[])", r"\\\1", text)


def linked(reference: str) -> str:
    """Return a reference in Markdown with its DOI or arXiv number as a link."""
    text, found, key = re.split(r"(doi:|arXiv:|$)", reference, maxsplit=1)
    site = {"doi:": "https://doi.org/", "arXiv:": "https://arxiv.org/abs/", "": ""}[found]
    return escaped(text) + (f"[{found}{escaped(key)}]({site}{quote(key)})" if found else "")


def range_of(fact: Fact) -> str:
    """Return the range in words: [0, 1], (-inf, 0], ..."""
    left = "(-inf" if fact["lo"] == -math.inf else f"[{fact['lo']:g}"
    right = "inf)" if fact["hi"] == math.inf else f"{fact['hi']:g}]"
    return f"{left}, {right}"


def identifier(name: str) -> str:
    """Return the name of a function for a metric; a Python keyword gets an underscore."""
    return f"{name}_" if keyword.iskeyword(name) else name
