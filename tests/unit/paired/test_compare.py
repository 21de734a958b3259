"""`cm.compare`: differences of models on the same rows, by slices, with weights and clusters."""

import math
import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats

import confmat as cm
from confmat.intervals.levels import z_of
from confmat.intervals.paired import tango
from confmat.matrices.joint_influence import correlation, covariance, influence
from confmat.scores.delong import paired_delong
from confmat.significance.paired import mcnemar

NUMBERS = ["value_a", "value_b", "difference", "low", "high", "p_value"]
COLUMNS = ["model_a", "model_b", "metric", "n", *NUMBERS, "method", "reason"]


def log(n=400, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    noise = [rng.integers(0, classes, n) for _ in range(3)]
    wrong = [rng.random(n) < share for share in (0.3, 0.2, 0.25)]
    a, b, c = (np.where(w, other, y) for w, other in zip(wrong, noise, strict=True))
    scores = [np.clip(0.3 + 0.4 * y + rng.normal(0, 0.2, n), 0.01, 0.99) for _ in range(2)]
    return pl.DataFrame(
        {
            "y": y,
            "a": a,
            "b": b,
            "c": c,
            "sa": scores[0],
            "sb": scores[1],
            "site": rng.choice(["x", "y", "z"], n),
            "w": rng.uniform(0.2, 3, n),
            "user": rng.integers(0, 50, n),
        }
    )


def compared(frame, y_pred=("a", "b"), **options):
    return cm.compare(frame, "y", list(y_pred), **options)


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


def test_a_screen_says_that_not_all_slices_are_on_it():
    few, many = (log(400, 3).with_columns(at=pl.int_range(pl.len()) % n) for n in (8, 9))
    assert "shown:" not in str(cm.compare(few, "y", ["a", "b"], by="at"))
    told = str(cm.compare(many, "y", ["a", "b"], by="at"))
    assert "9 slices by at (shown: the 4 worst and best of b; .slices() has all)" in told


def test_clusters_that_agree_in_every_row_count_as_one_row_each():
    rows = pl.DataFrame({"y": [1, 1, 0], "a": [1, 1, 0], "b": [1, 1, 0], "user": [1, 2, 3]})
    found = cm.compare(rows, "y", ["a", "b"], cluster="user", metrics=["accuracy"])
    alone = cm.compare(rows, "y", ["a", "b"], metrics=["accuracy"])
    of_users, of_rows = (c.difference("accuracy") for c in (found, alone))
    assert (of_users.low, of_users.high) == pytest.approx((of_rows.low, of_rows.high))
    assert of_users.high > 0.5


def test_slices():
    frame = log()
    frame = frame.with_columns(b=pl.when(site="y").then("y").otherwise("b"))
    c = compared(frame, by="site", metrics=["accuracy", "f1"])
    table = c.table()
    assert table.columns == ["site", *COLUMNS]
    assert table["site"].to_list() == ["x", "x", "y", "y", "z", "z"]
    for site in "xyz":
        own = compared(frame.filter(site=site), metrics=["accuracy", "f1"]).table()
        assert table.filter(site=site).drop("site").equals(own)
        assert c.difference("f1", site=site) == compared(frame.filter(site=site)).difference("f1")
    assert c.overall().equals(compared(frame, metrics=["accuracy", "f1"]).table())
    ranked = c.slices()
    assert ranked["difference"].is_sorted()
    assert set(ranked["metric"]) == {"accuracy"}
    assert ranked["p_adjusted"].equals(cm.adjust_p(ranked["p_value"]), null_equal=True)
    told = [
        None if row["p_adjusted"] >= 0.05 else "better" if row["difference"] > 0 else "worse"
        for row in ranked.to_dicts()
    ]
    assert ranked["verdict"].to_list() == told
    assert c.slices("error")["difference"].is_sorted(descending=True)
    assert c.slices("error")["verdict"].to_list() == told
    assert (
        c.slices(adjust="holm")["p_adjusted"].to_list()
        == cm.adjust_p(ranked["p_value"], "holm").to_list()
    )
    plain = c.slices(adjust=None)
    assert plain["p_adjusted"].to_list() == plain["p_value"].to_list()
    with pytest.raises(cm.InputError, match="`adjust` is 'most'"):
        c.slices(adjust="most")


def test_slices_of_expressions_missing_values_and_times():
    frame = log().with_columns(
        site=pl.when(pl.col("site") != "x").then("site"),
        day=pl.date(2024, 1, 1) + pl.duration(days=pl.col("user") % 2),
    )
    c = compared(frame, by=[pl.col("day").dt.day().alias("on"), "site"], metrics="accuracy")
    assert c.keys == ("on", "site")
    assert c.table().select("on", "site").rows() == [
        (day, site) for day in (1, 2) for site in ("y", "z", None)
    ]
    missing = c.table().filter(pl.col("site").is_null(), pl.col("on") == 2)
    own = frame.filter(pl.col("site").is_null(), pl.col("day").dt.day() == 2)
    assert missing["n"].item() == own.height
    assert (
        c.difference("accuracy", slice={"site": None, "on": 2}).value
        == missing["difference"].item()
    )


def test_small_slices_have_no_values():
    c = compared(log(), by="site", min_n=140, metrics="mcc")
    for row in c.table().to_dicts():
        assert (row["difference"] is None) == (row["n"] < 140)
    few = c.table().filter(pl.col("n") < 140)
    assert few.height
    assert "140" in few["reason"][0]
    assert c.slices().height == 3


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


def test_any_source_and_any_split_give_the_same(tmp_path):
    frame = log(500)
    wanted = compared(frame, by="site").table()
    frame[:200].write_parquet(tmp_path / "1.parquet")
    frame[200:].write_parquet(tmp_path / "2.parquet")
    for source in (
        frame.lazy(),
        [frame[:7], frame[7:300], frame[300:]],
        tmp_path,
        frame.to_pandas(),
        frame.to_arrow(),
    ):
        assert compared(source, by="site").table().equals(wanted)
    e = cm.evaluate(frame[:123], "y", ["a", "b"], by="site")
    e += cm.evaluate(frame[123:], "y", ["a", "b"], by="site")
    assert e == compared(frame, by="site").evaluation


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


def test_clusters_of_one_row_each_are_independent_rows():
    frame = log(300).with_row_index("row")
    alone = compared(frame, method="delta")
    clustered = compared(frame, cluster="row")
    for name in ("accuracy", "mcc", "f1"):
        wanted = alone.difference(name).se * math.sqrt(300 / 299)
        assert clustered.difference(name).se == pytest.approx(wanted, rel=1e-9)


def test_clusters_are_those_of_a_jackknife():
    frame = log(600, seed=3)
    change = pl.DataFrame({"user": frame["user"], "d": (frame["y"] == frame["b"])}).with_columns(
        pl.col("d").cast(int) - (frame["y"] == frame["a"]).cast(int)
    )
    mean = change["d"].mean()
    sums = change.group_by("user").agg((pl.col("d") - mean).sum())["d"].to_numpy()
    se = math.sqrt((sums**2).sum() * 50 / 49) / 600
    c = compared(frame, cluster="user", by="site")
    assert c.difference("accuracy").se == pytest.approx(se, rel=1e-6)
    own = compared(frame.filter(site="x"), cluster="user")
    assert c.difference("mcc", site="x") == own.difference("mcc")
    left_out = [
        compared(frame.filter(pl.col("user") != user), metrics="mcc").difference("mcc").value
        for user in range(50)
    ]
    jackknife = math.sqrt(49 / 50 * ((np.array(left_out) - np.mean(left_out)) ** 2).sum())
    assert c.difference("mcc").se == pytest.approx(jackknife, rel=0.03)


def test_clusters_without_weight_are_none():
    frame = log(300)
    more = pl.concat([frame, frame.with_columns(user=pl.lit(99, pl.Int64), w=pl.lit(0.0))])
    options = {"y_score": ["sa", "sb"], "sample_weight": "w", "cluster": "user"}
    found, wanted = (compared(rows, **options).table() for rows in (more, frame))
    assert_frame_equal(found, wanted, rel_tol=1e-9, abs_tol=1e-12)  # sums of weights round


@pytest.mark.parametrize("method", ["delta", "bootstrap"])
def test_clusters_are_the_same_bits_in_any_order(method):
    frame = log(5_000, classes=3)
    options = {"cluster": "user", "method": method, "seed": 3 if method == "bootstrap" else None}
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=1)
    assert compared(shuffled, **options).table().equals(compared(frame, **options).table())


