"""Files of states as one frame of states, merged within a bound of memory.

Files are read side by side, some rows of each at a time. As their slices are sorted, the states of
a slice come together, and are merged once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import NamedTuple

import polars as pl

from confmat.errors import ConfmatError, InputError
from confmat.frames.partials import merge
from confmat.frames.roll_up import GROUPING, merged_by
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

STEP = 1 << 29  # bytes of states that are read before they are merged
FIRST = 16  # rows of a file that tell how large states are
_FILES = 64  # that are read side by side


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
    patterns: Sequence[str],
    by: Sequence[str] | None = None,
    max_memory: str | None = None,
    cluster: str | None = None,
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
    cluster : str, optional
        The key of clusters, which is kept, too.

    Raises
    ------
    InputError
        A file that holds no states, or such as do not add to those of the others; different keys.
    """
    sums = _Sums(checked_memory(max_memory))
    files = state_files(patterns, cluster)
    if cluster is not None:
        _check_cluster(files[0], cluster)
        by = None if by is None else [*(key for key in by if key != cluster), cluster]
    columns = _columns(files, by)
    rows = 0
    try:
        for first in range(0, len(files), _FILES):
            for step in _steps(files[first : first + _FILES]):
                rows += sum(batch.height for batch in step)
                sums.add(pl.concat([columns.of(batch) for batch in step]))
        parts = sums.states()
    except _RefusedError as why:
        raise _named(why.args[0], files, columns) from None
    if not rows:
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


def _check_cluster(file: StateFile, cluster: str) -> None:
    if cluster not in file.keys:
        raise InputError(
            f"`cluster` is {cluster!r}; wanted one of the keys of {file.path}, {listing(file.keys)}"
        )


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


def _steps(files: Sequence[StateFile]) -> Iterator[list[pl.DataFrame]]:
    """Yield some rows of every file, then the next ones, until all are read.

    Few times: to skip rows, Polars decompresses them.
    """
    left, first = list(files), 0
    sample = files[0].rows(0, FIRST)
    n = min(max(1, STEP * sample.height // (1 + _size(sample) * len(files))), FIRST**2)
    while left:
        step = [file.rows(first, n) for file in left]
        yield step
        first += n
        left = [file for file, batch in zip(left, step, strict=True) if batch.height == n]
        n = max(1, STEP * n // (1 + sum(map(_size, step))))


class _Sums:
    """The sum of all rows that were added."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kinds: dict[str, set[int]] = {}
        self._merged: pl.DataFrame | None = None
        self._n_held = 0  # bytes, also of states that were merged again

    def add(self, rows: pl.DataFrame) -> None:
        """Add rows. Raises _RefusedError."""
        states = [name for name in STATES if name in rows.columns]
        keys = [name for name in rows.columns if name not in STATES]
        try:
            for name in states:
                self._kinds.setdefault(name, set()).update(kinds_in(rows[name]))
                check_kinds(self._kinds[name], name)
            others, same = self._apart(rows.select(keys))
            merged = merged_by(pl.concat([*same, rows]), keys, states)
        except (ConfmatError, pl.exceptions.ComputeError) as why:
            raise _RefusedError(why) from None
        self._n_held += _size(merged)
        self._merged = whole = pl.concat([*others, merged])
        size = _size(whole)
        if size > self._limit:
            raise InputError(
                f"{whole.height:,} slices so far take {shown_memory(size)}, and `max_memory` "
                f"allows {shown_memory(self._limit)}; give fewer or coarser keys in `by`, or "
                "allow more"
            )
        if self._n_held > size + size // 2 + STEP:
            self._merged, self._n_held = _copied(whole), size

    def _apart(self, keys: pl.DataFrame) -> tuple[list[pl.DataFrame], list[pl.DataFrame]]:
        """Return the states of other slices, and those of these."""
        before = self._merged
        if before is None or not keys.width:
            return [], [] if before is None else [before]
        of = keys.unique()
        same = before.join(of, on=keys.columns, how="semi", nulls_equal=True)
        if same.is_empty():
            return [before], []
        return [before.join(of, on=keys.columns, how="anti", nulls_equal=True)], [same]

    def states(self) -> pl.DataFrame:
        """Return the sum, sorted by the keys."""
        assert self._merged is not None
        whole = self._merged
        keys = [name for name in whole.columns if name not in STATES]
        return whole.sort(keys, nulls_last=True) if keys else whole


def _copied(states: pl.DataFrame) -> pl.DataFrame:
    """Return the same in memory that holds nothing else."""
    pieces = []
    for piece in states.iter_slices(max(1, STEP * states.height // (1 + _size(states)))):
        memory = BytesIO()
        piece.write_ipc(memory)
        pieces.append(pl.read_ipc(memory.getvalue()))
    return pl.concat(pieces) if pieces else states


def _named(why: Exception, files: Sequence[StateFile], columns: _Columns) -> Exception:
    """Return the error with the file that it comes from, found by reading all of them again."""
    before: pl.DataFrame | None = None
    for file in files:
        first = 0
        for (batch,) in _steps([file]):
            try:
                refuse_bytes(file.path, first, batch)
                for name in columns.states:
                    held = batch[name] if before is None else pl.concat([before[name], batch[name]])
                    check_kinds(kinds_in(held), name)
                states = columns.of(batch)
                keys = [name for name in states.columns if name not in STATES]
                before = merge(states if before is None else pl.concat([before, states]), by=keys)
            except ConfmatError as found:
                told = str(found)
                return InputError(told if file.path in told else f"{file.path}: {told}")
            first += batch.height
    return why


def _size(states: pl.DataFrame) -> int:
    """Return about how many bytes states and their keys take."""
    of_states = states.select(pl.selectors.binary().bin.size().sum()).sum_horizontal().sum()
    return int(of_states) + 16 * states.height * states.width
