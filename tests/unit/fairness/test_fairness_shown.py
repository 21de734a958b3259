"""Fairness as text, HTML and picture."""

import numpy as np
import polars as pl
import pytest
from support.judged import LABELS, LOG, PARTS

import confmat as cm
from confmat import InputError
from confmat.fairness.from_parts import fairness


def test_one_screen():
    text = str(fairness(PARTS, "sex"))
    lines = text.splitlines()
    assert lines[0] == "Fairness: 3 groups by sex, n = 6,000"
    assert lines[1].startswith("Four-fifths rule: 2 of 3 groups are selected less than 0.8 times")
    assert max(map(len, lines)) <= 100
    assert len(lines) < 45
    for word in ("demographic_parity", "equalized_odds (mean)", "roc_auc", "difference", "ratio"):
        assert word in text
    f = fairness(LABELS, "sex")
    low, high = f.interval("demographic_parity_ratio")
    assert f"{f.demographic_parity_ratio:.4f} [{low:.4f}, {high:.4f}]" in text


def test_one_screen_within_control_values():
    text = str(fairness(LABELS, ["sex", "age"], "region"))
    assert text.startswith("Fairness: 18 groups by sex x age within region, n = 6,000\n")
    assert text.count("equalized_odds") == 3
    kinds = LOG.with_columns(pl.col("region").alias("y"), pl.col("region").reverse().alias("p"))
    text = str(fairness(cm.partial(kinds, y_true="y", y_pred="p", by=["sex", "age"]), "sex", "age"))
    assert "Four-fifths" not in text
    assert text.count("balanced_accuracy  ") == 3


def test_html_is_escaped():
    log = LOG.with_columns(pl.col("sex").replace({"x": "<script>alert(1)</script>"}))
    html = fairness(cm.partial(log, y_true="y", y_pred="p", by="sex"), "sex")._repr_html_()
    assert "demographic_parity" in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def drawn(f, *args, **options):
    spec = f.plot(*args, **options).to_dict()
    sets = spec["datasets"]
    panels = [
        {
            "title": panel["title"]["text"],
            "below": panel["title"].get("subtitle"),
            "rows": sets[
                (panel["layer"][-1].get("data") or panel.get("data") or spec["data"])["name"]
            ],
            "layers": panel["layer"],
            "sort": panel["layer"][-1]["encoding"]["y"]["sort"],
        }
        for panel in spec["hconcat"]
    ]
    return spec["title"], panels


def test_a_panel_for_each_metric():
    f = fairness(PARTS, "sex")
    title, panels = drawn(f)
    assert title["text"] == "Fairness by sex"
    assert title["subtitle"] == ["95 % intervals; dashed: all groups; n = 6,000"]
    assert [panel["title"] for panel in panels] == ["selection_rate", "tpr", "fpr", "precision"]
    rates = dict(LOG.group_by("sex").agg(pl.col("p").mean()).rows())
    first = panels[0]
    assert {row["group"]: row["value"] for row in first["rows"]} == pytest.approx(rates)
    assert first["sort"] == sorted(rates, key=rates.get, reverse=True)
    low, high = f.interval("demographic_parity_difference")
    value = f.demographic_parity_difference
    assert first["below"] == f"max - min {value:.4f} [{low:.4f}, {high:.4f}]"
    assert first["layers"][0]["mark"]["type"] == "rule"  # the value of all rows
    assert {round(row["whole"], 9) for row in first["rows"]} == {round(LOG["p"].mean(), 9)}


def test_groups_within_control_values_stand_beside_the_value_there():
    f = fairness(LABELS, "sex", "age", min_n=400)
    title, panels = drawn(f, "accuracy", title="Mine", width=300)
    assert title["text"] == ["Mine"]
    assert title["subtitle"][1] == "2 groups below min_n = 400 are left out"
    shares = dict(LOG.group_by("age").agg((pl.col("y") == pl.col("p")).mean()).rows())
    for row in panels[0]["rows"]:
        assert row["whole"] == pytest.approx(shares[row["group"].split(", ")[0]])
    assert panels[0]["layers"][0]["encoding"]["x"]["field"] == "whole"
    assert panels[0]["below"] is None
    assert {row["group"] for row in panels[0]["rows"]} == {
        *("old, f", "old, m", "young, f", "young, m")
    }


def test_many_groups_leave_out_those_in_between():
    rng = np.random.default_rng(1)
    log = pl.DataFrame(
        {
            "g": rng.integers(0, 200, 20_000),
            "y": rng.integers(0, 2, 20_000),
            "p": rng.integers(0, 2, 20_000),
        }
    )
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="g"), "g")
    title, panels = drawn(f, ["accuracy", "tpr"])
    assert title["subtitle"][1] == "160 groups between the lowest and the highest are left out"
    rates = f.by_group().sort("accuracy", descending=True)["g"].cast(pl.String).to_list()
    assert {*panels[0]["sort"]} == {*rates[:20], *rates[-20:]}
    assert len(panels[1]["rows"]) == 40


def test_metrics_without_intervals_are_dots_alone():
    _, (panel,) = drawn(fairness(PARTS, "sex", metrics="ks"), "ks")
    assert all(row["low"] is None for row in panel["rows"])
    assert panel["below"].startswith("max - min 0.")


def test_pictures_of_what_was_not_asked():
    f = fairness(LABELS, "sex", metrics="tpr")
    with pytest.raises(InputError, match="`metrics` has 'fpr'; wanted some of tpr"):
        f.plot("fpr")
    with pytest.raises(InputError, match="`metrics` has no name"):
        f.plot([])
    with pytest.raises(InputError, match="`width` is 3"):
        f.plot(width=3)


def test_it_is_made_by_a_function():
    from confmat.fairness.result import Fairness

    with pytest.raises(TypeError, match=r"a Fairness is made by fairness\(parts, sensitive\)"):
        Fairness()
