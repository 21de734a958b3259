"""Recalibration: fits, arrays and expressions alike, copies, dicts, bad input."""

import copy
import json
import math
import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.scored import counted, scored

import confmat as cm
from confmat.recalibration import Isotonic
from confmat.recalibration_fit import recalibrate
from confmat.recalibration_maps import nested_segment, segment

OPTIONS = [
    ("platt", {}),
    ("platt", {"smoothing": False}),
    ("platt", {"logit": True}),
    ("platt", {"logit": True, "smoothing": False}),
    ("isotonic", {}),
    ("temperature", {}),
]
IDS = [" ".join([method, *options]) for method, options in OPTIONS]
FITS = pytest.mark.parametrize(("method", "options"), OPTIONS, ids=IDS)
ROWS = scored(4, ends=False)
GRID = np.linspace(0.001, 0.999, 4001)


def fitted(method, options, rows=ROWS):
    return recalibrate(*rows.counts(), method, **options)


def log_loss(y, p, w=None):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = -np.where(y == 1, np.log(p), np.log1p(-p))
    return np.average(terms, weights=w)


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


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["platt", "temperature"])
@given(seed=st.integers(0, 2**32))
def test_log_loss_does_not_rise(method, weighted, seed):
    rows = scored(seed, weighted, ends=False)
    options = {"logit": True, "smoothing": False} if method == "platt" else {}
    after = log_loss(rows.y, fitted(method, options, rows).apply(rows.s), rows.w)
    assert after <= log_loss(rows.y, rows.s, rows.w) * (1 + 1e-13)


@given(seed=st.integers(0, 2**32))
def test_log_loss_of_platt_is_at_most_that_of_the_base_rate(seed):
    rows = scored(seed)
    after = log_loss(rows.y, fitted("platt", {"smoothing": False}, rows).apply(rows.s))
    assert after <= log_loss(rows.y, np.full(400, rows.y.mean())) * (1 + 1e-13)


@pytest.mark.parametrize("weighted", [False, True])
@given(seed=st.integers(0, 2**32))
def test_isotonic_is_calibrated_on_its_own_rows(weighted, seed):
    rows = scored(seed, weighted, rows=120)
    before = cm.Calibration(*rows.counts())
    p = fitted("isotonic", {}, rows).apply(rows.s)
    after = cm.Calibration(*counted(rows.y, p, rows.w))
    assert after.brier_decomposition_exact.reliability == pytest.approx(0, abs=1e-24)
    assert after.corp.miscalibration == pytest.approx(0, abs=1e-15)
    assert after.brier == pytest.approx(before.brier - before.corp.miscalibration, abs=1e-12)
    for strategy in ("uniform", "quantile", "isotonic"):
        c = cm.Calibration(*counted(rows.y, p, rows.w), strategy=strategy)
        assert c.ece == pytest.approx(0, abs=1e-14)


@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 5), st.integers(0, 5)), min_size=2),
    st.lists(st.floats(-1e6, 1e6), min_size=2),
)
def test_isotonic_maps_are_monotone_to_the_last_bit(cells, more):
    cells = {s: (p, n) for s, p, n in cells}
    cells |= {-1e6: (0, 1), 1e6: (1, 0)}
    scores = sorted(cells)
    counts = np.array([cells[s] for s in scores]).T
    r = recalibrate(scores, *counts, "isotonic")
    points = np.sort(np.concatenate([scores, more, r.knots, np.nextafter(r.knots, -math.inf)]))
    found = r.apply(points)
    assert (np.diff(found) >= 0).all()
    np.testing.assert_array_equal(r.apply(r.knots), r.values)


@pytest.mark.parametrize("seed", range(20))
def test_lines_end_at_most_at_the_next_knot(seed):
    knots, values = np.sort(np.random.default_rng(seed).random((2, 300)))
    r = Isotonic(knots, values)
    points = np.sort(np.concatenate([knots, np.nextafter(knots, 0)]))
    assert (np.diff(r.apply(points)) >= 0).all()


def test_isotonic_lines_of_subnormal_steps():
    r = Isotonic([0.0, 5e-324, 1e-310], [0.25, 0.5, 0.75])
    assert r.apply([0.0, 5e-324, 1e-310]).tolist() == [0.25, 0.5, 0.75]
    assert 0.5 <= r.apply([5e-311]).item() <= 0.75


