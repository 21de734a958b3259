"""What workers are asked to do; arguments and results are plain, as engines carry them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import polars as pl

from confmat.engines.cells import count_cells
from confmat.engines.counting import count_files, count_rows
from confmat.engines.jobs import Job
from confmat.engines.merging import merge_outcomes, pieces_of
from confmat.engines.outcomes import Outcome, failed
from confmat.engines.units import Unit
from confmat.errors import ConfmatError

Plain: TypeAlias = tuple[int, bytes | None, str]  # the number of a piece, its table, what is told


def files(payload: bytes, units: Iterable[Any], is_cut: bool) -> list[Plain]:
    """Count the rows of files; `is_cut`: a large table comes as pieces."""
    return _plain(payload, lambda job: count_files(job, [Unit(*one) for one in units]), is_cut)


def rows(
    payload: bytes, batches: Iterable[Any], place: str, position: int, is_cut: bool
) -> list[Plain]:
    """Count the rows of Arrow batches or tables: those of one partition."""
    frames = (pl.DataFrame(one) for one in batches)
    return _plain(payload, lambda job: count_rows(job, frames, place, position), is_cut)


def cells(
    payload: bytes, batches: Iterable[Any], place: str, position: int, is_cut: bool
) -> list[Plain]:
    """Make states of cells that the engine counted: those of one partition, as `rows` has them."""
    frames = (pl.DataFrame(one) for one in batches)
    return _plain(payload, lambda job: count_cells(job, frames, place, position), is_cut)


def merged(payload: bytes, parts: Iterable[tuple[bytes | None, str]]) -> list[Plain]:
    """Merge pairs of tables and what is told of them into one."""
    outcomes = [Outcome(*one) for one in parts]
    try:
        whole = merge_outcomes(Job.unpacked(payload), outcomes)
    except ConfmatError as error:
        whole = failed(error)
    return [(0, *whole)]


def _plain(payload: bytes, count: Any, is_cut: bool) -> list[Plain]:
    try:
        outcome = count(Job.unpacked(payload))
    except ConfmatError as error:
        outcome = failed(error)
    pieces = pieces_of(outcome) if is_cut else [(0, outcome)]
    return [(at, *one) for at, one in pieces]
