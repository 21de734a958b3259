"""Areas of many classes with float weights: both sides of each area are sums, never differences."""

import math
from fractions import Fraction

import numpy as np
import pytest

import confmat as cm

K = 3


def drawn(seed, spread, rows=30):
    """Rows whose weights differ by class: that of the first is `spread` times the others."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, K, rows)
    proba = rng.integers(1, 9, (rows, K)) / 8.0
    proba /= proba.sum(axis=1, keepdims=True)
    weights = (rng.random(rows) + 0.5) * np.where(y == 0, spread, 1.0)
    return y, proba, weights


def area(scores, positive, weights):
    """Return the area under the ROC curve of a column, by pairs, exactly."""
    sides = [[], []]
    for score, side, weight in zip(scores, positive, weights, strict=True):
        sides[int(side)].append((score, Fraction(float(weight))))
    won = sum(
        p * n * Fraction(2 * int(s > t) + int(s == t), 2) for s, p in sides[1] for t, n in sides[0]
    )
    pairs = sum(w for _, w in sides[0]) * sum(w for _, w in sides[1])
    return float(won / pairs)


@pytest.mark.parametrize("spread", [1e10, 1e-10, 1e6, 1.0])
@pytest.mark.parametrize("seed", range(2))
def test_areas_keep_their_digits(spread, seed):
    y, proba, weights = drawn(seed, spread)
    k = cm.multiclass_sweep(y, proba, labels=range(K), sample_weight=weights)
    found = k.per_class()["roc_auc"]
    for i in range(K):
        exactly = area(proba[:, i], y == i, weights)
        assert found[i] == pytest.approx(exactly, rel=1e-13)
        assert k.one_vs_rest(i).roc_auc == pytest.approx(exactly, rel=1e-13)
    pairs = []
    for i in range(K):
        for j in range(i + 1, K):
            some = (y == i) | (y == j)
            pairs.append([area(proba[some, a], y[some] == a, weights[some]) for a in (i, j)])
    assert k.pair_table()["auc"].to_numpy() == pytest.approx(np.mean(pairs, axis=1), rel=1e-13)
    decided = np.stack([y == i for i in range(K)], axis=1)
    micro = area(proba.ravel(), decided.ravel(), np.repeat(weights, K))
    assert k.value("roc_auc", average="micro") == pytest.approx(micro, rel=1e-13)


@pytest.mark.parametrize("weight", [0.1, 1e10, 0.3333])
def test_rows_of_one_class_have_no_area(weight):
    _, proba, _ = drawn(1, 1.0)
    weights = np.linspace(0.1, 1.7, len(proba)) * weight
    k = cm.multiclass_sweep(np.ones(len(proba), int), proba, labels=range(K), sample_weight=weights)
    assert math.isnan(k.roc_auc)
    assert k.per_class()["roc_auc"].to_list() == [None] * K
    assert "one class" in k.reason("roc_auc")


def test_counts_are_ratios_of_integers():
    y, proba, _ = drawn(2, 1.0)
    found = cm.multiclass_sweep(y, proba, labels=range(K)).per_class()["roc_auc"]
    assert found.to_list() == [area(proba[:, i], y == i, np.ones(len(y))) for i in range(K)]
