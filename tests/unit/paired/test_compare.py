"""`cm.compare`: differences of models on the same rows, with weights."""

import math
import pickle
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support.compared_log import COLUMNS, compared, log

import confmat as cm
from confmat.intervals.levels import z_of
from confmat.intervals.paired import tango
from confmat.matrices.joint_influence import correlation, covariance, influence
from confmat.significance.paired import mcnemar


def test_table():
    frame = log()
    c = compared(frame, metrics=["accuracy", "mcc"])
    table = c.table()
    assert table.columns == COLUMNS
    assert table.equals(c.overall())
    accuracy, mcc = table.to_dicts()
    right = [(frame["y"] == frame[name]).to_numpy() for name in "ab"]
    only_a, only_b = int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())
    assert accuracy["value_a"] == right[0].mean()
    assert accuracy["value_b"] == right[1].mean()
    assert accuracy["difference"] == accuracy["value_b"] - accuracy["value_a"]
    assert (accuracy["low"], accuracy["high"]) == tango(only_b, only_a, frame.height)
    assert accuracy["p_value"] == mcnemar(only_a, only_b, "mid-p").p_value
    assert (accuracy["method"], accuracy["n"], accuracy["reason"]) == ("tango", 400, None)
    assert mcc["method"] == "mover"
    for name in "ab":
        assert mcc[f"value_{name}"] == cm.mcc(frame["y"], frame[name])


@pytest.mark.parametrize("weight", [None, "w"])
def test_an_interval_from_those_of_the_two_models(weight):
    frame = log(120, seed=8)
    c = compared(frame, sample_weight=weight)
    w = None if weight is None else frame[weight]
    a, b = (cm.confusion_matrix(frame["y"], frame[p], sample_weight=w).ci("f1") for p in "ab")
    found = c.difference("f1")
    rows = np.ones(120) if w is None else w.to_numpy()
    joint = c.joint()
    told = influence(joint, "f1")
    pair = [covariance(joint, x, y) for x, y in ((told.of_a,) * 2, (told.of_b,) * 2)]
    common = (pair[0] + pair[1] - found.se**2) / (2 * math.sqrt(pair[0] * pair[1]))
    assert common == pytest.approx(correlation(joint, told))
    assert common
    assert -1 < common < 1
    reach = b.value - b.low, a.high - a.value
    low = math.sqrt(reach[0] ** 2 + reach[1] ** 2 - 2 * common * reach[0] * reach[1])
    reach = b.high - b.value, a.value - a.low
    high = math.sqrt(reach[0] ** 2 + reach[1] ** 2 - 2 * common * reach[0] * reach[1])
    assert found.low == pytest.approx(found.value - low)
    assert found.high == pytest.approx(found.value + high)
    assert found.method == "mover"
    assert c.evaluation.n == pytest.approx(rows.sum())


def test_models_without_any_error_have_an_interval():
    frame = pl.DataFrame({"y": [0, 1] * 20, "a": [1, 0] * 20, "b": [0, 1] * 20})
    c = compared(frame, metrics=["mcc", "f1_macro", "accuracy"])
    for row in c.table().to_dicts():
        assert row["low"] < row["difference"] <= row["high"]
        assert row["low"] > 0.5
    mcc = compared(frame, metrics="mcc", method="delta").table()
    assert mcc["low"].item() is None
    assert mcc["reason"].item().startswith("every row says the same of the difference")


def test_a_metric_without_derivatives():
    frame = pl.DataFrame({"y": [0, 0, 1, 2, 2], "a": [0, 0, 0, 2, 2], "b": [0, 1, 1, 2, 2]})
    table = compared(frame, metrics="gmcc").table()
    row = table.to_dicts()[0]
    assert row["difference"] is not None
    assert (row["low"], row["p_value"]) == (None, None)
    assert row["reason"] == "the metric has no derivatives here, and so no standard error"
    clustered = compared(frame.with_row_index("row"), metrics="gmcc", cluster="row").table()
    assert clustered["reason"].item() == row["reason"]


