"""One evaluation as the command line asks for it: options in, what `cm.evaluate` gives out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from confmat import _core
from confmat.command.choices import Sides
from confmat.command.texts import as_label, by_columns, split
from confmat.errors import InputError, UnknownMetricError
from confmat.frames.asked import REASONS, TOTALS
from confmat.frames.request import SCORE_TOTALS, Y_PRED
from confmat.frames.roll_up import GROUPING
from confmat.intervals.levels import Side
from confmat.logs.evaluating import evaluate
from confmat.logs.evaluation import Evaluation
from confmat.logs.schemas import first_schema
from confmat.logs.sources import parts_of
from confmat.moments.names import metrics_among
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.regression import Regression
from confmat.registry import is_score_metric, suggest

INTERVALS = 0.95  # the level where clusters or a side are named and no other


def level_of(ci: float | None, side: Sides, cluster: str | None) -> float | None:
    """Return the level of intervals: that of --ci, or of what is said of them alone."""
    is_meant = cluster is not None or side is not Sides.BOTH
    return INTERVALS if ci is None and is_meant else ci


@dataclass(frozen=True)
class Job:
    """An evaluation, and what was asked to be shown of it."""

    evaluation: Evaluation
    y_pred: str | None
    y_score: str | None
    by: list[str]
    metrics: list[str] | None
    sample_weight: str | None
    pos_label: Any
    reasons: bool
    ci: float | None = None
    side: Side = "both"
    cluster: str | None = None

    def matrix(self) -> ConfusionMatrix:
        """Return the counts of all rows."""
        out: ConfusionMatrix = self.evaluation.matrix()
        return out

    def regression(self) -> Regression:
        """Return the sums over all rows of numbers."""
        out: Regression = self.evaluation.regression()
        return out

    def sweep(self) -> Any:
        """Return the sweep over all scores."""
        return self.evaluation.sweep()

    def slices(self) -> pl.DataFrame:
        """Return every slice; one row each, sorted by slice."""
        return self.evaluation.slices()

    def with_intervals(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return metrics of all rows with `low` and `high`, where intervals are asked for."""
        if self.ci is None or table.is_empty():
            return table
        is_known = pl.col("value").is_not_null()  # others cannot all be asked for by name
        ends = self.evaluation.overall(table.filter(is_known)["metric"].to_list())
        found = pl.concat([ends, table.filter(~is_known)], how="diagonal_relaxed")
        return table.select("metric").join(found, on="metric", how="left", maintain_order="left")

    @property
    def rows(self) -> str:
        """How many rows there are, or their weights, in words."""
        total = self.evaluation.n
        return f"{total:,} rows" if self.sample_weight is None else f"weights of {total:,.6g}"

    def metric_columns(self, result: pl.DataFrame) -> list[str]:
        """Return the columns of a result that are metrics."""
        return metric_columns(result, self.by, self.reasons)

    def flat(self, result: pl.DataFrame) -> pl.DataFrame:
        """Return a result for a file that has no nested columns: each reason in one of its own."""
        return flat(result) if self.reasons else result

    @property
    def label_metrics(self) -> list[str]:
        """The metrics of predicted classes that were asked for by name."""
        return [name for name in self.metrics or () if not is_score_metric(name)]

    @property
    def score_metrics(self) -> list[str]:
        """The metrics of scores that were asked for by name."""
        return [name for name in self.metrics or () if is_score_metric(name)]


def metric_columns(result: pl.DataFrame, by: Sequence[str], reasons: bool) -> list[str]:
    """Return the columns of a table of slices that are metrics."""
    others = [*by, GROUPING, *TOTALS, *SCORE_TOTALS, *[REASONS] * reasons]
    return [name for name in result.columns if name not in others]


def flat(result: pl.DataFrame) -> pl.DataFrame:
    """Return a table of slices for a file without nested columns: a reason in each of its own."""
    if REASONS not in result.columns:
        return result
    names = [field.name for field in result.schema[REASONS].fields]  # type: ignore[attr-defined]
    why = [pl.col(REASONS).struct.field(name).alias(f"{name}_reason") for name in names]
    return result.with_columns(why).drop(REASONS)


def check_metrics(names: Sequence[str] | None, y_score: str | None) -> None:
    """Refuse names of no metric, before any file is read; those of scores need scores."""
    for name in names or ():
        if is_score_metric(name) and y_score is None:
            raise InputError(f"`--metrics` has {name!r}, a metric of scores; give `--y-score`")
    of_classes = [name for name in names or () if not is_score_metric(name)]
    try:
        _core.Asks(of_classes)
    except UnknownMetricError:
        suggest(of_classes)
        raise


def _check_predicted(names: Sequence[str] | None, y_pred: str | None) -> None:
    """Refuse metrics of predicted classes where only scores are read."""
    missing = [] if y_pred else [name for name in names or () if not is_score_metric(name)]
    if missing:
        raise InputError(
            f"`--metrics` has {missing[0]!r}, a metric of predicted classes, and there is no "
            f"column {Y_PRED!r}; give `--y-pred`"
        )


def job_of(
    paths: Sequence[str],
    *,
    y_true: str,
    y_pred: str | None = None,
    y_score: str | None = None,
    by: Sequence[str] = (),
    labels: str | None = None,
    pos_label: str | None = None,
    sample_weight: str | None = None,
    metrics: list[str] | None = None,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
    cluster: str | None = None,
    bins: Literal["unit"] | None = "unit",
    **rest: Any,
) -> Job:
    """Evaluate the files as the options of the command line mean it.

    Where scores are given and no predictions, there are predictions if the files have a column
    "y_pred". `rest` are options of `cm.evaluate`.
    """
    schema = first_schema(parts_of(list(paths)), rest.get("on_error", "raise"))
    if y_pred is None and (y_score is None or Y_PRED in schema):
        y_pred = Y_PRED
    of_numbers = rest.get("task") is not None
    if not of_numbers:
        _check_predicted(metrics, y_pred)
    slices = by_columns(by, list(schema))
    dtype = schema.get(y_true, pl.String())
    texts = split(labels)
    if texts is not None and not texts:
        raise InputError("`--labels` is empty; wanted the classes in order, with commas between")
    positive = None if pos_label is None else as_label(pos_label, dtype, "--pos-label")
    evaluation = evaluate(
        list(paths),
        y_true=y_true,
        y_pred=y_pred,
        y_score=y_score,
        by=slices or None,
        metrics=metrics,
        labels=None if texts is None else [as_label(text, dtype, "--labels") for text in texts],
        sample_weight=sample_weight,
        pos_label=positive,
        reasons=reasons,
        ci=ci,
        side=side,
        cluster=cluster,
        bins=bins,
        **rest,
    )
    if evaluation.n + evaluation.n_dropped + evaluation.n_other + evaluation.n_nan == 0:
        raise InputError("the files hold no rows")
    if of_numbers:
        metrics = metrics_among(metrics or ()) or None
    asked = (metrics, sample_weight, positive, reasons, ci, side, cluster)
    return Job(evaluation, y_pred, y_score, slices, *asked)
