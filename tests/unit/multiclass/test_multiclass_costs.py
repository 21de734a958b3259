"""Decisions that cost least: the definition, ties, weights, rows left out, bad costs."""

import numpy as np
import pytest

import confmat as cm


def drawn(seed, k=4, n=60):
    """Return classes, probabilities in sixteenths with ties, and whole costs."""
    rng = np.random.default_rng(seed)
    proba = rng.multinomial(16, np.ones(k) / k, n) / 16
    return rng.integers(0, k, n), proba, rng.integers(-2, 9, (k, k)).astype(float)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_least_expected_cost(kind):
    for seed in range(20):
        y, proba, cost = drawn(seed)
        s = cm.multiclass_sweep(y, proba.astype(kind), labels=range(4))
        chosen = (proba @ cost).argmin(axis=1)  # exact: sixteenths times whole numbers
        m = s.at_min_cost(cost)
        assert m == cm.confusion_matrix(y, chosen, labels=range(4))
        assert m.cost(cost) == cost[y, chosen].sum()


def test_equal_costs_are_argmax():
    y, proba, _ = drawn(1)
    s = cm.multiclass_sweep(y, proba, labels=range(4))
    assert s.at_min_cost(1 - np.eye(4)) == s.at_argmax()
    assert s.at_min_cost(np.zeros((4, 4))).counts[:, 1:].sum() == 0


def test_costs_that_rounding_sets_apart_are_equal():
    proba = [[0.1, 0.2, 0.3, 0.4]]
    assert 0.1 + 0.2 > 0.3
    cost = [[1, 0, 1, 1], [1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]
    m = cm.multiclass_sweep([3], proba, labels=range(4)).at_min_cost(cost)
    assert m.counts[3].tolist() == [1, 0, 0, 0]


def test_two_classes_are_a_threshold():
    rng = np.random.default_rng(2)
    y, p = rng.integers(0, 2, 500), rng.integers(1, 64, 500) / 64
    cost = [[0, 3], [5, 0]]
    m = cm.multiclass_sweep(y, np.stack([1 - p, p], axis=1)).at_min_cost(cost)
    at = cm.sweep(y, p).at(np.nextafter(3 / 8, 1))
    assert m.counts.tolist() == at.counts.tolist()


def test_weights_and_rows_left_out():
    y, proba, cost = drawn(3)
    w = np.random.default_rng(3).random(60)
    chosen = (proba @ cost).argmin(axis=1)
    weighted = cm.multiclass_sweep(y, proba, labels=range(4), sample_weight=w).at_min_cost(cost)
    assert weighted == cm.confusion_matrix(y, chosen, labels=range(4), sample_weight=w)
    some = [None, *y[1:].tolist()]
    proba[0] = [np.nan, np.inf, -1, 0]
    m = cm.multiclass_sweep(some, proba, labels=range(4)).at_min_cost(cost)
    assert (m.n, m.n_dropped) == (59, 1)
    assert (
        m.counts.tolist() == cm.confusion_matrix(y[1:], chosen[1:], labels=range(4)).counts.tolist()
    )


def test_bad_costs():
    s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    for bad, why in (
        (None, "needed; wanted a 2 x 2 matrix"),
        ([[0, 1, 1]], r"shape \(1, 3\)"),
        ([[0, np.inf], [1, 0]], r"inf at \[0, 1\]"),
        ("cheap", "no"),
    ):
        with pytest.raises(cm.InputError, match=why):
            s.at_min_cost(bad)


@pytest.mark.parametrize("forbidden", [10.0, 1e12, 1e15, 1e300])
def test_a_huge_cost_elsewhere_does_not_hide_differences(forbidden):
    costs = [[0, 1, forbidden], [1, 0, forbidden], [5, 5, 0]]
    s = cm.multiclass_sweep([0, 1], [[0.3, 0.7, 0.0], [0.2, 0.8, 0.0]], labels=[0, 1, 2])
    assert s.at_min_cost(costs).counts.sum(axis=0).tolist() == [0, 2, 0]
