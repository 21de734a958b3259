"""Pictures: what is drawn is what the curves say, with titles and scales that can be read."""

import math
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from altair import LayerChart
from support.drawn import (
    AXES,
    COST,
    DRAW,
    ONE,
    TITLES,
    TWO,
    P,
    S,
    Y,
    layers,
    marks,
    subtitle,
    values,
)

import confmat as cm
from confmat.plots.pictures import SweepPlots


@pytest.mark.parametrize("name", TITLES)
def test_titles_and_axes(name):
    for plots in (ONE, TWO):
        if plots is TWO and name in ("scores", "metrics"):
            continue
        spec = DRAW[name](plots).to_dict()
        assert spec["title"]["text"] == TITLES[name]
        curve = layers(spec)[-1]["encoding"]
        assert (curve["x"]["title"], curve["y"]["title"]) == AXES[name]


def test_a_roc_curve_holds_the_points_of_the_sweep():
    chart = ONE.roc(ci=None)
    assert isinstance(chart, LayerChart)
    spec = chart.to_dict()
    assert marks(spec) == ["line", "line", "circle"]
    assert spec["width"] == spec["height"]
    assert subtitle(spec) == [
        f"AUC {S.roc_auc:.4f}",
        f"n = 5,000: {Y.sum():,} positive, {(~Y).sum():,} negative",
    ]
    wanted = S.roc_curve()
    drawn = values(spec, 1)
    assert drawn["fpr"].to_list() == wanted["fpr"].to_list()
    assert drawn["tpr"].to_list() == wanted["tpr"].to_list()
    assert drawn["threshold"].to_list() == [None, *wanted["threshold"].to_list()[1:]]
    assert values(spec, 0).rows() == [(0, 0.0, 0.0), (1, 1.0, 1.0)]
    for view in layers(spec):
        for side in "xy":
            assert view["encoding"][side]["scale"]["domain"] == [0, 1]
    assert "legend" not in str(spec)


def test_precision_goes_in_steps_from_no_recall():
    spec = ONE.pr(ci=None).to_dict()
    line = layers(spec)[1]
    assert line["mark"]["interpolate"] == "step-before"
    assert line["encoding"]["order"] == {"field": "at", "type": "quantitative"}
    assert values(spec, 1)["at"].is_sorted()
    curve, drawn = S.pr_curve(), values(spec, 1)
    assert drawn["recall"].to_list() == [0.0, *curve["recall"].to_list()]
    assert drawn["precision"].to_list() == [curve["precision"][0], *curve["precision"].to_list()]
    steps = drawn["recall"].diff().drop_nulls() * drawn["precision"][1:]
    assert steps.sum() == pytest.approx(S.average_precision, rel=1e-12)
    assert values(spec, 0)["precision"].to_list() == [Y.mean()] * 2
    assert layers(spec)[-1]["mark"]["text"] == f"prevalence {Y.mean():.3g}"


def test_det_axes_are_normal_deviates():
    spec = ONE.det().to_dict()
    drawn = values(spec, 1).filter(pl.col("threshold").is_not_null())
    for rate, side in (("fpr", "x"), ("fnr", "y")):
        inside = drawn.filter(pl.col(rate).is_between(0.002, 0.998))
        wanted = [NormalDist().inv_cdf(p) for p in inside[rate]]
        assert inside[side].to_list() == pytest.approx(wanted, rel=1e-12)
        channel = layers(spec)[1]["encoding"][side]
        assert channel["scale"]["domain"] == pytest.approx([-3.0902, 1.6449], abs=1e-4)
        assert '"-3.090": "0.1%"' in channel["axis"]["labelExpr"]
        for at in channel["axis"]["values"]:
            rate = 100 * NormalDist().cdf(at)
            assert f'"{at:.3f}": "{rate:.3g}%"' in channel["axis"]["labelExpr"]
    assert subtitle(spec)[0] == f"equal error rate {S.eer:.4f}"
    sharp = SweepPlots(cm.sweep([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])).det().to_dict()
    low, _ = layers(sharp)[1]["encoding"]["x"]["scale"]["domain"]
    assert low == pytest.approx(-4.2649, abs=1e-4)
    assert set(values(sharp, 1)["y"].round(4)) >= {-4.2649, 4.2649}


