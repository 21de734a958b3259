"""The namespace `.cm` on expressions, data frames and lazy frames."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, TypeVar

import polars as pl

from confmat import attribute_hints
from confmat.attribute_hints import Hinting
from confmat.errors import InputError
from confmat.frames import expressions
from confmat.frames.asked import Asked
from confmat.frames.class_methods import ClassMethods
from confmat.frames.evaluate import evaluate_eager, evaluate_lazy
from confmat.frames.expr_metrics import ExprMetrics
from confmat.frames.expressions import IntoExpr
from confmat.frames.interval_columns import with_intervals
from confmat.frames.keys import with_keys
from confmat.frames.number_frames import evaluate_numbers
from confmat.frames.regression_methods import RegressionMethods
from confmat.frames.request import Request, make_request
from confmat.frames.score_methods import ScoreMethods
from confmat.frames.state_methods import StateMethods
from confmat.intervals.levels import Side, confidence
from confmat.labels import Label
from confmat.own_errors import OwnErrors

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def _function(name: str) -> Callable[..., Any] | None:
    """Return the public function of a name, if there is one."""
    confmat = sys.modules["confmat"]
    found = getattr(confmat, name) if name in confmat.__all__ else None
    return found if inspect.isfunction(found) else None


class ExprNamespace(
    ExprMetrics, ScoreMethods, RegressionMethods, ClassMethods, StateMethods, Hinting
):
    """Metrics of this column as the true classes: ``pl.col("y").cm.mcc("p")``."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def metrics(
        self,
        y_pred: IntoExpr = "y_pred",
        metrics: Sequence[str] | str | None = None,
        **options: Any,
    ) -> pl.Expr:
        """Several metrics as one Struct; see `confmat.metrics` for the options."""
        return expressions.metrics(self._expr, y_pred, metrics, **options)

    def _instead_of(self, name: str) -> str:
        known = attribute_hints.public(self)
        return attribute_hints.of_expression(name, known, _function(name))


