"""Scores of two models for the same rows: areas and losses of both, and their differences."""

from __future__ import annotations

from typing import Any, Literal

import polars as pl

from confmat.intervals.levels import Side
from confmat.labels import Label, one_label
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.two_models import TwoModels
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.render.figures import figure
from confmat.render.text import left_out, number
from confmat.scores import joint_differences, joint_hypotheses
from confmat.scores.joint_differences import METRICS, joint_difference
from confmat.scores.joint_state import JointScoreState, counted, of_model


class JointSweep(JointScoreState, TwoModels):
    """What two models, a and b, score for the same rows: a joint histogram of the two scores.

    Made by `joint_sweep`. Immutable; `+` merges, `-` takes away, `to_bytes`, `pickle` and `copy`
    work. It keeps a sweep of each model in "unit" bins, as `cm.sweep(bins="unit")` has them, and of
    each class how often the bins of both models occur together: these are as fine as 131,072 cells
    allow. So values are as precise as those of the sweeps, and differences have paired intervals
    without the rows.

    Attributes
    ----------
    labels : list
        The two classes, [negative, positive].
    pos_label : label
        The positive class.
    n : int or float
        Rows counted, or the sum of their weights.
    n_dropped, n_nan : int
        Rows left out for a null in any of the columns, or for a nan score.

    Notes
    -----
    A state takes what its two sweeps take, and 5 to 10 bytes a cell, or 22 to 26 with float
    weights: at most 131,072 cells, or 526,338 of the coarsest bins. While these are the finest
    bins, as they are of up to 131,072 rows, standard errors are those of rows whose scores in one
    bin are ties. Of coarser bins, what rows within them may add is taken to be as bad as can be:
    `docs/uncertainty.md` has a table. Scores outside [0, 1] lie in much coarser bins: map them to
    [0, 1] first, as the sigmoid does.

    What is taken away leaves bins as coarse as they are.

    Examples
    --------
    >>> import confmat as cm
    >>> j = cm.joint_sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.1, 0.2, 0.35, 0.8])
    >>> j.sweep("a").roc_auc, j.sweep("b").roc_auc
    (0.75, 1.0)
    >>> cm.from_bytes((j + j).to_bytes()).n
    8
    """

    __slots__ = ()

    _index = "a JointSweep has no numbers by name; those of a model are in `sweep`"
    _of_one = "sweep"
    _counts = ("n_dropped", "n_nan")
    _made_by = "cm.joint_sweep(y_true, y_score_a, y_score_b)"

    difference = joint_differences.difference
    test = joint_hypotheses.test

    def sweep(self, model: Literal["a", "b"]) -> BinnedSweep:
        """Return the sweep of one of the models, over the rows that this one counts.

        Parameters
        ----------
        model : {"a", "b"}

        Examples
        --------
        >>> import confmat as cm
        >>> j = cm.joint_sweep([0, 1, 1], [0.2, 0.9, 0.6], [0.3, 0.1, 0.7])
        >>> j.sweep("b").average_precision.__round__(4)
        0.8333
        """
        check_choice("model", model, "a", "b")
        return BinnedSweep._around(of_model(self, model)._state)

    def overall(self, level: float = 0.95, *, side: Side = "both") -> pl.DataFrame:
        """Return the metrics of both models and their differences, one row a metric.

        Parameters
        ----------
        level : float, default 0.95
            How often an interval is to hold the difference.
        side : {"both", "lower", "upper"}, default "both"
            As in `difference`.

        Returns
        -------
        pl.DataFrame
            `metric`, `value_a`, `value_b`, `difference` (b - a), `low`, `high`, `method`. Null
            where undefined: `method` says why.

        Examples
        --------
        >>> import confmat as cm
        >>> j = cm.joint_sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.1, 0.2, 0.35, 0.8])
        >>> j.overall().select("metric", pl.col("value_a", "value_b").round(3)).rows()[0]
        ('roc_auc', 0.75, 1.0)
        """
        rows = []
        for name in METRICS:
            found, told = joint_difference(self, name), self.difference(name, level, side=side)
            rows.append((name, found.value_a, found.value_b, *told[:3], told.method))
        numbers = ("value_a", "value_b", "difference", "low", "high")
        schema = {"metric": pl.String, **dict.fromkeys(numbers, pl.Float64), "method": pl.String}
        return pl.DataFrame(rows, schema, orient="row").with_columns(pl.col(numbers).fill_nan(None))

    def _title(self) -> str:
        found = joint_difference(self, "roc_auc")
        areas = [figure(value) for value in (found.value_a, found.value_b)]
        return (
            f"Two scores of the same rows, n = {number(self.n)}: area under the ROC curve "
            f"{areas[0]} of a, {areas[1]} of b{left_out(self.n_dropped)}"
        )

    def _frames(self) -> list[pl.DataFrame]:
        return [self.overall()]

    def __repr__(self) -> str:
        return f"<JointSweep of {self._about()}>"


@own_errors
def joint_sweep(
    y_true: Any,
    y_score_a: Any,
    y_score_b: Any,
    *,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    nan: Literal["raise", "drop"] = "raise",
) -> JointSweep:
    """Count rows by what two models score for them: a state of paired differences.

    What two sweeps cannot tell: how the two scores go together. DeLong's test and intervals of the
    difference of two areas, or of two losses, are read from it, and states of parts of a log merge.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two classes, as in `sweep`.
    y_score_a, y_score_b : array-like of shape (n,)
        Scores of the two models, as in `sweep`.
    pos_label, sample_weight, nan
        As in `sweep`.

    Returns
    -------
    JointSweep
        A row with a null in any of the columns is left out and counted in `n_dropped`; with
        `nan="drop"` one with a nan score in `n_nan`.

    Raises
    ------
    InputError
        As `sweep`.

    See Also
    --------
    compare : Models on the same rows of a log; of rows, or with `bins="unit"` by such states.
    joint_parts : Such a state for each slice of a frame.

    Examples
    --------
    >>> import confmat as cm
    >>> y = [0, 0, 0, 1, 1, 1] * 10
    >>> a, b = [0.1, 0.4, 0.2, 0.35, 0.8, 0.9] * 10, [0.1, 0.2, 0.6, 0.5, 0.3, 0.7] * 10
    >>> j = cm.joint_sweep(y, a, b)
    >>> print(j.difference("brier"))
    0.0929 [0.0355, 0.1503] (mean)
    """
    check_choice("nan", nan, "raise", "drop")
    label = None if pos_label is None else one_label(pos_label, "pos_label")
    state = counted(
        y_true, y_score_a, y_score_b, pos_label=label, sample_weight=sample_weight, nan=nan
    )
    return JointSweep._around(state)
