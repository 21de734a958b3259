"""DeLong's variance of areas under the ROC curve: of one sweep, and of two scores of same rows.

The placement of a positive is the share of negatives below its score, ties counting half; that of
a negative the share of positives above its own. The area is the mean of either, and its variance is
that of the two means. Here all is told in what placements lack to 1, which stays precise where the
area is near 1.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.errors import InputError, Row
from confmat.inputs import column
from confmat.labels import Label
from confmat.missing import first_missing
from confmat.own_errors import own_errors
from confmat.scores.from_rows import swept
from confmat.scores.state import Floats, ScoreState
from confmat.scores.values import value

Mask: TypeAlias = npt.NDArray[np.bool_]


class PairedAreas(NamedTuple):
    """Two areas under the ROC curve of the same rows, their variances and their covariance."""

    auc_a: float
    auc_b: float
    var_a: float
    var_b: float
    cov: float


@own_errors
def delong(state: ScoreState) -> tuple[float, float]:
    """Return the area under the ROC curve and its variance, in one pass over the distinct scores.

    Parameters
    ----------
    state : ScoreState
        A sweep, exact or in bins; the rows of a bin are tied.

    Returns
    -------
    tuple of float
        (area, variance). Both nan where a class has no rows; the variance is nan where a class has
        one row alone, and of float weights whose squares are not known.

    Notes
    -----
    Integer weights are counts of equal rows; of floats the variance takes the squares, as that of
    `paired_delong`.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595;
    Sun and Xu (2014), https://doi.org/10.1109/LSP.2014.2337313.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.scores.delong import delong
    >>> area, variance = delong(cm.sweep([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.4]))
    >>> round(area, 4), round(variance, 4)
    (0.75, 0.0833)
    """
    sides = (state._positives, state._negatives)
    if not state.weighted:
        return _core.area_variance(*sides)
    variance, squares = math.nan, state._squares_within()
    if squares is not None:
        variance = _core.area_variance(*sides, squares=squares)[1]
    return value(state, "roc_auc"), variance


@own_errors
def paired_delong(
    y_true: Any, a: Any, b: Any, sample_weight: Any = None, *, pos_label: Label | None = None
) -> PairedAreas:
    """Return the areas of two scores of the same rows, their variances and their covariance.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two classes, as `sweep` takes them.
    a, b : array-like of shape (n,)
        The scores that are compared.
    sample_weight : array-like of shape (n,), optional
        Weights. Integers are counts of equal rows; of floats the variance takes the squares, as
        of rows drawn together with their weights.
    pos_label : label, optional
        As in `sweep`.

    Returns
    -------
    PairedAreas
        (auc_a, auc_b, var_a, var_b, cov); the variances are nan where a class has one row alone,
        all are nan where it has none.

    Raises
    ------
    InputError
        What `sweep` refuses; a null.

    Notes
    -----
    O(n log n). The variance of a weighted mean is the sum of w^2 (x - mean)^2 over that of w,
    squared, and over 1 minus the share of the sum of w^2 in this square: of equal weights the
    usual n - 1.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595;
    Sun and Xu (2014), https://doi.org/10.1109/LSP.2014.2337313.

    Examples
    --------
    >>> from confmat.scores.delong import paired_delong
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> both = paired_delong(y, [0.1, 0.4, 0.2, 0.35, 0.8, 0.9], [0.1, 0.2, 0.6, 0.5, 0.3, 0.7])
    >>> [round(number, 4) for number in both]
    [0.8889, 0.7778, 0.0247, 0.0617, -0.0062]
    """
    given = {"y_true": y_true, "a": a, "b": b}
    if sample_weight is not None:
        given["sample_weight"] = sample_weight
    data = {name: column(values, name).data for name, values in given.items()}
    for name, values in data.items():
        row = first_missing(values)
        if row is not None:
            raise InputError("null or nan ", Row(row), f" of `{name}`; wanted none in paired rows")
    states = [
        ScoreState._around(
            swept(
                data["y_true"],
                data[name],
                pos_label=pos_label,
                sample_weight=data.get("sample_weight"),
            )
        )
        for name in ("a", "b")
    ]
    positive = (pl.Series(data["y_true"]) == states[0].pos_label).to_numpy()
    weights = None if sample_weight is None else pl.Series(data["sample_weight"]).to_numpy()
    one, other = (pl.Series(data[name]).to_numpy() for name in ("a", "b"))
    return of_rows(positive, one, other, weights)


def of_rows(
    positive: Mask,
    a: npt.NDArray[Any],
    b: npt.NDArray[Any],
    weights: npt.NDArray[Any] | None = None,
) -> PairedAreas:
    """Return what `paired_delong` does, of checked columns without nulls."""
    found: list[float] = []
    if weights is not None:
        held = weights > 0
        positive, a, b, weights = positive[held], a[held], b[held], weights[held]
    lost = [lost_placements(positive, scores, weights) for scores in (a, b)]
    sums = np.zeros(3)
    for side in (positive, ~positive):
        x, y = (part[side] for part in lost)
        w = None if weights is None else weights[side]
        means, moments = _of_means(x, y, w)
        found = found or means
        sums += moments
    return PairedAreas(1 - found[0], 1 - found[1], *sums.tolist())


def lost_placements(
    positive: Mask, scores: npt.NDArray[Any], weights: npt.NDArray[Any] | None = None
) -> Floats:
    """Return what the placement of each row lacks to 1: the share of the other class beyond it.

    Of a positive the negatives above, of a negative the positives below, ties counting half; nan
    where the other class is empty.
    """
    n = len(scores)
    if not n:
        return np.empty(0)
    whole = weights is None or weights.dtype.kind != "f"
    kind: Any = np.int64 if whole else np.float64
    order = np.argsort(scores, kind=None if whole else "stable")
    at = scores[order]
    starts = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
    is_positive = positive[order]
    each = np.ones(n, kind) if weights is None else weights[order].astype(kind)
    p = np.add.reduceat(np.where(is_positive, each, 0), starts, dtype=kind)
    q = np.add.reduceat(np.where(is_positive, 0, each), starts, dtype=kind)
    tp, fp = np.cumsum(p), np.cumsum(q)
    with np.errstate(invalid="ignore", divide="ignore"):
        below = (tp - p / 2) / tp[-1]
        above = (fp[-1] - fp + q / 2) / fp[-1]
    lengths = np.diff(np.append(starts, n))
    placed = np.where(is_positive, np.repeat(above, lengths), np.repeat(below, lengths))
    lost = np.empty(n)
    lost[order] = placed
    return lost


def _of_means(
    x: Floats, y: Floats, weights: npt.NDArray[Any] | None
) -> tuple[list[float], list[float]]:
    """Return two means, and the variances of both and their covariance."""
    if not len(x):
        return [math.nan] * 2, [math.nan] * 3
    counted = weights is None or weights.dtype.kind != "f"
    w = np.ones(len(x)) if weights is None else weights.astype(np.float64)
    total = float(w.sum())
    means = [float((w * part).sum()) / total for part in (x, y)]
    dx, dy = x - means[0], y - means[1]
    if counted:
        each, scale = w, total * (total - 1)
    else:
        each = (w / total) ** 2
        scale = 1 - float(each.sum())
    if scale <= 0:
        return means, [math.nan] * 3
    return means, [float((each * u * v).sum()) / scale for u, v in ((dx, dx), (dy, dy), (dx, dy))]
