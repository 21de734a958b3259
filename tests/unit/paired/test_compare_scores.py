"""`cm.compare` of scores: areas, Brier and log loss of the same rows."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from support.compared_log import log

import confmat as cm
from confmat.scores.delong import paired_delong


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
