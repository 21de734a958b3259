"""Tests of two models on the same rows: the numbers that the joint counts give."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.significance import paired, square

RNG = np.random.default_rng(7)
N = 400
Y = RNG.integers(0, 3, N)
A = np.where(RNG.random(N) < 0.8, Y, RNG.integers(0, 3, N))
B = np.where(RNG.random(N) < 0.7, Y, RNG.integers(0, 3, N))
J = cm.joint_matrix(Y, A, B)
TABLE = np.array([[((i == A) & (j == B)).sum() for j in range(3)] for i in range(3)])


@pytest.mark.parametrize("method", [None, "exact", "mid-p", "chi2", "corrected"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_who_is_right_more_often(method, alternative):
    only_a, only_b = int(((A == Y) & (B != Y)).sum()), int(((A != Y) & (B == Y)).sum())
    options = {} if method is None else {"method": method}
    found = J.test("mcnemar", alternative=alternative, **options)
    assert found[:6] == paired.mcnemar(only_b, only_a, method, alternative)[:6]
    assert found.compared == f"{only_a} rows of a alone right, {only_b} of b alone"
    assert only_a > only_b
    assert (found.p_value < 0.5) is (alternative != "greater")


def test_what_they_predict():
    sides = ("model a", "model b")
    assert J.test("bowker") == square.bowker(TABLE, sides=sides)
    assert J.test("stuart_maxwell") == square.stuart_maxwell(TABLE, sides=sides)


def test_of_two_models_it_is_cochran():
    rows = np.column_stack([A == Y, B == Y])
    assert J.test("mcnemar", method="chi2").p_value == pytest.approx(cm.cochran_q(rows).p_value)


def test_the_accuracies_are_equivalent():
    gap = (B == Y).astype(float) - (A == Y)
    found = J.test("equivalent", margin=0.2)
    wanted = cm.equivalence(gap.mean(), gap.std() / math.sqrt(N), 0.2)
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.p_value)
    assert J.test("equivalent", margin=0.02, claim="not greater").p_value < 0.01
    assert J.test("equivalent", margin=0.02, claim="not less").p_value > 0.9


@pytest.mark.parametrize("metric", ["mcc", "f1_macro", "precision"])
def test_any_metric_is_equal_or_equivalent(metric):
    options = {"metric": metric} | ({"pos_label": 1} if metric == "precision" else {})
    frame = pl.DataFrame({"y": Y, "a": A, "b": B})
    asked = {"pos_label": 1} if metric == "precision" else {}
    c = cm.compare(frame, "y", ["a", "b"], metrics=[metric], method="delta", **asked)
    wanted, p_value = c.difference(metric), c.table()["p_value"][0]
    se = wanted.se
    found = J.test("equal", **options)
    assert found.statistic == pytest.approx(wanted.value / se)
    assert found.p_value == pytest.approx(p_value)
    assert J.test("equal", alternative="less", **options).p_value < 0.5
    near = J.test("equivalent", margin=0.3, **options)
    assert near.p_value == pytest.approx(cm.equivalence(wanted.value, se, 0.3).p_value)
    weighted = cm.joint_matrix(Y, A, B, sample_weight=np.full(N, 0.5))
    assert weighted.test("equal", **options).statistic == pytest.approx(found.statistic)
    sides = [
        J.test("equivalent", margin=0.02, claim=c, **options) for c in ("not less", "not greater")
    ]
    assert sides[1].p_value < sides[0].p_value


def test_no_rows_and_models_that_agree():
    empty = cm.joint_matrix([], [], [])
    assert empty.test("mcnemar").p_value == 1
    for name, options in (("bowker", {}), ("stuart_maxwell", {}), ("equivalent", {"margin": 0.1})):
        assert math.isnan(empty.test(name, **options).p_value)
    same = cm.joint_matrix(Y, A, A)
    assert same.test("mcnemar").p_value == 1
    assert same.test("equal", metric="mcc").p_value == 1
    assert empty.test("equal").note
    assert same.test("mcnemar", method="chi2").note == "no row is of one alone"
    assert same.test("bowker").note == "no row is off the diagonal"


def test_refused():
    for weights in (RNG.random(N), RNG.integers(1, 4, N)):
        weighted = cm.joint_matrix(Y, A, B, sample_weight=weights)
        for name in ("mcnemar", "bowker", "stuart_maxwell"):
            with pytest.raises(cm.InputError, match="weighted"):
                weighted.test(name)
    with pytest.raises(cm.InputError, match="'mcnemar', 'bowker'"):
        J.test("nir")
    with pytest.raises(cm.InputError, match="`margin`"):
        J.test("equivalent")


def test_counts_made_elsewhere_are_counts():
    made = cm.JointMatrix(J.to_polars())
    for name in ("mcnemar", "bowker", "stuart_maxwell"):
        assert made.test(name) == J.test(name)
