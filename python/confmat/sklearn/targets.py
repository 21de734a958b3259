"""True and predicted targets, counted: plain ones at once, others after scikit-learn's validators.

Counting comes first and validation where counting finds anything unusual: what is plain to the
core (numbers or texts of one kind, no null, no fraction) is valid to scikit-learn, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics._classification import _check_targets
from sklearn.utils import check_array
from sklearn.utils._array_api import move_to
from sklearn.utils._unique import attach_unique

from confmat import _core
from confmat.errors import InputError
from confmat.matrices.sparse import of_core
from confmat.sklearn.classes import Classes, table
from confmat.sklearn.columns import NUMBERS, plain_labels, plain_weights
from confmat.sklearn.sets import Sets


def targets(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Classes | Sets:
    """Return the counts of true and predicted targets.

    Raises
    ------
    ValueError, TypeError
        Those of scikit-learn, in its words.
    """
    found = plain_targets(y_true, y_pred, sample_weight)
    if found is not None:
        return found
    truth, pred = attach_unique(y_true, y_pred)
    return _checked(truth, pred, sample_weight)


def class_targets(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Classes:
    """Return the counts of true and predicted classes, for what is made of the matrix of these.

    Raises
    ------
    ValueError, TypeError
        Those of scikit-learn, in its words.
    """
    counted = plain_targets(y_true, y_pred, sample_weight)
    if counted is None:
        truth, pred = (
            check_array(
                values, dtype=None, ensure_2d=False, ensure_all_finite=False, ensure_min_samples=0
            )
            for values in (y_true, y_pred)
        )
        weight = np.ones(len(truth), dtype=np.int64) if sample_weight is None else sample_weight
        counted = _checked(truth, pred, weight if len(weight) else None)
    if isinstance(counted, Sets):
        raise ValueError(f"{counted.kind} is not supported")
    return counted


def plain_targets(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Classes | Sets | None:
    """Return the counts of targets that need no validator, or None."""
    return _plain_classes(y_true, y_pred, sample_weight) or _plain_sets(
        y_true, y_pred, sample_weight
    )


def _plain_classes(y_true: Any, y_pred: Any, sample_weight: Any) -> Classes | None:
    truth = plain_labels(y_true)
    pred = None if truth is None else plain_labels(y_pred)
    if pred is None:
        return None
    weight = None
    if sample_weight is not None:
        weight = plain_weights(sample_weight)
        if weight is None or not weight.any():
            return None
    dtypes = [getattr(values, "dtype", None) for values in (truth, pred)]
    dtype = None
    if all(isinstance(one, np.dtype) and one.kind in "biuf" for one in dtypes):
        dtype = np.result_type(*dtypes)
        if dtype.kind == "b":  # the core's Booleans are two, also where one is not there
            truth, pred = truth.view(np.uint8), pred.view(np.uint8)
    return _counted(truth, pred, weight, dtype, y_true)


def _counted(truth: Any, pred: Any, weight: Any, dtype: Any, y_true: Any) -> Classes | None:
    try:
        state = _core.count(truth, pred, weight, None, 0)[0]
    except InputError:
        return None
    if state.n_dropped or not state.rows:
        return None
    labels = state.labels
    if isinstance(labels[0], bool):
        return None
    return Classes(
        labels, state.cells, state.rows, dtype=dtype, y_true=y_true, weighted=weight is not None
    )


def _plain_sets(y_true: Any, y_pred: Any, sample_weight: Any) -> Sets | None:
    if type(y_true) is not np.ndarray or type(y_pred) is not np.ndarray:
        return None
    if y_true.ndim != 2 or y_true.shape != y_pred.shape or y_true.shape[1] < 2 or not len(y_true):
        return None
    weight = None
    if sample_weight is not None:
        weight = plain_weights(sample_weight)
        if weight is None or len(weight) != len(y_true) or not weight.any():
            return None
        if weight.dtype.kind == "f" and not np.isfinite(weight.sum()):
            return None
        if weight.min() < 0:
            return None
    truth = _ones(y_true)
    pred = None if truth is None else _ones(y_pred)
    return None if truth is None or pred is None else Sets(truth, pred, _of_core(weight))


def _ones(values: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
    """Return where values are 1; None where some are neither 0 nor 1."""
    if values.dtype.kind == "b":
        return values
    if values.dtype.char not in NUMBERS or not values.flags.c_contiguous:
        return None
    ones, nulls, refused = _core.indicators([values.reshape(-1)], values.shape[1], "y", 0)
    return ones.reshape(values.shape) if nulls is None and refused is None else None


def _of_core(weight: npt.NDArray[Any] | None) -> npt.NDArray[Any] | None:
    """Return weights in a type in which rows of label sets are counted."""
    if weight is None or weight.dtype in (np.int64, np.float64):
        return weight
    return weight.astype(np.int64 if weight.dtype.kind in "biu" else np.float64)


def _checked(y_true: Any, y_pred: Any, sample_weight: Any) -> Classes | Sets:
    y_true, y_pred, sample_weight = move_to(y_true, y_pred, sample_weight, xp=np, device="cpu")
    kind, present, truth, pred, weight = _check_targets(y_true, y_pred, sample_weight)
    if kind == "multilabel-indicator":
        return Sets(truth, pred, _of_core(weight))
    if weight is not None and weight.dtype.kind not in "biuf":
        weight = weight.astype(np.float64)
    if weight is None or not (weight < 0).any():
        found = _plain_classes(truth, pred, weight)
        if found is not None:
            return found
    return _coded(present, truth, pred, weight)


def _coded(present: npt.NDArray[Any], truth: Any, pred: Any, weight: Any) -> Classes:
    """Return the counts of positions in the labels; sums of weights wrap around as NumPy's do."""
    places = list(range(len(present)))
    at = [np.searchsorted(present, values) for values in (truth, pred)]
    cells: Any = 0
    for part, factor in _non_negative(weight):
        state = _core.count(at[0], at[1], part, places, 0)[0]
        cells = cells + factor * table(of_core(len(places), state.cells))
    return Classes(
        tuple(present.tolist()),
        cells,
        len(truth),
        dtype=present.dtype,
        y_true=truth,
        weighted=weight is not None,
    )


def _non_negative(weight: Any) -> list[tuple[Any, int]]:
    """Return weights of which the core takes sums, and what these are to be multiplied by."""
    if weight is None:
        return [(None, 1)]
    if weight.dtype.kind == "f":
        return [(np.maximum(weight, 0), 1), (np.maximum(-weight, 0), -1)]
    high, low = weight.astype(np.int64) >> 32, weight.astype(np.int64) & 0xFFFFFFFF
    return [(low, 1), (np.maximum(high, 0), 1 << 32), (np.maximum(-high, 0), -(1 << 32))]
