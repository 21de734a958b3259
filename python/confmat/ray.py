"""`cm.ray.evaluate`: a log of any size, counted by the nodes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import polars as pl

from confmat.engines import ray_plans
from confmat.engines.jobs import job_of_rows, plan_files
from confmat.engines.merging import evaluation_of
from confmat.engines.required import errors_of, refuse_unknown, required
from confmat.intervals.levels import Side
from confmat.labels import Label
from confmat.logs.asking import asked_of
from confmat.logs.evaluation import Evaluation
from confmat.logs.memory import checked_memory
from confmat.own_errors import own_errors
from confmat.scores.grid import UNIT, BinMap


@own_errors
def evaluate(
    source: Any,
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
    checkpoint: None = None,
    max_memory: int | str | None = None,
    storage_options: dict[str, Any] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    progress: None = None,
) -> Evaluation:
    """Evaluate a Ray Dataset, or files, on the nodes of a Ray cluster.

    Files are read by Polars within tasks: give paths where there are some. Only states travel; the
    driver holds no rows. Where Ray was not started, it starts, or connects as RAY_ADDRESS says.

    Parameters
    ----------
    source : ray.data.Dataset, path, glob, folder or list of paths
        Rows of Ray Data; or files as in `cm.evaluate`, which every node must see.
    y_true, y_pred, y_score, by, metrics, labels, pos_label, sample_weight, nulls, nan, other
        As in `cm.evaluate`.
    undefined, keep_empty, smoothing, reasons, ci, side, cluster, cube, grouping_sets, depth, min_n
        As in `cm.evaluate`.
    where
        As in `cm.evaluate`. Expressions in `by` and `where` are those of Polars, and tell of a row
        by that row alone.
    per_class, bins, task, storage_options, on_error
        As in `cm.evaluate`; the last two are of files.
    max_memory : int or str, optional
        What the states of each task, and those of the result, may take; default 1 GB.
    checkpoint, progress
        Not for Ray, and refused.

    Returns
    -------
    Evaluation
        The same as `cm.evaluate` of the same rows, to the byte (`to_bytes`), whatever the
        partitions and whichever workers were lost; with float weights the same values of bins.

    Raises
    ------
    InputError
        As in `cm.evaluate`, once all tasks are done: of several bad rows, the first. A file that a
        worker cannot open, with the name of its machine.
    ConfmatError
        Ray is not installed; workers without confmat, or with another version of it; Ray
        gave up.

    Examples
    --------
    >>> import confmat as cm
    >>> import ray  # doctest: +SKIP
    >>> e = cm.ray.evaluate("/shared/log/*.parquet", by="site")  # doctest: +SKIP
    >>> e.slices()  # doctest: +SKIP
    >>> cm.ray.evaluate(ray.data.read_parquet("/shared/log"))  # doctest: +SKIP
    """
    asked = asked_of(locals())
    refuse_unknown("Ray", checkpoint, progress)
    memory = checked_memory(max_memory)
    ray = required("ray", "cm.ray needs Ray", "ray")
    if not ray.is_initialized():
        with errors_of("Ray"):
            ray.init()
    if type(source).__module__.startswith("ray.data"):
        with errors_of("Ray"):
            job = job_of_rows(ray_plans.schema_of_rows(source), asked, memory)
            outcome = ray_plans.rows_counted(source, job)
        return evaluation_of(job, [outcome])
    slots = ray_plans.slots()
    plan = plan_files(
        source, asked, memory, slots=slots, on_error=on_error, storage_options=storage_options
    )
    with errors_of("Ray"):
        outcome = ray_plans.files_counted(plan)
    return evaluation_of(plan.job, [outcome], plan.skipped, plan.paths)
