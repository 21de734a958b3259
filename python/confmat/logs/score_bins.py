"""Scores binned by slice in the core: one pass over each batch, within a bound of memory."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core
from confmat.frames.key_columns import KeyColumns, is_key
from confmat.frames.state_queries import STATE
from confmat.logs.request import LogRequest, Model
from confmat.scores.grid import UNIT
from confmat.scores.slice_bins import SliceBins


class ScoreBins:
    """Scores of one model in "unit" bins, by slice.

    Where slices need more than so many bytes, all their bins become coarser. Needs: `can_bin`.
    """

    def __init__(
        self, request: LogRequest, model: Model, schema: pl.Schema, max_bytes: int
    ) -> None:
        counting = request.counting
        self._truth, self._score = str(counting.y_true), str(model.y_score)
        self._keys = KeyColumns(request.state_keys, schema)
        self._numbers = _core.SliceNumbers(0)
        self._bins = SliceBins(
            max_bytes,
            pos_label=counting.pos_label,
            nan=counting.nan,
            limit="`max_memory`, half of it,",
        )
        self._n_slices = 0  # that have rows: keys are numbered before rows are added

    @staticmethod
    def can_bin(request: LogRequest, model: Model, schema: pl.Schema) -> bool:
        """Return whether these columns fit: scores in "unit" bins, no weights, keys of numbers."""
        counting = request.counting
        return (
            isinstance(model.y_score, str)
            and isinstance(counting.y_true, str)
            and counting.bins == UNIT
            and counting.sample_weight is None
            and len(request.state_keys) > 0
            and all(is_key(schema[name]) for name in request.state_keys)
        )

    def numbers_of(self, batch: pl.DataFrame) -> tuple[Any, int] | None:
        """Return the numbers of the slices of rows, and how many slices; None: they do not fit."""
        numbers = self._numbers.of_rows(self._keys.numbers(batch))
        return None if numbers is None else (numbers, len(self._numbers))

    def add(self, batch: pl.DataFrame, numbered: tuple[Any, int]) -> None:
        """Bin the scores of a batch."""
        numbers, n_slices = numbered
        truth, score = batch.get_column(self._truth), batch.get_column(self._score)
        self._bins.add(numbers, truth, score, n_slices)
        self._n_slices = n_slices

    @property
    def bytes(self) -> int:
        """What scores and bins take."""
        return self._bins.bytes

    def states(self) -> pl.DataFrame | None:
        """Return the keys of the slices, and their states; None: there is none."""
        if not self._n_slices:
            return None
        n, found = self._n_slices, self._numbers.keys()
        keys = self._keys.values((numbers[:n], base, texts) for numbers, base, texts in found)
        return pl.DataFrame([*keys, self._bins.states().alias(STATE)])
