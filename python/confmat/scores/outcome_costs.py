"""Costs of the four outcomes: a 2 x 2 matrix, rows true, columns predicted, negative first."""

from __future__ import annotations

from typing import Any

from confmat import costs
from confmat.scores.state import Floats, Totals


def checked_costs(cost: Any) -> Floats:
    """Return a cost matrix as float64, shape (2, 2)."""
    return costs.checked_costs(cost, 2, "cost", "negative first")


def total_cost(
    cost: Floats, tp: Totals, fp: Totals, n_positive: float, n_negative: float
) -> Floats:
    """Return the total cost at each threshold."""
    (tn_cost, fp_cost), (fn_cost, tp_cost) = cost
    total: Floats = (
        (n_negative - fp) * tn_cost + fp * fp_cost + (n_positive - tp) * fn_cost + tp * tp_cost
    )
    return total
