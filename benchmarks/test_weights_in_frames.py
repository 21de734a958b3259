"""What do weights of rows cost in frames, next to Polars summing them by cell."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import labels, segments

import confmat as cm

K = 10
WEIGHTS = {"float64 weights": "w", "int64 weights": "whole"}
DOORS = ["df.cm.evaluate", "lf.cm.evaluate", "cm.partial"]
ENGINES = ["in-memory", "streaming"]
METRICS = ["accuracy", "mcc", "f1_macro"]


@pytest.fixture(scope="module")
def frame(rows: int) -> pl.DataFrame:
    y, p = labels(rows, K, "int64")
    w = np.random.default_rng(9).random(rows)
    whole = (w * 9).astype("int64")
    return pl.DataFrame({"g": segments(rows, 1000), "y": y, "p": p, "w": w, "whole": whole})


@pytest.mark.parametrize("name", [*DOORS, *ENGINES])
@pytest.mark.parametrize("by", ["1,000 segments", "all rows"])
@pytest.mark.parametrize("kind", WEIGHTS)
def test_weights(race: Race, frame: pl.DataFrame, kind: str, by: str, name: str) -> None:
    weight = WEIGHTS[kind]
    keys = ["g"] if by == "1,000 segments" else []
    if not keys and name == "cm.partial":
        pytest.skip("a state of all rows is that of a matrix: see test_many_classes.py")
    cells = frame.lazy().group_by(*keys, "y", "p").agg(pl.col(weight).sum())

    def total() -> float:
        if name in ENGINES:
            return float(cells.collect(engine=name)[weight].sum())  # type: ignore[call-overload]
        if name == "cm.partial":
            return float(
                cm.partial(frame, y_true="y", y_pred="p", by=keys, sample_weight=weight).height
            )
        of = frame if name == "df.cm.evaluate" else frame.lazy()
        out = of.cm.evaluate("y", "p", by=keys, sample_weight=weight, metrics=METRICS).lazy()
        return float(out.collect(engine="streaming")["n"].sum())

    def check(found: float) -> None:
        wanted = 1000.0 if name == "cm.partial" else float(frame[weight].sum())
        assert found == pytest.approx(wanted, rel=1e-9)

    ours = name in DOORS
    race(
        f"{kind}, K=10, {by}",
        name if ours else f"Polars sums, {name}",
        "ours" if ours else "peer",
        total,
        check=check,
        rows=len(frame),
        family=None if ours else "Polars sums",
    )
