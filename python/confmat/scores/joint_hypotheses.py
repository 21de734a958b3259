"""Tests of two scores of the same rows, by their names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from confmat.render.figures import figure
from confmat.scores.joint_differences import difference, joint_difference, method_of
from confmat.scores.joint_state import JointScoreState
from confmat.significance.asking import asked
from confmat.significance.equivalence import Claim, equivalence
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_normal

_NO_CHANGE = "every row says the same of both models"


def test(state: JointScoreState, name: str, **options: Any) -> TestResult:
    """Test a hypothesis about two scores of the same rows.

    Parameters
    ----------
    name : str
        - "equal": a `metric`, by default "roc_auc", is the same for both; `alternative` "greater":
          that of b is larger. Of the area under the ROC curve this is DeLong's test.
        - "equivalent": the metric of b, less that of a, lies within `margin`; `claim` "equivalent",
          "not less" (b is not inferior where more is better) or "not greater".
    **options
        Those of the test.

    Returns
    -------
    TestResult
        Where bins hold several scores, of the differences that they allow the one that speaks least
        against the hypothesis, or for equivalence.

    Raises
    ------
    InputError
        An unknown name, option or metric.
    ConfmatError
        SciPy is not installed.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595

    Examples
    --------
    >>> import confmat as cm
    >>> y = [0, 0, 0, 1, 1, 1] * 10
    >>> a, b = [0.1, 0.4, 0.2, 0.35, 0.8, 0.9] * 10, [0.1, 0.2, 0.6, 0.5, 0.3, 0.7] * 10
    >>> found = cm.joint_sweep(y, a, b).test("equal")
    >>> round(found.statistic, 2), round(found.p_value, 2)
    (-1.35, 0.18)
    """
    return asked(_TESTS, state, name, options)


def _equal(
    state: JointScoreState, *, metric: str = "roc_auc", alternative: Alternative = "two-sided"
) -> TestResult:
    check_alternative(alternative)
    found = joint_difference(state, metric)
    words = f"{metric} {figure(found.value_a)} of a, {figure(found.value_b)} of b"
    told = difference(state, metric)
    if math.isnan(found.se):
        return undefined("equal", str(found.why), words, difference=told)
    least = found.least_telling(alternative)
    if not found.se and found.least == found.most == 0:
        return undefined("equal", _NO_CHANGE, words, difference=told)
    z = 0.0 if not least else least / found.se if found.se else math.copysign(math.inf, least)
    return result(
        "equal",
        z,
        log_normal(z, alternative),
        words,
        method=method_of(metric, found),
        alternative=alternative,
        difference=told,
    )


def _equivalent(
    state: JointScoreState,
    *,
    margin: float | tuple[float, float],
    metric: str = "roc_auc",
    claim: Claim = "equivalent",
) -> TestResult:
    found, told = joint_difference(state, metric), difference(state, metric)
    ends = [equivalence(end, found.se, margin, claim=claim) for end in (found.least, found.most)]
    last = max(ends, key=lambda one: -one.log_p)
    words = f"{metric} {figure(found.value_a)} of a, {figure(found.value_b)} of b"
    return last._replace(
        compared=words,
        method=method_of(metric, found),
        difference=told,
        note=found.why or last.note,
    )


_TESTS: dict[str, Callable[..., TestResult]] = {"equal": _equal, "equivalent": _equivalent}
