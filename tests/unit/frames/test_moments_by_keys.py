"""Numbers of frames and queries are summed batch by batch: the states that expressions make."""

import math
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from support.polars_releases import ERROR_OF_SOURCES

import confmat as cm
from confmat import _core
from confmat.frames import by_batches, moments_by_keys

N = 600
FITS = "confmat.frames.moments_by_keys.NumberSlicing.fits"


@pytest.fixture(autouse=True, params=[70, 10_000], ids=["batches", "one batch"])
def rows_of_a_batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments_by_keys, "_ROWS", request.param)
    monkeypatch.setattr(by_batches, "FIRST_ROWS", 20)


@pytest.fixture(scope="module")
def log() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    y = rng.gamma(3, 10, N)
    return pl.DataFrame(
        {
            "site": rng.choice(["a", "b", None], N).tolist(),
            "day": rng.integers(0, 3, N),
            "kind": pl.Series(rng.choice(["u", "v"], N)).cast(pl.Enum(["v", "u"])),
            "yes": rng.random(N) < 0.5,
            "whole": rng.integers(-5, 50, N),
            "y": y,
            "p": pl.Series(y + rng.normal(0, 3, N)),
            "f": pl.Series(y + rng.normal(0, 3, N), dtype=pl.Float32),
            "w": rng.integers(0, 4, N) / 2,
        }
    )


def by_expressions(frame: pl.DataFrame, **options: Any) -> pl.DataFrame:
    with patch(FITS, return_value=False):
        return cm.partial(frame, task="regression", **options)


def check_same(frame: pl.DataFrame, **options: Any) -> None:
    wanted = by_expressions(frame, **options)
    asked = {"task": "regression", **options}
    assert cm.partial(frame, **asked).equals(wanted)
    query = cm.partial(frame.lazy(), **asked)
    of_rows = options.get("metrics") == "median_ae" and options.get("sample_weight")
    assert ("PYTHON SCAN" in query.explain()) is not bool(of_rows)
    assert query.collect().equals(wanted)


@pytest.mark.parametrize("by", [None, [], "day", ["site", "day"], ["kind", "yes"]])
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("metrics", [(), ["msle", "huber(2)", "intervals"], "median_ae"])
def test_states_are_those_of_expressions(log, by, weight, metrics):
    check_same(log, y_true="y", y_pred="p", by=by, sample_weight=weight, metrics=metrics)
    options = {"by": by, "sample_weight": weight, "metrics": metrics}
    check_same(log.sort("day", "site"), y_true="y", y_pred="f", **options)
    check_same(log, y_true="whole", y_pred="yes", **options)


@pytest.mark.parametrize("weight", [None, "w"])
def test_rows_with_a_null_or_nan_are_dropped(log, weight):
    row = pl.int_range(N)
    log = log.with_columns(
        pl.when(row % 7 > 0).then("y"),
        pl.when(row % 100 == 1).then(math.nan).when(row % 5 > 0).then("p").alias("p"),
        pl.when(row % 11 > 0).then("w"),
    )
    for by in (None, "site"):
        check_same(log, y_true="y", y_pred="p", by=by, sample_weight=weight, nan="drop")
    only_null = log.with_columns(y=pl.when(pl.col("day") > 0).then("y"))
    check_same(only_null, y_true="y", y_pred="p", by="day", sample_weight=weight, nan="drop")


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("p", math.nan, "nan at row 407 of `y_pred`"),
        ("y", math.inf, "inf at row 407 of `y_true`"),
        ("w", -1.0, "weight -1.* at row 407"),
        ("w", 1e-70, "weight 1e-70 at row 407"),
        ("whole", 2**60, "1152921504606846976 at row 407"),
    ],
)
@pytest.mark.parametrize("by", [None, "day"])
def test_a_row_that_cannot_be_counted_is_named(log, column, value, message, by):
    log = log.with_columns(
        pl.when(pl.int_range(N) == 407).then(pl.lit(value)).otherwise(column).alias(column)
    )
    truth = "whole" if column == "whole" else "y"
    of = {"y_true": truth, "y_pred": "p", "by": by, "sample_weight": "w", "task": "regression"}
    with pytest.raises(cm.InputError, match=message):
        cm.partial(log, **of)
    for engine in ("in-memory", "streaming"):
        with pytest.raises(ERROR_OF_SOURCES, match=message):
            cm.partial(log.lazy(), **of).collect(engine=engine)
    of.pop("task")
    with pytest.raises(cm.InputError, match=message):
        log.cm.evaluate(**of, task="regression")


