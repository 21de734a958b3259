"""Best thresholds: under limits, of costs, for pairs of rates."""

import itertools
import math
import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from support.decided import COST, SCORES, Y, data, rows

import confmat as cm


@given(rows)
def test_best_is_the_best_and_the_highest_of_equals(rows):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(y, scores)
    for name, sign in (("accuracy", 1), ("f1", 1), ("fpr", -1), ("cost", -1), ("top_left", -1)):
        threshold, value = s.best(name, cost=COST)
        tried = [math.inf, *sorted(set(scores), reverse=True)]
        found = []
        for t in tried:
            m = s.at(t)
            if name == "cost":
                found.append(m.cost(COST))
            elif name == "top_left":
                found.append(math.hypot(1 - m.recall, m.fpr))
            else:
                found.append(m.value(name))
        scored = [(sign * v, t) for v, t in zip(found, tried, strict=True) if not math.isnan(v)]
        if not scored:
            assert math.isnan(threshold)
            assert math.isnan(value)
            continue
        best = max(v for v, _ in scored)
        assert math.isclose(sign * value, best, abs_tol=1e-12)
        assert threshold == max(t for v, t in scored if math.isclose(v, best, abs_tol=1e-12))


def test_best_may_be_to_predict_nothing():
    s = cm.sweep(Y, SCORES)
    assert s.best("cost", cost=[[0, 100], [1, 0]]) == (0.8, 1.0)
    assert s.best("cost", cost=[[0, 100], [-1, 0]]) == (math.inf, -2.0)
    assert s.best("fpr") == (math.inf, 0.0)
    # A score of +inf is positive at every threshold.
    assert cm.sweep([0, 1], [math.inf, 0.0]).best("fpr") == (math.inf, 1.0)


def test_best_with_aliases_and_parameters():
    s = cm.sweep(Y, SCORES)
    assert s.best("youden_j") == s.best("informedness") == (0.8, 0.5)
    assert s.best("fbeta(2)").threshold == 0.35
    assert s.best("diagnostic_odds_ratio").value == math.inf


def test_limits():
    s = cm.sweep(*data())
    frame = s.table(["recall", "precision", "fpr", "predicted_prevalence", "cost"], cost=COST)
    for limits, rule in (
        ({"recall": 0.9}, pl.col("recall") >= 0.9),
        ({"fpr": 0.1, "recall": 0.3}, (pl.col("fpr") <= 0.1) & (pl.col("recall") >= 0.3)),
        ({"alert_rate": 0.2}, pl.col("predicted_prevalence") <= 0.2),
        ({"recall": (0.5, 0.6)}, pl.col("recall").is_between(0.5, 0.6)),
        ({"recall": (None, 0.6)}, pl.col("recall") <= 0.6),
        ({"predicted_prevalence": (0.5, None)}, pl.col("predicted_prevalence") >= 0.5),
        ({"cost": 800.0}, pl.col("cost") <= 800),
    ):
        allowed = frame.filter(rule)
        assert 0 < allowed.height < frame.height
        for name in ("precision", "recall"):
            threshold, value = s.best(name, cost=COST, subject_to=limits)
            assert value == allowed[name].max()
            assert threshold == allowed.filter(pl.col(name) == value)["threshold"].max()
    assert all(map(math.isnan, s.best("recall", subject_to={"precision": 0.95, "recall": 0.99})))


