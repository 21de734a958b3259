"""The signature of a function or method of one metric: that of its template, made its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from confmat.registry import Fact, Param, averages, find, means, required
from confmat.suffixes import POWER


def signature_of(template: Callable[..., Any], fact: Fact) -> inspect.Signature:
    """Return the signature of a template for one metric.

    It lacks `name`, has the parameters of the metric in place of ``**params``, and offers averages
    only where there are some.
    """
    common = inspect.signature(template)
    own: list[inspect.Parameter] = []
    for one in common.parameters.values():
        if one.kind is one.VAR_KEYWORD:
            own += [
                one.replace(
                    name=param["name"],
                    kind=one.KEYWORD_ONLY,
                    annotation=annotation_of(param, fact),
                    default=one.empty if param["name"] == required(fact) else param["value"],
                )
                for param in params_of(fact, "average" in common.parameters)
            ]
        elif one.name == "average" and fact["level"] == "class" and not averages(fact["name"]):
            own.append(one.replace(annotation="Literal['binary'] | None"))
        elif one.name != "name":
            own.append(one)
    return common.replace(parameters=own)


def annotation_of(param: Param, fact: Fact) -> str:
    """Return the type of a parameter of a metric; None where it has no default of its own."""
    if param["value"] is None:
        return "float" if param["name"] == required(fact) else "float | None"
    return type(param["value"]).__name__


def params_of(fact: Fact, averaged: bool) -> list[Param]:
    """Return the parameters of a metric, and that of its power mean where it can be averaged."""
    power = means(fact["name"]).get(POWER) if averaged else None
    return fact["params"] if power is None else find(power)["params"]


def declaration(name: str, signature: inspect.Signature) -> str:
    """Return the line of Python that declares a function with this signature."""
    words: list[str] = []
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        of = "" if one.annotation is one.empty else f": {one.annotation}"
        default = "" if one.default is one.empty else f" = {one.default!r}"
        words.append(f"{one.name}{of}{default}")
    line = f"def {name}({', '.join(words)}) -> {signature.return_annotation}:"
    return line.replace("'", '"')
