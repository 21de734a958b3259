"""Positives and negatives at every score, of any rows that scikit-learn takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import (
    _check_pos_label_consistency,
    _check_sample_weight,
    assert_all_finite,
    check_consistent_length,
    column_or_1d,
)

from confmat import _core
from confmat.errors import ConfmatError
from confmat.sklearn import plain_columns

Column = npt.NDArray[Any]

_LABELS = (type(None), int, bool, str)
_EXACT = 1 << 53  # integers that a float64 holds


class Ladder(NamedTuple):
    """Distinct scores, descending, and the rows or the weight of both classes at each."""

    scores: Column
    positives: Column
    negatives: Column
    classes: int | None  # how many labels the rows have; None: not known

    @property
    def tps(self) -> npt.NDArray[np.float64]:
        """Positives with at least each score."""
        return np.cumsum(self.positives, dtype=np.float64)

    @property
    def fps(self) -> npt.NDArray[np.float64]:
        """Negatives with at least each score."""
        return np.cumsum(self.negatives, dtype=np.float64)

    def value(self, name: str) -> float:
        """Return a number of the core's registry."""
        scores = self.scores
        if scores.dtype.char not in "fd":
            scores = scores.astype(np.float64)
        return _core.score_values([name], scores, self.positives, self.negatives)[0]


class SummedLadder(NamedTuple):
    """The same, added up row by row: float weights round as in scikit-learn, to the last bit."""

    scores: Column
    tps: npt.NDArray[np.float64]
    fps: npt.NDArray[np.float64]
    classes: int | None

    @property
    def positives(self) -> Column:
        """Positives at each score."""
        return np.diff(self.tps, prepend=0.0)

    @property
    def negatives(self) -> Column:
        """Negatives at each score."""
        return np.diff(self.fps, prepend=0.0)


def at_a_glance(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Ladder | None:
    """Return the ladder of plain columns that both libraries take; None: look closer."""
    truth, scores = plain_columns.labels(y_true), plain_columns.floats(y_score)
    if truth is None or scores is None or type(pos_label) not in _LABELS:
        return None
    weight = None
    if sample_weight is not None:
        weight = plain_columns.weights(sample_weight, len(scores))
        if weight is None:
            return None
    try:
        state = _core.sweep(plain_columns.lying(truth), scores, weight, pos_label, False, False, 0)
    except ConfmatError:
        return None
    found = state.scores
    if state.n_dropped or found is None or not (np.isfinite(found[0]) and np.isfinite(found[-1])):
        return None
    positives, negatives = state.positives, state.negatives
    classes = None if state.negative is None else _classes(positives, negatives)
    return Ladder(found, positives, negatives, classes)


def _classes(positives: Column, negatives: Column) -> int:
    return int(bool(positives.any())) + int(bool(negatives.any()))


def ladder(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, by_rows: bool = False
) -> Ladder | SummedLadder:
    """Return the ladder of any rows that scikit-learn takes.

    Raises
    ------
    ValueError
        As scikit-learn does.
    """
    if not by_rows or sample_weight is None:
        found = at_a_glance(y_true, y_score, pos_label, sample_weight)
        if found is not None:
            return found
    elif _two_usual_classes(y_true, pos_label):
        truth, scores = plain_columns.labels(y_true), plain_columns.floats(y_score)
        weight = None if scores is None else plain_columns.weights(sample_weight, len(scores))
        if truth is not None and weight is not None and len(truth) == len(weight):
            assert scores is not None
            found_by_rows = _summed(truth == 1, scores, weight)
            if np.isfinite(found_by_rows.scores[[0, -1]]).all():
                return found_by_rows
    y_type = type_of_target(y_true, input_name="y_true")
    if not (y_type == "binary" or (y_type == "multiclass" and pos_label is not None)):
        raise ValueError(f"{y_type} format is not supported")
    pos_label = _check_pos_label_consistency(pos_label, y_true)
    positive = np.asarray(np.asarray(y_true) == pos_label, dtype=np.int32)
    return of_checked_rows(*checked(positive, y_score, sample_weight), by_rows)


def _two_usual_classes(y_true: Any, pos_label: Any) -> bool:
    """Return whether 1 is the positive one of two classes, without a look at texts."""
    truth = plain_columns.plain(y_true)
    if truth is None or truth.dtype.kind not in "biu" or type(pos_label) not in (type(None), int):
        return False
    if pos_label not in (None, 1):
        return False
    return truth.dtype.kind == "b" or bool(truth.min() == 0 and truth.max() == 1)


def checked(y_true: Any, y_score: Any, sample_weight: Any) -> tuple[Column, Column, Column | None]:
    """Return labels, scores and weights that scikit-learn's validators have passed."""
    check_consistent_length(y_true, y_score, sample_weight)
    y_true = column_or_1d(y_true)
    y_score = column_or_1d(y_score)
    assert_all_finite(y_true)
    assert_all_finite(y_score)
    if sample_weight is not None:
        sample_weight = _check_sample_weight(column_or_1d(sample_weight), y_true)
    return y_true, y_score, sample_weight


def of_checked_rows(
    positive: Column, scores: Column, weight: Column | None, by_rows: bool = False
) -> Ladder | SummedLadder:
    """Return the ladder of checked rows: 0 and 1, any type of scores, any sign of weights."""
    counted = None if by_rows and weight is not None else _counted(positive, scores, weight)
    return _summed(positive, scores, weight) if counted is None else counted


def _counted(positive: Column, scores: Column, weight: Column | None) -> Ladder | None:
    kind = scores.dtype.kind
    if not len(scores) or kind not in "biuf" or scores.dtype.itemsize > 8:
        return None
    if kind in "iu" and not -_EXACT <= scores.min() <= scores.max() <= _EXACT:
        return None
    wide = scores if scores.dtype.char in "fd" else scores.astype(np.float64)
    try:
        state = _core.sweep(positive.astype(np.bool_), wide, weight, True, False, False, 0)
    except ConfmatError:
        return None  # weights below 0
    if state.scores is None or not len(state.scores):
        return None
    positives, negatives = state.positives, state.negatives
    return Ladder(state.scores.astype(scores.dtype, copy=False), positives, negatives, None)


def _summed(positive: Column, scores: Column, weight: Column | None) -> SummedLadder:
    if weight is not None:
        heavy = weight != 0
        positive, scores, weight = positive[heavy], scores[heavy], weight[heavy]
    order = descending(scores)
    scores, positive = scores[order], positive[order].astype(np.float64)
    ends = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    if weight is None:
        tps = np.cumsum(positive)[ends]
        return SummedLadder(scores[ends], tps, 1.0 + ends - tps, None)
    weight = weight[order]
    tps = np.cumsum(positive * weight)[ends]
    fps = np.cumsum((1 - positive) * weight)[ends]
    return SummedLadder(scores[ends], tps, fps, None)


def descending(scores: Column) -> npt.NDArray[np.intp]:
    """Return the places of the scores from the highest down, equal ones as they stand."""
    return len(scores) - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
