"""`cm.compare`: models on the same rows, their differences with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.request import check_columns
from confmat.intervals.bootstrap import least_replicates
from confmat.intervals.levels import SIDES, Side, checked_level
from confmat.labels import Label, one_label
from confmat.logs.asking import asked_of, make_request
from confmat.logs.evaluating import evaluate
from confmat.logs.evaluation import Evaluation
from confmat.logs.joint_states import PAIR
from confmat.logs.memory import checked_memory
from confmat.logs.request import LogRequest
from confmat.logs.schemas import first_schema
from confmat.logs.sources import Part, parts_of
from confmat.options import (
    check_choice,
    checked_min_n,
    checked_replicates,
    checked_seed,
)
from confmat.own_errors import own_errors
from confmat.paired.allowed import check_of_classes, check_options, check_types
from confmat.paired.asked import Asked, checked_metrics
from confmat.paired.bootstrapping import BOOTSTRAP
from confmat.paired.class_columns import class_scores
from confmat.paired.clusters import check_clusters, cluster_cells
from confmat.paired.comparison import Comparison
from confmat.paired.models import Models, models_of
from confmat.paired.scored_states import score_states
from confmat.paired.tables import NAMES
from confmat.paired.units import Units
from confmat.paired.unpaired import refuse_unpaired
from confmat.scores.grid import UNIT

_OTHER_ARGUMENTS: dict[str, Any] = {
    **dict.fromkeys(("metrics", "undefined", "ci", "grouping_sets", "depth", "cluster")),
    "side": "both",
    "keep_empty": False,
    "smoothing": 0.0,
    "reasons": False,
    "cube": False,
    "min_n": 0,
    "per_class": False,
    "nulls": "drop",
}


@own_errors
def compare(
    df: Any,
    y_true: str = "y_true",
    y_pred: Mapping[str, str] | Sequence[str] | None = None,
    y_score: Mapping[str, str | Sequence[str]] | Sequence[str] | None = None,
    *,
    by: str | pl.Expr | Sequence[str | pl.Expr] | None = None,
    metrics: Sequence[str] | str | None = None,
    baseline: str | None = None,
    labels: Any = None,
    pos_label: Label | None = None,
    sample_weight: str | None = None,
    other: Literal["raise", "bucket"] = "raise",
    nan: Literal["raise", "drop"] = "raise",
    where: pl.Expr | None = None,
    min_n: int = 0,
    level: float = 0.95,
    side: Side = "both",
    method: Literal["delta", "bootstrap"] | None = None,
    bins: Literal["unit"] | None = None,
    cluster: str | None = None,
    task: Literal["regression"] | None = None,
    seed: int | None = None,
    replicates: int | None = None,
    max_memory: int | str | None = None,
    storage_options: dict[str, Any] | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compare models on the same rows: how far their metrics differ, with intervals and tests.

    What is right for the one and wrong for the other is known row by row. So the interval of a
    difference is much shorter than what intervals of two models apart would tell.

    Parameters
    ----------
    df : frame, query, path, glob, folder, or list of these
        What `cm.evaluate` takes.
    y_true : str
        Column of true classes.
    y_pred, y_score : mapping of model to column, or list of columns
        Predicted classes, and scores of the positive class, of two models or more; one of the two
        at least. Of lists the columns of `y_pred` name the models. Of a regression `y_pred` has
        predicted numbers. Scores of many classes are K columns of each model, as
        `{"a": ["a_cat", "a_dog"], "b": ["b_cat", "b_dog"]}`, or one List or Array column of each;
        of which class each is `labels` says, or names and truth as in `multiclass_sweep`.
    by : str, pl.Expr or sequence of these, optional
        Columns or expressions whose values cut the rows into slices, each compared by itself.
    metrics : sequence of str, optional
        Names of metrics. Default: the usual ones of predictions; of scores the area under the ROC
        curve, and of probabilities also the Brier score and log loss; of scores of many classes
        its macro average and "top_1_accuracy" beside these, of the names of
        `MulticlassSweep.value`; of numbers mae, rmse, r2, pearson_r, ccc and mean_error.
    baseline : str, optional
        The model that each of the others is compared with; default the first. It is `a` in the
        results, the other `b`, and a difference is that of b minus that of a.
    labels, pos_label, sample_weight, other, nan, where, max_memory, storage_options, progress
        As in `cm.evaluate`. In intervals of scores and numbers a row is one observation, whatever
        it weighs: integer weights are no counts of equal rows, as they are in `cm.sweep`.
    min_n : int, default 0
        Slices of fewer rows have no values.
    level : float, default 0.95
        How often an interval is to hold the difference.
    side : {"both", "lower", "upper"}, default "both"
        "lower": the interval has a lower end alone, and the test asks whether b has more. "upper":
        an upper end, and whether b has less.
    method : {"delta", "bootstrap"}, optional
        Default: Tango's score interval and McNemar's mid-p value of
        rates whose rows are the same for both models (accuracy, recall, specificity and so on); of
        all others the interval that follows from those of the two models (`m.ci`) and from how the
        two vary together; areas under the ROC curve, Brier scores, log losses and most metrics of
        numbers have the difference and its standard error, other metrics of scores and numbers the
        bootstrap; of scores of many classes top-k accuracy is such a rate, and all others have the
        standard error. "delta": the difference and its standard error alone, for all that have one.
        "bootstrap": the difference where rows, or with `cluster` whole clusters, are drawn again
        for both models at once, corrected for bias and acceleration (BCa); of metrics of scores
        and numbers that have no formula the percentiles of what is drawn. It takes ten rows of each
        class, or ten clusters.
    bins : "unit", optional
        Keep joint states of the scores, as `joint_sweep` makes them, in place of the rows: for logs
        larger than memory. Values are then known to within their bins, and intervals are wider by
        what bins leave open; of scores outside [0, 1], whose bins are coarse, much wider.
    cluster : str, optional
        A column that says which rows belong together, such as a user: they are not independent,
        and count as one.
    task : {"regression"}, optional
        True and predicted values are numbers.
    seed, replicates : int, optional
        Of the bootstrap alone: the same seed, by default 0, gives the same intervals, on any
        machine. By default rows are drawn 10,000 times; for metrics of scores that have no formula
        2,000 times, and above 50,000 rows fewer times, 400 at the least.

    Returns
    -------
    Comparison
        `.table()`, `.flips()`, `.slices()`, `.difference(metric)`, `.plot()`; `print` shows one
        screen.

    Raises
    ------
    InputError
        Fewer than two models, a column that is not there; `seed` or `replicates` without the
        bootstrap, the bootstrap of scores whose rows `bins` does not keep; what `cm.evaluate`
        refuses; two frames, matrices, sweeps or evaluations, of which nobody knows whether their
        rows are the same.
    ConfmatError
        With fewer than 30 clusters, or rows of numbers, where SciPy is not installed.

    Notes
    -----
    Rows with a null in the truth or in one of the two predictions (or scores) are left out of that
    pair; `n` says how many are compared.

    Predictions are counted in one pass as tables of truth by a by b, of each pair of models, and
    rows are not kept: logs may be of any size. `cluster` takes a second pass, which keeps the
    combinations of slice, cluster, truth and predictions that occur: a few dozen bytes for each.
    With `y_score`, or of numbers, the columns asked for are held in memory: about 8 bytes for each
    row and column, and areas take a sort of each slice. The bootstrap of scores looks at each row
    in each draw: an area of 1,000 rows takes about a second for 10,000 draws, one of 100,000 rows a
    minute. Metrics without a formula are found from the same draws, as sweeps of both models: some
    0.2 s for 1,000 rows, 7 s for 100,000 and 50 s for a million, each slice by itself.
    `bins="unit"` keeps a joint histogram of each slice and pair of models instead, some 0.1 to 4
    MB, and predictions are counted in a pass of their own.

    Of scores of many classes a row counts in the areas of all classes, as a positive of one and a
    negative of the others: the standard error is that of the sum of what it adds to them, the rows
    of each class being a sample of their own in macro averages, which take two rows of each class.
    Average precision, which grows by chance, has an interval of 50 rows of each class or more, and
    calibration errors have none. Where the columns of the models are in several orders the classes
    are in that of the labels, which the ranked probability score looks at.

    The standard error is that of the delta method: a row of truth t, taken for i and j, moves the
    difference by the derivative of the metric of b in the cell (t, j) minus that of a in (t, i);
    the variance is the sum of the squares of these over the rows, or over clusters of their sums,
    times G / (G - 1) of G clusters. Intervals with clusters are symmetric; with fewer than 30 the
    quantile is that of Student's t with G - 1 degrees of freedom. P values are those of difference
    / standard error where they are not McNemar's, and of the bootstrap those at which an end of the
    interval would be 0.

    Means of errors and of losses have the standard error of the mean of the differences of the
    rows, so that below 30 rows the test is the paired t test; other metrics of sums of numbers that
    of the delta method. Quantiles of errors and deviances have the bootstrap, and the largest error
    nothing, as it rests on single rows.

    KS, the equal error rate and calibration errors have no interval: drawn again they grow, most
    where they are small (of the difference of two calibration errors, one of them 0, percentile
    intervals of 95 % held it in 29 % of 250 samples of 300 rows, and BCa's in 16 %, with none in
    57 %). Of average precision, Brier skill and H-measure 95.6 to 96.8 % of percentile intervals
    held the difference, in 250 samples of 300 rows, 90 of them positive.

    McNemar's p value and Tango's interval ask the same, in two ways: at the border the interval may
    hold 0 where p is below 1 - level, or the other way round. The decision is that of the p value;
    `verdict` of `.slices()` follows it, and "is better" of `print` the interval.

    Of 95 % intervals of differences of precision, F1, MCC, kappa and balanced accuracy, in samples
    of 30, 60, 150 and 500 rows, 94.8, 95.0, 93.6 and 95.4 % held the true difference; by the
    standard error alone 90.0, 93.4, 92.9 and 95.1 %.

    References
    ----------
    Tango (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B;
    Zou (2007), https://doi.org/10.1037/1082-989X.12.4.399;
    Fagerland, Lydersen and Laake (2013), https://doi.org/10.1186/1471-2288-13-91;
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595;
    Obuchowski (1997), https://doi.org/10.2307/2533958;
    Efron (1987), https://doi.org/10.1080/01621459.1987.10478410, for the bootstrap;
    Cameron and Miller (2015), https://doi.org/10.3368/jhr.50.2.317

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "y": [0, 1] * 50,
    ...     "old": [0, 1, 0, 0] * 25,
    ...     "new": [0, 1] * 45 + [1, 1] * 5,
    ... })
    >>> c = cm.compare(log, y_true="y", y_pred=["old", "new"], metrics=["accuracy", "mcc"])
    >>> c.table().select("metric", pl.col("difference", "low", "high").round(3)).rows()
    [('accuracy', 0.2, 0.1, 0.303), ('mcc', 0.327, 0.132, 0.505)]
    >>> c.flips().select("label", "n", "only_a", "only_b").rows()
    [(0, 50, 5, 0), (1, 50, 0, 25)]
    """
    refuse_unpaired(df, y_true, y_pred, y_score)
    if not isinstance(y_true, str):
        raise InputError(f"`y_true` is {y_true!r}; wanted the name of a column")
    parts = parts_of(df, storage_options)
    schema = first_schema(parts, "raise")
    models = models_of(y_pred, y_score, baseline, task, schema)
    given = {"bins": bins, "cluster": cluster, "method": method}
    drawn_by = {"seed": seed, "replicates": replicates}
    check_of_classes(models, other=other, pos_label=pos_label, method=method, **drawn_by)
    check_options(models, **drawn_by, **given)
    check_choice("nan", nan, "raise", "drop")
    check_choice("side", side, *SIDES)
    names = None
    if metrics is not None:
        names = tuple(checked_metrics(metrics, models))
    positive = None if pos_label is None else one_label(pos_label, "pos_label")
    count = None if replicates is None else checked_replicates(replicates, 2)
    drawn = (checked_seed(0 if seed is None else seed), count)
    how = (checked_level(level), side, method, positive, checked_min_n(min_n), *drawn)
    asked = Asked(names, *how, many_classes=bool(models.class_scores))
    is_drawn = method == BOOTSTRAP or replicates is not None
    if is_drawn and asked.count() < least_replicates(level, side):
        raise InputError(
            f"`replicates` is {asked.count():,}; at the level {level:g} wanted at least "
            f"{least_replicates(level, side):,}"
        )
    question = {
        **_OTHER_ARGUMENTS,
        "y_true": y_true,
        "by": by,
        "where": where,
        "labels": labels,
        "pos_label": pos_label,
        "sample_weight": sample_weight,
        "nan": nan,
        "other": other,
        "bins": UNIT if models.numbers else None,
        "y_pred": models.y_pred or models.numbers or None,
        "y_score": models.y_score or models.class_scores or None,
        "task": task,
    }
    if cluster is not None:
        check_columns([("cluster", cluster)], schema, parts[0].place)
    in_parts, place = len(parts) > 1, parts[0].place
    request = make_request(schema, asked_of(question), in_parts=in_parts, place=place)
    for name in request.keys:
        if name in NAMES:
            raise InputError(f"`by` has the key {name!r}, a name of the result; rename it")
    check_types(models, schema, y_true, sample_weight)
    queries = [_with_cluster(part, request, cluster) for part in parts]
    rows = scored = None
    if models.y_score and bins is not None:
        of_parts = list(zip(parts, queries, strict=True))
        scored = score_states(of_parts, request, models, checked_memory(max_memory))
    elif models.of_rows or models.class_scores:
        rows = pl.concat(queries, how="vertical_relaxed").collect()
        parts = [Part(rows.lazy(), rows=rows.height)]
        if cluster is not None:
            check_clusters(rows, cluster)
    evaluation = None
    if models.y_pred:
        counted = {**question, "y_score": None, "bins": "unit"}
        if rows is not None:
            counted |= {"by": list(request.keys) or None, "where": None}
        evaluation = evaluate(
            df if rows is None else rows,
            max_memory=max_memory,
            storage_options=storage_options,
            progress=progress,
            **counted,
        )
    cells = None
    if cluster is not None and evaluation is not None:
        of = queries if rows is None else [rows.lazy()]
        columns = list(dict.fromkeys([y_true, *models.y_pred.values()]))
        cells = cluster_cells(of, request.keys, columns, sample_weight)
        check_clusters(cells, cluster)
    classes = None
    if rows is not None and models.class_scores:
        classes = class_scores(rows, y_true, models, request.counting.labels)
        rows = classes.rows
    joints = None if evaluation is None else _of_baseline(evaluation, models)
    of_rows = (rows, nan, sample_weight, scored, classes)
    units = Units(models, asked, y_true, request.keys, joints, cells, *of_rows)
    units.check_clusters()
    return Comparison._around(models, asked, units, evaluation)


def _of_baseline(evaluation: Evaluation, models: Models) -> pl.DataFrame:
    """Return the joint counts of the baseline with each of the others."""
    joints = evaluation._joints
    assert joints is not None  # there are two models or more
    return joints.filter(pl.col(PAIR[0]) == models.names[0]).drop(PAIR[0])


def _with_cluster(part: Part, request: LogRequest, cluster: str | None) -> pl.LazyFrame:
    """Return the query for the columns asked for, and that of the clusters."""
    if cluster is None:
        return request.rows(part.frame)
    kept = part.frame if request.where is None else part.frame.filter(request.where)
    own = pl.col(cluster).alias(CLUSTER)
    keys = [
        key
        for name, key in zip(request.keys, request.key_expressions, strict=True)
        if name not in request.value_columns
    ]
    return kept.select(*request.value_columns, *keys, own)
