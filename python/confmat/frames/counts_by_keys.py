"""Predicted classes counted by slice in the core: one pass over each batch, tables that grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError
from confmat.frames.key_columns import KeyColumns, is_key
from confmat.frames.state_queries import STATE
from confmat.labels import Label, Origin, labels_of_type
from confmat.objects.counting import confusion_matrix

Columns: TypeAlias = tuple[list[Any], Any, Any, Any]

_INTEGERS = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
WEIGHTS = (pl.Float16, pl.Float32, pl.Float64, *_INTEGERS)


def known_labels(
    labels: list[Label] | None, truth: pl.DataType, pred: pl.DataType
) -> tuple[list[Label] | None, Origin]:
    """Return the labels that rows of these types may have, None where they are found in rows."""
    if labels is not None:
        return labels, Origin.GIVEN
    of_type = labels_of_type(truth, pred)
    return (of_type, Origin.OF_TYPE) if of_type else (None, Origin.FOUND)


class CountsByKeys:
    """Counts of two columns of labels, by slice, in tables of at most so many bytes.

    `sample_weight`: a column whose sums they are. Needs: `can_count` of their types. All rows,
    where there are neither keys nor weights, `CountsOfAllRows` counts faster.
    """

    def __init__(
        self,
        columns: tuple[str, str],
        keys: Sequence[str],
        schema: Mapping[str, pl.DataType],
        labels: list[Label] | None,
        *,
        sample_weight: str | None,
        raises: bool,
        max_bytes: int,
    ) -> None:
        self._columns, self._weight = columns, sample_weight
        self.keys = KeyColumns(keys, schema)
        self._labels, self._origin = known_labels(labels, *(schema[name] for name in columns))
        self.tables = _core.SliceCounts(self._labels, raises, max_bytes, 0)

    @staticmethod
    def can_count(
        keys: Sequence[str], sample_weight: str | None, schema: Mapping[str, pl.DataType]
    ) -> bool:
        """Return whether the core reads these keys and weights."""
        return all(is_key(schema[name]) for name in keys) and (
            sample_weight is None or schema[sample_weight] in WEIGHTS
        )

    def columns_of(self, batch: pl.DataFrame) -> Columns:
        """Return what the core reads of a batch: keys, true and predicted classes, weights."""
        truth, pred = (coded(batch.get_column(name)) for name in self._columns)
        weight = None if self._weight is None else batch.get_column(self._weight)
        return self.keys.numbers(batch), truth, pred, weight

    def count(self, batch: pl.DataFrame) -> bool:
        """Count a batch; False, and nothing is counted, where slices or labels are too many."""
        return self.add(batch, self.columns_of(batch))

    def add(self, batch: pl.DataFrame, columns: Columns) -> bool:
        """Do what `count` does of a batch that was read."""
        try:
            fits: bool = self.tables.add(*columns)
        except InputError:
            self._name_row(batch)
            raise
        if self.tables.refused:
            self._name_row(batch)
        return fits

    def states(self, pos_label: Label | None, column: str = STATE) -> pl.DataFrame | None:
        """Return the keys of the slices that have rows, and their states; None: there is none."""
        keys, states = self.tables.states(int(self._origin), pos_label)
        if not states:
            return None
        of_states = pl.Series(column, states, dtype=pl.Binary)
        return pl.DataFrame([*self.keys.values(keys), of_states])

    def _name_row(self, batch: pl.DataFrame) -> None:
        """Raise the error of the first row that cannot be counted, as a matrix does."""
        truth, pred = (batch.get_column(name) for name in self._columns)
        weight = None if self._weight is None else batch.get_column(self._weight)
        confusion_matrix(truth, pred, labels=self._labels, sample_weight=weight)
