"""Attributes that are not there, and what has the number or the table that was meant."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from confmat import name_hints
from confmat.registry import elsewhere, find, meant, name_with, names
from confmat.suffixes import POWER


class Hinting:
    """A base whose subclasses say what was meant by an attribute that they do not have."""

    __slots__ = ()

    def _instead_of(self, name: str) -> str:
        """Return the hint, "; ...", or nothing."""
        raise NotImplementedError

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            own = getattr(type(self), name, None)
            if isinstance(own, property):  # that raised AttributeError: again, with its message
                return own.__get__(self)
            hint = "" if name.startswith("_") else self._instead_of(name)
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")


def public(of: object) -> list[str]:
    """Return the names that an object shows."""
    return [name for name in dir(of) if not name.startswith("_")]


def of_expression(name: str, known: Iterable[str], function: Callable[..., Any] | None) -> str:
    """Return the hint of the namespace of expressions; `function` is that of confmat's."""
    methods, asked = list(known), meant(name)
    if asked in methods:
        return f"; did you mean {asked}?"
    if asked:
        fact = find(asked)
        if fact["average"] == POWER and asked == fact["name"]:
            usual = [of["value"] for of in fact["params"][:-1]]
            asked = name_with(asked, [*usual, 2.0])
            return f"; cm.metric({asked!r}, y_true, y_pred) has that of exponent 2"
        return f"; cm.metric({asked!r}, y_true, y_pred) has it"
    return name_hints.hint(name, methods) if function is None else of_columns(function)


def of_frame(name: str, function: Callable[..., Any] | None) -> str:
    """Return the hint of the namespaces of frames, which have `evaluate` alone."""
    asked = meant(name)
    if asked:
        task = ', task="regression"' if find(asked)["level"] == "regression" else ""
        return f"; evaluate(..., metrics=[{asked!r}]{task}) has it"
    if function is not None:
        return of_columns(function)
    return near(name, ["evaluate"], "evaluate(..., metrics=[{!r}])")


def near(name: str, known: Iterable[str], asked: str) -> str:
    """Return the nearest of known names, and of metrics with what has them: `asked`."""
    if name in elsewhere():
        return f"; {elsewhere()[name].partition('; ')[2]}"
    methods = list(known)
    metrics = names("overall", "class", "average", "score", "regression")
    found = difflib.get_close_matches(name, dict.fromkeys([*methods, *metrics]), n=1)
    if not found:
        return f"; there are {', '.join(methods)}" if methods[1:] else f"; there is {methods[0]}"
    instead = found[0] if found[0] in methods else asked.format(found[0])
    return f"; did you mean {instead}?"


def of_columns(function: Callable[..., Any]) -> str:
    """Return how a function of columns is called, where a frame `df` has them."""
    signature = inspect.signature(function)
    given = [one.name for one in signature.parameters.values() if one.default is one.empty]
    columns = [one for one in given or list(signature.parameters)[:2] if one != "params"]
    name = function.__name__
    if not columns or columns[0] != "y_true":
        return f"; it is a function: cm.{name}(...)"
    if "Expr" in str(signature.return_annotation):
        called = ", ".join(f'"{column}"' for column in columns)
        return f"; it is an expression: cm.{name}({called})"
    called = ", ".join(f'df["{column}"]' for column in columns)
    return f"; it is a function of columns: cm.{name}({called})"


def of_evaluation(name: str, known: Iterable[str], of_matrix: Iterable[str]) -> str:
    """Return the hint of an evaluation, whose numbers are in tables and objects of slices."""
    asked = meant(name)
    if asked:
        needs = {"regression": 'task="regression" was asked for', "score": "scores were given"}
        level = find(asked)["level"]
        where = f", where {needs[level]}" if level in needs else ""
        return (
            f"; overall([{asked!r}]) has it of all rows, slices([{asked!r}]) of each slice{where}"
        )
    if name in ("value", "values"):
        return "; overall(metrics) has numbers of all rows, slices(metrics) of each slice"
    if name == "confusion_matrix":
        return "; matrix() is that of all rows, matrix(key=value) that of a slice"
    if name == "compare":
        return "; cm.compare(df, y_true, y_pred) compares models, joint(a, b) two of an evaluation"
    if name in of_matrix:
        return f"; matrix().{name} has it of all rows, where classes are predicted"
    return near(name, known, "overall([{!r}])")


def of_comparison(name: str, known: Iterable[str]) -> str:
    """Return the hint of a comparison, whose numbers are differences."""
    asked = meant(name)
    if asked:
        return (
            f"; difference({asked!r}) is how much it differs, overall([{asked!r}]) has both values"
        )
    if name in ("value", "values"):
        return "; difference(metric) is how much one differs, overall(metrics) has the values, too"
    if name in ("confusion_matrix", "matrix"):
        return "; evaluation.matrix(model=...) is that of a model, where classes are predicted"
    return near(name, known, "difference({!r})")
