"""Intervals of metrics of label sets: rows are drawn, with all their labels."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.errors import InputError
from confmat.intervals.wilson import wilson

NAMES = (
    "hamming_loss",
    "precision_micro",
    "recall_micro",
    "f1_micro",
    "jaccard_micro",
    "specificity_micro",
    "mcc_micro",
    "fbeta_micro",
    "f1_samples",
    "precision_samples",
    "jaccard_samples",
)
ROWS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 3)), min_size=2, max_size=30
)


def drawn(seed, n=400, n_labels=4):
    """Draw rows whose labels go together: some rows have most of them and some rows are easy."""
    rng = np.random.default_rng(seed)
    y = rng.random((n, n_labels)) < rng.random((n, 1))
    right = rng.random((n, n_labels)) < 0.5 + 0.5 * rng.random((n, 1))
    return y, np.where(right, y, ~y), rng.exponential(size=n)


def bits(numbers):
    return (np.array(numbers)[:, None] >> np.arange(3) & 1).astype(bool)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_errors_by_leaving_rows_out(name, weights):
    y, p, w = drawn(1, 120)
    w = w if weights else np.ones(len(y))
    found = cm.multilabel(y, p, sample_weight=w if weights else None).ci(name)

    def value(keep):
        part = w[keep] if weights else None
        return cm.multilabel(y[keep], p[keep], sample_weight=part).value(name)

    n = len(y)
    less = np.array([value(np.arange(n) != i) for i in range(n)])
    # A row of weight w moves the value by about w / (1 - w / W) of its influence.
    wanted = math.sqrt((n - 1) / n * np.sum((less - less.mean()) ** 2))
    assert found.se == pytest.approx(wanted, rel=0.06)
    assert found.low < found.value < found.high
    assert found.method == ("delta" if name.endswith("micro") else "mean")


@pytest.mark.parametrize("weights", [False, True])
def test_means_over_rows_by_numpy(weights):
    y, p, w = drawn(9, 50)
    m = cm.multilabel(y, p, sample_weight=w if weights else None)
    share = w / w.sum() if weights else np.full(50, 1 / 50)
    for name, losses in (
        ("hamming_loss", (y != p).mean(axis=1)),
        ("accuracy_binary_samples", (y == p).mean(axis=1)),
    ):
        away = losses - share @ losses
        wanted = math.sqrt((share**2 @ away**2) / (1 - share @ share))
        assert m.ci(name).se == pytest.approx(wanted, rel=1e-12)
        pooled = m.ci("accuracy_binary_micro").se  # of rows with as many labels each, a mean, too
        assert pooled == pytest.approx(wanted, rel=1e-12)


def test_labels_of_a_row_are_not_independent():
    y, p, _ = drawn(2, 500)
    together = cm.multilabel(y, p).ci("accuracy_binary_micro").se
    right = float((y == p).mean())
    apart = math.sqrt(right * (1 - right) / y.size)
    assert together > 1.1 * apart
    rng = np.random.default_rng(3)
    rows = (rng.integers(0, len(y), len(y)) for _ in range(400))
    again = [cm.multilabel(y[r], p[r]).value("accuracy_binary_micro") for r in rows]
    assert together == pytest.approx(np.std(again), rel=0.12)


@pytest.mark.parametrize("weight", [None, "int", "float"])
def test_one_label_is_a_matrix(weight):
    y, p, w = drawn(4, 300, 3)
    w = {None: None, "int": np.ceil(w).astype(int), "float": w}[weight]
    m = cm.multilabel(y, p, labels=["a", "b", "c"], sample_weight=w)
    metrics = ["recall", "precision", "mcc", "support", "f1"]
    table = m.per_class(metrics, ci=0.9)
    assert m.per_class(metrics).equals(table.select("label", *metrics))
    for at, label in enumerate(m.labels):
        row = table.row(at, named=True)
        one = cm.confusion_matrix(y[:, at], p[:, at], sample_weight=w)
        for name in ("recall", "precision", "mcc", "f1"):
            ends = (row[name], row[f"{name}_low"], row[f"{name}_high"])
            assert ends == pytest.approx(one.ci(name, 0.9)[:3], rel=1e-9)
            assert ends == pytest.approx(m.label(label).ci(name, 0.9)[:3], rel=1e-9)
        assert row["support_low"] is None


@pytest.mark.parametrize("weight", [None, "int", "float"])
def test_exact_match_is_a_rate_of_rows(weight):
    y, p, w = drawn(5, 200)
    w = {None: None, "int": np.ceil(w).astype(int), "float": w}[weight]
    right = (y == p).all(axis=1)
    found = cm.multilabel(y, p, sample_weight=w).ci("exact_match")
    assert found.method == "wilson"
    if w is None:
        assert found[1:3] == pytest.approx([float(x) for x in wilson(right.sum(), 200)])
    else:
        one = cm.confusion_matrix(right, np.ones(200, bool), sample_weight=w).ci("accuracy")
        assert found[:4] == pytest.approx(one[:4], rel=1e-9)


def test_overall_and_what_has_none():
    y, p, w = drawn(6)
    m = cm.multilabel(y, p, sample_weight=w)
    table = m.overall(ci=0.9)
    assert table.columns == ["metric", "value", "low", "high", "reason"]
    for row in table.iter_rows(named=True):
        found = m.ci(row["metric"], 0.9)
        assert (row["low"], row["high"]) == (found.low, found.high)
        of_labels = row["metric"].endswith(("macro", "weighted"))
        assert (found.method == "conservative") == of_labels
    assert m.overall().equals(table.drop("low", "high"))
    none = cm.multilabel(y[:0], p[:0]).ci("f1_micro")
    assert all(map(math.isnan, none[:4]))
    assert none.method == "none: there are no rows"
    for name in ("f1_micro", "f1_samples", "hamming_loss"):
        assert cm.multilabel(y[:1], p[:1], sample_weight=[0.5]).ci(name).method.startswith("none: ")
    nothing = cm.multilabel(y[:3], p[:3], sample_weight=[0.0, 0.0, 0.0]).ci("exact_match")
    assert nothing.method == "none: all weights are 0"
    empty = cm.multilabel(y, np.zeros_like(y)).ci("precision_micro")
    assert empty.method == "none: class True: tp + fp = 0"
    assert cm.multilabel(y, np.zeros_like(y)).ci("precision_samples", undefined=0.0).value == 0


def test_all_right_has_width():
    y, _, _ = drawn(7, 30)
    y[:, 0] = True  # no row without a label
    m = cm.multilabel(y, y)
    for name in ("f1_micro", "f1_samples", "recall_micro", "exact_match", "hamming_loss"):
        found = m.ci(name)
        assert found.se == 0
        assert (found.high - found.low) == pytest.approx(wilson(0, 30)[1], rel=1e-9)
        assert found.value in (found.low, found.high)


def test_refusals():
    m = cm.multilabel(*drawn(8, 20)[:2])
    for name, options, words in (
        ("f1", {}, "f1 is about one label"),
        ("f1_micro", {"level": 95}, "`level` is 95"),
        ("f1_micro", {"side": "left"}, "`side` is 'left'"),
        ("nothing_micro", {}, "nothing"),
        ("f1", {"average": "ovo"}, "`average` is 'ovo'"),
    ):
        with pytest.raises(InputError, match=words):
            m.ci(name, **options)
    with pytest.raises(InputError, match="`ci` is 2"):
        m.overall(ci=2)
    with pytest.raises(InputError, match="`ci` is 2"):
        m.per_class(ci=2)


@given(ROWS)
def test_any_rows_have_an_interval_or_a_reason(rows):
    y, p, w = (np.array(part) for part in zip(*rows, strict=True))
    m = cm.multilabel(bits(y), bits(p), sample_weight=w)
    same = cm.multilabel(np.repeat(bits(y), w, 0), np.repeat(bits(p), w, 0))
    for name in ("exact_match", *NAMES):
        found = m.ci(name)
        if math.isnan(found.low):
            assert found.method.startswith("none: ")
        else:
            assert found.low <= found.value <= found.high
        if (w <= 1).all() and w.sum() > 1:  # then weights are rows
            assert found[:4] == pytest.approx(same.ci(name)[:4], rel=1e-9, abs=1e-9, nan_ok=True)
        below = m.ci(name, 0.975, side="lower")
        assert below.low == pytest.approx(found.low, abs=1e-12, nan_ok=True)


@given(ROWS)
def test_merged_states_have_the_intervals_of_all_rows(rows):
    y, p, w = (np.array(part) for part in zip(*rows, strict=True))
    w = w / 2
    whole = cm.multilabel(bits(y), bits(p), sample_weight=w)
    parts = cm.merge(
        [cm.multilabel(bits(y[i::2]), bits(p[i::2]), sample_weight=w[i::2]) for i in (0, 1)]
    )
    back = cm.from_bytes(parts.to_bytes())
    for name in ("exact_match", *NAMES):
        assert back.ci(name)[:4] == pytest.approx(whole.ci(name)[:4], nan_ok=True)


def test_all_right_with_weights_that_round_apart():
    sets = [[1, 0], [0, 1], [1, 1], [0, 0]]
    rng = np.random.default_rng(0)
    for _ in range(100):
        m = cm.multilabel(sets, sets, sample_weight=rng.exponential(size=4))
        found = m.ci("exact_match")
        assert m["exact_match"] <= 1
        assert found.low < 0.9
        assert found.high == 1


def test_a_number_that_no_row_moves_has_no_interval():
    rng = np.random.default_rng(0)
    y, p = (rng.random((2, 50, 3)) < 0.5).astype(int)
    found = cm.multilabel(y, p).ci("population_micro")
    assert np.isnan(found.low)
    assert "no row moves it" in found.method


def test_clusters_of_scores_for_label_sets_are_refused_by_finish():
    data = cm.multilabel_sweep([[1, 0], [0, 1]], [[0.8, 0.3], [0.4, 0.6]]).to_state().to_bytes()
    parts = pl.DataFrame({"user": [0, 1], "state": [data, data]})
    with pytest.raises(cm.InputError, match="have no intervals with clusters"):
        cm.finish(parts, ["roc_auc_macro"], ci=0.95, cluster="user")


def test_evaluations_of_label_sets_have_intervals():
    rows = pl.DataFrame(
        {"ta": [0, 1] * 40, "tb": [1, 0] * 40, "pa": [0, 1] * 40, "pb": [1, 1] * 40}
    )
    e = cm.evaluate(rows, ["ta", "tb"], ["pa", "pb"], metrics=["f1_micro"], ci=0.95)
    low, high = e.overall().select("low", "high").row(0)
    assert low < 0.8 < high
