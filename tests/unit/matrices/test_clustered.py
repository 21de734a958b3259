"""Intervals of a matrix whose rows come in clusters, against sums over the rows."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import confmat as cm
from confmat import _core
from confmat.intervals.wilson import wilson
from confmat.matrices.clustered import NO_SLOPES, SPARSE, ClusteredMatrix
from confmat.options import SECOND

METRICS = ("accuracy", "mcc", "kappa", "f1_macro", "balanced_accuracy", "gmcc")


def rows_of(seed=5, n=240, clusters=40):
    """As the numbers of statsmodels below were made."""
    rng = np.random.default_rng(seed)
    user = rng.integers(0, clusters, n)
    good = rng.beta(3, 1.5, clusters)
    y = rng.integers(0, 2, n)
    return user, y, np.where(rng.random(n) < good[user], y, 1 - y)


def clustered(user, y, p, w=None, labels=None):
    weights = [None] * (user.max() + 1) if w is None else [w[user == u] for u in range(len(w))]
    parts = [
        cm.confusion_matrix(y[user == u], p[user == u], labels=labels, sample_weight=weights[u])
        for u in np.unique(user)
    ]
    whole = cm.merge(parts)
    return whole, ClusteredMatrix(whole, [part.to_bytes() for part in parts])


def test_standard_errors_are_those_of_statsmodels():
    """Statsmodels 0.15.0: OLS of a constant, cov_type="cluster", without correction.

    `sm.GEE` of the logit with independent rows gives the same, on its scale.
    """
    m, by_user = clustered(*rows_of())
    wanted = {
        "accuracy": (0.042908343482282306, 0.18227897223832593),
        "recall": (0.04699454919797607, 0.19138051709582987),
        "precision": (0.055467691882412205, 0.23946063512886037),
    }
    assert by_user.n_clusters == 40
    for name, (plain, logit) in wanted.items():
        share = m.value(name)
        found = math.sqrt(by_user.variance(name) * 39 / 40)
        assert found == pytest.approx(plain, rel=1e-12)
        assert found / (share * (1 - share)) == pytest.approx(logit, rel=1e-12)


def moved_by_rows(name, y, p, w, labels):
    """Return what each row adds: the derivative by its weight, of the values alone."""

    def value(weights):
        counts = np.zeros((len(labels),) * 2)
        np.add.at(counts, (y, p), weights)
        return cm.ConfusionMatrix(counts, labels).value(name)

    step = 1e-6
    out = np.empty(len(y))
    for row in range(len(y)):
        more, less = w.copy(), w.copy()
        more[row] += step
        less[row] -= step
        out[row] = (value(more) - value(less)) / (2 * step)
    return w * out


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("weighted", [False, True])
def test_variance_is_that_of_the_sums_over_clusters(name, weighted):
    rng = np.random.default_rng(3)
    labels = [0, 1, 2]
    user = np.sort(rng.integers(0, 12, 90))
    y = rng.integers(0, 3, 90)
    p = np.where(rng.random(90) < 0.7, y, user % 3)
    w = rng.uniform(0.5, 2, 90) if weighted else np.ones(90)
    _, by_user = clustered(user, y, p, w if weighted else None, labels)
    added = moved_by_rows(name, y, p, w, labels)
    sums = np.bincount(user, added - w * added.sum() / w.sum())
    wanted = sums @ sums * len(sums) / (len(sums) - 1)
    assert by_user.variance(name) == pytest.approx(wanted, rel=1e-5)
    assert by_user.interval(name).se == pytest.approx(math.sqrt(by_user.variance(name)), rel=1e-9)


@pytest.mark.parametrize("name", [*METRICS, "recall", "precision", "f1", "specificity"])
def test_clusters_of_one_row_are_rows(name):
    _, y, p = rows_of(n=300)
    m, by_row = clustered(np.arange(300), y, p, labels=[0, 1])
    wanted, found = m.ci(name), by_row.interval(name)
    # The factor G / (G - 1) alone is more.
    assert found.low == pytest.approx(wanted.low, abs=4e-4)
    assert found.high == pytest.approx(wanted.high, abs=4e-4)
    assert found.low < wanted.low < wanted.high < found.high
    assert found.se == pytest.approx(wanted.se * math.sqrt(300 / 299), rel=1e-9)


def test_clusters_whose_rows_are_the_same_are_worth_a_row_each():
    _, y, p = rows_of(n=60)
    m = cm.confusion_matrix(y, p)
    ten, by_user = clustered(np.repeat(np.arange(60), 10), np.repeat(y, 10), np.repeat(p, 10))
    assert ten.n == 600
    for name in ("accuracy", "mcc"):
        # G / (G - 1) = 60 / 59
        squares = 60 / 59 * m.counts
        ask = _core.Asks([name])
        z = stats.norm.ppf(0.975)
        wanted, _ = _core.intervals(ask, m.counts, ("0", "1"), SECOND, z, z, squares=squares)
        assert by_user.interval(name)[1:3] == pytest.approx(wanted[0, 0, 1:3], rel=1e-12)


def test_few_clusters_take_students_t():
    user, y, p = rows_of(clusters=9)
    m, by_user = clustered(user, y, p)
    found = by_user.interval("accuracy", 0.9)
    share, t = m.accuracy, stats.t.ppf(0.95, 8)
    n = share * (1 - share) / by_user.variance("accuracy")
    middle = (share * n + t * t / 2) / (n + t * t)
    half = t / (n + t * t) * math.sqrt(share * (1 - share) * n + t * t / 4)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), rel=1e-12)


def test_where_nothing_is_seen_a_cluster_counts_as_a_row():
    users = [cm.ConfusionMatrix([[4, 0], [0, 6]])] * 40
    m = cm.merge(users)
    by_user = ClusteredMatrix(m, [user.to_bytes() for user in users])
    low, high = by_user.interval("recall")[1:3]
    # 40 rows of 40, but for 39 / 40.
    z2 = stats.norm.ppf(0.975) ** 2
    assert (low, high) == (pytest.approx(39 / (39 + z2), rel=1e-12), 1.0)
    assert 0.5 < by_user.interval("mcc").low < m.ci("mcc").low
    # Errors that are the same in each cluster are no more telling.
    users = [cm.ConfusionMatrix([[4, 1], [1, 4]])] * 40
    by_user = ClusteredMatrix(cm.merge(users), [user.to_bytes() for user in users])
    low, high = by_user.interval("accuracy")[1:3]
    assert (low, high) == pytest.approx([float(x) for x in wilson(0.8 * 39, 39)], rel=1e-12)


def test_what_has_no_interval_says_why():
    m = cm.ConfusionMatrix([[5, 0], [0, 0]], [0, 1])
    parts = [m.to_bytes()]
    alone = ClusteredMatrix(m, parts)
    assert alone.interval("accuracy").method == "none: there is one cluster: wanted several"
    assert alone.interval("recall").method == f"none: {m.reason('recall')}"
    assert math.isnan(alone.interval("recall").low)
    nothing = ClusteredMatrix(cm.confusion_matrix([], []), [])
    assert math.isnan(nothing.interval("accuracy").low)
    singular = cm.ConfusionMatrix([[1, 1], [1, 1]])
    found = ClusteredMatrix(singular + singular, [singular.to_bytes()] * 2).interval("gmcc")
    assert math.isnan(found.low) == (found.method == f"none: {NO_SLOPES}")
    labels = list(range(3000))
    many = cm.confusion_matrix(labels, labels)
    found = ClusteredMatrix(many + many, [many.to_bytes()] * 2).interval("accuracy")
    assert found.method == f"none: {SPARSE}"


def test_positive_class_that_no_row_has():
    parts = [cm.ConfusionMatrix([[3]], [0]), cm.ConfusionMatrix([[5]], [0])]
    by_user = ClusteredMatrix(cm.merge(parts), [part.to_bytes() for part in parts])
    assert math.isnan(by_user.interval("recall", pos_label=1).low)
    assert by_user.interval("specificity", pos_label=1).value == 1.0


def test_parts_are_placed_in_the_whole():
    parts = [
        cm.confusion_matrix(["b", "b"], ["b", "d"]),
        cm.confusion_matrix([], []),
        cm.confusion_matrix(["a", "d"], ["d", "d"], sample_weight=[0.5, 2.0]),
    ]
    whole = cm.merge(parts)
    of, places, cells = _core.cells_of_parts(whole._state, [part.to_bytes() for part in parts])
    assert of.tolist() == [0, 0, 2, 2]
    assert places.tolist() == [4, 5, 2, 8]
    assert cells.tolist() == [1.0, 1.0, 0.5, 2.0]
    with pytest.raises(cm.InputError, match="'e'"):
        _core.cells_of_parts(whole._state, [cm.confusion_matrix(["e"], ["e"]).to_bytes()])
    for bad in (b"", b"not a state", whole.to_bytes()[:-1], cm.sweep([0, 1], [0, 1]).to_bytes()):
        with pytest.raises(cm.StateError):
            _core.cells_of_parts(whole._state, [bad])
    with pytest.raises(TypeError):
        _core.cells_of_parts(whole._state, ["text"])


@settings(max_examples=50, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), max_size=40),
    name=st.sampled_from(METRICS),
)
def test_intervals_hold_the_value_and_do_not_depend_on_order(rows, name):
    by = {}
    for user, y, p in rows:
        by.setdefault(user, []).append((y, p))
    parts = [
        cm.confusion_matrix(*zip(*some, strict=True), labels=[0, 1, 2]) for some in by.values()
    ]
    whole = cm.merge([cm.confusion_matrix([], [], labels=[0, 1, 2]), *parts])
    states = [part.to_bytes() for part in parts]
    found = ClusteredMatrix(whole, states).interval(name)
    turned = ClusteredMatrix(whole, states[::-1]).interval(name)
    if math.isnan(found.low):
        assert math.isnan(turned.low)
        assert found.method == turned.method != "cluster"
    else:
        assert found.low <= found.value <= found.high
        assert turned[1:4] == pytest.approx(found[1:4], rel=1e-9)
