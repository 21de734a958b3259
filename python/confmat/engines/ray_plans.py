"""Plans for Ray: tasks over files or blocks, and a tree of tasks that merge what they give."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import polars as pl

from confmat.engines.jobs import FilePlan, Job
from confmat.engines.outcomes import Outcome
from confmat.engines.required import required
from confmat.engines.travelling import on_worker
from confmat.logs.schemas import columns_of

_FAN_IN = 16  # tables that one task merges
_OPTIONS = {"num_cpus": 1, "scheduling_strategy": "SPREAD"}


def slots() -> int:
    """Return how many tasks run at a time."""
    import ray

    return max(int(ray.cluster_resources().get("CPU", 1)), 1)


def files_counted(plan: FilePlan) -> Outcome:
    """Run tasks over files, which Polars reads within each."""
    import ray

    job = plan.job.packed()
    act = on_worker("files", job)

    def count(units: Any) -> Any:
        return [piece[1:] for piece in act(units, False)]

    task = ray.remote(count).options(**_OPTIONS)
    return _merged([task.remote([tuple(unit) for unit in units]) for units in plan.tasks], job)


def rows_counted(dataset: Any, job: Job) -> Outcome:
    """Run over the blocks of a Ray Dataset, as Arrow tables."""
    pa = required("pyarrow", "cm.ray.evaluate of a Dataset needs pyarrow", "ray")
    packed = job.packed()
    act = on_worker("rows", packed)

    def count(block: Any) -> Any:
        import pyarrow as pa

        _, data, told = zip(*act([block], "a block", 0, False), strict=True)
        types = pa.schema([("data", pa.binary()), ("told", pa.string())])
        return pa.table({"data": data, "told": told}, schema=types)

    with suppress(pa.ArrowException):  # of blocks of other types, which a task tells in our words
        dataset = dataset.select_columns([name for _, name in columns_of(job.request)])
    states = dataset.map_batches(
        count, batch_format="pyarrow", batch_size=None, zero_copy_batch=True
    )
    return _merged(states.materialize().to_arrow_refs(), packed)


def schema_of_rows(dataset: Any) -> pl.Schema:
    """Return the types of the columns as they come to tasks."""
    import pyarrow as pa
    import ray

    try:
        schema = getattr(dataset.schema(), "base_schema", None)
    except pa.ArrowException:
        schema = None  # blocks of other types: tasks say which column
    if isinstance(schema, pa.Schema):
        return pl.Schema(pl.DataFrame(schema.empty_table()).schema)
    tables = ray.get(dataset.limit(1).to_arrow_refs())  # blocks of pandas
    return pl.Schema(pl.DataFrame(tables[0]).schema if tables else {})


def _merged(refs: list[Any], job: bytes) -> Outcome:
    """Merge what tasks gave, a few at a time, until there is one; only that comes to the driver."""
    import ray

    act = on_worker("merged", job)

    def merge(*parts: Any) -> Any:
        pairs = []
        for part in parts:
            if isinstance(part, list):
                pairs += part
            elif part.num_rows:
                pairs += zip(part["data"].to_pylist(), part["told"].to_pylist(), strict=True)
        return [piece[1:] for piece in act(pairs)]

    task = ray.remote(merge).options(**_OPTIONS)
    while True:
        refs = [task.remote(*refs[at : at + _FAN_IN]) for at in range(0, len(refs), _FAN_IN)]
        if len(refs) <= 1:
            break
    ((data, told),) = ray.get(refs[0] if refs else task.remote())
    return Outcome(data, told)
