"""Definitions of the metrics with roots, logarithms and eigenvalues, in 50 digits of mpmath.

Integers stay integers until the last step, so nothing cancels here. None is undefined.
"""

from fractions import Fraction

import mpmath
from mpmath import mp, mpf

mp.dps = max(mp.dps, 50)


def determinant(rows):
    """Return the determinant of a matrix of fractions, by exact elimination."""
    rows = [[Fraction(x) for x in line] for line in rows]
    value = Fraction(1)
    for i in range(len(rows)):
        pivot = next((j for j in range(i, len(rows)) if rows[j][i]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot] = rows[pivot], rows[i]
            value = -value
        value *= rows[i][i]
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return value


def real(x):
    """Return a fraction or an integer as a 50-digit number."""
    x = Fraction(x)
    return mpf(x.numerator) / x.denominator


def x_ln(x, y):
    """Return x ln y, which is 0 for x = 0."""
    return real(x) * mpmath.log(real(y)) if x else mpf(0)


class Reals:
    """A K x K table of Python integers with every class present, and its metrics."""

    def __init__(self, table):
        self.c = [[int(cell) for cell in line] for line in table]
        self.k = len(self.c)
        self.r = [sum(line) for line in self.c]
        self.q = [sum(line) for line in zip(*self.c, strict=True)]
        self.n = sum(self.r)
        self.all = [(i, j) for i in range(self.k) for j in range(self.k)]

    def gmcc(self):
        """Return det C over the root of the product of all margins."""
        margins = mpmath.sqrt(mpmath.fprod(map(mpf, self.r + self.q)))
        return real(determinant(self.c)) / margins

    def gmcc_mean(self, mean):
        """Return the determinant with another mean of the two conditional probabilities."""
        lines = [
            [mean(Fraction(self.c[i][j], self.r[i]), Fraction(self.c[i][j], self.q[j]))
             for j in range(self.k)]
            for i in range(self.k)
        ]  # fmt: skip
        return real(determinant(lines))

    def cramer_v(self):
        """Return the root of chi squared over n (K - 1)."""
        chi = sum(
            Fraction((self.n * self.c[i][j] - self.r[i] * self.q[j]) ** 2, self.r[i] * self.q[j])
            for i, j in self.all
        )
        return mpmath.sqrt(real(chi / (self.n * self.n * (self.k - 1))))

    def canonical_correlation(self):
        """Return the largest singular value of M without its first pair."""
        rest = mpmath.matrix(self.k)
        for i, j in self.all:
            gap = mpf(self.n * self.c[i][j] - self.r[i] * self.q[j]) / self.n
            rest[i, j] = gap / mpmath.sqrt(mpf(self.r[i] * self.q[j]))
        return mpmath.svd_r(rest, compute_uv=False)[0]

    def eve(self):
        """Return the entropy of the positive eigenvalues of (P + P') / 2, in base K."""
        b = mpmath.matrix(self.k)
        for i, j in self.all:
            b[i, j] = (mpf(self.c[i][j]) / self.r[i] + mpf(self.c[j][i]) / self.r[j]) / 2
        found = [x for x in mpmath.eigsy(b, eigvals_only=True) if x > mpf(10) ** -40]
        total = sum(found)
        return -sum(x / total * mpmath.log(x / total) for x in found) / mpmath.log(self.k)

    def cen(self, once=False):
        """Return the confusion entropy class by class; `once` counts the diagonal once (MCEN)."""
        total, base = mpf(0), mpmath.log(2 * (self.k - 1))
        diagonal = [self.c[i][i] for i in range(self.k)]
        for j in range(self.k):
            size = self.r[j] + self.q[j] - (diagonal[j] if once else 0)
            seen = [x for i in range(self.k) if i != j for x in (self.c[j][i], self.c[i][j])]
            of_class = -sum(x_ln(Fraction(x, size), Fraction(x, size)) for x in seen) / base
            total += size * of_class
        if not once:
            return total / (2 * self.n)
        halved = Fraction(1, 2) if self.k == 2 else 1
        return total / real(2 * self.n - halved * sum(diagonal))

    def entropy(self, sizes):
        """Return the entropy in nats of a list of sizes."""
        return -sum(x_ln(Fraction(x, self.n), Fraction(x, self.n)) for x in sizes)

    def divergence(self):
        """Return how far the predicted sizes are from the true ones, in nats."""
        sizes = zip(self.r, self.q, strict=True)
        return sum(x_ln(Fraction(r, self.n), Fraction(r, q)) for r, q in sizes)

    def information(self):
        """Return the mutual information in nats."""
        total = mpf(0)
        for i, j in self.all:
            cell, independent = self.n * self.c[i][j], self.r[i] * self.q[j]
            total += x_ln(Fraction(self.c[i][j], self.n), Fraction(cell, independent))
        return total

    def normalised_information(self):
        """Return the five normalisations by name."""
        shared, truth, pred = self.information(), self.entropy(self.r), self.entropy(self.q)
        return {
            "nmi_joint": shared / self.entropy(cell for line in self.c for cell in line),
            "nmi_min": shared / min(truth, pred),
            "nmi_max": shared / max(truth, pred),
            "nmi_arithmetic": 2 * shared / (truth + pred),
            "nmi_geometric": shared / mpmath.sqrt(truth * pred),
        }

    def mcc(self):
        """Return R_K as a correlation, from covariances in integers."""
        chance = sum(r * q for r, q in zip(self.r, self.q, strict=True))
        truth = self.n**2 - sum(r * r for r in self.r)
        pred = self.n**2 - sum(q * q for q in self.q)
        agreed = self.n * sum(self.c[i][i] for i in range(self.k))
        return mpf(agreed - chance) / mpmath.sqrt(mpf(truth * pred))

    def kappa(self):
        """Return (observed - chance) / (1 - chance)."""
        chance = sum(r * q for r, q in zip(self.r, self.q, strict=True))
        agreed = self.n * sum(self.c[i][i] for i in range(self.k))
        return mpf(agreed - chance) / (self.n**2 - chance)
