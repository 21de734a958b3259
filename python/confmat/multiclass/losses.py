"""How good the probabilities of many classes are: losses, top-k accuracy, calibration errors."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.multiclass import row_losses
from confmat.multiclass.counted_rows import CountedRows, rows_of
from confmat.multiclass.inputs import Floats
from confmat.multiclass.state import ClassSums, MulticlassState

NO_ROWS_KEPT = "it is summed over rows, which bins do not keep"
OF_ROWS = ("ranked_probability_score", "hinge_loss")  # not of bins
Ties: TypeAlias = Literal["best", "first", "last", "worst"]


def log_loss(state: ClassSums, clip: float | Literal["dtype"] | None = "dtype") -> float:
    """Return the mean of -ln p of the true class; the sum is rounded once."""
    state._need_probabilities("log_loss")
    if clip == "dtype":
        return _mean_of(state, state._sums["log_loss"])
    number = 0.0 if clip is None else clip
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not 0 <= number < 0.5:
        raise InputError(f"`clip` is {clip!r}; wanted 'dtype', None or a number in [0, 0.5)")
    return _mean_of(state, state._log_loss_clipped(float(number)))


def brier(state: ClassSums, scale_by_half: bool = False) -> float:
    """Return the mean over rows of the sum over classes of (p - [is true])²."""
    state._need_probabilities("brier")
    score = _mean_of(state, state._sums["brier"])
    return score / 2 if scale_by_half else score


def d2_log_loss(state: ClassSums, clip: float | Literal["dtype"] | None = "dtype") -> float:
    """Return by what share the log loss is less than that of the class frequencies, the entropy."""
    state._need_probabilities("d2_log_loss")
    return _explained(log_loss(state, clip), entropy(class_shares(state)))


def d2_brier(state: ClassSums) -> float:
    """Return by what share the Brier score is less than that of the class frequencies."""
    state._need_probabilities("d2_brier")
    return _explained(brier(state), gini_impurity(class_shares(state)))


def class_shares(state: ClassSums) -> Floats:
    """Return the share of each class in the rows."""
    weights = np.asarray(state._sums["class_weights"], dtype=np.float64)
    return weights / state.n if state.n else np.zeros(len(weights))


def entropy(shares: Floats) -> float:
    """Return the mean log loss, in nats, of rows that all have the class shares."""
    return math.fsum(-share * math.log(share) for share in shares.tolist() if share)


def gini_impurity(shares: Floats) -> float:
    """Return the mean Brier score of rows that all have the class shares."""
    return math.fsum(share * (1 - share) for share in shares.tolist())


def _explained(loss: float, of_shares: float) -> float:
    return 1 - loss / of_shares if of_shares else math.nan


def ranked_probability_score(state: ClassSums) -> float:
    """Return the mean squared error of P(class is at most k), over rows and cuts k."""
    state._need_probabilities("ranked_probability_score")
    return _mean_of_rows(state, "ranked_probability_score", row_losses.ranked_probability)


def hinge_loss(state: ClassSums) -> float:
    """Return the mean of max(0, 1 - (score of the true class - largest other score))."""
    return _mean_of_rows(state, "hinge_loss", row_losses.hinge)


def _mean_of_rows(state: ClassSums, name: str, losses: Callable[[CountedRows], Floats]) -> float:
    if not isinstance(state, MulticlassState):
        raise InputError(f"{name}: {NO_ROWS_KEPT}")
    if not state.n:
        return math.nan
    rows = rows_of(state)
    added = losses(rows)
    return _mean_of(state, _core.exact_sum(added if rows.weights is None else added * rows.weights))


def top_k_accuracy(state: ClassSums, k: int = 2, ties: Ties = "last") -> float:
    """Return the share of rows whose true class is among the k of the highest scores."""
    return _mean_of(state, _core.exact_sum(_ranks(state, ties)[: checked_k(k)]))


def top_k_accuracies(state: ClassSums, ties: Ties = "last") -> Floats:
    """Return the top-k accuracy for every k.

    Parameters
    ----------
    ties : {"last", "first", "best", "worst"}, default "last"
        As the parameter of "top_k_accuracy", see `value`.

    Returns
    -------
    ndarray of shape (K,)
        For k = 1, ..., K; rising to 1.

    Examples
    --------
    >>> import confmat as cm
    >>> proba = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.6, 0.3, 0.1]]
    >>> cm.multiclass_sweep([0, 1, 2], proba).top_k_accuracies().round(4).tolist()
    [0.3333, 0.6667, 1.0]
    """
    sums = np.cumsum(_ranks(state, ties))
    return np.array([_mean_of(state, float(up_to)) for up_to in sums])


def classwise_ece(state: ClassSums, bins: int = 10) -> float:
    """Return the mean over classes of the calibration error of each against the rest."""
    state._need_probabilities("classwise_ece")
    number = checked_k(bins, "bins")
    if not state.n:
        return math.nan
    errors = state._class_errors(number)
    return math.fsum(errors) / len(errors)


def top_label_ece(state: ClassSums, bins: int = 10) -> float:
    """Return the calibration error of the largest probability; of equal ones the first."""
    state._need_probabilities("top_label_ece")
    number = checked_k(bins, "bins")
    return state._top_error(number) if state.n else math.nan


def _ranks(state: ClassSums, ties: Any) -> Floats:
    known = get_args(Ties)
    if not isinstance(ties, str) or ties not in known:
        raise InputError(f"`ties` is {ties!r}; wanted one of {', '.join(map(repr, known))}")
    ranks: Floats = state._sums["ranks"][("best", "first", "last", "worst").index(ties)]
    return ranks


def _mean_of(state: ClassSums, total: float) -> float:
    return total / state.n if state.n else math.nan


def checked_k(k: Any, argument: str = "k") -> int:
    """Return `k` as a positive integer."""
    if not isinstance(k, bool):
        try:
            number = operator.index(k)
        except TypeError:
            number = 0
        if number >= 1:
            return number
    raise InputError(f"`{argument}` is {k!r}; wanted an integer, at least 1")
