"""Tests of two models on the same rows, by their names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.joint_influence import influence, standard_error
from confmat.matrices.joint_state import JointState, positions
from confmat.render.figures import figure
from confmat.significance import paired, square
from confmat.significance.asking import asked
from confmat.significance.checks import Table
from confmat.significance.differences import delta_z
from confmat.significance.equivalence import Claim, within
from confmat.significance.result import (
    Alternative,
    TestResult,
    check_alternative,
    result,
    undefined,
)
from confmat.significance.tails import log_normal

_MOST = 4096  # classes of the table of both predictions
_SIDES = ("model a", "model b")


def test(state: JointState, name: str, **options: Any) -> TestResult:
    """Test a hypothesis about two models on the same rows.

    Parameters
    ----------
    name : str
        - "mcnemar": the models are right equally often; `method` "exact" (default where fewer than
          25 rows have one alone right), "mid-p" (default from then on), "chi2" or "corrected";
          `alternative` "greater": b is right more often.
        - "bowker": b predicts j where a predicts i as often as the other way round.
        - "stuart_maxwell": both predict each class equally often.
        - "equal": a `metric`, by default "accuracy", is the same for both; `alternative` "greater":
          that of b is larger. By the difference and its standard error (delta method).
        - "equivalent": the metric of b, less that of a, lies within `margin`; `claim` "equivalent",
          "not less" (b is not inferior where more is better) or "not greater". Likewise.
          `pos_label` of both is the class of a metric of one class.
    **options
        Those of the test.

    Returns
    -------
    TestResult

    Raises
    ------
    InputError
        An unknown name or option; weights, but for "equal" and "equivalent".

    Notes
    -----
    `cm.cochran_q` compares more than two models.

    References
    ----------
    Those of each test are in the modules of `confmat.significance`.

    Examples
    --------
    >>> import confmat as cm
    >>> truth, a, b = [1] * 12, [1] * 11 + [0], [1] * 4 + [0] * 8
    >>> j = cm.joint_matrix(truth, a, b)
    >>> print(j.test("mcnemar"))
    mcnemar (exact), two-sided: statistic 0, p = 0.0156; 7 rows of a alone right, 0 of b alone
    """
    return asked(_TESTS, state, name, options)


def _mcnemar(
    state: JointState,
    *,
    method: Literal["exact", "mid-p", "chi2", "corrected"] | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    only_a, only_b, _ = _rights(state)
    words = f"{only_a} rows of a alone right, {only_b} of b alone"
    return paired.mcnemar(only_b, only_a, method, alternative, words)


def _bowker(state: JointState) -> TestResult:
    return square.bowker(_predictions(state), sides=_SIDES)


def _stuart_maxwell(state: JointState) -> TestResult:
    return square.stuart_maxwell(_predictions(state), sides=_SIDES)


def _equal(
    state: JointState,
    *,
    metric: str = "accuracy",
    pos_label: Label | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    check_alternative(alternative)
    found = _difference(state, metric, pos_label)
    if found.why:
        return undefined("equal", found.why, found.words, method="delta")
    z = float(delta_z(found.value, found.se))
    log_p = log_normal(z, alternative)
    return result("equal", z, log_p, found.words, method="delta", alternative=alternative)


def _equivalent(
    state: JointState,
    *,
    margin: float | tuple[float, float],
    metric: str = "accuracy",
    pos_label: Label | None = None,
    claim: Claim = "equivalent",
) -> TestResult:
    found = _difference(state, metric, pos_label)
    if found.why:
        return undefined("equivalence", found.why, found.words, method="delta")

    def z_of(bound: float) -> float:
        return float(delta_z(found.value - bound, found.se))

    return within(z_of, margin, claim, found.words, method="delta")


class _Difference(NamedTuple):
    value: float
    se: float
    words: str
    why: str | None


def _difference(state: JointState, metric: str, pos_label: Label | None) -> _Difference:
    """Return a metric of b less that of a, with its standard error."""
    found = influence(state, metric, pos_label)
    value, se = found.value_b - found.value_a, standard_error(state, found)
    words = f"{metric} {figure(found.value_a)} of a, {figure(found.value_b)} of b"
    why = found.reason
    if why is None and math.isnan(value + se):
        why = "the metric has no derivatives here, or the squared weights are not known"
    return _Difference(value, se, words, why)


def _cells(state: JointState) -> Table:
    cells = state._state.cells
    is_weighted = state._state.matrix(False).squares is not None
    if is_weighted or (cells.dtype.kind == "f" and (cells % 1).any()):
        raise InputError(
            "the rows are weighted, and tests are of counts of rows; wanted a matrix that was "
            "counted without `sample_weight`"
        )
    whole: Table = cells.astype(np.int64)
    return whole


def _rights(state: JointState) -> tuple[int, int, int]:
    """Return the rows that a alone has right, that b alone has, and all."""
    cells = _cells(state)
    truth, a, b = positions(state)
    only_a = cells[(a == truth) & (b != truth)].sum()
    only_b = cells[(a != truth) & (b == truth)].sum()
    return int(only_a), int(only_b), int(cells.sum())


def _predictions(state: JointState) -> Table:
    """Return the table of what a predicts by what b predicts."""
    cells, k = _cells(state), len(state.labels)
    if k > _MOST:
        raise InputError(f"a table of the predictions of {k} classes; wanted at most {_MOST:,}")
    _, a, b = positions(state)
    table: Table = np.zeros((k, k), dtype=np.int64)
    np.add.at(table, (a, b), cells)
    return table


_TESTS: dict[str, Callable[..., TestResult]] = {
    "mcnemar": _mcnemar,
    "bowker": _bowker,
    "stuart_maxwell": _stuart_maxwell,
    "equal": _equal,
    "equivalent": _equivalent,
}