def test_an_interval_by_the_delta_method():
    frame = log()
    c = compared(frame, metrics="accuracy", method="delta")
    row = c.table().to_dicts()[0]
    change = (
        (frame["y"] == frame["b"]).cast(int) - (frame["y"] == frame["a"]).cast(int)
    ).to_numpy()
    se = change.std() / math.sqrt(len(change))
    assert row["low"] == pytest.approx(change.mean() - z_of(0.95) * se, abs=1e-9)
    assert row["high"] == pytest.approx(change.mean() + z_of(0.95) * se, abs=1e-9)
    assert row["p_value"] == pytest.approx(2 * stats.norm.sf(abs(change.mean()) / se), rel=1e-6)
    assert row["method"] == "delta"
    found = c.difference("accuracy")
    assert isinstance(found, cm.Interval)
    assert found.se == pytest.approx(se, rel=1e-6)
    assert (found.value, found.low, found.high) == (row["difference"], row["low"], row["high"])


@pytest.mark.parametrize("metric", ["mcc", "f1", "precision", "kappa", "balanced_accuracy"])
def test_a_bootstrap_of_rows_finds_the_same_error(metric):
    frame = log(300, seed=5)
    rng = np.random.default_rng(1)
    y, a, b = (frame[name].to_numpy() for name in ("y", "a", "b"))
    found = []
    for _ in range(1_000):
        at = rng.integers(0, len(y), len(y))
        values = [cm.confusion_matrix(y[at], p[at]).value(metric) for p in (a, b)]
        found.append(values[1] - values[0])
    se = compared(frame).difference(metric).se
    assert se == pytest.approx(np.std(found), rel=0.1)


def test_one_side():
    frame = log()
    both = compared(frame, metrics=["accuracy", "mcc"], level=0.9).table()
    for side, end, other in (("lower", "low", "high"), ("upper", "high", "low")):
        one = compared(frame, metrics=["accuracy", "mcc"], side=side).table()
        assert one[end].to_list() == pytest.approx(both[end].to_list(), rel=1e-9)
        most = 1 if other == "high" else -1
        assert one[other].to_list() == [most, 2 * most]
    assert (both["difference"] > 0).all()
    for at, name in enumerate(["accuracy", "mcc"]):
        p_lower, p_upper = (
            compared(frame, metrics=name, side=side).table()["p_value"].item()
            for side in ("lower", "upper")
        )
        assert p_lower + p_upper == pytest.approx(1)
        assert 2 * p_lower == pytest.approx(both["p_value"][at])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([None, "w"]))
def test_exchanged_models_differ_by_the_sign(seed, classes, weight):
    frame = log(80, seed, classes)
    names = ["accuracy", "f1_macro", "mcc", "kappa"]
    one, two = (
        compared(frame, pair, metrics=names, sample_weight=weight).table() for pair in ("ab", "ba")
    )
    assert one["value_a"].to_list() == two["value_b"].to_list()
    for end, other in (("difference", "difference"), ("low", "high"), ("high", "low")):
        turned = [None if value is None else -value for value in two[other]]
        assert one[end].to_list() == pytest.approx(turned, abs=1e-9)
    assert one["p_value"].to_list() == pytest.approx(two["p_value"].to_list(), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([None, "w"]), st.sampled_from([None, "user"]))
def test_a_model_does_not_differ_from_itself(seed, weight, cluster):
    frame = log(90, seed).with_columns(b=pl.col("a"), sb=pl.col("sa"))
    c = cm.compare(
        frame, "y", ["a", "b"], ["sa", "sb"], sample_weight=weight, cluster=cluster
    ).table()
    known = c.filter(pl.col("difference").is_not_null())
    assert known.height >= 5
    assert known["difference"].to_list() == [0] * known.height
    assert (known["low"] <= 0).all()
    assert (known["high"] >= 0).all()
    assert known["p_value"].to_list() == [1] * known.height
    wide = known.filter(pl.col("method").is_in(["tango", "mover"]) | pl.col("low").lt(0))
    for row in known.join(wide, on="metric", how="anti").to_dicts():
        assert row["reason"] == (
            "every row says the same of both models, so that the interval has no width"
        )


def test_flips():
    frame = log()
    c = compared(frame, by="site")
    flips = c.flips()
    assert flips.columns[:4] == ["site", "model_a", "model_b", "label"]
    joint = cm.joint_matrix(frame["y"], frame["a"], frame["b"])
    names = ["n", "both", "only_a", "only_b", "neither"]
    summed = flips.group_by("label").agg(pl.col(names).sum()).sort("label")
    assert summed.equals(joint.flips().select("label", *names))
    assert c.joint() == joint
    assert (
        c.joint(site="x").flips().equals(flips.filter(site="x").drop("site", "model_a", "model_b"))
    )


