"""Ratio metrics of tables with cells up to 2^61 against exact fractions, in ulp.

The bound is 8 ulp, and 8 ulp of 1 for means of values of both signs, which can cancel among
themselves.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from oracle.ratios import CLASS, Exact

from confmat import _core
from confmat.options import Options

BITS = (16, 32, 53, 59, 61)
SIGNED = (
    "informedness",
    "markedness",
    "equitable_threat_score",
    "kappa_binary",
    "optimized_precision",
    "yule_q",
)
AVERAGES = ("macro", "micro", "weighted", "ovo")
POOLED_OUT = (
    "lr_positive",
    "lr_negative",
    "diagnostic_odds_ratio",
    "equitable_threat_score",
    "kappa_binary",
    "optimized_precision",
    "yule_q",
)
UNAVERAGED = ("prevalence", "predicted_prevalence", "tn")


def tables(bits, k):
    """Return tables whose total is below 2^63: any, near-cancelling, near-perfect, with zeros."""
    rng = np.random.default_rng([bits, k])
    top = min(2**bits, (2**63 - 1) // (k * k))
    for _ in range(4):
        some = rng.integers(0, top, (k, k))
        yield some
        yield top - 1 - rng.integers(0, 9, (k, k))
        yield np.where(np.eye(k, dtype=bool), some, rng.integers(0, 9, (k, k)))
        yield np.where(rng.random((k, k)) < 0.3, 0, some) + np.eye(k, dtype=np.int64)
        sides = rng.integers(1, int(top**0.5) + 1, (2, k))
        yield np.outer(*sides) + rng.integers(0, 2, (k, k))  # hardly any association


CASES = [(bits, k) for bits in BITS for k in (2, 3, 5)]


def ulps(got, exact):
    """Return the distance of a double from a fraction in units of its last place."""
    if math.isnan(got) or math.isinf(got):
        return math.inf
    return float(abs(Fraction(got) - exact) / Fraction(math.ulp(float(exact))))


def values(names, table, **options):
    return _core.Asks(names).values(table, [str(i) for i in range(len(table))], Options(**options))


def check(name, got, exact, table, of_one=False):
    if exact is None:
        assert not math.isfinite(got), (name, table.tolist())
    elif of_one:
        assert abs(Fraction(got) - exact) <= 8 * Fraction(2.0**-52), (name, table.tolist())
    else:
        assert ulps(got, exact) <= 8, (name, table.tolist(), got, float(exact))


@pytest.mark.parametrize(("bits", "k"), CASES)
def test_each_class(bits, k):
    for table in tables(bits, k):
        got = _core.Asks(list(CLASS)).per_class(table)
        exact = Exact(table)
        for at, name in enumerate(CLASS):
            for i, wanted in enumerate(exact.each(name)):
                check(name, got[i, at], wanted, table)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize(("bits", "k"), CASES)
def test_averages(bits, k, average):
    without = UNAVERAGED + (POOLED_OUT if average == "micro" else ())
    names = [name for name in CLASS if name not in without]
    asked = [name.replace("(", f"_{average}(") if "(" in name else f"{name}_{average}"
             for name in names]  # fmt: skip
    for table in tables(bits, k):
        exact = Exact(table)
        for name, got in zip(names, values(asked, table), strict=True):
            if math.isinf(got):  # a class with a zero below: the mean is infinite
                continue
            mixed = name in SIGNED and average != "micro"
            check(f"{name} {average}", got, exact.average(name, average), table, mixed)


@pytest.mark.parametrize(("bits", "k"), CASES)
def test_whole_table(bits, k):
    for table in tables(bits, k):
        wanted = Exact(table).whole()
        for name, got in zip(wanted, values(list(wanted), table), strict=True):
            check(name, got, wanted[name], table)


@pytest.mark.parametrize("k", [1_024, 1_025])
def test_many_ordered_classes_near_chance(k):
    rng = np.random.default_rng(k)
    table = np.outer(*rng.integers(900, 1_400, (2, k))) * 1_000_000 + rng.integers(0, 2, (k, k))
    assert table.sum() > 2**63 // k
    rows, cols = (table.sum(side).astype(object) for side in (1, 0))
    gaps = abs(np.subtract.outer(np.arange(k), np.arange(k)))
    for name, cost in (("kappa_linear", gaps), ("kappa_quadratic", gaps**2)):
        seen = int((cost * (table // 2**20)).sum()) * 2**20 + int((cost * (table % 2**20)).sum())
        chance = int(rows @ (cost.astype(object) @ cols))
        exact = 1 - Fraction(seen * int(table.sum()), chance)
        assert ulps(values([name], table)[0], exact) <= 8


@pytest.mark.parametrize("size", [2**33 + 7, 5_421_594_514, 882_433_172_039, 2**61 - 1])
@pytest.mark.parametrize("k", [1, 2])
def test_what_is_perfect_is_one(size, k):
    names = ["rand", "pair_jaccard", "pair_fowlkes_mallows", "adjusted_rand"]
    got = values(names, np.diag([size, 3][:k]))
    assert got[: 3 if k == 1 else 4].tolist() == [1.0] * (3 if k == 1 else 4)


def test_a_wrong_cell_is_seen():
    table = np.array([[2**61, 5], [7, 2**60]])
    exact = Exact(table + np.array([[0, 1], [0, 0]])).whole()
    assert ulps(values(["error"], table)[0], exact["error"]) > 8
