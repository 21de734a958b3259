"""Pictures: what is drawn is what the curves say, with titles and scales that can be read."""

import math
import sys
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from altair import LayerChart

import confmat as cm
from confmat.plots import SweepPlots
from confmat.plots_lines import denser, thin
from confmat.plots_thresholds import _fewer

RNG = np.random.default_rng(7)
Y = RNG.random(5_000) < 0.3
P = np.round(np.clip(RNG.normal(0.35 + 0.25 * Y, 0.15), 0, 1), 3)
S = cm.sweep(Y, P)
T = cm.sweep(Y, np.round(np.sqrt(P), 3))
ONE = S.plot
TWO = cm.plot({"plain": S, "root": T})
M = cm.ConfusionMatrix([[80, 15], [3, 1]], labels=["cat", "dog"])
COST = [[0, 1], [5, 0]]
DRAW = {
    "roc": lambda plots: plots.roc(),
    "pr": lambda plots: plots.pr(),
    "det": lambda plots: plots.det(),
    "lift": lambda plots: plots.lift(),
    "gain": lambda plots: plots.gain(),
    "scores": lambda plots: plots.scores(),
    "calibration": lambda plots: plots.calibration(),
    "isotonic": lambda plots: plots.calibration(strategy="isotonic"),
    "metrics": lambda plots: plots.metrics(),
    "accuracy": lambda plots: plots.metrics("accuracy"),
    "cost": lambda plots: plots.cost(COST),
    "decision": lambda plots: plots.decision(),
}
TITLES = {
    "roc": "ROC curve",
    "pr": "Precision-recall curve",
    "det": "Detection error tradeoff",
    "lift": "Lift",
    "gain": "Cumulative gain",
    "scores": "Scores by class",
    "metrics": "Metrics by threshold",
    "accuracy": "accuracy by threshold",
    "cost": "Cost by threshold",
    "decision": "Decision curve",
}
AXES = {
    "roc": ("False positive rate", "True positive rate (recall)"),
    "pr": ("Recall", "Precision"),
    "det": ("False positive rate", "False negative rate (miss rate)"),
    "lift": ("Share of rows, highest scores first", "Lift"),
    "gain": ("Share of rows, highest scores first", "Share of positives found"),
    "scores": ("Score", "Share of the class"),
    "metrics": ("Threshold", "Value"),
    "accuracy": ("Threshold", "accuracy"),
    "cost": ("Threshold", "Mean cost of a row"),
    "decision": ("Threshold probability", "Net benefit"),
}


def layers(spec):
    """Return the single views of a chart, from the lowest up, with their data."""
    found = []
    for key in ("layer", "vconcat", "hconcat"):
        for part in spec.get(key, ()):
            found += layers(part)
    return found or [spec]


def values(spec, at):
    """Return the data of one view as a frame."""
    view = layers(spec)[at]
    data = view.get("data", spec.get("data"))
    rows = data.get("values") or spec["datasets"][data["name"]]
    return pl.DataFrame(rows, infer_schema_length=None)


def marks(spec):
    return [view["mark"]["type"] for view in layers(spec)]


def subtitle(spec):
    return spec["title"]["subtitle"]


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
    chart = ONE.roc()
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
    spec = ONE.pr().to_dict()
    line = layers(spec)[1]
    assert line["mark"]["interpolate"] == "step-before"
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
    assert subtitle(spec)[0] == f"equal error rate {S.eer:.4f}"
    sharp = SweepPlots(cm.sweep([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])).det().to_dict()
    low, _ = layers(sharp)[1]["encoding"]["x"]["scale"]["domain"]
    assert low == pytest.approx(-4.2649, abs=1e-4)
    assert set(values(sharp, 1)["y"].round(4)) >= {-4.2649, 4.2649}


def test_lift_between_scores_follows_the_gain():
    coarse = cm.sweep([0, 1, 1, 0], [0.2, 0.2, 0.8, 0.2])
    drawn = values(SweepPlots(coarse).lift().to_dict(), 1)
    assert drawn["lift"][0] == drawn["lift"][1] == 2.0
    half = drawn.filter(pl.col("fraction").is_between(0.624, 0.626))
    assert half["lift"][0] == pytest.approx(0.75 / half["fraction"][0], abs=1e-3)
    assert drawn["lift"][-1] == 1.0
    spec = ONE.gain().to_dict()
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
    no_best = ONE.metrics("predicted_prevalence").to_dict()
    assert not values(no_best, -1).height
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
    ]
    never = SweepPlots(cm.sweep([0, 0, 1], [0.9, 0.5, 0.1])).cost([[0, 9], [1, 0]]).to_dict()
    assert subtitle(never)[0] == "lowest 0.3333 at +inf"
    assert values(never, -1)["threshold"].to_list() == [1.0]
    full = ONE.cost([[-1, 2], [3, -4]]).to_dict()
    assert subtitle(full)[1].endswith("true positive -4, true negative -1")


