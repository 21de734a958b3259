"""Intervals where the shares of the true classes are known, and only what is predicted is not."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.interval import Interval
from confmat.intervals.levels import Side, z_of
from confmat.intervals.moved_rates import moved_by_rates
from confmat.intervals.proportions import rate_name
from confmat.intervals.scales import on_scale
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.gradients import slopes_of, standard_error
from confmat.matrices.values import number
from confmat.metric_names import Ask
from confmat.registry import find

_WITHIN = ("recall", "fnr")  # shares of the rows of one true class
_FEW = 10
_OF_TWO = ("specificity", "fpr")
Of = tuple[Label | None, bool, list[int] | None]  # positive class, empty ones kept, which classes


def is_within_class(state: MatrixBase, asked: Ask) -> bool:
    """Return whether a metric is a share of the rows of one class, whose number does not matter."""
    name = rate_name(asked.name)
    return name in _WITHIN or (name in _OF_TWO and len(state._labels) == 2)


def interval(
    state: MatrixBase, asked: Ask, level: float, side: Side, method: str | None, of: Of
) -> Interval:
    """Return the interval of a metric at known shares of the classes.

    Of two classes, by default: each of the two rates within classes moves the metric as far as
    Wilson's interval of that rate reaches, and the two together as far as the root of the sum of
    squares (MOVER). Else by the gradient, class by class; then, where all rows of a class are
    predicted alike and seem to be sure, z^2 rows are spread over the cells of each class, as in the
    adjusted interval of Mercaldo, Lau and Zhou.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095;
    Mercaldo, Lau and Zhou (2007), https://doi.org/10.1002/sim.2677
    """
    if method not in (None, "delta"):
        raise InputError(
            f"`method` is {method!r}, which is of rates of rows; at known shares of classes "
            f"{asked.name} is a mean of several, wanted 'delta'"
        )
    value = number(state, asked, of[0], None, of[1], of[2])
    facts = find(asked.name)
    if method is None and len(state._labels) == 2:
        se = standard_error(state, slopes_of(state, asked, *of))
        low, high = _moved(state, asked, value, z_of(level, side), of)
        low = facts["lo"] if side == "upper" else max(low, facts["lo"])
        high = facts["hi"] if side == "lower" else min(high, facts["hi"])
        found = Interval(value, low, high, se, "mover")
    else:
        is_sure = method is None and bool(((state.counts > 0).sum(1) == 1).any())
        among = smoothed_within(state, z_of(level, side)) if is_sure else state
        middle = number(among, asked, of[0], None, of[1], of[2])
        se = standard_error(among, slopes_of(among, asked, *of))
        low, high = map(float, on_scale(middle, se, facts["lo"], facts["hi"], level, side))
        told = "delta of smoothed cells" if is_sure else "delta"
        found = Interval(value, min(low, value), max(high, value), se, told)
    if math.isnan(value) or math.isnan(low):
        return Interval(value, math.nan, math.nan, math.nan, "none")
    return found


def _moved(state: MatrixBase, asked: Ask, value: float, z: float, of: Of) -> tuple[float, float]:
    """Return how far the rates of the two classes move a metric, down and up."""
    cells, squares = np.asarray(state.counts, np.float64), state.weights_sq
    assert squares is not None
    sizes = cells.sum(1)

    def at_rates(*rates: float) -> float:
        new = cells.copy()
        for at in np.flatnonzero(sizes > 0):
            new[at] = sizes[at] * (1 - rates[at]), sizes[at] * rates[at]
        made = state._of(new, state._labels, origin=state._origin)._about(state._positive)
        return number(made, asked, of[0], None, of[1], of[2])

    known = zip(cells, sizes, squares, strict=True)
    rows = [effective_rows(own[1], size, (own_sq[1], own_sq.sum())) for own, size, own_sq in known]
    low, high = map(float, moved_by_rates(at_rates, rows, z))
    return min(low, value), max(high, value)


def smoothed_within(state: MatrixBase, z: float) -> MatrixBase:
    """Return the matrix with z^2 rows more in each class, whose shares stay."""
    cells, squares = np.asarray(state.counts, np.float64), state.weights_sq
    assert squares is not None
    sizes, of_squares = cells.sum(1, keepdims=True), squares.sum(1, keepdims=True)
    unit = np.divide(of_squares, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    more = z * z / len(cells) * unit  # a row of a class weighs so much
    shrink = np.divide(sizes, sizes + len(cells) * more, out=np.zeros_like(sizes), where=sizes > 0)
    new: npt.NDArray[np.float64] = (cells + more) * shrink
    made = state._of(new, state._labels, (squares + more * unit) * shrink**2, origin=state._origin)
    return made._about(state._positive)._knowing_class_sizes()
