"""Docstrings of functions and methods in the layout of numpydoc, from the facts of the registry."""

from __future__ import annotations

import inspect
import textwrap

from confmat.callables.examples import function_example, method_example
from confmat.callables.parameters import parameters
from confmat.callables.phrases import (
    BETTER,
    equation,
    headline,
    range_of,
    sentence,
    when_undefined,
)
from confmat.registry import Fact

_WIDTH = 95
_PASS = "One pass over the rows; any order of rows and any number of threads give the same."
_RAISES = {
    "overall": "If the arguments differ in length, hold labels of different kinds or a label "
    "outside `labels`.",
    "class": "If the arguments differ in length, hold labels of different kinds or a label "
    "outside `labels`, or if the positive class is not known.",
    "score": "If the arguments differ in length, there are more than two classes, the positive "
    "class is not known, or a score is nan or out of range.",
    "regression": "If the arguments differ in length or hold what is no number, nan, infinite or "
    "beyond 1e60, or if a parameter is out of range.",
}
_WARNS = {
    "overall": "Once, if the value is undefined, or an average leaves out a class that is, and "
    "`undefined` is None.",
    "score": "Once, if the value is undefined and `undefined` is None.",
    "regression": "Once, if the value is undefined and `undefined` is None.",
}
_EACH = {"class": "a class", "regression": "an output"}  # where `average` is None
_SEE = {
    "overall": (
        "confmat.ConfusionMatrix.value",
        "This metric, and any other, from a matrix counted once.",
    ),
    "score": ("confmat.sweep", "Every metric, curve and threshold of these scores, sorted once."),
    "regression": ("confmat.regression", "Every metric of these numbers, from sums made once."),
}


def function_docstring(fact: Fact, signature: inspect.Signature) -> str:
    """Return the docstring of a plain function."""
    level = fact["level"]
    alike = level if level in ("score", "regression") else "overall"
    kind = (
        f"float, or ndarray of float64 with one number {_EACH[level]}"
        if level in _EACH
        else "float"
    )
    given = "\n".join(_item(head, text) for head, text in parameters(fact, signature))
    sections = {
        "Parameters": given,
        "Returns": _item(kind, f"In {_range(fact)}. ``nan`` where undefined."),
        "Raises": _item("InputError", _RAISES[level]),
        "Warns": _item("UndefinedMetricWarning", _WARNS[alike]),
        "See Also": " : ".join(_SEE[alike]),
        "Notes": _fill(f"{when_undefined(fact)} {_PASS}"),
        "References": _fill(fact["reference"]),
        "Examples": function_example(fact),
    }
    return _page([_fill(headline(fact["summary"])), formula(fact)], sections)


def method_docstring(fact: Fact) -> str:
    """Return the docstring of an expression method."""
    scores = fact["level"] == "score"
    numbers = fact["level"] == "regression"
    other, several = (
        ("and `y_score`", "sweep_metrics")
        if scores
        else ("against `y_pred`", "regression_metrics" if numbers else "metrics")
    )
    head = f"Return ``{fact['name']}`` of this column as truth {other}."
    base = fact["base"] or fact["name"]
    sections = {
        "Returns": _item("polars.Expr", f"One number in {_range(fact)}. Null where undefined."),
        "See Also": f"confmat.{base} : The formula, and the same of arrays.\n"
        f"confmat.{several} : Several at once, and what the options mean.",
        "Examples": method_example(fact),
    }
    return _page([head, _fill(sentence(fact["summary"]))], sections)


def formula(fact: Fact) -> str:
    """Return the formula of a metric as LaTeX in reStructuredText."""
    return f".. math::\n\n{_fill(equation(fact), 4)}"


def _range(fact: Fact) -> str:
    return f"{range_of(fact)}; {BETTER[fact['better']]}"


def _page(opening: list[str], sections: dict[str, str]) -> str:
    under = [f"{head}\n{'-' * len(head)}\n{text}" for head, text in sections.items() if text]
    return "\n\n".join([*opening, *under]) + "\n"


def _item(head: str, text: str) -> str:
    return f"{head}\n{_fill(text, 4)}"


def _fill(text: str, by: int = 0) -> str:
    """Wrap every line of a text and indent it."""
    fold = textwrap.TextWrapper(_WIDTH, initial_indent=" " * by, subsequent_indent=" " * by)
    fold.break_long_words = fold.break_on_hyphens = False
    return "\n".join(fold.fill(line) for line in text.split("\n"))
