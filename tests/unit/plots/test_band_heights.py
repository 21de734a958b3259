"""Axes of lift, cost and net benefit: how far they reach for a band."""

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.plots.heights import bottom, top

pytest.importorskip("altair")

COSTS = [[0, 1], [5, 0]]
CURVES = {
    "lift": ("fraction", lambda s, ci: s.lift(ci=ci), "lift"),
    "cost": ("threshold", lambda s, ci: s.cost_curve(COSTS, ci=ci), "mean_cost"),
    "decision": ("probability", lambda s, ci: s.decision_curve(ci=ci), "net_benefit"),
}


def few(n=30, seed=5):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return cm.sweep(y, np.clip(0.25 * y + 0.55 * rng.random(n), 0, 1))


def domain(s, name, ci, costs=COSTS):
    spec = getattr(s.plot, name)(*([costs] if name == "cost" else []), ci=ci).to_dict()
    found = []
    for layer in spec["layer"]:
        for part in layer.get("layer", [layer]):
            found.append(part["encoding"]["y"]["scale"]["domain"])
    assert all(one == found[0] for one in found)
    return found[0]


def of_curve(s, name, ci=0.95):
    x, curve, y = CURVES[name]
    frame = curve(s, ci)
    names = {y: "y", f"{y}_low": "low", f"{y}_high": "high"}
    return frame.filter(pl.col(x).is_finite(), pl.col(y).is_not_null()).rename(names)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("n", [30, 300])
def test_a_band_of_few_rows_is_not_cut_at_its_top(name, n):
    s = few(n)
    bare, held = domain(s, name, None), domain(s, name, 0.95)
    high = of_curve(s, name)["high"].quantile(0.9)
    assert held[1] >= min(high, 1.9 * of_curve(s, name)["y"].max())
    assert bare[1] <= held[1] <= 2 * bare[1]
    if n == 30:
        assert held[1] > 1.2 * bare[1]


@pytest.mark.parametrize("name", CURVES)
def test_of_many_rows_the_axis_is_nearly_that_of_the_curve(name):
    s = few(100_000)
    bare, held = domain(s, name, None), domain(s, name, 0.95)
    assert bare[1] <= held[1] < 1.08 * bare[1]
    assert held[0] == bare[0]


def test_below_zero_the_net_benefit_has_half_the_height_at_most():
    s = few(12)
    share = s.n_positive / s.n
    low, high = domain(s, "decision", 0.95)
    assert low == pytest.approx(-0.5 * max(share, of_curve(s, "decision")["y"].max()))
    assert low < domain(s, "decision", None)[0]
    assert high > 0


def test_below_zero_gains_have_twice_their_depth_at_most():
    s = few(30)
    gains = [[-3, 1], [5, -2]]
    deepest = s.cost_curve(gains, ci=0.95)["mean_cost_low"].min()
    bare, held = (domain(s, "cost", ci, gains)[0] for ci in (None, 0.95))
    assert 2 * bare <= held < bare < 0
    assert held == pytest.approx(max(deepest, 2 * bare), rel=0.05)
    above = s.cost_curve(gains, ci=0.95)["mean_cost_high"].quantile(0.9)
    assert domain(s, "cost", None, gains)[1] == 0 < above <= domain(s, "cost", 0.95, gains)[1]


def test_a_band_may_leave_the_axis_for_a_fiftieth_of_its_width():
    at = np.linspace(0, 1, 1_001)
    high = np.where(at < 0.01, 50.0, 1.4)
    curves = {"a": pl.DataFrame({"x": at, "y_high": high, "y_low": 1.2 - high})}
    assert top(curves, "x", "y", 1.0) == pytest.approx(1.05 * 1.4)
    assert bottom(curves, "x", "y", -0.1, -0.5) == pytest.approx(-0.2)
    wide = {"a": curves["a"].with_columns(y_high=pl.when(pl.col("x") < 0.1).then(50).otherwise(1))}
    assert top(wide, "x", "y", 1.0) == 2.0
    assert top({"a": pl.DataFrame({"x": at})}, "x", "y", 1.0) == 1.0
