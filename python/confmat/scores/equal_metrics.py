"""Tests of a metric of two sweeps of different rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from confmat.errors import InputError
from confmat.intervals.interval import Interval, why_none
from confmat.render.figures import figure
from confmat.scores.confidence import ci
from confmat.scores.delong import delong
from confmat.scores.state import ScoreState
from confmat.significance.differences import delta_z, standard_error
from confmat.significance.equivalence import Claim, within
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_normal


def equal(
    state: ScoreState,
    *,
    other: ScoreState,
    metric: str = "roc_auc",
    alternative: Alternative = "two-sided",
    seed: int | None = None,
) -> TestResult:
    """Test whether a metric is the same in a sweep of other rows."""
    check_alternative(alternative)
    z_of, words, method, why = _compared(state, other, metric, seed)
    if why:
        return undefined("equal", why, words, method=method)
    z = z_of(0.0)
    log_p = log_normal(z, alternative)
    return result("equal", z, log_p, words, method=method, alternative=alternative)


def equivalent(
    state: ScoreState,
    *,
    other: ScoreState,
    margin: float | tuple[float, float],
    metric: str = "roc_auc",
    claim: Claim = "equivalent",
    seed: int | None = None,
) -> TestResult:
    """Test whether a metric is within a margin of that of a sweep of other rows."""
    z_of, words, method, why = _compared(state, other, metric, seed)
    if why:
        return undefined("equivalence", why, words, method=method)
    return within(z_of, margin, claim, words, method=method)


def _compared(
    state: ScoreState, other: Any, metric: str, seed: int | None
) -> tuple[Callable[[float], float], str, str, str | None]:
    """Return how far the difference is from any number, what is compared, how, and why not."""
    if not isinstance(other, ScoreState):
        raise InputError(f"`other` is {type(other).__name__}; wanted a sweep")
    found = [ci(one, metric, seed=seed) for one in (state, other)]
    errors = [_error(s, metric, one) for s, one in zip((state, other), found, strict=True)]
    sizes = [
        f"{figure(one.value)} of {s.n:,.12g} rows"
        for one, s in zip(found, (state, other), strict=True)
    ]
    words = f"{metric} {sizes[0]} against {sizes[1]}"
    why = next(
        (
            why_none(one) or one.method
            for one, se in zip(found, errors, strict=True)
            if math.isnan(one.value + se)
        ),
        None,
    )
    gap = found[0].value - found[1].value
    method = found[0].method.removesuffix(", bins")
    return (
        lambda difference: float(delta_z(gap - difference, *errors)),
        words,
        "z" if why else method,
        why,
    )


def _error(state: ScoreState, metric: str, found: Interval) -> float:
    """Return the standard error of an interval; of an area DeLong's own, where it is not 0."""
    if metric == "roc_auc":
        variance = delong(state)[1]
        if variance > 0:
            return math.sqrt(variance)
    return standard_error(found)
