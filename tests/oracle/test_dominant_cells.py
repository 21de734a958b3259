"""Tables of weights with one cell far above the others, against whole numbers and mpmath.

A table of doubles is one of integers times a power of two, and metrics do not change with the
scale. Left out: `eve` and `canonical_correlation`, whose eigenvalues are good to 1e-13 of the
largest and not of themselves; `adjusted_rand` has its own test, as pairs of rows change with the
scale; averages of signed values, which cancel between classes.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from oracle.reals import Reals
from oracle.test_fifty_digits import METRICS
from support.value_names import ASKED, fact_of

from confmat import _core
from confmat.options import Options

BOUND = 1e-13
SIZES = (2, 3, 4, 6)
LEFT_OUT = {"eve", "canonical_correlation"}


def tables(k, count=60):
    rng = np.random.default_rng(k)
    for i in range(count):
        table = rng.random((k, k)) * 10.0 ** rng.uniform(0, 2)
        at = tuple(rng.integers(0, k, 2))
        table[at] *= 10.0 ** rng.uniform(6, 15)
        if i % 4 == 3:  # a cell less beside it: what is left of the difference is smaller still
            table[at[0], (at[1] + 1) % k] = 0.0
        yield table


def whole(table):
    """Return the doubles as integers of one unit."""
    cells = [[Fraction(x) for x in line] for line in table.tolist()]
    unit = math.lcm(*(x.denominator for x in itertools.chain(*cells)))
    return [[int(x * unit) for x in line] for line in cells]


def kappa(t, power):
    cells = list(itertools.product(range(t.k), repeat=2))
    seen = sum(abs(i - j) ** power * t.c[i][j] for i, j in cells) * t.n
    chance = sum(abs(i - j) ** power * t.r[i] * t.q[j] for i, j in cells)
    return mpf(chance - seen) / chance


ALL = {name: exact for name, (exact, *_) in METRICS.items() if name not in LEFT_OUT}
ALL |= {"kappa_linear": lambda t: kappa(t, 1), "kappa_quadratic": lambda t: kappa(t, 2)}


def value(name, table, **options):
    names = [str(i) for i in range(len(table))]
    return float(_core.Asks([name]).values(table, names, Options(**options))[0])


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("name", ALL)
def test_every_digit(name, k):
    with mpmath.workdps(120):
        for table in tables(k):
            exact, got = ALL[name](Reals(whole(table))), value(name, table)
            assert abs(mpf(got) - exact) <= BOUND * abs(exact), (table.tolist(), got, float(exact))


def binary(tp, fp, fn, tn):
    top = mpf(tp * tn - fp * fn)
    return {
        "informedness": top / ((tp + fn) * (tn + fp)),
        "markedness": top / ((tp + fp) * (tn + fn)),
        "mcc_binary": top / mpmath.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    }


@pytest.mark.parametrize("k", SIZES)
def test_signed_metrics_of_a_class(k):
    for table in tables(k):
        t = Reals(whole(table))
        for i in range(k):
            tp, fn, fp = t.c[i][i], t.r[i] - t.c[i][i], t.q[i] - t.c[i][i]
            for name, exact in binary(tp, fp, fn, t.n - tp - fn - fp).items():
                got = value(name, table, pos=i)
                assert abs(mpf(got) - exact) <= BOUND * abs(exact), (name, table.tolist(), i)


@pytest.mark.parametrize("k", SIZES)
def test_adjusted_rand(k):
    for table in tables(k):
        c = [[Fraction(x) for x in line] for line in table.tolist()]
        rows, cols = [sum(x) for x in c], [sum(x) for x in zip(*c, strict=True)]
        n, squares = sum(rows), sum(x * x for x in itertools.chain(*c))
        tp, fn, fp = (
            squares - n,
            sum(x * x for x in rows) - squares,
            sum(x * x for x in cols) - squares,
        )
        tn = n * (n - 1) - tp - fn - fp
        exact = 2 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn))
        if tp < 0 or tn < 0:
            continue
        got = value("adjusted_rand", table)
        assert abs(Fraction(got) - exact) <= Fraction(BOUND) * abs(exact), (table.tolist(), got)


@pytest.mark.parametrize("k", SIZES)
def test_no_value_leaves_its_range(k):
    for asked in ASKED:
        fact = fact_of(asked)
        for table in tables(k, 12):
            got = value(asked, table, pos=0)
            assert math.isnan(got) or fact["lo"] <= got <= fact["hi"], (asked, table.tolist(), got)


def test_known_tables():
    # kappa was 0.76984 for 0.76923, NMI 1.0091
    table = np.array([[1e13, 0.3], [0.3, 1.0]])
    assert math.isclose(
        value("kappa", table), 2 * (1e13 - 0.09) / (2 * 1e13 * 1.3 + 0.3 * 2.6), rel_tol=1e-12
    )
