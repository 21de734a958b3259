"""`cm.spark.evaluate`: a log of any size, counted by the executors of a Spark session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import polars as pl

from confmat.engines import spark_plans
from confmat.engines.jobs import job_of_rows, plan_files
from confmat.engines.merging import evaluation_of
from confmat.engines.required import errors_of, refuse_unknown, required
from confmat.errors import InputError
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
    session: Any = None,
) -> Evaluation:
    """Evaluate a Spark DataFrame, or files, on the executors of a Spark session.

    Files are read by Polars within tasks, which is several times faster than rows that Spark hands
    over: give paths where there are some. Only states travel; the driver holds no rows.

    Parameters
    ----------
    source : pyspark.sql.DataFrame, path, glob, folder or list of paths
        Rows of Spark; or files as in `cm.evaluate`, which every executor must see.
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
        Not for Spark, and refused.
    session : pyspark.sql.SparkSession, optional
        Which session reads files; default the active one.

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
        PySpark is not installed; workers without confmat, or with another version of it; Spark
        gave up.

    Examples
    --------
    >>> import confmat as cm
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> spark = SparkSession.builder.getOrCreate()  # doctest: +SKIP
    >>> e = cm.spark.evaluate("/shared/log/*.parquet", by="site")  # doctest: +SKIP
    >>> e.slices()  # doctest: +SKIP
    >>> cm.spark.evaluate(spark.table("log").where("day > '2024-05-01'"))  # doctest: +SKIP
    """
    asked = asked_of(locals())
    refuse_unknown("Spark", checkpoint, progress)
    memory = checked_memory(max_memory)
    pyspark = required("pyspark.sql", "cm.spark needs PySpark 4 and pyarrow", "spark")
    if _is_frame(source):
        with errors_of("Spark"):
            job = job_of_rows(spark_plans.schema_of_rows(source), asked, memory)
            outcomes = spark_plans.rows_counted(source, job)
        return evaluation_of(job, outcomes)
    session = session or pyspark.SparkSession.getActiveSession()
    if session is None:
        raise InputError(
            "`session` is None, and no Spark session is active; make one with "
            "SparkSession.builder.getOrCreate()"
        )
    slots = spark_plans.slots_of(session)
    plan = plan_files(
        source, asked, memory, slots=slots, on_error=on_error, storage_options=storage_options
    )
    with errors_of("Spark"):
        outcomes = spark_plans.files_counted(session, plan)
    return evaluation_of(plan.job, outcomes, plan.skipped, plan.paths)


def _is_frame(source: Any) -> bool:
    """Return whether it is a Spark DataFrame, of a session here or of a server."""
    modules = {one.__module__.partition(".")[0] for one in type(source).__mro__}
    return "pyspark" in modules and hasattr(source, "mapInArrow")
