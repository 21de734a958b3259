"""Areas under the curves of many classes: one against the rest, one against one, averaged."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.multiclass.inputs import Floats
from confmat.multiclass.state import ClassSums
from confmat.named_numbers import mean
from confmat.options import checked_undefined

_OVR = ("macro", "micro", "weighted")
_OVO = ("macro", "weighted")


def roc_auc(
    state: ClassSums,
    average: Literal["macro", "micro", "weighted"] = "macro",
    multi_class: Literal["ovr", "ovo"] = "ovr",
    undefined: float | None = None,
) -> float:
    """Return the area under the ROC curves; without weights each is a ratio of two integers."""
    if multi_class not in ("ovr", "ovo"):
        raise InputError(f"`multi_class` is {multi_class!r}; wanted 'ovr' or 'ovo'")
    _check_average(average, _OVR if multi_class == "ovr" else _OVO, multi_class)
    if average == "micro":
        return state._pooled.roc_auc() if state.n_classes_used else math.nan
    return _mean_of(state, *_areas(state, multi_class), average, undefined)


def average_precision(
    state: ClassSums,
    average: Literal["macro", "micro", "weighted"] = "macro",
    undefined: float | None = None,
) -> float:
    """Return the sum over thresholds of precision times the step of recall."""
    _check_average(average, _OVR, "ovr")
    if average == "micro":
        return state._pooled.average_precision() if state.n_classes_used else math.nan
    return _mean_of(state, precisions(state), state._sums["class_weights"], average, undefined)


def _areas(state: ClassSums, multi_class: str) -> tuple[Floats, Floats]:
    """Return the areas of classes or of pairs of them, and their weights."""
    if multi_class == "ovo":
        _, _, weight, area = _pairs(state)
        return area, weight
    return state._class_areas, state._sums["class_weights"]


def class_areas(state: ClassSums) -> Floats:
    """Return the area of each class against the rest; nan without rows on one side."""
    return state._class_areas


def precisions(state: ClassSums) -> Floats:
    """Return the average precision of each class; nan without rows of it."""
    return np.array([ladder.average_precision() for ladder in state._ladders])


def _mean_of(
    state: ClassSums, values: Floats, weights: Floats, average: str, undefined: Any
) -> float:
    """Return the mean; classes without a value are left out, or `undefined` stands in."""
    fill = checked_undefined(undefined)
    if fill is not None and state.n:
        values = np.where(np.isnan(values), fill, values)
    return mean(values, np.ones(len(values)) if average == "macro" else weights)


def pair_table(state: ClassSums) -> pl.DataFrame:
    """Return the one-vs-one areas, one row a pair of classes.

    Returns
    -------
    polars.DataFrame
        `a`, `b`: the classes; `n_a`, `n_b`: their rows or weights; `auc_a`: the area of a's
        probability for a against b; `auc_b`: of b's for b against a; `auc`: their mean, Hand
        and Till's A. Null where one of the two has no rows.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.pair_table().row(0)
    (0, 1, 1, 2, 0.5, 0.5, 0.5)
    """
    first, second, _, area = _pairs(state)
    labels = pl.Series(list(state.labels))
    support = state.support
    areas = state._pair_areas
    one, other = areas[first, second], areas[second, first]
    frame = pl.DataFrame(
        {
            "a": labels.gather(first),
            "b": labels.gather(second),
            "n_a": support[first],
            "n_b": support[second],
            "auc_a": one,
            "auc_b": other,
            "auc": area,
        }
    )
    return frame.with_columns(pl.col("auc_a", "auc_b", "auc").fill_nan(None))


def _pairs(
    state: ClassSums,
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats, Floats]:
    """Return the classes of each pair, their common weight, and the mean of their areas."""
    first, second = np.triu_indices(len(state.labels), 1)
    weights = state._sums["class_weights"]
    area = (state._pair_areas[first, second] + state._pair_areas[second, first]) / 2
    return first, second, weights[first] + weights[second], area


def _check_average(average: Any, known: tuple[str, ...], multi_class: str) -> None:
    if not isinstance(average, str) or average not in known:
        wanted = ", ".join(map(repr, known))
        of_each = "pair_table()" if multi_class == "ovo" else "per_class()"
        raise InputError(
            f"`average` is {average!r}; wanted one of {wanted} for {multi_class!r}; {of_each} has "
            "the value of each"
        )
