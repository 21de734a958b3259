"""What any picture can be asked for: a title, a width, a marked threshold, the part of an axis."""

import math
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from support.drawn import COST, ONE, TWO, M, S, T, layers, subtitle, values

import confmat as cm
from confmat.plots.pictures import SweepPlots

DRAW = {
    "roc": lambda plots, **asked: plots.roc(**asked),
    "pr": lambda plots, **asked: plots.pr(**asked),
    "det": lambda plots, **asked: plots.det(**asked),
    "lift": lambda plots, **asked: plots.lift(**asked),
    "gain": lambda plots, **asked: plots.gain(**asked),
    "scores": lambda plots, **asked: plots.scores(**asked),
    "calibration": lambda plots, **asked: plots.calibration(**asked),
    "isotonic": lambda plots, **asked: plots.calibration(strategy="isotonic", **asked),
    "metrics": lambda plots, **asked: plots.metrics(**asked),
    "accuracy": lambda plots, **asked: plots.metrics("accuracy", **asked),
    "cost": lambda plots, **asked: plots.cost(COST, **asked),
    "decision": lambda plots, **asked: plots.decision(**asked),
}
DOTTED = ("roc", "pr", "det", "lift", "gain")
LINED = tuple(name for name in DRAW if name not in DOTTED)


def kind(view):
    return view["mark"]["type"]


def texts(spec):
    """Return every title and subtitle of a specification."""
    found = []
    if "title" in spec:
        text = spec["title"]["text"]
        found += [text] if isinstance(text, str) else text
        found += spec["title"].get("subtitle", [])
    for key in ("vconcat", "hconcat"):
        for part in spec.get(key, ()):
            found += texts(part)
    return found


@pytest.mark.parametrize("plots", [ONE, TWO], ids=["one", "two"])
@pytest.mark.parametrize("name", DRAW)
def test_a_title_and_a_width(name, plots):
    spec = DRAW[name](plots, title="mine\n<b>two</b>", width=200).to_dict()
    assert texts(spec)[:2] == ["mine", "\u2039b>two\u2039/b>"]
    panels = spec.get("vconcat") or spec.get("hconcat") or [spec]
    assert {panel["width"] for panel in panels} == {200}
    usual = DRAW[name](plots).to_dict()
    for panel, old in zip(
        panels, usual.get("vconcat") or usual.get("hconcat") or [usual], strict=True
    ):
        assert panel["height"] / 200 == pytest.approx(old["height"] / old["width"], abs=0.01)


@pytest.mark.parametrize("name", DOTTED)
def test_a_threshold_is_a_dot_on_each_curve(name):
    m, n = S.at(0.4), T.at(0.4)
    for plots, matrices in ((ONE, [m]), (TWO, [m, n])):
        spec = DRAW[name](plots, mark=0.4).to_dict()
        at = next(i for i, view in enumerate(layers(spec)) if kind(view) == "point")
        dots = values(spec, at)
        fields = [layers(spec)[at]["encoding"][side]["field"] for side in "xy"]
        for row, one in zip(dots.iter_rows(named=True), matrices, strict=True):
            (tn, fp), (fn, tp) = one.counts.tolist()
            share = (tp + fp) / one.n
            known = {
                "fpr": fp / (fp + tn),
                "tpr": tp / (tp + fn),
                "recall": tp / (tp + fn),
                "precision": tp / (tp + fp),
                "fraction": share,
                "lift": tp / (tp + fn) / share,
                "gain": tp / (tp + fn),
                "x": NormalDist().inv_cdf(fp / (fp + tn)),
                "y": NormalDist().inv_cdf(fn / (tp + fn)),
            }
            assert row["threshold"] == 0.4
            for field in fields:
                assert row[field] == pytest.approx(known[field], rel=1e-12)
        assert any("marked: threshold 0.4" in text for text in texts(spec))
        curve = values(spec, at - 2).filter(series="plain") if len(matrices) > 1 else None
        assert curve is None or curve.height


@pytest.mark.parametrize("plots", [ONE, TWO], ids=["one", "two"])
@pytest.mark.parametrize("name", LINED)
def test_a_threshold_is_a_line_where_thresholds_are_the_axis(name, plots):
    spec = DRAW[name](plots, mark=0.4).to_dict()
    rules = [at for at, view in enumerate(layers(spec)) if kind(view) == "rule"]
    assert len(rules) == (2 if plots is TWO and name in ("scores", "metrics") else 1)
    for at in rules:
        assert values(spec, at)["threshold"].to_list() == [0.4]
        assert values(spec, at)[layers(spec)[at]["encoding"]["x"]["field"]].to_list() == [0.4]
    assert "marked: threshold 0.4" in texts(spec)
    assert not [view for view in layers(DRAW[name](plots).to_dict()) if kind(view) == "rule"]


