"""Pictures of compared models: what is in them, and that texts of the data cannot disturb them."""

import json

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.plots.differences import MOST

RNG = np.random.default_rng(3)
N = 900
Y = RNG.integers(0, 2, N)
LOG = pl.DataFrame(
    {
        "y": Y,
        "old": np.where(RNG.random(N) < 0.3, 1 - Y, Y),
        "new": np.where(RNG.random(N) < 0.2, 1 - Y, Y),
        "other": np.where(RNG.random(N) < 0.25, 1 - Y, Y),
        "site": RNG.choice(["a", "b", "</script>"], N),
        "place": RNG.integers(0, 80, N),
    }
).with_columns(site=pl.when(pl.col("place") > 3).then("site"))


def spec_of(chart):
    return json.loads(chart.to_json())


def dots(spec):
    layer = next(one for one in spec["layer"] if one["mark"]["type"] == "point")
    return pl.DataFrame(spec["datasets"][layer["data"]["name"]], infer_schema_length=None)


def texts(spec):
    return [spec["title"]["text"], *spec["title"]["subtitle"]]


def test_a_row_for_each_metric():
    c = cm.compare(LOG, "y", ["old", "new"])
    spec = spec_of(c.plot())
    found, table = dots(spec), c.overall()
    assert found["name"].to_list() == table["metric"].to_list()
    for name in ("difference", "low", "high", "value_a", "value_b"):
        assert found[name].to_list() == pytest.approx(table[name].to_list())
    assert texts(spec)[0] == "metrics: new against old"
    points = next(one for one in spec["layer"] if one["mark"]["type"] == "point")
    low, high = points["encoding"]["x"]["scale"]["domain"]
    assert low < min(0, table["low"].min())
    assert high > max(0, table["high"].max())
    better = cm.compare(LOG, "y", ["old", "new"], metrics="accuracy").plot()
    rule = spec_of(better)["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert rule[0] < 0
    colors = {"better": "#0072B2", "worse": "#D55E00"}
    for row in found.to_dicts():
        fact = cm.list_metrics().filter(name=row["name"]).to_dicts()[0]
        up, down = ("better", "worse") if fact["better"] == "higher" else ("worse", "better")
        word = up if row["low"] > 0 else down if row["high"] < 0 else None
        assert row["color"] == colors.get(word, "#4d4d4d")


def test_a_row_for_each_slice_below_that_of_all_rows():
    c = cm.compare(LOG, "y", ["old", "new"], by="site", min_n=100)
    spec = spec_of(c.plot("f1", title="Which one?", width=200))
    found = dots(spec)
    assert found["name"][0] == "all rows"
    assert sorted(found["name"][1:]) == [
        "(missing)",
        "a",
        "b",
        "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}/script>",
    ]
    ranked = c.slices("f1")
    assert found["difference"][1:].to_list() == pytest.approx(ranked["difference"].to_list())
    small = found.filter(name="(missing)")
    assert small["difference"].item() is None
    assert "100" in small["why"].item()
    assert texts(spec)[0] == ["Which one?"]
    assert "</script>" not in c.plot("f1").to_json()
    assert spec["width"] == 200


def test_several_models_and_many_slices():
    c = cm.compare(LOG, "y", ["old", "new", "other"], by="place")
    spec = spec_of(c.plot("accuracy"))
    found = dots(spec)
    assert found.height == MOST
    assert found["name"][:2].to_list() == ["new: all rows", "other: all rows"]
    assert f"{2 * 81 - MOST} rows between both ends are left out" in texts(spec)
    assert spec_of(cm.compare(LOG, "y", ["old", "new", "other"]).plot())["title"]["text"] == (
        "metrics: b against old"
    )


def test_what_cannot_be_drawn():
    c = cm.compare(LOG, "y", ["old", "new"])
    with pytest.raises(cm.InputError, match="`width` is 3"):
        c.plot(width=3)
    with pytest.raises(cm.InputError, match="give `y_score`"):
        c.plot("roc_auc")
    with pytest.raises(cm.InputError, match="unknown metric"):
        c.plot("f8")


def test_pages_have_the_tables_and_no_tags_of_the_data():
    c = cm.compare(LOG, "y", {"<b>old": "old", "new": "new"}, by="site", metrics=["accuracy", "f1"])
    page = c._repr_html_()
    assert "&lt;b&gt;old" in page
    assert "<b>" not in page
    assert page.count("<table>") == 3
    assert "only new" in page
    text = str(c)
    assert text.splitlines()[0].startswith("new with <b>old (the baseline), n = 900")
    assert "accuracy: new - <b>old" in text
    assert all(len(line) <= 120 for line in text.splitlines()[1:])
