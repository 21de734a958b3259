"""Weights of slices, summed batch by batch: the sums are those of a matrix of the same rows."""

import math

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal
from support.polars_releases import ERROR_OF_SOURCES

import confmat as cm
from confmat.frames import by_batches, label_slicing

N = 20_000
METRICS = ["accuracy", "mcc", "f1_macro", "balanced_accuracy", "kappa"]


def rows(weights, labels="Int64", n=N, seed=5):
    rng = np.random.default_rng(seed)
    nulls = pl.Series(rng.random(n) < 0.02)
    frame = pl.DataFrame(
        {
            "g": rng.integers(0, 7, n),
            "h": rng.choice(["x", "yy", "a key beyond twelve bytes"], n),
            "y": rng.integers(0, 4, n),
            "p": rng.integers(0, 4, n),
            "w": weights(rng, n),
        }
    )
    frame = frame.with_columns(
        pl.when(~nulls).then(pl.col("y")).alias("y"),
        pl.when(~nulls.shuffle(1)).then("w").alias("w"),
        pl.when(~nulls.shuffle(2)).then("h").alias("h"),
    )
    if labels == "Boolean":
        return frame.with_columns(pl.col("y", "p") > 1)
    if labels != "Int64":
        names = pl.col("y", "p").cast(pl.String).str.replace("^", "class of many letters ")
        frame = frame.with_columns(names)
    if labels == "Categorical":
        return frame.with_columns(pl.col("y", "p").cast(pl.Categorical))
    if labels == "Enum":
        kinds = pl.Enum([f"class of many letters {i}" for i in (3, 1, 0, 2, 4)])
        return frame.with_columns(pl.col("y", "p").cast(kinds))
    return frame


