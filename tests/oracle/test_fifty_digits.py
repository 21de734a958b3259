"""Roots, logarithms and eigenvalues against mpmath with 50 digits.

Bounds are in ulp of the value where its digits can be had from doubles, and in ulp of 1 where the
value itself is a small difference: determinants and eigenvalues near 0.
"""

import math

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from oracle.reals import Reals, determinant

from confmat import _core


def tables(k):
    """Return tables with every class present: any, near-cancelling, near-perfect, with zeros."""
    rng = np.random.default_rng(k)
    for bits in (4, 16, 40, 59):
        top = min(2**bits, (2**62 - 1) // (k * k))
        some = rng.integers(1, top, (k, k))
        yield "any", some
        yield "near", top - 1 - rng.integers(0, 5, (k, k))
        yield "any", np.where(np.eye(k, dtype=bool), some, rng.integers(0, 5, (k, k)))
        yield "any", np.where(rng.random((k, k)) < 0.4, 0, some) + np.eye(k, dtype=np.int64)


SIZES = (2, 3, 5)
ONE = mpf(2) ** -52
# Name: exact value, bound in ulp of the value, bound in ulp of 1 for near-cancelling tables.
METRICS = {
    "mcc": (Reals.mcc, 8, None),
    "kappa": (Reals.kappa, 8, None),
    "cramer_v": (Reals.cramer_v, 8, None),
    "canonical_correlation": (Reals.canonical_correlation, 32, None),
    "cen": (Reals.cen, 8, None),
    "mcen": (lambda t: t.cen(once=True), 8, None),
    "eve": (Reals.eve, 32, 32),
    "entropy_true": (lambda t: t.entropy(t.r) / mpmath.log(2), 8, None),
    "entropy_pred": (lambda t: t.entropy(t.q) / mpmath.log(2), 8, None),
    "kl_divergence": (lambda t: t.divergence() / mpmath.log(2), 8, None),
    "mutual_information": (lambda t: t.information() / mpmath.log(2), 12, None),
    **{
        name: (lambda t, name=name: t.normalised_information()[name], 12, None)
        for name in ("nmi_joint", "nmi_min", "nmi_max", "nmi_arithmetic", "nmi_geometric")
    },
}


def value(name, table):
    return float(_core.Asks([name]).values(table, [str(i) for i in range(len(table))])[0])


def ulps(got, exact):
    return float(abs(mpf(got) - exact) / math.ulp(float(exact)))


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("name", METRICS)
def test_value(name, k):
    exact_of, bound, near_bound = METRICS[name]
    for kind, table in tables(k):
        exact, got = exact_of(Reals(table)), value(name, table)
        if kind == "near" and near_bound is not None:
            assert abs(mpf(got) - exact) <= near_bound * ONE, (table.tolist(), got)
        else:
            assert ulps(got, exact) <= bound, (table.tolist(), got, float(exact))


@pytest.mark.parametrize("gap", [1, 100, 10**7])
def test_predicted_sizes_that_are_nearly_the_true_ones(gap):
    """What differs is 1e-16 to 1e-2 of the rows: the divergence has as many digits for all that."""
    table = np.array([[10**9, 7 * gap, gap], [gap, 10**9, 2 * gap], [gap, gap, 10**8]])
    exact = Reals(table).divergence() / mpmath.log(2)
    assert ulps(value("kl_divergence", table), exact) <= 8


@pytest.mark.parametrize("name", ["mutual_information", "nmi_joint", "nmi_min", "kl_divergence"])
def test_information_of_small_tables_near_independence(name):
    rng = np.random.default_rng(7)
    exact_of, _, _ = METRICS[name]
    for _ in range(300):
        sides = rng.integers(2, 30, (2, int(rng.integers(2, 4))))
        table = np.outer(*sides) // rng.integers(1, 9) + rng.integers(0, 4) + np.diag(sides[0] % 3)
        exact = exact_of(Reals(table))
        if exact > 1e-30:  # not where both sides are the same
            assert ulps(value(name, table), exact) <= 10, table.tolist()


@pytest.mark.parametrize("k", SIZES)
def test_determinants(k):
    """A determinant of numbers up to 1 is good to a few ulp of 1; two classes to 8 of its own."""
    for _, table in tables(k):
        exact, got = Reals(table).gmcc(), value("gmcc", table)
        assert abs(mpf(got) - exact) <= 16 * ONE, (table.tolist(), got)
        if k == 2:
            assert ulps(got, exact) <= 8, (table.tolist(), got)
        root = value("gmcc_root", table)
        assert abs(mpf(root) ** (k - 1) - abs(exact) * (1 if root > 0 else (-1) ** (k - 1))) <= (
            64 * ONE
        )


@pytest.mark.parametrize("k", SIZES)
def test_determinants_with_other_means(k):
    means = {"gmcc_mean": lambda a, b: 2 * a * b / (a + b) if a + b else 0,
             "gmcc_mean(arithmetic)": lambda a, b: (a + b) / 2,
             "gmcc_mean(min)": min}  # fmt: skip
    for _, table in tables(k):
        for name, mean in means.items():
            exact = Reals(table).gmcc_mean(mean)
            assert abs(mpf(value(name, table)) - exact) <= 16 * ONE, (name, table.tolist())


@pytest.mark.parametrize("k", SIZES)
def test_logarithm_of_a_determinant_far_from_singular(k):
    for bits in (8, 30):
        table = np.eye(k, dtype=np.int64) * 2**bits + np.arange(k * k).reshape(k, k)
        exact = mpmath.log(abs(Reals(table).gmcc()))
        assert abs(mpf(value("log_abs_gmcc", table)) - exact) <= 32 * ONE


def test_the_oracle_itself():
    """Published numbers, so that the oracle does not share a mistake with the library."""
    first = Reals([[20, 6, 0], [2, 20, 0], [12, 12, 8]])
    assert float(first.gmcc()) == pytest.approx(0.22566928801238018, abs=2e-16)
    assert float(first.cramer_v()) == pytest.approx(0.48657806242104484, abs=1e-16)
    iris = Reals([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    assert float(iris.eve()) == pytest.approx(0.96808, abs=5e-6)
    assert 1 - float(iris.cen()) == pytest.approx(0.774, abs=5e-4)
    assert 1 - float(iris.cen(once=True)) == pytest.approx(0.697, abs=5e-4)
    assert float(iris.normalised_information()["nmi_joint"]) == pytest.approx(0.523, abs=5e-4)
    assert determinant([[2, 1], [1, 3]]) == 5
