"""States of slices made batch by batch, and merged from time to time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import STATE, merge, partial
from confmat.logs.interrupted import not_interrupted
from confmat.logs.memory import shown_memory
from confmat.logs.request import LogRequest, Model

_LITTLE = 1 << 26  # bytes of states that wait for a merge, at least


class MergedStates:
    """Any kind of states: those of a batch are made by `cm.partial`."""

    def __init__(
        self, request: LogRequest, model: Model, schema: pl.Schema, max_memory: int
    ) -> None:
        self._request = request
        self._model = model
        self._schema = schema
        self._max_memory = max_memory
        self._merged: pl.DataFrame | None = None
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = 0  # their bytes
        self._n_merged = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._merged is None and not self._waiting

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Make the states of a batch, and return what adds them."""
        states = self._states_of(batch)
        return lambda: self.take(states)

    def take(self, states: pl.DataFrame) -> None:
        """Add states."""
        size = self._n_waiting + _size(states)
        if size > max(_LITTLE, self._n_merged):
            self._merge(states)
        else:
            with not_interrupted():
                self._waiting.append(states)
                self._n_waiting = size

    def states(self, extra: Sequence[pl.DataFrame] = ()) -> pl.DataFrame:
        """Return the states of all slices, with some that are kept elsewhere."""
        if self._waiting:
            self._merge()
        parts = [*([] if self._merged is None else [self._merged]), *extra]
        if not parts:
            return self._states_of(pl.DataFrame(schema=self._schema))
        return _merged(parts, self._request)

    def _merge(self, *more: pl.DataFrame) -> None:
        before = [] if self._merged is None else [self._merged]
        merged = _merged([*before, *self._waiting, *more], self._request)
        size = _size(merged)
        if size > self._max_memory:
            slices = f"{merged.height:,} slices so far, whose states take"
            cut = f"`by` cuts the rows into {slices}" if self._request.keys else "states take"
            hint = "" if self._request.counting.bins is not None else ', or give bins="unit"'
            raise InputError(
                f"{cut} {shown_memory(size)}, and `max_memory` allows "
                f"{shown_memory(self._max_memory)}; slice by fewer or coarser keys, allow more"
                f"{hint}"
            )
        with not_interrupted():
            self._merged, self._n_merged = merged, size
            self._waiting, self._n_waiting = [], 0

    def _states_of(self, batch: pl.DataFrame) -> pl.DataFrame:
        counting, model = self._request.counting, self._model
        options: dict[str, Any] = {"pos_label": counting.pos_label}
        options |= {"sample_weight": counting.sample_weight, "by": list(self._request.keys)}
        if model.y_score is not None:
            options |= {"bins": counting.bins, "nan": counting.nan}
        if model.y_pred is not None or isinstance(model.y_score, list):
            options |= {"labels": counting.labels, "other": counting.other}
        out: pl.DataFrame = partial(
            batch, y_true=counting.y_true, y_pred=model.y_pred, y_score=model.y_score, **options
        )
        return out.select(*self._request.keys, STATE)


def _size(states: pl.DataFrame) -> int:
    """Return about how many bytes states and their keys take."""
    return int(states[STATE].bin.size().sum() or 0) + 16 * states.height * states.width


def _merged(parts: Sequence[pl.DataFrame], request: LogRequest) -> pl.DataFrame:
    """Return the sum, sorted by the keys."""
    if len(parts) == 1:
        keys = list(request.keys)
        return parts[0].sort(keys, nulls_last=True) if keys else parts[0]
    out: pl.DataFrame = merge(pl.concat(parts, how="vertical_relaxed"))
    return out
