"""True and predicted targets, counted: plain ones at once, others after scikit-learn's validators.

Counting comes first and validation where counting finds anything unusual: what is plain to the
core (numbers or texts of one kind, no null, no fraction) is valid to scikit-learn, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics._classification import _check_targets
from sklearn.utils._array_api import move_to

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
    found = _plain_classes(y_true, y_pred, sample_weight)
    if found is None:
        found = _plain_sets(y_true, y_pred, sample_weight)
    return _checked(y_true, y_pred, sample_weight) if found is None else found


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
    if isinstance(dtypes[0], np.dtype) and isinstance(dtypes[1], np.dtype):
        if dtypes[0].kind in "biuf" and dtypes[1].kind in "biuf":
            dtype = np.result_type(*dtypes)
            if dtype.kind == "b":  # the core's Booleans are two, also where one is not there
                truth, pred = truth.view(np.uint8), pred.view(np.uint8)
    return _counted(truth, pred, weight, dtype)


def _counted(truth: Any, pred: Any, weight: Any, dtype: Any) -> Classes | None:
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
        labels, state.cells, state.rows, dtype=dtype, y_true=truth, weighted=weight is not None
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
    tables = [_ones(values) for values in (y_true, y_pred)]
    return None if any(table is None for table in tables) else Sets(*tables, _of_core(weight))


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
    return weight.astype(np.float64 if weight.dtype.kind == "f" else np.int64)


def _checked(y_true: Any, y_pred: Any, sample_weight: Any) -> Classes | Sets:
    y_true, y_pred, sample_weight = move_to(y_true, y_pred, sample_weight, xp=np, device="cpu")
    kind, present, truth, pred, weight = _check_targets(y_true, y_pred, sample_weight)
    if kind == "multilabel-indicator":
        return Sets(truth, pred, _of_core(weight))
    if weight is not None:
        weight = np.asarray(weight)
    if weight is None or not (weight < 0).any():
        found = _plain_classes(truth, pred, weight)
        if found is not None:
            return found
    at = [np.searchsorted(present, values) for values in (truth, pred)]
    return _coded(present, at, truth, weight)


def _coded(
    present: npt.NDArray[Any], at: list[npt.NDArray[Any]], truth: Any, weight: Any
) -> Classes:
    """Return the counts of positions in the labels; weights may be negative."""
    wanted = list(range(len(present)))
    if weight is None:
        cells = _core.count(*at, None, wanted, 0)[0].cells
    else:
        signed = weight.astype(np.float64)
        ups, downs = (
            of_core(len(wanted), _core.count(*at, np.maximum(part, 0), wanted, 0)[0].cells)
            for part in (signed, -signed)
        )
        cells = table(ups) - table(downs)
    return Classes(
        tuple(present.tolist()),
        cells,
        len(truth),
        dtype=present.dtype,
        y_true=truth,
        weighted=weight is not None,
    )
