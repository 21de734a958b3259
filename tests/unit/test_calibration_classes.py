"""Class-wise and top-label calibration, from arrays and from sweeps."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from oracle.scored import counted

import confmat as cm
from confmat.calibration_classes import (
    classwise_ece,
    classwise_ece_of,
    top_label,
    top_label_ece,
)

RNG = np.random.default_rng(11)
PROBA = RNG.dirichlet([1, 2, 3, 0.5], 500).round(3)
Y = np.array([RNG.choice(4, p=p / p.sum()) for p in PROBA])
W = RNG.random(500) + 0.1


def ece(correct, score, weight, bins):
    """Return the error by its definition, a bin at a time."""
    total = 0.0
    for k in range(bins):
        low = (score > k / bins) if k else (score >= 0)
        mine = low & (score <= (k + 1) / bins)
        total += abs((weight * (correct - score))[mine].sum())
    return total / weight.sum()


@pytest.mark.parametrize("weight", [None, W], ids=["counts", "weights"])
@pytest.mark.parametrize("bins", [4, 10])
def test_uniform_bins_by_definition(weight, bins):
    w = np.ones(500) if weight is None else weight
    found = classwise_ece(Y, PROBA, bins, sample_weight=weight)
    wanted = [ece(k == Y, PROBA[:, k], w, bins) for k in range(4)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    top = ece(PROBA.argmax(1) == Y, PROBA.max(1), w, bins)
    assert top_label_ece(Y, PROBA, bins, sample_weight=weight) == pytest.approx(top, rel=1e-12)


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "isotonic"])
def test_sweeps_give_what_arrays_give(strategy):
    sweeps = []
    for k in range(4):
        names = ("scores", "positives", "negatives")
        parts = zip(names, counted((k == Y).astype(int), PROBA[:, k]), strict=True)
        sweeps.append(SimpleNamespace(**dict(parts)))
    found = classwise_ece_of(sweeps, 7, strategy)
    assert found.tolist() == classwise_ece(Y, PROBA, 7, strategy).tolist()


def test_top_label_is_a_calibration():
    c = top_label(Y, PROBA, bins=5, strategy="quantile")
    assert isinstance(c, cm.Calibration)
    assert c.n == 500
    assert c.table()["n"].sum() == 500
    right = np.average(PROBA.argmax(1) == Y)
    assert (c.table()["fraction_positive"] * c.table()["n"]).sum() == pytest.approx(500 * right)
    assert c.ece == top_label_ece(Y, PROBA, 5, "quantile")


def test_two_classes_are_the_binary_error():
    y, p = (Y > 1).astype(int), PROBA[:, 2]
    found = classwise_ece(y, np.column_stack([1 - p, p]), bins=[0, 0.3, 1])
    assert found[1] == cm.Calibration(*counted(y, p), bins=[0, 0.3, 1]).ece


def test_equal_probabilities_go_to_the_first_class():
    assert top_label([0, 1], [[0.5, 0.5], [0.5, 0.5]]).table()["fraction_positive"].max() == 0.5
    assert top_label_ece([0, 0], [[0.5, 0.5], [0.5, 0.5]]) == 0.5


def test_absent_classes_and_no_rows():
    assert classwise_ece([0, 0], [[0.75, 0.25], [0.75, 0.25]]).tolist() == [0.25, 0.25]
    empty = np.zeros((0, 3))
    assert np.isnan(classwise_ece([], empty)).tolist() == [True] * 3
    assert math.isnan(top_label_ece([], empty))


@pytest.mark.parametrize(
    ("y", "proba", "weight", "message"),
    [
        ([0], [0.5], None, r"`proba` has shape \(1,\)"),
        ([0], [["a"]], None, "`proba` has shape"),
        ([0, 1], [[0.5, 0.5]], None, r"`y_codes` has shape \(2,\), int64; wanted 1 class"),
        ([0.5], [[0.5, 0.5]], None, "`y_codes` has shape"),
        ([0, 2], [[0.5, 0.5]] * 2, None, "`y_codes` holds 2 at row 1; wanted 0 to 1"),
        ([0, -1], [[0.5, 0.5]] * 2, None, "`y_codes` holds -1 at row 1"),
        ([0, 0], [[0.5, 0.5], [0.5, 1.5]], None, r"`proba\[:, 1\]` holds 1.5 at row 1"),
        ([0], [[math.nan, 0.5]], None, r"`proba\[:, 0\]` holds nan at row 0"),
        ([0], [[0.5, 0.5]], [1, 2], r"`sample_weight` has shape \(2,\)"),
        ([0], [[0.5, 0.5]], [-1], "`sample_weight` holds -1.0 at row 0"),
    ],
)
def test_bad_input(y, proba, weight, message):
    for function in (classwise_ece, top_label):
        with pytest.raises(cm.InputError, match=message):
            function(y, proba, sample_weight=weight)
