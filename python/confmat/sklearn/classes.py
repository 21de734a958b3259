"""Rows of one true and one predicted class, counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.preprocessing import LabelEncoder
from sklearn.utils._array_api import xpx

from confmat import _core
from confmat.matrices.sparse import AnyCells, SparseCells, held, margins, of_core
from confmat.metric_names import asks
from confmat.options import Options
from confmat.sklearn.parts import Parts

OF_ROWS = Options(implied=True)  # the classes are those that rows have


class Classes:
    """The counts of all pairs of classes, and what is read of them."""

    __slots__ = ("_dtype", "_sums", "_weighted", "_y_true", "cells", "labels", "rows")

    def __init__(
        self,
        labels: tuple[Any, ...],
        cells: Any,
        rows: int,
        *,
        dtype: Any,
        y_true: Any,
        weighted: bool,
    ) -> None:
        self.labels = labels  # found in either column, ascending
        self.cells: AnyCells = of_core(len(labels), cells)
        self.rows = rows
        self._dtype = dtype
        self._y_true = y_true
        self._weighted = weighted
        self._sums: tuple[Any, Any, Any] | None = None

    @property
    def kind(self) -> str:
        """What scikit-learn calls such targets."""
        return "binary" if len(self.labels) <= 2 else "multiclass"

    @property
    def present(self) -> npt.NDArray[Any]:
        """The labels as scikit-learn returns and prints them."""
        return np.array(self.labels, dtype=self._dtype)

    @property
    def total(self) -> Any:
        """The number of rows, or the sum of their weights."""
        return _sum(held(self.cells)) if self._weighted else self.rows

    @property
    def right(self) -> Any:
        """The number of right rows, or the sum of their weights."""
        return _sum(self.sums[2])

    @property
    def sums(self) -> tuple[Any, Any, Any]:
        """The rows of each true class, of each predicted class, and those that are right."""
        if self._sums is None:
            self._sums = margins(self.cells)
        return self._sums

    def value(self, metric: str, options: Options = OF_ROWS) -> float:
        """Return a metric of the registry; by default nan where it is undefined."""
        names = range(len(self.labels))  # which no value depends on
        cells: Any = self.cells
        if self._weighted and isinstance(cells, np.ndarray) and cells.sum() < 0:
            cells = -cells  # of negative weights; these metrics are those of shares
        return asks((metric,)).value(cells, names, options)

    def parts(self, labels: Any = None) -> Parts:
        """Return the parts of the rates of each class, or of some labels, present or not."""
        true, predicted, right = self.sums
        as_float = self._weighted or not right.any()  # as scikit-learn counts these
        parts = [right, predicted, true]
        if labels is not None:
            known = {label: at for at, label in enumerate(self.labels)}
            at = np.array([known.get(label, -1) for label in self._comparable(labels)], dtype=int)
            parts = [np.where(at >= 0, part[at], 0) for part in parts]
        if as_float:
            parts = [part.astype(np.float64) for part in parts]
        return Parts(parts[0], parts[1], parts[2], self.total)

    def matrix(self, labels: Any = None) -> npt.NDArray[Any]:
        """Return the table of counts of the classes found, or of some labels, in their order."""
        if labels is None:
            return table(self.cells)
        wanted = {label: at for at, label in enumerate(labels.tolist())}
        found = [at for at, label in enumerate(self.labels) if label in wanted]
        to = [wanted[self.labels[at]] for at in found]
        picked = np.zeros((len(labels), len(labels)), dtype=self.cells.dtype)
        picked[np.ix_(to, to)] = table(self.cells)[np.ix_(found, found)]
        return picked

    def among(self, labels: npt.NDArray[Any]) -> Classes:
        """Return the counts of the rows that have some labels only, in their order."""
        return Classes(
            tuple(labels.tolist()),
            self.matrix(labels),
            self.rows,
            dtype=labels.dtype,
            y_true=self._y_true,
            weighted=True,  # how many rows these are is in the cells alone
        )

    def are_true(self, labels: npt.NDArray[Any]) -> bool:
        """Return whether some row is truly of one of the labels."""
        true = self.sums[0]
        wanted = set(labels.tolist())
        if any(true[at] and label in wanted for at, label in enumerate(self.labels)):
            return True
        return len(np.intersect1d(np.asarray(self._y_true), labels)) > 0

    def _comparable(self, labels: Any) -> list[Any]:
        """Return labels as plain values that are equal to those found where NumPy says so."""
        given = np.asarray(labels)
        if given.dtype.kind in ("U" if isinstance(self.labels[0], str) else "biuf"):
            return given.tolist()  # type: ignore[no-any-return]
        present = self.present
        joined = np.concatenate([given, xpx.setdiff1d(present, given, assume_unique=True, xp=np)])
        wanted = joined[: len(given)]
        encoder = LabelEncoder().fit(joined)  # these say which labels are unlike the others
        encoder.transform(present)
        np.searchsorted(encoder.classes_, wanted)
        return wanted.tolist()  # type: ignore[no-any-return]


def _sum(values: Any) -> Any:
    return _core.exact_sum(values) if values.dtype.kind == "f" else int(values.sum())


def table(cells: AnyCells) -> npt.NDArray[Any]:
    """Return all K x K cells, in memory of their own."""
    if not isinstance(cells, SparseCells):
        return np.array(cells)
    flat = np.zeros(cells.k * cells.k, dtype=cells.dtype)
    flat[cells.places] = cells.values
    return flat.reshape(cells.k, cells.k)