def test_lift_between_scores_follows_the_gain():
    coarse = cm.sweep([0, 1, 1, 0], [0.2, 0.2, 0.8, 0.2])
    drawn = values(SweepPlots(coarse).lift(ci=None).to_dict(), 1)
    assert drawn["lift"][0] == drawn["lift"][1] == 2.0
    half = drawn.filter(pl.col("fraction").is_between(0.624, 0.626))
    assert half["lift"][0] == pytest.approx(0.75 / half["fraction"][0], abs=1e-3)
    assert drawn["lift"][-1] == 1.0
    assert values(ONE.lift().to_dict(), 0).select("fraction", "lift").rows() == [(0, 1), (1, 1)]
    spec = ONE.gain(ci=None).to_dict()
    assert spec["width"] == spec["height"]
    assert values(spec, 2)["gain"].to_list() == S.lift()["gain"].to_list()
    assert values(spec, 1).select("fraction", "gain").rows() == [(0, 0), (Y.mean(), 1), (1, 1)]


def test_histograms_of_scores():
    spec = ONE.scores(bins=20).to_dict()
    assert marks(spec) == ["area", "line"]
    drawn = values(spec, 0)
    for truth in (False, True):
        counts, edges = np.histogram(P[truth == Y], np.arange(21) / 20)
        part = drawn.filter(series=str(truth))
        assert part["score"].to_list() == pytest.approx(edges.tolist(), abs=1e-15)
        assert part["share"].to_list()[:-1] == pytest.approx(counts / counts.sum(), rel=1e-12)
    assert layers(spec)[0]["encoding"]["y"]["stack"] is None
    assert len(TWO.scores().to_dict()["vconcat"]) == 2
    for bins in (0, 1001, True, 2.0):
        with pytest.raises(cm.InputError, match=r"`bins` is .*; wanted a whole number"):
            ONE.scores(bins=bins)


def test_infinite_scores_are_told_not_drawn():
    s = cm.sweep([0, 1, 1, 0], [-math.inf, 0.2, math.inf, 3.0])
    spec = SweepPlots(s).scores().to_dict()
    assert subtitle(spec) == ["2 rows with infinite scores are not shown"]
    assert "infinite" not in str(ONE.scores().to_dict()["title"])
    assert layers(spec)[0]["encoding"]["x"]["scale"]["domain"] == [0.2, 3.0]
    assert values(spec, 0).group_by("series").agg(pl.col("share").head(50).sum()).sort(
        "series"
    ).rows() == [("0", 0.5), ("1", 0.5)]


def test_calibration_shows_the_table_over_a_histogram():
    chart = ONE.calibration(bins=8, strategy="quantile")
    spec = chart.to_dict()
    upper, lower = spec["vconcat"]
    assert (upper["width"], upper["height"]) == (lower["width"], upper["width"])
    assert [view["mark"]["type"] for view in upper["layer"]] == ["line", "area", "line", "circle"]
    calibration = S.calibration(8, "quantile")
    drawn = values(spec, 1)
    columns = ["mean_score", "fraction_positive", "ci_low", "ci_high", "n"]
    assert drawn.select(columns).equals(calibration.table().select(columns))
    assert upper["title"]["subtitle"][:2] == [
        f"ECE {calibration.ece:.4f}",
        "8 quantile bins, band: 95% interval (Wilson)",
    ]
    rows = values(spec, -1)["rows"].to_list()
    assert rows[:-1] == np.histogram(P, np.arange(21) / 20)[0].tolist()


