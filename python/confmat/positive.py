"""The positive class of metrics about one class: where it is, or an empty one put in place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from confmat.labels import Label
from confmat.matrices.cells import Cells


def found(labels: Sequence[Label], positive: Label | None) -> int:
    """Return the position of `positive`, by default of 1 or True where they are usual; or -1."""
    if positive is None:
        if not are_usual(labels):
            return -1
        positive = 1
    return labels.index(positive) if positive in labels else -1


def are_usual(labels: Iterable[Label]) -> bool:
    """Return whether labels lie within {0, 1}, {False, True} or {-1, 1}: 1 or True is positive."""
    found = set(labels)
    return found <= {0, 1} or found <= {-1, 1}


def may_add(labels: Sequence[Label], positive: Label | None) -> bool:
    """Return whether a table of these labels gets the class 1, empty: one of at most one class.

    Rows of one class alone, 0 or False, still have a specificity.
    """
    if 1 in labels or not are_usual(labels):
        return False
    return positive is None or (isinstance(positive, int) and positive == 1)


def added(
    cells: Cells, labels: Sequence[Label], positive: Label | None = None
) -> tuple[Cells, list[Label], int]:
    """Return the table with one empty class more, its labels, and the position of that class."""
    label = 1 if positive is None else positive
    ordered: list[Any] = list(labels)
    at = bisect_left(ordered, label)
    wide = np.insert(np.insert(cells, at, 0, axis=0), at, 0, axis=1)
    return wide, [*ordered[:at], label, *ordered[at:]], at
