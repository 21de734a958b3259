"""Tests of two models on the same rows, by their names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from confmat.errors import InputError
from confmat.matrices.joint_state import JointState, positions
from confmat.significance import paired, square
from confmat.significance.asking import asked
from confmat.significance.checks import Table
from confmat.significance.equivalence import Claim, equivalence
from confmat.significance.result import Alternative, TestResult

_MOST = 4096  # classes of the table of both predictions
_SIDES = ("model a", "model b")


def test(state: JointState, name: str, **options: Any) -> TestResult:
    """Test a hypothesis about two models on the same rows.

    Parameters
    ----------
    name : str
        - "mcnemar": the models are right equally often; `method` "exact" (default where fewer than
          25 rows have one alone right), "mid-p" (default from then on), "chi2" or "corrected";
          `alternative` "greater": a is right more often.
        - "bowker": b predicts j where a predicts i as often as the other way round.
        - "stuart_maxwell": both predict each class equally often.
        - "equivalent": the accuracy of a, less that of b, lies within `margin`; `claim`
          "equivalent", "not less" (a is not inferior) or "not greater". By the difference of the
          shares of rows and its standard error.
    **options
        Those of the test.

    Returns
    -------
    TestResult

    Raises
    ------
    InputError
        An unknown name or option; weights.

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
    return paired.mcnemar(only_a, only_b, method, alternative, words)


def _bowker(state: JointState) -> TestResult:
    return square.bowker(_predictions(state), sides=_SIDES)


def _stuart_maxwell(state: JointState) -> TestResult:
    return square.stuart_maxwell(_predictions(state), sides=_SIDES)


def _equivalent(
    state: JointState, *, margin: float | tuple[float, float], claim: Claim = "equivalent"
) -> TestResult:
    only_a, only_b, n = _rights(state)
    difference = (only_a - only_b) / n if n else math.nan
    spread = math.sqrt(max((only_a + only_b) / n - difference**2, 0) / n) if n else math.nan
    return equivalence(difference, spread, margin, claim=claim)


def _cells(state: JointState) -> Table:
    cells = state._state.cells
    if cells.dtype.kind == "f" and (cells % 1).any():
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
    "equivalent": _equivalent,
}
