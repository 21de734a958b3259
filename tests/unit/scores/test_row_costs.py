"""Costs that differ from row to row, against a sum over the rows at every threshold."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

row = st.tuples(st.integers(0, 1), st.integers(-3, 3), *[st.integers(-4, 9)] * 4)


def by_hand(y, scores, fp, fn, tp, tn, threshold):
    positive = scores >= threshold
    return np.where(y == 1, np.where(positive, tp, fn), np.where(positive, fp, tn)).sum()


@given(st.lists(row, min_size=1, max_size=30))
def test_totals(rows):
    y, scores, fp, fn, tp, tn = map(np.array, zip(*rows, strict=True))
    frame = cm.cost_sweep(y, scores, fp=fp, fn=fn, tp=tp, tn=tn)
    assert frame["threshold"].to_list() == [math.inf, *sorted(set(scores.tolist()), reverse=True)]
    wanted = [by_hand(y, scores, fp, fn, tp, tn, t) for t in frame["threshold"]]
    assert np.allclose(frame["cost"], wanted, rtol=0, atol=1e-9)
    assert np.allclose(frame["mean_cost"] * len(y), wanted, rtol=0, atol=1e-9)


def test_equal_costs_are_those_of_a_matrix():
    rng = np.random.default_rng(5)
    y, scores = rng.integers(0, 2, 300), rng.random(300).round(2)
    frame = cm.cost_sweep(y, scores, fp=3, fn=5.0, tp=-1, tn=[0.5] * 300)
    wanted = cm.sweep(y, scores).cost_curve([[0.5, 3], [5, -1]])
    assert np.allclose(frame["cost"], wanted["cost"], rtol=1e-12)
    assert frame["threshold"].equals(wanted["threshold"])


def test_labels_thinning_and_types():
    y, scores = pl.Series(["no", "yes", "yes"]), pl.Series([0.1, 0.2, 0.9], dtype=pl.Float32)
    frame = cm.cost_sweep(y, scores, fp=1, fn=pl.Series([9, 2, 4]), pos_label="yes", max_points=2)
    assert frame["threshold"].dtype == pl.Float32
    assert frame["cost"].to_list() == [6.0, 1.0]
    assert cm.cost_sweep([], [], fp=1, fn=2).rows() == [(math.inf, 0.0, None)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fp": math.nan, "fn": 1}, "`fp` is nan at row 0"),
        ({"fp": 1, "fn": [1, math.inf]}, "`fn` is inf at row 1; wanted finite numbers"),
        ({"fp": 1, "fn": [1, None]}, "`fn` is null at row 1"),
        ({"fp": 1, "fn": [1, 2, 3]}, "`fn` has 3 rows and `y_true` has 2"),
        ({"fp": "much", "fn": 1}, "`fp` has dtype .*; wanted numbers"),
        ({"fp": ["a", "b"], "fn": 1}, "`fp` has dtype .*; wanted numbers"),
    ],
)
def test_bad_costs(options, words):
    with pytest.raises(cm.InputError, match=words):
        cm.cost_sweep([0, 1], [0.1, 0.2], **options)


def test_nulls_are_refused():
    with pytest.raises(cm.InputError, match="null at row 1 of `y_score`"):
        cm.cost_sweep([0, 1], [0.1, None], fp=1, fn=1)


def test_one_cost_may_be_an_array_without_dimension():
    y, score = [0, 1, 1], [0.1, 0.4, 0.3]
    assert cm.cost_sweep(y, score, fp=np.array(3.0), fn=1).equals(
        cm.cost_sweep(y, score, fp=3.0, fn=1)
    )


def test_messages_name_what_this_function_takes():
    for y, score, message in (
        ([0, 1], [0.1, None], "null at row 1 of `y_score`; wanted none"),
        ([None, 1], [0.1, 0.2], "null at row 0 of `y_true`; wanted none"),
    ):
        with pytest.raises(cm.InputError, match=message):
            cm.cost_sweep(y, score, fp=1, fn=1)
    for call in (cm.roc_auc, lambda y, s: cm.cost_sweep(y, s, fp=1, fn=1), cm.sweep):
        with pytest.raises(cm.InputError, match=r'with nan="drop" cm\.sweep and'):
            call([0, 1], [0.1, float("nan")])