def test_isotonic_calibration_goes_in_steps():
    spec = ONE.calibration(strategy="isotonic").to_dict()
    table = S.calibration(strategy="isotonic").table()
    drawn = values(spec, 1)
    ends = np.stack([table["lo"], table["hi"]], axis=1).ravel()
    assert drawn["mean_score"].to_list() == ends.tolist()
    assert "area" not in marks(spec)


def test_metrics_by_threshold_mark_the_best():
    spec = ONE.metrics(["mcc", "f1"]).to_dict()
    assert marks(spec) == ["line", "circle", "circle"]
    table = S.table(["mcc", "f1"])
    best = values(spec, -1)
    for name in ("mcc", "f1"):
        line = values(spec, 0).filter(series=name)
        assert line["threshold"].is_sorted(descending=True)
        held = dict(line.select("threshold", "value").rows())
        # Both ends of a step: the value of a threshold comes last at the next lower one.
        starts = line.group_by("threshold", maintain_order=True).agg(pl.col("value").last())
        wanted = table.select("threshold", name).filter(pl.col(name).is_not_null())
        joined = wanted.join(starts, on="threshold")
        assert joined.height == wanted.height
        assert (joined[name] == joined["value"]).all()
        assert (line["threshold"][0], line["threshold"][-1]) == (1.0, 0.0)
        threshold, value = S.best(name)
        assert best.filter(series=name).select("threshold", "value").rows() == [(threshold, value)]
        assert value in held.values()
        label = f"{name}: best {value:.4g} at {threshold:.4g}"
        assert label in layers(spec)[0]["encoding"]["color"]["legend"]["labelExpr"]
    panels = TWO.metrics(["mcc", "f1"]).to_dict()["hconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["plain", "root"]
    line, *_, dot = layers(ONE.metrics("mcc").to_dict())
    assert dot["encoding"]["color"] == line["encoding"]["color"] != {}
    line, *_, dot = layers(TWO.metrics("mcc").to_dict())
    assert dot["encoding"]["color"]["field"] == line["encoding"]["color"]["field"] == "series"
    no_best = ONE.metrics("predicted_prevalence").to_dict()
    assert not values(no_best, -1).height
    undefined = SweepPlots(cm.sweep([0, 0], [0.1, 0.2])).metrics("recall").to_dict()
    assert not values(undefined, -1).height
    with pytest.raises(cm.InputError, match="`metrics` is empty"):
        ONE.metrics([])
    with pytest.raises(cm.InputError, match="no_such"):
        ONE.metrics(["no_such"])


def test_steps_break_where_a_metric_is_undefined():
    wrong = cm.sweep([1, 1, 0, 0], [0.1, 0.2, 0.8, 0.9])
    line = values(SweepPlots(wrong).metrics("mcc").to_dict(), 0)
    assert line.select("threshold", pl.col("value").round(3)).rows() == [
        (1.0, None), (0.9, None), (0.9, -0.577), (0.8, -0.577), (0.8, -1.0), (0.2, -1.0),
        (0.2, -0.577), (0.1, -0.577), (0.1, None), (0.0, None),
    ]  # fmt: skip


def test_cost_marks_the_cheapest_threshold():
    spec = ONE.cost(COST).to_dict()
    frame = S.cost_curve(COST)
    lowest = frame["mean_cost"].min()
    at = frame.filter(pl.col("mean_cost") == lowest)["threshold"].max()
    assert values(spec, -1).select("threshold", "value").rows() == [(at, lowest)]
    assert subtitle(spec) == [
        f"lowest {lowest:.4g} at {at:.4g}",
        "costs: false positive 1, false negative 5",
        "band: 95% interval of mean cost of a row (MOVER)",
    ]
    never = SweepPlots(cm.sweep([0, 0, 1], [0.9, 0.5, 0.1])).cost([[0, 9], [1, 0]]).to_dict()
    assert subtitle(never)[0] == "lowest 0.3333 at +inf"
    assert values(never, -1)["threshold"].to_list() == [1.0]
    full = ONE.cost([[-1, 2], [3, -4]]).to_dict()
    assert subtitle(full)[1].endswith("true positive -4, true negative -1")


def test_decision_curve_and_its_references():
    spec = ONE.decision(ci=None).to_dict()
    drawn, everyone = values(spec, 2), values(spec, 1)
    assert values(spec, 0).select("probability", "net_benefit").rows() == [(0, 0), (1, 0)]
    wanted = S.decision_curve(drawn["probability"].to_list())
    assert drawn["net_benefit"].to_list() == wanted["net_benefit"].to_list()
    wanted = S.decision_curve(everyone["probability"].to_list())
    assert everyone["net_benefit"].to_list() == pytest.approx(wanted["treat_all"].to_list())
    low, high = layers(spec)[2]["encoding"]["y"]["scale"]["domain"]
    assert low < 0 < Y.mean() < high
    with pytest.raises(cm.InputError, match="probabilities"):
        SweepPlots(cm.sweep([0, 1], [-2.0, 5.0])).decision()


def test_captions_of_bins_give_the_interval():
    b = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
    assert subtitle(SweepPlots(b).roc().to_dict())[0] == "AUC 0.7500 to 1.0000"
    exact = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.2, 0.375, 0.6, 1.0])
    assert subtitle(SweepPlots(exact).roc().to_dict())[0] == "AUC 0.7500"


