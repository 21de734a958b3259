"""The stubs of the functions and methods that the package makes at run time, in few lines."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import confmat
from confmat.callables.making import BODIES
from confmat.callables.phrases import equation, headline
from confmat.callables.signatures import declaration, signature_of
from confmat.frames.metric_methods import MetricOfLabels, MetricOfNumbers, MetricOfScores
from confmat.registry import Fact

TEMPLATES = Path(__file__).resolve().parent / "templates"
_WIDTH = 100
_TIE = "\0"  # stands for a space where a line does not break
_INSIDE = r"(?<!,) | (?=[^\[]*\])"  # a space that is not between two parameters
_ARRAY = "float | Floats"  # what a function returns that has an array where `average` is None


def package_stub(banner: str) -> str:
    """Return the text of __init__.pyi."""
    lines = [
        f"from confmat.{place} import {name} as {name}"
        for place, names in confmat._PLACES.items()
        for name in names
    ]
    lines += [f"from confmat import {name} as {name}" for name in confmat._MODULES]
    own = sorted(["__version__", *confmat._PLACE_OF])
    names = _wrapped(", ".join(f'"{name}"' for name in own), 4, 4)
    return _template("package").format(banner=banner, imports="\n".join(lines), names=names)


def functions_stub(banner: str, facts: Iterable[Fact]) -> str:
    """Return the text of functions.pyi."""
    rows = [fact for fact in facts if fact["level"] != "average"]
    return _template("functions").format(
        banner=banner,
        names=_wrapped(
            ", ".join(f'"{name}"' for name in sorted(fact["name"] for fact in rows)), 4, 4
        ),
        functions="\n".join(_function(fact) for fact in rows),
    )


def methods_stub(
    banner: str, facts: Iterable[Fact], scores: Iterable[Fact], numbers: Iterable[Fact]
) -> str:
    """Return the text of expr_metrics.pyi."""
    return _template("methods").format(
        banner=banner,
        methods="\n".join(_method(MetricOfLabels._metric, fact) for fact in facts),
        score_methods="\n".join(_method(MetricOfScores._score, fact) for fact in scores),
        number_methods="\n".join(_method(MetricOfNumbers._number, fact) for fact in numbers),
    )


def _template(name: str) -> str:
    return (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")


def _function(fact: Fact) -> str:
    signature = signature_of(BODIES[fact["level"]], fact)
    if signature.return_annotation != _ARRAY:
        return _declared(fact, signature)
    average = signature.parameters["average"]
    of_each = average.replace(annotation="None", default=average.empty)
    of_one = average.replace(annotation=average.annotation.removesuffix(" | None"))
    array = _head(fact, _with(signature, of_each, "Floats"), 0)
    one = _declared(fact, _with(signature, of_one, "float"))
    return f"@overload\n{array} ...\n@overload\n{one}"


def _method(template: Callable[..., Any], fact: Fact) -> str:
    return _declared(fact, signature_of(template, fact), 4)


def _with(
    signature: inspect.Signature, changed: inspect.Parameter, result: str
) -> inspect.Signature:
    known = signature.parameters | {changed.name: changed}
    return signature.replace(parameters=list(known.values()), return_annotation=result)


def _declared(fact: Fact, signature: inspect.Signature, by: int = 0) -> str:
    """Return a declaration with its docstring: the summary, and the formula if not of a mean."""
    says = headline(fact["summary"])
    if fact["level"] != "average":
        says += f"\n\n{equation(fact)}"
    text = _wrapped(f'r"""{says}"""', by + 4, by + 4)
    return f"{_head(fact, signature, by)}\n{text}"


def _head(fact: Fact, signature: inspect.Signature, by: int) -> str:
    line = re.sub(_INSIDE, _TIE, declaration(fact["name"], signature))
    return _wrapped(line, by, by + 8).replace(_TIE, " ")


def _wrapped(text: str, first: int, rest: int) -> str:
    fold = textwrap.TextWrapper(_WIDTH, initial_indent=" " * first, subsequent_indent=" " * rest)
    fold.break_long_words = fold.break_on_hyphens = False
    return "\n".join(fold.fill(line) for line in text.split("\n"))
