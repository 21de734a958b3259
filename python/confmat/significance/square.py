"""Square tables: are they symmetric, and have rows and columns the same totals."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.own_errors import own_errors
from confmat.significance.checks import square_table
from confmat.significance.result import TestResult, result, undefined
from confmat.significance.tails import log_chi2

_WAYS = ("rows", "columns")


@own_errors
def bowker(table: Any, *, sides: tuple[str, str] = _WAYS) -> TestResult:
    """Test the symmetry of a square table: is i taken for j as often as j for i.

    Parameters
    ----------
    table : array-like of shape (K, K)
        Counts.
    sides : tuple of str, default ("rows", "columns")
        What they are, in words.

    Returns
    -------
    TestResult
        Chi-squared; a degree of freedom for each pair of classes that occurs: a pair without rows
        says nothing. For two classes it is McNemar's test, uncorrected.

    References
    ----------
    Bowker (1948), https://doi.org/10.1080/01621459.1948.10483284

    Examples
    --------
    >>> from confmat.significance.square import bowker
    >>> found = bowker([[10, 5, 1], [2, 10, 6], [1, 3, 10]])
    >>> round(found.statistic, 4), found.df, round(found.p_value, 4)
    (2.2857, 3.0, 0.5153)
    """
    cells = square_table("table", table)
    upper = np.triu_indices(len(cells), 1)
    above, below = cells[upper], cells.T[upper]
    both = (above + below).astype(np.float64)
    some = both > 0
    pairs, off = int(some.sum()), int(above.sum() + below.sum())
    compared = (
        f"{off} rows off the diagonal, of {pairs} {'pair' if pairs == 1 else 'pairs'} of classes, "
        f"{sides[0]} against {sides[1]}"
    )
    if not pairs:
        return undefined("bowker", "no row is off the diagonal", compared, method="chi-squared")
    gap = (above - below)[some].astype(np.float64)
    statistic = float((gap * gap / both[some]).sum())
    log_p = log_chi2(statistic, pairs)
    return result("bowker", statistic, log_p, compared, method="chi-squared", df=pairs)


@own_errors
def stuart_maxwell(table: Any, *, sides: tuple[str, str] = _WAYS) -> TestResult:
    """Test marginal homogeneity: has each class as many rows on one side as on the other.

    Parameters
    ----------
    table : array-like of shape (K, K)
        Counts.
    sides : tuple of str, default ("rows", "columns")
        What they are, in words.

    Returns
    -------
    TestResult
        Chi-squared. The degrees of freedom are the rank of the covariance of the differences:
        classes less the sets of classes that no row links, so a class without rows off the diagonal
        counts for nothing. For two classes it is McNemar's test, uncorrected.

    References
    ----------
    Stuart (1955), https://doi.org/10.1093/biomet/42.3-4.412; Maxwell (1970),
    https://doi.org/10.1192/bjp.116.535.651

    Examples
    --------
    >>> from confmat.significance.square import stuart_maxwell
    >>> found = stuart_maxwell([[10, 5, 1], [2, 10, 6], [1, 3, 10]])
    >>> round(found.statistic, 4), found.df, round(found.p_value, 4)
    (1.5158, 2.0, 0.4687)
    """
    cells = square_table("table", table)
    both = cells + cells.T
    np.fill_diagonal(both, 0)
    difference = (cells.sum(axis=1) - cells.sum(axis=0)).astype(np.float64)
    statistic, rank = 0.0, 0
    for linked in _linked(both):
        if len(linked) > 1:
            # The differences of classes that are linked sum to 0: all but one of them tell all.
            some = linked[:-1]
            among = both[np.ix_(some, some)]
            covariance = np.diag(both[some].sum(axis=1)) - among
            gap = difference[some]
            statistic += float(gap @ np.linalg.solve(covariance.astype(np.float64), gap))
            rank += len(some)
    off = int(both.sum()) // 2
    compared = f"totals of {len(cells)} classes, {sides[0]} against {sides[1]}, by {off} rows apart"
    name, method = "stuart_maxwell", "chi-squared"
    if not rank:
        return undefined(name, "no row is off the diagonal", compared, method=method)
    return result(name, statistic, log_chi2(statistic, rank), compared, method=method, df=rank)


def _linked(both: Any) -> list[list[int]]:
    """Return the sets of classes that rows off the diagonal link."""
    left = set(range(len(both)))
    found = []
    while left:
        reached, new = set(), {left.pop()}
        while new:
            reached |= new
            new = set(np.flatnonzero(both[sorted(new)].any(axis=0)).tolist()) - reached
        left -= reached
        found.append(sorted(reached))
    return found
