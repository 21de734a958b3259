"""The API reference: every public name with its signature and docstring, in Markdown."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import Any

from markdown import escaped
from numpydoc.docscrape import NumpyDocString, Parameter

import confmat as cm
from confmat import functions, metric_list, registry
from confmat.frames import namespaces
from confmat.plots.pictures import SweepPlots
from confmat.plots.slice_pictures import SlicePlots

_SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Warns")
_NAMESPACES = {
    "df.cm": namespaces.DataFrameNamespace,
    "lf.cm": namespaces.LazyFrameNamespace,
    'pl.col("y").cm': namespaces.ExprNamespace,
}
_PICTURES = {"s.plot": SweepPlots, "e.plot": SlicePlots}
_ENGINES = ("spark", "ray")
_OF_LEVEL = {
    "overall": ("api/metrics-of-matrices.md", "Metrics of a matrix"),
    "class": ("api/metrics-of-classes.md", "Metrics of a class"),
    "score": ("api/metrics-of-scores.md", "Metrics of scores"),
    "regression": ("api/metrics-of-numbers.md", "Metrics of numbers"),
}


def api_pages() -> dict[str, str]:
    """Return the pages of the reference by their names."""
    public = {name: getattr(cm, name) for name in cm.__all__ if name not in functions.__all__}
    classes = {name: it for name, it in public.items() if isinstance(it, type)}
    plain = {name: it for name, it in public.items() if inspect.isroutine(it)}
    errors = [name for name, it in classes.items() if issubclass(it, BaseException)]
    pages = {f"api/{name}.md": class_page(name, classes[name]) for name in classes.keys() - errors}
    pages["api/errors.md"] = "\n".join(
        ["# Errors and warnings\n", *(entry(name, classes[name]) for name in errors)]
    )
    pages["api/functions.md"] = "\n".join(
        ["# Functions\n", *(entry(f"cm.{name}", it) for name, it in sorted(plain.items()))]
    )
    pages["api/polars.md"] = polars_page()
    pages["api/pictures.md"] = pictures_page()
    pages["api/clusters.md"] = "\n".join(
        [
            "# On clusters\n",
            *(entry(f"cm.{of}.evaluate", getattr(cm, of).evaluate) for of in _ENGINES),
        ]
    )
    rows = [*registry.facts(), *registry.score_facts(), *registry.regression_facts()]
    for level, (page, title) in _OF_LEVEL.items():
        names = sorted(fact["name"] for fact in rows if fact["level"] == level)
        pages[page] = metric_functions(title, PurePosixPath(page).stem, names)
    pages["api/index.md"] = index(plain, classes, errors)
    return {name: re.sub(r"\n{3,}", "\n\n", text) for name, text in pages.items()}


def index(plain: Iterable[str], classes: dict[str, Any], errors: Iterable[str]) -> str:
    """Return the page that lists every public name."""
    lines = ["# API reference\n", "Everything that `import confmat as cm` gives.\n"]
    lines += ["## Functions\n", "| function | what it does |\n|---|---|"]
    for name in sorted(plain):
        lines.append(f"| [`cm.{name}`](functions.md#cm.{name}) | {summary(getattr(cm, name))} |")
    lines += ["\n## Objects\n", "| class | what it holds |\n|---|---|"]
    for name in sorted(classes.keys() - errors):
        lines.append(f"| [`{name}`]({name}.md) | {summary(classes[name])} |")
    lines += ["\nAlso: [errors and warnings](errors.md), [in Polars](polars.md),"]
    lines += ["[pictures](pictures.md), [on clusters](clusters.md).\n"]
    lines += ["## Functions of metrics\n"]
    lines += ["Each takes true and predicted columns and gives a number:\n"]
    for page, title in _OF_LEVEL.values():
        lines.append(f"- [{title}]({PurePosixPath(page).name})")
    return "\n".join(lines) + "\n"


def class_page(name: str, owner: type) -> str:
    """Return the page of a class with its methods and properties."""
    lines = [f"# {name}\n", f"```python\n{signature(f'cm.{name}', owner)}\n```\n", body(owner)]
    for member, it in members(owner):
        lines.append(entry(member, it))
    return "\n".join(lines)


def polars_page() -> str:
    """Return the page of the namespaces `.cm`."""
    lines = ["# In Polars\n", "After `import confmat as cm` frames and expressions have `.cm`.\n"]
    metrics = {fact["name"] for fact in metric_list.listed()}
    for prefix, owner in _NAMESPACES.items():
        lines.append(f"## `{prefix}`\n")
        for member, it in members(owner):
            if member not in metrics:
                lines.append(entry(f"{prefix}.{member}", it, "###"))
    lines.append(
        'Every metric is a method of expressions, too: `pl.col("y").cm.mcc("p")`, '
        '`pl.col("y").cm.roc_auc("score")`. [The catalogue](../metrics.md) has their names.\n'
    )
    return "\n".join(lines)


def pictures_page() -> str:
    """Return the page of what `plot` of sweeps and of evaluations has."""
    lines = ["# Pictures\n", "Charts of Altair; they need `confmat[plot]`.\n"]
    for prefix, owner in _PICTURES.items():
        lines += [f"## `{prefix}`\n", body(owner)]
        lines += [entry(f"{prefix}.{member}", it, "###") for member, it in members(owner)]
    return "\n".join(lines)


def metric_functions(title: str, page: str, names: list[str]) -> str:
    """Return a page of functions of one kind: what they share once, then each."""
    shown = max(names, key=lambda name: len(inspect.signature(getattr(cm, name)).parameters))
    doc = NumpyDocString(inspect.getdoc(getattr(cm, shown)) or "")
    lines = [
        f"# {title}: functions\n",
        "Parameters are those of all, as far as a signature has them.\n",
    ]
    lines += [f"**{word}**\n\n{items(doc[word])}" for word in _SECTIONS if doc[word]]
    for name in names:
        it = getattr(cm, name)
        examples = "\n".join(NumpyDocString(inspect.getdoc(it) or "")["Examples"])
        lines += [
            f"## `cm.{name}` {{ #cm.{name} }}\n",
            f"```python\n{signature(f'cm.{name}', it)}\n```\n",
            f"{summary(it)} [Formula, range and source](../catalogue/{page}.md#{name}).\n",
            f"```pycon\n{examples}\n```\n",
        ]
    return "\n".join(lines)


def members(owner: type) -> list[tuple[str, Any]]:
    """Return the documented methods and properties of a class, by name."""
    names = [name for name in dir(owner) if not name.startswith("_")]
    found = ((name, inspect.getattr_static(owner, name)) for name in names)
    return [(name, bound(it, owner)) for name, it in found if is_documented(it)]


def is_documented(it: Any) -> bool:
    """Whether a method or property is of confmat, not of a base such as a tuple."""
    code = getattr(it, "fget", None) or getattr(it, "__func__", it)
    return getattr(code, "__module__", "").startswith("confmat") and bool(inspect.getdoc(it))


def bound(it: Any, owner: type) -> Any:
    """Return a method as it is called on an object; a property as it is."""
    if isinstance(it, (classmethod, staticmethod)):
        return it.__get__(None, owner)
    return it.__get__(object(), object) if inspect.isfunction(it) else it


def entry(name: str, it: Any, head: str = "##") -> str:
    """Return a heading, the signature and the docstring of one name."""
    anchor = name.replace('"', "").replace("(", "-").replace(")", "")
    lines = [f"{head} `{name}` {{ #{anchor} }}\n"]
    if callable(it):
        lines.append(f"```python\n{signature(name, it)}\n```\n")
    return "\n".join([*lines, body(it)])


def signature(name: str, it: Callable[..., Any]) -> str:
    """Return how a name is called; in a line a parameter where one line is too long."""
    try:
        found = inspect.signature(it)
    except ValueError:
        return name
    words: list[str] = []
    for one in found.parameters.values():
        if one.name.startswith("_"):
            return name  # made by functions, not by users
        if one.kind is one.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        default = "" if one.default is one.empty else f" = {one.default!r}"
        words.append(f"{stars}{one.name}{annotation(': ', one.annotation)}{default}")
    result = "" if isinstance(it, type) else annotation(" -> ", found.return_annotation)
    line = f"{name}({', '.join(words)}){result}"
    if len(line) > 80:
        line = f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){result}"
    return line.replace("'", '"')


def annotation(mark: str, of: Any) -> str:
    """Return a type as it is written, after its mark; nothing where there is none."""
    if of is inspect.Parameter.empty:
        return ""
    return mark + (of if isinstance(of, str) else getattr(of, "__forward_arg__", str(of)))


def summary(it: Any) -> str:
    """Return the first paragraph of a docstring."""
    return prose((inspect.getdoc(it) or "").partition("\n\n")[0]).replace("\n", " ")


def body(it: Any) -> str:
    """Return a docstring in Markdown."""
    doc = NumpyDocString(inspect.getdoc(it) or "")
    lines = [prose("\n".join(doc["Summary"])), "", paragraphs(doc["Extended Summary"])]
    for word in _SECTIONS:
        if doc[word]:
            lines += [f"**{word}**\n", items(doc[word])]
    for word in ("Notes", "References"):
        if doc[word]:
            lines += [f"**{word}**\n", paragraphs(doc[word])]
    if doc["Examples"]:
        lines += ["**Examples**\n", *examples("\n".join(doc["Examples"]))]
    return "\n".join(lines) + "\n"


def examples(text: str) -> list[str]:
    """Return sessions as code, and sentences between them as such."""
    lines = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines.append(f"```pycon\n{block}\n```\n" if block.startswith(">>>") else prose(block))
    return lines


def items(parameters: Iterable[Parameter]) -> str:
    """Return parameters as a list."""
    lines = []
    for one in parameters:
        head = f"`{one.name}`" if one.name else ""
        kind = prose(one.type)
        first = f"{head} ({kind})" if head and kind else head or kind
        says = textwrap.indent(prose("\n".join(one.desc)), "    ").strip()
        lines.append(f"- {first}: {says}" if says else f"- {first}")
    return "\n".join(lines) + "\n"


def paragraphs(lines: Iterable[str]) -> str:
    """Return the text of a section; a formula becomes a block of mathematics."""
    text = re.sub(
        r"^\.\. math::\n\s*\n((?:    .*\n?)+)",
        lambda found: f"```math\n{inspect.cleandoc(found.group(1))}\n```\n",
        "\n".join(lines) + "\n",
        flags=re.MULTILINE,
    )
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if at % 2 else prose(part) for at, part in enumerate(parts)) + "\n"


def prose(text: str) -> str:
    """Return text with the marks of Markdown escaped, but for code and lists; addresses link."""
    parts = re.split(r"(``.+?``|`[^`]+`|https?://[^\s;,]*[^\s;,.)])", text)
    for at, part in enumerate(parts):
        if at % 2 == 0:
            parts[at] = re.sub(r"^(\s*)\\\* ", r"\1* ", escaped(part), flags=re.MULTILINE)
        elif part.startswith("http"):
            parts[at] = f"<{part}>"
    return "".join(parts)
