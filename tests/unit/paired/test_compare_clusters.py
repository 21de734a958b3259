"""`cm.compare` where rows come in clusters."""

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats
from support.compared_log import compared, log

import confmat as cm


def test_clusters_that_agree_in_every_row_count_as_one_row_each():
    rows = pl.DataFrame({"y": [1, 1, 0], "a": [1, 1, 0], "b": [1, 1, 0], "user": [1, 2, 3]})
    found = cm.compare(rows, "y", ["a", "b"], cluster="user", metrics=["accuracy"])
    alone = cm.compare(rows, "y", ["a", "b"], metrics=["accuracy"])
    of_users, of_rows = (c.difference("accuracy") for c in (found, alone))
    assert (of_users.low, of_users.high) == pytest.approx((of_rows.low, of_rows.high))
    assert of_users.high > 0.5


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


def test_rows_without_a_cluster():
    frame = log().with_columns(user=pl.when(pl.col("user") > 0).then("user"))
    with pytest.raises(cm.InputError, match="`cluster` names 'user', which has nulls"):
        compared(frame, cluster="user")


def test_a_source_that_is_read_once_has_no_clusters():
    reader = log().to_arrow().to_reader()
    with pytest.raises(cm.InputError, match="`df` gave 400 rows, and 0 when it was read again"):
        compared(reader, cluster="user")
