"""Intervals by leaving out one cluster after the other, against the same of the rows."""

import math

import numpy as np
import pytest
from scipy import stats

import confmat as cm
from confmat.objects import left_out
from confmat.objects.left_out import NO_QUANTILE, LeftOutClusters

SETS = ("exact_match", "hamming_loss", "f1_samples", "f1_micro", "f1_macro", "recall_weighted")
NUMBERS = ("mean_error", "mae", "rmse", "r2", "pearson_r", "r2_correlation", "ccc", "slope")


def sets_of(n=120, clusters=15, seed=2):
    rng = np.random.default_rng(seed)
    user = rng.integers(0, clusters, n)
    truth = rng.random((n, 4)) < 0.4
    off = rng.beta(1, 4, clusters)
    return user, truth, truth ^ (rng.random((n, 4)) < off[user][:, None])


def numbers_of(n=200, clusters=40, seed=2):
    rng = np.random.default_rng(seed)
    user = rng.integers(0, clusters, n)
    y = rng.normal(2, 1, n)
    return user, y, y + rng.normal(0, 0.3, clusters)[user] + rng.normal(0, 0.2, n)


def clustered(user, make):
    parts = [make(user == u) for u in np.unique(user)]
    return LeftOutClusters(cm.merge(parts), [part.to_bytes() for part in parts])


def jackknife(values):
    values = np.array(values)
    g = len(values)
    return math.sqrt((g - 1) / g * ((values - values.mean()) ** 2).sum())


@pytest.mark.parametrize("weighted", [False, True])
def test_label_sets_are_counted_without_each_cluster(weighted):
    user, truth, pred = sets_of()
    w = np.random.default_rng(1).uniform(0.5, 2, len(user)) if weighted else None

    def make(rows):
        of = None if w is None else w[rows]
        return cm.multilabel(truth[rows], pred[rows], sample_weight=of)

    found = clustered(user, make).intervals(SETS)
    for name, one in zip(SETS, found, strict=True):
        assert one.value == pytest.approx(make(user >= 0).value(name))
        wanted = jackknife([make(user != u).value(name) for u in np.unique(user)])
        assert one.se == pytest.approx(wanted, rel=1e-9), name
        assert one.method == "cluster"
        # On the logit scale, by Student's t of 15 clusters.
        share = one.value
        half = stats.t.ppf(0.975, 14) * one.se / (share * (1 - share))
        ends = [math.log(end / (1 - end)) for end in one[1:3]]
        logit = math.log(share / (1 - share))
        assert ends == pytest.approx([logit - half, logit + half], rel=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_are_summed_without_each_cluster(weighted):
    user, y, p = numbers_of()
    w = np.random.default_rng(1).uniform(0.5, 2, len(user)) if weighted else None

    def make(rows):
        return cm.regression(y[rows], p[rows], sample_weight=None if w is None else w[rows])

    found = clustered(user, make).intervals(NUMBERS, 0.9)
    for name, one in zip(NUMBERS, found, strict=True):
        wanted = jackknife([make(user != u).value(name) for u in np.unique(user)])
        assert one.se == pytest.approx(wanted, rel=1e-7), name
        assert one.low < one.value < one.high
    error = found[0]
    z = stats.norm.ppf(0.95)
    assert error[1:3] == pytest.approx([error.value - z * error.se, error.value + z * error.se])


def test_the_mean_of_equal_clusters_has_the_error_of_their_sums():
    user, y, p = np.repeat(np.arange(50), 4), *numbers_of()[1:]
    of = clustered(user, lambda rows: cm.regression(y[rows], p[rows]))
    sums = np.bincount(user, (p - y) - (p - y).mean()) / 200
    wanted = math.sqrt(sums @ sums * 50 / 49)
    assert of.intervals(["mean_error"])[0].se == pytest.approx(wanted, rel=1e-9)


def test_of_many_clusters_groups_are_left_out(monkeypatch):
    _, y, p = numbers_of(n=400)
    user = np.arange(400) % 100

    def make(rows):
        return cm.regression(y[rows], p[rows])

    monkeypatch.setattr(left_out, "MOST", 35)
    of = clustered(user, make)
    assert of.n_clusters == 100
    group = np.arange(100) % 35
    wanted = jackknife([make(group[user] != at).value("mae") for at in range(35)])
    assert of.intervals(["mae"])[0].se == pytest.approx(wanted, rel=1e-9)


def test_where_nothing_is_seen_a_cluster_counts_as_a_row():
    _, truth, _ = sets_of()
    of = clustered(
        np.repeat(np.arange(40), 3), lambda rows: cm.multilabel(truth[rows], truth[rows])
    )
    z = stats.norm.ppf(0.975)
    low = 1 - z * z / (40 + z * z)
    for one in of.intervals(["f1_macro", "exact_match"]):
        assert one[:3] == pytest.approx((1.0, low, 1.0))


def test_what_has_no_interval_says_why():
    user, y, p = numbers_of()
    metrics = ["median_absolute_error"]
    of = clustered(user, lambda rows: cm.regression(y[rows], p[rows], metrics=metrics))
    largest, median, error = of.intervals(["max_error", "median_absolute_error", "mae"])
    assert math.isnan(largest.low)
    assert largest.method.startswith("none: without one of the clusters: ")
    assert median.method == f"none: {NO_QUANTILE}"
    assert error.low < error.value
    alone = cm.regression(y, p)
    one = LeftOutClusters(alone, [alone.to_bytes()]).intervals(["mae"])[0]
    assert one.method == "none: there is one cluster: wanted several"
    nothing = cm.regression([], [])
    one = LeftOutClusters(nothing, [nothing.to_bytes()] * 2).intervals(["mae"])[0]
    assert one.method == f"none: {nothing.reason('mae')}"
    same = clustered(user, lambda rows: cm.regression(y[rows], y[rows] + 1))
    (one,) = same.intervals(["mean_error"])
    assert one.method == "none: no cluster moves it, and its range has no end"
    # A metric that is not defined without one of the clusters.
    flat = np.where(user == 3, y, 1.0)
    of = clustered(user, lambda rows: cm.regression(flat[rows], p[rows]))
    (one,) = of.intervals(["r2"])
    assert one.method == "none: without one of the clusters: all true values are the same"


def test_clusters_without_rows_do_not_count():
    user, y, p = numbers_of(clusters=6)
    parts = [cm.regression(y[user == u], p[user == u]) for u in range(6)]
    none = cm.regression([], [])
    states = [part.to_bytes() for part in (*parts, none)]
    whole = cm.merge(parts)
    (found,) = LeftOutClusters(whole, states).intervals(["rmse"])
    (wanted,) = LeftOutClusters(whole, states[:-1]).intervals(["rmse"])
    assert found == wanted
