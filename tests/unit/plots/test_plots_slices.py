"""Pictures of slices: what is in them, whatever their number, and what is refused."""

import json
import math

import polars as pl
import pytest

import confmat as cm
from confmat.plots.forest import MOST
from confmat.plots.slice_pictures import SlicePlots
from confmat.slices.lattice import lattice
from confmat.slices.values import slice_values

LOG = pl.DataFrame(
    {
        "site": ["a"] * 40 + ["b"] * 40 + ["c"] * 3 + [None] * 17,
        "shift": [1, 2] * 50,
        "y": [0, 1] * 50,
    }
).with_columns(p=pl.when(pl.col("site") == "b").then(1 - pl.col("y")).otherwise("y"))
LOG = LOG.with_columns(p=pl.when(pl.int_range(100) % 10 == 0).then(1 - pl.col("p")).otherwise("p"))
BY = ["site", "shift"]


def parts_of(by: object, frame: pl.DataFrame = LOG, **options: object) -> pl.DataFrame:
    return cm.partial(frame, y_true="y", y_pred="p", by=by, **options)


def rows_of(spec: dict, layer: dict) -> pl.DataFrame:
    data = layer.get("data", spec.get("data"))
    rows = data.get("values") or spec["datasets"][data["name"]]
    return pl.DataFrame(rows, infer_schema_length=None)


def panels(spec: dict) -> list[dict]:
    return [spec | panel for panel in spec["hconcat"]] if "hconcat" in spec else [spec]


def dots(spec: dict) -> pl.DataFrame:
    """Return the rows of the dots of every panel."""
    found = [
        rows_of(spec, layer)
        for panel in panels(spec)
        for layer in panel["layer"]
        if layer["mark"]["type"] == "point"
    ]
    return pl.concat(found, how="diagonal_relaxed")


def names_of(spec: dict) -> list[str]:
    """Return the labels beside the slices."""
    out = []
    for panel in panels(spec):
        labels = panel["layer"][1]["encoding"]["y"]["axis"]["labelExpr"]
        out += json.loads(labels.partition(")[datum")[0].removeprefix("("))
    return out


def test_slices_stand_in_order_around_all_rows() -> None:
    spec = SlicePlots(parts_of("site")).slices("accuracy").to_dict()
    assert spec["title"]["text"] == "accuracy of 4 slices"
    assert spec["title"]["subtitle"][0].startswith("by site; dashed: all rows, 0.5800; right: n")
    assert "lines: 95% intervals; blue better, orange worse than all" in spec["title"]["subtitle"]
    shown = dots(spec)
    table = slice_values(parts_of("site"), "accuracy").sort("value")
    assert shown["value"].to_list() == table["value"].to_list()
    assert shown["value_low"].to_list() == pytest.approx(table["value_low"].to_list())
    assert names_of(spec)[0] == "b"
    assert "(missing)" in names_of(spec)
    colors = dict(shown.select("name", "color").iter_rows())
    assert colors["b"] == "#D55E00"  # its interval lies below the value of all rows
    assert colors["a"] == "#0072B2"
    assert colors["c"] == "#4d4d4d"
    kinds = [layer["mark"]["type"] for layer in spec["layer"]]
    assert kinds == ["rule", "rule", "point", "text"]


def test_where_lower_is_better_the_largest_comes_first() -> None:
    spec = SlicePlots(parts_of("site")).slices("error").to_dict()
    assert dots(spec)["value"].is_sorted(descending=True)
    assert dict(dots(spec).select("name", "color").iter_rows())["b"] == "#D55E00"


def test_where_neither_is_better_colors_are_above_and_below() -> None:
    spec = SlicePlots(parts_of("site")).slices("predicted_prevalence", level=0.5).to_dict()
    assert "50% intervals; blue above, orange below" in spec["title"]["subtitle"][1]


