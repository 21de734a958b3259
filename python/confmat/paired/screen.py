"""A comparison as one screen: the differences, who is right, the slices that differ most."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.labels import shown
from confmat.paired.tables import verdict
from confmat.render.figures import figure
from confmat.render.frames import html_of, text_of
from confmat.render.text import many, number

_LETTERS = ("a", "b")
_SHORT = 16  # letters of a name over a column
_ENDS = 4  # slices where b does worst, and where it does best


def text(c: Any) -> str:
    """Return the screen as text."""
    return text_of(title(c), frames(c))


def html(c: Any) -> str:
    """Return the screen as HTML."""
    return html_of(title(c), frames(c))


def title(c: Any) -> str:
    """Return which models are compared, of how many rows, and what the numbers are."""
    a = f"a = {shown(c.baseline)} (the baseline)"
    others = ", ".join(map(shown, c.models))
    b = f"b = {others}" if len(c.models) == 1 else f"b = each of {others}"
    joint = c._units.joint(c.models[0])
    counts = c.overall()["n"]
    ends = dict.fromkeys([counts.min(), counts.max()])
    rows = " to ".join(number(n) if isinstance(n, int) else figure(n) for n in ends)
    kind = "" if c.side == "both" else f" {c.side}"
    first, second = heads(c)
    whom = f"{b} with {a}"
    if (first, second) != _LETTERS:
        whom = f"{shown(second)} with {shown(first)} (the baseline)"
    parts = [f"{whom}, n = {rows}"]
    for name, why in (("n_dropped", "dropped: null"), ("n_other", "other")):
        if count := getattr(joint, name, 0):
            parts.append(f"{count:,} {why}")
    if c.keys:
        height = c._units.slices().height
        told = f"{many(height, 'slice')} by {', '.join(map(shown, c.keys))}"
        if height > 2 * _ENDS:
            told += f" (shown: the {_ENDS} worst and best of {second}; .slices() has all)"
        parts.append(told)
    parts.append(f"differences are {second} - {first}, with{kind} {100 * c.level:g} % intervals")
    return "; ".join(parts)


def frames(c: Any) -> list[pl.DataFrame]:
    """Return the tables of the screen."""
    several = len(c.models) > 1
    out = [_differences(c, several)]
    joint = c._units.joint(c.models[0])
    if joint is not None and not several:
        a, b = heads(c)
        named = {"only_a": f"only {a}", "only_b": f"only {b}"}
        out.append(joint.flips().rename({} if (a, b) == _LETTERS else named))
    if c.keys:
        out.append(_slices(c, several))
    return out


def heads(c: Any) -> tuple[str, str]:
    """Return what the two models are called over columns: their names, where these are short."""
    names = (c.baseline, *c.models)
    taken = {*c.keys, "metric", "n", "low", "high", "p", "adjusted p", "reason", "label", "both"}
    taken.add(f"{names[-1]} is")
    if len(names) > 2 or any(len(x) > _SHORT or x in taken or not x.isprintable() for x in names):
        return _LETTERS
    return names


def _differences(c: Any, several: bool) -> pl.DataFrame:
    table: pl.DataFrame = c.overall()
    verdicts = [
        table[at].select(verdict(c._asked.fact(name).better).alias("b is")).item()
        for at, name in enumerate(table["metric"])
    ]
    told = table.with_columns(pl.Series("b is", verdicts, dtype=pl.String))
    is_b = pl.col("b is").alias(f"{heads(c)[1]} is")
    return told.select(*_columns(["metric"], several, heads(c)), is_b, "reason")


def _slices(c: Any, several: bool) -> pl.DataFrame:
    """Return the slices where b does worst, and those where it does best."""
    table: pl.DataFrame = c.slices().filter(pl.col("difference").is_not_null())
    if table.height > 2 * _ENDS:
        table = pl.concat([table.head(_ENDS), table.tail(_ENDS)])
    a, b = heads(c)
    metric = table["metric"][0] if table.height else c.metrics[0]
    difference, told = f"{metric}: {b} - {a}", f"{b} is"
    taken = {a, b, f"{b} - {a}", difference, told, "adjusted p"}
    keys = _names_of_keys(c.keys, taken)
    columns: list[Any] = _columns([*keys, "n"], several, (a, b), "p_adjusted")
    named = table.rename(dict(zip(c.keys, keys, strict=True)))
    return named.select(*columns, pl.col("verdict").alias(told)).rename({f"{b} - {a}": difference})


def _names_of_keys(keys: tuple[str, ...], taken: set[str]) -> list[str]:
    """Return what keys are called over columns, beside those that are called otherwise."""
    names: list[str] = []
    for key in keys:
        name = key
        while name in taken or name in names:
            name += " (key)"
        names.append(name)
    return names


def _columns(
    first: list[str], several: bool, names: tuple[str, str], p_value: str = "p_value"
) -> list[pl.Expr]:
    a, b = names
    model = [pl.col("model_b").alias("model")] if several else []
    values = {"value_a": a, "value_b": b, "difference": f"{b} - {a}", "low": "low", "high": "high"}
    numbers = [pl.col(name).alias(to) for name, to in values.items()]
    head = "p" if p_value == "p_value" else "adjusted p"
    p = pl.col(p_value).map_elements(_p, pl.String).alias(head)
    return [*model, *map(pl.col, first), *numbers, p]


def _p(p: float) -> str:
    """Return a p value; one that floats cannot hold as smaller than the smallest."""
    return "< 1e-300" if p < 1e-300 else figure(p)
