"""Power means against mpmath: every exponent, as near 0 and as large as doubles go."""

import math

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from oracle.reals import Reals

from confmat import _core
from confmat.options import SECOND

BOUND = 1e-14
# By size; both signs are taken.
EXPONENTS = (
    5e-324, 1e-300, 1e-17, 1e-16, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 0.004, 0.02, 0.0499, 0.0501,
    0.1, 1 / 3, 0.5, 0.999, 1.0, 1.5, 2.0, 3.0, 30.0, 1e4, 1e15, 1e300, math.inf,
)  # fmt: skip
SIGNED = [0.0, *EXPONENTS, *(-p for p in EXPONENTS)]


def power_mean(p, values):
    """Return the mean of fractions in enough digits for the exponent."""
    if math.isinf(p):
        return max(values) if p > 0 else min(values)
    if p <= 0 and 0 in values:
        return mpf(0)
    n = len(values)
    if p == 0 or abs(p) < 1e-200:  # nearer to its limit than any double
        used = [x for x in values if x]
        return mpmath.fprod(x ** (mpf(1) / n) for x in used) if len(used) == n else mpf(0)
    unit = max(values) if p > 0 else min(values)
    with mpmath.workdps(60 + 2 * max(0, int(-math.log10(abs(p))))):
        mean = sum((x / unit) ** mpf(p) if x else mpf(0) for x in values) / n
        return unit * mean ** (1 / mpf(p))


def close(got, exact):
    if exact < mpf(2) ** -1021:
        return abs(got - exact) <= mpf(2) ** -1070
    return abs(mpf(got) / exact - 1) <= BOUND


def cells(seed):
    rng = np.random.default_rng(seed)
    for bits in (3, 12, 30, 60):
        four = [int(2.0 ** (rng.random() * bits)) for _ in range(4)]
        yield four
        yield [four[0] + 2**bits, *four[1:]]
        yield [*four[:3], 0]


@pytest.mark.parametrize("p", SIGNED)
def test_phi_and_phi_four(p):
    asked = _core.Asks([f"phi({p!r})", f"phi_four({p!r})"])
    for tp, fp, fn, tn in (x for seed in range(3) for x in cells(seed)):
        two = [mpf(tp) / (tp + fp), mpf(tp) / (tp + fn)]
        four = [*two, mpf(tn) / (tn + fp), mpf(tn) / (tn + fn)]
        table = np.array([[tn, fp], [fn, tp]])
        for got, values in zip(asked.values(table, ["0", "1"], SECOND), (two, four), strict=True):
            assert close(float(got), power_mean(p, values)), (p, tp, fp, fn, tn, got)


@pytest.mark.parametrize("p", SIGNED)
@pytest.mark.parametrize("k", [3, 40])
def test_generalized_f1(p, k):
    rng = np.random.default_rng(k)
    for bits in (4, 40):
        table = np.array([[int(2.0 ** (rng.random() * bits)) for _ in range(k)] for _ in range(k)])
        names = [str(i) for i in range(k)]
        for wrong in (0, k // 2):
            table[np.arange(wrong), np.arange(wrong)] = 0
            t = Reals(table)
            values = [mpf(2 * t.c[i][i]) / (t.r[i] + t.q[i]) for i in range(k)]
            got = float(_core.Asks([f"generalized_f1({p!r})"]).values(table, names)[0])
            assert close(got, power_mean(p, values)), (p, bits, wrong, got)


@pytest.mark.parametrize("p", [p for p in SIGNED if p <= 1])
def test_entries_of_the_determinant(p):
    """The determinant of a triangular table is the product of the diagonal entries."""
    for a, b, c in ((5, 3, 2**20), (7, 2**40, 11), (2**58, 1, 3)):
        table = np.array([[a, b, 0], [0, c, 1], [0, 0, 9]])
        t = Reals(table)
        entries = [
            power_mean(p, [mpf(x) / t.r[i], mpf(x) / t.q[i]]) for i, x in enumerate((a, c, 9))
        ]
        got = float(_core.Asks([f"gmcc_mean({p!r})"]).values(table, list("abc"))[0])
        assert abs(mpf(got) / mpmath.fprod(entries) - 1) <= 3 * BOUND, (p, a, b, c)


def test_weights_of_very_different_sizes():
    table = np.array([[1e-30, 1e10], [3e-5, 2.5]])
    t = [[mpf(x) for x in line] for line in table.tolist()]
    values = [t[1][1] / (t[0][1] + t[1][1]), t[1][1] / (t[1][0] + t[1][1])]
    for p in SIGNED:
        got = float(_core.Asks([f"phi({p!r})"]).values(table, ["0", "1"], SECOND)[0])
        assert close(got, power_mean(p, values)), p
