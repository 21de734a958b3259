"""What the registry holds: every metric name with its facts, read once from the core."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import cache
from typing import TypedDict, cast

import polars as pl

from confmat import _core
from confmat.errors import InputError


class Param(TypedDict):
    """A parameter of a metric: its name, default and LaTeX symbol."""

    name: str
    value: float
    text: str


class Fact(TypedDict):
    """What is known of one value name, such as ``recall`` or ``recall_macro``."""

    name: str
    aliases: list[str]
    symbol: str
    formula: str
    lo: float
    hi: float
    better: str
    level: str
    base: str
    average: str
    summary: str
    undefined: str
    reference: str
    params: list[Param]
    since: str


_SCHEMA = {
    "name": pl.String(),
    "aliases": pl.List(pl.String()),
    "symbol": pl.String(),
    "formula": pl.String(),
    "lo": pl.Float64(),
    "hi": pl.Float64(),
    "better": pl.String(),
    "level": pl.String(),
    "undefined": pl.String(),
    "reference": pl.String(),
}


@cache
def facts() -> tuple[Fact, ...]:
    """Return the facts of every value name, in the order of the registry."""
    return tuple(cast("Fact", fact) for fact in _core.facts())


@cache
def names(level: str) -> tuple[str, ...]:
    """Return the value names of a level: ``overall``, ``class`` or ``average``."""
    return tuple(fact["name"] for fact in facts() if fact["level"] == level)


@cache
def averages(base: str) -> dict[str, str]:
    """Return the averages of a row: ``{"macro": "recall_macro", ...}``; empty if it has none."""
    of_base = (fact for fact in facts() if fact["base"] == base and fact["level"] == "average")
    return {fact["average"]: fact["name"] for fact in of_base}


@cache
def _by_name() -> dict[str, Fact]:
    known = {alias: fact for fact in facts() for alias in fact["aliases"]}
    return known | {fact["name"]: fact for fact in facts()}


def find(name: str) -> Fact:
    """Return the facts of a value name or alias, with or without parameters.

    Raises
    ------
    InputError
        If no metric has that name; the message holds the nearest names.
    """
    known, base = _by_name(), name.partition("(")[0]
    if base in known:
        return known[base]
    near = difflib.get_close_matches(base, known, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else "; `confmat metrics` lists them"
    raise InputError(f"no metric is named {name!r}{hint}")


def name_with(name: str, params: Sequence[float]) -> str:
    """Return a value name that carries its parameters: ``fbeta`` and 2 give ``fbeta(2)``.

    The name is left as it is where the parameters are the defaults.
    """
    values = [float(value) for value in params]
    if values == [param["value"] for param in find(name)["params"]]:
        return name
    return f"{name}({','.join(repr(value).removesuffix('.0') for value in values)})"


def list_metrics() -> pl.DataFrame:
    """List every metric by the names that can be asked for.

    Returns
    -------
    polars.DataFrame
        One row a value name (``recall``, ``recall_macro``, ...) with the columns ``name``,
        ``aliases`` (a list), ``symbol`` and ``formula`` (LaTeX), ``lo`` and ``hi`` (the range, may
        be infinite), ``better`` (``higher``, ``lower`` or ``neither``), ``level`` (``overall``:
        one number a matrix; ``class``: one number a class; ``average``: a mean of those),
        ``undefined`` (when the value is undefined) and ``reference``.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> mcc = cm.list_metrics().filter(pl.col("name") == "mcc")
    >>> mcc.select("name", "lo", "hi", "better").row(0)
    ('mcc', -1.0, 1.0, 'higher')
    """
    rows = [{column: fact[column] for column in _SCHEMA} for fact in _core.facts()]
    return pl.DataFrame(rows, schema=_SCHEMA)
