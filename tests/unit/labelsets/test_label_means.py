"""Intervals of averages over labels: those of labels that may all err together."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat.intervals.interval import Interval
from confmat.intervals.together import mean_together

NAMES = ("f1", "precision", "recall", "mcc", "specificity")
SHARES = np.array([0.5, 0.3, 0.2, 0.1])


def drawn(rng, n, how):
    """Draw rows whose labels are all the same, go together, or do not."""
    width = 4 if how == "apart" else 1
    share = 0.3 if how == "same" else SHARES
    y = np.broadcast_to(rng.random((n, width)) < share, (n, 4))
    at = rng.random((n, width))
    return y, np.where(y, at < 0.75, at < 0.1)


def weights_of(kind, n):
    rng = np.random.default_rng(1)
    return {"none": None, "int": rng.integers(0, 4, n), "float": rng.exponential(size=n)}[kind]


@pytest.mark.parametrize("weight", ["none", "int", "float"])
@pytest.mark.parametrize("name", NAMES)
def test_a_macro_average_reaches_as_far_as_its_labels_in_the_mean(name, weight):
    rng = np.random.default_rng(2)
    y, p = drawn(rng, 80, "apart")
    m = cm.multilabel(y, p, sample_weight=weights_of(weight, 80))
    found = m.ci(f"{name}_macro", 0.9)
    each = np.array([m.label(label).ci(name, 0.9)[:4] for label in m.labels])
    assert found[:4] == pytest.approx(each.mean(axis=0), rel=1e-9)
    assert found.method == "conservative"
    above = m.ci(f"{name}_macro", 0.95, side="upper")
    assert above.high == pytest.approx(found.high, rel=1e-9)
    assert above.low == (-1 if name == "mcc" else 0)


@pytest.mark.parametrize("how", ["same", "together", "apart"])
@pytest.mark.parametrize("weight", ["none", "float"])
@pytest.mark.parametrize("name", ["f1_macro", "f1_weighted", "mcc_macro", "recall_weighted"])
def test_no_error_by_leaving_rows_out_is_larger(name, weight, how):
    n = 150
    y, p = drawn(np.random.default_rng(3), n, how)
    w = weights_of(weight, n)
    found = cm.multilabel(y, p, sample_weight=w).ci(name)
    less = []
    for row in range(n):
        keep = np.arange(n) != row
        part = None if w is None else w[keep]
        less.append(cm.multilabel(y[keep], p[keep], sample_weight=part).value(name))
    error = math.sqrt((n - 1) / n * np.sum((less - np.mean(less)) ** 2))
    assert found.se > 0.9 * error  # the jackknife is a little large
    if how == "same":  # then it is no bound
        assert found.se == pytest.approx(error, rel=0.1)


@pytest.mark.parametrize("weight", ["none", "int", "float"])
def test_supports_that_vary_add_to_a_weighted_average(weight):
    y, p = drawn(np.random.default_rng(4), 200, "together")
    w = weights_of(weight, 200)
    m = cm.multilabel(y, p, sample_weight=w)
    found = m.ci("f1_weighted", 0.9)
    each = np.array([m.label(label).ci("f1", 0.9)[:4] for label in m.labels])
    shares = np.ones(200) if w is None else w
    support = shares @ y
    # The standard error of each support, row by row.
    away = y - support / shares.sum()
    errors = np.sqrt(shares**2 @ away**2)
    moved = np.abs(each[:, 0] - found.value) @ errors / support.sum()
    of_labels = support / support.sum() @ each
    assert found.se == pytest.approx(of_labels[3] + moved, rel=1e-9)
    assert found.low == pytest.approx(of_labels[1] - 1.6448536269514722 * moved, rel=1e-9)
    assert found.high == pytest.approx(of_labels[2] + 1.6448536269514722 * moved, rel=1e-9)


@pytest.mark.parametrize("how", ["same", "together", "apart"])
@pytest.mark.parametrize("n", [30, 200])
def test_they_hold_at_least_as_often_as_they_say(how, n):
    names = ("f1_macro", "f1_weighted", "precision_macro", "mcc_macro")
    true = cm.multilabel(*drawn(np.random.default_rng(5), 400_000, how))
    rng = np.random.default_rng(6)
    held = dict.fromkeys(names, 0)
    for _ in range(400):
        m = cm.multilabel(*drawn(rng, n, how))
        for name in names:
            found = m.ci(name)
            held[name] += found.low <= true[name] <= found.high
    least = 400 * 0.95 - 3 * math.sqrt(400 * 0.95 * 0.05)
    assert min(held.values()) > least
    if how == "apart":
        assert min(held.values()) > 0.98 * 400


def test_what_has_no_interval_says_why():
    y, p = drawn(np.random.default_rng(7), 60, "apart")
    p = p.copy()
    p[:, 3] = False
    m = cm.multilabel(y, p)
    left_out = m.ci("precision_macro")  # of three labels
    assert left_out.low < left_out.value < left_out.high
    filled = m.ci("precision_macro", undefined=0.0)
    assert filled.value < left_out.value
    assert filled.method.startswith("none: a label has no value, and `undefined` in its place")
    unmoved = m.ci("population_macro")
    assert math.isnan(unmoved.low)
    assert unmoved.method == "none: label 0 has none, or no finite one"
    nothing = cm.multilabel(np.zeros((5, 2)), np.zeros((5, 2)))
    assert nothing.ci("f1_macro").method == "none: no label occurs"


def test_a_mean_stays_within_its_range():
    parts = [Interval(0.9, 0.5, 1.0, 0.1, "delta")] * 2
    found = mean_together(0.9, [0.5, 0.5], parts, (0.0, 1.0), (1.96, 1.96), moved=0.3)
    assert found[1:3] == (0.0, 1.0)
    assert found.se == pytest.approx(0.4)
    lower = mean_together(0.9, [0.5, 0.5], parts, (0.0, 1.0), (1.64, math.inf))
    assert lower[1:3] == (pytest.approx(0.5), 1.0)