def test_metrics_without_intervals_are_dots() -> None:
    scored = LOG.with_columns(s=pl.int_range(pl.len()) % 17)
    parts = cm.partial(scored, y_true="y", y_score="s", by="site")
    spec = SlicePlots(parts).slices("ks").to_dict()
    assert "intervals" not in json.dumps(spec["title"])
    assert dots(spec)["value_low"].null_count() == 4
    assert set(dots(spec)["color"]) == {"#4d4d4d"}


def test_what_has_no_value_says_why_below_the_others() -> None:
    spec = SlicePlots(parts_of("site")).slices("accuracy", min_n=10).to_dict()
    why = spec["layer"][-1]
    assert why["mark"]["type"] == "text"
    assert rows_of(spec, why).select("name", "why", "at").rows() == [
        ("c", "n is below min_n = 10", 3)
    ]
    assert dots(spec)["value"].to_list()[-1] is None


def test_a_star_stands_for_all_in_a_lattice() -> None:
    spec = SlicePlots(lattice(parts_of(BY), BY, cube=True)).slices("accuracy").to_dict()
    assert spec["title"]["text"] == "accuracy of 14 slices"
    assert "by site, shift (*: all)" in spec["title"]["subtitle"][0]
    assert {"b, *", "*, 1", "(missing), 2"} <= set(names_of(spec))


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (50, 1), (51, 2), (200, 4)])
def test_many_slices_stand_in_panels_with_one_axis(n: int, expected: int) -> None:
    frame = pl.DataFrame(
        {"k": [i % n for i in range(3 * n)], "y": [0, 1, 1] * n, "p": [1, 1, 1] * n}
    )
    spec = SlicePlots(parts_of("k", frame)).slices("accuracy").to_dict()
    assert len(panels(spec)) == expected
    assert len(names_of(spec)) == n
    ends = {
        tuple(layer["encoding"]["x"]["scale"]["domain"])
        for panel in panels(spec)
        for layer in panel["layer"]
        if "scale" in layer["encoding"]["x"]
    }
    assert len(ends) == 1


def test_of_more_the_best_and_the_worst_are_shown() -> None:
    n = MOST + 50
    frame = pl.DataFrame({"k": range(n), "y": [0] * n, "p": [i % 2 for i in range(n)]})
    spec = SlicePlots(parts_of("k", frame)).slices("accuracy").to_dict()
    assert "50 slices in between are not shown" in spec["title"]["subtitle"][1]
    assert sorted(dots(spec)["value"].to_list()) == [0.0] * 100 + [1.0] * 100
    hidden = SlicePlots(parts_of("k", frame)).slices("accuracy", min_n=2).to_dict()
    assert dots(hidden).height == MOST


def test_each_model_has_its_own_line() -> None:
    both = pl.concat([LOG.with_columns(model=pl.lit(name)) for name in "mn"])
    worse = both.with_columns(p=pl.when(model="n").then(pl.lit(0)).otherwise("p"))
    spec = SlicePlots(parts_of(["model", "site"], worse)).slices("accuracy").to_dict()
    assert "each model its own" in spec["title"]["subtitle"][0]
    assert sorted(rows_of(spec, spec["layer"][0])["value"].to_list()) == [0.5, 0.58]
    assert "m, a" in names_of(spec)


def test_no_value_at_all() -> None:
    frame = pl.DataFrame({"k": [1, 2], "y": [0, 0], "p": [0, 0]})
    spec = SlicePlots(parts_of("k", frame)).slices("recall").to_dict()
    assert "dashed: all rows, " in spec["title"]["subtitle"][0]
    assert dots(spec)["value"].null_count() == 2


def cells(spec: dict) -> pl.DataFrame:
    return rows_of(spec, spec["layer"][0])


