"""Tests of a metric of two confusion matrices of different rows, or of one and a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.confidence import ci, rate
from confmat.matrices.counted_rows import as_counted
from confmat.matrices.spread_rows import rows_of_spread
from confmat.registry import find
from confmat.render.figures import figure
from confmat.significance.equivalence import Claim, within
from confmat.significance.own_sides import Estimates, compared, estimates
from confmat.significance.rates import score_z, score_z_of_one
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_t

_LEVEL = 0.95  # of the intervals whose sides tell how far a number varies


class _Measured(NamedTuple):
    """A metric of a matrix, or a number that it is compared with."""

    sides: Estimates  # of one value
    k: float  # of a rate: rows that it counts, and all; nan of another metric
    n: float
    rows: str

    @property
    def value(self) -> float:
        return float(self.sides.value[0])

    @property
    def words(self) -> str:
        return f"{figure(self.value)}{self.rows}"


class _Compared(NamedTuple):
    """A metric of a matrix and of another: how far their difference lies from any number."""

    z_of: Callable[[float], float]
    words: str
    method: str
    why_not: str | None
    freedom_of: Callable[[float], float] = lambda _: math.inf


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
    z, freedom = both.z_of(0.0), both.freedom_of(0.0)
    log_p = log_t(z, freedom, alternative)
    df = math.nan if math.isinf(freedom) else freedom
    return result("equal", z, log_p, both.words, method=both.method, df=df, alternative=alternative)


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
    method, freedom_of = both.method, both.freedom_of
    return within(both.z_of, margin, claim, both.words, method=method, freedom_of=freedom_of)


def _compared(state: MatrixBase, other: Any, metric: str, pos_label: Label | None) -> _Compared:
    name = find(metric)["name"]
    one = _measured(state, metric, pos_label)
    if isinstance(other, MatrixBase):
        two = _measured(other, metric, pos_label)
    elif _is_number(other):
        lo, hi = find(metric)["lo"], find(metric)["hi"]
        if not lo <= other <= hi:
            raise InputError(f"`other` is {other!r}, and {name} is from {lo:g} to {hi:g}")
        two = _Measured(_sides([float(other)] * 3, math.inf), math.nan, math.nan, "")
    else:
        raise InputError(
            f"`other` is {type(other).__name__}; wanted a ConfusionMatrix, or a finite number"
        )
    words = f"{name} {one.words} against {two.words}"
    for which, measured in (("this matrix", one), ("the other", two)):
        if math.isnan(measured.value + measured.sides.up[0] + measured.sides.down[0]):
            why = f"{name} of {which} is undefined, or its standard error is not known"
            return _Compared(lambda _: math.nan, words, "z", why)
    if math.isnan(one.k):

        def beyond(difference: float) -> tuple[Floats, Floats]:
            return compared(one.sides._replace(value=one.sides.value - difference), two.sides)

        return _Compared(
            lambda difference: float(beyond(difference)[0][0]),
            *(words, "delta", None),
            lambda difference: float(beyond(difference)[1][0]),
        )
    if math.isnan(two.k):
        return _Compared(
            lambda difference: float(score_z_of_one(one.k, one.n, two.value + difference)),
            *(words, "score", None),
        )
    return _Compared(
        lambda difference: float(score_z(one.k, one.n, two.k, two.n, difference)),
        *(words, "score", None),
    )


def _measured(state: MatrixBase, metric: str, pos_label: Label | None) -> _Measured:
    counted = as_counted(state)
    found = ci(counted, metric, pos_label=pos_label)
    k, n = rate(counted, metric, pos_label)
    rows = counted if counted._mixed is None else counted._mixed[0]
    if math.isnan(k):
        n = rows.n_effective
    kind = "rows" if rows._squares is None else "effective rows"
    positive = rows.pos_label if pos_label is None else pos_label
    freedom = max(rows_of_spread(rows, metric, positive) - 1, 1.0)
    return _Measured(_sides(found[:3], freedom), k, n, f" of {n:.10g} {kind}")


def _sides(limits: Sequence[float], freedom: float) -> Estimates:
    return estimates([limits], freedom, _LEVEL, by_t=False)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and type(value) is not bool and math.isfinite(value)
