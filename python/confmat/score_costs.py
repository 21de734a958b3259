"""Costs of the four outcomes: a 2 x 2 matrix, rows true, columns predicted, negative first."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.score_state import Floats, Totals

_WANTED = "a 2 x 2 matrix: rows true, columns predicted, negative first"


def checked_costs(cost: Any) -> Floats:
    """Return a cost matrix as float64, shape (2, 2)."""
    if cost is None:
        raise InputError(f"`cost` is needed; wanted {_WANTED}")
    try:
        costs = np.asarray(cost, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"`cost` is not an array of numbers ({error}); wanted {_WANTED}"
        ) from error
    if costs.shape != (2, 2):
        raise InputError(f"`cost` has shape {costs.shape}; wanted {_WANTED}")
    if not np.isfinite(costs).all():
        i, j = (int(at) for at in np.argwhere(~np.isfinite(costs))[0])
        raise InputError(f"`cost` holds {costs[i, j]} at [{i}, {j}]; wanted finite numbers")
    return costs


def total_cost(
    costs: Floats, tp: Totals, fp: Totals, n_positive: float, n_negative: float
) -> Floats:
    """Return the total cost at each threshold."""
    (tn_cost, fp_cost), (fn_cost, tp_cost) = costs
    total: Floats = (
        (n_negative - fp) * tn_cost + fp * fp_cost + (n_positive - tp) * fn_cost + tp * tp_cost
    )
    return total
