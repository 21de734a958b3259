"""Tables of two classifications: are they independent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.intervals.distributions import distributions
from confmat.intervals.levels import Floats
from confmat.own_errors import own_errors
from confmat.significance.checks import (
    Table,
    expected_counts,
    few_expected,
    square_table,
    whole_table,
    without_empty,
)
from confmat.significance.discrete_tails import log_fisher
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_chi2, log_normal

_AT_ONCE = 1 << 20  # cells of tables that are drawn together
_SAME = 1e-7


@own_errors
def chi2(table: Any, *, correction: bool = False) -> TestResult:
    """Test the independence of the rows and the columns of a table, by Pearson's chi-squared.

    Parameters
    ----------
    table : array-like
        Counts; empty rows and columns are left out.
    correction : bool, default False
        Of a 2 x 2 table, Yates's correction for continuity.

    Returns
    -------
    TestResult
        `note` says how many expected counts are below 5: then `exact` is the better test.

    References
    ----------
    Pearson (1900), https://doi.org/10.1080/14786440009463897

    Examples
    --------
    >>> from confmat.significance.association import chi2
    >>> found = chi2([[30, 10], [15, 25]])
    >>> round(found.statistic, 4), found.df, round(found.p_value, 6)
    (11.4286, 1.0, 0.000723)
    """
    cells = without_empty(whole_table("table", table))
    rows, columns = cells.shape
    compared = _independence(cells)
    if min(rows, columns) < 2:
        why = "all rows are of one class, in truth or prediction"
        return undefined("chi2", why, compared, method="chi-squared")
    expected = expected_counts(cells)
    gap = np.abs(cells - expected)
    if correction and cells.shape == (2, 2):
        gap = np.maximum(gap - 0.5, 0)
    statistic = float((gap * gap / expected).sum())
    df = (rows - 1) * (columns - 1)
    method = "corrected chi-squared" if correction and df == 1 else "chi-squared"
    note = few_expected(expected)
    log_p = log_chi2(statistic, df)
    return result("chi2", statistic, log_p, compared, method=method, df=df, note=note)


@own_errors
def exact(table: Any, *, replicates: int = 10_000, seed: int | None = None) -> TestResult:
    """Test the independence of rows and columns without expected counts that have to be large.

    Parameters
    ----------
    table : array-like
        Counts; empty rows and columns are left out.
    replicates : int, default 10,000
        Tables with the same margins that are drawn where the table is larger than 2 x 2.
    seed : int, optional
        Of the draws.

    Returns
    -------
    TestResult
        2 x 2: Fisher's exact test, two-sided; the statistic is the odds ratio. Larger: Fisher's
        test by Monte Carlo, p = (1 + tables no more probable) / (1 + replicates) with its standard
        error in `p_error`; the statistic is the logarithm of the probability of the table.

    References
    ----------
    Freeman and Halton (1951), https://doi.org/10.1093/biomet/38.1-2.141; Patefield (1981),
    https://doi.org/10.2307/2346669

    Examples
    --------
    >>> from confmat.significance.association import exact
    >>> round(exact([[3, 1], [1, 3]]).p_value, 6)
    0.485714
    """
    cells = without_empty(whole_table("table", table))
    if isinstance(replicates, bool) or not isinstance(replicates, int) or replicates < 1:
        raise InputError(f"`replicates` is {replicates!r}; wanted a number of tables, at least 1")
    compared = _independence(cells)
    if min(cells.shape) < 2:
        why = "all rows are of one class, in truth or prediction"
        return undefined("exact", why, compared, method="Fisher")
    if cells.shape == (2, 2):
        (a, b), (c, d) = cells.tolist()
        odds = a * d / (b * c) if b * c else math.inf
        return result("exact", odds, log_fisher(a, b, c, d), compared, method="Fisher")
    log_of_margins, log_seen = _log_probabilities(cells)
    drawn = _drawn(cells, replicates, seed)
    most = log_seen + _SAME * max(1.0, abs(log_seen) * 1e-6)
    as_rare = sum(int((_log_tables(tables) <= most).sum()) for tables in drawn)
    p = (1 + as_rare) / (1 + replicates)
    return result(
        *("exact", log_of_margins + log_seen, math.log(p), compared),
        method=f"Fisher, {replicates} tables drawn",
        p_error=math.sqrt(p * (1 - p) / replicates),
    )


@own_errors
def kappa(table: Any, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether Cohen's kappa is 0: no more agreement than by chance.

    Parameters
    ----------
    table : array-like of shape (K, K)
        Counts.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater": kappa is above 0.

    Returns
    -------
    TestResult
        Kappa over its standard error where kappa is 0, which is standard normal.

    References
    ----------
    Fleiss, Cohen and Everitt (1969), https://doi.org/10.1037/h0028106

    Examples
    --------
    >>> from confmat.significance.association import kappa
    >>> found = kappa([[20, 5], [10, 15]])
    >>> round(found.statistic, 4), round(found.p_value, 5)
    (2.8868, 0.00389)
    """
    check_alternative(alternative)
    cells = square_table("table", table)
    n = int(cells.sum())
    if not n:
        return undefined("kappa", "n = 0", "kappa of no rows", method="z")
    rows, columns = (cells.sum(axis=axis) / n for axis in (1, 0))
    seen, chance = int(np.trace(cells)) / n, float(rows @ columns)
    if chance == 1:
        return undefined("kappa", "all rows are of one cell", f"kappa of {n} rows", method="z")
    value = (seen - chance) / (1 - chance)
    spread = chance + chance * chance - float((rows * columns * (rows + columns)).sum())
    compared = f"kappa {value:.4f} of {n} rows against 0"
    if spread <= 0:
        why = "the standard error of kappa at 0 is 0"
        return undefined("kappa", why, compared, method="z")
    z = value * (1 - chance) * math.sqrt(n / spread)
    log_p = log_normal(z, alternative)
    return result("kappa", z, log_p, compared, method="z", alternative=alternative)


def _independence(cells: Table) -> str:
    rows, columns = cells.shape
    return f"rows and columns of a table of {rows} x {columns}, n = {cells.sum()}, as independent"


def _log_probabilities(cells: Table) -> tuple[float, float]:
    """Return two terms of the log probability of a table: of its margins, and of its cells."""
    gammaln = _gammaln()
    margins = [gammaln(cells.sum(axis=axis) + 1.0).sum() for axis in (0, 1)]
    return float(sum(margins) - gammaln(cells.sum() + 1.0)), float(_log_tables(cells[None])[0])


def _log_tables(tables: Any) -> Floats:
    """Return the part of the log probability of each table that its margins leave open."""
    out: Floats = -_gammaln()(tables + 1.0).sum(axis=(1, 2))
    return out


def _gammaln() -> Any:
    distributions("an exact test of a table")
    from scipy.special import gammaln

    return gammaln


def _drawn(cells: Table, replicates: int, seed: int | None) -> Any:
    """Yield tables with the margins of this one, some at once."""
    random_table = distributions("an exact test of a table").random_table
    made = random_table(cells.sum(axis=1), cells.sum(axis=0), seed=np.random.default_rng(seed))
    at_once = max(_AT_ONCE // cells.size, 1)
    for first in range(0, replicates, at_once):
        size = min(at_once, replicates - first)
        yield made.rvs(size, method="patefield").reshape(size, *cells.shape)
