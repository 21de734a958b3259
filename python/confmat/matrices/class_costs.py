"""What rows cost, class by class: a cost matrix over the cells of a confusion matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.costs import checked_costs
from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import SparseCells, margins, require_table


def class_costs(state: MatrixBase, cost_matrix: Any) -> pl.DataFrame:
    """Return what the rows of each true class cost.

    Parameters
    ----------
    cost_matrix : array-like, shape (K, K)
        Rows true, columns predicted, in label order, as `cost` takes it.

    Returns
    -------
    polars.DataFrame
        Columns `label`, `n` (rows of the class, or the sum of their weights), `cost`, whose sum is
        `m.cost(cost_matrix)`, and `mean_cost` of a row, null where there is none. Smoothing is not
        applied.

    Raises
    ------
    InputError
        What `cost` refuses.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [4, 16]])
    >>> m.class_costs([[0, 1], [5, 0]]).rows()
    [(0, 100, 10.0, 0.1), (1, 20, 20.0, 1.0)]
    """
    _, products = cell_costs(state, cost_matrix)
    support = margins(state._cells)[0]
    frame = pl.DataFrame(
        {
            "label": pl.Series(list(state._labels)),
            "n": pl.Series(np.asarray(support)),
            "cost": pl.Series([total_cost(row) for row in products], dtype=pl.Float64),
        }
    )
    return frame.with_columns(mean_cost=pl.when(pl.col("n") > 0).then(pl.col("cost") / pl.col("n")))


def cell_costs(state: MatrixBase, cost_matrix: Any) -> tuple[Floats, Floats]:
    """Return the checked cost matrix, and what each cell costs: its count times its cost."""
    if isinstance(state._cells, SparseCells):
        require_table(
            len(state._labels),
            "`cost_matrix`",
            "m.to_polars() gives the cells that are not 0, to be joined with their costs",
        )
    costs = checked_costs(cost_matrix, len(state._labels))
    with np.errstate(over="ignore"):
        return costs, state.counts * costs


def total_cost(products: Floats) -> float:
    """Return the sum of the costs of some cells, rounded once."""
    total = _core.exact_sum(products)
    if not math.isfinite(total):
        raise InputError("`cost_matrix`: the cost of all rows is beyond the range of floats")
    return total
