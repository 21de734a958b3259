"""What a report says: the numbers are those of the evaluation, the sentences follow from them."""

import numpy as np
import polars as pl
import pytest
from support.reports import binary, many_classes, page_of, shops, two_models

import confmat as cm
from confmat.report.thresholds import stops


def verdicts(page):
    found = page.all("ul", class_="verdicts")
    return " ".join(one["text"] for one in found)


def test_the_headline_has_the_metrics_with_their_intervals(tmp_path):
    e = binary()
    tiles = [one["text"] for one in page_of(e, tmp_path).all("div", class_="tile")]
    rows = {row["metric"]: row for row in e.overall(ci=0.95).iter_rows(named=True)}
    for name, word in (("accuracy", "Accuracy"), ("recall", "Recall"), ("roc_auc", "ROC AUC")):
        value, low, high = (rows[name][of] for of in ("value", "low", "high"))
        assert f"{word}{value:.3f}[{low:.3f}, {high:.3f}]" in tiles


def test_the_headline_says_why_a_number_has_no_interval_and_what_gives_one(tmp_path):
    page = page_of(binary(), tmp_path)
    table = next(one for one in page.all("table") if "Metrics of all rows" in one["text"])
    assert "no interval: that of average_precision takes rows drawn again" in table["text"]
    assert "name it in `metrics`" in table["text"]
    page = page_of(binary(metrics=["average_precision"]), tmp_path)
    assert "[0." in page.all("div", class_="tile")[0]["text"]


def test_intervals_have_the_level_asked_for(tmp_path):
    e = binary()
    low = e.overall(["accuracy"], ci=0.5)["low"].item()
    assert f"[{low:.3f}, " in page_of(e, tmp_path, level=0.5).all("div", class_="tile")[0]["text"]
    assert f"[{low:.3f}, " in page_of(binary(ci=0.5), tmp_path).all("div", class_="tile")[0]["text"]


@pytest.mark.parametrize("bins", ["unit", None])
def test_the_slider_stops_have_the_counts_of_their_thresholds(tmp_path, bins):
    e = binary(bins=bins)
    s, data = e.sweep(), page_of(e, tmp_path).data("m0-explorer-0")
    assert data["t"][0] is None
    assert data["tp"][0] == data["fp"][0] == 0
    assert 0.5 in data["t"]
    assert data["t"] == [None, *sorted(data["t"][1:], reverse=True)]
    for t, tp, fp in list(zip(data["t"], data["tp"], data["fp"], strict=True))[1::17]:
        m = s.at(t, nearest=True)
        assert m.counts[:, 1].tolist() == [fp, tp]
    assert (data["p"], data["n"]) == (s.n_positive, s.n_negative)
    assert data["t"][data["at"]] == 0.5


def test_the_slider_stops_at_a_half_where_no_score_is_a_half():
    y = np.arange(5_000) % 2
    s = cm.sweep(y, np.linspace(0.0001, 0.9999, 5_000))
    assert 0.5 in stops(s)["threshold"].to_list()
    assert 0.5 not in s.roc_curve(max_points=240)["threshold"].to_list()


def test_the_weakest_slices_come_first(tmp_path):
    e = binary()
    table = next(one for one in page_of(e, tmp_path).all("table") if "cost most of" in one["text"])
    assert "lossshop 7all320" in table["text"]


def test_the_slices_are_those_of_the_evaluation(tmp_path):
    e = binary()
    rows = page_of(e, tmp_path).data("m0-slices-table")["rows"]
    table = e.slices(["accuracy", "recall"], ci=0.95)
    wanted = {(r["shop"], str(r["month"])): r for r in table.iter_rows(named=True)}
    assert len(rows) == table.height
    for row in rows:
        of = wanted[row[0], row[1]]
        assert row[2] == of["n"]
        assert row[3] == pytest.approx([of[f"accuracy{x}"] for x in ("", "_low", "_high")], 1e-5)


def test_the_classes_are_those_of_the_matrix(tmp_path):
    e = many_classes()
    rows = page_of(e, tmp_path).data("m0-classes-table")["rows"]
    m = e.matrix()
    assert [row[:3] for row in rows] == [
        [name, int(n), int(p)]
        for name, n, p in zip(m.labels, m.counts.sum(1), m.counts.sum(0), strict=True)
    ]
    low = m.per_class(["recall"], ci=0.95)["recall_low"].to_list()
    assert [row[4][1] for row in rows] == pytest.approx(low, 1e-5)


def test_the_heat_map_has_the_cells(tmp_path):
    e = many_classes()
    assert page_of(e, tmp_path).data("m0-heat")["counts"] == e.matrix().counts.tolist()


def test_verdicts_name_the_weak_slice_the_confusion_and_the_imbalance(tmp_path):
    told = verdicts(page_of(binary(), tmp_path))
    assert "The weakest slice. shop shop 7: accuracy 0." in told
    assert "A row of yes has a higher score than one of no in" in told
    m = cm.ConfusionMatrix([[960, 10, 0], [20, 5, 0], [4, 1, 0]], labels=["x", "y", "z"])
    rows = m.to_polars().rename({"true": "y_true", "pred": "y_pred"})
    log = rows.select(pl.col("y_true", "y_pred").repeat_by("count").explode())
    told = verdicts(page_of(cm.evaluate(log, labels=["x", "y", "z"]), tmp_path))
    assert "Classes are unequal. x has 97.0\u00a0% of the rows, z 0.5\u00a0%." in told
    assert "20 rows of y are taken for x: 80.0\u00a0% of that class" in told
    assert "Never predicted. z: none of its rows is found." in told
    assert "No better than the largest class alone." in told
    assert "More data is needed. The recall of z is 0.000 [0.000, 0.434] from 5 rows" in told