def test_bands_of_curves():
    """The band is the interval at each threshold; the widest where several have one rate."""
    rng = np.random.default_rng(3)
    y, scores = rng.random(60) < 0.5, rng.random(60)
    s = cm.sweep(y, scores)
    for chart, curve, x, up in (
        (s.plot.roc(ci=0.9), s.roc_curve(ci=0.9), "fpr", "tpr"),
        (s.plot.pr(ci=0.9), s.pr_curve(ci=0.9), "recall", "precision"),
    ):
        drawn = chart.to_dict()
        (band,) = [layer for layer in drawn["layer"] if "area" in str(layer.get("mark"))]
        found = pl.DataFrame(drawn["datasets"][band["data"]["name"]])
        assert (band["encoding"]["y"]["field"], band["encoding"]["y2"]["field"]) == (
            f"{up}_low",
            f"{up}_high",
        )
        wanted = curve.group_by(x).agg(pl.min(f"{up}_low"), pl.max(f"{up}_high")).sort(x)
        assert np.allclose(found.select(wanted.columns).unique(x).sort(x), wanted)
        assert "band: 90% interval" in str(drawn["title"])
    with pytest.raises(cm.InputError, match="`ci` is 3"):
        s.plot.roc(ci=3)


UP = {"roc": "tpr", "pr": "precision", "lift": "lift", "gain": "gain", "cost": "value"}
UP |= {"decision": "net_benefit"}


@pytest.mark.parametrize("name", UP)
@pytest.mark.parametrize("of", [S, cm.sweep(Y, P, bins="unit")], ids=["scores", "bins"])
def test_bands_are_drawn_unless_they_are_not_wanted(name, of):
    plots, costs = SweepPlots(of), [COST] if name == "cost" else []
    usual = DRAW[name](plots).to_dict()
    assert usual == getattr(plots, name)(*costs, ci=0.95).to_dict()
    at = marks(usual).index("area")
    assert marks(usual)[at + 1] == "line"
    assert sum("band: 95% interval of" in line for line in subtitle(usual)) == 1
    without = getattr(plots, name)(*costs, ci=None).to_dict()
    assert marks(without) == [mark for mark in marks(usual) if mark != "area"]
    assert not any("band" in line for line in subtitle(without))
    up, band = UP[name], values(usual, at)
    assert (band[f"{up}_low"] <= band[f"{up}_high"]).all()
    assert (band[f"{up}_low"] < band[f"{up}_high"]).mean() > 0.99
    with pytest.raises(cm.InputError, match="`ci` is 3"):
        getattr(plots, name)(*costs, ci=3)


