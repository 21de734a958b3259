"""Scores of many classes in bins: a state that merges, made of a sweep of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.sparse import of_core
from confmat.multiclass.binned_state import BinnedClassState
from confmat.multiclass.state import MulticlassState, kept
from confmat.objects.any_multiclass_sweep import AnyMulticlassSweep
from confmat.objects.base import Counted
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.multiclass_views import at_argmax
from confmat.scores.from_rows import swept
from confmat.scores.grid import map_code

_MOST_PAIRED = 256  # classes: as many sweeps as pairs of them


class BinnedMulticlassSweep(BinnedClassState, AnyMulticlassSweep, Counted):
    """Scores of K classes in bins, made by `MulticlassSweep.to_state`, and the numbers of them.

    `+` merges the rows of two, `-` takes those of one away, `to_bytes` saves them; `pickle` and
    `copy` work. Top-k accuracy, log loss, Brier score and the matrix of the highest scores are
    those of the rows. Areas, curves and calibration errors take the rows of a bin as tied, at its
    middle: `one_vs_rest` has bounds of them, and they are exact while each bin holds one score
    alone. `print` and notebooks show 95 % intervals of macro and weighted averages, of top-k
    accuracy and of the areas of the classes shown. Immutable.

    Attributes
    ----------
    labels : tuple
        The class of each column.
    n : int or float
        Rows counted, or the sum of their weights.
    n_rows, n_dropped : int
        Rows counted, and rows left out for a null label or weight.
    n_clipped : int
        Rows whose probability of the true class `log_loss` raised.
    support : ndarray of shape (K,)
        Rows of each class, or the sum of their weights.
    n_classes_used, n_pairs_used : int
        Classes, and pairs of classes, that have rows: what averages are of.
    has_pairs : bool
        Whether one-vs-one areas are kept.
    bins : "unit", int or "float16"
        The bins of the scores, as `cm.sweep` takes them.

    Examples
    --------
    >>> import confmat as cm
    >>> proba = [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]
    >>> one = cm.multiclass_sweep(["a", "a", "b", "c"], proba).to_state()
    >>> two = cm.multiclass_sweep(["c", "a", "b", "b"], proba).to_state()
    >>> both = one + two
    >>> both.n, round(both.roc_auc, 4), both.one_vs_rest("b").n_positive
    (8, 0.7444, 3)
    >>> cm.from_bytes(both.to_bytes()) == both
    True
    """

    _made_by = "k.to_state() of a k = cm.multiclass_sweep(y_true, scores)"

    _in_bins = " in bins"

    @property
    def bins(self) -> int | str:
        """What `to_state` takes for the same bins."""
        bins = self._state.top.bins
        assert isinstance(bins, (int, str))
        return bins

    def one_vs_rest(self, label: Label) -> BinnedSweep:
        """Return the binned sweep of one class against the rest, by the score of that class.

        Parameters
        ----------
        label : label
            One of `labels`.

        Returns
        -------
        BinnedSweep
            Of the classes False and True, whether a row is of this class.
        """
        return BinnedSweep._around(self._against_rest(label)._state)

    def at_argmax(self) -> ConfusionMatrix:
        """Return the confusion matrix of the highest score; of equal ones, the first column."""
        return ConfusionMatrix._around(self._argmax)


def to_state(
    state: MulticlassState, bins: int | str = "unit", *, pairs: bool = False
) -> BinnedMulticlassSweep:
    """Return the scores in bins, which merge and are saved.

    What is given up: areas, curves and calibration errors take the rows of a bin as tied, at its
    middle, unless each bin holds one score alone. Top-k accuracy, log loss, Brier score and the
    matrix of the highest scores stay those of the rows; other top-k matrices, decisions by cost and
    soft matrices need the rows.

    Parameters
    ----------
    bins : int or str, default "unit"
        "unit" (131,051 bins, fine near 0 and 1), a power of two up to 65,536 or "float16", as
        `cm.sweep` takes them. Only bins that hold rows take memory, of each class; bytes of states
        take 2 to 5 bytes a bin where most of them do.
    pairs : bool, default False
        Keep the scores by pair of classes, which one-vs-one areas need: K x K sweeps in place of K.

    Returns
    -------
    BinnedMulticlassSweep

    Raises
    ------
    InputError
        Other bins; pairs of more than 256 classes.

    Examples
    --------
    >>> import confmat as cm
    >>> k = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> state = k.to_state(pairs=True)
    >>> state.roc_auc == k.roc_auc, (state + state).n
    (True, 6)
    >>> state.value("roc_auc", multi_class="ovo") == k.roc_auc
    True
    """
    labels = state.labels
    map_code(bins)  # which refuses what is no map
    if pairs and len(labels) > _MOST_PAIRED:
        raise InputError(
            f"`pairs` keeps a sweep for each pair of classes, of at most {_MOST_PAIRED}; "
            f"there are {len(labels)}"
        )
    argmax = at_argmax(state)._state
    named = _core.predict_top_k(state._columns, state._codes, 1, False, 0)
    top = np.maximum.reduce(state._columns)
    ranks = state._sums["ranks"]
    if of_core(len(labels), argmax.cells).dtype.kind == "i":
        ranks = ranks.astype(np.int64)
    log_loss, brier = state._sums["losses"]
    none = state._sums["not_probabilities"]
    return BinnedMulticlassSweep._around(
        _core.ClassScores(
            argmax,
            _by_pair(state, bins) if pairs else _against_rest(state, bins),
            _binned(state, state._codes == named, top, slice(None), bins),
            ranks,
            None if none else (log_loss, brier),
            state._sums["n_clipped"],
            pairs,
        )
    )


def _against_rest(state: MulticlassState, bins: int | str) -> list[_core.SweepState]:
    return [
        _binned(state, state._codes == at, column, slice(None), bins)
        for at, column in enumerate(state._columns)
    ]


def _by_pair(state: MulticlassState, bins: int | str) -> list[_core.SweepState]:
    """Return the scores of class i of the rows of class j, at i * K + j."""
    rows = [np.flatnonzero(state._codes == j) for j in range(len(state.labels))]
    return [
        _binned(state, np.full(len(state._codes), i == j), column, of_class, bins)
        for i, column in enumerate(state._columns)
        for j, of_class in enumerate(rows)
    ]


def _binned(
    state: MulticlassState, truth: Any, scores: Any, rows: Any, bins: int | str
) -> _core.SweepState:
    weights = state._weight_column
    of_rows = kept(state, truth)
    if not isinstance(rows, slice):
        of_rows = of_rows.gather(rows) if isinstance(of_rows, pl.Series) else of_rows[rows]
        scores = scores[rows]
        if weights is not None:
            weights = pl.Series(weights).gather(rows)
    swept_rows = swept(of_rows, scores, pos_label=True, sample_weight=weights, bins=bins)
    return swept_rows.with_type(state._score_type)
