"""How many rows say how far a metric of a confusion matrix varies."""

from __future__ import annotations

import math

from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.views import one_vs_rest
from confmat.registry import find


def rows_of_spread(state: MatrixBase, metric: str, pos_label: Label | None) -> float:
    """Return the rows of the smaller of two classes, on which a standard error rests.

    Effective ones of weighted rows; a class without rows has no part in it. inf of a metric of more
    than two classes, which is not of one of them.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.spread_rows import rows_of_spread
    >>> m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]], labels=["a", "b", "c"])
    >>> rows_of_spread(m, "f1", "b"), rows_of_spread(m, "mcc", None)
    (22.0, inf)
    """
    if len(state.labels) != 2:
        if find(metric)["level"] != "class" or pos_label is None:
            return math.inf
        state = one_vs_rest(state, pos_label)
    sizes = state.counts.sum(axis=1)
    squares = sizes if state.weights_sq is None else state.weights_sq.sum(axis=1)
    known = (sizes > 0) & (squares > 0)
    return float((sizes[known] * (sizes[known] / squares[known])).min(initial=math.inf))