def test_threshold_for():
    s = cm.sweep(*data())
    frame = s.table(["recall", "precision", "specificity", "fpr", "predicted_prevalence"])
    at = s.threshold_for(recall=0.9, maximize="precision")
    assert at == s.best("precision", subject_to={"recall": 0.9}).threshold
    # Alone, a limit on recall asks for the highest threshold, and others for the lowest.
    recall = frame.filter(pl.col("recall") >= 0.9)
    assert s.threshold_for(recall=0.9) == recall["threshold"].max()
    assert s.threshold_for(fnr=0.1) == recall["threshold"].max()
    fpr = frame.filter(pl.col("fpr") <= 0.1)
    best = fpr.filter(pl.col("recall") == fpr["recall"].max())
    assert s.threshold_for(fpr=0.1) == best["threshold"].max()
    alerts = frame.filter(pl.col("predicted_prevalence") <= 0.2)
    assert s.threshold_for(alert_rate=0.2) in alerts["threshold"].to_list()
    assert s.threshold_for(alert_rate=0.0) == math.inf
    assert s.threshold_for(recall=0.5, maximize="cost", cost=[[0, 1], [0, 0]]) == (
        s.threshold_for(recall=0.5)
    )
    assert math.isnan(s.threshold_for(recall=(0.99, None), precision=0.95))


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "threshold_for needs a limit"),
        ({"nope": 0.5}, "nope"),
        ({"recall": "high"}, "`limits`: recall is 'high'; wanted a number"),
        ({"recall": math.nan}, "recall is nan"),
        ({"recall": True}, "recall is True; wanted a number"),
        ({"recall": "0.5"}, "recall is '0.5'; wanted a number"),
        ({"recall": (0.1, 0.2, 0.3)}, r"recall is \(0.1, 0.2, 0.3\); wanted a number or"),
        ({"tp": 5}, r"tp is neither better higher nor lower; wanted \(low, high\)"),
        ({"cost": 5}, "`cost` is needed"),
    ],
)
def test_bad_limits(limits, words):
    s = cm.sweep(Y, SCORES)
    if limits:
        with pytest.raises(cm.InputError, match=words.replace("`limits`", "`subject_to`")):
            s.best("f1", subject_to=limits)
    if "cost" not in limits:
        with pytest.raises(cm.InputError, match=words):
            s.threshold_for(**limits)


def test_best_of_given_thresholds():
    s = cm.sweep(*data())
    grid = np.linspace(0, 1, 7)
    table = s.table(["f1"], thresholds=grid).sort("f1", descending=True)
    assert s.best("f1", thresholds=grid) == (table["threshold"][0], table["f1"][0])
    assert s.best("recall", thresholds=[-2.0, -1.0]) == (-1.0, 1.0)
    assert s.threshold_for(recall=0.9, thresholds=grid) in grid
    with pytest.raises(cm.InputError, match="`thresholds` holds"):
        s.best("f1", thresholds=[0.5, 0.1])


def test_limits_are_a_dict():
    with pytest.raises(cm.InputError, match="`subject_to` is list"):
        cm.sweep(Y, SCORES).best("f1", subject_to=[("recall", 0.5)])
    with pytest.raises(cm.InputError, match="`subject_to` names 5; wanted the name of a metric"):
        cm.sweep(Y, SCORES).best("f1", subject_to={5: 0.5})


def test_operating_points():
    s = cm.sweep(*data())
    frame = s.operating_points([0.9, 0.75])
    names = ("tpr", "fpr", "tnr", "ppv", "npv", "fdr")
    same = {("fpr", "tnr"), ("tnr", "fpr"), ("ppv", "fdr"), ("fdr", "ppv")}
    wanted = {pair for pair in itertools.permutations(names, 2) if pair not in same}
    assert set(frame.select("rate", "given").rows()) == wanted
    assert frame.height == 2 * len(wanted) == 52
    assert set(frame.filter(given="fpr")["limit"]) == {0.1, 0.25}
    assert set(frame.filter(given="ppv")["limit"]) == {0.9, 0.75}
    assert s.operating_points().equals(s.operating_points([0.9, 0.95, 0.99]))
    for rate, given_rate, limit, threshold, value in frame.rows():
        best = s.best(rate, subject_to={given_rate: limit})
        if threshold is None:
            assert math.isnan(best.threshold)
        else:
            assert (threshold, value) == best
    with pytest.raises(cm.InputError, match="`levels` holds 90"):
        s.operating_points([90])
    # A threshold of inf predicts the rows of score inf: none keeps the rate of negatives.
    infinite = cm.sweep([0, 1], [math.inf, 0.5]).operating_points([1])
    assert infinite.filter(rate="tpr", given="fpr").rows() == [("tpr", "fpr", 0.0, None, None)]


def test_empty_and_one_class():
    empty = cm.sweep(np.array([], dtype=np.int64), np.array([]))
    assert empty.at(0.5).counts.tolist() == [[0, 0], [0, 0]]
    assert empty.table().height == 0
    assert empty.table(thresholds=3).height == 0
    assert all(map(math.isnan, empty.best("f1")))
    assert math.isnan(cm.sweep([0, 0], [0.1, 0.2]).best("recall").threshold)
    assert cm.sweep([1], [0.3]).best("recall") == (0.3, 1.0)