def test_decision_curve_and_its_references():
    spec = ONE.decision().to_dict()
    drawn, everyone = values(spec, 2), values(spec, 1)
    wanted = S.decision_curve(drawn["probability"].to_list())
    assert drawn["net_benefit"].to_list() == wanted["net_benefit"].to_list()
    wanted = S.decision_curve(everyone["probability"].to_list())
    assert everyone["net_benefit"].to_list() == pytest.approx(wanted["treat_all"].to_list())
    low, high = layers(spec)[2]["encoding"]["y"]["scale"]["domain"]
    assert low < 0 < Y.mean() < high
    with pytest.raises(cm.InputError, match="probabilities"):
        SweepPlots(cm.sweep([0, 1], [-2.0, 5.0])).decision()


@pytest.mark.parametrize("name", DRAW)
def test_several_sweeps_share_a_legend(name):
    spec = DRAW[name](TWO).to_dict()
    if name == "scores":
        return
    looks = [view["encoding"] for view in layers(spec) if "strokeDash" in view["encoding"]]
    names = ["mcc", "f1", "precision", "recall"] if name == "metrics" else ["plain", "root"]
    assert looks
    for look in looks:
        for channel in ("color", "strokeDash"):
            assert look[channel]["scale"]["domain"] == names
            assert len(set(map(str, look[channel]["scale"]["range"]))) == len(names)
            assert look[channel]["legend"]["labelLimit"] == 0


def test_forty_series_have_looks_of_their_own():
    many = {f"model {at}": cm.sweep([0, 1], [0.2, 0.8]) for at in range(40)}
    encoding = layers(cm.plot(many).roc().to_dict())[1]["encoding"]
    pairs = zip(
        encoding["color"]["scale"]["range"],
        map(str, encoding["strokeDash"]["scale"]["range"]),
        strict=True,
    )
    assert len(set(pairs)) == 40


@pytest.mark.parametrize(
    ("y", "p"),
    [
        ([0, 0, 0], [0.1, 0.2, 0.3]),
        ([1, 1], [0.5, 0.7]),
        ([0, 1, 1, 0], [0.5] * 4),
        (np.zeros(0, bool), np.zeros(0)),
    ],
)
@pytest.mark.parametrize("name", DRAW)
def test_degenerate_sweeps_are_drawn(name, y, p):
    chart = DRAW[name](SweepPlots(cm.sweep(y, p)))
    text = chart.to_json()
    assert "NaN" not in text
    assert "Infinity" not in text


def test_undefined_values_are_named():
    plots = SweepPlots(cm.sweep([0, 0], [0.1, 0.2]))
    assert subtitle(plots.roc().to_dict()) == ["AUC undefined", "n = 2: 0 positive, 2 negative"]
    assert subtitle(plots.pr().to_dict())[0] == "AP undefined"
    assert subtitle(plots.metrics("recall").to_dict())[0] == "undefined"


@pytest.mark.parametrize("name", DRAW)
def test_binned_sweeps_are_drawn(name):
    edges = np.array([0, 0.1, 0.2, 0.4, 0.7, 1.0, 1.1])
    binned = cm.sweep(Y, P, bins=edges)
    spec = DRAW[name](SweepPlots(binned)).to_dict()
    if name == "roc":
        assert values(spec, 1).height == len(binned.lower) + 1
    if name == "scores":  # bins are spread evenly over their width
        part = values(spec, 0).filter(series="True").head(4)
        assert part["share"].to_list() == pytest.approx([part["share"][0]] * 4, rel=1e-12)


def test_bins_without_an_end_lie_at_the_end_they_have():
    s = cm.sweep([0, 1, 1, 0], [0.2, 1.0, 1.0, 0.7], bins=np.array([0.0, 0.5, 1.0]))
    assert s.upper[0] == math.inf
    rows = values(s.plot.calibration().to_dict(), -1)["rows"]
    assert rows.head(20).sum() == pytest.approx(4)
    assert rows[19] == pytest.approx(2.1)
    assert values(s.plot.scores(bins=4).to_dict(), 0).filter(series="1")["share"].to_list() == [
        0, 0, 0, 1, 1
    ]  # fmt: skip


def test_weighted_sweeps_tell_weights():
    s = cm.sweep([0, 1, 1], [0.1, 0.5, 0.9], sample_weight=[0.5, 1.25, 1.0])
    assert subtitle(SweepPlots(s).roc().to_dict())[1] == "n = 2.8: 2.2 positive, 0.5 negative"


def test_long_curves_are_thinned_without_moving():
    rng = np.random.default_rng(1)
    y = rng.random(60_000) < 0.4
    s = cm.sweep(y, rng.normal(y * 1.0))
    spec = SweepPlots(s).roc().to_dict()
    drawn, whole = values(spec, 1), s.roc_curve()
    assert 500 < drawn.height <= 2_000 < whole.height
    assert drawn.select("fpr", "tpr")[[0, -1]].rows() == [(0.0, 0.0), (1.0, 1.0)]
    path = drawn["fpr"].to_numpy() + drawn["tpr"].to_numpy()
    full = whole["fpr"].to_numpy() + whole["tpr"].to_numpy()
    for side in ("fpr", "tpr"):
        between = np.interp(full, path, drawn[side].to_numpy())
        assert np.abs(between - whole[side].to_numpy()).max() < 0.0021
    several = cm.plot({f"{at}": s for at in range(8)}).roc().to_dict()
    assert values(several, 1).height <= 4_000