def test_cells_hold_the_metric_of_their_rows() -> None:
    spec = SlicePlots(parts_of(BY)).heatmap("accuracy", "shift", "site").to_dict()
    assert spec["title"]["text"] == "accuracy by shift and site"
    found = cells(spec)
    assert found.select("y", "x").rows() == [
        (site, shift) for site in ("a", "b", "c", "(missing)") for shift in ("1", "2")
    ]
    for row in found.iter_rows(named=True):
        site = None if row["y"] == "(missing)" else row["y"]
        inside = LOG.filter(pl.col("site").eq_missing(pl.lit(site)), shift=int(row["x"]))
        assert row["n"] == inside.height
        assert row["value"] == pytest.approx(cm.accuracy(inside["y"], inside["p"]))
        assert row["text"] == f"{row['value']:.2f}"
    tips = [tip["field"] for tip in spec["layer"][0]["encoding"]["tooltip"]]
    assert tips == ["x", "y", "n", "value", "why"]


def test_blue_is_better_and_orange_worse() -> None:
    for metric, worse_is_orange in (("accuracy", True), ("error", True)):
        found = cells(SlicePlots(parts_of(BY)).heatmap(metric, "shift", "site").to_dict())
        fills = {(row["y"], row["x"]): row["fill"] for row in found.iter_rows(named=True)}
        red, blue = int(fills["b", "1"][1:3], 16), int(fills["b", "1"][5:7], 16)
        assert (red > blue) is worse_is_orange
        red, blue = int(fills["a", "2"][1:3], 16), int(fills["a", "2"][5:7], 16)
        assert red < blue


def test_cells_without_rows_are_crossed_out_and_those_without_value_grey() -> None:
    frame = LOG.filter(pl.col("site").ne_missing("c") | (pl.col("shift") == 1))
    spec = SlicePlots(parts_of(BY, frame)).heatmap("accuracy", "shift", "site", min_n=10).to_dict()
    found = {(row["y"], row["x"]): row for row in cells(spec).iter_rows(named=True)}
    empty, hidden = found["c", "2"], found["c", "1"]
    assert (empty["n"], empty["why"], empty["fill"]) == (0, "no rows", "#ffffff")
    assert (hidden["why"], hidden["fill"], hidden["text"]) == (
        "n is below min_n = 10", "#ececec", "\N{EN DASH}"
    )  # fmt: skip
    assert hidden["n"] > 0
    assert spec["title"]["subtitle"][1] == "cross: no rows; grey: n is below min_n = 10"
    cross = next(layer for layer in spec["layer"] if layer["mark"].get("text"))
    assert rows_of(spec, cross).select("i", "j").rows() == [(2, 1)]


def test_many_cells_have_no_text() -> None:
    frame = pl.DataFrame({"u": range(60), "v": [i % 30 for i in range(60)], "y": 0, "p": 0})
    spec = SlicePlots(parts_of(["u", "v"], frame)).heatmap("accuracy", "u", "v").to_dict()
    assert cells(spec).height == 1800
    assert not [layer for layer in spec["layer"] if "text" in layer["encoding"]]


def test_other_keys_are_merged_and_lattices_are_read_by_their_grouping() -> None:
    frame = LOG.with_columns(day=pl.int_range(100) % 7)
    keys = [*BY, "day"]
    parts = parts_of(keys, frame)
    wanted = cells(SlicePlots(parts_of(BY)).heatmap("accuracy", "shift", "site").to_dict())
    for some in (
        parts,
        lattice(parts, keys, cube=True),
        lattice(parts, keys, grouping_sets=[keys, ["site"]]),
    ):
        found = SlicePlots(some).heatmap("accuracy", "shift", "site").to_dict()
        assert cells(found).rows() == wanted.rows()


def test_one_cell_of_few_rows_does_not_take_all_the_color() -> None:
    rows = [("a", 1, 0, int(i % 10 < 3)) for i in range(500)]
    rows += [("b", 1, 0, int(i % 10 < 4)) for i in range(500)] + [("b", 2, 0, 1)]
    frame = pl.DataFrame(rows, schema=["site", "shift", "y", "p"], orient="row")
    spec = SlicePlots(parts_of(BY, frame)).heatmap("accuracy", "shift", "site").to_dict()
    assert "darkest from 0.051 away" in spec["title"]["subtitle"][0]


