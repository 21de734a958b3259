"""A page as a tree of elements, and the one place where texts become HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Attribute: TypeAlias = str | int | float | bool | None
Node: TypeAlias = "Element | str | int | Iterable[Node] | None"

_NAME = re.compile(r"[a-z][a-z0-9-]*\Z", re.IGNORECASE)
_VOID = frozenset({"br", "col", "hr", "input", "link", "meta"})
_UNSAFE = frozenset({"iframe", "object", "embed", "base", "script", "style"})
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
# Controls, and marks that turn the direction of writing, are written as Python writes them.
_ESCAPED = re.compile(
    "[&<>\"'\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


@dataclass(frozen=True)
class Element:
    """A tag with its attributes and what is in it."""

    name: str
    attributes: dict[str, Attribute]
    children: tuple[Node, ...]


@dataclass(frozen=True)
class Asset:
    """A file of this package that enters the page as it is: our style, our script."""

    name: str
    text: str


def tag(name: str, /, *children: Node, **attributes: Attribute) -> Element:
    """Return an element; `class_` and `aria_label` are the attributes `class` and `aria-label`.

    Attributes that are None or False are left out, and of True the name alone is written.

    Examples
    --------
    >>> html(tag("p", "1 < 2", class_="note", hidden=True))
    '<p class="note" hidden>1 &lt; 2</p>'
    """
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    for one in (name, *named):
        if not _NAME.match(one) or one in _UNSAFE or one.startswith("on"):
            raise ValueError(f"{one!r} does not belong in a report")
    return Element(name, named, children)


def html(node: Node | Asset) -> str:
    """Return a tree as HTML."""
    out: list[str] = []
    _write(node, out)
    return "".join(out)


def escape(text: str) -> str:
    r"""Return a text as it is written in HTML: no tag, no attribute and no control begins in it.

    Examples
    --------
    >>> escape("<b>" + chr(0x202E))
    '&lt;b&gt;\\u202e'
    """
    return _ESCAPED.sub(_entity, text)


def _entity(found: re.Match[str]) -> str:
    c = found[0]
    return _ENTITIES.get(c) or c.encode("unicode_escape").decode("ascii")


def _write(node: Node | Asset, out: list[str]) -> None:
    if node is None:
        return
    if isinstance(node, Element):
        out.append(f"<{node.name}")
        for name, value in node.attributes.items():
            if value is True:
                out.append(f" {name}")
            elif value is not None and value is not False:
                out.append(f' {name}="{escape(str(value))}"')
        out.append(">")
        for child in node.children:
            _write(child, out)
        if node.name not in _VOID:
            out.append(f"</{node.name}>")
    elif isinstance(node, Asset):
        out.append(f"<{node.name}>{node.text}</{node.name}>")
    elif isinstance(node, str | int):
        out.append(escape(str(node)))
    else:
        for child in node:
            _write(child, out)
