"""Files of states as one frame of states: read file by file, merged within a bound of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from confmat.errors import ConfmatError, InputError
from confmat.frames.partials import merge
from confmat.frames.roll_up import GROUPING
from confmat.labels import listing
from confmat.logs.memory import checked_memory, shown_memory
from confmat.logs.schemas import Skipped, family
from confmat.logs.slice_keys import slice_keys
from confmat.logs.state_files import (
    STATES,
    StateFile,
    check_kinds,
    kinds_in,
    refuse_bytes,
    state_files,
)
from confmat.slices.lattice import MODEL

_PARTS = 16  # of the slices, merged one after the other
_LITTLE, _MUCH = 1 << 26, 1 << 28  # bytes of states that wait for a merge


class MergedFiles(NamedTuple):
    """The states of all files, a row a slice."""

    parts: pl.DataFrame
    files: list[str]
    rows: int  # of the files
    left_out: list[Skipped]

    @property
    def keys(self) -> list[str]:
        """The columns that hold no states."""
        return [name for name in self.parts.columns if name not in STATES]


def merged_files(
    patterns: Sequence[str], by: Sequence[str] | None = None, max_memory: str | None = None
) -> MergedFiles:
    """Return the states that files hold, merged.

    Parameters
    ----------
    patterns : sequence of str
        Paths, globs and folders: frames of `cm.partial` as Parquet or Arrow, and what `to_bytes` of
        evaluations and objects gave, which are told by their bytes.
    by : sequence of str, optional
        Keys of the result, as of `slice_keys`; default all that the files have. Several models stay
        apart.
    max_memory : str, optional
        What merged states may take.

    Raises
    ------
    InputError
        A file that holds no states, or such as do not add to those of the others; different keys.
    """
    limit = checked_memory(max_memory)
    files = state_files(patterns)
    sums = _Sums(_columns(files, by), limit)
    rows = 0
    try:
        for file in files:
            for batch in file.batches():
                rows += batch.height
                sums.take(file, batch)
        parts = sums.states()
    except _RefusedError as why:
        raise _named(why.args[0], files, sums) from None
    if parts is None or not rows:
        raise InputError("the files hold no states")
    left_out = [Skipped(file.path, file.left_out) for file in files if file.left_out is not None]
    return MergedFiles(parts, [file.path for file in files], rows, left_out)


class _RefusedError(Exception):
    """States that do not add up, of files that are still to be named."""


class _Columns(NamedTuple):
    """What is read of every file."""

    keys: list[pl.Expr]
    types: dict[str, pl.DataType]  # of the columns that keys are made of
    states: list[str]

    def of(self, batch: pl.DataFrame) -> pl.DataFrame:
        casts = [pl.col(name).cast(dtype) for name, dtype in self.types.items()]
        return batch.with_columns(casts).select(*self.keys, *self.states)


def _columns(files: Sequence[StateFile], by: Sequence[str] | None) -> _Columns:
    """Return the keys that are asked for, which all files have, and the states."""
    first = files[0]
    asked = first.keys if by is None else list(by)
    keys = slice_keys(asked, first.schema, first.keys)
    if by is not None and MODEL in first.keys and MODEL not in by:
        keys.insert(0, pl.col(MODEL))
    roots = [name for key in keys for name in key.meta.root_names()]
    if GROUPING in first.keys and GROUPING not in roots:
        raise InputError(
            f"{first.path} has a column {GROUPING!r}: it holds some rows in several slices; merge "
            "the finest slices alone"
        )
    for file in files[1:]:
        missing = [name for name in roots if name not in file.keys]
        more = [name for name in file.keys if name not in roots] if by is None else []
        if missing or more:
            raise InputError(
                f"{file.path} has the keys {listing(file.keys)} and {first.path} has "
                f"{listing(first.keys)}; `by` names keys that all have"
            )
        if file.states != first.states:
            raise InputError(
                f"{file.path} has the states {listing(file.states)} and {first.path} has "
                f"{listing(first.states)}; wanted the same in all files"
            )
    types = {name: _common_type(name, files) for name in roots}
    return _Columns(keys, types, first.states)


def _common_type(name: str, files: Sequence[StateFile]) -> pl.DataType:
    first = files[0]
    for file in files[1:]:
        if family(file.schema[name]) != family(first.schema[name]):
            raise InputError(
                f"the key {name!r} is {file.schema[name]} in {file.path} and "
                f"{first.schema[name]} in {first.path}; wanted one kind in all"
            )
    columns = [pl.DataFrame(schema={name: file.schema[name]}) for file in files]
    if len({file.schema[name] for file in files}) > 1 and family(first.schema[name]) == "text":
        return pl.String()
    return pl.concat(columns, how="vertical_relaxed").schema[name]


class _Sums:
    """The sum of all rows that were taken, in parts of the slices."""

    def __init__(self, columns: _Columns, limit: int) -> None:
        self.columns = columns
        self._limit = limit
        self._kinds: dict[str, set[int]] = {name: set() for name in columns.states}
        self._merged: list[pl.DataFrame | None] = [None] * _PARTS
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = self._n_merged = 0

    def take(self, file: StateFile, batch: pl.DataFrame) -> None:
        """Take rows of a file. Raises _RefusedError."""
        batch = self.columns.of(batch)
        try:
            for name in self._kinds:
                self._kinds[name] |= kinds_in(batch[name])
                check_kinds(self._kinds[name], name)
        except ConfmatError as why:
            raise _RefusedError(why) from None
        self._waiting.append(batch)
        self._n_waiting += _size(batch)
        if self._n_waiting > max(_LITTLE, min(self._n_merged, _MUCH)):
            self._merge()

    def states(self) -> pl.DataFrame | None:
        """Return the sum, sorted by the keys; None where nothing was taken."""
        if self._waiting:
            self._merge()
        held = [part for part in self._merged if part is not None]
        self._merged = []
        if not held:
            return None
        whole = pl.concat(held)
        keys = [name for name in whole.columns if name not in STATES]
        return whole.sort(keys, nulls_last=True) if keys else whole

    def _merge(self) -> None:
        new = pl.concat(self._waiting)
        self._waiting, self._n_waiting, self._n_merged = [], 0, 0
        keys = [name for name in new.columns if name not in STATES]
        place = new.select(keys).hash_rows() % _PARTS if keys else None
        for at, before in enumerate(self._merged):
            rows = new.clear(0) if at else new
            if place is not None:
                rows = new.filter(place == at)
            self._merged[at] = None
            self._merged[at] = part = self._sum(before, rows, keys)
            self._n_merged += 0 if part is None else _size(part)
        if self._n_merged > self._limit:
            slices = sum(part.height for part in self._merged if part is not None)
            raise InputError(
                f"{slices:,} slices so far take {shown_memory(self._n_merged)}, and `max_memory` "
                f"allows {shown_memory(self._limit)}; give fewer or coarser keys in `by`, or "
                "allow more"
            )

    def _sum(
        self, before: pl.DataFrame | None, rows: pl.DataFrame, keys: list[str]
    ) -> pl.DataFrame | None:
        if rows.is_empty():
            return before
        both = rows if before is None else pl.concat([before, rows])
        try:
            return merge(both, by=keys)
        except ConfmatError as why:
            raise _RefusedError(why) from None


def _named(why: ConfmatError, files: Sequence[StateFile], sums: _Sums) -> ConfmatError:
    """Return the error with the file that it comes from, found by reading all of them again."""
    before: pl.DataFrame | None = None
    for file in files:
        row = 0
        for batch in file.batches():
            try:
                refuse_bytes(file.path, row, batch)
                for name in sums.columns.states:
                    held = batch[name] if before is None else pl.concat([before[name], batch[name]])
                    check_kinds(kinds_in(held), name)
                states = sums.columns.of(batch)
                keys = [name for name in states.columns if name not in STATES]
                before = merge(states if before is None else pl.concat([before, states]), by=keys)
            except ConfmatError as found:
                told = str(found)
                return InputError(told if file.path in told else f"{file.path}: {told}")
            row += batch.height
    return why


def _size(states: pl.DataFrame) -> int:
    """Return about how many bytes states and their keys take."""
    of_states = states.select(pl.selectors.binary().bin.size().sum()).sum_horizontal().sum()
    return int(of_states) + 16 * states.height * states.width