def test_titles_and_widths() -> None:
    plots = SlicePlots(parts_of(BY))
    assert plots.slices("accuracy", title="Sites", width=300).to_dict()["width"] == 300
    assert plots.heatmap("mcc", "site", "shift", title="A\nB").title.text == ["A", "B"]
    heat = plots.heatmap("mcc", "site", "shift", width=400).to_dict()
    assert (heat["width"], heat["height"]) == (400, 200)


def test_names_of_slices_cannot_end_the_script_of_a_page() -> None:
    frame = LOG.with_columns(site=pl.lit("</script>"))
    plots = SlicePlots(parts_of(BY, frame))
    for chart in (plots.slices("accuracy"), plots.heatmap("accuracy", "shift", "site")):
        assert "</script" not in chart.to_json()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda p: p.heatmap("mcc", "day", "site"), "`x` is 'day'; wanted one of the keys"),
        (lambda p: p.heatmap("mcc", "site", "day"), "`y` is 'day'; wanted one of the keys"),
        (lambda p: p.heatmap("mcc", "site", "site"), "`x` and `y` are both 'site'"),
        (lambda p: p.heatmap("mccc", "site", "shift"), "no metric is named 'mccc'"),
        (lambda p: p.slices("mcc", min_n=-1), "`min_n` is -1"),
        (lambda p: p.slices("mcc", level=2), "`level` is 2"),
        (lambda p: p.slices("mcc", title=3), "`title` is 3"),
        (lambda p: p.slices("mcc", within="day"), "`within` has the key 'day'"),
        (lambda p: SlicePlots(LOG), "no Binary column 'state'"),
    ],
)
def test_what_is_refused(draw: object, message: str) -> None:
    with pytest.raises(cm.InputError, match=message):
        draw(SlicePlots(parts_of(BY)))


def test_heat_maps_are_of_one_model_and_of_keys_that_can_be_seen() -> None:
    both = pl.concat([LOG.with_columns(model=pl.lit(name)) for name in "mn"])
    parts = parts_of(["model", *BY], both)
    with pytest.raises(cm.InputError, match="`parts` has 2 models; wanted the rows of one"):
        SlicePlots(parts).heatmap("mcc", "site", "shift")
    one = parts.filter(pl.col("model") == "m")
    assert SlicePlots(one).heatmap("mcc", "site", "shift").title.text == "mcc by site and shift"
    many = pl.DataFrame({"site": range(201), "shift": 1, "y": 0, "p": 0})
    with pytest.raises(cm.InputError, match="the key 'site' has 201 values; wanted 1 to 200"):
        SlicePlots(parts_of(BY, many)).heatmap("mcc", "site", "shift")
    some = lattice(parts_of(BY), BY, depth=1)
    with pytest.raises(cm.InputError, match="`parts` has no grouping by 'site' and 'shift'"):
        SlicePlots(some).heatmap("mcc", "site", "shift")


@pytest.mark.parametrize("metric", ["accuracy", "mcc", "recall"])
def test_pictures_can_be_drawn(metric: str, tmp_path: object) -> None:
    plots = SlicePlots(parts_of(BY))
    for name, chart in {
        "slices": plots.slices(metric, min_n=5),
        "heat": plots.heatmap(metric, "site", "shift"),
    }.items():
        target = tmp_path / f"{name}.png"
        chart.save(target)
        assert target.stat().st_size > 1000


def test_values_of_slices() -> None:
    table = slice_values(parts_of("site"), "recall", min_n=10, level=0.9)
    assert table.columns == [
        "site", "n", "value", "value_low", "value_high", "overall", "reason"
    ]  # fmt: skip
    small = table.row(by_predicate=pl.col("site") == "c", named=True)
    assert (small["n"], small["value"], small["value_low"]) == (3, None, None)
    assert small["reason"] == "n is below min_n = 10"
    assert not math.isnan(table["overall"][0])
