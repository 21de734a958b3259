"""Intervals at known shares of classes: published ones, their coverage, ends of ranges."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import confmat as cm
from confmat.intervals.wilson import wilson

CELLS = st.lists(st.integers(0, 80), min_size=4, max_size=4).map(
    lambda cells: np.array(cells).reshape(2, 2)
)


def predictive(cells, p, z):
    """Return both predictive values with their logit intervals, (8) to (11) of the paper."""
    (tn, fp), (fn, tp) = cells
    n1, n0 = fn + tp, tn + fp
    s, f = tp / n1, tn / n0
    found = []
    for odds, spread in (
        (s * p / ((1 - f) * (1 - p)), (1 - s) / s / n1 + f / (1 - f) / n0),
        (f * (1 - p) / ((1 - s) * p), s / (1 - s) / n1 + (1 - f) / f / n0),
    ):
        ends = [math.log(odds) + sign * z * math.sqrt(spread) for sign in (0, -1, 1)]
        found.append([1 / (1 + math.exp(-end)) for end in ends])
    return found


# The data of Table VIII of the paper: 240 of 418 cases and 87 of 375 controls are positive.
@pytest.mark.parametrize("p", [0.03, 0.5])
def test_predictive_values_have_the_logit_intervals_of_the_paper(p):
    cells = [[288, 87], [178, 240]]
    m = cm.ConfusionMatrix(cells).at_prevalence(p)
    for name, wanted in zip(("precision", "npv"), predictive(cells, p, 1.959964), strict=True):
        found = m.ci(name, method="delta")
        assert found[:3] == pytest.approx(wanted, rel=1e-6)
        assert found.method == "delta"
        default = m.ci(name)
        assert default.method == "mover"
        assert default[:3] == pytest.approx(wanted, rel=0.01)


@given(CELLS, st.floats(0.01, 0.99))
def test_rates_within_classes_keep_their_intervals(cells, p):
    assume((cells.sum(1) > 0).all())
    m = cm.ConfusionMatrix(cells)
    new = m.at_prevalence(p)
    for name in ("recall", "specificity", "fpr", "fnr"):
        assert new.ci(name)[:3] == pytest.approx(m.ci(name)[:3], rel=1e-9, abs=1e-12)
    prevalence = new.ci("prevalence")
    assert prevalence[:3] == pytest.approx([p] * 3, rel=1e-9)


@given(CELLS, st.floats(0.05, 0.95), st.sampled_from(["precision", "npv", "f1", "mcc", "kappa"]))
def test_intervals_hold_their_values_and_stay_in_range(cells, p, name):
    assume((cells.sum(1) > 0).all())
    m = cm.ConfusionMatrix(cells).at_prevalence(p)
    value, low, high, _, method = m.ci(name)
    if math.isnan(value):
        assert (math.isnan(low), method[:6]) == (True, "none: ")
        return
    assert (-1 if name in ("mcc", "kappa") else 0) <= low <= value <= high <= 1
    lower, upper = m.ci(name, side="lower"), m.ci(name, side="upper")
    assert low <= lower.low + 1e-12
    assert upper.high <= high + 1e-12
    assert (lower.high, upper.low) == (1, -1 if name in ("mcc", "kappa") else 0)


def test_no_false_alarm_among_few_is_not_certain():
    """That of 50 none was a false alarm leaves 7 % possible, which at 3 % are most alarms."""
    m = cm.ConfusionMatrix([[50, 0], [5, 45]])
    new = m.at_prevalence(0.03)
    alarm, hit = wilson(0, 50)[1], 0.9
    worst = hit * 0.03 / (hit * 0.03 + alarm * 0.97)
    assert new.precision == 1
    assert new.ci("precision").low == pytest.approx(worst, abs=0.02)
    assert m.ci("precision").low > 0.9


@pytest.mark.parametrize(
    ("recall", "fpr", "sizes", "p"),
    [(0.9, 0.05, (200, 400), 0.01), (0.95, 0.3, (200, 200), 0.2), (0.9, 0.01, (100, 300), 0.01)],
)
def test_intervals_cover(recall, fpr, sizes, p):
    """Of 400 samples each; two standard errors below 95 % are 92.8 %."""
    rng = np.random.default_rng(11)
    truth = [[(1 - fpr) * (1 - p), fpr * (1 - p)], [(1 - recall) * p, recall * p]]
    truth = cm.ConfusionMatrix(np.array(truth))
    names = ("precision", "npv", "mcc", "accuracy")
    held = dict.fromkeys(names, 0)
    for _ in range(400):
        tp, fp = rng.binomial(sizes[0], recall), rng.binomial(sizes[1], fpr)
        m = cm.ConfusionMatrix([[sizes[1] - fp, fp], [sizes[0] - tp, tp]]).at_prevalence(p)
        for name in names:
            _, low, high, _, _ = m.ci(name)
            held[name] += low <= truth[name] <= high
    assert min(held.values()) / 400 > 0.928, held


def test_tables_have_these_intervals():
    m = cm.ConfusionMatrix([[288, 87], [178, 240]]).at_prevalence(0.03)
    found = m.overall(["accuracy", "mcc"], ci=0.9)
    for metric, value, low, high, _ in found.rows():
        assert (value, low, high) == m.ci(metric, 0.9)[:3]
    classes = m.per_class(["precision", "recall"], ci=0.9)
    for label in (0, 1):
        row = classes.filter(pl.col("label") == label).row(0, named=True)
        for name in ("precision", "recall"):
            wanted = m.ci(name, 0.9, pos_label=label)
            assert [row[name], row[f"{name}_low"], row[f"{name}_high"]] == list(wanted[:3])


def test_of_many_classes_the_rows_of_each_are_a_sample():
    cells = np.array([[80, 15, 5], [10, 70, 20], [4, 6, 90]])
    m = cm.ConfusionMatrix(cells)
    shares = np.array([0.2, 0.7, 0.1])
    new = m.at_prevalence(shares)
    assert not new.ci("accuracy").method.startswith("wilson")
    recall = cells.diagonal() / 100
    se = math.sqrt((shares**2 * recall * (1 - recall) / 100).sum())
    assert new.ci("accuracy").se == pytest.approx(se, rel=1e-9)
    sure = cm.ConfusionMatrix([[80, 0, 0], [10, 70, 20], [4, 6, 90]]).at_prevalence(shares)
    found = sure.ci("precision_macro")
    assert found.method == "delta of smoothed cells"
    assert found.low < found.value <= found.high


def test_what_is_no_rate_of_one_class_has_no_rates_interval():
    m = cm.ConfusionMatrix([[288, 87], [178, 240]]).at_prevalence(0.03)
    with pytest.raises(cm.InputError, match="wanted 'delta'"):
        m.ci("precision", method="wilson")
    assert m.ci("recall", method="jeffreys").method == "jeffreys"
    unknown = cm.ConfusionMatrix([[1.5, 2.0], [0.5, 3.0]]).at_prevalence(0.5)
    assert unknown.ci("precision").method == "none: the squared weights are not known"
