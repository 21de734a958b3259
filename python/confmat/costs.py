"""Cost matrices: what it costs to predict a row of one class as another."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError


def checked_costs(
    value: Any, k: int, argument: str = "cost_matrix", order: str = "in label order"
) -> npt.NDArray[np.float64]:
    """Return a cost matrix as float64, shape (k, k).

    Raises
    ------
    InputError
        None, another shape, or a cost that is not finite.
    """
    wanted = f"a {k} x {k} matrix: rows true, columns predicted, {order}"
    if value is None:
        raise InputError(f"`{argument}` is needed; wanted {wanted}")
    try:
        costs = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"`{argument}` is not an array of numbers ({error}); wanted {wanted}"
        ) from error
    if costs.shape != (k, k):
        raise InputError(f"`{argument}` has shape {costs.shape}; wanted {wanted}")
    if not np.isfinite(costs).all():
        i, j = (int(at) for at in np.argwhere(~np.isfinite(costs))[0])
        raise InputError(f"`{argument}` holds {costs[i, j]} at [{i}, {j}]; wanted finite numbers")
    return costs


def total_cost(
    cost: Any, tp: Any, fp: Any, n_positive: float, n_negative: float
) -> npt.NDArray[np.float64]:
    """Return the total cost at each threshold; `cost` is 2 x 2, negative first."""
    (of_tn, of_fp), (of_fn, of_tp) = checked_costs(cost, 2, "cost", "negative first")
    total: npt.NDArray[np.float64] = (
        (n_negative - fp) * of_tn + fp * of_fp + (n_positive - tp) * of_fn + tp * of_tp
    )
    return total
