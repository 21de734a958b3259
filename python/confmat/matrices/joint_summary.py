"""What the screen of two models on the same rows says of how often each is right."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from confmat.intervals.interval import Interval
from confmat.intervals.paired import mover, tango
from confmat.matrices.base import MatrixBase
from confmat.matrices.confidence import ci
from confmat.matrices.joint_influence import Influence, correlation, paired_rate
from confmat.matrices.joint_state import JointState, positions
from confmat.render.intervals import LEVEL, beside_values

_NAME = "accuracy"


def accuracies(state: JointState) -> pl.DataFrame:
    """Return the accuracy of a, of b and of b minus a, a row each, with intervals where known.

    The difference has the interval that `compare` gives it: Tango's, of weights MOVER's.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.joint_summary import accuracies
    >>> j = cm.joint_matrix([0, 1, 1, 1] * 20, [0, 1, 0, 0] * 20, [0, 1, 1, 0] * 20)
    >>> accuracies(j).rows()[1:]
    [('b', 0.75, '[0.6452, 0.8319]'), ('b - a', 0.25, '[0.1681, 0.3548]')]
    """
    a, b = (ci(MatrixBase._around(state._state.matrix(is_b)), _NAME) for is_b in (False, True))
    names, found = ("a", "b", "b - a"), (a, b, _difference(state, a, b))
    numbers = {"value": [one.value for one in found]}
    ends = {"low": [one.low for one in found], "high": [one.high for one in found]}
    frame = pl.DataFrame({"model": names} | numbers | ends).fill_nan(None)
    table = beside_values(frame.drop("low", "high"), frame)
    return table.rename({"value": _NAME})


def _difference(state: JointState, a: Interval, b: Interval) -> Interval:
    value, rate = b.value - a.value, paired_rate(state, _NAME)
    if rate is not None:
        low, high = map(float, tango(rate.only_b, rate.only_a, state.n, LEVEL))
    else:
        truth, *models = positions(state)
        right = [(of == truth).astype(np.float64) for of in models]
        together = correlation(state, Influence(a.value, b.value, right[0], right[1], None))
        low, high = mover(a[:3], b[:3], together)
    return Interval(value, low, high, math.nan, "")
