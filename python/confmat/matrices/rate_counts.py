"""The counts of a confusion matrix that are a rate: its numerator and its denominator."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.intervals.proportions import PROPORTIONS, rate_name
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.values import value
from confmat.matrices.views import smooth
from confmat.significance.checks import Table

_CELLS = ("tp", "fp", "fn", "tn")


def whole_counts(state: MatrixBase) -> Table:
    """Return the cells of a matrix of counted rows, as they were counted; refuse weights.

    Raises
    ------
    InputError
        Weights, or cells that are not whole.
    """
    cells: Any = state.counts
    if state.weights_sq is not None or (cells.dtype.kind == "f" and (cells % 1).any()):
        raise InputError(
            "the rows are weighted, and tests are of counts of rows; wanted a matrix that was "
            "counted without `sample_weight`"
        )
    return cells.astype(np.int64)  # type: ignore[no-any-return]


def rate_counts(
    state: MatrixBase, metric: str, pos_label: Label | None = None
) -> tuple[int, int] | None:
    """Return numerator and denominator of a metric that is a rate; None of another.

    Parameters
    ----------
    metric : str
        A name of `cm.list_metrics()`; `intervals.proportions` lists those that are rates.
    pos_label : label, optional
        Of a metric of one class, the class; default the positive one.

    Raises
    ------
    InputError
        Weights; a metric of one class where the positive one is not known.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.rate_counts import rate_counts
    >>> m = cm.ConfusionMatrix([[90, 10], [20, 80]])
    >>> rate_counts(m, "recall"), rate_counts(m, "accuracy"), rate_counts(m, "mcc")
    ((80, 100), (170, 200), None)
    """
    name = rate_name(metric)
    if name is None:
        return None
    cells = whole_counts(state)
    if name not in PROPORTIONS:
        right, n = int(np.trace(cells)), int(cells.sum())
        counted = smooth(state, 0.0) if state.smoothing else state
        wrong = n and round(value(counted, name) * n) != right
        return (n - right if wrong else right), n
    counted = smooth(state, 0.0) if state.smoothing else state
    of = {cell: int(value(counted, cell, pos_label=pos_label)) for cell in _CELLS}
    rate = PROPORTIONS[name]
    numerator = sum(of[cell] for cell in rate.numerator)
    return numerator, numerator + sum(of[cell] for cell in rate.others)
