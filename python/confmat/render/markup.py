"""Tables in Markdown and in LaTeX: each text goes through one escape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{c: f"\\{c}" for c in "{}$&#_%"},
}
_MARKDOWN = {"&": "&amp;", "<": "&lt;", ">": "&gt;", **{c: f"\\{c}" for c in "\\`*_{}[]()#!|~$"}}


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a table as GitHub writes it: the first column left, the others right.

    Examples
    --------
    >>> print(markdown_table(["", "f1"], [("a|b", "0.80")]))
    |  | f1 |
    | :-- | --: |
    | a\|b | 0.80 |
    """
    lines = [heads, *rows]
    words = ["| " + " | ".join(map(_markdown, line)) + " |" for line in lines]
    rule = "| " + " | ".join([":--", *["--:"] * (len(heads) - 1)]) + " |"
    return "\n".join([words[0], rule, *words[1:]])


def latex_table(heads: Sequence[str], parts: Iterable[Iterable[Sequence[str]]]) -> str:
    r"""Return a `tabular` with a line between the parts; it needs no package.

    Examples
    --------
    >>> print(latex_table(["", "f1"], [[("50 %", "0.80")]]))
    \begin{tabular}{lr}
    \hline
     & f1 \\
    \hline
    50 \% & 0.80 \\
    \hline
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}", r"\hline", _latex_row(heads)]
    for part in parts:
        lines += [r"\hline", *map(_latex_row, part)]
    return "\n".join([*lines, r"\hline", r"\end{tabular}"])


def _markdown(word: str) -> str:
    return "".join(_MARKDOWN.get(c, c) for c in re.sub(r"\s+", " ", word))


def _latex_row(words: Sequence[str]) -> str:
    # An opening bracket after `\\` would be read as its argument.
    escaped = ["".join(_LATEX.get(c, c) for c in re.sub(r"\s+", " ", word)) for word in words]
    guard = "{}" if escaped[0].startswith(("[", "*")) else ""
    return guard + " & ".join(escaped) + r" \\"
