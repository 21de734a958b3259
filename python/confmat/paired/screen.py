"""A comparison as one screen: the differences, who is right, the slices that differ most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from confmat.labels import shown
from confmat.paired.tables import verdict
from confmat.registry import find
from confmat.render.figures import figure
from confmat.render.frames import html_of, text_of
from confmat.render.text import many, number

if TYPE_CHECKING:
    from confmat.paired.comparison import Comparison

_ENDS = 4  # slices where b does worst, and where it does best


def text(c: Comparison) -> str:
    """Return the screen as text."""
    return text_of(title(c), frames(c))


def html(c: Comparison) -> str:
    """Return the screen as HTML."""
    return html_of(title(c), frames(c))


def title(c: Comparison) -> str:
    """Return which models are compared, of how many rows, and what the numbers are."""
    a = f"a = {shown(c.baseline)} (the baseline)"
    others = ", ".join(map(shown, c.models))
    b = f"b = {others}" if len(c.models) == 1 else f"b = each of {others}"
    n: Any = c.overall()["n"].max()
    of = c.evaluation
    kind = "" if c.side == "both" else f" {c.side}"
    parts = [f"{b} with {a}, n = {number(n) if isinstance(n, int) else figure(n)}"]
    dropped = 0 if of is None else of.n_dropped
    if dropped:
        parts.append(f"{dropped:,} dropped: null")
    if c.keys:
        parts.append(
            f"{many(c._units.slices().height, 'slice')} by {', '.join(map(shown, c.keys))}"
        )
    parts.append(f"differences are b - a, with{kind} {100 * c.level:g} % intervals")
    return "; ".join(parts)


def frames(c: Comparison) -> list[pl.DataFrame]:
    """Return the tables of the screen."""
    several = len(c.models) > 1
    out = [_differences(c.overall(), several)]
    if c.evaluation is not None and not several:
        joint = next(c._units.of(c.models[0], whole=True)).joint
        assert joint is not None
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


def _slices(c: Comparison, several: bool) -> pl.DataFrame:
    """Return the slices where b does worst, and those where it does best."""
    table = c.slices().filter(pl.col("difference").is_not_null())
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