def test_isotonic_beyond_the_ends_is_the_end():
    r = recalibrate([0.2, 0.8], [1, 3], [3, 1], "isotonic")
    assert r.knots.tolist() == [0.2, 0.8]
    found = r.apply([-math.inf, -1, 0.2, 0.5, 0.8, 1, 7, math.inf])
    assert found.tolist() == pytest.approx([0.25, 0.25, 0.25, 0.5, 0.75, 0.75, 0.75, 0.75])


def test_isotonic_of_one_block_is_constant():
    r = recalibrate([0.2, 0.8], [3, 1], [1, 3], "isotonic")
    assert r.apply([0.1, 0.5, 0.9]).tolist() == [0.5] * 3
    single = recalibrate([0.4], [3], [1], "isotonic")
    assert single.knots.tolist() == [0.4]
    assert single.apply([0.1, 7]).tolist() == [0.75, 0.75]
    assert np.isnan(single.apply([None, math.nan])).all()


@pytest.mark.parametrize("edges", [[0.5], [0.1, 0.5], np.linspace(0, 1, 101).tolist()])
def test_segments_by_both_ways(edges):
    points = [None, -math.inf, *edges, *np.nextafter(edges, -1).tolist(), 2.0, math.inf]
    frame = pl.DataFrame({"s": points}, schema={"s": pl.Float64})
    wanted = [None if s is None else sum(edge <= s for edge in edges) for s in points]
    for found in (
        segment(pl.col("s"), edges),
        nested_segment(pl.col("s"), edges, 0, len(edges)),
    ):
        column = frame.select(found).to_series()
        assert column.dtype == pl.UInt32
        assert column.to_list() == wanted


def test_older_polars_gives_the_same(monkeypatch):
    r = fitted("isotonic", {})
    values = [*GRID.tolist(), None, math.nan, -1.0, 2.0]
    wanted = r.apply(values)
    if hasattr(pl.Expr, "bin_intervals"):
        monkeypatch.delattr(pl.Expr, "bin_intervals")
    np.testing.assert_array_equal(r.apply(values), wanted)


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


def test_temperature_of_useless_scores_is_infinite():
    r = recalibrate([0.2, 0.8], [3, 1], [1, 3], "temperature")
    assert r.temperature == math.inf
    assert r.apply([0, 0.2, 1]).tolist() == [0.5] * 3
    assert cm.Recalibration.from_dict(r.to_dict()) == r


def test_temperature_leaves_sure_and_right_rows_out():
    with_ends = recalibrate([0.0, 0.2, 0.7, 1.0], [0, 1, 3, 9], [9, 3, 1, 0], "temperature")
    assert with_ends == recalibrate([0.2, 0.7], [1, 3], [3, 1], "temperature")


def test_platt_takes_margins():
    rng = np.random.default_rng(0)
    margin = rng.normal(0, 50, 500)
    y = (margin + rng.normal(0, 30, 500) > 10).astype(int)
    r = recalibrate(*counted(y, margin), "platt")
    assert r.a > 0
    assert r.apply([-1e6, 1e6]).tolist() == [0, 1]
    down = recalibrate(*counted(y, -margin), "platt")
    assert (down.a, down.b) == pytest.approx((-r.a, r.b))
    assert recalibrate(*counted(y, margin), "isotonic").apply([0.0]).item() < 0.5


