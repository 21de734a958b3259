"""Pictures of any sweep: several, degenerate, binned, weighted, long; saved, and refused."""

import math
import sys

import numpy as np
import polars as pl
import pytest
from support.drawn import (
    DRAW,
    ONE,
    TWO,
    M,
    P,
    S,
    T,
    Y,
    layers,
    subtitle,
    values,
)
from support.forgotten import forgotten

import confmat as cm
from confmat.plots.lines import denser, thin
from confmat.plots.pictures import SweepPlots
from confmat.plots.thresholds import _fewer


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
    assert not binned.is_exact
    spec = DRAW[name](SweepPlots(binned)).to_dict()
    if name == "roc":
        assert values(spec, 2).height == len(binned.lower) + 1
    if name == "scores":  # bins are spread evenly over their width
        part = values(spec, 0).filter(series="True").head(4)
        assert part["share"].to_list() == pytest.approx([part["share"][0]] * 4, rel=1e-12)


def test_bins_without_an_end_lie_at_the_end_they_have():
    s = forgotten(cm.sweep([0, 1, 1, 0], [0.2, 1.0, 1.0, 0.7], bins=np.array([0.0, 0.5, 1.0])))
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
    band, drawn, whole = values(spec, 1), values(spec, 2), s.roc_curve()
    assert band.height <= 1_000
    assert 500 < drawn.height <= 2_000 < whole.height
    assert drawn.select("fpr", "tpr")[[0, -1]].rows() == [(0.0, 0.0), (1.0, 1.0)]
    path = drawn["fpr"].to_numpy() + drawn["tpr"].to_numpy()
    full = whole["fpr"].to_numpy() + whole["tpr"].to_numpy()
    for side in ("fpr", "tpr"):
        between = np.interp(full, path, drawn[side].to_numpy())
        assert np.abs(between - whole[side].to_numpy()).max() < 0.0021
    several = cm.plot({f"{at}": s for at in range(8)}).roc().to_dict()
    assert values(several, 1).height <= 4_000
    banded = cm.plot({f"{at}": s for at in range(4)}).roc().to_dict()
    assert sum(values(banded, at).height for at in (1, 2)) <= 6_000


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
    for name in [name for name in sys.modules if name.startswith("confmat.plots.")]:
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
