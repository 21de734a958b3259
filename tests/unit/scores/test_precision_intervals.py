"""The interval of average precision by what each row adds, without draws."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat.errors import InputError


def drawn(rng, n, share=0.3):
    y = rng.random(n) < share
    return y, np.round(rng.normal(1.0 * y), 1)  # some are tied


@pytest.mark.parametrize("weight", ["none", "int", "float"])
def test_its_error_is_that_of_leaving_rows_out(weight):
    rng = np.random.default_rng(1)
    n = 200
    y, scores = drawn(rng, n)
    w = {"none": None, "int": rng.integers(1, 3, n), "float": rng.uniform(0.5, 2, n)}[weight]
    found = cm.sweep(y, scores, sample_weight=w).ci("average_precision", method="delta")
    if weight == "int":  # counts of equal rows
        y, scores, w = np.repeat(y, w), np.repeat(scores, w), None
    less = []
    for row in range(len(y)):
        keep = np.arange(len(y)) != row
        part = None if w is None else w[keep]
        less.append(cm.sweep(y[keep], scores[keep], sample_weight=part).average_precision)
    error = math.sqrt((len(y) - 1) / len(y) * np.sum((less - np.mean(less)) ** 2))
    assert found.se == pytest.approx(error, rel=0.05)
    assert found.method == "delta"
    assert found.low < found.value < found.high


def test_it_is_close_to_that_of_draws():
    y, scores = drawn(np.random.default_rng(2), 2_000)
    s = cm.sweep(y, scores)
    draws = s.ci("average_precision", method="bootstrap", seed=0)
    assert draws.method == "bootstrap"
    found = s.ci("average_precision", method="delta")
    assert found[:4] == pytest.approx(draws[:4], abs=0.2 * draws.se)
    below = s.ci("average_precision", 0.975, method="delta", side="lower")
    assert (below.low, below.high) == (pytest.approx(found.low), 1.0)


@pytest.mark.parametrize("few", [0, 1])
@pytest.mark.parametrize("weight", [None, 1.0])
def test_it_is_the_default_of_200_rows_of_each_class(few, weight):
    y = np.repeat([0, 1], [500, 200 - few])
    scores = np.random.default_rng(5).normal(1.0 * y)
    w = None if weight is None else np.full(len(y), weight)
    s = cm.sweep(y, scores, sample_weight=w)
    method = "bootstrap" if few else "delta"
    assert s.ci("average_precision", seed=0).method == method
    row = s.overall(["average_precision"], ci=0.95, seed=0)
    assert row.select("low", "high").row(0) == s.ci("average_precision", seed=0)[1:3]
    if w is not None:  # effective rows count
        w[-100:] = 0.1
        few_count = cm.sweep(y, scores, sample_weight=w).ci("average_precision", seed=0)
        assert few_count.method == "bootstrap"


def test_how_often_it_holds():
    rng = np.random.default_rng(3)
    true = cm.sweep(*drawn(rng, 500_000)).average_precision
    held = 0
    for _ in range(400):
        found = cm.sweep(*drawn(rng, 150)).ci("average_precision", method="delta")
        held += found.low <= true <= found.high
    assert 0.92 * 400 <= held <= 0.98 * 400


def test_bins_and_ends():
    y, scores = drawn(np.random.default_rng(4), 300)
    scores = 1 / (1 + np.exp(-scores))
    binned = cm.sweep(y, scores, bins=1024)
    found = binned.ci("average_precision", method="delta")
    least, most = binned.bounds("average_precision")
    assert found.method == "delta, bins"
    assert found.low < least < most < found.high
    perfect = cm.sweep([0] * 20 + [1] * 20, np.arange(40)).ci("average_precision", method="delta")
    assert (perfect.value, perfect.high, perfect.se) == (1.0, 1.0, 0.0)
    assert 0.7 < perfect.low < 0.95
    with pytest.raises(InputError, match="average_precision has 'bootstrap', 'delta'"):
        binned.ci("average_precision", method="delong")