WEIGHTS = {
    "unit": lambda rng, n: rng.random(n),
    "float32": lambda rng, n: pl.Series(rng.random(n), dtype=pl.Float32),
    "zeros": lambda rng, n: rng.random(n) * (rng.random(n) < 0.5),
    "wide": lambda rng, n: 10.0 ** rng.uniform(-30, 30, n),
    "all sizes": lambda rng, n: 2.0 ** rng.uniform(-1074, 1000, n),
    "changing": lambda rng, n: np.where(np.arange(n) < n // 2, 1e-9, 1e9) * rng.random(n),
    "integers": lambda rng, n: rng.integers(0, 9, n),
    "UInt8": lambda rng, n: pl.Series(rng.integers(0, 9, n), dtype=pl.UInt8),
    "large integers": lambda rng, n: rng.integers(0, 1 << 45, n),
}


@pytest.fixture(params=[1 << 17, 777])
def batches(request, monkeypatch):
    monkeypatch.setattr(by_batches, "FIRST_ROWS", request.param)
    monkeypatch.setattr(label_slicing, "_ROWS", 5 * request.param)
    return request.param


def matrix_of(group, **options):
    return cm.confusion_matrix(group["y"], group["p"], sample_weight=group["w"], **options)


@pytest.mark.parametrize("labels", ["Int64", "Boolean", "String", "Categorical", "Enum"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_states_are_those_of_the_rows_of_each_slice(weights, labels, batches):
    frame = rows(WEIGHTS[weights], labels)
    states = cm.partial(frame, y_true="y", y_pred="p", sample_weight="w", by=["h", "g"])
    lazy = cm.partial(frame.lazy(), y_true="y", y_pred="p", sample_weight="w", by=["h", "g"])
    assert_frame_equal(states, lazy.collect())
    assert_frame_equal(
        states.select("h", "g"), frame.select("h", "g").unique().sort("h", "g", nulls_last=True)
    )
    for (h, g), group in frame.group_by("h", "g"):
        (state,) = states.filter(pl.col("h").eq_missing(pl.lit(h)), g=g)["state"]
        assert state == matrix_of(group).to_bytes()


@pytest.mark.parametrize("labels", ["Int64", "Boolean", "String", "Enum"])
@pytest.mark.parametrize("weights", ["unit", "zeros", "wide", "integers", "large integers"])
@pytest.mark.parametrize("cube", [False, True])
def test_metrics_are_those_of_expressions(weights, labels, cube, batches, monkeypatch):
    frame = rows(WEIGHTS[weights], labels)
    asked = {"y_true": "y", "y_pred": "p", "by": ["g", "h"], "sample_weight": "w"}
    asked |= {"metrics": METRICS, "cube": cube, "min_n": 3, "reasons": True}
    found = frame.cm.evaluate(**asked)
    lazy = frame.lazy().cm.evaluate(**asked).collect()
    assert_frame_equal(found, lazy)
    monkeypatch.setattr(label_slicing.LabelSlicing, "fits", lambda *_: False)
    by_expressions = frame.cm.evaluate(**asked)
    assert found.schema == by_expressions.schema
    assert_frame_equal(found, by_expressions, rel_tol=1e-13, abs_tol=1e-13)


@pytest.mark.parametrize("weights", ["unit", "zeros", "all sizes", "integers"])
@pytest.mark.parametrize("labels", ["Int64", "Boolean", "String", "Enum"])
def test_all_rows_are_one_slice(weights, labels):
    frame = rows(WEIGHTS[weights], labels)
    if weights == "all sizes":
        frame = frame.with_columns(w=pl.col("w").clip(0, 1e300))
    asked = {"y_true": "y", "y_pred": "p", "sample_weight": "w", "metrics": METRICS}
    found = frame.cm.evaluate(**asked)
    lazy = frame.lazy().cm.evaluate(**asked).collect()
    assert_frame_equal(found, lazy, rel_tol=1e-13)
    matrix = matrix_of(frame)
    assert found["n"].item() == matrix.n
    assert found["accuracy"].item() == pytest.approx(matrix.accuracy, rel=1e-15)


@pytest.mark.parametrize("weights", ["unit", "integers"])
def test_labels_that_are_given(weights, batches):
    frame = rows(WEIGHTS[weights])
    options = {"labels": [3, 0, 1], "other": "bucket"}
    states = cm.partial(frame, y_true="y", y_pred="p", sample_weight="w", by="g", **options)
    for (g,), group in frame.group_by("g"):
        matrix = matrix_of(group, **options)
        assert states.filter(g=g)["state"].item() == matrix.to_bytes()
        assert matrix.n_other > 0
    found = frame.cm.evaluate("y", "p", by="g", sample_weight="w", metrics="accuracy", **options)
    assert found["n_other"].sum() == sum(
        matrix_of(g, **options).n_other for _, g in frame.group_by("g")
    )
    with pytest.raises(cm.InputError, match=r"label 2 at row \d+ of `y"):
        frame.cm.evaluate("y", "p", by="g", sample_weight="w", labels=[3, 0, 1])


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_a_weight_that_is_none_is_named_with_its_row(bad, batches):
    weights = np.ones(N)
    weights[[12_345, 12_400]] = bad
    frame = rows(lambda *_: weights).with_columns(y=pl.lit(1), w=pl.Series(weights))
    for of, error in ((frame, cm.InputError), (frame.lazy(), ERROR_OF_SOURCES)):
        with pytest.raises(error, match=r"at row 12345 of `sample_weight`"):
            of.cm.evaluate("y", "p", by="g", sample_weight="w").lazy().collect()
        with pytest.raises(error, match=r"at row 12345 of `sample_weight`"):
            cm.partial(of, y_true="y", y_pred="p", by="g", sample_weight="w").lazy().collect()


def test_nulls_hide_what_is_no_weight():
    n = 10_000
    hidden = np.resize([-1.5, math.nan, math.inf, -5e-324, 1.7e308, -1.7e308], n)
    nulls = np.arange(n) % 3 > 0
    values = pa.array(np.where(nulls, hidden, 0.5), mask=nulls)
    assert not np.isfinite(np.frombuffer(values.buffers()[1])).all()
    frame = pl.DataFrame({"g": np.arange(n) % 5, "y": 1, "p": 1, "w": pl.from_arrow(values)})
    states = cm.partial(frame, y_true="y", y_pred="p", by="g", sample_weight="w")
    for (g,), group in frame.group_by("g"):
        assert states.filter(g=g)["state"].item() == matrix_of(group).to_bytes()
    assert frame.cm.evaluate("y", "p", by="g", sample_weight="w")["n"].sum() == 0.5 * (~nulls).sum()


def test_sums_of_integers_beyond_what_doubles_hold():
    frame = pl.DataFrame({"g": [1, 1, 2], "y": [0, 0, 1], "p": [0, 0, 1], "w": [1 << 61, 1, 3]})
    states = cm.partial(frame, y_true="y", y_pred="p", by="g", sample_weight="w")
    assert cm.from_bytes(states["state"][0]).counts.tolist() == [[(1 << 61) + 1]]
    too_much = frame.with_columns(w=pl.lit((1 << 62) + 1))
    with pytest.raises(cm.InputError, match=r"sum to more than 2\^63 - 1"):
        cm.partial(too_much, y_true="y", y_pred="p", by="g", sample_weight="w")


def test_slices_whose_sums_are_too_large_together():
    frame = pl.DataFrame({"g": [1, 2], "y": [0, 0], "p": [0, 0], "w": [1 << 62, 1 << 62]})
    asked = {"by": "g", "sample_weight": "w", "metrics": "accuracy"}
    assert frame.cm.evaluate("y", "p", **asked)["accuracy"].to_list() == [1.0, 1.0]
    with pytest.raises(cm.InputError, match="beyond 64-bit integers"):
        frame.cm.evaluate("y", "p", cube=True, **asked)


def test_more_rows_in_a_cell_than_its_fixed_point_number_holds():
    n = 1_200_000
    weights = np.random.default_rng(0).random(n)
    frame = pl.DataFrame({"g": np.arange(n) % 2, "y": np.ones(n, int), "p": 1, "w": weights})
    found = frame.cm.evaluate("y", "p", by="g", sample_weight="w", metrics="accuracy")
    assert found["n"].to_list() == [math.fsum(weights[0::2]), math.fsum(weights[1::2])]


def test_a_key_may_have_any_name():
    frame = pl.DataFrame({"state": ["NY", "CA"], "y": [0, 1], "p": [0, 1], "w": [1.0, 2.0]})
    for of in (frame, frame.lazy()):
        for cube in (False, True):
            asked = {"by": "state", "sample_weight": "w", "metrics": "accuracy", "cube": cube}
            found = of.cm.evaluate("y", "p", **asked).lazy().collect()
            assert found["state"].to_list()[:2] == ["CA", "NY"]
            assert found["n"].to_list()[:2] == [2.0, 1.0]


def test_weights_of_a_log_may_change_their_type():
    rows = {"g": ["a", "b"], "y": [0, 1], "p": [0, 0]}
    weights = [
        pl.Series([1, 2]),
        pl.Series([0.5, 0.25]),
        pl.Series([None, None]),
        pl.Series([3, 1], dtype=pl.UInt8),
    ]
    for order in (weights, weights[::-1], weights[1:] + weights[:1]):
        log = cm.Accumulator(y_true="y", y_pred="p", by="g", sample_weight="w")
        for one in order:
            log.update(pl.DataFrame({**rows, "w": one}))
        found = log.result().slices(metrics="accuracy")
        assert found["n"].to_list() == [4.5, 3.25]
        assert found["n_dropped"].to_list() == [1, 1]


def test_a_log_gives_the_same(tmp_path, batches):
    frame = rows(WEIGHTS["changing"], n=5_000)
    frame.write_parquet(tmp_path / "log.parquet", row_group_size=1_000)
    log = cm.evaluate(
        tmp_path / "log.parquet", y_true="y", y_pred="p", by=["h", "g"], sample_weight="w"
    )
    states = cm.partial(frame, y_true="y", y_pred="p", by=["h", "g"], sample_weight="w")
    assert (
        log.states().sort("h", "g", nulls_last=True)["state"].to_list() == states["state"].to_list()
    )
