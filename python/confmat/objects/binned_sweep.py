"""The sweep of bins of scores: bounded memory, intervals that hold the exact values, or those."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.objects.any_sweep import AnySweep
from confmat.scores.grid import MAX_LEVEL, Bins
from confmat.scores.state import Floats


class BinnedSweep(AnySweep):
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
        What `cm.sweep` takes to make the same bins again, of other rows. Coarser levels of "unit"
        are called "unit/1" to "unit/8".
    level : int or None
        Of "unit" bins how coarse they are: 2 to this power of the finest ones are joined.
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

    _binned = True
    _made_by = "cm.sweep(y_true, y_score, bins=...)"

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
    def level(self) -> int | None:
        """The level of "unit" bins, 0 for the finest; None of other bins."""
        return self._state.level

    def coarser(self, level: int) -> BinnedSweep:
        """Return the sweep with "unit" bins of a coarser level.

        A level joins pairs of neighbouring bins of the level before, so that 131,051 bins become
        65,526, 32,764, 16,383, 8,192, 4,097, 2,049, 1,025 and, at level 8, 513. At every level bins
        begin at 0, at 1 and at each power of two from 2**-126 to 1/2. Sweeps of two levels merge,
        or are taken away, at the coarser one, and intervals hold the values of the exact scores.

        Parameters
        ----------
        level : int
            From the level of this sweep to 8.

        Raises
        ------
        InputError
            Bins that are not "unit", a level that is finer or beyond 8.

        Examples
        --------
        >>> import confmat as cm
        >>> fine = cm.sweep([0, 0, 1, 1], [0.1, 0.401, 0.4, 0.8], bins="unit")
        >>> coarse = fine.coarser(8)
        >>> coarse.level, coarse.bins, coarse.positives.tolist(), coarse.negatives.tolist()
        (8, 'unit/8', [1, 1, 0], [0, 1, 1])
        >>> fine.roc_auc, coarse.roc_auc, [round(bound, 6) for bound in coarse.roc_auc_bounds]
        (0.75, 0.875, [0.75, 1.0])
        >>> (coarse + fine) == (fine + fine).coarser(8)
        True
        """
        if isinstance(level, bool) or not isinstance(level, (int, np.integer)) or level < 0:
            raise InputError(f"`level` is {level!r}; wanted an integer from 0 to {MAX_LEVEL}")
        return self._around(self._state.coarser(min(int(level), MAX_LEVEL + 1)))

    @property
    def scores(self) -> npt.NDArray[np.float32] | npt.NDArray[np.float64] | None:
        """The score of each bin, descending, read-only; None where a bin holds several."""
        return self._scores
