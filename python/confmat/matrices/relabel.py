"""The matrix of other classes: renamed, joined to coarser ones, some alone, no empty ones."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.labels import (
    MAX_CLASSES,
    Label,
    Origin,
    described,
    finder,
    label_set,
    one_label,
)
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import SparseCells, margins, packed

M = TypeVar("M", bound=MatrixBase)
Places = npt.NDArray[np.int64]


def relabel(state: M, mapping: Mapping[Any, Any], default: Label | None = None) -> M:
    """Return the matrix with other labels; classes that get the same label become one.

    Rolling classes up along a taxonomy is `relabel` with the parent of each: the counts are those
    that the rows would give with these labels.

    Parameters
    ----------
    mapping : mapping
        Labels to their new labels. Those that are not named stay as they are.
    default : label, optional
        The new label of all that are not named, such as "other".

    Returns
    -------
    ConfusionMatrix
        Labels in the order in which the first of their classes stood; sorted where they were found
        in rows. The positive class is the one that the old one is in.

    Raises
    ------
    InputError
        A label that is not in the matrix, new labels of different kinds.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]], labels=["cat", "dog", "car"])
    >>> coarse = m.relabel({"cat": "animal", "dog": "animal"})
    >>> coarse.labels, coarse.counts.tolist()
    (('animal', 'car'), [[48, 0], [24, 8]])
    >>> m.relabel({"car": "car"}, default="other").labels
    ('other', 'car')
    """
    if not isinstance(mapping, Mapping):
        raise InputError(f"`mapping` is {described(mapping)}; wanted a mapping of labels to labels")
    labels = state._labels
    new: list[Label] = (
        list(labels) if default is None else [one_label(default, "default")] * len(labels)
    )
    find = finder(labels, "mapping")
    for old, other in mapping.items():
        new[_known(find, labels, old)] = one_label(other, "mapping")
    into = label_set(list(dict.fromkeys(new)), "mapping", MAX_CLASSES) if labels else []
    if state._origin == Origin.FOUND:
        into = sorted(into)
    at = {label: place for place, label in enumerate(into)}
    positive = new[labels.index(state.pos_label)] if state.pos_label in labels else None
    return _joined(state, np.array([at[label] for label in new], np.int64), into, positive)


def subset(state: M, labels: Iterable[Any]) -> M:
    """Return the matrix of the rows whose true and predicted classes are among some.

    Parameters
    ----------
    labels : sequence of labels
        The classes kept, in their new order; all of them to reorder the matrix.

    Returns
    -------
    ConfusionMatrix
        Rows of other classes are added to `n_other`. With weights it is not known how many rows
        they are, and `n_other` stays.

    Raises
    ------
    InputError
        A label that is not in the matrix.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]], labels=["a", "b", "c"])
    >>> m.subset(["c", "a"]).counts.tolist(), m.subset(["c", "a"]).n_other
    ([[8, 12], [0, 20]], 40)
    """
    kept = list(map(finder(state._labels, "labels"), label_set(labels, most=MAX_CLASSES)))
    to = np.full(len(state._labels), -1, np.int64)
    to[kept] = np.arange(len(kept))
    into = [state._labels[at] for at in kept]
    return _joined(state, to, into, state.pos_label if state.pos_label in into else None)


def pruned(state: M) -> M:
    """Return the matrix without the classes that occur neither in truth nor in prediction.

    A positive class that was named stays.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.confusion_matrix(["a"], ["c"], labels=["a", "b", "c"]).pruned().labels
    ('a', 'c')
    """
    rows, columns, _ = margins(state._cells)
    is_kept = (rows != 0) | (columns != 0)
    if state._positive in state._labels:
        is_kept[state._labels.index(state._positive)] = True
    kept = np.flatnonzero(is_kept)
    to = np.full(len(state._labels), -1, np.int64)
    to[kept] = np.arange(len(kept))
    into = [state._labels[at] for at in kept.tolist()]
    return _joined(state, to, into, state.pos_label if state.pos_label in into else None)


def _known(find: Callable[[Any], int], labels: tuple[Label, ...], label: Any) -> int:
    try:
        return find(label)
    except InputError as error:
        near = difflib.get_close_matches(str(label), map(str, labels), n=1)
        raise InputError(f"{error}; did you mean {near[0]!r}?") if near else error from None


def _joined(state: M, to: Places, labels: list[Label], positive: Label | None) -> M:
    """Return the matrix whose class i is the new class `to[i]`, or left out where that is -1."""
    k = len(labels)
    cells = state._cells
    if isinstance(cells, SparseCells):
        rows, columns, values = cells.rows, cells.columns, cells.values
        squares = state._squares
    else:
        rows, columns = (part.astype(np.int64) for part in np.nonzero(cells))
        values = cells[rows, columns]
        squares = None if state._squares is None else state._squares[rows, columns]
    rows, columns = to[rows], to[columns]
    stays = (rows >= 0) & (columns >= 0)
    places, where = np.unique((rows * k + columns)[stays], return_inverse=True)
    new = _sums(values[stays], where, len(places))
    squares = None if squares is None else _sums(squares[stays], where, len(places))
    is_counted = squares is None and values.dtype.kind == "i"
    others = int(values[~stays].sum()) if is_counted else 0
    found, squares = packed(k, places, new, squares)
    made = state._of(
        found,
        labels,
        squares,
        state.n_dropped,
        state.n_other + others,
        state.smoothing,
        state._origin if state._origin != Origin.OF_TYPE else Origin.GIVEN,
    )
    return made._about(positive)._knowing_class_sizes(state.class_sizes_known)


def _sums(values: Any, where: Places, many: int) -> Any:
    """Return the sum of the values of each place, rounded once."""
    if values.dtype.kind == "i":
        whole = np.zeros(many, values.dtype)
        np.add.at(whole, where, values)
        return whole
    order = np.argsort(where, kind="stable")
    parts = np.split(values[order], np.cumsum(np.bincount(where, minlength=many))[:-1])
    return np.array([math.fsum(part) for part in parts[:many]], np.float64)
