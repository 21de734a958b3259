"""Files cut and packed into tasks of about the same size."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from confmat.logs.files import kind_of, scan_file
from confmat.logs.stores import is_remote

_TASKS_A_SLOT = 2  # states of many slices are large: the fewer tasks, the less is moved
_LEAST_ROWS = 1_000_000  # of a file that is cut, in each piece
_LEAST_BYTES = 1 << 22  # of a task, where there are files enough
_CUT = (".parquet", ".pq")  # kinds of files that are read from any row


class Unit(NamedTuple):
    """A file, or some of its rows."""

    position: int  # of the file in the source
    path: str  # in full: workers have folders of their own
    first_row: int = 0
    n_rows: int | None = None  # None: all that follow


def tasks_of(
    files: Sequence[tuple[int, str]],
    slots: int,
    is_cut: bool,
    storage_options: dict[str, Any] | None = None,
) -> list[list[Unit]]:
    """Return the units of each task, in the order of the files. Large files are cut if `is_cut`."""
    sizes = [0 if is_remote(path) else os.stat(path).st_size for _, path in files]
    each = sum(sizes) / (max(slots, 1) * _TASKS_A_SLOT)
    if all(sizes):
        each = max(each, _LEAST_BYTES)
    else:  # of an object store: files are taken for equal
        sizes = [1] * len(files)
        each = len(files) / (max(slots, 1) * _TASKS_A_SLOT)
    weighed: list[tuple[Unit, float]] = []
    for (position, path), size in zip(files, sizes, strict=True):
        whole = Unit(position, path if is_remote(path) else os.path.abspath(path))
        pieces = [whole]
        if is_cut and size > each and kind_of(path) in _CUT:
            rows = scan_file(whole.path, storage_options).select(pl.len()).collect().item()
            pieces = list(_cut(whole, rows, -(-size // round(each))))
        weighed += [(piece, size / len(pieces)) for piece in pieces]
    return list(_packed(weighed, each))


def _cut(whole: Unit, rows: int, n_pieces: int) -> Iterator[Unit]:
    n_pieces = max(min(n_pieces, rows // _LEAST_ROWS), 1)
    bounds = [rows * at // n_pieces for at in range(n_pieces)]
    for first, end in zip(bounds, [*bounds[1:], None], strict=True):
        yield whole._replace(first_row=first, n_rows=None if end is None else end - first)


def _packed(weighed: Iterable[tuple[Unit, float]], each: float) -> Iterator[list[Unit]]:
    task: list[Unit] = []
    before, at = 0.0, 0
    for unit, weight in weighed:
        its = int((before + weight / 2) / each)
        if task and its > at:
            yield task
            task = []
        at = its
        before += weight
        task.append(unit)
    if task:
        yield task