def test_smoothing_makes_separated_classes_fit():
    counts = ([0.1, 0.4, 0.6, 0.9], [0, 0, 3, 4], [5, 1, 0, 0])
    r = recalibrate(*counts, "platt")
    low, *_, high = r.apply(counts[0])
    assert 0 < low < 1 / 8 + 0.1
    assert 8 / 9 - 0.1 < high < 1
    with pytest.raises(cm.InputError, match="cannot recalibrate: the scores separate"):
        recalibrate(*counts, "platt", smoothing=False)
    one = recalibrate([0.3], [2], [1], "platt")
    assert one.a == 0
    assert one.apply([0.3, 0.9]).tolist() == pytest.approx([(2 * 0.75 + 1 / 3) / 3] * 2)


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


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a dict, not list"),
        ({}, "`method` is None; wanted one of platt, isotonic, temperature"),
        ({"method": []}, r"`method` is \[\]"),
        ({"method": "platt", "a": 1.0}, "the parameters are a; wanted a, b, logit"),
        ({"method": "platt", "a": 1.0, "b": math.nan, "logit": False}, "`b` is nan"),
        ({"method": "platt", "a": "1", "b": 1, "logit": False}, "`a` is '1'"),
        ({"method": "platt", "a": 1, "b": 1, "logit": 0}, "`logit` is 0"),
        ({"method": "temperature"}, "the parameters are none"),
        ({"method": "temperature", "inverse_temperature": -1}, "at least 0"),
        ({"method": "isotonic", "knots": [0, 1], "values": [0]}, "shapes"),
        ({"method": "isotonic", "knots": [], "values": []}, "shapes"),
        ({"method": "isotonic", "knots": [1, 1], "values": [0, 1]}, "do not increase"),
        ({"method": "isotonic", "knots": [0, math.inf], "values": [0, 1]}, "not finite"),
        ({"method": "isotonic", "knots": [0, 1], "values": [1, 0]}, "`values` fall"),
        ({"method": "isotonic", "knots": [0, 1], "values": [0, 2]}, "outside 0 to 1"),
        ({"method": "isotonic", "knots": ["a"], "values": [0]}, "not a list of numbers"),
    ],
)
def test_bad_dicts(data, message):
    with pytest.raises(cm.StateError, match=message):
        cm.Recalibration.from_dict(data)


@pytest.mark.parametrize(
    ("counts", "arguments", "message"),
    [
        (([], [], []), ("platt",), "holds no rows"),
        (([0.5], [0], [3]), ("isotonic",), "holds one class"),
        (([0.2, 0.5], [1, 1], [1, 1]), ("beta",), "'beta'; wanted one of 'platt', 'isotonic'"),
        (([0.2, 1.5], [1, 1], [1, 1]), ("temperature",), "`y_score` holds 1.5; temperature wants"),
        (([-0.5, 0.5], [1, 1], [1, 1]), ("platt", {"logit": True}), "holds -0.5; logit=True wants"),
        (([0.5, 1], [1, 1], [1, 1]), ("platt", {"logit": True}), "holds 1.0, of infinite logit"),
        (([0, 0.5], [1, 1], [1, 1]), ("platt", {"logit": True}), "holds 0.0, of infinite logit"),
        (([0, math.inf], [1, 1], [1, 1]), ("platt",), "holds inf; platt wants finite scores"),
        (([-math.inf, 0], [1, 1], [1, 1]), ("isotonic",), "holds -inf; isotonic wants finite"),
        (([0, 0.5], [1, 1], [1, 1]), ("temperature",), "a positive at 0: its log loss is inf"),
        (([0.5, 1], [1, 1], [1, 1]), ("temperature",), "a negative at 1"),
        (([0, 1], [0, 1], [1, 0]), ("temperature",), "0 or 1 everywhere"),
        (([0.2, 0.8], [0, 1], [1, 0]), ("temperature",), "on the right side of 0.5"),
        (([0.5], [1], [1]), ("temperature",), "every score is 0.5"),
        (([0.2, 0.8], [1, 1], [1, 1]), ("isotonic", {"logit": True}), "`logit` is an option of"),
        (([0.2, 0.8], [1, 1], [1, 1]), ("isotonic", {"smoothing": False}), "`smoothing` is an"),
    ],
)
def test_bad_fits(counts, arguments, message):
    method, options = arguments if len(arguments) == 2 else (*arguments, {})
    with pytest.raises(cm.InputError, match=message):
        recalibrate(*counts, method, **options)


def test_bad_scores():
    r = fitted("temperature", {})
    with pytest.raises(cm.InputError, match=r"`scores` holds 1\.5 at row 2; wanted 0 to 1"):
        r.apply([0.5, math.nan, 1.5, -1])
    with pytest.raises(cm.InputError, match=r"`scores` holds -0\.1 at row 0"):
        fitted("platt", {"logit": True}).apply(np.array([-0.1]))
    with pytest.raises(cm.InputError, match="`scores` has dtype String; wanted numbers"):
        r.apply(["a"])
    with pytest.raises(cm.InputError, match=r"`scores` has shape \(1, 1\)"):
        r.apply(np.array([[0.5]]))
    with pytest.raises(cm.InputError, match="`score` is of type int"):
        r.expr(3)
    assert np.isnan(pl.select(r.expr(pl.lit(1.5))).item())


def test_without_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(cm.ConfmatError, match="isotonic regression needs SciPy"):
        fitted("isotonic", {})
    for method in ("platt", "temperature"):
        assert fitted(method, {}).apply([0.5]).shape == (1,)
