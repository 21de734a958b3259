"""Predicted classes counted by slice in the core: one pass over each batch, tables that grow."""

from __future__ import annotations

from typing import Any, TypeAlias

import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError
from confmat.frames.state_queries import STATE
from confmat.frames.whole_frame import is_key, key_numbers, key_values
from confmat.labels import Origin, labels_of_type
from confmat.logs.request import LogRequest, Model
from confmat.objects.counting import confusion_matrix

Columns: TypeAlias = tuple[list[Any], Any, Any]


class LabelCounts:
    """Counts of the labels of one model, by slice, in tables of at most so many bytes.

    Needs: `can_count` of what is asked and of the types of the columns.
    """

    def __init__(
        self, request: LogRequest, model: Model, schema: pl.Schema, max_bytes: int
    ) -> None:
        counting = request.counting
        self._columns: tuple[str, str] = (str(counting.y_true), str(model.y_pred))
        self._keys = request.state_keys
        self._types = [schema[name] for name in request.state_keys]
        self._labels: list[Any] | None = counting.labels
        self._origin = Origin.FOUND if counting.labels is None else Origin.GIVEN
        truth, pred = (schema[name] for name in self._columns)
        of_type = labels_of_type(truth, pred)
        if counting.labels is None and of_type:
            self._labels, self._origin = of_type, Origin.OF_TYPE
        self._pos_label = counting.pos_label
        self._counts = _core.SliceCounts(self._labels, counting.other == "raise", max_bytes, 0)

    @staticmethod
    def can_count(request: LogRequest, model: Model, schema: pl.Schema) -> bool:
        """Return whether columns fit: labels without weights, and keys that the core reads."""
        names = (request.counting.y_true, model.y_pred)
        return (
            all(isinstance(name, str) for name in names)
            and request.counting.sample_weight is None
            and len(request.state_keys) > 0
            and all(is_key(schema[name]) for name in request.state_keys)
            and not any(isinstance(name, str) and schema[name] == pl.Float16 for name in names)
        )

    def columns_of(self, batch: pl.DataFrame) -> Columns:
        """Return what the core reads of a batch: keys, true and predicted classes."""
        truth, pred = (coded(batch.get_column(name)) for name in self._columns)
        return [key_numbers(batch.get_column(name)) for name in self._keys], truth, pred

    def add(self, batch: pl.DataFrame, columns: Columns) -> bool:
        """Count a batch; False, and nothing is counted, where slices or labels are too many."""
        keys, truth, pred = columns
        try:
            fits: bool = self._counts.add(keys, truth, pred)
        except InputError:
            self._name_row(batch)
            raise
        if self._counts.refused:
            self._name_row(batch)
        return fits

    def states(self) -> pl.DataFrame | None:
        """Return the keys of the slices that have rows, and their states; None: there is none."""
        keys, states = self._counts.states(int(self._origin), self._pos_label)
        if not states:
            return None
        columns = [
            key_values(dtype, *parts).alias(name)
            for name, dtype, parts in zip(self._keys, self._types, keys, strict=True)
        ]
        return pl.DataFrame([*columns, pl.Series(STATE, states, dtype=pl.Binary)])

    def _name_row(self, batch: pl.DataFrame) -> None:
        """Raise the error of the first row that cannot be counted, as a matrix does."""
        labels = self._labels
        confusion_matrix(*(batch.get_column(name) for name in self._columns), labels=labels)