@pytest.mark.parametrize(
    "of", [cm.sweep(Y[:60], P[:60]), cm.sweep([0, 1, 1, 0, 1], [0.2, 0.2, 0.8, 0.2, 0.4])]
)
def test_bands_are_the_intervals_of_the_curves(of):
    plots = SweepPlots(of)
    for name, curve, x in (
        ("lift", of.lift(ci=0.9), "fraction"),
        ("gain", of.lift(ci=0.9), "fraction"),
        ("cost", of.cost_curve(COST, ci=0.9), "threshold"),
    ):
        spec = getattr(plots, name)(*([COST] if name == "cost" else []), ci=0.9).to_dict()
        up = "mean_cost" if name == "cost" else name
        band = values(spec, marks(spec).index("area"))
        band.columns = [column.replace("value", up) for column in band.columns]
        for at, low, high in curve.select(x, f"{up}_low", f"{up}_high").drop_nulls().rows():
            near = band.filter((pl.col(x) - at).abs() < (2e-3 if name == "lift" else 1e-9))
            ends = near.select(f"{up}_low", f"{up}_high").rows()
            assert not math.isfinite(at) or any(
                (low, high) == pytest.approx(row, rel=0.05) for row in ends
            )


def test_the_lift_between_scores_lies_in_its_band():
    """Both are straight as shares of positives; the chord of a band would leave the lift out."""
    few = cm.sweep([0, 1, 1, 0] * 2_000, [0.2, 0.2, 0.8, 0.2] * 2_000).plot.lift().to_dict()
    band, line = values(few, 1), values(few, 2)
    low, high = (
        np.interp(line["fraction"], band["fraction"], band[f"lift_{end}"])
        for end in ("low", "high")
    )
    assert (low <= line["lift"].to_numpy() + 1e-4).all()
    assert (line["lift"].to_numpy() - 1e-4 <= high).all()


def test_the_band_of_a_cost_holds_where_its_step_does():
    s = cm.sweep([0, 1, 1, 0], [0.2, 0.5, 0.8, 0.2])
    spec = s.plot.cost(COST).to_dict()
    view = layers(spec)[0]
    assert (view["mark"]["type"], view["mark"]["interpolate"]) == ("area", "step-before")
    curve = s.cost_curve(COST, ci=0.95)
    low = dict(curve.select(pl.col("threshold").clip(0, 1), "mean_cost_low").rows())
    found = dict(values(spec, 0).select("threshold", "value_low").rows())
    assert found == pytest.approx(low | {0.0: low[0.2]})


def test_each_of_several_curves_has_a_band_and_of_more_than_colors_none():
    for name in UP:
        spec = DRAW[name](TWO).to_dict()
        at = marks(spec).index("area")
        assert set(values(spec, at)["series"]) == {"plain", "root"}
        colors = layers(spec)[at]["encoding"]["color"]["scale"]["range"]
        assert colors == layers(spec)[at + 1]["encoding"]["color"]["scale"]["range"]
        many = {f"model {at}": S for at in range(8)}
        assert "area" not in marks(DRAW[name](cm.plot(many)).to_dict())
        del many["model 7"]
        assert "area" in marks(DRAW[name](cm.plot(many)).to_dict())


def test_where_no_interval_is_known_no_band_is_drawn_or_told():
    s = cm.from_bytes(cm.sweep(Y, P).at_prevalence(0.01).to_bytes())
    one_class = cm.sweep([1, 1], [0.2, 0.3])
    assert s.roc_curve(ci=0.9)["tpr_low"].is_null().all()
    unknown = [(s, name) for name in UP]
    for of, name in (*unknown, (cm.sweep([0, 0], [0.2, 0.3]), "roc")):
        spec = DRAW[name](SweepPlots(of)).to_dict()
        assert "area" not in marks(spec)
        assert not any("band" in line for line in subtitle(spec))
    both = cm.plot({"known": S, "other": s}).roc().to_dict()
    assert set(values(both, 1)["series"]) == {"known"}
    assert "area" in marks(DRAW["roc"](SweepPlots(one_class)).to_dict())