def test_filters_and_heads_of_the_query(log):
    of = {"y_true": "y", "y_pred": "p", "by": "day", "task": "regression"}
    whole = log.cm.evaluate(**of)
    query = log.lazy().cm.evaluate(**of)
    for narrowed in (lambda q: q.filter(pl.col("day") == 1), lambda q: q.filter(pl.col("mae") > 0)):
        assert narrowed(query).collect().equals(narrowed(whole))
    cube = {**of, "by": ["site", "day"], "cube": True}
    narrowed = log.lazy().cm.evaluate(**cube).filter(pl.col("day") == 1).collect()
    assert narrowed.equals(log.cm.evaluate(**cube).filter(pl.col("day") == 1))
    assert query.head(2).collect().equals(whole.head(2))
    assert query.select("day", "r2").collect().equals(whole.select("day", "r2"))
    with_nan = pl.when(pl.col("day") == 1).then(math.nan).otherwise("p").alias("p")
    refused = log.lazy().with_columns(with_nan).cm.evaluate(**of).filter(pl.col("day") == 1)
    with pytest.raises(ERROR_OF_SOURCES, match=r"nan at row 0 \(of those that a filter keeps\) of"):
        refused.collect()


def test_what_only_expressions_can(log, monkeypatch):
    """Keys that are no plain columns, or not of a table's types; too many slices; no rows."""
    of = {"y_true": "y", "y_pred": "p", "task": "regression"}
    for by in (pl.col("day"), ["day", pl.col("site")], "w"):
        found = cm.partial(log, by=by, **of)
        assert found.equals(cm.partial(log.lazy(), by=by, **of).collect())
    for name in ("state", "scored"):
        with pytest.raises(cm.InputError, match=name):
            cm.partial(log.rename({"day": name}), by=name, **of)
    for frame in (log.clear(), log.lazy().clear()):
        assert cm.partial(frame, by="day", **of).lazy().collect().height == 0
        assert cm.partial(frame, **of).lazy().collect().height == 1
    wanted = cm.partial(log, by=["site", "day"], **of)
    monkeypatch.setattr(moments_by_keys, "_MOST_BYTES", 40_000)
    assert cm.partial(log, by=["site", "day"], **of).equals(wanted)
    assert cm.partial(log.lazy(), by=["site", "day"], **of).collect().equals(wanted)


def test_numbers_of_slices_refuse_other_keys():
    numbers = _core.SliceNumbers(0)
    key = pl.Series([1, 2], dtype=pl.UInt8)
    assert numbers.of_rows([key]).tolist() == [0, 1]
    with pytest.raises(cm.InputError, match="`by` has 2 keys, and had 1"):
        numbers.of_rows([key, key])


def test_sums_refuse_what_is_not_whole():
    sums = _core.SliceMoments([], False, False, 1 << 20, 0)
    key, numbers = pl.Series([1, 2], dtype=pl.UInt8), pl.Series([1.0, 2.0])
    with pytest.raises(cm.InputError, match="`sample_weight` is there in some batches"):
        sums.add([key], numbers, numbers, numbers)
    assert sums.add([key], numbers, numbers)
    with pytest.raises(cm.InputError, match="nan"):
        sums.add([key], numbers, pl.Series([1.0, math.nan]))
    for refused in (lambda: sums.add([key], numbers, numbers), sums.states):
        with pytest.raises(cm.InputError, match="a batch was refused"):
            refused()
