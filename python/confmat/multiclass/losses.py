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

    def log_loss(self, clip: float | Literal["dtype"] | None = "dtype") -> float:
        """Return the mean of -ln p of the true class, in nats.

        Parameters
        ----------
        clip : float, "dtype" or None, default "dtype"
            Probabilities are moved into [clip, 1 - clip] first; "dtype" is the machine epsilon of
            the type of `proba`, as in scikit-learn, and `n_clipped` says how many rows were below
            it. With None a probability of 0 gives infinity.

        Returns
        -------
        float
            In [0, inf]; nan without rows.

        Notes
        -----
        The sum is rounded once. The logarithm of the platform may differ in the last bit.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> round(s.log_loss(), 6)
        0.645981
        """
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

    def brier(self, scale_by_half: bool = False) -> float:
        """Return the Brier score: the mean over rows of sum over classes of (p - [is true])².

        Parameters
        ----------
        scale_by_half : bool, default False
            Half of it, in [0, 1]; for two classes that is the Brier score of one of them.

        Returns
        -------
        float
            In [0, 2]; nan without rows.

        References
        ----------
        Brier (1950), https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> round(s.brier(), 6), round(s.brier(scale_by_half=True), 6)
        (0.46, 0.23)
        """
        score = self._mean_of(self._sums["brier"])
        return score / 2 if scale_by_half else score

    def top_k_accuracy(self, k: int = 2, ties: Ties = "last") -> float:
        """Return the share of rows whose true class is among the k most probable ones.

        Parameters
        ----------
        k : int, default 2
            At least 1; from K up every row is right.
        ties : {"last", "first", "best", "worst"}, default "last"
            Which of the classes with equal probability comes first: that of the last column, as in
            scikit-learn; that of the first column, as `numpy.argmax` and `at_argmax` have it; the
            true one, or each other one, which gives the range of what any order would give.

        Returns
        -------
        float
            In [0, 1]; nan without rows.

        Examples
        --------
        >>> import confmat as cm
        >>> proba = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.6, 0.3, 0.1]]
        >>> s = cm.multiclass_sweep([0, 1, 2], proba)
        >>> [round(s.top_k_accuracy(1, ties), 4) for ties in ("last", "first")]
        [0.3333, 0.6667]
        """
        return self._mean_of(math.fsum(self._ranks(ties)[: checked_k(k)]))

    def top_k_accuracies(self, ties: Ties = "last") -> Floats:
        """Return `top_k_accuracy` for every k.

        Parameters
        ----------
        ties : {"last", "first", "best", "worst"}, default "last"
            As for `top_k_accuracy`.

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

    def classwise_ece(self, bins: int = 10) -> float:
        """Return the mean over classes of the calibration error of each against the rest.

        Bins are of equal width, (lo, hi], the first closed at 0; each counts with the share of rows
        in it. Classes without rows count, too: their probabilities ought to be 0.

        Parameters
        ----------
        bins : int, default 10

        Returns
        -------
        float
            In [0, 1]; nan without rows.

        References
        ----------
        Kull et al. (2019), https://arxiv.org/abs/1910.12656.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> round(s.classwise_ece(2), 4)
        0.1667
        """
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

    def top_label_ece(self, bins: int = 10) -> float:
        """Return the calibration error of the largest probability of each row.

        A row is right where its class has the largest probability, of equal ones the first.

        Parameters
        ----------
        bins : int, default 10
            As for `classwise_ece`.

        Returns
        -------
        float
            In [0, 1]; nan without rows.

        References
        ----------
        Guo et al. (2017), https://arxiv.org/abs/1706.04599.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> round(s.top_label_ece(2), 4)
        0.0333
        """
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
