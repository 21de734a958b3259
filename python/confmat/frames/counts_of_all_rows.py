"""Predicted classes of all rows counted batch by batch: the kernels of whole frames, added up."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.frames.counts_by_keys import known_labels
from confmat.frames.state_queries import STATE
from confmat.labels import MAX_CLASSES, Label, Origin
from confmat.objects.counting import outsider_error, refuse_identifiers

_MOST_PARTS = 4  # that wait, so that cells of many classes are not moved with each batch


class CountsOfAllRows:
    """Counts of two columns of labels. Needs: `CountsByKeys.can_count` of their types."""

    def __init__(
        self,
        columns: tuple[str, str],
        schema: Mapping[str, pl.DataType],
        labels: list[Label] | None,
        *,
        raises: bool,
    ) -> None:
        self._columns, self._raises = columns, raises
        self._labels, self._origin = known_labels(labels, *(schema[name] for name in columns))
        self._parts: list[_core.Counts] = []  # merged where they are several

    def count(self, batch: pl.DataFrame) -> bool:
        """Count a batch, which is always possible."""
        truth, pred = (coded(batch.get_column(name)) for name in self._columns)
        state, outsider = _core.count(truth, pred, None, self._labels, 0)
        if outsider is not None and self._raises:
            raise outsider_error(outsider, list(state.labels))
        self._parts.append(state)
        if len(self._parts) == _MOST_PARTS:
            total = self._merged()
            if len(total.labels) > MAX_CLASSES:
                self._refuse_identifiers(total)
        return True

    def total(self) -> _core.Counts:
        """Return the state of all rows, whose numbers are asked. Needs: a batch was counted."""
        state = self._merged()
        self._refuse_identifiers(state)
        return state

    def states(self, pos_label: Label | None, column: str = STATE) -> pl.DataFrame:
        """Return a frame of the state of all rows, to which others may be added."""
        state = self._merged()
        if self._origin is Origin.OF_TYPE:
            state = state.about(Origin.OF_TYPE, None)
        if pos_label is not None:
            state = state.with_positive(pos_label)
        return pl.DataFrame({column: [state.to_bytes()]}, {column: pl.Binary})

    def _refuse_identifiers(self, state: _core.Counts) -> None:
        if self._labels is None:
            refuse_identifiers(list(state.labels), state.rows)

    def _merged(self) -> _core.Counts:
        if len(self._parts) > 1:
            self._parts = [_core.merge_counts([*self._parts])]
        return self._parts[0]
