"""A sweep of bins of scores: bounded memory, intervals that hold the exact values, or those."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError, StateError
from confmat.scores import bounds as score_bounds
from confmat.scores import saved as score_bytes
from confmat.scores import summary as score_summary
from confmat.scores.bounds import Interval, widened
from confmat.scores.grid import Bins
from confmat.scores.intervals import AreaRules
from confmat.scores.probabilities import ScoreProbabilities
from confmat.scores.state import Floats, ScoreState
from confmat.scores.values import Points, is_of_probability, reading

if TYPE_CHECKING:
    from typing_extensions import Self


class BinnedSweep(ScoreProbabilities):
    """Positives and negatives in each bin of the scores, and every number that follows.

    Made by `cm.sweep(..., bins=...)`. While each bin holds one score alone, as with float16 or
    quantized scores, the sweep `is_exact`: it knows these scores, and every number, interval, curve
    and threshold is that of the exact sweep. After that, for good, numbers take the rows of a bin
    as tied, at its middle; the intervals (`roc_auc_bounds`, `bounds(name)`,
    `metric_bounds(name, t)`) hold the values of the exact scores for certain; thresholds are edges
    of bins, or lie between bins, and `at(t)` inside a bin is an error unless `nearest=True`.
    Immutable; `+` merges, `-` takes away.

    Attributes
    ----------
    lower, upper : ndarray of float64, shape (m,)
        Edges of the bins [lower, upper) that are not empty, descending. The outermost may be
        infinite, and a bin up to +inf holds +inf.
    positives, negatives : ndarray, shape (m,)
        Rows in each bin, or sums of their weights.
    bins : "unit", int, "float16" or ndarray
        What `cm.sweep` takes to make the same bins again, of other rows.
    is_exact : bool
        Whether each bin holds one score alone.
    scores : ndarray of float32 or float64, shape (m,), or None
        These scores, descending; None where the sweep is not exact.

    Examples
    --------
    >>> import confmat as cm
    >>> y, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> s = cm.sweep(y, scores, bins=[0.0, 0.3, 0.6, 1.0])
    >>> s.lower.tolist(), s.positives.tolist(), s.negatives.tolist()
    ([0.6, 0.3, 0.0], [1, 1, 0], [0, 1, 1])
    >>> s.roc_auc
    0.875
    >>> [round(bound, 6) for bound in s.roc_auc_bounds]
    [0.75, 1.0]
    >>> (s + s - s) == s
    True
    >>> fine = cm.sweep(y, scores, bins="unit")
    >>> fine.is_exact, fine.scores.tolist(), fine.roc_auc_bounds
    (True, [0.8, 0.4, 0.35, 0.1], (0.75, 0.75))
    """

    __slots__ = ()

    _lower: Floats
    _upper: Floats
    _bins: Bins

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return read_binned_sweep, (self.to_bytes(),)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the sweep that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        state = score_bytes.decode(data)
        if state.bins is None:
            raise StateError("these bytes are an exact sweep; Sweep.from_bytes reads it")
        return cls._of(state)

    @property
    def lower(self) -> Floats:
        """Lower edges of the bins that are not empty: float64, descending, read-only."""
        return self._lower

    @property
    def upper(self) -> Floats:
        """Upper edges of the bins that are not empty, not in the bin: float64, descending."""
        return self._upper

    @property
    def bins(self) -> Bins:
        """What `cm.sweep(bins=...)` takes for the same bins: a name, a power of two or edges."""
        return self._bins

    @property
    def scores(self) -> npt.NDArray[np.float32] | npt.NDArray[np.float64] | None:
        """The score of each bin, descending, read-only; None where a bin holds several."""
        return self._scores

    @property
    def _areas(self) -> AreaRules:
        return super()._areas if self.is_exact else ("lower", "upper")

    def _bounds(self, name: str) -> Interval:
        if self.is_exact:
            return super()._bounds(name)
        value = self.value(name)  # refuses unknown names and scores that are no probabilities
        if math.isnan(value):
            return score_bounds.UNDEFINED
        base, bins = reading(name)
        fpr, tpr = self._rates()
        if base in ("roc_auc", "gini"):
            low, high = self._partial_auc_bounds(max_fpr=1.0)
            return (low, high) if base == "roc_auc" else widened(2 * low - 1, 2 * high - 1, -1.0)
        if base in ("ks", "eer"):
            return getattr(score_bounds, base)(fpr, tpr)  # type: ignore[no-any-return]
        if base == "average_precision":
            tp, fp = (np.append(0.0, part) for part in (self.tp, self.fp))
            whole = self.tp.dtype.kind in "iu"
            return score_bounds.average_precision(tp, fp, whole)
        p, n = self._positives.astype(np.float64), self._negatives.astype(np.float64)
        rows = (p, n, *self._range())
        if base in ("brier", "log_loss"):
            return score_bounds.losses(*rows, base, self.clip)
        if base == "brier_skill":
            low, high = score_bounds.losses(*rows, "brier", self.clip)
            spread = (p.sum() / (p + n).sum()) * (n.sum() / (p + n).sum())
            return widened(1 - high / spread, 1 - low / spread, -math.inf)
        if base == "ece":
            return score_bounds.ece(*rows, bins)
        raise InputError(f"{name} has no bounds on a binned sweep; an exact one has its value")

    def _around(self, thresholds: Floats) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the cuts at the edges above and below each threshold; equal where it is exact."""
        if self.is_exact:
            return super()._around(thresholds)
        few = len(self._at) - np.searchsorted(self._at[::-1], thresholds)
        upper = np.append(self._upper, -math.inf)[few]
        return few, few + (thresholds < upper)

    def _cuts(self, thresholds: Floats, nearest: bool = False) -> npt.NDArray[np.intp]:
        if self.is_exact:
            return super()._cuts(thresholds)
        few, many = self._around(thresholds)
        inside = few != many
        if not inside.any():
            return few
        bins = few[inside]
        if nearest:
            low, high, at = self._at[bins], self._upper[bins], thresholds[inside]
            few[inside] += at - low < high - at
            return few
        raise InputError(
            f"the threshold {thresholds[inside][0]} lies inside the bin "
            f"[{self._at[bins[0]]}, {self._upper[bins[0]]}); wanted an edge, or nearest=True"
        )

    def _range(self) -> tuple[Floats, Floats]:
        """Return the least and the largest score of each bin, as probabilities."""
        return np.clip(self._at, 0.0, 1.0), np.clip(self._upper, 0.0, 1.0)

    def _points(self, name: str) -> Points:
        if self.is_exact or not is_of_probability(name):
            return self._at, self._positives, self._negatives
        low, high = (self._at, self._upper) if self._outside() else self._range()
        middle = low / 2 + high / 2
        return np.where(np.isfinite(middle), middle, low), self._positives, self._negatives

    def _check_probabilities(self, name: str) -> None:
        outside = None if self.is_exact else self._outside()
        if outside:  # the middle of a bin is no score of the data: the core would name it
            raise InputError(f"`y_score`: {outside}; {name} needs probabilities, from 0 to 1")

    def _outside(self) -> str | None:
        """Return which score or bin is no probability, or None."""
        if self.is_exact:
            return super()._outside()
        outside = (self._at > 1) | ((self._upper <= 0) & (self._at < 0))
        if not outside.any():
            return None
        at = int(outside.argmax())
        return f"the bin [{self._at[at]}, {self._upper[at]}) is outside [0, 1]"

    def __add__(self, other: object) -> Self:
        """Merge: the sweep of the rows of both. Labels and bins must be equal.

        Exact if both are, and no bin holds one score in one and another in the other.
        """
        if not isinstance(other, ScoreState):
            return NotImplemented
        self._check_same(other, "add")
        assert isinstance(other, BinnedSweep)  # the bins are the same
        parts = [(s._lower, s._positives, s._negatives) for s in (self, other)]
        merged: Any = _core.sweep_merge(parts)
        lower, positives, negatives = merged
        edges = np.concatenate([self._lower, other._lower])
        order = np.argsort(edges, kind="stable")
        one = np.searchsorted(edges[order], lower)
        two = np.searchsorted(edges[order], lower, "right") - 1
        upper = np.concatenate([self._upper, other._upper])[order][one]
        scores = None
        if self._scores is not None and other._scores is not None:
            both = np.concatenate([self._scores, other._scores])[order]
            scores = both[one] if np.array_equal(both[one], both[two]) else None
        return self._joined(other, (scores, lower, upper), positives, negatives, 1)

    def __str__(self) -> str:
        return score_summary.text(self)

    def _repr_html_(self) -> str:
        return score_summary.html(self)


def read_binned_sweep(data: bytes) -> BinnedSweep:
    """Return the sweep that `to_bytes` wrote; what unpickling calls."""
    return BinnedSweep.from_bytes(data)
