"""Intervals of a matrix whose rows are mixtures, by known shares, of those of a counted one."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from confmat.errors import InputError
from confmat.intervals.interval import Interval
from confmat.intervals.levels import Floats, Side, z_of
from confmat.intervals.scales import on_scale
from confmat.matrices.base import MatrixBase
from confmat.matrices.gradients import slopes_of, standard_error
from confmat.matrices.known_sizes import Of, smoothed_within
from confmat.matrices.values import number
from confmat.metric_names import Ask
from confmat.registry import find


class _Found(NamedTuple):
    value: float
    low: float
    high: float
    se: float


def interval(
    state: MatrixBase, asked: Ask, level: float, side: Side, method: str | None, of: Of
) -> Interval:
    """Return the interval of a metric of a matrix that is a linear map of counted cells.

    By the delta method through the map, as the counted rows vary and the shares do not. By default,
    where all counted rows of a class are predicted alike and seem to be sure, z^2 rows are spread
    over the counted cells, and the interval is as wide as both say.
    """
    if method not in (None, "delta"):
        raise InputError(
            f"`method` is {method!r}, and the cells are expected ones, of which no rows were "
            "counted; wanted 'delta'"
        )
    plain = _by_delta(state, asked, level, side, of)
    assert state._mixed is not None
    source = state._mixed[0]
    is_sure = not plain.se > 0 or bool(((source.counts > 0).sum(1) == 1).any())
    if method is not None or not is_sure:
        return Interval(*plain, "delta")
    other = _by_delta(_of_more_rows(state, z_of(level, side)), asked, level, side, of)
    low, high = (
        np.nanmin([plain.low, plain.value, other.low]),
        np.nanmax([plain.high, plain.value, other.high]),
    )
    if math.isnan(plain.value) or math.isnan(other.low):
        return Interval(*plain, "delta")
    return Interval(plain.value, float(low), float(high), other.se, "delta of smoothed cells")


def _by_delta(state: MatrixBase, asked: Ask, level: float, side: Side, of: Of) -> _Found:
    value = number(state, asked, of[0], None, of[1], of[2])
    se = standard_error(state, slopes_of(state, asked, *of))
    facts = find(asked.name)
    low, high = map(float, on_scale(value, se, facts["lo"], facts["hi"], level, side))
    return _Found(value, low, high, se)


def _of_more_rows(state: MatrixBase, z: float) -> MatrixBase:
    """Return the matrix of z^2 counted rows more, whose total stays."""
    assert state._mixed is not None
    source, mixing = state._mixed
    if source.class_sizes_known:
        more = smoothed_within(source, z)
    else:
        cells, squares = np.asarray(source.counts, np.float64), source._effective_squares()
        assert squares is not None
        squares = squares.reshape(cells.shape)
        unit = squares.sum() / cells.sum()  # a row weighs so much
        each = z * z / cells.size * unit
        shrink = cells.sum() / (cells.sum() + each * cells.size)
        new: Floats = (cells + each) * shrink
        more = source._of(new, source._labels, (squares + each * unit) * shrink**2)
    counted: Any = more._smoothed()
    table: Floats = np.maximum(mixing @ counted, 0.0)
    made = state._of(np.ascontiguousarray(table), state._labels, origin=state._origin)
    return made._about(state._positive)._mixing(more, mixing)
