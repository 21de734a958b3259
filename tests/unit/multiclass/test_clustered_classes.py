"""Intervals of scores of many classes whose rows come in clusters, against sums over the rows."""

import math

import numpy as np
import pytest
from scipy import stats

import confmat as cm
from confmat.intervals.mean_loss import MeanLoss
from confmat.multiclass.clustered import ClusteredClasses

K = 3
NAMES = (
    *(f"{base}_{kind}" for base in ("roc_auc", "average_precision")
      for kind in ("macro", "weighted", "micro")),
    *("log_loss", "brier", "d2_log_loss", "d2_brier", "top_1_accuracy", "top_2_accuracy"),
)  # fmt: skip


def rows_of(n=150, clusters=12, seed=1):
    rng = np.random.default_rng(seed)
    user = np.sort(rng.integers(0, clusters, n))
    y = rng.integers(0, K, n)
    scores = rng.dirichlet(np.ones(K), n).round(3)
    scores[np.arange(n), np.where(rng.random(n) < 0.6, y, user % K)] += 0.6
    scores = (scores / scores.sum(1, keepdims=True)).round(3)  # one score a bin
    scores[:, 2] = 1 - scores[:, :2].sum(1)
    return user, y, scores.round(3)


def clustered(user, y, scores, w=None, labels=(0, 1, 2)):
    parts = [
        cm.multiclass_sweep(
            y[user == u],
            scores[user == u],
            labels=labels,
            sample_weight=None if w is None else w[user == u],
        ).to_state()
        for u in np.unique(user)
    ]
    whole = cm.merge(parts)
    return whole, ClusteredClasses(whole, [part.to_bytes() for part in parts])


def added_by_rows(name, y, scores, w):
    """Return what each row adds: the derivative by its weight, of the values alone."""

    def value(weights):
        k = cm.multiclass_sweep(y, scores, labels=[0, 1, 2], sample_weight=weights)
        return k.value(name)

    step = 1e-5
    out = np.empty(len(y))
    for row in range(len(y)):
        more, less = w.copy(), w.copy()
        more[row] += step
        less[row] -= step
        out[row] = (value(more) - value(less)) / (2 * step)
    return w * out


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_variance_is_that_of_the_sums_over_clusters(name, weighted):
    user, y, scores = rows_of()
    w = np.random.default_rng(3).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    k, by_user = clustered(user, y, scores, w if weighted else None)
    added = added_by_rows(name, y, scores, w)
    assert k.value(name) == pytest.approx(
        cm.multiclass_sweep(y, scores, sample_weight=w).value(name), rel=1e-9
    )
    sums = np.bincount(user, added)
    wanted = math.sqrt(sums @ sums * len(sums) / (len(sums) - 1))
    assert by_user.interval(name).se == pytest.approx(wanted, rel=1e-5)


def test_ends_are_those_of_students_t_on_the_scale_of_the_number():
    k, by_user = clustered(*rows_of())
    t = stats.t.ppf(0.95, 11)
    found = by_user.interval("roc_auc_macro", 0.9)
    area = k.value("roc_auc_macro")
    logit, half = math.log(area / (1 - area)), t * found.se / (area * (1 - area))
    wanted = [1 / (1 + math.exp(-end)) for end in (logit - half, logit + half)]
    assert found[1:3] == pytest.approx(wanted, rel=1e-9)
    found = by_user.interval("log_loss", 0.9)
    wanted = [found.value * math.exp(sign * t * found.se / found.value) for sign in (-1, 1)]
    assert found[1:3] == pytest.approx(wanted, rel=1e-9)
    assert found.method == "cluster"


def test_rows_alone_have_about_the_intervals_of_rows():
    _, y, scores = rows_of(n=400)
    _, by_row = clustered(np.arange(400), y, scores)
    rows = cm.multiclass_sweep(y, scores)
    for name in ("roc_auc_macro", "roc_auc_micro", "log_loss", "brier", "top_1_accuracy"):
        wanted, found = rows.ci(name), by_row.interval(name)
        assert found.se == pytest.approx(wanted.se, rel=0.04), name
        assert found[1:3] == pytest.approx(wanted[1:3], abs=0.005), name


def test_where_nothing_is_seen_a_cluster_counts_as_a_row():
    y = np.tile([0, 1, 2], 40)
    _, by_user = clustered(np.repeat(np.arange(40), 3), y, np.eye(K)[y])
    z = stats.norm.ppf(0.975)
    for name in ("roc_auc_macro", "average_precision_macro", "top_1_accuracy"):
        found = by_user.interval(name)
        low = 1 - z * z / (40 + z * z)
        assert found[:3] == pytest.approx((1.0, low, 1.0)), name
    found = by_user.interval("brier")
    wanted = MeanLoss(0.0, 0.0, 2.0, 0.0, 2.0, 40).interval(0.0, 0.95, "both")
    assert found[1:3] == pytest.approx(wanted)
    found = by_user.interval("log_loss")
    some = z * z / (40 + z * z)
    assert found.high == pytest.approx(-some * math.log(np.finfo(float).eps), rel=1e-6)


def test_classes_without_rows_are_left_out():
    user, y, scores = rows_of()
    y = np.where(y == 2, 0, y)
    k, by_user = clustered(user, y, scores)
    assert k.n_used("roc_auc") == 2
    for name in ("roc_auc_macro", "roc_auc_weighted", "average_precision_macro", "d2_log_loss"):
        found = by_user.interval(name)
        assert found.low < found.value < found.high, name
    # Of two classes both areas are that of one against the other's rows.
    added = added_by_rows("roc_auc_weighted", y, scores, np.ones(len(y)))
    sums = np.bincount(user, added)
    wanted = math.sqrt(sums @ sums * 12 / 11)
    assert by_user.interval("roc_auc_weighted").se == pytest.approx(wanted, rel=1e-5)


def test_what_has_no_interval_says_why():
    user, y, scores = rows_of()
    k, by_user = clustered(user, y, scores)
    assert "has none with clusters; roc_auc," in by_user.interval("classwise_ece").method
    assert math.isnan(by_user.interval("top_label_ece").low)
    alone = ClusteredClasses(k, [k.to_bytes()])
    assert alone.interval("brier").method == "none: there is one cluster: wanted several"
    k, by_user = clustered(user, np.zeros_like(y), scores)
    assert by_user.interval("roc_auc_macro").method == f"none: {k.reason('roc_auc_macro')}"
    nothing = cm.multiclass_sweep([], np.empty((0, K)), labels=[0, 1, 2]).to_state()
    found = ClusteredClasses(nothing, [nothing.to_bytes()]).interval("log_loss")
    assert found.method == "none: there are no rows"


def test_pairs_of_classes_are_refused_by_name():
    user, y, scores = rows_of()
    parts = [
        cm.multiclass_sweep(y[user == u], scores[user == u], labels=[0, 1, 2]).to_state(pairs=True)
        for u in range(12)
    ]
    k = cm.merge(parts)
    by_user = ClusteredClasses(k, [part.to_bytes() for part in parts])
    assert "roc_auc_ovo has none" in by_user.interval("roc_auc_ovo").method
    plain = clustered(user, y, scores)[1]
    for name in ("roc_auc_macro", "roc_auc_micro"):
        assert by_user.interval(name)[:4] == pytest.approx(plain.interval(name)[:4], rel=1e-9)
