"""By how much each row of scores of many classes moves a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.multiclass import row_losses
from confmat.multiclass.counted_rows import CountedRows
from confmat.multiclass.inputs import Floats
from confmat.multiclass.loss_intervals import changes_of_loss
from confmat.scores.influence import of_precision

_TOP = "top_k_accuracy"


def row_changes(
    rows: CountedRows, base: str, number: float, given: dict[str, Any], clip: float
) -> Floats:
    """Return by how much more of each row moves a number, times all rows: 0 in the mean.

    Of "roc_auc" and "average_precision" with every average, of the mean over pairs of classes, of
    losses and of top-k accuracy.

    Parameters
    ----------
    number : float
        Its value.
    given : dict
        Its parameters.
    clip : float
        How near to 0 and 1 probabilities come in the log loss.
    """
    if base == _TOP:
        return right_of_top(rows, given.get("k", 2)) - number
    if base not in ("roc_auc", "average_precision"):
        return changes_of_loss(rows, base, number, given, clip)[0]
    if given.get("multi_class") == "ovo":
        return _of_pairs(rows)
    average = given.get("average", "macro")
    if average == "micro":
        return rows.pooled_changes() if base == "roc_auc" else _of_pooled_precision(rows)
    if base == "roc_auc":
        found = rows.class_areas()
        return _of_mean(rows, found.areas, found.classes, found.changes, average)
    classes = np.unique(rows.codes).tolist()
    precisions = [_precision(rows.columns[at], rows.codes == at, rows.share) for at in classes]
    values, changes = zip(*precisions, strict=True)
    return _of_mean(rows, list(values), classes, np.array(changes), average)


def right_of_top(rows: CountedRows, k: int) -> Floats:
    """Return 1 for each row whose true class is among the k of the highest scores, else 0.

    Among equal scores the class of the last column comes first.
    """
    own = row_losses.of_truth(rows)
    above = np.zeros(rows.n, np.int64)
    for at, column in enumerate(rows.columns):
        above += (column > own) | ((column == own) & (at > rows.codes))
    return np.asarray(above < k, np.float64)


def _of_mean(
    rows: CountedRows, values: list[float], classes: list[int], changes: Floats, average: str
) -> Floats:
    """Return the changes of a mean of classes, whose weights rows may move, too."""
    if average == "macro":
        macro: Floats = changes.mean(axis=0)
        return macro
    own = np.bincount(rows.codes, rows.share, len(rows.columns))[classes]
    weights = own / own.sum()
    of_class = np.zeros(len(rows.columns))
    of_class[classes] = values - weights @ np.array(values)
    moved: Floats = weights @ changes + of_class[rows.codes]
    return moved


def _of_pairs(rows: CountedRows) -> Floats:
    """Return the changes of the mean of Hand and Till's areas of pairs."""
    found = rows.pair_areas()
    moved = np.zeros(rows.n)
    for places, changes in found.changes:
        moved[places] += changes / len(found.areas)
    return moved


def _of_pooled_precision(rows: CountedRows) -> Floats:
    """Return the changes of the one curve of all decisions, of all those of each row."""
    k = len(rows.columns)
    positive = (rows.codes[:, None] == np.arange(k)).ravel()
    scores = np.column_stack(rows.columns).ravel()
    changes = _precision(scores, positive, np.repeat(rows.share, k))[1]
    of_rows: Floats = changes.reshape(-1, k).sum(axis=1)
    return of_rows


def _precision(
    scores: npt.NDArray[Any], positive: npt.NDArray[np.bool_], share: Floats
) -> tuple[float, Floats]:
    """Return average precision, and by how much more of each row moves it."""
    at, places = np.unique(-scores, return_inverse=True)
    sides = (np.bincount(places, share * side, len(at)) for side in (positive, ~positive))
    p, q = (np.asarray(side, np.float64) for side in sides)
    value = float(p @ (np.cumsum(p) / np.cumsum(p + q))) / float(p.sum())
    own, other = of_precision(p, q)
    return value, np.where(positive, own[places], other[places])
