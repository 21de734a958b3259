"""Tests against a margin: equivalence by two one-sided tests, and non-inferiority."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, Literal, TypeAlias

from confmat.errors import InputError
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.significance.result import TestResult, result, undefined
from confmat.significance.tails import log_t

Claim: TypeAlias = Literal["equivalent", "not less", "not greater"]
CLAIMS = ("equivalent", "not less", "not greater")


@own_errors
def equivalence(
    difference: float,
    se: float,
    margin: float | tuple[float, float],
    *,
    claim: Claim = "equivalent",
) -> TestResult:
    """Test whether a difference lies within a margin: a small p-value says that it does.

    A test that finds no difference does not say that there is none; this one can. It is passed at
    5 % where the interval of level 90 % lies within the margin.

    Parameters
    ----------
    difference : float
        What was found, such as the accuracy of a new model less that of the old one.
    se : float
        Its standard error.
    margin : float or tuple of float
        How far from 0 is still as good as equal; or (low, high), low < high.
    claim : {"equivalent", "not less", "not greater"}, default "equivalent"
        What is to be shown: that the difference lies within the margin (two one-sided tests, of
        which the larger p counts), that it is above -margin (non-inferiority where more is better),
        or that it is below the margin.

    Returns
    -------
    TestResult
        The statistic is the one of the side that decides, standard normal.

    Raises
    ------
    InputError
        A margin that is not above 0, numbers that are not finite, a standard error below 0.

    References
    ----------
    Schuirmann (1987), https://doi.org/10.1007/BF01068419

    Examples
    --------
    >>> import confmat as cm
    >>> found = cm.equivalence(-0.004, 0.006, margin=0.02)
    >>> round(found.statistic, 4), round(found.p_value, 5)
    (2.6667, 0.00383)
    >>> cm.equivalence(-0.004, 0.006, margin=0.02, claim="not greater").p_value < 1e-4
    True
    """
    value, spread = _finite("difference", difference), _finite("se", se)
    if spread < 0:
        raise InputError(f"`se` is {se!r}; wanted a standard error, at least 0")
    compared = f"a difference of {value:.4g} with standard error {spread:.4g}"
    if math.isnan(value) or math.isnan(spread):
        why = "the difference or its standard error is undefined"
        return undefined("equivalence", why, compared, method="z")

    def z_of(bound: float) -> float:
        gap = value - bound
        return gap / spread if spread else math.copysign(math.inf, gap) if gap else 0.0

    return within(z_of, margin, claim, compared, method="z")


def within(
    z_of: Callable[[float], float],
    margin: Any,
    claim: Claim,
    compared: str,
    *,
    method: str,
    freedom_of: Callable[[float], float] = lambda _: math.inf,
) -> TestResult:
    """Return the test against a margin, of what gives the statistic of a difference.

    `freedom_of` gives its degrees of freedom, where it is Student's t.
    """
    check_choice("claim", claim, *CLAIMS)
    low, high = margins(margin)
    sides = []
    if claim != "not greater":
        z, freedom = z_of(low), freedom_of(low)
        sides.append((log_t(z, freedom, "greater"), z, freedom))
    if claim != "not less":
        z, freedom = z_of(high), freedom_of(high)
        sides.append((log_t(z, freedom, "less"), z, freedom))
    log_p, z, freedom = max(sides)
    bounds = {
        "equivalent": f"within {low:g} and {high:g}",
        "not less": f"above {low:g}",
        "not greater": f"below {high:g}",
    }
    words = f"{compared}, {bounds[claim]}"
    df = math.nan if math.isinf(freedom) else freedom
    return result("equivalence", z, log_p, words, method=method, df=df, alternative=claim)


def margins(margin: Any) -> tuple[float, float]:
    """Return the two ends of a margin, checked."""
    if isinstance(margin, (tuple, list)) and len(margin) == 2:
        low, high = (_finite("margin", end) for end in margin)
    else:
        high = _finite("margin", margin)
        low = -high
    if not low < high:
        raise InputError(f"`margin` is {margin!r}; wanted a number above 0, or (low, high)")
    return low, high


def _finite(argument: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or math.isinf(value):
        raise InputError(f"`{argument}` is {value!r}; wanted a finite number")
    return float(value)
