"""The options of a method that hands them on, in its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeVar

import polars as pl

_Method = TypeVar("_Method", bound=Callable[..., pl.Expr])


def options_of(source: Callable[..., pl.Expr]) -> Callable[[_Method], _Method]:
    """Show the options of `source` in the signature of a method that hands them on."""

    def listed(method: _Method) -> _Method:
        own, theirs = (inspect.signature(one) for one in (method, source))
        known = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
        handed_on = [
            one
            for one in theirs.parameters.values()
            if one.kind is one.KEYWORD_ONLY and one.name not in own.parameters
        ]
        method.__signature__ = own.replace(parameters=[*known, *handed_on])  # type: ignore[attr-defined]
        return method

    return listed