class _Evaluation(OwnErrors, Hinting, Generic[Frame]):
    """Evaluation of a frame or of a query, by the same arguments."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Frame = frame

    def evaluate(
        self,
        y_true: str | Sequence[str] = "y_true",
        y_pred: str | Sequence[str] | None = "y_pred",
        y_score: str | Sequence[str] | None = None,
        *,
        by: str | pl.Expr | Sequence[str | pl.Expr] | None = None,
        metrics: Sequence[str] | str | None = None,
        labels: Any = None,
        sample_weight: str | None = None,
        pos_label: Label | None = None,
        undefined: float | None = None,
        other: str = "raise",
        nan: str = "raise",
        smoothing: float = 0.0,
        keep_empty: bool = False,
        cube: bool = False,
        min_n: int = 0,
        reasons: bool = False,
        ci: float | None = None,
        side: Side = "both",
        cluster: str | None = None,
        task: Literal["regression"] | None = None,
    ) -> Frame:
        """Evaluate predicted classes, scores or both, or predicted numbers: one row a slice.

        Parameters
        ----------
        y_true, y_pred : str, default "y_true", "y_pred"
            Columns of true and predicted classes: integers, Booleans, strings, Categorical or
            Enum. Two columns of one Enum have its categories as label set. With `y_score` there
            need not be predictions: `y_pred` may be None, or a default that is no column.
        y_score : str or list of str, optional
            Column of scores of the positive class of two. A list has the columns of scores of K
            classes, in the order of `labels`; so does one List or Array column of K scores a row.
        by : str, pl.Expr or sequence of these, optional
            Columns or expressions whose values cut the frame into slices; a null is a slice of its
            own. `cm.bin_intervals` and `cm.bin_quantiles` make keys of continuous columns.
        metrics : sequence of str, optional
            Names of metrics, see `list_metrics`; default as in `metrics`, also of two Boolean
            columns those of the positive class, and with `y_score`
            also roc_auc, average_precision and ks. Metrics of probabilities, such as brier,
            log_loss and ece, are there for the asking. Of scores of K classes names and defaults
            are those of `multiclass_metrics`.
        labels, pos_label, undefined, other, smoothing, keep_empty
            As in `metrics`.
        sample_weight : str, optional
            Column of weights. `n` is then their sum, Float64 also of integers: exact up to 2^53,
            beyond it rounded once. `cm.confusion_matrix` keeps integers.
        nan : {"raise", "drop"}, default "raise"
            Refuse nan scores, or leave their rows out of the metrics of scores.
        cube : bool, default False
            Also evaluate every subset of `by`, down to all rows; the column `grouping` names the
            columns that cut each slice, and tells "all" from a missing value.
        min_n : int, default 0
            Metrics of slices with a smaller `n` become null; their counts stay.
        reasons : bool, default False
            Also say why a value is null, or a degenerate 0, even where `undefined` stands in for
            it.
        ci : float, optional
            The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
            `<name>_high`, as `ConfusionMatrix.ci` has them, of scores as in `sweep_metrics` and
            `multiclass_metrics`. Without `cube`, which `cm.evaluate` has.
        side : {"both", "lower", "upper"}, default "both"
            With `ci`: "lower" puts all that intervals may miss below; the other end is that of the
            range.
        cluster : str, optional
            With `ci`: a column that says which rows belong together, such as a user. They are not
            independent, and intervals are as wide as that asks, as in `cm.evaluate`, which also
            has those of scores of many classes.
        task : {"regression"}, optional
            `y_true` and `y_pred` are numbers, and `metrics` those of `regression_metrics`. There is
            no `n_other` then; `n_dropped` counts rows with a null and, with ``nan="drop"``, with a
            nan. `ci` goes with `cube`, and is also of queries. Of several outputs both are lists of
            columns, in one order: each output has rows of its own, named by `y_true` in the first
            column, `output`.

        Returns
        -------
        pl.DataFrame or pl.LazyFrame
            A query where the frame is one: it streams, and predicted classes by keys are counted as
            rows come, without collecting them. The columns of `by`, `n`, `n_dropped`, `n_other`,
            and one column a metric, sorted by slice. Metrics of scores come last, after
            `n_scored` and `n_unscored` (rows without score or truth); of scores alone, their totals
            are `n` and `n_dropped`. With `reasons`, the last column is a Struct of that name: one
            String a metric, null where the value is defined; `.unnest("reasons", separator="_")`
            calls them `reasons_mcc` and so on.

        Raises
        ------
        InputError
            A column that is not there, an unknown metric, labels that cannot be used; a label that
            is not in `labels`, with its argument and row; a `pos_label` that no row has. Of a lazy
            frame what rows show comes when the query runs, from expressions and from older Polars
            as a ComputeError.

        Examples
        --------
        >>> import confmat as cm
        >>> import polars as pl
        >>> df = pl.DataFrame({
        ...     "site": [1, 1, 1, 2, 2],
        ...     "y_true": ["cat", "dog", "dog", "cat", "dog"],
        ...     "y_pred": ["cat", "dog", "cat", "cat", "dog"],
        ... })
        >>> df.cm.evaluate(by="site", metrics=["accuracy"]).rows()
        [(1, 3, 0, 0, 0.6666666666666666), (2, 2, 0, 0, 1.0)]

        Scores alone:

        >>> df = pl.DataFrame({"y_true": [0, 0, 1, 1], "score": [0.1, 0.4, 0.35, 0.8]})
        >>> df.cm.evaluate(y_score="score", metrics=["roc_auc", "ks"]).rows()
        [(4, 0, 0.75, 0.5)]

        A lazy frame is read when the result is collected:

        >>> df.lazy().cm.evaluate(y_score="score", metrics=["roc_auc"]).collect().rows()
        [(4, 0, 0.75)]

        Numbers:

        >>> df = pl.DataFrame({"y_true": [3.0, -0.5, 2.0, 7.0], "y_pred": [2.5, 0.0, 2.0, 8.0]})
        >>> df.cm.evaluate(task="regression", metrics=["mae", "max_error"]).rows()
        [(4, 0, 0.5, 1.0)]
        """
        if task is not None:
            return evaluate_numbers(
                self._frame, y_true, y_pred, task,
                by=by, metrics=metrics, sample_weight=sample_weight, undefined=undefined, nan=nan,
                cube=cube, min_n=min_n, reasons=reasons, ci=ci, side=side, cluster=cluster,
                of_classes={
                    "y_score": y_score, "labels": labels, "pos_label": pos_label, "other": other,
                    "smoothing": smoothing, "keep_empty": keep_empty,
                },
            )  # fmt: skip
        scores: Sequence[Any] = y_score if isinstance(y_score, (list, tuple)) else (y_score,)
        truth: Any = y_true  # which are checked
        predicted: Any = y_pred
        frame, keys = with_keys(self._frame, by, (truth, predicted, *scores, sample_weight))
        request = make_request(
            frame.collect_schema(),
            Asked(
                labels=labels, pos_label=pos_label, undefined=undefined, smoothing=smoothing,
                other=other, nan=nan, keep_empty=keep_empty, reasons=reasons,
            ),
            y_true=truth, y_pred=predicted, y_score=y_score, by=keys, metrics=metrics,
            sample_weight=sample_weight, cube=cube, min_n=min_n,
        )  # fmt: skip
        of_ends = confidence(ci, side)
        if of_ends is not None:
            return with_intervals(frame, request, of_ends, cluster)
        if cluster is not None:
            raise InputError(f"`cluster` is {cluster!r}, which is for intervals; give `ci`, too")
        return self._evaluated(frame, request)

    def _evaluated(self, frame: Frame, request: Request) -> Frame:
        raise NotImplementedError

    def _instead_of(self, name: str) -> str:
        return attribute_hints.of_frame(name, _function(name))


class DataFrameNamespace(_Evaluation[pl.DataFrame]):
    """Evaluation of a data frame."""

    def _evaluated(self, frame: pl.DataFrame, request: Request) -> pl.DataFrame:
        return evaluate_eager(frame, request)


class LazyFrameNamespace(_Evaluation[pl.LazyFrame]):
    """Evaluation of a query: nothing is read before it is collected, and it streams."""

    def _evaluated(self, frame: pl.LazyFrame, request: Request) -> pl.LazyFrame:
        return evaluate_lazy(frame, request)

    def _instead_of(self, name: str) -> str:
        hint = super()._instead_of(name)
        return f"{hint} with df = lf.collect()" if "df[" in hint else hint