def test_the_title_tells_the_rates_of_one_sweep():
    m = S.at(0.4)
    fpr, tpr = (m.value(name, pos_label=True) for name in ("false_positive_rate", "recall"))
    told = f"marked: threshold 0.4, fpr {fpr:.4f}, tpr {tpr:.4f}"
    assert told in subtitle(ONE.roc(mark=0.4).to_dict())


@pytest.mark.parametrize("mark", [math.inf, -3.5, np.float32(1)])
@pytest.mark.parametrize("name", DRAW)
def test_any_threshold_can_be_marked(name, mark):
    none = SweepPlots(cm.sweep([0, 0], [0.1, 0.2]))
    binned = SweepPlots(cm.sweep([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.3], bins=[0.0, 0.5, 1.0]))
    for plots in (ONE, none, binned):
        text = DRAW[name](plots, mark=mark).to_json()
        assert "NaN" not in text
        assert "Infinity" not in text
        assert "marked: threshold" in text


def test_a_binned_sweep_marks_the_nearer_edge():
    s = cm.sweep([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.3], bins=[0.0, 0.5, 1.0])
    spec = s.plot.roc(mark=0.45).to_dict()
    assert values(spec, -1).select("fpr", "tpr").rows() == [(0.0, 0.5)]


@pytest.mark.parametrize("limit", [0.001, 0.1, 0.5])
def test_the_false_positive_rates_drawn(limit):
    rng = np.random.default_rng(3)
    s = cm.sweep(rng.random(50_000) < 0.4, rng.random(50_000))
    spec = s.plot.roc(max_fpr=limit, ci=None).to_dict()
    line = layers(spec)[1]
    assert line["encoding"]["x"]["scale"]["domain"] == [0, limit]
    drawn = values(spec, 1)["fpr"]
    whole = s.roc_curve()["fpr"]
    inside = (whole <= limit).sum()
    assert (drawn <= limit).sum() >= min(inside, 500)
    assert drawn[-1] >= limit
    low, high = s.bounds("partial_auc", max_fpr=limit)
    assert low == high
    assert f"partial AUC {low:.4f} (to fpr {limit:g}, standardized)" in subtitle(spec)
    assert ONE.roc(max_fpr=1.0).to_dict() == ONE.roc().to_dict()
    several = TWO.roc(max_fpr=limit, mark=0.4).to_dict()
    assert layers(several)[1]["encoding"]["x"]["scale"]["domain"] == [0, limit]


def test_a_dot_out_of_the_picture_is_not_drawn():
    fpr = S.at(0.4).counts[0, 1] / S.n_negative
    assert values(ONE.roc(mark=0.4, max_fpr=fpr * 1.01).to_dict(), -1).height == 1
    assert values(ONE.roc(mark=0.4, max_fpr=fpr * 0.99).to_dict(), -1).height == 0


WRONG = [
    ({"mark": "0.4"}, "`mark` is '0.4'; wanted a threshold"),
    ({"mark": True}, "`mark` is True; wanted a threshold"),
    ({"mark": math.nan}, "`mark` is nan; wanted a threshold"),
    ({"mark": [0.4]}, r"`mark` is \[0.4\]; wanted a threshold"),
    ({"mark": 10**400}, "`mark` is a int; wanted a threshold"),
    ({"title": 3}, "`title` is 3; wanted a text"),
    ({"title": b"\x1b"}, "`title` is b'.*'; wanted a text"),
    ({"width": 0}, "`width` is 0; wanted a number of pixels from 50 to 10000"),
    ({"width": math.inf}, "`width` is inf; wanted a number of pixels"),
    ({"width": "wide"}, "`width` is 'wide'; wanted a number of pixels"),
    ({"width": np.zeros(3)}, r"`width` is array.*; wanted a number of pixels"),
]


@pytest.mark.parametrize(("asked", "told"), WRONG)
def test_what_cannot_be_asked_for(asked, told):
    for draw in DRAW.values():
        with pytest.raises(cm.InputError, match=told):
            draw(ONE, **asked)
    if "mark" not in asked:
        with pytest.raises(cm.InputError, match=told):
            M.plot(**asked)


@pytest.mark.parametrize("limit", [0, -0.5, 1.5, math.nan, "0.1", True, pl.Series([0.1])])
def test_limits_that_are_none(limit):
    with pytest.raises(cm.InputError, match=r"`max_fpr` is .*; wanted a number in \(0, 1\]"):
        ONE.roc(max_fpr=limit)


@pytest.mark.parametrize("name", ["roc", "metrics"])
def test_marked_pictures_are_saved(name, tmp_path):
    DRAW[name](TWO, mark=0.4, title="two", width=120).save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text().startswith("<svg")
