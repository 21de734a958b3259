"""Predicted classes counted over all rows: one state, to which those of batches are added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.frames.state_queries import STATE
from confmat.labels import MAX_CLASSES, Origin, labels_of_type
from confmat.logs.request import LogRequest, Model
from confmat.objects.counting import outsider_error, refuse_identifiers


class WholeCounts:
    """Counts of the labels of one model, with weights or without. Needs: `can_count`."""

    def __init__(self, request: LogRequest, model: Model, schema: pl.Schema) -> None:
        counting = request.counting
        self._truth, self._pred = str(counting.y_true), str(model.y_pred)
        self._weight = counting.sample_weight
        self._labels = counting.labels
        of_type = labels_of_type(schema[self._truth], schema[self._pred])
        self._is_of_type = self._labels is None and bool(of_type)
        if self._is_of_type:
            self._labels = of_type
        self._raises = counting.other == "raise"
        self._pos_label = counting.pos_label
        self._total: Any = None

    @staticmethod
    def can_count(request: LogRequest, model: Model, schema: pl.Schema) -> bool:
        """Return whether there is one column of labels on either side, and no keys."""
        names = (request.counting.y_true, model.y_pred)
        are_single = all(isinstance(name, str) for name in names)
        return are_single and not request.state_keys

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Count a batch, and return what adds it."""
        weight = None if self._weight is None else batch.get_column(self._weight)
        truth, pred = batch.get_column(self._truth), batch.get_column(self._pred)
        state, outsider = _core.count(coded(truth), coded(pred), weight, self._labels, 0)
        if outsider is not None and self._raises:
            raise outsider_error(outsider, list(state.labels))
        if self._is_of_type:
            state = state.about(Origin.OF_TYPE, None)
        before = self._total
        total = state if before is None else before.added(state)
        if self._labels is None and len(total.labels) > MAX_CLASSES:
            refuse_identifiers(list(total.labels), total.rows)

        def add() -> None:
            self._total = total if before is self._total else self._total.added(state)

        return add

    def states(self) -> pl.DataFrame | None:
        """Return the state of all rows; None: there was no batch."""
        state = self._total
        if state is None:
            return None
        if self._pos_label is not None:
            state = state.with_positive(self._pos_label)
        return pl.DataFrame({STATE: pl.Series([state.to_bytes()], dtype=pl.Binary)})
