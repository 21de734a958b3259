"""A comparison as one screen: the differences, who is right, the slices that differ most."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.labels import shown
from confmat.paired.tables import verdict
from confmat.registry import find
from confmat.render.figures import figure
from confmat.render.frames import html_of, text_of
from confmat.render.text import many, number

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
    n: Any = c.overall()["n"].max() if joint is None else joint.n
    kind = "" if c.side == "both" else f" {c.side}"
    parts = [f"{b} with {a}, n = {number(n) if isinstance(n, int) else figure(n)}"]
    for name, why in (("n_dropped", "dropped: null"), ("n_other", "other")):
        if count := getattr(joint, name, 0):
            parts.append(f"{count:,} {why}")
    if c.keys:
        slices = many(c._units.slices().height, "slice")
        parts.append(f"{slices} by {', '.join(map(shown, c.keys))}")
    parts.append(f"differences are b - a, with{kind} {100 * c.level:g} % intervals")
    return "; ".join(parts)


def frames(c: Any) -> list[pl.DataFrame]:
    """Return the tables of the screen."""
    several = len(c.models) > 1
    out = [_differences(c.overall(), several)]
    joint = c._units.joint(c.models[0])
    if joint is not None and not several:
        out.append(joint.flips())
    if c.keys:
        out.append(_slices(c, several))
    return out


def _differences(table: pl.DataFrame, several: bool) -> pl.DataFrame:
    verdicts = [
        table[at].select(verdict(find(name.partition("(")[0])["better"]).alias("b is")).item()
        for at, name in enumerate(table["metric"])
    ]
    told = table.with_columns(pl.Series("b is", verdicts, dtype=pl.String))
    return told.select(*_columns(["metric"], several), "b is", "reason")


def _slices(c: Any, several: bool) -> pl.DataFrame:
    """Return the slices where b does worst, and those where it does best."""
    table: pl.DataFrame = c.slices().filter(pl.col("difference").is_not_null())
    if table.height > 2 * _ENDS:
        table = pl.concat([table.head(_ENDS), table.tail(_ENDS)])
    columns: list[Any] = _columns([*c.keys, "n"], several, "p_adjusted")
    metric = table["metric"][0] if table.height else c.metrics[0]
    return table.select(*columns, pl.col("verdict").alias("b is")).rename(
        {"b - a": f"{metric}: b - a"}
    )


def _columns(first: list[str], several: bool, p_value: str = "p_value") -> list[pl.Expr]:
    model = [pl.col("model_b").alias("model")] if several else []
    values = {"value_a": "a", "value_b": "b", "difference": "b - a", "low": "low", "high": "high"}
    numbers = [pl.col(name).alias(to) for name, to in values.items()]
    head = "p" if p_value == "p_value" else "adjusted p"
    p = pl.col(p_value).map_elements(_p, pl.String).alias(head)
    return [*model, *map(pl.col, first), *numbers, p]


def _p(p: float) -> str:
    """Return a p value; one that floats cannot hold as smaller than the smallest."""
    return "< 1e-300" if p < 1e-300 else figure(p)
