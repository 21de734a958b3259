"""What a task does: count the rows of some files, or of some batches."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator

import polars as pl

from confmat.engines.jobs import Job
from confmat.engines.outcomes import Outcome, counted, failed
from confmat.engines.units import Unit
from confmat.errors import ConfmatError, InputError, named
from confmat.logs.files import scan_file
from confmat.logs.joint_states import apart, together
from confmat.logs.reading import ROWS, Batch, Reader
from confmat.logs.run import located
from confmat.logs.schemas import cannot_be_read, family, other_kind, schema_of, with_types
from confmat.logs.slices import SliceStates
from confmat.logs.sources import Part
from confmat.logs.stores import is_remote
from confmat.state_tables import table_bytes


def count_files(job: Job, units: Iterable[Unit]) -> Outcome:
    """Count the rows of some files, one after the other."""
    begun = time.perf_counter()
    states, skipped = job.new_states(), []
    for unit in units:
        own = states if job.on_error == "raise" else job.new_states()
        try:
            why = _count_file(job, unit, own)
        except ConfmatError as error:
            return failed(error, (unit.position, unit.first_row))
        if why is not None:
            skipped.append((unit.position, why))
        elif own is not states:
            _take(states, own)
    return counted(table_of(states), skipped, time.perf_counter() - begun)


def _count_file(job: Job, unit: Unit, states: SliceStates) -> str | None:
    """Count the rows of a file; return why it is left out, if it is."""
    _check_seen(unit.path)
    part = Part(scan_file(unit.path, job.storage_options, job.folder_keys), unit.path)
    try:
        schema = schema_of(part)
    except InputError as error:
        if job.on_error == "raise":
            raise
        return str(error)
    frame = part.frame
    if unit.first_row or unit.n_rows is not None:
        frame = frame.slice(unit.first_row, unit.n_rows)
    query = job.request.rows(with_types(frame, schema, job.types))
    with Reader([(part, query)], on_error=job.on_error) as items:
        for item in items:
            if isinstance(item, Batch):
                first_row = unit.first_row + item.first_row
                with located(part, first_row, job.request.where is not None):
                    states.counted(item.frame)()
            elif item.skipped is not None:
                return item.skipped.reason
    return None


def _check_seen(path: str) -> None:
    """Refuse a file that the driver has seen, and this worker does not."""
    if is_remote(path):
        return
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise InputError(
            f"{path} cannot be opened by the worker on {socket.gethostname()}: {error.strerror}; "
            "every worker must see all files, as in a shared folder or an object store"
        ) from error


def count_rows(job: Job, frames: Iterable[pl.DataFrame], place: str, position: int = 0) -> Outcome:
    """Count the rows of one partition, which come in batches of any size; errors name `place`."""
    begun = time.perf_counter()
    states, row = job.new_states(), 0
    try:
        for frame in in_large_batches(frames):
            rows = _rows(job, frame)
            with located(Part(frame.lazy()), row, job.request.where is not None):
                states.counted(rows)()
            row += rows.height
    except ConfmatError as error:
        return failed(named(error, f"{place}: "), (position, row))
    return counted(table_of(states) if row else None, seconds=time.perf_counter() - begun)


def in_large_batches(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield rows in batches that are worth a pass; of the same columns each."""
    waiting: list[pl.DataFrame] = []
    height = 0
    for frame in frames:
        if waiting and (height + frame.height > ROWS or frame.schema != waiting[0].schema):
            yield pl.concat(waiting)
            waiting, height = [], 0
        if frame.height:
            waiting.append(frame)
            height += frame.height
    if waiting:
        yield pl.concat(waiting)


def _rows(job: Job, frame: pl.DataFrame) -> pl.DataFrame:
    """Return what is counted of a batch, whose columns may be of other types than those before."""
    types = {}
    for name, to in job.types.items():
        found = frame.schema[name] if name in frame.schema else pl.Null()
        if name not in frame.schema or found == to:
            continue
        if pl.Null not in (found, to) and family(found) != family(to):
            raise InputError(other_kind(name, found, "some partitions", to, "others"))
        if name not in job.labels:
            types[name] = to
    try:
        return job.request.rows(with_types(frame.lazy(), frame.schema, types)).collect()
    except pl.exceptions.PolarsError as error:
        raise cannot_be_read(Part(frame.lazy()), error) from error


def table_of(states: SliceStates) -> bytes:
    """Return states of slices as the bytes that travel."""
    return table_bytes(together(states.states(), states.joints()), {}, {})


def _take(states: SliceStates, own: SliceStates) -> None:
    parts, joints = apart(together(own.states(), own.joints()))
    states.take(parts)
    if joints is not None:
        states.take_joints(joints)
