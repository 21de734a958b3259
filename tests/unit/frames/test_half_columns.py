"""Weights, numbers and scores of 16 bits: at every door what they are as Float32."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm

N = 500
RANDOM = np.random.default_rng(4)
HALVES = ("w", "s", "t", "q")
FRAME = pl.DataFrame(
    {
        "g": RANDOM.integers(0, 3, N),
        "y": RANDOM.integers(0, 2, N),
        "p": RANDOM.integers(0, 2, N),
        "w": (RANDOM.random(N) * 7).astype(np.float16),
        "s": RANDOM.random(N).astype(np.float16),
        "t": (RANDOM.standard_normal(N) * 100).astype(np.float16),
        "q": (RANDOM.standard_normal(N) * 100).astype(np.float16),
    },
    schema_overrides=dict.fromkeys(HALVES, pl.Float16),
).with_columns(
    pl.when(pl.int_range(N) % 50 == 7).then(None).otherwise(pl.col("w", "q")).name.keep()
)
WIDE = FRAME.with_columns(pl.col("w", "t", "q").cast(pl.Float32))
NUMBERS = {"y_true": "t", "y_pred": "q", "task": "regression", "sample_weight": "w"}
LABELS = {"y_true": "y", "y_pred": "p", "sample_weight": "w"}
SCORES = {"y_true": "y", "y_score": "s", "sample_weight": "w"}
ASKED = {
    "numbers": NUMBERS | {"metrics": ["rmse", "r2", "huber(3)"]},
    "labels": LABELS | {"metrics": ["accuracy", "mcc"]},
    "scores": SCORES | {"metrics": ["roc_auc", "log_loss"]},
    "both": LABELS | {"y_score": "s", "metrics": ["f1", "brier"]},
}


def told(result: Any) -> Any:
    return result.collect() if isinstance(result, pl.LazyFrame) else result


def as_lazy(frame: pl.DataFrame, engine: str) -> Any:
    return frame if engine == "frame" else frame.lazy()


@pytest.mark.parametrize("engine", ["frame", "query"])
@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("of", ASKED)
def test_frames(of: str, by: str | None, engine: str) -> None:
    def found(frame: pl.DataFrame) -> Any:
        return told(as_lazy(frame, engine).cm.evaluate(by=by, **ASKED[of]))

    assert_frame_equal(found(FRAME), found(WIDE))


@pytest.mark.parametrize("engine", ["frame", "query"])
@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("of", ["numbers", "labels", "scores"])
def test_states_and_logs(of: str, by: str | None, engine: str) -> None:
    columns = {key: name for key, name in ASKED[of].items() if key != "metrics"}
    more = {"metrics": ["density", "mape"]} if of == "numbers" else {}

    def states(frame: pl.DataFrame) -> Any:
        return told(cm.partial(as_lazy(frame, engine), by=by, **columns, **more))

    assert_frame_equal(states(FRAME), states(WIDE))
    logs = [cm.evaluate(as_lazy(frame, engine), by=by, **ASKED[of]) for frame in (FRAME, WIDE)]
    assert logs[0] == logs[1]
    accumulated = cm.Accumulator(by=by, **ASKED[of])
    for rows in (FRAME[:123], FRAME[123:]):
        accumulated.update(rows)
    assert accumulated.result().to_bytes() == logs[1].to_bytes()


EXPRESSIONS = {
    "metrics": cm.metrics("y", "p", ["accuracy", "f1"], sample_weight="w"),
    "intervals": cm.metrics("y", "p", ["accuracy"], sample_weight="w", ci=0.95),
    "labels given": cm.metrics("y", "p", ["accuracy"], sample_weight="w", labels=[0, 1]),
    "scores": cm.sweep_metrics("y", "s", ["roc_auc", "ece"], sample_weight="w"),
    "numbers": cm.regression_metrics("t", "q", ["rmse", "mape"]),
    "numbers with weights": cm.regression_metrics("t", "q", ["rmse", "ccc"], sample_weight="w"),
    "beside integers": cm.regression_metrics("t", "y", ["rmse"], sample_weight="p"),
    "state": cm.state("y", "p", sample_weight="w"),
    "state of scores": cm.state("y", y_score="s", sample_weight="w"),
    "state of numbers": cm.state("t", "q", task="regression", sample_weight="w"),
    "a metric": pl.col("t").cm.rmse("q"),
    "a metric of labels": pl.col("y").cm.accuracy("p", sample_weight="w"),
    "a metric of scores": pl.col("y").cm.roc_auc("s", sample_weight="w"),
    "one weight": cm.metrics("y", "p", ["accuracy"], sample_weight=pl.lit(0.5, pl.Float16)),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name: str) -> None:
    def found(frame: pl.DataFrame) -> list[pl.DataFrame]:
        asked = EXPRESSIONS[name].alias("found")
        chunks = pl.concat([frame[:77], frame[77:]], rechunk=False)
        grouped = frame.lazy().group_by("g").agg(asked).sort("g")
        streamed = grouped.collect(engine="streaming")
        return [frame.select(asked), chunks.select(asked), grouped.collect(), streamed]

    for half, wide in zip(found(FRAME), found(WIDE), strict=True):
        assert_frame_equal(half, wide)


def test_what_no_weight_and_no_number_is_is_told_by_its_row() -> None:
    bad = FRAME.with_columns(
        pl.when(pl.int_range(N) == 321).then(-1.0).otherwise("w").cast(pl.Float16).alias("w"),
        pl.when(pl.int_range(N) == 321)
        .then(float("inf"))
        .otherwise("t")
        .cast(pl.Float16)
        .alias("t"),
    )
    for of, word in (("labels", "weight -1 at row 321"), ("scores", "weight -1 at row 321")):
        with pytest.raises(cm.InputError, match=word):
            bad.cm.evaluate(**ASKED[of])
    with pytest.raises(cm.InputError, match="inf at row 321 of `y_true`"):
        bad.cm.evaluate("t", "q", task="regression", by="g", metrics=["rmse"])


def test_labels_of_16_bits_are_as_before() -> None:
    y = pl.Series("y", [1.0, 0.0, float("nan"), None], dtype=pl.Float16)
    rows = pl.DataFrame([y, y.alias("p")])
    assert rows.cm.evaluate("y", "p", metrics=["accuracy"])["n_dropped"].item() == 2
    assert rows.select(cm.metrics("y", "p", ["accuracy"])).item()["n"] == 2
    with pytest.raises(cm.InputError, match=r"label 0\.5 at row 1 of `y_true`"):
        rows.with_columns(y=pl.Series([1, 0.5, 0, 0], dtype=pl.Float16)).cm.evaluate("y", "p")
