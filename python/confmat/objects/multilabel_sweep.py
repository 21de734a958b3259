"""Scores for sets of labels: a sweep of every label, their averages, a threshold for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.errors import InputError, Row
from confmat.labels import Label, Origin, position
from confmat.labelsets.inputs import read_sets
from confmat.labelsets.rows import read_weights
from confmat.labelsets.scored import ScoredSets
from confmat.multiclass.inputs import FloatColumn, Floats, read_table
from confmat.objects.any_multilabel_sweep import AnyMultilabelSweep
from confmat.objects.base import MadeOfRows
from confmat.objects.binned_multilabel_sweep import to_state
from confmat.objects.multilabel_matrix import MultilabelMatrix, count_tables
from confmat.objects.sweep import Sweep
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.scores.best_threshold import best


class MultilabelSweep(ScoredSets, AnyMultilabelSweep, MadeOfRows):
    """One sweep a label, made by `multilabel_sweep`.

    `print` and notebooks show 95 % intervals of the averages, and of the areas of the labels shown,
    where labels have at most a million distinct scores; `overall(ci=)` and `per_class(ci=)` have
    them of any number.

    Attributes
    ----------
    labels : tuple
    n : int or float
        Rows counted, or the sum of their weights.
    n_rows, n_dropped, n_nan : int
        Rows counted, and rows left out for a null, and for a nan score.
    """

    _instead = "; s.to_state() keeps a sweep of each label, which merges and is saved"

    to_state = to_state

    def label(self, label: Label) -> Sweep:
        """Return the sweep of one label.

        Parameters
        ----------
        label : label
            One of `labels`.

        Returns
        -------
        Sweep
            Of the classes False and True, whether a row has the label.
        """
        at = position(self.labels, label, "label")
        return Sweep._around(self._sweeps[at]._state)

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
            `label`, `threshold`, `value`, with `ci` also `low` and `high`, null where undefined;
            `reason`, why no threshold qualifies. `at` takes the thresholds.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.best("f1").rows()
        [('a', 0.3, 0.8, None), ('b', 0.8, 1.0, None)]
        >>> s.at(s.best("f1")["threshold"]).f1_micro
        0.8571428571428571
        """
        found = [best(one, metric, **options) for one in self._sweeps]
        frame = pl.DataFrame(
            {
                "label": pl.Series(list(self.labels)),
                "threshold": [one.threshold for one in found],
                "value": [one.value for one in found],
            }
        )
        if options.get("ci") is not None:
            ends = [one.interval[1:3] for one in found]
            low, high = (pl.Series([end[at] for end in ends], dtype=pl.Float64) for at in (0, 1))
            frame = frame.with_columns(low=low, high=high)
        reasons = pl.Series("reason", [one.reason for one in found], dtype=pl.String)
        return frame.with_columns(pl.selectors.float().exclude("label").fill_nan(None), reasons)

    def at(self, thresholds: Any = 0.5) -> MultilabelMatrix:
        """Return the matrix where a label is predicted if its score is at least the threshold.

        Parameters
        ----------
        thresholds : float, array-like of shape (L,) or dict of label to float, default 0.5

        Returns
        -------
        MultilabelMatrix
            Its `n_dropped` counts the rows left out for a null or a nan score.

        Raises
        ------
        InputError
            Not one number a label, or nan.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.at({"a": 0.5, "b": 0.7}).exact_match
        0.3333333333333333
        """
        limits = self._limits(thresholds)
        pred = np.stack([s >= limits[at, None] for at, s in enumerate(self._scores)], axis=1)
        weights = self._weights
        return count_tables(
            self._truth, pred, weights, self.labels, Origin.GIVEN, self.n_dropped + self.n_nan
        )

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


@own_errors
def multilabel_sweep(
    y_true: Any,
    y_score: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nan: Literal["raise", "drop"] = "raise",
    nulls: Literal["drop", "raise"] = "drop",
) -> MultilabelSweep:
    """Sweep the scores of every label of rows that have sets of labels.

    Parameters
    ----------
    y_true : array-like of shape (n, L), or n lists of names
        As for `multilabel`.
    y_score : array-like of shape (n, L)
        A score for each label, higher where it is more likely; forms as the `scores` of
        `multiclass_sweep`. The columns stay where they are: do not change them.
    labels : sequence of int, bool or str, optional
        The labels in order. Default: the column names of `y_true` or `y_score`; 0, ..., L - 1;
        the sorted names that occur in lists.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    nan : {"raise", "drop"}, default "raise"
        Refuse a nan score, or leave its row out, for every label, and count it in `n_nan`.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null in `y_true` or `sample_weight` out and count them in `n_dropped`, or
        refuse them. A null score is always an error.

    Returns
    -------
    MultilabelSweep

    Raises
    ------
    InputError
        Shapes or labels that do not fit, a null or nan score, with its row, bad weights.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> s.roc_auc_micro, s.label("b").average_precision
    (0.7777777777777778, 1.0)
    """
    check_choice("nan", nan, "raise", "drop")
    check_choice("nulls", nulls, "drop", "raise")
    table = read_table(y_score, "y_score")
    truth = read_sets(y_true, labels, table.names)
    rows, known = len(truth.table), truth.labels or []
    if (table.rows, len(table.columns)) != truth.table.shape:
        raise InputError(
            f"`y_score` has shape {(table.rows, len(table.columns))} and `y_true` "
            f"{truth.table.shape}"
        )
    with_nan = np.zeros(rows, dtype=np.bool_)
    for part in table.columns:
        with_nan |= np.isnan(part)
    weights, dropped = read_weights(
        sample_weight, rows, truth.nulls, nulls, with_nan, as_floats=True
    )
    used = np.ones(rows, dtype=np.bool_) if dropped is None else ~dropped
    n_dropped = rows - int(used.sum())
    with_nan &= used
    if nan == "raise" and with_nan.any():
        raise _nan_error(table.columns, int(with_nan.argmax()), known)
    used &= ~with_nan
    true, columns = truth.table, table.columns
    if not used.all():
        true, columns = true[used], [part[used] for part in columns]
        weights = None if weights is None else weights[used]
    n_nan = rows - n_dropped - len(true)
    return MultilabelSweep(tuple(known), true, columns, weights, n_dropped, n_nan, table.score_type)


def _nan_error(columns: list[FloatColumn], row: int, labels: list[Label]) -> InputError:
    at = next(at for at, part in enumerate(columns) if np.isnan(part[row]))
    return InputError(
        "`y_score` holds nan ",
        Row(row),
        f' of the label {labels[at]!r}; nan="drop" leaves such rows out and counts them in n_nan',
    )
