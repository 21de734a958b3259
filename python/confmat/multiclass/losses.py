"""How good the probabilities of many classes are: losses, top-k accuracy, calibration errors."""

from __future__ import annotations

import math
import operator
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.multiclass.inputs import Floats
from confmat.multiclass.state import MulticlassState

Ties: TypeAlias = Literal["best", "first", "last", "worst"]


class MulticlassLosses(MulticlassState):
    """Log loss, Brier score, top-k accuracy and calibration errors."""

    def _log_loss(self, clip: float | Literal["dtype"] | None = "dtype") -> float:
        """Return the mean of -ln p of the true class; the sum is rounded once."""
        self._need_probabilities("log_loss")
        if clip == "dtype":
            return self._mean_of(self._sums["log_loss"])
        number = 0.0 if clip is None else clip
        if (
            isinstance(number, bool)
            or not isinstance(number, (int, float))
            or not 0 <= number < 0.5
        ):
            raise InputError(f"`clip` is {clip!r}; wanted 'dtype', None or a number in [0, 0.5)")
        return self._mean_of(self._added_up(float(number))["log_loss"])

    def _brier(self, scale_by_half: bool = False) -> float:
        """Return the mean over rows of the sum over classes of (p - [is true])²."""
        self._need_probabilities("brier")
        score = self._mean_of(self._sums["brier"])
        return score / 2 if scale_by_half else score

    def _top_k_accuracy(self, k: int = 2, ties: Ties = "last") -> float:
        """Return the share of rows whose true class is among the k of the highest scores."""
        return self._mean_of(_core.exact_sum(self._ranks(ties)[: checked_k(k)]))

    def top_k_accuracies(self, ties: Ties = "last") -> Floats:
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
        sums = np.cumsum(self._ranks(ties))
        return np.array([self._mean_of(float(up_to)) for up_to in sums])

    def _classwise_ece(self, bins: int = 10) -> float:
        """Return the mean over classes of the calibration error of each against the rest."""
        self._need_probabilities("classwise_ece")
        number, used = checked_k(bins, "bins"), self._used()
        if not self.n:
            return math.nan
        codes = self._codes[used]
        weights = None if self._weights is None else self._weights[used]
        errors = [
            _ece(column[used].astype(np.float64), codes == i, weights, number)
            for i, column in enumerate(self._columns)
        ]
        return math.fsum(errors) / len(errors)

    def _top_label_ece(self, bins: int = 10) -> float:
        """Return the calibration error of the largest probability; of equal ones the first."""
        self._need_probabilities("top_label_ece")
        number, used = checked_k(bins, "bins"), self._used()
        if not self.n:
            return math.nan
        top = np.maximum.reduce([np.asarray(c, dtype=np.float64) for c in self._columns])
        named = _core.predict_top_k(self._columns, self._codes, 1, False, 0)
        weights = None if self._weights is None else self._weights[used]
        return _ece(top[used], (named == self._codes)[used], weights, number)

    def _used(self) -> Any:
        return self._codes < len(self._labels)

    def _ranks(self, ties: Any) -> Floats:
        known = get_args(Ties)
        if not isinstance(ties, str) or ties not in known:
            raise InputError(f"`ties` is {ties!r}; wanted one of {', '.join(map(repr, known))}")
        ranks: Floats = self._sums["ranks"][("best", "first", "last", "worst").index(ties)]
        return ranks

    def _mean_of(self, total: float) -> float:
        return total / self.n if self.n else math.nan


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


def _ece(scores: Floats, positive: Any, weights: Floats | None, bins: int) -> float:
    state = _core.sweep(positive, scores, weights, None, False, 0)[:3]
    return _core.score_values([f"ece({bins})"], *state)[0]