def test_slices_without_a_name_have_their_own_clusters_and_scores():
    frame = log(300).with_columns(site=pl.when(pl.col("site") != "x").then("site"))
    options = {"y_score": ["sa", "sb"], "cluster": "user"}
    c = compared(frame, by="site", **options)
    own = compared(frame.filter(pl.col("site").is_null()), **options)
    for name in ("mcc", "brier", "roc_auc"):
        assert c.difference(name, slice={"site": None}) == own.difference(name)


def test_few_clusters_take_the_quantile_of_student():
    frame = log(500).with_columns(user=pl.col("user") % 7)
    for side, share in (("both", 0.975), ("lower", 0.95)):
        found = compared(frame, cluster="user", side=side).difference("mcc")
        assert found.low == pytest.approx(found.value - stats.t.ppf(share, 6) * found.se)
    c = compared(frame, cluster="user", metrics="mcc")
    t = c.difference("mcc").value / c.difference("mcc").se
    assert c.table()["p_value"].item() == pytest.approx(2 * stats.t.sf(abs(t), 6))
    alone = compared(frame.with_columns(user=1), cluster="user", metrics="mcc").table()
    assert alone["reason"].item() == "there is one cluster: wanted several"
    assert alone["low"].item() is None


def test_scores():
    frame = log()
    c = cm.compare(frame, "y", y_score={"a": "sa", "b": "sb"})
    table = c.table()
    assert table["metric"].to_list() == ["roc_auc", "brier", "log_loss"]
    assert table["method"].to_list() == ["delong", "mean", "mean"]
    both = paired_delong(frame["y"], frame["sa"], frame["sb"])
    auc = c.difference("roc_auc")
    assert auc.se == pytest.approx(math.sqrt(both.var_a + both.var_b - 2 * both.cov))
    assert table["value_a"][0] == both.auc_a
    y, a, b = (frame[name].to_numpy() for name in ("y", "sa", "sb"))
    for name, costs in (
        ("brier", [(s - y) ** 2 for s in (a, b)]),
        ("log_loss", [-np.log(np.where(y == 1, s, 1 - s)) for s in (a, b)]),
    ):
        test = stats.ttest_rel(costs[1], costs[0])
        found = c.difference(name)
        assert found.value == pytest.approx((costs[1] - costs[0]).mean())
        assert found.value / found.se == pytest.approx(test.statistic)
    assert c.evaluation is None
    with pytest.raises(cm.InputError, match="scores alone are compared, without `y_pred`"):
        c.flips()


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_log_loss_of_certain_scores_is_clipped_as_in_a_sweep(dtype):
    frame = log().with_columns(sb=(pl.col("sb") > 0.5).cast(dtype), sa=pl.col("sa").cast(dtype))
    found = cm.compare(frame, "y", y_score=["sa", "sb"]).difference("log_loss")
    clip = 2.0**-52 if dtype == pl.Float64 else 2.0**-23
    y = frame["y"].to_numpy()
    costs = []
    for name in ("sa", "sb"):
        held = np.clip(frame[name].cast(pl.Float64).to_numpy(), clip, 1 - clip)
        costs.append(-np.log(np.where(y == 1, held, 1 - held)))
    change = costs[1] - costs[0]
    assert found.value == pytest.approx(change.mean(), rel=1e-6)
    assert found.se == pytest.approx(change.std(ddof=1) / math.sqrt(len(y)), rel=1e-6)