def test_verdicts_on_probabilities_say_no_more_than_the_error_does(tmp_path):
    y = np.arange(4_000) % 4 == 0
    for score, strong in ((0.25, "fit"), (0.5, "are off")):
        e = cm.evaluate(pl.DataFrame({"y_true": y, "s": [score] * 4_000}), y_score="s")
        told = verdicts(page_of(e, tmp_path))
        error = f"{e.sweep().value('ece'):.3f}"
        assert f"As probabilities, scores {strong} on average. The mean score is " in told
        assert f"in bins of scores the two are {error} apart on average" in told
        assert ("Single bins, and groups, may be farther off." in told) == (strong == "fit")


def test_verdicts_of_good_data_are_good(tmp_path):
    y = np.arange(4_000) % 2
    told = verdicts(page_of(cm.evaluate(pl.DataFrame({"y_true": y, "y_pred": y})), tmp_path))
    for word in ("Better than", "about equal", "Nothing is confused", "The data is enough"):
        assert word in told


def test_models_are_compared_on_the_same_rows(tmp_path):
    page = page_of(two_models(), tmp_path)
    c = cm.compare(
        shops(), y_pred={"old": "y_pred", "new": "other"}, by=["shop"], pos_label="yes"
    ).overall(["accuracy"])
    row = c.row(0, named=True)
    told = f"{row['difference']:.4f} [{row['low']:.4f}, {row['high']:.4f}]".replace("-", "\u2212")
    assert told in page.text()
    assert "Difference of accuracy by shop" in page.text()
    assert page.all("div", class_="choice models")


@pytest.mark.parametrize(
    ("a", "b"),
    [("p", "new"), ("old", "metric"), ("new is", "new"), ("x" * 30 + "1" + "x" * 30, "x" * 61)],
)
def test_columns_of_two_models_are_told_apart(tmp_path, a, b):
    page = page_of(
        cm.evaluate(shops(), y_pred={a: "y_pred", b: "other"}, pos_label="yes"), tmp_path
    )
    found = page.elements
    for told in ("on the same rows", "Rows by who is right"):
        at = next(i for i, o in enumerate(found) if o["tag"] == "table" and told in o["text"])
        heads = [one["text"] for one in found[at : at + 10] if one["tag"] == "th"]
        assert len(set(heads)) == len(heads) == 6


def test_each_model_has_its_own_headline(tmp_path):
    e = two_models()
    tiles = [one["text"] for one in page_of(e, tmp_path).all("div", class_="tile")]
    for name in ("old", "new"):
        assert any(f"{e.matrix(model=name).accuracy:.3f}[" in tile for tile in tiles)


def test_models_of_scores_alone_are_put_side_by_side(tmp_path):
    log = shops().with_columns(b=1 - pl.col("y_score"))
    e = cm.evaluate(log, y_score={"a": "y_score", "b": "b"}, pos_label="yes")
    text = page_of(e, tmp_path).text()
    assert "Metrics of the models" in text
    assert f"ROC AUC{e.overall(['roc_auc'])['value'][0]:.4f}" in text


def test_a_regression_has_its_own_words(tmp_path):
    log = pl.DataFrame({"y_true": [1.0, 2, 3, 4] * 9, "y_pred": [1.5, 2.5, 3.5, 4.5] * 9})
    e = cm.evaluate(log.with_columns(k=pl.Series(["a", "b"] * 18)), by="k", task="regression")
    page = page_of(e, tmp_path)
    assert "A prediction is off by 0.500 on average" in verdicts(page)
    assert "Predictions are too high." in verdicts(page)
    assert [row[0] for row in page.data("m0-slices-table")["rows"]] == ["a", "b"]
    assert 'metrics=["density"] keeps them' in page.text()


def test_a_regression_shows_its_pairs_where_they_are_kept(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.normal(size=9_000)
    log = pl.DataFrame({"y_true": y, "y_pred": 2 * y + rng.normal(size=9_000)})
    e = cm.evaluate(log, task="regression", metrics=["rmse", "density"])
    text = page_of(e, tmp_path).text()
    assert "True against predicted" in text
    fullest = e.regression().density().sort("n", descending=True).row(0, named=True)
    assert f"up to {fullest['n']} in a cell" in text
    first = e.regression().calibration().row(0, named=True)
    told = f"{first['mean_true']:.3f} [{first['ci_low']:.3f}, {first['ci_high']:.3f}]"
    assert told.replace("-", "\N{MINUS SIGN}") in text
    for few in ([1.0], [1.0, 1.0, 2.0]):
        log = pl.DataFrame({"y_true": few, "y_pred": few})
        e = cm.evaluate(log, task="regression", metrics="density")
        assert "True against predicted" in page_of(e, tmp_path).text()


def test_groups_have_the_intervals_of_fairness(tmp_path):
    e = binary()
    row = e.fairness("month").between().row(0, named=True)
    told = f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
    text = page_of(e, tmp_path, sensitive="month").text()
    assert told in text
    assert "Groups by month" in text
    assert "Groups by shop" not in text


def test_the_explorer_names_the_rest_of_many_classes(tmp_path):
    e = many_classes()
    page = page_of(e, tmp_path)
    heads = [one["text"] for one in page.all("th")]
    assert not {f"{side} {word}" for side in ("true", "predicted") for word in (True, False)} & {
        *heads
    }
    for label in e.matrix().labels[:2]:
        for side in ("true", "predicted"):
            assert f"{side} {label}" in heads
            assert f"{side} not {label}" in heads
    of_two = [one["text"] for one in page_of(binary(), tmp_path).all("th")]
    assert {"true yes", "true no", "predicted yes", "predicted no"} <= set(of_two)
