"""What rows add to the mean losses of many classes, and how far one could move them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.intervals.mean_loss import MeanLoss
from confmat.multiclass import row_losses
from confmat.multiclass.counted_rows import CountedRows
from confmat.multiclass.inputs import Floats

LOSSES = (
    "brier",
    "log_loss",
    "d2_brier",
    "d2_log_loss",
    "ranked_probability_score",
    "hinge_loss",
)


def loss_of(
    rows: CountedRows, base: str, number: float, given: dict[str, Any], clip: float, n_rows: int
) -> MeanLoss:
    """Return a loss with its standard error, that of the delta method where it is a ratio.

    Parameters
    ----------
    number : float
        Its value.
    given : dict
        Its parameters.
    clip : float
        How near to 0 and 1 probabilities come in the log loss.
    n_rows : int
        How many rows there are.
    """
    changes, furthest = changes_of_loss(rows, base, number, given, clip)
    se = math.sqrt(rows.variance(changes))
    if base.startswith("d2_"):
        return MeanLoss(se, -math.inf, 1.0, furthest, 1.0, n_rows)
    hi = math.inf if base in ("log_loss", "hinge_loss") else furthest
    return MeanLoss(se, 0.0, hi, 0.0, furthest, n_rows)


def changes_of_loss(
    rows: CountedRows, base: str, number: float, given: dict[str, Any], clip: float
) -> tuple[Floats, float]:
    """Return by how much more of each row moves a loss, times all rows; and the worst it can be.

    Parameters as of `loss_of`.
    """
    loss = base.removeprefix("d2_")
    of_rows, most = _losses(rows, loss, clip)
    if given.get("scale_by_half", False):
        of_rows, most = of_rows / 2, most / 2
    if loss == base:
        with np.errstate(invalid="ignore"):  # of infinite ones nothing is known
            return of_rows - number, most
    of_shares, scale = _losses_of_shares(rows, loss)
    # 1 - mean / scale, and both move with the rows.
    return ((1 - number) * of_shares - of_rows) / scale, 1 - most / scale


def _losses(rows: CountedRows, loss: str, clip: float) -> tuple[Floats, float]:
    """Return the loss of each row, and the largest that there is."""
    if loss == "brier":
        return row_losses.brier(rows), 2.0
    if loss == "log_loss":
        return row_losses.log_loss(rows, clip), -math.log(clip) if clip else math.inf
    if loss == "hinge_loss":
        return row_losses.hinge(rows), math.inf
    return row_losses.ranked_probability(rows), 1.0


def _losses_of_shares(rows: CountedRows, loss: str) -> tuple[Floats, float]:
    """Return by how much each row moves the loss of the class shares, but for a constant; and it.

    The constant is such that the mean over the rows is that loss.
    """
    shares = np.bincount(rows.codes, rows.share, len(rows.columns))
    own: Floats = np.asarray(shares[rows.codes], dtype=np.float64)
    if loss == "log_loss":
        moves = -np.log(own)
        return moves, float(rows.share @ moves)
    scale = 1 - float(shares @ shares)
    return 2 * (1 - own) - scale, scale
