"""Sweeps over every threshold: made from labels and scores, exact or in bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError, StateError
from confmat.inputs import column, label_column
from confmat.labels import Label, one_label
from confmat.missing import null_message
from confmat.own_errors import own_errors
from confmat.scores import saved as score_bytes
from confmat.scores import summary as score_summary
from confmat.scores.binned import BinnedSweep
from confmat.scores.clipping import type_of
from confmat.scores.grid import Bins, joined, read_grid, refined
from confmat.scores.probabilities import ScoreProbabilities
from confmat.scores.state import Floats, ScoreState

if TYPE_CHECKING:
    from typing_extensions import Self


class Sweep(ScoreProbabilities):
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

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return read_sweep, (self.to_bytes(),)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the sweep that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        state = score_bytes.decode(data)
        if state.bins is not None:
            raise StateError("these bytes are a binned sweep; BinnedSweep.from_bytes reads it")
        return cls._of(state)

    @property
    def scores(self) -> npt.NDArray[np.float32] | npt.NDArray[np.float64]:
        """The distinct scores, descending; float32 or float64, read-only."""
        return self._at

    def __add__(self, other: object) -> Self:
        """Merge: the sweep of the rows of both. Labels must be equal."""
        if not isinstance(other, ScoreState):
            return NotImplemented
        self._check_same(other, "add")
        parts = [(s._at, s._positives, s._negatives) for s in (self, other)]
        at, positives, negatives = _core.sweep_merge(parts)
        return self._joined(other, (at, None, None), positives, negatives, 1)

    def __str__(self) -> str:
        return score_summary.text(self)

    def _repr_html_(self) -> str:
        return score_summary.html(self)


def read_sweep(data: bytes) -> Sweep:
    """Return the sweep that `to_bytes` wrote; what unpickling calls."""
    return Sweep.from_bytes(data)


@overload
def sweep(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = ...,
    sample_weight: Any = ...,
    bins: None = ...,
    nan: Literal["raise", "drop"] = ...,
    nulls: Literal["drop", "raise"] = ...,
) -> Sweep: ...
@overload
def sweep(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = ...,
    sample_weight: Any = ...,
    bins: Any,
    nan: Literal["raise", "drop"] = ...,
    nulls: Literal["drop", "raise"] = ...,
) -> BinnedSweep: ...
@own_errors
def sweep(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    bins: Any = None,
    nan: Literal["raise", "drop"] = "raise",
    nulls: Literal["drop", "raise"] = "drop",
) -> Sweep | BinnedSweep:
    """Count positives and negatives at every score, for curves, areas and thresholds.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two classes: booleans, integers or texts. NumPy, Polars, pandas, pyarrow, lists and any
        object with `__arrow_c_stream__`, `__arrow_c_array__` or `__array__`.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class: floats, integers that a float64 holds exactly, or
        Booleans, which are 0 and 1. Infinite scores are ordered like any other.
    pos_label : label, optional
        The positive class. Needed unless the classes are {0, 1}, {False, True} or {-1, 1}.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights. Integers give counts, up to 2^63 - 1 together, floats sums. A row of
        weight 0 is checked like any other, and adds no score.
    bins : "unit", int, "float16", array-like or ("quantile", int), optional
        Default: exact, one entry for each distinct score. "unit" makes 131,051 bins that are the
        same for any data and fine everywhere in [0, 1]: at most 2^-15 wide, and within 2^-5 of
        either end 2^-11 of the distance to it (2^-8 within 2^-20); of other scores they are 2^-7
        of sizes from 1 to 256, and coarser beyond. One pass, bounded memory. A power of two from 2
        to 65536 cuts the range of floats into so many bins by the leading bits of a float32, of the
        same relative width for any size; "float16" makes each float16 a bin, of the scores up to
        the next, and so does 65536 for float16 scores; increasing edges make the bins
        [edge, next edge), one below the first and one from the last on; ("quantile", 1000) makes
        about so many bins of about the same number of rows, in two passes and bounded memory.
        While each bin holds one score alone, the sweep `is_exact`.
    nan : {"raise", "drop"}, default "raise"
        Refuse a nan score, or leave its row out and count it in `n_nan`.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out and count them in `n_dropped`, or refuse them.

    Returns
    -------
    Sweep or BinnedSweep
        Binned where `bins` is given. Log loss clips at the machine epsilon of the dtype of
        `y_score` (`clip`); sweeps of different dtypes do not merge.

    Raises
    ------
    InputError
        Unequal lengths, other classes than 0 and 1 without `pos_label`, more than two classes, a
        nan score, scores that are no numbers or outside the edges, weights that are negative or
        not finite or sum to too much, bins that are no map of this name, no power of two or not
        increasing.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep(["ham", "spam", "spam"], [0.2, 0.9, 0.6], pos_label="spam")
    >>> s.labels, s.roc_auc
    (['ham', 'spam'], 1.0)
    >>> s.at(0.7).counts.tolist()
    [[1, 0], [1, 1]]
    >>> cm.sweep([0, 1, 1], [0.2, 0.9, 0.6], bins="unit").is_exact
    True
    """
    if nan not in ("raise", "drop"):
        raise InputError(f"`nan` is {nan!r}; wanted 'raise' or 'drop'")
    if nulls not in ("drop", "raise"):
        raise InputError(f"`nulls` is {nulls!r}; wanted 'drop' or 'raise'")
    scores = column(y_score, "y_score")
    grid = None if bins is None else read_grid(bins, scores.half)
    columns = {"y_true": label_column(y_true, "y_true").data, "y_score": scores.data}
    weight = None
    if sample_weight is not None:
        weight = columns["sample_weight"] = column(sample_weight, "sample_weight").data
    label = None if pos_label is None else one_label(pos_label, "pos_label")
    rows = (coded(columns["y_true"]), columns["y_score"], weight, label)
    drop = nan == "drop"
    lower: Floats | None = None
    upper: Floats | None = None
    kept: Bins | None = None
    at: npt.NDArray[Any] | None
    if grid is None:
        at, positives, negatives, labels, _, dropped, n_nan = _core.sweep(*rows, drop, 0)
    else:
        kept = grid.bins
        lower, upper, positives, negatives, at, labels, _, dropped, n_nan = _core.sweep_binned(
            *rows, kept, drop, 0
        )
        if grid.quantiles is not None:
            fine = refined(lower, upper, positives, negatives)
            parts = _core.sweep_binned(*rows, fine, drop, 0)[:5]
            kept, lower, upper, positives, negatives, at = joined(*parts, grid.quantiles)
    if dropped and nulls == "raise":
        raise InputError(null_message(columns, dropped))
    negative, positive = labels
    assert positive is not None
    state = score_bytes.State(
        at,
        lower,
        upper,
        kept,
        positives,
        negatives,
        negative,
        positive,
        dropped,
        n_nan,
        type_of(scores.data if at is None else at, scores.half),
    )
    return Sweep._of(state) if grid is None else BinnedSweep._of(state)
