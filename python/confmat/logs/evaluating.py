"""`cm.evaluate`: a log of any size, one pass over its rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import polars as pl

from confmat.intervals.levels import Side
from confmat.labels import Label
from confmat.logs.asking import asked_of, make_request
from confmat.logs.evaluation import Evaluation
from confmat.logs.memory import checked_memory
from confmat.logs.run import Run
from confmat.logs.schemas import first_fitting
from confmat.logs.sources import parts_of
from confmat.options import check_choice
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
    checkpoint: str | os.PathLike[str] | None = None,
    max_memory: int | str | None = None,
    storage_options: dict[str, Any] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    progress: bool | None = None,
) -> Evaluation:
    """Evaluate a log of any size in one pass: predicted classes, scores, or both, by slices.

    Rows are read in batches and kept as states; memory does not grow with them.

    Parameters
    ----------
    source : path, glob, folder, list of these, frame or query
        Parquet, CSV, TSV, NDJSON and Arrow files (CSV also as .gz and .zst), also of object stores
        (`s3://bucket/*/*.parquet`);
        folders with all files in them, keys in the names of folders (`country=DE/`) being columns;
        a Polars DataFrame or LazyFrame, a pandas DataFrame, a pyarrow table, dataset or reader, a
        DuckDB relation.
    y_true, y_pred, y_score : str
        Columns of true classes, predicted classes, scores of the positive class. Default of
        `y_pred`: "y_pred", unless there are scores alone. A list of columns for `y_score`, or one
        column of lists, has the scores of K classes in the order of `labels`; lists for `y_true`
        and `y_pred` are label sets. Several models: `{"a": "column", ...}`, or a list of columns
        for `y_pred`; the results have the column `model` then.
    by : str, pl.Expr or sequence of these, optional
        Columns or expressions, such as `pl.col("time").dt.month()`, whose values cut the rows into
        slices; a null is a slice of its own. An expression, here and in `where`, must tell of a row
        by that row alone: files are read one after the other.
    metrics : sequence of str, optional
        Names of metrics that the result shows; any other can be asked of it later.
    labels, pos_label, sample_weight, undefined, keep_empty, smoothing
        As in `cm.confusion_matrix` and `df.cm.evaluate`. Without `labels` they are found on the
        way.
    nulls : {"drop", "raise"}, default "drop"
        Leave out rows with a null label, score or weight and count them, or refuse them.
    nan : {"raise", "drop"}, default "raise"
        Refuse nan scores, or leave out their rows and count them.
    other : {"raise", "bucket"}, default "raise"
        Refuse labels outside `labels`, or count their rows apart.
    reasons : bool, default False
        Also say in the table of slices why a value is undefined.
    ci : float, optional
        Also the ends of intervals of this level, such as 0.95: of each metric of predicted classes,
        and of scores of each whose interval has a formula.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`: "lower" puts all that intervals may miss below; the other end is that of the
        range.
    cluster : str, optional
        A column that says which rows belong together, such as a user: they are not independent, and
        intervals are as wide as that asks. A null is refused. One state is kept for each slice and
        cluster: see Notes.
    cube, grouping_sets, depth
        Also coarser slices, merged from the finest: every subset of `by`; the subsets given; all
        subsets of at most `depth` keys. The column `grouping` tells "all" from a missing value.
    min_n : int, default 0
        Metrics of slices with a smaller `n` become null; their counts stay.
    where : pl.Expr, optional
        Only rows for which this is true; readers skip what they can.
    per_class : bool, default False
        `slices()` has one row a slice and class.
    bins : "unit", int, "float16" or None, default "unit"
        Of scores, as in `cm.sweep`: fine bins whose states tell their bounds, or with None each
        distinct score.
    task : {"regression"}, optional
        `y_true` and `y_pred` are numbers, `metrics` those of `cm.regression`. Metrics that need
        further sums are those named here. Lists for both are several outputs: each has slices of
        its own, where the column `model` holds the name of its true column. `y_pred` may also be
        `{"true column": "predicted column", ...}`.
    checkpoint : path, optional
        A file that is written now and then and read at the start: after a stop the same call goes
        on where it was and gives the same result; new files of the source are added. Files that
        have changed are refused, but for those of object stores, which names alone tell apart.
        Rows of files that are gone still count, and so do those of files that are there and that
        `source` does not name: a warning tells of these.
    max_memory : int or str, optional
        Bytes, or text such as "2 GB", that states may take; default 1 GB. Bins of scores become
        coarser to fit; slices that cannot fit are refused.
    storage_options : dict, optional
        Of an object store, as in `pl.scan_parquet`.
    on_error : {"raise", "skip"}, default "raise"
        Refuse files that cannot be read, lack a column or have one of another kind than the first,
        or leave them out, whole, and say so in the result.
    progress : bool, optional
        Show rows, bytes, rate and time left. Default: in terminals and notebooks, when it takes
        long.

    Returns
    -------
    Evaluation
        States of all slices: `.slices()`, `.overall()`, `.matrix(slice)`, `.to_bytes()` and more.

    Raises
    ------
    InputError
        A column that is not there, with the nearest name; files whose columns do not fit together;
        a row that cannot be counted, with its file and number.
    StateError
        A checkpoint of another evaluation, or of files that have changed since.
    Interrupted
        After Ctrl-C; `.evaluation` is what was read.

    Notes
    -----
    With `cluster` the standard error of a metric is that of the sums over clusters of what each row
    adds to it by the derivatives of the metric, times G / (G - 1) of G clusters (for the area under
    the ROC curve: of DeLong's placements); ends are those of as many independent rows as would
    have it, with Student's t for fewer than 30 clusters. Label sets and numbers have the standard
    error of the jackknife: they are found again without each cluster, or without each of 1,000
    groups of clusters where there are more. Where nothing is seen of how alike the rows of a
    cluster are, as at a recall of 1, those of one count as one row. `worst`, `fairness`, `monitor`
    and `test_slices` take rows as independent, and refuse such an evaluation.

    So that evaluations of clusters merge, also where the rows of one lie in several files, each
    slice and cluster has a state of its own: in memory and in bytes about 140 bytes for predictions
    of two classes (200 where ten rows are of ten classes), 260 for scores of ten rows (3,200 of ten
    classes), and 330 for sets of ten labels and for numbers.

    References
    ----------
    Liang and Zeger (1986), https://doi.org/10.1093/biomet/73.1.13; Cameron and Miller (2015),
    https://doi.org/10.3368/jhr.50.2.317; Obuchowski (1997), https://doi.org/10.2307/2533958; Shao
    and Tu (1995), The Jackknife and Bootstrap, ISBN 978-0-387-94515-6

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "site": ["a", "a", "b", "b"],
    ...     "y_true": [0, 1, 0, 1],
    ...     "y_pred": [0, 1, 1, 1],
    ... })
    >>> e = cm.evaluate(log, by="site", metrics=["accuracy", "f1"])
    >>> e.slices().rows()
    [('a', 2, 0, 0, 1.0, 1.0), ('b', 2, 0, 0, 0.5, 0.6666666666666666)]
    >>> e.matrix(site="b").counts.tolist()
    [[0, 1], [0, 1]]
    """
    asked = asked_of(locals())
    check_choice("on_error", on_error, "raise", "skip")
    memory = checked_memory(max_memory)
    parts = parts_of(source, storage_options)
    make = partial(make_request, asked=asked, in_parts=len(parts) > 1)
    first, request = first_fitting(parts, on_error, make)
    run = Run(parts, first, request, on_error=on_error, max_memory=memory, checkpoint=checkpoint)
    return run.result(progress)