def test_steps_are_made_of_fewer_rows_that_draw_the_same():
    rng = np.random.default_rng(4)
    s = cm.sweep(rng.random(60_000) < 0.4, rng.random(60_000))
    curve = s.table(["mcc"]).select("threshold", value="mcc")
    best = s.best("mcc")
    few = _fewer(curve, best)
    assert few.height <= 20_001 < curve.height
    assert best in few.rows()
    assert few[[0, -1]].equals(curve[[0, -1]])
    spread = curve["value"].max() - curve["value"].min()
    span = curve["threshold"].max() - curve["threshold"].min()
    moves = [
        curve["threshold"].diff().abs().sum() / span,
        curve["value"].diff().abs().sum() / spread,
    ]
    step = sum(moves) / 9_998
    kept = few.with_columns(at="threshold", is_at="value")
    near = curve.sort("threshold").join_asof(
        kept.sort("threshold"), on="threshold", strategy="forward", suffix="_kept"
    )
    assert ((near["value"] - near["is_at"]).abs() / spread).max() <= step * (1 + 1e-9)
    assert ((near["threshold"] - near["at"]).abs() / span).max() <= step * (1 + 1e-9)


def test_thin_keeps_corners():
    corner = pl.DataFrame({"x": [*np.zeros(5_000), 1.0], "y": [*np.linspace(0, 1, 5_000), 1.0]})
    assert thin(corner, ["x", "y"], 10)[-2:].rows() == [(0.0, 1.0), (1.0, 1.0)]
    flat = pl.DataFrame({"x": np.ones(100), "y": np.full(100, np.nan)})
    assert 2 <= thin(flat, ["x", "y"], 10).height <= 10


def test_denser_lies_on_the_curve():
    made = denser(pl.DataFrame({"x": [0.0, 1.0, 3.0], "t": [1, 2, 3]}), ["x"], 4)
    assert made.rows() == [(0.0, 1), (0.5, None), (1.0, 2), (2.0, None), (3.0, 3)]


def test_several_sweeps_must_be_sweeps():
    with pytest.raises(cm.InputError, match="`sweeps` is empty; wanted a sweep, or a mapping"):
        cm.plot({})
    with pytest.raises(cm.InputError, match="`sweeps` is a list; wanted a sweep, or a mapping"):
        cm.plot([S])
    with pytest.raises(cm.InputError, match="holds a ConfusionMatrix under 'm'; wanted a sweep"):
        cm.plot({"m": M})
    with pytest.raises(cm.InputError, match="two names that are both shown as '1'"):
        cm.plot({1: S, "1": T})


def test_labels_cannot_end_a_script(tmp_path):
    evil = "</script><script>alert(1)</script><!--"
    m = cm.ConfusionMatrix([[1, 2], [3, 4]], labels=[evil, "a < b"])
    s = cm.sweep([evil, "b"], [0.1, 0.9], pos_label="b")
    for chart in (m.plot(), cm.plot({evil: s, "b": s}).roc(), SweepPlots(s).scores()):
        chart.save(tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text("utf-8")
        assert "script>alert(1)" in page
        assert "<script>alert(1)" not in page
        assert "<!--" not in page.partition("<body>")[2]
    assert "a < b" in m.plot().to_json()


@pytest.mark.parametrize("chart", [ONE.roc, TWO.calibration, M.plot], ids=["roc", "two", "matrix"])
def test_pictures_are_saved_without_a_browser(chart, tmp_path):
    made = chart()
    for end, start in (("png", b"\x89PNG"), ("svg", b"<svg"), ("html", b"<!DOCTYPE html>")):
        made.save(tmp_path / f"picture.{end}")
        assert (tmp_path / f"picture.{end}").read_bytes().lstrip().startswith(start)


def test_pictures_go_side_by_side():
    side = ONE.roc() | M.plot() | TWO.calibration()
    assert len(side.to_dict()["hconcat"]) == 3


def test_the_missing_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("confmat.plots_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "altair", None)
    for draw in (ONE.roc, M.plot, TWO.calibration):
        with pytest.raises(cm.ConfmatError, match=r"pictures need Altair.*'confmat\[plot\]'"):
            draw()


def test_importing_confmat_does_not_import_altair():
    import subprocess

    code = "import sys, confmat; assert 'altair' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_one_sweep_alone_is_drawn_as_by_its_plot():
    assert cm.plot(S).roc().to_dict() == S.plot.roc().to_dict()


def test_pictures_name_the_argument_that_is_wrong():
    with pytest.raises(cm.InputError, match="`cost` is needed; wanted a 2 x 2 matrix: rows true"):
        S.plot.cost()
    with pytest.raises(cm.InputError, match="'roc_auc' is one number of a whole sweep"):
        S.plot.metrics(["roc_auc"])
