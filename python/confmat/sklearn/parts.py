"""What the rates of a class are made of: rows that are right, predicted and true."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[Any]


class Parts(NamedTuple):
    """Counts, or sums of weights, of each class, of each label, or of each row of labels."""

    right: Vector
    predicted: Vector
    true: Vector
    total: Any  # of all rows; of each row: of all its labels

    def summed(self) -> Parts:
        """Return the sums over the classes."""
        right, predicted, true = (part.sum(keepdims=True) for part in self[:3])
        return Parts(right, predicted, true, self.total)

    def tables(self) -> npt.NDArray[Any]:
        """Return [[tn, fp], [fn, tp]] of each, shape (k, 2, 2)."""
        right, predicted, true, total = self
        cells = (total - predicted - true + right, predicted - right, true - right, right)
        return np.stack(cells, axis=-1).reshape(-1, 2, 2)
