"""The exact sweep: positives and negatives at every distinct score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from confmat.objects.any_sweep import AnySweep


class Sweep(AnySweep):
    """Positives and negatives at every distinct score, and every number that follows.

    Made by `cm.sweep`. A threshold `t` predicts a row positive where its score is at least `t`.
    Score metrics are attributes (`s.roc_auc`, `s.average_precision`, `s.ks`, `s.brier`); the
    `value` takes their parameters, such as the bins of `s.value("ece", bins=15)`.
    Curves and tables are Polars frames; `s.at(t)` is a confusion matrix. Immutable; `+` merges,
    `-` takes away, `to_bytes`, `pickle` and `copy` work.

    Attributes
    ----------
    scores : ndarray of float32 or float64, shape (m,)
        The distinct scores, descending; -0.0 counts as 0.0.
    positives, negatives : ndarray, shape (m,)
        Rows at each score (uint32 or uint64), or sums of their weights (float64).
    tp, fp : ndarray of int64 or float64, shape (m,)
        Rows with at least each score.
    n, n_positive, n_negative : int or float
        Rows, or their weights.
    n_dropped, n_nan : int
        Rows left out for a null, and for a nan score.
    labels : list
        [negative, positive].

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.roc_auc, s.ks, s.best("f1").threshold
    (0.75, 0.5, 0.35)
    >>> s.scores.tolist(), s.tp.tolist(), s.fp.tolist()
    ([0.8, 0.4, 0.35, 0.1], [1, 1, 2, 2], [0, 1, 1, 2])
    """

    __slots__ = ()

    _made_by = "cm.sweep(y_true, y_score)"

    _binned = False

    @property
    def scores(self) -> npt.NDArray[np.float32] | npt.NDArray[np.float64]:
        """The distinct scores, descending; float32 or float64, read-only."""
        return self._at
