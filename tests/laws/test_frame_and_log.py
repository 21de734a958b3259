"""`df.cm.evaluate` and the slices of `cm.evaluate(df)` are one table, whatever rows and options."""

from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.slices import KINDS, METRICS, ONE_CLASS, N, frame_of, labels_of

import confmat as cm
from confmat.logs import reading

SCORES = ["roc_auc", "average_precision", "log_loss", "ks"]
KEYS: dict[str, Any] = {
    "none": None,
    "int": "g",
    "nulls": pl.when(pl.col("g") != 3).then("g").alias("h"),
    "text": pl.format("site {}", "g").alias("t"),
    "bool": (pl.col("g") > 4).alias("b"),
    "category": pl.col("g").cast(pl.String).cast(pl.Categorical).alias("c"),
    "float": (pl.col("g") / 4).alias("f"),
    "date": (pl.lit(date(2024, 2, 27)) + pl.duration(days="g")).alias("d"),
    "time": (pl.lit(datetime(2024, 2, 27)) + pl.col("g") * timedelta(hours=7)).alias("u"),
    "two": ["g", (pl.col("w") > 0.5).alias("half")],
}


@pytest.fixture(autouse=True, params=[70, 1_000_000], ids=["batches", "one batch"])
def rows_of_a_batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "ROWS", request.param)


def check_same(frame: pl.DataFrame, of_log: dict[str, Any] | None = None, **asked: Any) -> None:
    """Compare both doors, or their refusals.

    With scores the frame carries integer weights as Float64; the log rounds float weights of a
    score batch by batch; of no rows, states tell no type of weights.
    """
    doors = (
        lambda: frame.cm.evaluate(**asked),
        lambda: cm.evaluate(frame, **asked | (of_log or {})).slices(),
    )
    found: list[Any] = []
    for door in doors:
        try:
            found.append(door())
        except cm.InputError as error:
            found.append(str(error))
    if isinstance(found[0], str) or isinstance(found[1], str):
        assert found[0] == found[1]
        return
    of_frame, of_slices = found
    weight = asked.get("sample_weight")
    is_rounded = "y_score" in asked and weight == "w" and frame.height > reading.ROWS
    if ("y_score" in asked and weight == "n") or (weight is not None and frame.is_empty()):
        totals = [pl.col(name).cast(pl.Float64) for name in ("n", "n_scored") if name in of_slices]
        of_slices = of_slices.with_columns(totals)
    assert_frame_equal(
        of_frame,
        of_slices,
        check_exact=not is_rounded,
        rel_tol=1e-13,
        abs_tol=1e-13,
        categorical_as_str=True,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("key", ["none", "int", "text", "two"])
@pytest.mark.parametrize("weight", [None, "w", "n"])
def test_labels_of_every_type(kind: str, labelled: bool, key: str, weight: str | None) -> None:
    frame = frame_of(kind).with_columns(n=pl.int_range(pl.len()) % 4)
    labels = labels_of(kind) if labelled else None
    asked: dict[str, Any] = {"by": KEYS[key], "sample_weight": weight, "labels": labels}
    check_same(frame, y_true="y", y_pred="p", metrics=METRICS, **asked)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("kind", ["int", "enum"])
def test_keys_of_every_type(key: str, kind: str) -> None:
    asked: dict[str, Any] = {"y_true": "y", "y_pred": "p", "metrics": METRICS, "by": KEYS[key]}
    check_same(frame_of(kind), **asked)
    check_same(frame_of(kind), pos_label=labels_of(kind)[1], **asked | {"metrics": ONE_CLASS})


@pytest.mark.parametrize(
    "options",
    [
        {"undefined": 0.25},
        {"smoothing": 0.5},
        {"keep_empty": True},
        {"min_n": 60},
        {"reasons": True},
        {"cube": True},
        {"labels": [0, 1], "other": "bucket"},
        {"labels": [0, 1]},
        {"labels": [0, 1, 2, 7], "keep_empty": True, "reasons": True},
        {"pos_label": 2, "metrics": [*ONE_CLASS, *METRICS]},
        {"sample_weight": "w", "cube": True, "min_n": 100, "undefined": 0.0},
    ],
    ids="-".join,
)
@pytest.mark.parametrize("size", [0, 1, N])
def test_options(options: dict[str, Any], size: int) -> None:
    asked: dict[str, Any] = {"metrics": METRICS, "y_true": "y", "y_pred": "p", "by": KEYS["two"]}
    check_same(frame_of("int", size), **asked | options)


@pytest.mark.parametrize("key", ["none", "nulls", "text", "two"])
@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
@pytest.mark.parametrize("weight", [None, "w", "n"])
@pytest.mark.parametrize("nan", ["raise", "drop"])
@pytest.mark.parametrize("predicts", [False, True])
def test_each_score(
    key: str, dtype: type[pl.DataType], weight: str | None, nan: str, predicts: bool
) -> None:
    rng = np.random.default_rng(7)
    rows = pl.int_range(pl.len())
    frame = frame_of("bool").with_columns(
        n=rows % 4, s=pl.Series(rng.integers(0, 40, N) / 40).cast(dtype)
    )
    frame = frame.with_columns(pl.when(rows % 31 != 4).then("s"))
    if nan == "drop":
        frame = frame.with_columns(pl.when(rows % 29 == 3).then(float("nan")).otherwise("s"))
    asked: dict[str, Any] = {"y_true": "y", "y_score": "s", "by": KEYS[key], "nan": nan}
    asked |= {"sample_weight": weight, "metrics": [*SCORES, *(METRICS if predicts else [])]}
    check_same(frame, {"bins": None}, y_pred="p" if predicts else None, **asked)
