"""How the page of metrics says what the registry knows, in Markdown."""

from __future__ import annotations

import re
from urllib.parse import quote


def tick(name: str) -> str:
    """Return a name in code font."""
    return f"`{name}`"


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