def test_several_models_against_the_baseline():
    frame = log()
    c = cm.compare(frame, "y", {"old": "a", "new": "b", "newer": "c"}, baseline="new", by="site")
    assert (c.baseline, c.models) == ("new", ("old", "newer"))
    table = c.table("mcc")
    assert table.select("site", "model_a", "model_b").rows() == [
        (site, "new", model) for site in "xyz" for model in ("old", "newer")
    ]
    alone = cm.compare(frame, "y", {"new": "b", "newer": "c"}, by="site").table("mcc")
    assert table.filter(model_b="newer").equals(alone)
    assert c.difference("mcc", "old").value == c.overall("mcc")["difference"][0]
    with pytest.raises(cm.InputError, match=r"`model` is None; wanted one of \['old', 'newer'\]"):
        c.difference("mcc")
    assert c.flips().height == 3 * 2 * 2
    assert str(c).startswith("b = each of old, newer with a = new (the baseline), n = 400")


def test_rows_with_nulls_are_left_out_of_a_pair():
    frame = log().with_columns(b=pl.when(pl.col("user") > 2).then("b"))
    c = cm.compare(frame, "y", ["a", "b", "c"], metrics="accuracy")
    assert c.table()["n"].to_list() == [frame.filter(pl.col("user") > 2).height, 400]
    whole = frame.drop_nulls()
    assert c.table()["value_a"][0] == cm.accuracy(whole["y"], whole["a"])


def test_weights_have_their_squares():
    frame = log()
    c = compared(frame, sample_weight="w", metrics="accuracy")
    row = c.table().to_dicts()[0]
    w = frame["w"].to_numpy()
    change = (
        (frame["y"] == frame["b"]).cast(int) - (frame["y"] == frame["a"]).cast(int)
    ).to_numpy()
    mean = np.average(change, weights=w)
    se = math.sqrt(((w * (change - mean)) ** 2).sum()) / w.sum()
    assert row["difference"] == pytest.approx(mean)
    assert c.difference("accuracy").se == pytest.approx(se, rel=1e-6)
    assert (row["method"], row["n"]) == ("mover", pytest.approx(w.sum()))


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("scores", [None, ["sa", "sb"]])
def test_rows_that_are_repeated_say_no_more(weight, scores):
    frame = log(300).with_row_index("row")
    names = ["accuracy", "mcc", "f1", *(["roc_auc", "brier", "log_loss"] if scores else [])]
    options = {"y_score": scores, "cluster": "row", "sample_weight": weight, "metrics": names}
    once = compared(frame, **options).table()
    thrice = compared(pl.concat([frame] * 3), **options).table()
    for column in ("difference", "low", "high", "p_value"):
        assert once[column].to_list() == pytest.approx(thrice[column].to_list(), abs=1e-7)
    assert set(once["method"]) == {"cluster"}


def test_the_usual_metrics_of_many_classes():
    c = compared(log(classes=4))
    assert "f1_macro" in c.metrics
    assert "f1" not in c.metrics
    two = compared(log())
    assert "f1" in two.metrics


