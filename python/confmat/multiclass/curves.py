"""ROC and precision-recall curves of many classes: of each, pooled, and their mean."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import Side
from confmat.labels import Label
from confmat.multiclass.inputs import Floats
from confmat.multiclass.ladder import Ladder
from confmat.multiclass.state import ClassSums
from confmat.scores import curves as score_curves
from confmat.scores.bands import Band, checked_band


def roc_curve(
    state: ClassSums,
    average: Literal["macro", "micro"] | None = "macro",
    grid: int | Any = 1001,
    *,
    ci: float | None = None,
    side: Side = "both",
    band: Band = "pointwise",
) -> pl.DataFrame:
    """Return the averaged ROC curve, or those of all classes.

    Parameters
    ----------
    average : {"macro", "micro"} or None, default "macro"
        "macro": at each false positive rate of the grid, the mean of the true positive rates
        of the classes, on straight lines between points and at the upper end of vertical
        steps. "micro": the curve of all n x K decisions pooled. None: the curve of each class
        against the rest.
    grid : int or array-like of float, default 1001
        For "macro": so many false positive rates from 0 to 1, or these.
    ci, side, band
        For None: limits of each class against the rest, as `roc_curve` of `one_vs_rest` has them.
        Then all points are there, and a level is of each class by itself.

    Returns
    -------
    polars.DataFrame
        "macro": `fpr`, `tpr`. "micro": `threshold`, `fpr`, `tpr`, `fp`, `tp`, from +inf at
        (0, 0) down. None: the same with `label` before. Points in line between two others are
        left out. Classes without rows, or with all of them, have no curve.

    Raises
    ------
    InputError
        An unknown average; a grid that is not of numbers from 0 to 1.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.roc_curve(grid=3).rows()
    [(0.0, 0.25), (0.5, 0.75), (1.0, 1.0)]
    """
    _check_limits(average, ci, side, band)
    if _checked(average) == "macro":
        x = _grid(grid)
        rates = [ladder.tpr_at(x) for ladder in _two_sided(state).values()]
        return _mean_curve("fpr", x, "tpr", rates)
    if average == "micro":
        return _roc(state._pooled)
    ladders = _two_sided(state)
    if ci is not None:
        return _with_limits(score_curves.roc_curve, state, ladders, ci=ci, side=side, band=band)
    return _long(_roc, ladders, state.labels)


def pr_curve(
    state: ClassSums,
    average: Literal["macro", "micro"] | None = "macro",
    grid: int | Any = 1001,
    *,
    ci: float | None = None,
    side: Side = "both",
    band: Band = "pointwise",
) -> pl.DataFrame:
    """Return the averaged precision-recall curve, or those of all classes.

    Parameters
    ----------
    average : {"macro", "micro"} or None, default "macro"
        "macro": at each recall of the grid, the mean over classes of the precision at the
        highest threshold that reaches this recall (steps, as in average precision). "micro":
        the curve of all n x K decisions pooled. None: the curve of each class.
    grid : int or array-like of float, default 1001
        For "macro": so many recalls from 0 to 1, or these.
    ci, side, band
        As in `roc_curve`.

    Returns
    -------
    polars.DataFrame
        "macro": `recall`, `precision`. "micro": `threshold`, `recall`, `precision`, `tp`,
        `fp`, from the highest threshold down. None: the same with `label` before. Of
        thresholds that change nothing but `fp` only the lowest is there. Classes without rows
        have no curve.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.pr_curve(grid=3).select("recall", "precision").rows()
    [(0.0, 0.75), (0.5, 0.75), (1.0, 0.5833333333333333)]
    """
    _check_limits(average, ci, side, band)
    if _checked(average) == "macro":
        x = _grid(grid)
        precisions = [ladder.precision_at(x) for ladder in _one_sided(state).values()]
        return _mean_curve("recall", x, "precision", precisions)
    if average == "micro":
        return _pr(state._pooled)
    ladders = _one_sided(state)
    if ci is not None:
        return _with_limits(score_curves.pr_curve, state, ladders, ci=ci, side=side, band=band)
    return _long(_pr, ladders, state.labels)


def _check_limits(average: Any, ci: float | None, side: Any, band: Any) -> None:
    checked_band(band, ci, side)
    if ci is not None and average is not None:
        raise InputError(
            f"`ci` is of curves of each class, and `average` {average!r}; wanted average=None"
        )


def _with_limits(
    curve: Callable[..., pl.DataFrame],
    state: ClassSums,
    labels: Iterable[Label],
    **limits: Any,
) -> pl.DataFrame:
    """Return the curves of classes against the rest below each other; of none, no rows."""
    known = list(labels)
    parts = [curve(state._against_rest(label), **limits) for label in known]
    heights = [len(part) for part in parts]
    if not parts:
        parts = [curve(state._against_rest(state.labels[0]), **limits).clear()]
    of_rows = [label for label, height in zip(known, heights, strict=True) for _ in range(height)]
    column = pl.Series("label", of_rows, dtype=pl.Series(state.labels).dtype)
    return pl.concat(parts).insert_column(0, column)


def _two_sided(state: ClassSums) -> dict[Label, Ladder]:
    """Return the ladders of the classes that have rows, and others without."""
    ladders = _one_sided(state)
    return {label: ladder for label, ladder in ladders.items() if ladder.n_others > 0}


def _one_sided(state: ClassSums) -> dict[Label, Ladder]:
    ladders = zip(state.labels, state._ladders, strict=True)
    return {label: ladder for label, ladder in ladders if ladder.n_members > 0}


def _checked(average: Any) -> str | None:
    if average is None or (isinstance(average, str) and average in ("macro", "micro")):
        known: str | None = average
        return known
    raise InputError(f"`average` is {average!r}; wanted 'macro', 'micro' or None")


def _grid(grid: Any) -> Floats:
    try:
        number = operator.index(grid)
    except TypeError:
        pass
    else:
        if number < 2:
            raise InputError(f"`grid` is {grid!r}; wanted at least 2 points, or numbers")
        return np.linspace(0.0, 1.0, number)
    try:
        points = np.array(grid, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.full(1, np.nan)
    if points.ndim != 1 or not ((points >= 0) & (points <= 1)).all():
        raise InputError(f"`grid` is {grid!r}; wanted a number of points, or numbers from 0 to 1")
    return points


def _mean_curve(of: str, x: Floats, name: str, curves: list[Floats]) -> pl.DataFrame:
    if not curves:
        return pl.DataFrame(schema={of: pl.Float64, name: pl.Float64})
    return pl.DataFrame({of: x, name: np.mean(curves, axis=0)})


def _roc(ladder: Ladder) -> pl.DataFrame:
    points = ladder.points()
    threshold, tp, fp = (
        np.concatenate([[first], part])
        for first, part in ((np.inf, points.threshold), (0.0, points.tp), (0.0, points.fp))
    )
    rates = {"fpr": fp, "tpr": tp}
    frame = pl.DataFrame({"threshold": threshold} | rates | {"fp": fp, "tp": tp})
    return frame.with_columns((pl.col(list(rates)) / pl.col(list(rates)).last()).fill_nan(None))


def _pr(ladder: Ladder) -> pl.DataFrame:
    points = ladder.points()
    frame = pl.DataFrame({"threshold": points.threshold, "tp": points.tp, "fp": points.fp})
    recall, precision = (
        pl.col("tp") / pl.col("tp").last(),
        pl.col("tp") / pl.sum_horizontal("tp", "fp"),
    )
    return frame.select(
        "threshold", recall.alias("recall"), precision.alias("precision"), "tp", "fp"
    )


_NO = np.zeros(0)
_EMPTY = Ladder(_NO, _NO, _NO, _NO, _NO, below=0.0, lowest_below=np.nan)


def _long(
    curve: Callable[[Ladder], pl.DataFrame], ladders: dict[Label, Ladder], all_labels: Any
) -> pl.DataFrame:
    parts = [curve(ladder) for ladder in ladders.values()]
    labels = [label for label, part in zip(ladders, parts, strict=True) for _ in range(len(part))]
    column = pl.Series("label", labels, dtype=pl.Series(all_labels).dtype)
    return pl.concat([curve(_EMPTY).clear(), *parts]).insert_column(0, column)
