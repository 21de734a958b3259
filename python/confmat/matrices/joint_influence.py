"""Differences of metrics of two models on the same rows: how each joint cell moves them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import positive_class
from confmat.intervals.levels import Floats
from confmat.intervals.proportions import proportion_of, rate_name
from confmat.labels import Label, position
from confmat.matrices.base import MatrixBase
from confmat.matrices.gradients import gradient
from confmat.matrices.joint_state import JointState, positions
from confmat.matrices.values import reason


class Influence(NamedTuple):
    """Values of a metric, of a and of b, and what a row of each joint cell adds to them."""

    value_a: float
    value_b: float
    of_a: Floats
    of_b: Floats
    reason: str | None  # why there is no value

    @property
    def difference(self) -> Floats:
        """What a row of each joint cell adds to b - a."""
        return self.of_b - self.of_a


class PairedRate(NamedTuple):
    """Rows of a rate whose denominator both models share, by whom they count for."""

    both: int
    only_a: int
    only_b: int
    neither: int


def influence(joint: JointState, name: str, pos_label: Label | None = None) -> Influence:
    """Return how each joint cell moves the difference of a metric, that of b minus that of a.

    A row of truth t, taken for i by a and for j by b, adds the derivative of the metric of b in the
    cell (t, j) of its matrix and takes away that of a in (t, i).

    Parameters
    ----------
    joint : JointState
        Two models on the same rows.
    name : str
        A metric of `list_metrics()`, such as "mcc" or "fbeta_macro(2)".
    pos_label : label, optional
        The positive class of a metric of one class; default the usual one.
    """
    of_a, of_b = (MatrixBase._around(joint._state.matrix(is_b)) for is_b in (False, True))
    value_a, gradient_a = gradient(of_a, name, pos_label=pos_label)
    value_b, gradient_b = gradient(of_b, name, pos_label=pos_label)
    why = next(
        (
            f"{model}: {reason(m, name, pos_label=pos_label) or 'undefined'}"
            for model, m, value in (("a", of_a, value_a), ("b", of_b, value_b))
            if math.isnan(value)
        ),
        None,
    )
    truth, at_a, at_b = positions(joint)
    return Influence(value_a, value_b, gradient_a[truth, at_a], gradient_b[truth, at_b], why)


def centred(joint: JointState, moved: Floats) -> Floats:
    """Return what rows of each cell add beyond the mean row."""
    cells = joint._state.cells.astype(np.float64)
    total = cells.sum()
    return moved - (cells @ moved / total if total else 0.0)


def covariance(joint: JointState, one: Floats, other: Floats) -> float:
    """Return the covariance of two numbers to which a row of each joint cell adds so much.

    Rows are independent of each other. The delta method: the sum of n (d - mean d) (e - mean e)
    over the cells; of weights, that of their squares in place of n. nan where these are not known.
    """
    squares = joint._state.squares
    if squares is None:
        if joint._state.cells.dtype.kind != "i":
            return math.nan
        squares = joint._state.cells.astype(np.float64)
    return float(squares @ (centred(joint, one) * centred(joint, other)))


def standard_error(joint: JointState, found: Influence) -> float:
    """Return the standard error of a difference."""
    return math.sqrt(covariance(joint, found.difference, found.difference))


def correlation(joint: JointState, found: Influence) -> float:
    """Return how the values of the two models vary together; 0 where one does not vary."""
    one, other = (covariance(joint, of, of) for of in (found.of_a, found.of_b))
    if not (one > 0 and other > 0):
        return 0.0
    both = covariance(joint, found.of_a, found.of_b) / (math.sqrt(one) * math.sqrt(other))
    return min(max(both, -1.0), 1.0)


def paired_rate(joint: JointState, name: str, pos_label: Label | None = None) -> PairedRate | None:
    """Return the rows behind a rate of which both models share the denominator; None: it is none.

    Shares of all rows, or of the rows of some true classes. Rows that have weights are not counted.
    """
    proportion, rate = proportion_of(name), rate_name(name)
    if proportion is None or joint._state.squares is not None or not _counted(joint):
        return None
    truth, a, b = positions(joint)
    if proportion.is_of_all_rows:
        within, counts_a, counts_b = np.ones(len(truth), np.bool_), a == truth, b == truth
        return _of(joint, within, counts_a, counts_b, proportion.numerator == ("wrong",))
    pos = _positive(joint, pos_label)
    if pos < 0:
        return None
    is_pos, says_a, says_b = truth == pos, a == pos, b == pos
    if rate in ("recall", "fnr"):
        return _of(joint, is_pos, says_a, says_b, rate == "fnr")
    if rate in ("specificity", "fpr"):
        return _of(joint, ~is_pos, says_a, says_b, rate == "specificity")
    everywhere = np.ones(len(truth), np.bool_)
    if rate == "predicted_prevalence":
        return _of(joint, everywhere, says_a, says_b, False)
    if rate in ("accuracy_binary", "error_binary"):
        right = (says_a == is_pos, says_b == is_pos)
        return _of(joint, everywhere, *right, rate == "error_binary")
    return None  # precision and the like: rows that a model predicts so, others for the other


def _of(
    joint: JointState,
    within: npt.NDArray[np.bool_],
    a: npt.NDArray[np.bool_],
    b: npt.NDArray[np.bool_],
    is_inverse: bool,
) -> PairedRate:
    cells = joint._state.cells
    a, b = (~a, ~b) if is_inverse else (a, b)
    return PairedRate(*(int(cells[within & one].sum()) for one in (a & b, a & ~b, ~a & b, ~a & ~b)))


def _counted(joint: JointState) -> bool:
    kind: Any = joint._state.cells.dtype.kind
    return bool(kind == "i")


def _positive(joint: JointState, pos_label: Label | None) -> int:
    if pos_label is not None:
        return position(joint.labels, pos_label, "pos_label")
    return positive_class.found(joint.labels, None) if len(joint.labels) <= 2 else -1
