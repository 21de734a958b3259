"""True and predicted numbers summed by slice in the core: one pass over each batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.frames.by_batches import columns_read
from confmat.frames.counts_by_keys import WEIGHTS, Columns
from confmat.frames.key_columns import KeyColumns, is_key
from confmat.frames.state_queries import STATE
from confmat.labels import Label
from confmat.moments.names import keeps_rows
from confmat.objects.regressing import regression

_NUMBERS = (*WEIGHTS, pl.Boolean)
_ROWS = 4_000_000  # of a batch
_MOST_BYTES = 1 << 28  # some 50,000 slices; expressions hold one at a time


class NumberSlicing(NamedTuple):
    """A `Slicing` of two columns of numbers."""

    y_true: str
    y_pred: str
    by: tuple[str, ...]
    sample_weight: str | None
    sums: tuple[str, ...]
    nan: Literal["raise", "drop"]

    def fits(self, schema: Mapping[str, pl.DataType]) -> bool:
        """Return whether the core reads columns of these types."""
        # Weights of bins and cells are exact sums, too large to be kept of all slices at once.
        if self.sample_weight is not None and keeps_rows(self.sums):
            return False
        return (
            all(is_key(schema[name]) for name in self.by)
            and all(schema[name] in _NUMBERS for name in (self.y_true, self.y_pred))
            and (self.sample_weight is None or schema[self.sample_weight] in WEIGHTS)
        )

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return columns_read(*self.by, self.y_true, self.y_pred, self.sample_weight)

    @property
    def starts_short(self) -> bool:
        """Whether there may be too many slices."""
        return len(self.by) > 0

    def batch_rows(self, _: int | None) -> int:
        """Return how many rows a batch has."""
        return _ROWS

    def counts(self, schema: Mapping[str, pl.DataType], _: int | None) -> MomentsByKeys:
        """Return sums of no rows."""
        return MomentsByKeys(self, schema, _MOST_BYTES)


class MomentsByKeys:
    """Sums of two columns of numbers, by slice, in at most so many bytes. Needs: `slicing.fits`."""

    def __init__(
        self, slicing: NumberSlicing, schema: Mapping[str, pl.DataType], max_bytes: int
    ) -> None:
        self._of, self._keys = slicing, KeyColumns(slicing.by, schema)
        self._sums = _core.SliceMoments(
            slicing.sums,
            slicing.nan == "drop",
            slicing.sample_weight is not None,
            max_bytes,
            0,
        )

    def count(self, batch: pl.DataFrame) -> bool:
        """Add a batch; False, and nothing is added, where slices are too many."""
        return self.add(batch, self.columns_of(batch))

    def columns_of(self, batch: pl.DataFrame) -> Columns:
        """Return what the core reads of a batch: keys, true and predicted numbers, weights."""
        of = self._of
        truth, pred = batch.get_column(of.y_true), batch.get_column(of.y_pred)
        weight = None if of.sample_weight is None else batch.get_column(of.sample_weight)
        return self._keys.numbers(batch), truth, pred, weight

    def add(self, batch: pl.DataFrame, columns: Columns) -> bool:
        """Do what `count` does of a batch that was read."""
        try:
            fits: bool = self._sums.add(*columns)
        except InputError:
            # That of the first row that cannot be counted, as an object of all rows names it.
            _, truth, pred, weight = columns
            regression(truth, pred, sample_weight=weight, nan=self._of.nan)
            raise
        return fits

    def states(self, _: Label | None = None) -> pl.DataFrame | None:
        """Return the keys of slices, sorted, and their states; None: there is none."""
        values, states = self._sums.states()
        of_states = pl.Series(states).alias(STATE)
        if not len(of_states):
            return None
        found = pl.DataFrame([*self._keys.values(values), of_states])
        return found.sort(self._of.by, nulls_last=True) if self._of.by else found
