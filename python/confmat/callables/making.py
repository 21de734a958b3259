"""A function or method of one metric: its own signature and docstring, the body of a template."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from confmat.callables import bodies
from confmat.callables.docstrings import function_docstring, method_docstring
from confmat.callables.signatures import declaration, signature_of
from confmat.own_errors import own_errors
from confmat.registry import Fact, find

# The body of a plain function, by the level of its metric.
BODIES: dict[str, Callable[..., Any]] = {
    "overall": bodies.value,
    "class": bodies.class_value,
    "score": bodies.score_value,
    "regression": bodies.regression_value,
}


def make_function(name: str, module: str) -> Callable[..., Any]:
    """Return the plain function of a metric, as one of `module`."""
    fact = find(name)
    made = _made(BODIES[fact["level"]], fact)
    made.__module__ = module
    made.__doc__ = function_docstring(fact, signature_of(made, fact))
    return own_errors(made)


def make_method(owner: type, template: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return the expression method of a metric, as one of the class `owner`."""
    fact = find(name)
    made = _made(template, fact)
    made.__module__ = owner.__module__
    made.__qualname__ = f"{owner.__qualname__}.{name}"
    made.__doc__ = method_docstring(fact)
    return own_errors(made)


def _made(template: Callable[..., Any], fact: Fact) -> Callable[..., Any]:
    """Return a function that hands its arguments and the name of a metric to a template.

    It is made of source, as data classes are, so that Python itself checks its calls: they cost
    no more, and their errors name the function and the argument.
    """
    name, signature = fact["name"], signature_of(template, fact)
    given = [
        f"{one.name}={one.name}" if one.kind is one.KEYWORD_ONLY else one.name
        for one in signature.parameters.values()
    ]
    called = template.__name__
    if given[0] == "self":
        called = f"self.{called}"
        del given[0]
    source = f"{declaration(name, signature)}\n    return {called}({name!r}, {', '.join(given)})\n"
    made: dict[str, Any] = {}
    exec(compile(source, f"<confmat {name}>", "exec"), template.__globals__, made)
    function: Callable[..., Any] = made[name]
    return function
