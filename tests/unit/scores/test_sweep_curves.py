"""Curves as frames: columns, first rows, undefined rates, and what thinning promises."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.scores.thinning import kept

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
COST = [[0, 3], [5, 0]]


def long(seed=0, n=20_000):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return cm.sweep(y, np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1))


CURVES = {
    "roc_curve": ((), ["threshold", "fpr", "tpr", "fp", "tp"], ["fpr", "tpr"]),
    "pr_curve": ((), ["threshold", "recall", "precision", "tp", "fp"], ["recall", "precision"]),
    "det_curve": ((), ["threshold", "fpr", "fnr"], ["fpr", "fnr"]),
    "lift": ((), ["threshold", "fraction", "lift", "gain"], ["fraction", "gain"]),
    "cost_curve": ((COST,), ["threshold", "cost", "mean_cost"], ["mean_cost"]),
    "decision_curve": (
        (),
        ["probability", "net_benefit", "treat_all", "treat_none"],
        ["net_benefit"],
    ),
}
each_curve = pytest.mark.parametrize("name", CURVES)


def curve(s, name, **options):
    return getattr(s, name)(*CURVES[name][0], **options)


@st.composite
def sweeps(draw):
    """Draw a sweep of any kind: few or tied scores, one class, weights, bins."""
    n = draw(st.integers(0, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from([np.float16, np.float32, np.float64]))
    scores = (rng.integers(0, draw(st.sampled_from([2, 10, 1000])), n) / 1000).astype(kind)
    bins = draw(st.sampled_from([None, "unit", 256, "float16", [0.0, 0.25, 0.5, 1.5]]))
    if bins is None and n and draw(st.booleans()):
        scores[0] = math.inf
    weight = draw(st.sampled_from([None, "whole", "float"]))
    return cm.sweep(
        rng.random(n) < draw(st.sampled_from([0.0, 0.5, 1.0])),
        scores,
        pos_label=True,
        bins=bins,
        sample_weight={
            None: None,
            "whole": rng.integers(0, 4, n) * 2 ** draw(st.sampled_from([0, 40])),
            "float": rng.random(n) * 10.0 ** rng.integers(-100, 100, n),
        }[weight],
    )


@given(sweeps())
@pytest.mark.parametrize("name", ["roc_curve", "pr_curve"])
def test_all_points_are_those_that_a_large_bound_keeps(name, s):
    """The first are made in the core, the others in NumPy."""
    every, kept_points = curve(s, name), curve(s, name, max_points=10**9)
    assert every.schema == kept_points.schema
    assert every.equals(kept_points)


def test_large_curves_are_made_in_stretches():
    rng = np.random.default_rng(0)
    s = cm.sweep(rng.integers(0, 2, 200_000), rng.random(200_000))
    for name in ("roc_curve", "pr_curve"):
        assert curve(s, name).equals(curve(s, name, max_points=10**9))


def test_a_curve_outlives_its_sweep():
    found = long().roc_curve()["threshold"], long().pr_curve()["threshold"]
    assert found[0][1:].equals(found[1])
    assert found[1].is_sorted(descending=True)


@each_curve
def test_columns(name):
    frame = curve(cm.sweep(Y, SCORES), name)
    assert frame.columns == CURVES[name][1]
    whole = {"tp", "fp"} & set(frame.columns)
    assert all(frame[column].dtype == pl.Int64 for column in whole)
    assert all(frame[c].dtype == pl.Float64 for c in frame.columns if c not in whole)


def test_roc_rows():
    assert cm.sweep(Y, SCORES).roc_curve().rows() == [
        (math.inf, 0.0, 0.0, 0, 0),
        (0.8, 0.0, 0.5, 0, 1),
        (0.4, 0.5, 0.5, 1, 1),
        (0.35, 0.5, 1.0, 1, 2),
        (0.1, 1.0, 1.0, 2, 2),
    ]


def test_thresholds_keep_the_type_of_the_scores():
    s = cm.sweep(Y, np.array(SCORES, dtype=np.float32))
    assert s.roc_curve()["threshold"].dtype == pl.Float32
    assert s.pr_curve()["threshold"].to_list() == s.scores.tolist()


def test_lift_and_gain():
    frame = cm.sweep(Y, SCORES).lift()
    assert frame["fraction"].to_list() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert frame["gain"].to_list() == [0.0, 0.5, 0.5, 1.0, 1.0]
    assert frame["lift"].to_list() == [None, 2.0, 1.0, 4 / 3, 1.0]


def test_costs_are_those_of_the_matrix():
    s, costs = cm.sweep(Y, SCORES), [[-1.0, 3.0], [5.0, 0.25]]
    frame = s.cost_curve(costs)
    assert frame["cost"].to_list() == [s.at(t).cost(costs) for t in frame["threshold"]]
    assert frame["mean_cost"].to_list() == [cost / 4 for cost in frame["cost"]]


def test_decision_curve():
    s = cm.sweep(Y, SCORES)
    frame = s.decision_curve()
    assert frame["probability"].to_list() == sorted(SCORES)
    for p, benefit, treat_all, treat_none in frame.rows():
        m, odds = s.at(p), p / (1 - p)
        assert math.isclose(benefit, (m.tp - m.fp * odds) / 4)
        assert math.isclose(treat_all, (2 - 2 * odds) / 4)
        assert treat_none == 0
    given = s.decision_curve(np.arange(0, 1, 0.1))
    assert given["net_benefit"][0] == given["treat_all"][0] == 0.5
    assert cm.sweep([0, 1], [0.3, 1.0]).decision_curve()["probability"].to_list() == [0.3]


def test_decision_curve_of_bins():
    s = cm.sweep(Y, SCORES, bins=[0.25, 0.5, 1.0])
    frame = s.decision_curve()
    assert s.lower.tolist() == [0.5, 0.25, -math.inf]
    assert frame["probability"].to_list() == [0.25, 0.5]
    assert frame["net_benefit"].to_list() == [(2 - 1 / 3) / 4, 1 / 4]


@pytest.mark.parametrize(
    ("probabilities", "words"),
    [
        ([0.1, 1.0], r"`probabilities` holds 1.0 at position 1; wanted numbers in \[0, 1\)"),
        ([-0.1], "wanted numbers in"),
        ([0.5, 0.2], "wanted increasing numbers"),
        ([math.nan], "wanted finite numbers"),
        ("half", "not a list of numbers"),
        ([[0.1]], "wanted one dimension"),
    ],
)
def test_bad_probabilities(probabilities, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(Y, SCORES).decision_curve(probabilities)


def test_decision_curve_needs_probabilities():
    with pytest.raises(cm.InputError, match=r"score 8\.0 is outside"):
        cm.sweep(Y, [1, 2, 3, 8]).decision_curve()
    with pytest.raises(cm.InputError, match=r"bin .* is outside"):
        cm.sweep(Y, [1, 2, 3, 8], bins=[0.0, 2.0, 9.0]).decision_curve()


@each_curve
@pytest.mark.parametrize("y", [[0, 0], [1, 1], []])
def test_one_class_or_none(name, y):
    frame = curve(cm.sweep(np.array(y, dtype=np.int64), np.array([0.2, 0.7])[: len(y)]), name)
    assert frame.columns == CURVES[name][1]
    assert not any(frame[c].is_nan().any() for c in frame.columns if frame[c].dtype.is_float())
    if name == "roc_curve":
        assert frame["fpr"].null_count() == (0 if y[:1] == [0] else len(y) + 1)
        assert frame["tpr"].null_count() == (0 if y[:1] == [1] else len(y) + 1)


def test_infinite_scores_have_their_own_point():
    s = cm.sweep([1, 0, 1], [math.inf, 0.0, -math.inf])
    assert s.roc_curve()["threshold"].to_list() == [math.inf, math.inf, 0.0, -math.inf]
    assert s.roc_curve()["tp"].to_list() == [0, 1, 1, 2]


@each_curve
@pytest.mark.parametrize("points", [2, 3, 10, 100])
def test_max_points(name, points):
    s = long()
    whole, thin = curve(s, name), curve(s, name, max_points=points)
    assert thin.height <= points < whole.height
    assert thin.row(0) == whole.row(0)
    assert thin.row(-1) == whole.row(-1)
    assert thin.height > points / 3
    rising = {"roc_curve": 2, "det_curve": 2, "lift": 2}.get(name)
    if rising:
        assert farthest(whole, thin, CURVES[name][2]) <= rising / (points - 1) + 1e-12


def farthest(whole, thin, axes):
    """Return the largest distance, in any coordinate, of a point to the kept one before it."""
    column = whole.columns[0]
    place = np.flatnonzero(whole[column].is_in(thin[column].implode()).to_numpy())
    before = place[np.searchsorted(place, np.arange(whole.height), side="right") - 1]
    points = whole.select(axes).fill_null(0.0).to_numpy()
    return np.abs(points - points[before]).max()


@each_curve
@pytest.mark.parametrize("error", [0.5, 0.05, 0.01])
def test_max_error(name, error):
    s = long(1)
    whole = curve(s, name)
    thin = curve(s, name, max_error=error)
    assert farthest(whole, thin, CURVES[name][2]) <= error
    assert thin.height < whole.height


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=30),
    st.integers(2, 8),
)
def test_thinning_of_small_curves(rows, points):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(y, scores)
    for name in ("roc_curve", "pr_curve", "lift", "cost_curve"):
        whole, thin = curve(s, name), curve(s, name, max_points=points)
        assert thin.height <= points
        assert set(thin.rows()) <= set(whole.rows())
        assert thin.row(-1) == whole.row(-1)


def test_points_at_one_place_count_once():
    still = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 4.0])
    assert kept([still, still], 3, None).tolist() == [0, 2, 6]
    assert kept([np.zeros(5)], 2, None).tolist() == [0, 4]


def test_all_points_where_there_are_few():
    s = cm.sweep(Y, SCORES)
    assert s.roc_curve(max_points=5).equals(s.roc_curve())
    assert s.roc_curve(max_error=1e-300).equals(s.roc_curve())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_points": 1}, "`max_points` is 1; wanted a number of points, at least 2"),
        ({"max_points": 2.5}, "`max_points` is 2.5"),
        ({"max_points": True}, "`max_points` is True"),
        ({"max_error": 0}, "`max_error` is 0; wanted a number above 0"),
        ({"max_error": math.nan}, "`max_error` is nan"),
        ({"max_error": "small"}, "`max_error` is 'small'"),
        ({"max_points": 5, "max_error": 0.1}, "one of `max_points` and `max_error`"),
    ],
)
def test_bad_thinning(options, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(Y, SCORES).roc_curve(**options)


@pytest.mark.parametrize("name", [name for name in CURVES if name != "decision_curve"])
def test_given_thresholds(name):
    s, grid = cm.sweep(Y, SCORES), [-1.0, 0.35, 0.5, 2.0]
    frame = curve(s, name, thresholds=grid)
    assert frame["threshold"].to_list() == grid[::-1]
    whole = curve(s, name)
    at = {-1.0: 0.1, 0.35: 0.35, 0.5: 0.8}
    for row in frame.rows():
        if row[0] in at:
            assert row[1:] == whole.filter(threshold=at[row[0]]).row(0)[1:]
    with pytest.raises(cm.InputError, match="`thresholds` holds"):
        curve(s, name, thresholds=[0.5, 0.4])


def test_binned_curves_pass_through_points_of_the_exact_one():
    rng = np.random.default_rng(3)
    y, scores = rng.integers(0, 2, 500), rng.random(500)
    edges = np.linspace(0, 1, 17)
    exact = cm.sweep(y, scores)
    for threshold, _, _, fp, tp in cm.sweep(y, scores, bins=edges).roc_curve().rows():
        m = exact.at(threshold)
        assert (m.fp, m.tp) == (fp, tp)