@pytest.mark.parametrize("name", ["roc_auc", "brier", "ece(5)"])
def test_numbers_of_a_whole_sweep_are_of_no_threshold(name):
    s = cm.sweep(Y, SCORES)
    for call in (
        lambda: s.best(name),
        lambda: s.table(["f1", name]),
        lambda: s.threshold_for(recall=0.5, maximize=name),
        lambda: s.best("f1", subject_to={name: 0.5}),
        lambda: s.metric_bounds(name, 0.5),
    ):
        with pytest.raises(cm.InputError, match="one number of a whole sweep, not of a threshold"):
            call()


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"recall": 2}, "recall is 2; wanted a number in its range, 0 to 1"),
        ({"mcc": -1.5}, "mcc is -1.5; wanted a number in its range, -1 to 1"),
        ({"alert_rate": 5}, "alert_rate is 5; wanted a number in its range, 0 to 1"),
        ({"precision": (0.5, 50)}, "precision is 50; wanted a number in its range, 0 to 1"),
    ],
)
def test_limits_outside_the_range(limits, words):
    s = cm.sweep(Y, SCORES)
    with pytest.raises(cm.InputError, match=words):
        s.best("f1", subject_to=limits)
    with pytest.raises(cm.InputError, match=words):
        s.threshold_for(**limits)


def test_limits_at_the_end_of_the_range_or_without_end():
    s = cm.sweep(Y, SCORES)
    assert s.best("f1", subject_to={"recall": 1, "fpr": (0, 1)}).threshold == 0.35
    assert s.best("f1", subject_to={"recall": (None, math.inf)}) == s.best("f1")
    assert s.best("f1", cost=COST, subject_to={"cost": 1_000}) == s.best("f1")


def test_costs_that_are_all_the_same_and_no_rows():
    same = cm.sweep(Y, SCORES).best("mean_cost", cost=[[1, 1], [1, 1]], ci=0.95)
    assert same.interval[1:3] == (1.0, 1.0)
    nothing = cm.sweep([], []).best("cost", cost=[[0, 1], [5, 0]], ci=0.95)
    assert nothing.interval.method == "none: there are no rows"


@pytest.mark.parametrize(
    ("metric", "limits", "why"),
    [
        (
            "f1",
            {"precision": 0.9, "recall": 0.8},
            "no threshold has precision >= 0.9 and recall >= 0.8; "
            "with precision >= 0.9 recall is at most 0.5",
        ),
        (
            "f1",
            {"recall": (0.6, 0.9)},
            "no threshold has recall from 0.6 to 0.9; recall is 0.5 or 1",
        ),
        ("f1", {"cost": -1}, "no threshold has cost <= -1; cost is at least 3"),
        (
            "recall",
            {"predicted_prevalence": (None, 0.1), "precision": 0.2},
            "no threshold has predicted_prevalence <= 0.1 and precision >= 0.2; "
            "with predicted_prevalence <= 0.1 precision is undefined",
        ),
        (
            "precision",
            {"alert_rate": 0},
            "precision is undefined at every threshold that has predicted_prevalence <= 0",
        ),
    ],
)
def test_a_threshold_that_there_is_not_has_a_reason(metric, limits, why):
    s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    found = s.best(metric, [[0, 3], [5, 0]], limits)
    assert math.isnan(found.threshold)
    assert math.isnan(found.value)
    assert found.reason == why
    assert str(found) == f"Best(threshold=nan, value=nan, reason={why!r})"
    assert pickle.loads(pickle.dumps(found)).reason == why
    chosen = s.best(metric, [[0, 3], [5, 0]], limits, ci=0.9)
    assert (chosen.reason, chosen.interval.method) == (why, f"none: {why}")


def test_reasons_of_no_rows_of_one_class_and_of_thresholds_that_there_are():
    assert cm.sweep([], []).best("f1").reason == "there are no rows"
    one = cm.sweep([1, 1], [0.2, 0.7], pos_label=1).best("mcc")
    assert one.reason == "mcc is undefined at every threshold"
    s = cm.sweep(Y, SCORES)
    assert s.best("f1").reason is s.best("f1", ci=0.9, seed=1).reason is None
    assert repr(s.best("f1")).endswith(f"value={s.best('f1').value})")
