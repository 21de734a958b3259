"""Functions of scores, probabilities and numbers do what scikit-learn's do, refusals too."""

import inspect

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import calibration, metrics
from support.outcomes import assert_same_outcome, outcome

import confmat.sklearn

OF_TWO_CLASSES = (
    "average_precision_score",
    "brier_score_loss",
    "calibration_curve",
    "confusion_matrix_at_thresholds",
    "d2_brier_score",
    "d2_log_loss_score",
    "det_curve",
    "hinge_loss",
    "log_loss",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
)
OF_CLASSES = (
    "average_precision_score",
    "brier_score_loss",
    "d2_brier_score",
    "d2_log_loss_score",
    "hinge_loss",
    "log_loss",
    "roc_auc_score",
    "top_k_accuracy_score",
)
OF_SETS = (
    "average_precision_score",
    "coverage_error",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "roc_auc_score",
)
OF_NUMBERS = (
    "d2_absolute_error_score",
    "d2_pinball_score",
    "d2_tweedie_score",
    "explained_variance_score",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_gamma_deviance",
    "mean_pinball_loss",
    "mean_poisson_deviance",
    "mean_squared_error",
    "mean_squared_log_error",
    "mean_tweedie_deviance",
    "median_absolute_error",
    "r2_score",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
)
WORDS = np.array(["no", "yes", "é"])
LABELS = {
    "0 and 1": lambda at: at % 2,
    "-1 and 1": lambda at: 2 * (at % 2) - 1,
    "Booleans": lambda at: at % 2 == 1,
    "1 and 2": lambda at: at % 2 + 1,
    "texts": lambda at: WORDS[at % 2],
    "objects": lambda at: WORDS[at % 2].astype(object),
    "whole floats": lambda at: (at % 2).astype(np.float64),
    "list": lambda at: (at % 2).tolist(),
    "list of texts": lambda at: WORDS[at % 2].tolist(),
    "pandas": lambda at: pd.Series(at % 2),
    "three": lambda at: at % 3,
    "three texts": lambda at: WORDS[at % 3],
    "one": np.zeros_like,
    "another": lambda at: np.full_like(at, 2),
    "column": lambda at: (at % 2)[:, None],
    "numbers as objects": lambda at: (at % 2).astype(object),
    "mixed list": lambda at: ["a" if one % 3 else one for one in at.tolist()],
    "tuple": lambda at: tuple((at % 2).tolist()),
    "pandas texts": lambda at: pd.Series(WORDS[at % 2]),
    "with a nan": lambda at: np.where(at % 3 == 1, np.nan, at % 2),
    "fractions": lambda at: at + 0.5,
    "longer": lambda at: np.append(at % 2, 1),
    "None": lambda at: None,
}
SOUND = list(LABELS)[:10]
SCORES = {
    "floats": lambda s: s,
    "with ties": lambda s: np.round(s, 1),
    "list": lambda s: s.tolist(),
    "integers": lambda s: (4 * s).astype(int),
    "beyond 1": lambda s: 4 * s - 2,
    "column": lambda s: s[:, None],
    "pandas": pd.Series,
    "with a nan": lambda s: np.where(s == s.max(), np.nan, s),
    "with an infinity": lambda s: np.where(s == s.max(), np.inf, s),
    "texts": lambda s: s.astype(str),
    "two columns": lambda s: np.stack([1 - s, s], axis=1),
    "shorter": lambda s: s[1:],
    "number": lambda s: 0.5,
}
WEIGHTS = {
    "whole": lambda rng, n: rng.integers(1, 5, n),
    "fractions": lambda rng, n: rng.random(n),
    "some 0": lambda rng, n: rng.integers(0, 2, n),
    "all 0": lambda rng, n: np.zeros(n),
    "list": lambda rng, n: rng.random(n).tolist(),
    "longer": lambda rng, n: np.ones(n + 1),
    "with a nan": lambda rng, n: np.full(n, np.nan),
    "column": lambda rng, n: np.ones((n, 1)),
}
OPTIONS = {
    "pos_label": [None, 1, 0, 2, "yes", "no", True],
    "drop_intermediate": [True, False, "yes"],
    "max_fpr": [None, 0.3, 1, 0.01, 0, 2],
    "average": ["macro", "micro", "weighted", "samples", None, "binary"],
    "multi_class": ["raise", "ovr", "ovo", "both"],
    "labels": [None, [0, 1], ["no", "yes"], [0, 1, 2], [1, 0], [0, 0, 1], []],
    "normalize": [True, False, 3],
    "k": [1, 2, 3, 0],
    "n_bins": [5, 1, 3, 100, 0],
    "strategy": ["uniform", "quantile", "even"],
    "scale_by_half": ["auto", True, False, "no"],
    "multioutput": ["uniform_average", "raw_values", "variance_weighted", [0.3, 0.7], "all"],
    "force_finite": [True, False],
    "alpha": [0.5, 0.1, 0.9, 0, 1, 2],
    "power": [0, 1, 2, 3, 1.5, -1, 0.5],
}


