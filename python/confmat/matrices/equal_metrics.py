"""Tests of a metric of two confusion matrices of different rows, or of one and a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.rate_counts import rate_counts
from confmat.registry import find
from confmat.significance.equivalence import Claim, within
from confmat.significance.rates import score_z, score_z_of_one
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_normal


class _Compared(NamedTuple):
    """A metric of a matrix and of another: how far their difference lies from any number."""

    z_of: Callable[[float], float]
    words: str
    method: str
    why_not: str | None


def equal(
    state: MatrixBase,
    *,
    other: MatrixBase | float,
    metric: str = "accuracy",
    pos_label: Label | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test whether a metric is the same in another matrix, or is a number."""
    check_alternative(alternative)
    both = _compared(state, other, metric, pos_label)
    if both.why_not:
        return undefined("equal", both.why_not, both.words, method=both.method)
    z = both.z_of(0.0)
    log_p = log_normal(z, alternative)
    return result("equal", z, log_p, both.words, method=both.method, alternative=alternative)


def equivalent(
    state: MatrixBase,
    *,
    other: MatrixBase | float,
    margin: float | tuple[float, float],
    metric: str = "accuracy",
    pos_label: Label | None = None,
    claim: Claim = "equivalent",
) -> TestResult:
    """Test whether a metric is within a margin of that of another matrix, or of a number."""
    both = _compared(state, other, metric, pos_label)
    if both.why_not:
        return undefined("equivalence", both.why_not, both.words, method=both.method)
    return within(both.z_of, margin, claim, both.words, method=both.method)


def _compared(state: MatrixBase, other: Any, metric: str, pos_label: Label | None) -> _Compared:
    name = find(metric)["name"]
    is_matrix = isinstance(other, MatrixBase)
    if not is_matrix and (isinstance(other, bool) or not isinstance(other, Real)):
        raise InputError(
            f"`other` is {type(other).__name__}; wanted a ConfusionMatrix, or a number"
        )
    one = rate_counts(state, metric, pos_label)
    if one is None:
        raise InputError(f"there is no test of {name} yet; rates such as accuracy have one")
    k, n = one
    words = f"{name} {_share(k, n)} of {n} rows"
    if is_matrix:
        found = rate_counts(other, metric, pos_label)
        assert found is not None
        k2, n2 = found
        return _Compared(
            lambda difference: float(score_z(k, n, k2, n2, difference)),
            f"{words} against {_share(k2, n2)} of {n2} rows",
            "score",
            None if n and n2 else f"{name} of no rows",
        )
    share = float(other)
    if math.isnan(share) or not 0 <= share <= 1:
        raise InputError(f"`other` is {other!r}; wanted a rate, from 0 to 1")
    return _Compared(
        lambda difference: float(score_z_of_one(k, n, share + difference)),
        f"{words} against {share:g}",
        "score",
        None if n else f"{name} of no rows",
    )


def _share(k: int, n: int) -> str:
    return f"{k / n:.4f}" if n else "-"
