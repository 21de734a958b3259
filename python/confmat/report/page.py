"""The page around a report: one file that asks nothing of anyone, under a strict policy."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from confmat import _core
from confmat.report.document import Asset, Element, Node, html, tag


class Section(NamedTuple):
    """One part of a report; `ident` is unique, `key` that of its kind."""

    key: str
    ident: str
    title: str
    content: Node

    def element(self, of: Node = None) -> Element:
        """Return the part with its title."""
        head = tag("h2", self.title, of, id=self.ident, tabindex=-1)
        return tag("section", head, self.content, aria_labelledby=self.ident)


def page(title: str, about: Node, nav: list[Section], main: Node) -> bytes:
    """Return a whole page as bytes."""
    style, script = asset("style", "style.css"), asset("script", "report.js")
    policy = (
        f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    links = [
        tag("li", tag("a", one.title, href=f"#{one.ident}", data_section=one.key)) for one in nav
    ]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="generator", content=f"confmat {_core.__version__}"),
        tag("title", title),
    ]
    body = [
        tag("a", "Skip to the numbers", href="#main", class_="skip"),
        tag("header", tag("h1", title), about),
        tag("nav", tag("ul", links), aria_label="Parts of the report"),
        tag("main", main, id="main", tabindex=-1),
        tag("footer", tag("p", f"Made by confmat {_core.__version__}.")),
    ]
    text = (
        f'<!doctype html>\n<html lang="en"><head>{html(head)}{html(style)}</head>'
        f"<body>{html(body)}{html(script)}</body></html>\n"
    )
    return text.encode()


@cache
def asset(kind: str, name: str) -> Asset:
    """Return a file of this package: our style or our script."""
    text = (files("confmat.report") / name).read_text(encoding="utf-8")
    if f"</{kind}" in text.lower():
        raise ValueError(f"{name} would end its own element")
    return Asset(kind, text)


def _source(of: Asset) -> str:
    digest = hashlib.sha256(of.text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