def theirs(name):
    return getattr(calibration if name == "calibration_curve" else metrics, name)


def assert_agrees(name, arguments, keywords):
    ours = outcome(getattr(confmat.sklearn, name), *arguments, **keywords)
    expected = outcome(theirs(name), *arguments, **keywords)
    assert_same_outcome(ours, expected)


@st.composite
def keywords_of(draw, name, rng, n):
    """Draw some of the options of a function, and weights."""
    found = {}
    for option in inspect.signature(theirs(name)).parameters:
        if option in OPTIONS and draw(st.integers(0, 2)) == 0:
            found[option] = draw(st.sampled_from(OPTIONS[option]))
        if option == "sample_weight" and draw(st.booleans()):
            found[option] = WEIGHTS[draw(st.sampled_from(list(WEIGHTS)))](rng, n)
    return found


@st.composite
def two_classes(draw, name):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.sampled_from([1, 2, 5, 30]))
    label = draw(st.one_of(st.sampled_from(SOUND), st.sampled_from(list(LABELS))))
    score = draw(st.one_of(st.sampled_from(["floats", "with ties"]), st.sampled_from(list(SCORES))))
    truth, scores = LABELS[label](rng.integers(0, 6, n)), SCORES[score](rng.random(n))
    return (truth, scores), draw(keywords_of(name, rng, n))


@pytest.mark.parametrize("name", OF_TWO_CLASSES)
@given(data=st.data())
def test_scores_of_two_classes(name, data):
    assert_agrees(name, *data.draw(two_classes(name)))


@st.composite
def many_classes(draw, name):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, k = draw(st.sampled_from([2, 5, 30])), draw(st.integers(2, 3))
    codes = rng.integers(0, k, n)
    kind = draw(st.sampled_from(["numbers", "texts", "objects", "list"]))
    truth = {"numbers": codes, "list": codes.tolist()}.get(kind, WORDS[codes])
    truth = truth.astype(object) if kind == "objects" else truth
    scores = rng.random((n, draw(st.sampled_from([k, k, k, 4])))) + 0.01
    if draw(st.booleans()):
        scores = np.round(scores, 1) + 0.1
    if draw(st.integers(0, 3)):
        scores /= scores.sum(axis=1, keepdims=True)
    return (truth, scores), draw(keywords_of(name, rng, n))


@pytest.mark.parametrize("name", OF_CLASSES)
@given(data=st.data())
def test_scores_of_many_classes(name, data):
    assert_agrees(name, *data.draw(many_classes(name)))


@st.composite
def label_sets(draw, name):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, width = draw(st.sampled_from([2, 5, 20])), draw(st.integers(2, 4))
    truth = (rng.random((n, width)) < draw(st.sampled_from([0, 0.4, 1]))).astype(int)
    shape = draw(st.sampled_from([(n, width), (n, width), (n, width + 1), (n + 1, width)]))
    scores = rng.random(shape)
    if draw(st.booleans()):
        scores = np.round(scores, 1)
    kinds = [lambda t: t, lambda t: t > 0, sparse.csr_array, pd.DataFrame, lambda t: 2 * t]
    return (draw(st.sampled_from(kinds))(truth), scores), draw(keywords_of(name, rng, n))


@pytest.mark.parametrize("name", OF_SETS)
@given(data=st.data())
def test_scores_of_label_sets(name, data):
    assert_agrees(name, *data.draw(label_sets(name)))


