"""Scores binned over all rows: one state, to which those of batches are added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import partial
from confmat.frames.state_queries import STATE
from confmat.logs.request import LogRequest, Model
from confmat.objects.states import from_bytes
from confmat.objects.sweeping import sweep


class WholeScores:
    """The binned sweep of one model, with weights or without. Needs: `can_sweep`."""

    def __init__(self, request: LogRequest, model: Model) -> None:
        self._request = request
        self._truth, self._score = str(request.counting.y_true), str(model.y_score)
        self._total: Any = None

    @staticmethod
    def can_sweep(request: LogRequest, model: Model) -> bool:
        """Return whether one column of scores is asked about, in bins, and there are no keys."""
        names = (request.counting.y_true, model.y_score)
        are_single = all(isinstance(name, str) for name in names)
        return are_single and not request.state_keys and request.counting.bins is not None

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Bin the scores of a batch, and return what adds them."""
        part = self._swept(batch)
        before = self._total
        total = part if before is None else before + part

        def add() -> None:
            self._total = total if before is self._total else self._total + part

        return add

    def states(self) -> pl.DataFrame | None:
        """Return the state of all rows; None: there was no batch."""
        if self._total is None:
            return None
        return pl.DataFrame({STATE: pl.Series([self._total.to_bytes()], dtype=pl.Binary)})

    def _swept(self, batch: pl.DataFrame) -> Any:
        counting = self._request.counting
        weight = counting.sample_weight
        try:
            return sweep(
                batch.get_column(self._truth),
                batch.get_column(self._score),
                pos_label=counting.pos_label,
                sample_weight=None if weight is None else batch.get_column(weight),
                bins=counting.bins,
                nan=counting.nan,
            )
        except InputError as error:  # or a batch without the positive class, which is a state
            try:
                states = partial(
                    batch,
                    y_true=self._truth,
                    y_score=self._score,
                    pos_label=counting.pos_label,
                    sample_weight=weight,
                    bins=counting.bins,
                    nan=counting.nan,
                )
            except InputError:
                raise error from None
            return from_bytes(states[STATE].item())
