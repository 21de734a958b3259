"""Intervals of metrics of scores whose rows come in clusters, against sums over the rows."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat import _core
from confmat.intervals.clusters import of_sums
from confmat.scores.clustered import ClusteredSweep, no_formula
from confmat.scores.delong import lost_placements

LOSSES = {
    "brier": lambda y, s: (s - y) ** 2,
    "log_loss": lambda y, s: -np.log(np.where(y == 1, s, 1 - s)),
}


def rows_of(seed=1, n=400, clusters=50, digits=3):
    rng = np.random.default_rng(seed)
    user = np.sort(rng.integers(0, clusters, n))
    user = np.unique(user, return_inverse=True)[1]
    y = (rng.random(n) < 0.4).astype(int)
    own = rng.normal(0, 0.15, user.max() + 1)[user]
    s = np.clip(rng.normal(0.4 + 0.2 * y + own, 0.15), 0.01, 0.99).round(digits)
    return user, y, s, rng.uniform(0.2, 2, n)


def clustered(user, y, s, w=None, bins="unit"):
    def of(rows):
        weights = None if w is None else w[rows]
        return cm.sweep(y[rows], s[rows], bins=bins, sample_weight=weights, pos_label=1)

    parts = cm.partial(
        cm_frame(user, y, s, w), y_true="y", y_score="s", by="user", bins=bins, pos_label=1,
        sample_weight=None if w is None else "w",
    )["state"].to_list()  # fmt: skip
    return of(user >= 0), ClusteredSweep(of(user >= 0), parts)


def cm_frame(user, y, s, w):
    import polars as pl

    return pl.DataFrame({"user": user, "y": y, "s": s, "w": np.ones(len(y)) if w is None else w})


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bins", ["unit", None, 65536])
def test_variances_are_those_of_the_rows(weighted, bins):
    user, y, s, w = rows_of()
    whole, by_user = clustered(user, y, s, w if weighted else None, bins)
    w = w if weighted else np.ones(len(y))
    n = user.max() + 1
    assert by_user.n_clusters == n
    lost = lost_placements(y == 1, s, w)
    of_class = np.where(y == 1, w[y == 1].sum(), w[y == 0].sum())
    area = of_sums(user, n, w * (1 - lost - whole.roc_auc) / of_class)
    exact = bins != 65536
    assert by_user.variance("roc_auc") == pytest.approx(area, rel=1e-9 if exact else 0.05)
    assert by_user.variance("gini") == pytest.approx(4 * by_user.variance("roc_auc"), rel=1e-12)
    for name, loss in LOSSES.items():
        of_rows = loss(y, s)
        mean = w @ of_rows / w.sum()
        wanted = of_sums(user, n, w * (of_rows - mean) / w.sum())
        assert by_user.variance(name) == pytest.approx(wanted, rel=1e-9 if exact else 0.05)
    # The skill, by the numbers themselves.
    step, skills = 1e-6, []
    for u in range(n):
        moved = []
        for sign in (1, -1):
            v = w * np.where(user == u, 1 + sign * step, 1.0)
            share = v @ y / v.sum()
            moved.append(1 - (v @ (s - y) ** 2 / v.sum()) / (share * (1 - share)))
        skills.append((moved[0] - moved[1]) / (2 * step))
    wanted = of_sums(np.arange(n), n, np.array(skills))
    assert by_user.variance("brier_skill") == pytest.approx(wanted, rel=1e-6 if exact else 0.05)


@pytest.mark.parametrize("name", ["roc_auc", "gini", "brier", "log_loss", "brier_skill"])
def test_clusters_of_one_row_are_rows(name):
    _, y, s, _ = rows_of()
    whole, by_row = clustered(np.arange(len(y)), y, s)
    wanted, found = whole.ci(name), by_row.interval(name)
    assert found[1:3] == pytest.approx(wanted[1:3], abs=2e-3)
    assert found.value == wanted.value


def test_rows_that_come_ten_times_tell_as_much_as_once():
    _, y, s, _ = rows_of(n=100)
    once = clustered(np.arange(100), y, s)[1]
    ten = clustered(np.repeat(np.arange(100), 10), *(np.repeat(x, 10) for x in (y, s)))[1]
    for name in ("roc_auc", "brier", "log_loss", "brier_skill"):
        assert ten.variance(name) == pytest.approx(once.variance(name), rel=1e-9)
        assert ten.interval(name)[1:3] == pytest.approx(once.interval(name)[1:3], rel=1e-9)


def test_obuchowski_by_hand():
    """Three clusters, by her formulas: sums of components of X and Y in each cluster."""
    user = np.array([0, 0, 1, 1, 2, 2, 2])
    y = np.array([1, 0, 1, 0, 1, 1, 0])
    s = np.array([0.9, 0.3, 0.4, 0.5, 0.8, 0.6, 0.2])
    m, n = 4, 3
    v10 = {i: np.mean([s[i] > s[j] for j in np.flatnonzero(y == 0)]) for i in np.flatnonzero(y)}
    v01 = {j: np.mean([s[i] > s[j] for i in np.flatnonzero(y)]) for j in np.flatnonzero(y == 0)}
    area = np.mean(list(v10.values()))
    positives = [sum(v10[i] - area for i in v10 if user[i] == u) for u in range(3)]
    negatives = [sum(v01[j] - area for j in v01 if user[j] == u) for u in range(3)]
    s10 = 3 / ((3 - 1) * m) * sum(x * x for x in positives)
    s01 = 3 / ((3 - 1) * n) * sum(x * x for x in negatives)
    s11 = 3 / (3 - 1) * sum(a * b for a, b in zip(positives, negatives, strict=True))
    wanted = s10 / m + s01 / n + 2 * s11 / (m * n)
    whole, by_user = clustered(user, y, s, bins=None)
    assert whole.roc_auc == pytest.approx(area)
    assert by_user.variance("roc_auc") == pytest.approx(wanted, rel=1e-12)


def test_where_nothing_is_seen_a_cluster_counts_as_a_row():
    y, s = np.tile([0, 0, 0, 1, 1], 40), np.tile([0.1, 0.2, 0.3, 0.8, 0.9], 40)
    whole, by_user = clustered(np.repeat(np.arange(40), 5), y, s)
    found = by_user.interval("roc_auc")
    once = cm.sweep([0] * 40 + [1] * 40, [0.1] * 40 + [0.9] * 40, bins="unit")
    assert found[1:3] == pytest.approx(once.ci("roc_auc")[1:3], rel=1e-6)
    low, high = by_user.interval("brier")[1:3]
    assert low < whole.brier < high


@pytest.mark.parametrize("weighted", [False, True])
def test_average_precision_changes_with_the_weights_of_rows(weighted):
    user, y, s, w = rows_of(n=120, clusters=12, digits=2)
    w = w if weighted else np.ones(len(y))
    whole, by_user = clustered(user, y, s, w if weighted else None)

    def precision(row, change):
        weights = w.copy()
        weights[row] += change
        return cm.sweep(y, s, sample_weight=weights).average_precision

    step = 1e-5
    moved = [(precision(row, step) - precision(row, -step)) / (2 * step) for row in range(120)]
    wanted = of_sums(user, 12, w * np.array(moved))
    assert by_user.variance("average_precision") == pytest.approx(wanted, rel=1e-5)
    found = by_user.interval("average_precision")
    assert found.value == whole.value("average_precision")
    assert found.se == pytest.approx(math.sqrt(wanted), rel=1e-5)
    assert 0 < found.low < found.value < found.high < 1
    _, perfect = clustered(
        np.repeat(np.arange(40), 2), np.tile([0, 1], 40), np.tile([0.1, 0.9], 40)
    )
    low, high = perfect.interval("average_precision")[1:3]
    assert (low, high) == (pytest.approx(40 / (40 + 1.959964**2), rel=1e-6), 1.0)


def test_what_has_no_interval_says_why():
    user, y, s, _ = rows_of()
    whole, by_user = clustered(user, y, s)
    for name in ("ks", "eer", "ece"):
        found = by_user.interval(name)
        assert found.value == whole.value(name)
        assert math.isnan(found.low)
        assert found.method == f"none: {no_formula(name)}"
    alone = clustered(np.zeros(len(y), int), y, s)[1]
    assert alone.interval("roc_auc").method == "none: there is one cluster: wanted several"
    zeros = clustered(user, np.zeros_like(y), s)[1].interval("roc_auc")
    assert math.isnan(zeros.low)
    assert "positive" in zeros.method


def test_parts_of_finer_bins_and_hostile_ones():
    user, y, s, _ = rows_of()
    whole, by_user = clustered(user, y, s)
    parts = cm.partial(cm_frame(user, y, s, None), y_true="y", y_score="s", by="user")["state"]
    coarse = ClusteredSweep(whole.coarser(5), parts.to_list())
    assert coarse.variance("roc_auc") == pytest.approx(by_user.variance("roc_auc"), rel=0.05)
    other = cm.sweep([0, 1], [0.1234, 0.987654], bins="unit")
    with pytest.raises(cm.InputError, match="score that the whole has not"):
        _core.scores_of_parts(whole._state, [other.to_bytes()])
    with pytest.raises(cm.InputError, match="the whole"):
        _core.scores_of_parts(whole._state, [cm.sweep([0, 1], [0.1, 0.2]).to_bytes()])
    for bad in (b"", b"no state", whole.to_bytes()[:-3], cm.ConfusionMatrix([[1]]).to_bytes()):
        with pytest.raises(cm.StateError):
            _core.scores_of_parts(whole._state, [bad])
