"""One pass over the parts of a log: batches to states, checkpoints on the way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import polars as pl

from confmat.errors import InputError
from confmat.logs.absent_positive import check_positive
from confmat.logs.checkpoints import Checkpoints, Position, check_keys
from confmat.logs.evaluation import Evaluation
from confmat.logs.identifiers import check_identifiers
from confmat.logs.interrupted import Interrupted, not_interrupted
from confmat.logs.joint_states import apart, together
from confmat.logs.progress import Progress
from confmat.logs.reading import Batch, Ended, Reader
from confmat.logs.request import LogRequest
from confmat.logs.schemas import Typed, readable
from confmat.logs.slices import SliceStates
from confmat.logs.sources import Part


class Run:
    """The pass. What a file gives is kept apart until its end where broken ones are skipped."""

    def __init__(
        self,
        parts: Sequence[Part],
        first: Typed,
        request: LogRequest,
        *,
        on_error: Literal["raise", "skip"],
        max_memory: int,
        checkpoint: str | os.PathLike[str] | None,
    ) -> None:
        self._request = request
        self._on_error: Literal["raise", "skip"] = on_error
        self._max_memory = max_memory
        self._position = Position([])
        self._checkpoints: Checkpoints | None = None
        before = None
        if checkpoint is not None:
            if any(part.path is None for part in parts):
                raise InputError(
                    "`checkpoint` needs files, whose rows are found again; `source` is none: name "
                    "the files, and give conditions as `where`"
                )
            self._checkpoints = Checkpoints(checkpoint, request, on_error)
            before = self._checkpoints.read(parts)
        if before is not None:
            self._position = before.position
        self._paths = [part.path for part in parts if part.path is not None]
        self._parts = readable(self._position.left_of(parts), request, on_error, first)
        self._skipped = list(self._parts.skipped)
        if before is None and not self._parts.queries:
            raise InputError(f"no file can be read; the first: {self._skipped[0].reason}")
        query = self._parts.queries[0][1] if self._parts.queries else request.rows(first[0].frame)
        self._schema = query.collect_schema()
        self._states = self._new_states()
        if before is not None:
            check_keys(before.states, request, self._schema)
            self._take(before.states)

    def result(self, progress: bool | None) -> Evaluation:
        """Read all rows."""
        try:
            self._read(progress)
            out = self._evaluation(complete=True)
            self._write(lambda: together(out._stored, out._joints))
            check_identifiers(out.states(), self._request)
            check_positive(out.states(), self._request)
        except KeyboardInterrupt:
            with not_interrupted():
                self._write(self._kept_so_far)
            raise Interrupted(self._stopped) from None
        return out

    def _read(self, progress: bool | None) -> None:
        queries = self._parts.queries
        total = sum(part.bytes or 0 for part, _ in queries) or None
        rows = queries[0][0].rows if len(queries) == 1 else None
        reader = Reader(queries, skip_rows=self._position.rows, on_error=self._on_error)
        states = self._states if self._on_error == "raise" else self._new_states()
        with reader as items, Progress(total, rows, shown=progress) as told:
            if not self._request.needs_rows:
                self._states.states()  # of no rows: refuses what cannot be asked, as files open
            for item in items:
                part, size = queries[item.part][0], 0
                if isinstance(item, Batch):
                    with located(part, item.first_row, self._request.where is not None):
                        add = states.counted(item.frame)
                        with not_interrupted():
                            add()
                            if states is self._states:
                                self._go_on(item)
                else:
                    with not_interrupted():
                        states = self._end(item, states)
                    size = part.bytes or 0
                told.advance(item.frame.height if isinstance(item, Batch) else 0, size)
                if self._checkpoints is not None and self._checkpoints.is_due(self._states.bytes):
                    self._write(self._kept_so_far)
        if (
            len(self._skipped) == len(queries) + len(self._parts.skipped)
            and not self._position.done
        ):
            raise InputError(f"no file can be read; the first: {self._skipped[0].reason}")

    def _go_on(self, batch: Batch) -> None:
        rows = batch.first_row + batch.frame.height
        self._position = self._position._replace(current=batch.identity, rows=rows)

    def _end(self, item: Ended, states: SliceStates) -> SliceStates:
        """Take what a file gave, and return where the next one goes."""
        if item.skipped is not None:
            self._skipped.append(item.skipped)
        else:
            done = [*self._position.done, *([item.identity] if item.identity else [])]
            self._position = Position(done)
            if states is not self._states:
                self._take(self._kept(states))
        return states if states is self._states else self._new_states()

    def _write(self, make: Callable[[], pl.DataFrame]) -> None:
        if self._checkpoints is not None:
            self._checkpoints.write(make, self._position)

    def _kept_so_far(self) -> pl.DataFrame:
        return self._kept(self._states)

    def _kept(self, states: SliceStates) -> pl.DataFrame:
        return together(states.states(), states.joints())

    def _take(self, kept: pl.DataFrame) -> None:
        states, joints = apart(kept)
        self._states.take(states)
        if joints is not None:
            self._states.take_joints(joints)

    def _new_states(self) -> SliceStates:
        return SliceStates(self._request, self._schema, self._max_memory)

    def _stopped(self) -> Evaluation:
        return self._evaluation(complete=False)

    def _evaluation(self, complete: bool) -> Evaluation:
        return Evaluation(
            self._states.states(),
            self._request,
            joints=self._states.joints(),
            complete=complete,
            skipped=self._skipped,
            files=self._read_paths(),
        )

    def _read_paths(self) -> list[str] | None:
        """Return the files of the source, without those left out; None where it is none."""
        left_out = {one.path for one in self._skipped}
        return [path for path in self._paths if path not in left_out] or None


@contextmanager
def located(part: Part, first_row: int, is_filtered: bool) -> Iterator[None]:
    """Say of an error about a row of a batch where it is in the log."""
    try:
        yield
    except InputError as error:
        among = " (of those that `where` keeps)" if is_filtered else ""
        before = "" if part.path is None else f"{part.path}: "
        raise error.moved(first_row, among, before) from None
