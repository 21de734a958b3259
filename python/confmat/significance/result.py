"""What a test of a hypothesis gives."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

from confmat.errors import InputError
from confmat.intervals.interval import Interval
from confmat.render.figures import figure

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
ALTERNATIVES = ("two-sided", "greater", "less")
_LEAST = 1e-300  # below, p is written from its logarithm


class TestResult(NamedTuple):
    """The statistic of a test, its p-value, and what was compared.

    Unpacks like a tuple. nan stands for what is undefined; `note` says why.

    Attributes
    ----------
    name : str
        Such as "mcnemar".
    statistic : float
    df : float
        Degrees of freedom; nan where the distribution has none.
    p_value : float
        0 where it is below the range of floats.
    log_p : float
        The natural logarithm of the p-value, a number also there.
    alternative : str
        "two-sided", "greater" or "less"; "equivalent" or "not less" of tests against a margin.
    compared : str
        What was compared, in words.
    method : str
        How the p-value was found, such as "exact" or "chi-squared".
    p_error : float
        The standard error of a p-value that was simulated, otherwise 0.
    note : str or None
        Why there is no p-value, or what speaks against it.
    difference : Interval or None
        The difference of the two, with its interval, where the test has one.

    Examples
    --------
    >>> import confmat as cm
    >>> print(cm.joint_matrix([1] * 7, [1] * 7, [0] * 7).test("mcnemar"))
    mcnemar (exact), two-sided: statistic 0, p = 0.0156; 7 rows of a alone right, 0 of b alone
    """

    name: str
    statistic: float
    df: float
    p_value: float
    log_p: float
    alternative: str
    compared: str
    method: str = ""
    p_error: float = 0.0
    note: str | None = None
    difference: Interval | None = None

    def __str__(self) -> str:
        df = "" if math.isnan(self.df) else f", df {self.df:g}"
        error = f" ± {self.p_error:.2g}" if self.p_error else ""
        note = f" ({self.note})" if self.note else ""
        method = f" ({self.method})" if self.method else ""
        return (
            f"{self.name}{method}, {self.alternative}: statistic "
            f"{_statistic(self.statistic)}{df}, p = {p_text(self.log_p)}{error}; "
            f"{self.compared}{_told(self.difference)}{note}"
        )


def result(
    name: str,
    statistic: float,
    log_p: float,
    compared: str,
    *,
    method: str,
    df: float = math.nan,
    alternative: str = "two-sided",
    p_error: float = 0.0,
    note: str | None = None,
    difference: Interval | None = None,
) -> TestResult:
    """Return the result of a test whose p-value has this logarithm."""
    log_p = min(float(log_p), 0.0)
    return TestResult(
        name,
        float(statistic),
        float(df),
        math.exp(log_p),
        log_p,
        alternative,
        compared,
        method,
        p_error,
        note,
        difference,
    )


def undefined(
    name: str,
    why: str,
    compared: str,
    *,
    method: str = "",
    difference: Interval | None = None,
) -> TestResult:
    """Return the result of a test that these counts do not allow."""
    nan = math.nan
    return TestResult(name, nan, nan, nan, nan, "two-sided", compared, method, 0.0, why, difference)


def p_text(log_p: float) -> str:
    """Return a p-value as text, from its logarithm.

    Examples
    --------
    >>> from confmat.significance.result import p_text
    >>> p_text(-1.0), p_text(-12345.0)
    ('0.368', '4.31e-5362')
    """
    if math.isnan(log_p):
        return "-"
    if math.isinf(log_p) or math.exp(log_p) > _LEAST:
        return f"{math.exp(log_p):.3g}"
    power = math.floor(log_p / math.log(10))
    digits = f"{math.exp(log_p - power * math.log(10)):.2f}"
    return f"1.00e{power + 1}" if digits == "10.00" else f"{digits}e{power}"


def check_alternative(alternative: object) -> None:
    """Refuse what is no alternative."""
    if alternative not in ALTERNATIVES:
        raise InputError(
            f"`alternative` is {alternative!r}; wanted one of {', '.join(map(repr, ALTERNATIVES))}"
        )


def _told(difference: Interval | None) -> str:
    if difference is None:
        return ""
    value, low, high = map(figure, difference[:3])
    return f", difference {value} [{low}, {high}]"


def _statistic(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else figure(value)