def test_scores_by_slices_with_weights_and_rows_left_out():
    frame = log().with_columns(sb=pl.when(pl.col("user") > 1).then("sb"))
    options = {"y_score": ["sa", "sb"], "by": "site", "sample_weight": "w"}
    c = cm.compare(frame, "y", **options)
    for site in "xyz":
        own = frame.filter(site=site).drop_nulls()
        both = paired_delong(own["y"], own["sa"], own["sb"], own["w"])
        found = c.difference("roc_auc", site=site)
        assert found.value == pytest.approx(both.auc_b - both.auc_a)
        assert found.se == pytest.approx(math.sqrt(both.var_a + both.var_b - 2 * both.cov))
        n = c.table("roc_auc").filter(site=site)["n"].item()
        assert n == pytest.approx(own["w"].sum())


def test_scores_that_are_no_probabilities_have_areas_alone():
    frame = log().with_columns(pl.col("sa", "sb") * 5)
    c = cm.compare(frame, "y", y_score=["sa", "sb"])
    assert c.metrics == ("roc_auc",)
    ks = c.table("ks")
    assert ks["reason"].item().startswith("ks grows where rows are drawn again")
    assert ks["difference"].item() == ks["value_b"].item() - ks["value_a"].item()
    assert ks["low"].item() is None


def test_scores_of_a_slice_with_one_class():
    frame = log().with_columns(y=pl.when(site="x").then(0).otherwise("y"))
    table = cm.compare(frame, "y", y_score=["sa", "sb"], by="site", metrics="roc_auc").table()
    assert table["difference"][0] is None
    assert table["reason"][0].startswith("a: ")
    assert table["reason"][1] is None


def test_scores_that_are_nan():
    frame = log().with_columns(sb=pl.when(pl.col("user") > 1).then("sb").otherwise(math.nan))
    with pytest.raises(cm.InputError, match="`y_score` 'sb' is nan, first at row"):
        cm.compare(frame, "y", y_score=["sa", "sb"])
    n = cm.compare(frame, "y", y_score=["sa", "sb"], nan="drop").table()["n"][0]
    assert n == frame.filter(pl.col("user") > 1).height


def test_truths_that_are_floats_with_nan():
    truth = pl.when(pl.col("user") > 1).then(pl.col("y") * 1.0).otherwise(math.nan)
    c = cm.compare(log().with_columns(y=truth), "y", ["a", "b"], ["sa", "sb"])
    own = log().filter(pl.col("user") > 1)
    wanted = cm.compare(own, "y", ["a", "b"], ["sa", "sb"])
    assert c.table().equals(wanted.table())
    assert f"n = {own.height}; {400 - own.height} dropped: null" in str(c)


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


def test_rows_without_a_cluster():
    frame = log().with_columns(user=pl.when(pl.col("user") > 0).then("user"))
    with pytest.raises(cm.InputError, match="`cluster` names 'user', which has nulls"):
        compared(frame, cluster="user")


def test_a_source_that_is_read_once_has_no_clusters():
    reader = log().to_arrow().to_reader()
    with pytest.raises(cm.InputError, match="`df` gave 400 rows, and 0 when it was read again"):
        compared(reader, cluster="user")


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
