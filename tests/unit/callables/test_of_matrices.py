"""Plain functions of numbers that matrices have as methods."""

import doctest
import math

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_mutual_info_score

import confmat as cm
from confmat.callables import of_matrices

TRUE, PRED = np.random.default_rng(3).integers(0, 4, (2, 300))


@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_adjusted_mutual_information_is_that_of_scikit_learn(average):
    want = adjusted_mutual_info_score(TRUE, PRED, average_method=average)
    got = cm.adjusted_mutual_information(TRUE, PRED, average=average)
    assert got == pytest.approx(want, rel=1e-10, abs=1e-13)
    assert got == cm.confusion_matrix(TRUE, PRED).adjusted_mutual_information(average)


def test_aickin_alpha_is_that_of_the_matrix():
    names = np.array(["a", "b", "c", "d"])
    want = cm.confusion_matrix(TRUE, PRED).aickin_alpha()
    assert cm.aickin_alpha(TRUE, PRED) == want
    assert cm.aickin_alpha(pl.Series(names[TRUE]), names[PRED]) == want
    weights = np.full(300, 0.5)
    assert cm.aickin_alpha(TRUE, PRED, sample_weight=weights) == pytest.approx(want, rel=1e-14)


@pytest.mark.parametrize("name", ["adjusted_mutual_information", "aickin_alpha"])
def test_rows_that_cannot_be_told(name):
    function = getattr(cm, name)
    with pytest.warns(cm.UndefinedMetricWarning, match=name) as told:
        assert math.isnan(function([1, 1], [1, 1]))
    assert told[0].filename == __file__
    assert function([0, None, 1, 1, 0], [0, 1, 1, None, 0]) == 1
    with pytest.raises(cm.InputError, match="null"):
        function([0, None], [0, 1], nulls="raise")
    with pytest.raises(cm.InputError, match="not in labels"):
        function([0, 2], [0, 2], labels=[0, 1])


@pytest.mark.parametrize("k", [2, 3, 5, 7])
@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_partitions_that_are_the_same_have_1(k, average):
    sizes = np.random.default_rng(k).integers(1, 1000, k)
    m = cm.ConfusionMatrix(np.diag(sizes)[::-1])
    assert m.adjusted_mutual_information(average) == 1


def test_examples():
    assert doctest.testmod(of_matrices).failed == 0