@st.composite
def numbers(draw, name):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.sampled_from([1, 2, 5, 30]))
    truth = rng.normal(size=n) if draw(st.booleans()) else rng.random(n) + 0.1
    pred = np.abs(truth) + rng.random(n)
    kind = draw(st.sampled_from(["as they are", *NUMBERS]))
    if kind != "as they are":
        truth, pred = NUMBERS[kind](truth, pred)
    return (truth, pred), draw(keywords_of(name, rng, n))


NUMBERS = {
    "whole": lambda t, p: (np.round(4 * t).astype(int), np.round(4 * p).astype(np.int8)),
    "lists": lambda t, p: (t.tolist(), p.tolist()),
    "all the same": lambda t, p: (np.full_like(t, 0.25), p),
    "perfect": lambda t, p: (t, t.copy()),
    "two outputs": lambda t, p: (np.stack([t, 2 * t], 1), np.stack([p, p + 1], 1)),
    "columns": lambda t, p: (t[:, None], p[:, None]),
    "pandas": lambda t, p: (pd.Series(t), pd.Series(p)),
    "with a nan": lambda t, p: (t, np.where(p == p.max(), np.nan, p)),
    "with an infinity": lambda t, p: (np.where(t == t.max(), np.inf, t), p),
    "zeros": lambda t, p: (t, 0 * p),
    "below -1": lambda t, p: (t, -5 * p),
    "shorter": lambda t, p: (t[1:], p),
    "texts": lambda t, p: (t.astype(str), p),
    "a number": lambda t, p: (t, 1.0),
}


@pytest.mark.parametrize("name", OF_NUMBERS)
@given(data=st.data())
def test_numbers(name, data):
    assert_agrees(name, *data.draw(numbers(name)))


@pytest.mark.parametrize("name", OF_NUMBERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_of_several_blocks(name, weighted):
    rng = np.random.default_rng(7)
    truth, pred = rng.random((2, 40_000)) + 0.1
    weights = {"sample_weight": rng.random(40_000)} if weighted and name != "max_error" else {}
    assert_agrees(name, (truth, pred), weights)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("auc", ([0, 1, 2], [0.5, 1, 0])),
        ("auc", (np.array([2.0, 1.0, 1.0]), np.array([1.0, 0.0, 4.0]))),
        ("auc", ([0.0, 2.0, 1.0], [0.0, 1.0, 2.0])),
        ("auc", ([0.0], [1.0])),
        ("auc", ([0.0, 1.0], [1.0])),
        ("confusion_matrix_at_thresholds", ([0, 1], [0.1, 0.2], 1)),
        ("log_loss", ([0, 1],)),
        ("roc_curve", ([0, 1],)),
        ("roc_curve", ([], [])),
        ("mean_squared_error", ([], [])),
        ("top_k_accuracy_score", ([0, 1, 2], [[0.2, 0.5, 0.3]] * 3)),
    ],
)
def test_calls_that_are_not_drawn(name, arguments):
    assert_agrees(name, arguments, {})


@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 0.0, 1.5]])
def test_a_function_at_each_threshold(weight):
    arguments = ([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8], metrics.accuracy_score)
    assert_agrees("metric_at_thresholds", arguments, {"sample_weight": weight})


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("n_bins", [4, 5, 10, 100])
def test_probabilities_at_the_edges_of_bins(n_bins, strategy):
    proba = np.repeat(np.linspace(0, 1, n_bins + 1), 3)
    truth = np.arange(len(proba)) % 2
    assert_agrees("calibration_curve", (truth, proba), {"n_bins": n_bins, "strategy": strategy})


@pytest.mark.parametrize(
    ("name", "arguments", "keywords"),
    [
        ("mean_tweedie_deviance", ([2.0, 1.0], [np.inf, 1.0]), {"power": 3}),
        ("calibration_curve", ([0, 1], [np.nan, 0.2]), {"n_bins": 10}),
        ("roc_auc_score", ([0, 1], [0.1, 0.2]), {"sample_weight": [0, 1.0], "max_fpr": 0.3}),
        ("median_absolute_error", (np.array([1, 5, 9]), np.array([2, 3, 4])), {}),
    ],
)
def test_corners(name, arguments, keywords):
    assert_agrees(name, arguments, keywords)
