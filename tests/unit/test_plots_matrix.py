"""The heat map of a matrix: cells, colors, labels, and many classes."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.plots.matrix import _colors, look_of

M = cm.ConfusionMatrix([[80, 15, 5], [0, 0, 0], [3, 0, 1]], labels=["cat", "dog", "eel"])
COLORS = ("fill", "ink", "ink")  # of the cells, and of the texts that must be legible on them


def cells_of(spec):
    """Return the data of the lowest layer as a frame."""
    data = spec["layer"][0].get("data", spec.get("data"))
    rows = data.get("values") or spec["datasets"][data["name"]]
    return pl.DataFrame(rows, infer_schema_length=None)


def marks(spec):
    return [view["mark"]["type"] for view in spec["layer"]]


def subtitle(spec):
    return spec["title"]["subtitle"]


def test_a_matrix_shows_counts_and_shares():
    spec = M.plot().to_dict()
    assert spec["title"]["text"] == "Confusion matrix"
    assert "n = 104" in subtitle(spec)[0]
    assert "grey: no row of this class" in subtitle(spec)[1]
    assert marks(spec) == ["rect", "text", "text"]
    cells = cells_of(spec)
    assert cells["count"].to_list() == M.counts.ravel().tolist()
    assert cells["true"].to_list() == ["cat"] * 3 + ["dog"] * 3 + ["eel"] * 3
    assert cells["text"].to_list() == ["80", "15", "5", "0", "0", "0", "3", "0", "1"]
    shares = M.normalize("true").ravel()
    assert cells["share"].to_list() == [None if math.isnan(v) else v for v in shares]
    dash = "\N{EN DASH}"
    assert cells["part"].to_list() == [
        "80.0%", "15.0%", "5.0%", dash, dash, dash, "75.0%", "0.0%", "25.0%"
    ]  # fmt: skip
    assert cells["fill"][3:6].to_list() == ["#ececec"] * 3
    encoding = spec["layer"][0]["encoding"]
    assert (encoding["x"]["title"], encoding["y"]["title"]) == ("Predicted class", "True class")
    assert '["cat", "dog", "eel"]' in encoding["x"]["axis"]["labelExpr"]
    for layer, text, color in zip(spec["layer"], (None, "text", "part"), COLORS, strict=True):
        assert layer["encoding"].get("text", {}).get("field") == text
        assert layer["encoding"]["color"] == {"field": color, "scale": None, "type": "nominal"}


@pytest.mark.parametrize("by", ["pred", "all", "bistochastic"])
def test_other_shares_of_a_matrix(by):
    m = cm.ConfusionMatrix([[50, 7], [3, 40]])
    cells = cells_of(m.plot(by).to_dict())
    assert cells["share"].to_list() == pytest.approx(m.normalize(by).ravel().tolist())
    assert f"shade: {'share' if by else 'count'}" in subtitle(m.plot(by).to_dict())[1]


def test_counts_alone():
    spec = M.plot(None).to_dict()
    assert marks(spec) == ["rect", "text"]
    assert subtitle(spec)[1] == "shade: count; blue right, orange wrong"
    assert cells_of(spec)["fill"][1] != "#ffffff"


def test_cells_are_told_apart_in_grey_too():
    def grey(color):
        return sum(w * int(color[at : at + 2], 16) for w, at in ((0.3, 1), (0.59, 3), (0.11, 5)))

    for right in (False, True):
        assert _colors(0, right)[0] == "#ffffff"
        ramp = [grey(_colors(share, right)[0]) for share in np.linspace(0, 1, 21)]
        assert ramp == sorted(ramp, reverse=True)
        assert ramp[0] - ramp[-1] > 120
        for share in np.linspace(0, 1, 101):
            ground, ink = _colors(share, right)
            assert abs(grey(ground) - grey(ink)) > 70


def test_counts_of_many_classes_fit_their_cells():
    k = 40
    m = cm.ConfusionMatrix(np.diag(np.full(k, 123_456_789)) + 3, labels=[f"c{i}" for i in range(k)])
    spec = m.plot().to_dict()
    cells = cells_of(spec)
    assert set(cells["text"]) == {"123M", "3"}
    assert set(cells["part"]) == {"100%", "<1%"}
    assert cells["text"].str.len_chars().max() <= look_of(k).room
    big = cm.ConfusionMatrix(np.eye(90, dtype=int)).plot().to_dict()
    assert marks(big) == ["rect"]
    assert cells_of(big).height == 8_100


def test_cut_labels_stay_apart():
    stem = "a label that is longer than what fits, with its mark in the middle"
    labels = [f"{stem} {mark} {stem}" for mark in "AB"]
    m = cm.ConfusionMatrix([[1, 0], [0, 1]], labels=labels)
    shown = m.plot().to_dict()["layer"][0]["encoding"]["y"]["axis"]["labelExpr"]
    assert '"0 a label' in shown
    assert '"1 a label' in shown
    assert cells_of(m.plot().to_dict())["true"][0] == labels[0]


def test_matrices_that_cannot_be_drawn():
    with pytest.raises(cm.InputError, match="has 0 classes; wanted 1 to 200"):
        cm.confusion_matrix([], []).plot()
    with pytest.raises(cm.InputError, match=r"has 201 classes.*top_confusions"):
        cm.ConfusionMatrix(np.eye(201, dtype=int)).plot()
    with pytest.raises(cm.InputError, match="`normalize` is 'rows'; wanted one of 'true', 'pred'"):
        M.plot("rows")
