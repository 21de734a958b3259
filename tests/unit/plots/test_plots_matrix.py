"""The heat map of a matrix: cells, colors, labels, and many classes."""

import math
import re

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.plots.named_axes import look_of
from confmat.render.shades import shade

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
        assert shade(0, right)[0] == "#ffffff"
        ramp = [grey(shade(share, right)[0]) for share in np.linspace(0, 1, 21)]
        assert ramp == sorted(ramp, reverse=True)
        assert ramp[0] - ramp[-1] > 120


def luminance(color):
    """Return the relative luminance of "#rrggbb", as WCAG 2.2 defines it."""
    parts = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, two):
    dark, light = sorted([luminance(one), luminance(two)])
    return (light + 0.05) / (dark + 0.05)


def many_shades():
    """Return a matrix with a right and a wrong cell of every per mille, and an absent class."""
    cells = np.zeros((200, 200), dtype=int)
    for at in range(198):
        wrong = round(1000 * at / 197)
        cells[at, at], cells[at, at + 1] = 1000 - wrong, wrong
    return cm.ConfusionMatrix(cells)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_every_text_can_be_read_on_its_ground():
    shades = {shade(at / 5_000, right) for at in range(5_001) for right in (False, True)}
    shades.add(shade(math.nan, False))
    assert len(shades) > 300
    assert min(contrast(ground, ink) for ground, ink in shades) >= 4.5


def test_every_text_of_a_picture_can_be_read():
    m = many_shades()
    found = []
    for start in range(0, 200, 25):  # cells of 40 classes have texts
        part = cm.ConfusionMatrix(m.counts[start : start + 25, start : start + 25])
        found.append(cells_of(part.plot().to_dict()).select("fill", "ink"))
    pairs = pl.concat(found).unique().rows()
    assert len(pairs) > 150
    assert min(contrast(fill, ink) for fill, ink in pairs) >= 4.5


def test_every_text_of_a_page_can_be_read_and_has_the_colors_of_the_picture():
    m = many_shades()
    for start in range(0, 200, 25):
        part = cm.ConfusionMatrix(m.counts[start : start + 25, start : start + 25])
        styles = re.findall(r"background-color:(#\w{6});color:(#\w{6})", part._repr_html_())
        assert styles == cells_of(part.plot().to_dict()).select("fill", "ink").rows()
        assert min(contrast(ground, ink) for ground, ink in styles) >= 4.5


def test_right_is_blue_and_wrong_is_orange():
    for share in (0.05, 0.3, 1.0):
        red, _, blue = (int(shade(share, True)[0][at : at + 2], 16) for at in (1, 3, 5))
        assert blue > red
        red, _, blue = (int(shade(share, False)[0][at : at + 2], 16) for at in (1, 3, 5))
        assert red > blue


def test_a_name_that_is_cut_has_a_tooltip():
    long, other = "a class whose name " * 9, "short"
    spec = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=[long, other]).plot().to_dict()
    areas = [view for view in spec["layer"] if view["mark"].get("opacity") == 0]
    assert len(areas) == 2
    for area in areas:
        rows = area["data"].get("values") or spec["datasets"][area["data"]["name"]]
        assert [row["name"] for row in rows] == [f'"{long}"']
        assert area["encoding"]["tooltip"]["field"] == "name"
    assert {area["encoding"]["x"].get("value", 0) for area in areas} == {
        areas[0]["encoding"]["x"].get("value", 0),
        0,
    }
    assert all(
        len(view["mark"]) and view["mark"].get("opacity") != 0
        for view in M.plot().to_dict()["layer"]
    )


@pytest.mark.parametrize(("k", "width"), [(1, 50), (3, 500), (20, 340), (90, 340), (200, 4_000)])
def test_width_and_title_of_a_matrix(k, width):
    m = cm.ConfusionMatrix(np.eye(k, dtype=int) * 12_345)
    spec = m.plot(width=width, title="</script> mine").to_dict()
    assert (spec["width"], spec["height"]) == (width, width)
    assert spec["title"]["text"] == ["\u2039/script> mine"]
    texts = cells_of(spec)
    if "text" in texts.columns:
        assert texts["text"].str.len_chars().max() <= look_of(k, width).room


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
