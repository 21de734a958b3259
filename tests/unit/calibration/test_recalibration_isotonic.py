"""Isotonic recalibration: monotone to the last bit, constant beyond its ends."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recalibrated import GRID, fitted
from support.scored import counted, scored

import confmat as cm
from confmat.calibration.fit import recalibrate
from confmat.calibration.maps import nested_segment, segment
from confmat.calibration.recalibration import Isotonic


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
