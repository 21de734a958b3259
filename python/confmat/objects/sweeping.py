"""Sweeps made from labels and scores: `cm.sweep`, `cm.cost_sweep`."""

from __future__ import annotations

from typing import Any, Literal, overload

from confmat.labels import Label
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.sweep import Sweep
from confmat.own_errors import own_errors
from confmat.scores.from_rows import swept


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
    rows = {"pos_label": pos_label, "sample_weight": sample_weight, "nan": nan, "nulls": nulls}
    state = swept(y_true, y_score, bins=bins, **rows)
    return Sweep._around(state) if bins is None else BinnedSweep._around(state)
