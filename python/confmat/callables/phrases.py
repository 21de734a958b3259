"""Facts of the registry in words: sentences, ranges and formulas."""

from __future__ import annotations

import math

from confmat.registry import Fact

BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": "no better end"}


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def headline(text: str, room: int = 92) -> str:
    """Return a summary as one line of a docstring, what is too long for it as a paragraph."""
    text = sentence(text)
    if len(text) <= room:
        return text
    for mark in ("; ", ": ", ", "):
        head, found, rest = text.partition(mark)
        if found and len(head) < room:
            return f"{head}.\n\n{sentence(rest)}"
    return text


def when_undefined(fact: Fact) -> str:
    """Return a sentence on when a metric is undefined."""
    if fact["undefined"] in ("", "never"):
        return "Never undefined."
    where = "" if fact["undefined"].startswith("for ") else "where "
    return f"Undefined {where}{fact['undefined']}."


def equation(fact: Fact) -> str:
    """Return the symbol and the formula in LaTeX; once where they are the same."""
    same = fact["symbol"] == fact["formula"]
    return fact["formula"] if same else f"{fact['symbol']} = {fact['formula']}"


def range_of(fact: Fact) -> str:
    """Return the range in words: [0, 1], (-inf, 0], ..."""
    left = "(-inf" if fact["lo"] == -math.inf else f"[{fact['lo']:g}"
    right = "inf)" if fact["hi"] == math.inf else f"{fact['hi']:g}]"
    return f"{left}, {right}"
