"""Differences and flips of slices and pairs of models, as frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from confmat.objects.joint_matrix import joint_matrix
from confmat.paired.asked import Asked
from confmat.paired.difference import Difference, with_ends
from confmat.paired.units import Unit
from confmat.significance.adjustments import Adjustment, adjust_p

_NUMBERS = ("value_a", "value_b", "difference", "low", "high", "p_value")
_PAIR = ("model_a", "model_b")
_AT = "__confmat_at"
NAMES = (*_PAIR, "metric", "n", *_NUMBERS, "method", "reason", "verdict", "p_adjusted", "label")


def table_of(
    units: Iterable[tuple[str, str, int, Unit]],
    metrics: Sequence[str],
    slices: pl.DataFrame,
    how: Asked,
) -> pl.DataFrame:
    """Return one row a slice, pair and metric; units say at which row of `slices` they are."""
    asked, found = [], []
    for a, b, at, unit in units:
        for name in metrics:
            asked.append((at, a, b, name))
            found.append(unit.without_ends(name))
    rows = [
        (*named, float(one.n), *_numbers(one))
        for named, one in zip(asked, with_ends(found, how), strict=True)
    ]
    schema: dict[str, Any] = {_AT: pl.Int64, **dict.fromkeys((*_PAIR, "metric"), pl.String)}
    schema |= {"n": pl.Float64} | dict.fromkeys(_NUMBERS, pl.Float64)
    table = pl.DataFrame(rows, schema | {"method": pl.String, "reason": pl.String}, orient="row")
    table = table.with_columns(pl.col(_NUMBERS).fill_nan(None), _whole_numbers(table["n"]))
    return _beside(slices, table.sort(_AT, maintain_order=True))


def _beside(slices: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with the keys of the slice of each row."""
    keys = [column.gather(table[_AT]) for column in slices.get_columns()]
    return pl.DataFrame([*keys, *table.drop(_AT).get_columns()])


def _numbers(found: Difference) -> tuple[Any, ...]:
    values = (found.value_a, found.value_b, found.difference, found.low, found.high)
    return (*values, found.p_value, found.method, found.reason)


def _whole_numbers(n: pl.Series) -> pl.Series:
    """Return counts as integers, sums of weights as they are."""
    return n.cast(pl.Int64) if (n == n.round()).all() else n


def ranked(
    table: pl.DataFrame, metric: str, adjust: Adjustment | None, asked: Asked
) -> pl.DataFrame:
    """Return the slices of one metric, those first where b does worse, with a verdict."""
    better = asked.fact(metric).better
    p = table["p_value"] if adjust is None else adjust_p(table["p_value"], adjust)
    is_told = (p < 1 - asked.level).fill_null(False)
    told = table.with_columns(
        p.alias("p_adjusted"),
        pl.when(is_told).then(_verdict(better, pl.col("difference"))).alias("verdict"),
    )
    return told.sort(
        "difference", descending=better == "lower", nulls_last=True, maintain_order=True
    )


def verdict(better: str) -> pl.Expr:
    """Return what the interval says of b: better or worse than a; null where it holds 0."""
    low, high = pl.col("low"), pl.col("high")
    return _verdict(better, pl.when(low > 0).then(low).when(high < 0).then(high))


def _verdict(better: str, difference: pl.Expr) -> pl.Expr:
    words = {"higher": ("better", "worse"), "lower": ("worse", "better")}
    if better not in words:
        return pl.lit(None, pl.String)
    more, less = words[better]
    of_more = pl.when(difference > 0).then(pl.lit(more))
    return of_more.when(difference < 0).then(pl.lit(less))


def flips_of(units: Iterable[tuple[str, str, int, Unit]], slices: pl.DataFrame) -> pl.DataFrame:
    """Return who is right, one row a slice, pair and true class."""
    found = [(a, b, at, unit.joint.flips()) for a, b, at, unit in units if unit.joint is not None]
    found = found or [("", "", 0, joint_matrix([], [], []).flips())]
    frames = [
        flips.select(pl.lit(at, pl.Int64).alias(_AT), *_named(a, b), pl.all())
        for a, b, at, flips in found
    ]
    whole = pl.concat(frames, how="vertical_relaxed").sort(_AT, maintain_order=True)
    return _beside(slices, whole)


def _named(a: str, b: str) -> list[pl.Expr]:
    return [pl.lit(model).alias(name) for name, model in zip(_PAIR, (a, b), strict=True)]
