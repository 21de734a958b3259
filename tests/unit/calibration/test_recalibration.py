"""Recalibrations: arrays and expressions alike, every kind of array, copies and dicts."""

import copy
import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.recalibrated import FITS, GRID, ROWS, fitted
from support.scored import scored

import confmat as cm
from confmat.calibration.fit import recalibrate
from confmat.calibration.recalibration import Isotonic


def formula(r, s):
    """Return the probabilities by NumPy, from the parameters alone."""
    if r.method == "isotonic":
        return np.interp(s, r.knots, r.values)
    odds = np.log(s / (1 - s)) if r.method == "temperature" or r.logit else s
    odds = odds / r.temperature if r.method == "temperature" else r.a * odds + r.b
    return 1 / (1 + np.exp(-odds))


@FITS
def test_arrays_are_what_the_parameters_say(method, options):
    r = fitted(method, options)
    assert r.method == method
    found = r.apply(GRID)
    assert found.dtype == np.float64
    assert found.flags.writeable
    np.testing.assert_allclose(found, formula(r, GRID), rtol=1e-12)


@FITS
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_expressions_equal_arrays(method, options, engine):
    r = fitted(method, options)
    frame = pl.LazyFrame({"score": GRID, "other": GRID[::-1]})
    query = frame.select(r.expr("score"), twice=r.expr(pl.col("other") * 1.0))
    found = query.collect(engine=engine)
    assert found.columns == ["score", "twice"]
    assert found.schema == query.collect_schema() == {"score": pl.Float64, "twice": pl.Float64}
    np.testing.assert_array_equal(found["score"], r.apply(GRID))
    np.testing.assert_array_equal(found["twice"], r.apply(GRID[::-1]))


@FITS
def test_expressions_stream(method, options):
    frame = pl.LazyFrame({"score": GRID})
    query = frame.with_columns(fitted(method, options).expr("score"))
    graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    assert "in-memory-map" not in graph
    assert "columnar-function" not in graph


@FITS
def test_the_map_is_monotone(method, options):
    found = fitted(method, options).apply(np.sort(np.concatenate([GRID, ROWS.s])))
    assert (np.diff(found) >= 0).all()
    assert 0 <= found.min() < found.max() <= 1


@FITS
def test_every_kind_of_array(method, options):
    r = fitted(method, options)
    values = [0.25, 0.5, 0.75]
    wanted = r.apply(values).tolist()
    for kind in (
        np.array,
        tuple,
        pl.Series,
        pd.Series,
        pa.array,
        lambda v: np.array(v, dtype=np.float32),
        lambda v: np.array(v, dtype=">f8"),
        lambda v: np.repeat(v, 2)[::2],
        lambda v: pl.Series(v, dtype=pl.Float32),
        lambda v: pa.chunked_array([v[:1], v[1:]]),
    ):
        assert r.apply(kind(values)).tolist() == wanted
    assert r.apply([]).tolist() == []
    with_nulls = r.apply(pl.Series([None, 0.5, math.nan]))
    assert np.isnan(with_nulls).tolist() == [True, False, True]
    frame = pl.DataFrame({"s": [None, math.nan, 0.5]}).select(r.expr("s"))
    assert frame["s"].is_null().to_list() == [True, False, False]
    assert frame["s"].is_nan().to_list() == [None, True, False]
    assert frame["s"][2] == wanted[1]


@pytest.mark.parametrize("logit", [True, False])
def test_probabilities_of_0_and_1(logit):
    r = fitted("platt", {"logit": True}) if logit else fitted("temperature", {})
    assert r.apply([0, 1]).tolist() == [0, 1]
    assert r.apply(np.array([False, True])).tolist() == [0, 1]


@FITS
def test_copies_and_dicts(method, options):
    r = fitted(method, options)
    text = json.dumps(r.to_dict(), allow_nan=False)
    for twin in (
        pickle.loads(pickle.dumps(r)),
        copy.copy(r),
        copy.deepcopy(r),
        cm.Recalibration.from_dict(json.loads(text)),
    ):
        assert isinstance(twin, cm.Recalibration)
        assert twin == r
        assert hash(twin) == hash(r)
        assert repr(twin) == repr(r)
        np.testing.assert_array_equal(twin.apply(GRID), r.apply(GRID))
    assert r != fitted(method, options, scored(5, ends=False))
    assert r != text
    with pytest.raises(AttributeError, match="does not change"):
        r.a = 1


def test_repr():
    counts = ([0.2, 0.8], [1, 3], [3, 1])
    assert repr(recalibrate(*counts, "isotonic")) == (
        "<Recalibration: isotonic, 2 knots, 0.25 to 0.75>"
    )
    assert "temperature=1.26" in repr(recalibrate(*counts, "temperature"))
    assert repr(recalibrate(*counts, "platt", logit=True)).endswith(", of the logit>")
    assert not Isotonic([0.2, 0.8], [0, 1]).knots.flags.writeable
