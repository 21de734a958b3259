"""States made batch by batch, and merged from time to time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import merge, partial
from confmat.logs.interrupted import not_interrupted
from confmat.logs.memory import shown_memory
from confmat.logs.request import LogRequest, Model

_LITTLE = 1 << 26  # bytes of states that wait for a merge, at least


class MergedStates:
    """States of slices, a row each, within a bound of memory.

    Parameters
    ----------
    make : function of a batch
        The states of its rows: keys, and one Binary column.
    of_nothing : pl.DataFrame
        A batch without rows.
    keys : sequence of str
        What tells slices apart.
    max_memory : int
        Bytes that states and keys may take.
    hint : str
        What else than fewer slices helps where they take more.
    """

    def __init__(
        self,
        make: Callable[[pl.DataFrame], pl.DataFrame],
        of_nothing: pl.DataFrame,
        keys: Sequence[str],
        max_memory: int,
        hint: str = "",
    ) -> None:
        self._make = make
        self._of_nothing = of_nothing
        self._keys = list(keys)
        self._max_memory = max_memory
        self._hint = hint
        self._merged: pl.DataFrame | None = None
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = 0  # their bytes
        self._n_merged = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._merged is None and not self._waiting

    @property
    def bytes(self) -> int:
        """About what states and their keys take."""
        return self._n_merged + self._n_waiting

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Make the states of a batch, and return what adds them."""
        states = self._make(batch)
        return lambda: self.take(states)

    def take(self, states: pl.DataFrame) -> None:
        """Add states. What would pass the bound is refused, and not kept."""
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
        return self._sum(parts) if parts else self._make(self._of_nothing)

    def _merge(self, *more: pl.DataFrame) -> None:
        before = [] if self._merged is None else [self._merged]
        merged = self._sum([*before, *self._waiting, *more])
        size = _size(merged)
        check_memory(size, self._max_memory, merged.height if self._keys else None, self._hint)
        with not_interrupted():
            self._merged, self._n_merged = merged, size
            self._waiting, self._n_waiting = [], 0

    def _sum(self, parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
        """Return the sum, sorted by the keys."""
        if len(parts) == 1:
            return parts[0].sort(self._keys, nulls_last=True) if self._keys else parts[0]
        out: pl.DataFrame = merge(pl.concat(parts, how="vertical_relaxed"), by=self._keys)
        return out


def states_of(
    request: LogRequest, model: Model, schema: pl.Schema, max_memory: int
) -> MergedStates:
    """Return the states of one model, of any kind: those of a batch are made by `cm.partial`."""
    counting = request.counting
    options: dict[str, Any] = {"pos_label": counting.pos_label}
    options |= {"sample_weight": counting.sample_weight, "by": list(request.state_keys)}
    hint = ""
    if model.y_score is not None:
        options |= {"bins": counting.bins, "nan": counting.nan}
        hint = "" if counting.bins is not None else ', or give bins="unit"'
    if request.is_of_numbers:
        options = {"sample_weight": counting.sample_weight, "by": list(request.state_keys)}
        options |= {"nan": counting.nan, "task": counting.task, "metrics": counting.terms}
    elif model.y_pred is not None or isinstance(model.y_score, list):
        options |= {"labels": counting.labels, "other": counting.other}
    columns: dict[str, Any] = {"y_true": request.truth_of(model), "y_pred": model.y_pred}

    is_output = request.is_of_numbers and isinstance(counting.y_true, list)

    def make(batch: pl.DataFrame) -> pl.DataFrame:
        try:
            out: pl.DataFrame = partial(batch, **columns, y_score=model.y_score, **options)
        except InputError as error:
            if not is_output:
                raise
            raise error.moved(0, before=f"output {model.name!r}: ") from None
        return out

    return MergedStates(make, pl.DataFrame(schema=schema), request.state_keys, max_memory, hint)


def check_memory(size: int, max_memory: int, slices: int | None, hint: str = "") -> None:
    """Refuse states that take more bytes than are allowed; `slices`: how many, if there are keys.

    `hint`: what else than fewer slices helps.
    """
    if size > max_memory:
        cut = f"`by` cuts the rows into {slices:,} slices so far, whose states take"
        raise InputError(
            f"{'states take' if slices is None else cut} {shown_memory(size)}, and `max_memory` "
            f"allows {shown_memory(max_memory)}; slice by fewer or coarser keys, allow more{hint}"
        )


def _size(states: pl.DataFrame) -> int:
    """Return about how many bytes states and their keys take."""
    of_states = states.select(pl.selectors.binary().bin.size().sum()).sum_horizontal().sum()
    return int(of_states) + 16 * states.height * states.width
