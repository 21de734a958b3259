"""Fleiss's kappa: published numbers, Scott's pi of two raters, and what is refused."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm

# Ten subjects, fourteen raters, five categories; kappa is 0.210.
PUBLISHED = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_published():
    assert cm.fleiss_kappa(PUBLISHED) == pytest.approx(0.210, abs=5e-4)


def definition(counts):
    counts = np.array(counts, float)
    m = counts.sum(1)[0]
    seen = ((counts * counts).sum(1) - m).mean() / (m * (m - 1))
    chance = ((counts.sum(0) / counts.sum()) ** 2).sum()
    return (seen - chance) / (1 - chance)


@pytest.mark.parametrize("seed", range(5))
def test_definition_and_labels(seed):
    rng = np.random.default_rng(seed)
    labels = rng.choice(["a", "b", "c"], size=(30, 4), p=[0.5, 0.3, 0.2])
    counts = [[(row == name).sum() for name in "abc"] for row in labels]
    wanted = definition(counts)
    assert cm.fleiss_kappa(counts) == pytest.approx(wanted)
    for ratings in (labels, labels.tolist(), pl.DataFrame(labels)):
        assert cm.fleiss_kappa(ratings, "labels") == cm.fleiss_kappa(counts)
    assert cm.fleiss_kappa(pl.DataFrame(counts, orient="row")) == cm.fleiss_kappa(counts)


def test_two_raters_are_scott_pi():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 3, (2, 200))
    b = np.where(rng.random(200) < 0.6, a, b)
    pairs = np.stack([a, b], axis=1)
    wanted = cm.confusion_matrix(a, b).scott_pi
    assert cm.fleiss_kappa(pairs, "labels") == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize(
    ("ratings", "why"),
    [([[3, 0], [3, 0]], "all ratings are of one category"), (np.zeros((0, 2)), "no subject")],
)
def test_undefined(ratings, why):
    with pytest.warns(cm.UndefinedMetricWarning, match=why):
        assert math.isnan(cm.fleiss_kappa(ratings))


@pytest.mark.parametrize(
    ("ratings", "form", "words"),
    [
        ([[3, 0], [1, 1]], "counts", "has 2 ratings in row 1; wanted 3, as of row 0"),
        ([[1, 0], [1, 0]], "counts", "has 1 ratings in row 0; wanted 2 or more"),
        ([[1.5, 0.5]], "counts", "`ratings` holds 1.5 in row 0, column 0"),
        ([[2**40, 0]], "counts", "below 2\\^31"),
        ([3, 0], "counts", "of shape"),
        ([["a", None]], "labels", "holds a null in row 0, column 1; wanted a label"),
        ([["a", "b"], ["a"]], "labels", "rows of different lengths"),
        (["a", "b"], "labels", "wanted 2 or more|no table of labels"),
        ([[{}, "a"]], "labels", "in row 0, column 0; wanted a label"),
        (5, "labels", "no table of labels"),
        ([[1, 2]], "both", "`form` is 'both'"),
    ],
)
def test_refused(ratings, form, words):
    with pytest.raises(cm.InputError, match=words):
        cm.fleiss_kappa(ratings, form)


def test_labels_of_two_kinds_and_counts_below_0():
    with pytest.raises(cm.InputError, match="one kind"):
        cm.fleiss_kappa([["1", 1], ["1", 1]], "labels")
    with pytest.raises(cm.InputError, match="wanted a number of raters"):
        cm.fleiss_kappa([[1, 1], [1, -1]])
