"""States of the slices of a log, kept while its batches come."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import SCORED, STATE, merge, partial
from confmat.logs.request import MODEL, LogRequest, Model

_FEW = 10_000  # slices that wait for a merge, at least


class SliceStates:
    """What is kept of the rows so far: a row a slice, merged from time to time.

    `add` either counts all rows of a batch or, where it raises, none.
    """

    def __init__(self, request: LogRequest, schema: pl.Schema) -> None:
        self._request = request
        self._schema = schema
        self._merged: pl.DataFrame | None = None
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = 0

    def add(self, batch: pl.DataFrame) -> None:
        """Count the rows of a batch."""
        self.take(self._states_of(batch))

    def take(self, states: pl.DataFrame) -> None:
        """Add states of slices that were made elsewhere."""
        self._waiting.append(states)
        self._n_waiting += states.height
        done = 0 if self._merged is None else self._merged.height
        if self._n_waiting > max(_FEW, 2 * done):
            self.states()

    def __bool__(self) -> bool:
        return self._merged is not None or bool(self._waiting)

    def states(self) -> pl.DataFrame:
        """Return the states of all slices so far: their keys, sorted, and what is kept."""
        if self._waiting:
            parts = self._waiting if self._merged is None else [self._merged, *self._waiting]
            whole = pl.concat(parts, how="vertical_relaxed") if len(parts) > 1 else parts[0]
            merged: pl.DataFrame = merge(whole) if len(parts) > 1 else whole
            self._merged, self._waiting, self._n_waiting = merged, [], 0
        if self._merged is None:
            return self._states_of(pl.DataFrame(schema=self._schema))
        return self._merged

    def _states_of(self, batch: pl.DataFrame) -> pl.DataFrame:
        of_models = []
        for model in self._request.counting.models:
            states = states_of(batch, self._request, model)
            if model.name is not None:
                states = states.select(pl.lit(model.name).alias(MODEL), pl.all())
            of_models.append(states)
        if len(of_models) == 1:
            return of_models[0]
        return pl.concat(of_models, how="diagonal")


def states_of(batch: pl.DataFrame, request: LogRequest, model: Model) -> pl.DataFrame:
    """Return the states of the slices of a batch, of one model."""
    if request.counting.nulls == "raise":
        _refuse_nulls(batch, request)
    two = model.y_pred is not None and isinstance(model.y_score, list)
    if not two:
        return _partial(batch, request, model)
    of_labels = _partial(batch, request, model._replace(y_score=None))
    of_scores = _partial(batch, request, model._replace(y_pred=None))
    return of_labels.with_columns(of_scores[STATE].alias(SCORED))  # both sorted by the same keys


def _partial(batch: pl.DataFrame, request: LogRequest, model: Model) -> pl.DataFrame:
    counting = request.counting
    options: dict[str, Any] = {"pos_label": counting.pos_label}
    options |= {"sample_weight": counting.sample_weight, "by": list(request.keys)}
    if model.y_score is not None:
        options |= {"bins": counting.bins, "nan": counting.nan}
    if model.y_pred is not None or isinstance(model.y_score, list):
        options |= {"labels": counting.labels, "other": counting.other}
    out: pl.DataFrame = partial(
        batch, y_true=counting.y_true, y_pred=model.y_pred, y_score=model.y_score, **options
    )
    return out


def _refuse_nulls(batch: pl.DataFrame, request: LogRequest) -> None:
    """Refuse the first row that lacks a value."""
    for name in request.value_columns:
        column = batch.get_column(name)
        missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
        if missing.any():
            row = missing.arg_max()
            raise InputError(f'{name!r} is null at row {row}, and nulls="raise"')