def test_a_positive_class():
    frame = log().with_columns(pl.col("y", "a", "b").replace_strict({0: "ham", 1: "spam"}))
    c = compared(frame, pos_label="spam", metrics=["recall", "f1"])
    assert (
        c.table()["value_a"].to_list()
        == compared(log(), metrics=["recall", "f1"]).table()["value_a"].to_list()
    )
    with pytest.raises(cm.InputError, match="positive class"):
        compared(frame, metrics="f1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_pred": None}, "`y_pred` and `y_score` are both None"),
        ({"y_pred": ["a"]}, "`y_pred` names 1 model"),
        ({"y_pred": "a"}, "`y_pred` is 'a'; wanted the columns"),
        ({"y_pred": ["a", "a"]}, "`y_pred` names a column twice"),
        ({"y_pred": ["a", "d"]}, "`y_pred` names the column 'd'"),
        ({"y_pred": {"m": "a", 2: "b"}}, "a model has the name 2"),
        ({"y_pred": {"m": "a", "k": ["b"]}}, "of the model 'k' is"),
        ({"y_score": {"m": "sa", "k": "sb"}}, "wanted the same"),
        ({"baseline": "z"}, "`baseline` is 'z'"),
        ({"metrics": "f7"}, "f7"),
        ({"metrics": []}, "`metrics` is empty"),
        ({"metrics": "roc_auc"}, "a metric of scores; give `y_score`"),
        ({"y_pred": None, "y_score": ["sa", "sb"], "metrics": "f1"}, "give `y_pred`"),
        ({"level": 95}, "`level` is 95"),
        ({"side": "left"}, "`side` is 'left'"),
        ({"method": "magic"}, "`method` is 'magic'"),
        ({"cluster": "who"}, "`cluster` names the column 'who'"),
        ({"by": "where"}, "`by` names the column 'where'"),
        ({"by": pl.col("site").alias("n")}, "`by` has the key 'n', a name of the result"),
        ({"y_true": ["y"]}, "`y_true` is"),
        ({"y_score": ["site", "site2"]}, "`y_score` names the column 'site2'"),
        ({"y_score": ["sa", "site"]}, "`y_score` 'site' is String; wanted scores"),
        (
            {"y_pred": {"m": "a", "k": "b"}, "y_score": {"m": "sa", "k": "sa"}},
            "`y_score` names the column 'sa' for two models",
        ),
        ({"min_n": -1}, "`min_n` is -1"),
        ({"sample_weight": "ww"}, "`sample_weight` names the column 'ww'"),
    ],
)
def test_what_cannot_be_asked(options, message):
    asked = {"y_true": "y", "y_pred": ["a", "b"]} | options
    with pytest.raises(cm.InputError) as told:
        cm.compare(log(), **asked)
    assert message in str(told.value)


def test_no_rows():
    c = compared(log().clear(), by="site")
    assert c.table().columns == ["site", *COLUMNS]
    assert c.overall()["reason"][0] == "there are no rows"
    assert str(c)
    assert c.flips().is_empty()
    assert c.flips().columns[:4] == ["site", "model_a", "model_b", "label"]
    assert c.slices().is_empty()
    scores = cm.compare(log().clear(), "y", y_score=["sa", "sb"])
    assert scores.overall()["reason"][0] == "there are no rows"


def test_a_comparison_is_made_by_compare_and_is_kept():
    with pytest.raises(TypeError, match=r"made by cm\.compare"):
        cm.Comparison()
    c = compared(log(), by="site", cluster="user")
    again = pickle.loads(pickle.dumps(c))
    assert again.table("f1").equals(c.table("f1"))
    assert again.evaluation == c.evaluation
    assert repr(c).startswith("<Comparison: b = b with a = a (the baseline), n = 400; 3 slices by")


def test_screens_call_models_by_their_names():
    frame = log()
    text = str(cm.compare(frame, "y", {"old": "a", "new": "b"}, by="site", metrics="accuracy"))
    assert text.startswith("new with old (the baseline), n = 400; 3 slices by site")
    for head in ("new - old", "new is", "only old", "only new", "accuracy: new - old"):
        assert head in text
    # Where names are long, or those of columns, letters stand for them.
    for name in ("a name that is much too long", "metric", "site", "two\nlines"):
        text = str(cm.compare(frame, "y", {name: "a", "new": "b"}, by="site", metrics="accuracy"))
        assert text.startswith("b = new with a = ")
        assert "b - a" in text
        assert "only_b" in text


@pytest.mark.parametrize("names", [("p", "new"), ("b is", "b"), ("old", "m", "n")])
def test_screens_have_no_two_columns_of_one_name(names):
    frame = log().select("y", "site", p0="a", p1="b", p2="a")
    models = dict(zip(names, ("p0", "p1", "p2"), strict=False))
    for key in ("a", "b", "p", "adjusted p", "b is", "new is", "b - a", "accuracy: b - a"):
        c = cm.compare(frame.rename({"site": key}), "y", models, by=key, metrics="accuracy")
        for table in str(c).split("\n\n")[1:]:
            heads = re.split(r"\s{2,}", table.partition("\n")[0].strip())
            assert len(set(heads)) == len(heads)
        assert any(head.startswith(key) for head in heads)


def test_a_key_called_as_another_column_says_that_it_is_one():
    frame = log().select("y", p="a", q="b", b="site", **{"b (key)": "user"})
    c = cm.compare(frame, "y", ["p", "q"], by=["b", "b (key)"], metrics="accuracy")
    assert re.search(r"(?m)^b \(key\) +b \(key\) \(key\) +n +a +b ", str(c))
