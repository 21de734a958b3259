"""What every task of an evaluation must know, and what each of them reads."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

import polars as pl

from confmat.engines.units import Unit, tasks_of
from confmat.errors import ConfmatError, InputError
from confmat.logs.asking import make_request
from confmat.logs.files import folder_keys
from confmat.logs.request import LogRequest
from confmat.logs.schemas import Skipped, first_fitting, readable
from confmat.logs.slices import SliceStates
from confmat.logs.sources import parts_of
from confmat.options import check_choice


@dataclass(frozen=True)
class Job:
    """What is asked, checked once by the driver; it travels to tasks as bytes."""

    request: LogRequest
    schema: pl.Schema  # of the rows that are counted
    max_memory: int
    types: Mapping[str, pl.DataType] = field(default_factory=dict)  # that columns get in all parts
    on_error: Literal["raise", "skip"] = "raise"
    storage_options: dict[str, Any] | None = None
    folder_keys: Mapping[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> set[str]:
        """The columns of labels: whole numbers of any width are the same ones."""
        arguments = self.request.arguments_of_values
        return {name for name, of in arguments.items() if of in ("y_true", "y_pred")}

    def new_states(self) -> SliceStates:
        """Return states of no rows."""
        return SliceStates(self.request, self.schema, self.max_memory)

    def check_askable(self) -> None:
        """Refuse what cannot be asked of such columns, before any row is read."""
        if not self.request.needs_rows:
            self.new_states().states()

    def packed(self) -> bytes:
        """Return the job as bytes, which a worker with another Polars may not read."""
        try:
            inner = pickle.dumps(self)
        except Exception as error:
            raise InputError(
                f"`by`, `where` or `storage_options` cannot be sent to workers: {error}"
            ) from error
        return pickle.dumps((pl.__version__, inner))

    @classmethod
    def unpacked(cls, data: bytes) -> Job:
        """Return the job that `packed` gave."""
        version, inner = pickle.loads(data)
        try:
            return pickle.loads(inner)  # type: ignore[no-any-return]
        except Exception as error:
            raise ConfmatError(
                f"a worker with Polars {pl.__version__} cannot read what the driver with Polars "
                f"{version} asks: {error}; install one version of Polars on all machines"
            ) from error


class FilePlan(NamedTuple):
    """An evaluation of files: the job, and the files of each task."""

    job: Job
    tasks: list[list[Unit]]
    skipped: list[Skipped]  # already left out
    paths: list[str]  # as they were given, by the positions of units


def plan_files(
    source: Any,
    asked: Mapping[str, Any],
    max_memory: int,
    *,
    slots: int,
    on_error: Literal["raise", "skip"],
    storage_options: dict[str, Any] | None,
) -> FilePlan:
    """Return the plan of an evaluation of files: the driver looks at schemas, and reads no rows.

    `slots`: how many tasks run at a time.

    Raises
    ------
    InputError
        What `cm.evaluate` refuses before it reads a row, in its words; a source that is no path.
    """
    check_choice("on_error", on_error, "raise", "skip")
    parts = parts_of(source, storage_options)
    if any(part.path is None for part in parts):
        raise InputError(
            f"`source` is {type(source).__name__}, rows in the memory of the driver; wanted paths "
            "that every worker sees or a frame of the engine, or use cm.evaluate"
        )
    make = partial(make_request, asked=asked, in_parts=True)
    first, request = first_fitting(parts, on_error, make)
    good = readable(parts, request, on_error, first)
    if not good.queries:
        raise InputError(f"no file can be read; the first: {good.skipped[0].reason}")
    paths = [str(part.path) for part in parts]
    job = Job(
        request,
        good.queries[0][1].collect_schema(),
        max_memory,
        good.types,
        on_error,
        storage_options,
        folder_keys(paths),
    )
    job.check_askable()
    left = {str(part.path) for part, _ in good.queries}
    files = [(at, path) for at, path in enumerate(paths) if path in left]
    is_cut = on_error == "raise" and request.where is None
    return FilePlan(job, tasks_of(files, slots, is_cut, storage_options), good.skipped, paths)


def job_of_rows(schema: pl.Schema, asked: Mapping[str, Any], max_memory: int) -> Job:
    """Return the job of an evaluation of rows with these columns."""
    request = make_request(schema, asked, in_parts=True)
    counted = request.rows(pl.LazyFrame(schema=schema)).collect_schema()
    job = Job(request, counted, max_memory, dict(schema))
    job.check_askable()
    return job


def told_as_given(text: str, paths: Sequence[str]) -> str:
    """Return a message with paths as they were given, where tasks know them in full."""
    for path in paths:
        if (full := os.path.abspath(path)) != path and full in text:
            return text.replace(full, path)
    return text
