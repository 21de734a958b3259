"""Which columns of labels are counted by which keys, and in tables of what size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import polars as pl

from confmat.frames.by_batches import FIRST_ROWS, columns_read
from confmat.frames.counts_by_keys import CountsByKeys
from confmat.frames.counts_of_all_rows import CountsOfAllRows
from confmat.labels import Label

_ROWS = 1_000_000  # of one batch: its columns stay in the cache of a core
_ROWS_OF_FRAMES = 4_000_000
_ALL_ROWS = 4_000_000  # of a batch, where there are neither keys nor weights
# Of tables: the kernels of whole frames, and expressions, are faster than with larger ones.
_MOST_BYTES, _MOST_BYTES_OF_FRAMES = 1 << 26, 1 << 25
# Expressions sum weights much more slowly, but for few rows; these bytes a row are worth it.
_BYTES_OF_WEIGHTS, _MOST_BYTES_OF_WEIGHTS = 1 << 7, 1 << 27

LabelCounts: TypeAlias = CountsByKeys | CountsOfAllRows


class LabelSlicing(NamedTuple):
    """A `Slicing` of two columns of labels."""

    y_true: str
    y_pred: str
    by: tuple[str, ...]
    sample_weight: str | None
    labels: list[Label] | None
    raises: bool  # at other labels

    def fits(self, schema: Mapping[str, pl.DataType]) -> bool:
        """Return whether the core reads keys and weights of these types."""
        return CountsByKeys.can_count(self.by, self.sample_weight, schema)

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return columns_read(*self.by, self.y_true, self.y_pred, self.sample_weight)

    @property
    def starts_short(self) -> bool:
        """Whether there may be too many slices, or labels of them."""
        return not self._is_of_all_rows

    def batch_rows(self, height: int | None) -> int:
        """Return how many rows a batch has."""
        if self._is_of_all_rows:
            return _ALL_ROWS if height is None else max(height, 1)
        # With weights their cells are numbered.
        return _ROWS if height is None or self.sample_weight is not None else _ROWS_OF_FRAMES

    def counts(self, schema: Mapping[str, pl.DataType], height: int | None) -> LabelCounts:
        """Return tables without rows."""
        columns = (self.y_true, self.y_pred)
        if self._is_of_all_rows:
            return CountsOfAllRows(columns, schema, self.labels, raises=self.raises)
        return CountsByKeys(
            columns,
            self.by,
            schema,
            self.labels,
            sample_weight=self.sample_weight,
            raises=self.raises,
            max_bytes=self._max_bytes(height),
        )

    def _max_bytes(self, height: int | None) -> int:
        if height is None:
            return _MOST_BYTES
        if self.sample_weight is None:
            return _MOST_BYTES_OF_FRAMES
        return min(max(height, FIRST_ROWS) * _BYTES_OF_WEIGHTS, _MOST_BYTES_OF_WEIGHTS)

    @property
    def _is_of_all_rows(self) -> bool:
        """Whether one matrix of rows is all that is counted."""
        return not self.by and self.sample_weight is None
