"""Rows judged twice or more: which of the judges is right more often."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.significance.checks import whole_number
from confmat.significance.discrete_tails import log_binomial, log_binomial_tail
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_chi2, log_normal

_METHODS = ("exact", "mid-p", "chi2", "corrected")
_MANY = 25  # rows that differ, from which on the mid-p value is taken


@own_errors
def mcnemar(
    only_a: int,
    only_b: int,
    method: Literal["exact", "mid-p", "chi2", "corrected"] | None = None,
    alternative: Alternative = "two-sided",
    compared: str | None = None,
) -> TestResult:
    """Test whether a row that only one of two has is as often the one's as the other's.

    Parameters
    ----------
    only_a, only_b : int
        Rows that the first alone has right (or in another way has for itself), and the second.
    method : {"exact", "mid-p", "chi2", "corrected"}, optional
        "exact": the binomial tail, twice. "mid-p": half of the probability of what was seen less on
        each side, which is less conservative. "chi2": (a - b)² / (a + b); "corrected": with
        Edwards's correction for continuity. Default: "exact" below 25 such rows, then "mid-p".
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater": the first has more.
    compared : str, optional
        What is compared, in words.

    Returns
    -------
    TestResult
        The statistic is the smaller count, or chi-squared with 1 degree of freedom; the signed root
        of it where the alternative has one side.

    References
    ----------
    McNemar (1947), https://doi.org/10.1007/BF02295996; Fagerland, Lydersen and Laake (2013),
    https://doi.org/10.1186/1471-2288-13-91

    Examples
    --------
    >>> from confmat.significance.paired import mcnemar
    >>> round(mcnemar(6, 16, "exact").p_value, 4), round(mcnemar(6, 16, "mid-p").p_value, 4)
    (0.0525, 0.0347)
    """
    check_alternative(alternative)
    a, b = whole_number("only_a", only_a), whole_number("only_b", only_b)
    n = a + b
    if method is None:
        method = "exact" if n < _MANY else "mid-p"
    check_choice("method", method, *_METHODS)
    words = compared or f"{a} rows of the first alone, {b} of the second alone"
    if method in ("exact", "mid-p"):
        log_p = _log_binomial_p(a, b, alternative, is_mid=method == "mid-p")
        return result(*("mcnemar", min(a, b), log_p, words), method=method, alternative=alternative)
    if not n:
        return undefined("mcnemar", "no row is of one alone", words, method=method)
    gap = max(abs(a - b) - (method == "corrected"), 0)
    if alternative == "two-sided":
        statistic = gap * gap / n
        log_p = log_chi2(statistic, 1)
        return result("mcnemar", statistic, log_p, words, method=method, df=1)
    z = math.copysign(gap / math.sqrt(n), a - b)
    log_p = log_normal(z, alternative)
    return result("mcnemar", z, log_p, words, method=method, alternative=alternative)


def _log_binomial_p(a: int, b: int, alternative: Alternative, *, is_mid: bool) -> float:
    """Return the logarithm of the p-value of a of a + b rows, each as likely of either."""
    n = a + b
    if alternative == "two-sided":
        if a == b:
            half = log_binomial(a, n, 1, 1) - math.log(2)
            return math.log1p(-math.exp(half)) if is_mid and n else 0.0
        tail, double = log_binomial_tail(max(a, b), n, 1, 1), math.log(2)
    else:
        tail, double = log_binomial_tail(a if alternative == "greater" else b, n, 1, 1), 0.0
    if not is_mid:
        return min(tail + double, 0.0)
    point = math.exp(log_binomial(a, n, 1, 1) - tail)
    return tail + double + math.log1p(-point / 2)


@own_errors
def cochran_q(correct: Any, *, counts: Any = None) -> TestResult:
    """Test whether several models are right equally often on the same rows.

    Cochran's Q: McNemar's uncorrected test for more than two models.

    Parameters
    ----------
    correct : pl.DataFrame, mapping of columns, or array-like of shape (n, k)
        Booleans, or 0 and 1: a row each, a column for each model, whether it is right there.
    counts : array-like of int, optional
        How many rows each row of `correct` stands for, so that patterns are enough.

    Returns
    -------
    TestResult
        Chi-squared with k - 1 degrees of freedom; nan where no row has models that differ.

    Raises
    ------
    InputError
        Fewer than two models, values that are not Booleans, a null.

    References
    ----------
    Cochran (1950), https://doi.org/10.1093/biomet/37.3-4.256

    Examples
    --------
    >>> import confmat as cm
    >>> patterns = {"a": [1, 1, 1, 0], "b": [1, 1, 0, 0], "c": [1, 0, 0, 0]}
    >>> found = cm.cochran_q(patterns, counts=[40, 6, 5, 10])
    >>> round(found.statistic, 4), found.df, round(found.p_value, 6)
    (16.5455, 2.0, 0.000255)
    """
    names, right = _booleans(correct)
    times = _times(counts, len(right))
    models = len(names)
    of_row = right.sum(axis=1)
    # Python's integers: no total is too large.
    rights = [int(times[right[:, model]].sum()) for model in range(models)]
    total = sum(rights)
    square = sum(size * size * int(times[of_row == size].sum()) for size in range(1, models + 1))
    n = int(times.sum())
    words = f"right on {_listed(names, rights)} of {n} rows"
    spread = models * total - square
    if not spread:
        return undefined("cochran_q", "no row has models that differ", words, method="chi-squared")
    over = (models - 1) * (models * sum(own * own for own in rights) - total * total)
    statistic = over / spread
    log_p = log_chi2(statistic, models - 1)
    return result("cochran_q", statistic, log_p, words, method="chi-squared", df=models - 1)


def _booleans(correct: Any) -> tuple[list[str], np.ndarray[Any, np.dtype[np.bool_]]]:
    """Return the names of the models, and where each is right."""
    if isinstance(correct, dict):
        correct = pl.DataFrame(correct)
    names: list[str] | None = None
    if isinstance(correct, pl.DataFrame):
        names = correct.columns
        for name, nulls in zip(names, correct.null_count().row(0), strict=True):
            if nulls:
                raise InputError(f"`correct`: column `{name}` has a null; wanted none")
    cells = correct.to_numpy() if isinstance(correct, pl.DataFrame) else np.asarray(correct)
    if cells.ndim != 2 or cells.shape[1] < 2:
        raise InputError(
            f"`correct` is of shape {cells.shape}; wanted a column for each of several models"
        )
    if cells.dtype.kind not in "biuf" or not np.isin(cells, (0, 1)).all():
        raise InputError("`correct` holds other values than True and False, 1 and 0")
    return names or [f"model {at}" for at in range(cells.shape[1])], cells.astype(np.bool_)


def _times(counts: Any, rows: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    if counts is None:
        return np.ones(rows, dtype=np.int64)
    times = np.asarray(counts)
    if times.shape != (rows,) or times.dtype.kind not in "iu" or (times < 0).any():
        raise InputError(
            f"`counts` is of shape {times.shape} and {times.dtype}; wanted {rows} numbers of rows, "
            "one for each row of `correct`"
        )
    return times.astype(np.int64)


def _listed(names: list[str], numbers: list[int]) -> str:
    shown = [f"{n} ({name})" for name, n in zip(names[:4], numbers, strict=False)]
    return ", ".join([*shown, f"{len(names) - 4} more"] if len(names) > 4 else shown)
