"""The positive class of metrics about one class: where it is, or an empty one put in place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.labels import Label, one_label, position


def found(labels: Sequence[Label], positive: Label | None) -> int:
    """Return the position of `positive`, by default of 1 or True where they are usual; or -1."""
    if positive is None:
        if not are_usual(labels):
            return -1
        positive = 1
    return labels.index(positive) if positive in labels else -1


def usual(labels: Sequence[Label]) -> Label | None:
    """Return the positive class of labels for which it need not be named, or None."""
    if not labels or not are_usual(labels):
        return None
    return labels[labels.index(1)] if 1 in labels else 1


def are_two(labels: Sequence[Label], positive: Label | None) -> bool:
    """Return whether two classes are known, and which of them is positive."""
    return len(labels) == 2 and (positive in labels or (positive is None and are_usual(labels)))


def are_usual(labels: Sequence[Label]) -> bool:
    """Return whether labels lie within {0, 1}, {False, True} or {-1, 1}: 1 or True is positive."""
    return _core.have_usual_positive(labels)


def may_add(labels: Sequence[Label], positive: Label | None) -> bool:
    """Return whether a table of these labels gets the class 1, empty: one of at most one class.

    Rows of one class alone, 0 or False, still have a specificity.
    """
    if 1 in labels or not are_usual(labels):
        return False
    return positive is None or (isinstance(positive, int) and positive == 1)


def added(
    cells: npt.NDArray[Any], labels: Sequence[Label], positive: Label | None = None
) -> tuple[npt.NDArray[Any], list[Label], int]:
    """Return the table with one empty class more, its labels, and the position of that class."""
    label = 1 if positive is None else positive
    ordered: list[Any] = list(labels)
    at = bisect_left(ordered, label)
    wide = np.insert(np.insert(cells, at, 0, axis=0), at, 0, axis=1)
    return wide, [*ordered[:at], label, *ordered[at:]], at


def named(labels: list[Label], pos_label: Any) -> Label | None:
    """Return the positive class as the labels write it; None where it is the usual one.

    Raises
    ------
    InputError
        It is none of the labels.
    """
    if pos_label is None:
        return None
    wanted = one_label(pos_label, "pos_label")
    if not labels or may_add(labels, wanted):
        return None
    return labels[position(labels, wanted, "pos_label")]
