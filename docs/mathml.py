"""LaTeX in Markdown becomes MathML, which browsers draw without scripts or fonts of a network."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

_CODE = re.compile(r"^(```.*?^```|~~~.*?^~~~)$", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"\A```math\n(.*?)\n```\Z", re.DOTALL)
_INLINE = re.compile(r"\$`(.+?)`\$")


def with_mathml(text: str) -> str:
    """Return a page whose formulas, as GitHub writes them, are MathML; other code stays."""
    parts = _CODE.split(text)
    for at, part in enumerate(parts):
        block = _BLOCK.match(part)
        if block:
            parts[at] = displayed(block.group(1))
        elif at % 2 == 0:
            parts[at] = _INLINE.sub(lambda found: inline(found.group(1)), part)
    return "".join(parts)


def inline(formula: str) -> str:
    """Return a formula within a line; bare at its start, Markdown would end the paragraph there."""
    return f"<span>{convert(formula)}</span>"


def displayed(formula: str) -> str:
    """Return a formula on lines of its own; where it is wide, it scrolls."""
    return f'<div class="formula">{convert(formula, display="block")}</div>'
