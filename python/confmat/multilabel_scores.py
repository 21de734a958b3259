"""Scores for sets of labels: a sweep of every label, their averages, a threshold for each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.labels import Label, position
from confmat.multiclass_inputs import (
    FloatColumn,
    Floats,
    check_weights,
    read_table,
    read_weights,
)
from confmat.multilabel_inputs import Bools, any_of, read_sets
from confmat.multilabel_matrix import MultilabelMatrix, multilabel
from confmat.scores import Sweep, sweep

_AVERAGES = ("macro", "micro", "weighted", None)


class MultilabelSweep:
    """One sweep a label, made by `multilabel_sweep`.

    Attributes
    ----------
    labels : tuple
    n_rows, n_dropped : int
        Rows counted, and rows left out for a null.
    """

    def __init__(
        self,
        labels: tuple[Label, ...],
        truth: Bools,
        scores: list[FloatColumn],
        weights: npt.NDArray[Any] | None,
        n_dropped: int,
    ) -> None:
        self.labels = labels
        self.n_rows = len(truth)
        self.n_dropped = n_dropped
        self._truth, self._scores, self._weights = truth, scores, weights
        self._sweeps = [
            _swept(label, truth[:, at], scores[at], weights) for at, label in enumerate(labels)
        ]

    def label(self, label: Label) -> Sweep:
        """Return the sweep of one label, True being positive."""
        return self._sweeps[position(self.labels, label, "label")]

    def roc_auc(
        self, average: Literal["macro", "micro", "weighted"] | None = "macro"
    ) -> float | Floats:
        """Return the area under the ROC curve, averaged over labels.

        Parameters
        ----------
        average : {"macro", "micro", "weighted"} or None, default "macro"
            The mean over labels, that weighted by their support, or the area of all n x L
            decisions pooled; None gives that of each label.

        Returns
        -------
        float, or ndarray of shape (L,)
            In [0, 1]. A label that all rows have, or none, is left out of means and nan in arrays.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 1]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.roc_auc(), s.roc_auc(None).tolist()
        (0.75, [0.5, 1.0])
        """
        return self._averaged("roc_auc", average)

    def average_precision(
        self, average: Literal["macro", "micro", "weighted"] | None = "macro"
    ) -> float | Floats:
        """Return the average precision, averaged over labels; arguments as `roc_auc`."""
        return self._averaged("average_precision", average)

    def per_label(self, metrics: Iterable[str] = ("roc_auc", "average_precision")) -> pl.DataFrame:
        """Return one row a label: `label`, `n_positive` and score metrics; null where undefined.

        Parameters
        ----------
        metrics : iterable of str, default ("roc_auc", "average_precision")
            Attributes of `Sweep`, such as "ks" or "brier".

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.per_label(["roc_auc", "ks"]).rows()
        [('a', 2, 0.5, 0.5), ('b', 1, 1.0, 1.0)]
        """
        wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        frame: dict[str, Any] = {
            "label": pl.Series(list(self.labels)),
            "n_positive": [one.n_positive for one in self._sweeps],
        }
        for name in wanted:
            frame[name] = [one.value(name) for one in self._sweeps]
        return pl.DataFrame(frame).with_columns(pl.col(wanted).fill_nan(None))

    def best(self, metric: str, **options: Any) -> pl.DataFrame:
        """Return the threshold of each label at which a metric of it is best.

        Parameters
        ----------
        metric : str
            As for `Sweep.best`.
        **options
            Those of `Sweep.best`, such as `subject_to={"recall": 0.9}`.

        Returns
        -------
        polars.DataFrame
            `label`, `threshold`, `value`, null where undefined; `at` takes the thresholds.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.best("f1").rows()
        [('a', 0.3, 0.8), ('b', 0.8, 1.0)]
        >>> s.at(s.best("f1")["threshold"]).f1_micro
        0.8571428571428571
        """
        found = [one.best(metric, **options) for one in self._sweeps]
        frame = pl.DataFrame(
            {
                "label": pl.Series(list(self.labels)),
                "threshold": [threshold for threshold, _ in found],
                "value": [value for _, value in found],
            }
        )
        return frame.with_columns(pl.col("threshold", "value").fill_nan(None))

    def at(self, thresholds: Any = 0.5) -> MultilabelMatrix:
        """Return the matrix where a label is predicted if its score is at least the threshold.

        Parameters
        ----------
        thresholds : float, array-like of shape (L,) or dict of label to float, default 0.5

        Raises
        ------
        InputError
            Not one number a label, or nan.
        """
        limits = self._limits(thresholds)
        pred = np.stack([s >= t for s, t in zip(self._scores, limits, strict=True)], axis=1)
        made = multilabel(self._truth, pred, labels=self.labels, sample_weight=self._weights)
        made._n_dropped = self.n_dropped
        return made

    def _limits(self, thresholds: Any) -> Floats:
        if isinstance(thresholds, Mapping):
            missing = [label for label in self.labels if label not in thresholds]
            if missing:
                raise InputError(f"`thresholds` has none for the label {missing[0]!r}")
            thresholds = [thresholds[label] for label in self.labels]
        try:
            limits = np.asarray(thresholds, dtype=np.float64)
        except (TypeError, ValueError):
            limits = np.full((), np.nan)
        if limits.ndim == 0:
            limits = np.full(len(self.labels), float(limits))
        if limits.shape != (len(self.labels),) or np.isnan(limits).any():
            raise InputError(
                f"`thresholds` is {thresholds!r}; wanted a number, or one for each of the "
                f"{len(self.labels)} labels"
            )
        return limits

    def _averaged(self, name: str, average: Any) -> float | Floats:
        if not (average is None or isinstance(average, str)) or average not in _AVERAGES:
            wanted = ", ".join(map(repr, _AVERAGES))
            raise InputError(f"`average` is {average!r}; wanted one of {wanted}")
        if average == "micro":
            pooled = self._sweeps[0]
            for one in self._sweeps[1:]:
                pooled = pooled + one
            return float(pooled.value(name))
        values = np.array([one.value(name) for one in self._sweeps])
        if average is None:
            return values
        used = ~np.isnan(values)
        weights = np.ones(len(values))
        if average == "weighted":
            weights = np.array([float(one.n_positive) for one in self._sweeps])
        total = math.fsum(weights[used])
        return math.fsum(values[used] * weights[used]) / total if total else math.nan

    def __repr__(self) -> str:
        return f"<MultilabelSweep of {len(self.labels)} labels, {self.n_rows} rows>"


def multilabel_sweep(
    y_true: Any,
    y_score: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> MultilabelSweep:
    """Sweep the scores of every label of rows that have sets of labels.

    Parameters
    ----------
    y_true : array-like of shape (n, L), or n lists of names
        As for `multilabel`.
    y_score : array-like of shape (n, L)
        A score for each label, higher where it is more likely; forms as the `proba` of
        `multiclass_sweep`. The columns stay where they are: do not change them.
    labels : sequence of int, bool or str, optional
        The labels in order. Default: the column names of `y_true` or `y_score`; 0, ..., L - 1;
        the sorted names that occur in lists.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null in `y_true` or `sample_weight` out, or refuse them.

    Returns
    -------
    MultilabelSweep

    Raises
    ------
    InputError
        Shapes or labels that do not fit, a null or nan score, bad weights.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> s.roc_auc("micro"), s.label("b").average_precision
    (0.7777777777777778, 1.0)
    """
    if nulls not in ("drop", "raise"):
        raise InputError(f"`nulls` is {nulls!r}; wanted 'drop' or 'raise'")
    table = read_table(y_score, "y_score")
    truth = read_sets(y_true, labels, table.names)
    rows, known = len(truth.table), truth.labels or []
    if (table.rows, len(table.columns)) != truth.table.shape:
        raise InputError(
            f"`y_score` has shape {(table.rows, len(table.columns))} and `y_true` "
            f"{truth.table.shape}"
        )
    weights = missing = None
    if sample_weight is not None:
        weights, missing = read_weights(sample_weight, rows)
    dropped = any_of(truth.nulls, missing)
    used = np.ones(rows, dtype=np.bool_) if dropped is None else ~dropped
    if nulls == "raise" and not used.all():
        raise InputError(
            f'null at row {int(used.argmin())}; nulls="drop" leaves such rows out and counts '
            "them in n_dropped"
        )
    if weights is not None:
        check_weights(weights, used)
    true, columns = truth.table, table.columns
    if not used.all():
        true, columns = true[used], [part[used] for part in columns]
        weights = None if weights is None else weights[used]
    return MultilabelSweep(tuple(known), true, columns, weights, rows - int(used.sum()))


def _swept(label: Label, truth: Bools, scores: FloatColumn, weights: Any) -> Sweep:
    try:
        return sweep(truth, scores, pos_label=True if truth.any() else None, sample_weight=weights)
    except InputError as error:
        raise InputError(f"label {label!r}: {error}") from error
