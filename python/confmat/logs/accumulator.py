"""Evaluation of rows as they come: for streams and services."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from operator import add as add_evaluations
from typing import Any, Literal

import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import Side
from confmat.labels import Label
from confmat.logs import screen
from confmat.logs.asking import asked_of, make_request
from confmat.logs.evaluation import Evaluation
from confmat.logs.interrupted import not_interrupted
from confmat.logs.memory import checked_memory
from confmat.logs.request import LogRequest
from confmat.logs.schemas import readable
from confmat.logs.slices import SliceStates
from confmat.logs.sources import parts_of
from confmat.own_errors import OwnErrors
from confmat.scores.grid import UNIT, BinMap


class Accumulator(OwnErrors):
    """An evaluation that grows: `update` with rows as they come, `result` at any time.

    Several threads may update one accumulator. An update either counts all of its rows or, where it
    raises, none.

    Parameters
    ----------
    y_true, y_pred, y_score, by, metrics, labels, pos_label, sample_weight, nulls, nan, other
        As in `cm.evaluate`.
    undefined, keep_empty, smoothing, reasons, ci, side, cluster, cube, grouping_sets, depth, min_n
        As in `cm.evaluate`.
    where, per_class, bins, task, max_memory
        As in `cm.evaluate`.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> acc = cm.Accumulator(y_true="y", y_pred="p", metrics="accuracy")
    >>> acc.update(pl.DataFrame({"y": ["cat", "dog"], "p": ["cat", "cat"]}))
    >>> acc.update(pl.DataFrame({"y": ["dog", "fox"], "p": ["dog", "fox"]}))
    >>> acc
    <Accumulator: n = 4>
    >>> acc.result().overall().rows()
    [('accuracy', 0.75, None)]
    >>> cm.Accumulator.from_bytes(acc.to_bytes()).result() == acc.result()
    True
    """

    def __init__(
        self,
        y_true: str | Sequence[str] = "y_true",
        y_pred: str | Sequence[str] | Mapping[str, Any] | None = None,
        y_score: str | Sequence[str] | Mapping[str, Any] | None = None,
        *,
        by: str | pl.Expr | Sequence[str | pl.Expr] | None = None,
        metrics: Sequence[str] | str | None = None,
        labels: Any = None,
        pos_label: Label | None = None,
        sample_weight: str | None = None,
        nulls: Literal["drop", "raise"] = "drop",
        nan: Literal["raise", "drop"] = "raise",
        other: Literal["raise", "bucket"] = "raise",
        undefined: float | None = None,
        keep_empty: bool = False,
        smoothing: float = 0.0,
        reasons: bool = False,
        ci: float | None = None,
        side: Side = "both",
        cluster: str | None = None,
        cube: bool = False,
        grouping_sets: Sequence[Sequence[str]] | None = None,
        depth: int | None = None,
        min_n: int = 0,
        where: pl.Expr | None = None,
        per_class: bool = False,
        bins: BinMap | None = UNIT,
        task: Literal["regression"] | None = None,
        max_memory: int | str | None = None,
    ) -> None:
        self._asked = asked_of(locals())
        self._max_memory = checked_memory(max_memory)
        self._lock = threading.Lock()
        self._request: LogRequest | None = None
        self._states: SliceStates | None = None
        self._is_whole = True  # all that was asked is known
        self._before: list[Evaluation] = []  # merged before the first row said what columns are

    def update(self, frame: Any) -> None:
        """Count the rows of a frame: any source that `cm.evaluate` takes.

        Raises
        ------
        InputError
            Columns that are not there, or a row that cannot be counted: none of the frame is, then.
        """
        with self._lock:
            self._counted(frame)()

    def merge(self, other: Accumulator | Evaluation) -> None:
        """Add what another accumulator, or an evaluation of the same question, has counted."""
        evaluation = other.result() if isinstance(other, Accumulator) else other
        checked: Any = evaluation
        if not isinstance(checked, Evaluation):
            found = type(other).__name__
            raise InputError(f"`other` is {found}; wanted an Accumulator or an Evaluation")
        with self._lock:
            kept = self._kept()
            if kept is not None:
                kept + evaluation  # which refuses what does not add up
            self._take(evaluation)

    def result(self) -> Evaluation:
        """Return the evaluation of the rows so far.

        Raises
        ------
        InputError
            There was no update yet.
        """
        with self._lock:
            kept = self._kept()
        if kept is None:
            raise InputError("nothing was counted yet; `update` first")
        return kept

    def _kept(self) -> Evaluation | None:
        if self._states is not None and self._request is not None:
            states, joints = self._states.states(), self._states.joints()
            return Evaluation(states, self._request, joints=joints)
        return reduce(add_evaluations, self._before) if self._before else None

    def to_bytes(self) -> bytes:
        """Return what was counted as bytes: those of `result()`."""
        return self.result().to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Accumulator:
        """Return an accumulator that goes on from `to_bytes`.

        Keys and conditions that are expressions are not kept: of such a one there is no `update`,
        but it merges into a new accumulator that has them.
        """
        evaluation = Evaluation.from_bytes(data)
        made = cls.__new__(cls)
        made._asked = evaluation._request.arguments()
        counting = evaluation._request.counting
        made._is_whole = counting.where is None and counting.by == evaluation._request.keys
        made._max_memory = checked_memory(None)
        made._lock = threading.Lock()
        made._request = made._states = None
        made._before = [evaluation]
        return made

    def __repr__(self) -> str:
        with self._lock:
            kept = self._kept()
        if kept is None:
            return "<Accumulator: nothing counted yet>"
        return f"<{screen.title(kept, 'Accumulator')}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Accumulator.from_bytes, (self.to_bytes(),)

    def _counted(self, frame: Any) -> Callable[[], None]:
        if self._states is not None and self._is_bare and isinstance(frame, pl.DataFrame):
            with suppress(pl.exceptions.ColumnNotFoundError):  # which is told below, in our words
                return self._states.counted(frame)
        if not self._is_whole:
            raise InputError(
                "keys or conditions of this accumulator were expressions, which bytes do not keep; "
                "make a new one with them, and `merge` this one"
            )
        parts = parts_of(frame)
        request, states = self._request, self._states
        if request is None:
            schema = parts[0].frame.collect_schema()
            request = make_request(schema, self._asked, in_parts=True, place=parts[0].place)
            for one in self._before:
                request.check_same(one._request)
        frames = [query.collect() for _, query in readable(parts, request, "raise").queries]
        kept = self._new_states(request, frames[0].schema) if states is None else states
        if len(frames) == 1:
            count = kept.counted(frames[0])
        else:  # of several frames, none counts where one is refused
            aside = self._new_states(request, frames[0].schema)
            for rows in frames:
                aside.counted(rows)()
            count = partial(_take_all, kept, aside.states(), aside.joints())

        def add() -> None:
            with not_interrupted():
                count()
                if self._states is None:
                    self._begin(request, kept)

        return add

    def _new_states(self, request: LogRequest, schema: pl.Schema) -> SliceStates:
        return SliceStates(request, schema, self._max_memory, whole_updates=True)

    def _begin(self, request: LogRequest, states: SliceStates) -> None:
        self._request, self._states = request, states
        self._is_bare = request.where is None and request.has_plain_keys
        before, self._before = self._before, []
        for one in before:
            self._take(one)

    def _take(self, evaluation: Evaluation) -> None:
        if self._states is None:
            self._before.append(evaluation)
        else:
            _take_all(self._states, evaluation._stored, evaluation._joints)


def _take_all(states: SliceStates, parts: pl.DataFrame, joints: pl.DataFrame | None) -> None:
    states.take(parts)
    if joints is not None:
        states.take_joints(joints)
