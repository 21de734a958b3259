"""Plans for Spark: partial states of files or of rows, merged by groups of a few."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from confmat.engines.cells import N_ROWS, are_cells
from confmat.engines.jobs import FilePlan, Job
from confmat.engines.outcomes import Outcome
from confmat.engines.travelling import on_worker
from confmat.errors import InputError
from confmat.logs.schemas import columns_of

_COLUMNS = "node long, piece long, data binary, told string"
_FAN_IN = 64  # tables that one task merges
_EXACT = {"tinyint", "smallint", "int", "bigint", "string", "boolean", "date"}
_FEW = 8  # tables that the driver merges itself


def files_counted(session: Any, plan: FilePlan) -> list[Outcome]:
    """Run tasks over files, which Polars reads within each."""
    job, record = plan.job.packed(), _records()
    act, tasks = on_worker("files", job), [[tuple(unit) for unit in task] for task in plan.tasks]
    is_cut = len(tasks) > _FEW

    def count(batches: Any) -> Any:
        for batch in batches:
            for at in batch.column(0).to_pylist():
                for piece in act(tasks[at], is_cut):
                    yield record(at, *piece)

    parts = session.range(0, len(tasks), 1, len(tasks)).mapInArrow(count, _COLUMNS)
    return _merged(parts, job, len(tasks))


def rows_counted(frame: Any, job: Job) -> list[Outcome]:
    """Run over a Spark DataFrame: over its rows, or over its cells where Spark can count them."""
    selected = _selected(frame, job)
    if _has_cells(selected, job):
        outcomes = _cells_counted(selected, job)
        if not any(isinstance(one.error, InputError) for one in outcomes):
            return outcomes
        # The rows tell which of them is at fault.
    return _counted(selected, job, "rows")


def _has_cells(frame: Any, job: Job) -> bool:
    """Return whether Spark tells apart the values that states do."""
    types = {field.dataType.simpleString() for field in frame.schema}
    names = {name.lower() for name in (*frame.columns, N_ROWS)}
    return are_cells(job) and types <= _EXACT and len(names) == len(frame.columns) + 1


def _cells_counted(frame: Any, job: Job) -> list[Outcome]:
    """Let Spark count the rows of equal values, several times faster than it hands them over."""
    from pyspark.sql.functions import count, lit

    cells = frame.groupBy(*_named(frame.columns)).agg(count(lit(1)).alias(N_ROWS))
    if job.request.keys:  # so that one task makes the state of a slice
        cells = cells.repartition(*_named(job.request.keys))
    return _counted(cells, job, "cells")


def _counted(frame: Any, job: Job, action: str) -> list[Outcome]:
    """Run over the partitions of a frame, which come as Arrow batches."""
    packed, record = job.packed(), _records()
    act = on_worker(action, packed)

    def count(batches: Any) -> Any:
        from pyspark import TaskContext

        at = TaskContext.get().partitionId()
        for piece in act(batches, f"partition {at}", at, True):
            yield record(at, *piece)

    return _merged(frame.mapInArrow(count, _COLUMNS), packed, None)


def slots_of(session: Any) -> int:
    """Return how many tasks run at a time."""
    try:
        return int(session.sparkContext.defaultParallelism)
    except Exception:  # a session of Spark Connect has no context, and does not know
        return int(session.conf.get("spark.sql.shuffle.partitions", "200"))


def schema_of_rows(frame: Any) -> pl.Schema:
    """Return the types of the columns as they come to tasks."""
    return pl.Schema(pl.DataFrame(frame.limit(0).toArrow()).schema)


def _selected(frame: Any, job: Job) -> Any:
    return frame.select(*_named(name for _, name in columns_of(job.request)))


def _named(names: Iterable[str]) -> list[Any]:
    from pyspark.sql.functions import col

    return [col("`" + name.replace("`", "``") + "`") for name in names]


def _merged(parts: Any, job: bytes, n_tasks: int | None) -> list[Outcome]:
    """Merge pieces of one number: those of some tasks, then those of all. Collect what is left."""
    from pyspark.sql.functions import col, lit

    act, record = on_worker("merged", job), _records()

    def merge(table: Any) -> Any:
        import pyarrow as pa

        given = table.to_pydict()
        ((_, *whole),) = act(list(zip(given["data"], given["told"], strict=True)))
        batch = record(given["node"][0], given["piece"][0], *whole)
        return pa.Table.from_batches([batch])

    if n_tasks is None or n_tasks > _FAN_IN:
        parts = parts.withColumn("node", col("node") % lit(_FAN_IN))
        parts = parts.groupBy("node", "piece").applyInArrow(merge, _COLUMNS)
    if n_tasks is None or n_tasks > _FEW:
        parts = parts.groupBy("piece").applyInArrow(merge, _COLUMNS)
    left = parts.select("data", "told").toArrow()
    pairs = zip(left["data"].to_pylist(), left["told"].to_pylist(), strict=True)
    return [Outcome(data, told) for data, told in pairs]


def _records() -> Any:
    """Return what makes a batch of one row. As a closure it travels by value, too."""

    def record(node: int, piece: int, data: bytes | None, told: str) -> Any:
        import pyarrow as pa

        types = {"node": pa.int64(), "piece": pa.int64(), "data": pa.binary(), "told": pa.string()}
        values = {"node": [node], "piece": [piece], "data": [data], "told": [told]}
        return pa.RecordBatch.from_pydict(values, schema=pa.schema(list(types.items())))

    return record
