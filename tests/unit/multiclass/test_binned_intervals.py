"""Intervals of averages over classes of scores in bins: of classes that may all err together."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm

NAMES = [f"{of}_{by}" for of in ("roc_auc", "average_precision") for by in ("macro", "weighted")]
SHARES = [0.4, 0.3, 0.2, 0.1]


def drawn(rng, n):
    y = rng.choice(4, n, p=SHARES)
    scores = rng.random((n, 4)) ** 2 + np.eye(4)[y] * rng.random((n, 1))
    return y, scores / scores.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_they_are_means_of_those_of_each_class(weighted):
    rng = np.random.default_rng(1)
    y, scores = drawn(rng, 150)
    w = rng.exponential(size=150) if weighted else np.ones(150)
    k = cm.multiclass_sweep(y, scores, sample_weight=w if weighted else None).to_state()
    support = np.bincount(y, w)
    squares = np.bincount(y, w**2)
    for name, method in (("roc_auc", None), ("average_precision", "delta")):
        each = [k.one_vs_rest(label).ci(name, 0.9, method=method)[:4] for label in k.labels]
        found = k.ci(f"{name}_macro", 0.9)
        assert found[:4] == pytest.approx(np.mean(each, axis=0), rel=1e-9)
        assert found.method == "conservative"
        found = k.ci(f"{name}_weighted", 0.9)
        value, low, high, se = support / support.sum() @ np.array(each)
        # A row is of one class: what the shares add is that of a mean over rows.
        away = np.array(each)[:, 0] - value
        moved = math.sqrt(squares @ away**2) / support.sum()
        assert found.se == pytest.approx(se + moved, rel=1e-9)
        assert found.low == pytest.approx(low - 1.6448536269514722 * moved, rel=1e-9)
        assert found.high == pytest.approx(high + 1.6448536269514722 * moved, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_no_error_by_leaving_rows_out_is_larger(name):
    y, scores = drawn(np.random.default_rng(2), 120)
    found = cm.multiclass_sweep(y, scores).to_state().ci(name)
    less = []
    for row in range(120):
        keep = np.arange(120) != row
        less.append(cm.multiclass_sweep(y[keep], scores[keep], labels=range(4)).value(name))
    error = math.sqrt(119 / 120 * np.sum((less - np.mean(less)) ** 2))
    assert found.se > error


@pytest.mark.parametrize("n", [60, 300])
def test_they_hold_at_least_as_often_as_they_say(n):
    true = cm.multiclass_sweep(*drawn(np.random.default_rng(3), 200_000))
    rng = np.random.default_rng(4)
    held = dict.fromkeys(NAMES, 0)
    for _ in range(100):
        k = cm.multiclass_sweep(*drawn(rng, n), labels=range(4)).to_state()
        for name in NAMES:
            found = k.ci(name)
            held[name] += found.low <= true.value(name) <= found.high
    assert min(held.values()) >= 95


def test_bins_that_are_coarse_widen_them():
    k = cm.multiclass_sweep(*drawn(np.random.default_rng(5), 500))
    fine, coarse = (k.to_state(bins).ci("roc_auc") for bins in ("unit", 16))
    assert coarse.high - coarse.low > 1.05 * (fine.high - fine.low)


def test_what_has_no_interval_says_why():
    y, scores = drawn(np.random.default_rng(6), 60)
    k = cm.multiclass_sweep(y % 3, scores, labels=range(4)).to_state()
    assert k.ci("roc_auc").low < k.roc_auc  # of three classes
    assert k.ci("roc_auc", undefined=0.5).method.startswith("none: a class has no value, and")


def test_tables_have_them():
    y, scores = drawn(np.random.default_rng(7), 200)
    k = cm.multiclass_sweep(y, scores)
    table = k.to_state().overall(NAMES, ci=0.9)
    for name, low, high in table.select("metric", "low", "high").rows():
        assert (low, high) == k.to_state().ci(name, 0.9)[1:3]
    columns = [f"p{at}" for at in range(4)]
    log = pl.DataFrame(scores, schema=columns).with_columns(y=pl.Series(y))
    e = cm.evaluate(log, "y", y_score=columns, labels=range(4), metrics=NAMES, ci=0.9, reasons=True)
    of_log = e.overall()
    assert of_log["low"].to_list() == pytest.approx(table["low"].to_list())
    assert of_log["reason"].null_count() == len(NAMES)
    parts = e.states().select("state")
    finished = cm.finish(parts, ["roc_auc_micro"], ci=0.9, reasons=True)
    assert finished["reasons"][0]["roc_auc_micro"] == "no interval: bins do not keep the rows"
