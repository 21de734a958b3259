"""Rows of a set of true and a set of predicted labels: indicators of each, counted."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.labels import Origin
from confmat.sklearn.parts import Parts


class Sets:
    """Two tables of indicators, both dense or both sparse, and the weights of their rows."""

    kind = "multilabel-indicator"

    def __init__(self, truth: Any, pred: Any, weight: npt.NDArray[Any] | None) -> None:
        self._truth = truth
        self._pred = pred
        self.weight = weight
        self.rows, self.width = truth.shape
        self._last: tuple[Any, _core.SetCounts] | None = None  # which labels, and their counts

    @property
    def present(self) -> npt.NDArray[Any]:
        """The labels: the numbers of the columns."""
        return np.arange(self.width)

    @cached_property
    def total(self) -> Any:
        """The number of rows, or the sum of their weights."""
        return self.rows if self.weight is None else self.weight.sum()

    def parts(self, labels: Any = None) -> Parts:
        """Return the parts of the rates of each label, or of the labels of some columns."""
        cells = self._counted(labels).cells
        if self.weight is not None and any(map(_has_some, self._columns(labels))):
            cells = cells.astype(np.float64)  # as scikit-learn counts these
        (_, fp), (fn, tp) = np.moveaxis(cells, 0, 2)
        return Parts(tp, tp + fp, tp + fn, self.total)

    def size_parts(self, labels: Any = None) -> tuple[Parts, npt.NDArray[Any]]:
        """Return the parts of the rates of rows of each kind, and how many rows are of it."""
        counted = self._counted(labels)
        sizes, rows = counted.sizes
        shared, true, predicted = sizes.T.astype(np.int64)
        if self.weight is not None and not self.weight.all():
            found = self._of_rows(labels, self.weight == 0)  # which the core leaves out
            shared, predicted, true = (
                np.concatenate(pair)
                for pair in zip((shared, predicted, true), found[:3], strict=True)
            )
            rows = np.concatenate([rows, np.zeros(len(found.right))])
        return Parts(shared, predicted, true, len(counted.labels)), rows

    def row_parts(self, labels: Any = None) -> Parts:
        """Return the parts of the rates of each row, times its weight."""
        parts = self._of_rows(labels, slice(None))
        if self.weight is None:
            return parts
        return Parts(*(part * self.weight for part in parts))

    def unequal(self) -> tuple[Any, Any]:
        """Return how many rows, and how many indicators, differ: sums of weights."""
        differ = self._truth != self._pred
        counted = _counted(differ, differ, self.weight)
        sizes, rows = counted.sizes
        differing = sizes[:, 0].astype(np.int64)
        return rows[differing > 0].sum(), (differing * rows).sum()

    def _counted(self, labels: Any) -> _core.SetCounts:
        if self._last is None or self._last[0] is not labels:
            self._last = (labels, _counted(*self._columns(labels), self.weight))
        return self._last[1]

    def _of_rows(self, labels: Any, rows: Any) -> Parts:
        truth, pred = (_ones(table[rows]) for table in self._columns(labels))
        both = truth & pred if isinstance(truth, np.ndarray) else truth.multiply(pred)
        right, predicted, true = (np.asarray(x.sum(axis=1)).ravel() for x in (both, pred, truth))
        return Parts(right, predicted, true, np.full(len(right), truth.shape[1]))

    def _columns(self, labels: Any) -> tuple[Any, Any]:
        if labels is None:
            return self._truth, self._pred
        given = np.asarray(labels)
        every = np.concatenate([given, np.setdiff1d(self.present, given, assume_unique=True)])
        most, least, last = every.max(), every.min(), self.width - 1
        if most > last or least < 0:
            raise ValueError(
                "All labels must be in [0, n labels) for multilabel targets. "
                f"Got {f'{most} > {last}' if most > last else f'{least} < 0'}"
            )
        chosen = given if given.size else given.astype(int)
        return self._truth[:, chosen], self._pred[:, chosen]


def _counted(truth: Any, pred: Any, weight: npt.NDArray[Any] | None) -> _core.SetCounts:
    """Return the state of all rows."""
    sides = (_side(truth), _side(pred))
    return _core.count_sets(*sides, weight, list(range(truth.shape[1])), Origin.GIVEN, 0, 0)


def _side(table: Any) -> Any:
    """Return a table of Booleans, of a sparse one the labels of all rows and where they end."""
    ones = _ones(table)
    if isinstance(ones, np.ndarray):
        return ones
    return ones.indices.astype(np.uint32), ones.indptr[1:].astype(np.int64)


def _has_some(table: Any) -> bool:
    return bool(table.any()) if isinstance(table, np.ndarray) else table.nnz > 0


def _ones(table: Any) -> Any:
    """Return where a table is not 0: Booleans, or a sparse table that stores no other."""
    if isinstance(table, np.ndarray):
        return table if table.dtype == bool else table != 0
    ones = table.tocsr(copy=True)
    ones.sum_duplicates()
    ones.eliminate_zeros()
    return ones.astype(bool)
