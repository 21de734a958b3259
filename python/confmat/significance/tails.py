"""Logarithms of the tails of the normal, Student's and the chi-squared distribution."""

from __future__ import annotations

import math

from confmat.intervals.distributions import distributions
from confmat.significance.result import Alternative

_LEAST = -650.0  # of a logarithm that is one of a float
_MANY = 1e6  # degrees of freedom
_TERMS, _TINY = 100_000, 1e-300


def log_normal(z: float, alternative: Alternative = "two-sided") -> float:
    """Return the logarithm of the p-value of a statistic that is standard normal.

    Examples
    --------
    >>> from confmat.significance.tails import log_normal
    >>> round(log_normal(1.959964), 4), round(log_normal(200.0), 3)
    (-2.9957, -20005.524)
    """
    if math.isinf(z):
        is_none = z < 0 if alternative == "greater" else z > 0 and alternative == "less"
        return 0.0 if is_none else -math.inf
    normal = distributions("the p-value of a test").norm
    if alternative == "two-sided":
        return min(math.log(2) + float(normal.logsf(abs(z))), 0.0)
    return float(normal.logsf(z if alternative == "greater" else -z))


def log_t(t: float, freedom: float, alternative: Alternative = "two-sided") -> float:
    """Return the logarithm of the p-value of a statistic that is Student's t.

    That of SciPy; where it is too small for a float, by the incomplete beta function, or of many
    degrees of freedom by the normal distribution of Wallace's deviate, to 1e-9.

    References
    ----------
    NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov/8.17.E8;
    Wallace (1959), https://doi.org/10.1214/aoms/1177706100

    Examples
    --------
    >>> from confmat.significance.tails import log_t
    >>> round(log_t(2.228139, 10.0), 4), round(log_t(200.0, 500.0), 3)
    (-2.9957, -1101.94)
    """
    if math.isinf(freedom) or math.isinf(t):
        return log_normal(t, alternative)
    if freedom > _MANY:
        spread = math.sqrt(freedom * math.log1p(t / freedom * t))
        deviate = math.copysign((8 * freedom + 1) / (8 * freedom + 3) * spread, t)
        return log_normal(deviate, alternative)
    student = distributions("the p-value of a test").t
    side = abs(t) if alternative == "two-sided" else t if alternative == "greater" else -t
    tail = float(student.logsf(side, freedom))
    if not tail > _LEAST and side > 0:
        tail = _log_tail(side, freedom)
    return min(math.log(2) + tail, 0.0) if alternative == "two-sided" else tail


def log_chi2(statistic: float, df: float) -> float:
    """Return the logarithm of the upper tail of the chi-squared distribution.

    That of SciPy; where it is too small for a float, by the continued fraction of the incomplete
    gamma function.

    References
    ----------
    NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov/8.9.E2

    Examples
    --------
    >>> from confmat.significance.tails import log_chi2
    >>> round(log_chi2(3.841459, 1), 4), round(log_chi2(5000.0, 3), 3)
    (-2.9957, -2495.967)
    """
    if math.isinf(statistic):
        return -math.inf
    found = float(distributions("the p-value of a test").chi2.logsf(statistic, df))
    if found > _LEAST:
        return found
    return _log_upper_gamma(df / 2, statistic / 2)


def log_kolmogorov(distance: float) -> float:
    """Return the logarithm of the upper tail of the limit distribution of Kolmogorov and Smirnov.

    Examples
    --------
    >>> from confmat.significance.tails import log_kolmogorov
    >>> round(log_kolmogorov(1.3581), 4), round(log_kolmogorov(100.0), 3)
    (-2.9957, -19999.307)
    """
    found = float(distributions("the p-value of a test").kstwobign.logsf(distance))
    return found if found > _LEAST else math.log(2) - 2 * distance * distance


def _log_tail(t: float, freedom: float) -> float:
    """Return the logarithm of the share of Student's distribution above a large t."""
    # I(x; a, b) = x^a (1 - x)^b / (a B(a, b)) F(a + b, 1; a + 1; x), a series of falling terms.
    a, b = freedom / 2, 0.5
    log_x = 2 * (math.log(freedom) / 2 - math.log(math.hypot(t, math.sqrt(freedom))))
    x = math.exp(log_x)
    term = total = 1.0
    for i in range(_TERMS):
        term *= x * (a + b + i) / (a + 1 + i)
        total += term
        if term < 1e-17 * total:
            break
    beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return a * log_x + b * math.log1p(-x) - math.log(2 * a) - beta + math.log(total)


def _log_upper_gamma(a: float, x: float) -> float:
    """Return the logarithm of the share of the gamma function above x. Needs: x > a + 1."""
    # Lentz: Γ(a, x) = e^-x x^a / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...))
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    for i in range(1, _TERMS):
        b += 2
        d = 1 / (i * (a - i) * d + b)
        c = b + i * (a - i) / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return a * math.log(x) - x - math.lgamma(a) + math.log(fraction)
