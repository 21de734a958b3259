"""A thousand classes and more, in groups and of all rows of a frame, next to Polars' cells."""

from __future__ import annotations

import functools

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import labels, segments

import confmat as cm

METRICS = ["accuracy", "f1_macro", "kappa"]
DOORS = ["expression", "df.cm.evaluate", "lf.cm.evaluate"]
ENGINES = ["in-memory", "streaming"]
QUESTIONS = {  # classes, groups, weights
    "K=300, 1,000 groups": (300, 1_000, None),
    "K=1,000, 1,000 groups": (1_000, 1_000, None),
    "K=1,000, 1,000 groups, float64 weights": (1_000, 1_000, "w"),
    "K=1,000, all rows": (1_000, 1, None),
    "K=5,000, 100 groups": (5_000, 100, None),
}


@functools.cache
def frame_of(rows: int, k: int, groups: int) -> pl.DataFrame:
    y, p = labels(rows, k, "int64")
    w = np.random.default_rng(9).random(rows)
    return pl.DataFrame({"g": segments(rows, groups), "y": y, "p": p, "w": w})


@pytest.mark.parametrize("name", [*DOORS, *ENGINES])
@pytest.mark.parametrize("question", QUESTIONS)
def test_doors(race: Race, rows: int, question: str, name: str) -> None:
    k, groups, weight = QUESTIONS[question]
    frame, keys = frame_of(rows, k, groups), ["g"] if groups > 1 else []
    amount = pl.len().alias("n") if weight is None else pl.col(weight).sum().alias("n")

    def total() -> float:
        if name in ENGINES:
            cells = frame.lazy().group_by(*keys, "y", "p").agg(amount)
            return float(cells.collect(engine=name)["n"].sum())  # type: ignore[call-overload]
        if name == "expression":
            asked = cm.metrics("y", "p", METRICS, sample_weight=weight).alias("m")
            found = frame.group_by(keys).agg(asked) if keys else frame.select(asked)
            return float(found["m"].struct.field("n").sum())
        of = frame if name == "df.cm.evaluate" else frame.lazy()
        out = of.cm.evaluate("y", "p", by=keys, sample_weight=weight, metrics=METRICS).lazy()
        return float(out.collect()["n"].sum())

    def check(found: float) -> None:
        wanted = len(frame) if weight is None else float(frame[weight].sum())
        assert found == pytest.approx(wanted, rel=1e-9)

    ours = name in DOORS
    race(
        f"{len(frame):,} Int64, {question}",
        name if ours else f"Polars, {name}",
        "ours" if ours else "peer",
        total,
        check=check,
        rows=len(frame),
        family=None if ours else "Polars",
    )
