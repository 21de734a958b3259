"""A thousand classes, in 1,000 groups and of all rows of a frame, next to Polars' cells."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import labels, segments

import confmat as cm

K, GROUPS = 1_000, 1_000
METRICS = ["accuracy", "f1_macro", "kappa"]
DOORS = ["expression", "df.cm.evaluate", "lf.cm.evaluate"]
ENGINES = ["in-memory", "streaming"]
QUESTIONS = {
    "1,000 groups": (["g"], None),
    "1,000 groups, float64 weights": (["g"], "w"),
    "all rows": ([], None),
}


@pytest.fixture(scope="module")
def frame(rows: int) -> pl.DataFrame:
    y, p = labels(rows, K, "int64")
    w = np.random.default_rng(9).random(rows)
    return pl.DataFrame({"g": segments(rows, GROUPS), "y": y, "p": p, "w": w})


@pytest.mark.parametrize("name", [*DOORS, *ENGINES])
@pytest.mark.parametrize("question", QUESTIONS)
def test_doors(race: Race, frame: pl.DataFrame, question: str, name: str) -> None:
    keys, weight = QUESTIONS[question]
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
        f"{len(frame):,} Int64, K=1,000, {question}",
        name if ours else f"Polars, {name}",
        "ours" if ours else "peer",
        total,
        check=check,
        rows=len(frame),
        family=None if ours else "Polars",
    )
