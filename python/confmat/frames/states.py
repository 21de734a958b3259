"""States as a column: one Binary a group, merged in later queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import Asked
from confmat.frames.class_expressions import set_rows
from confmat.frames.expressions import (
    IntoExpr,
    beside_scalars,
    column_of,
    encode,
    plugin,
)
from confmat.frames.objects_by_group import IntoColumns, Rows, StateBytes, are_several
from confmat.frames.regression_expressions import moments
from confmat.frames.score_expressions import score_state
from confmat.labels import Label
from confmat.moments.names import sums_named
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.scores.grid import UNIT, BinMap


@own_errors
def state(
    y_true: IntoColumns = "y_true",
    y_pred: IntoColumns | None = None,
    *,
    y_score: IntoColumns | None = None,
    labels: Any = None,
    pos_label: Label | None = None,
    sample_weight: IntoExpr | None = None,
    other: str = "raise",
    bins: BinMap | None = UNIT,
    nan: str = "raise",
    task: Literal["regression"] | None = None,
    metrics: Sequence[str] | str = (),
) -> pl.Expr:
    """State of each group as bytes: small, exact, and merged by later queries.

    Of predicted classes it is a confusion matrix, of scores a sweep over their thresholds; the
    bytes are those of `to_bytes` of these objects, and `cm.from_bytes` reads them. Lists of columns
    have the states of `MulticlassSweep.to_state`, or of label sets: lists for `y_true` and one of
    `y_pred` and `y_score`, as in `multilabel_metrics`; a column of lists is a list of one name.

    Parameters
    ----------
    y_true : str or pl.Expr, default "y_true"
        True classes, as in `metrics`, or with `y_score` as in `sweep_metrics`.
    y_pred : str or pl.Expr, optional
        Predicted classes. Default: "y_pred", unless there is `y_score`.
    y_score : str or pl.Expr, optional
        Scores, higher for the positive class, in place of predicted classes. A list of columns
        has the scores of K classes, or is the name of one List or Array column of them: ["p"].
    labels, other
        As in `metrics`, of predicted classes. Labels that were found in the rows unite when states
        are merged. Of K scores `labels` is the class of each.
    pos_label : int, bool or str, optional
        The positive class, kept in the state; default 1 or True.
    sample_weight : str or pl.Expr, optional
        Finite weights that are not negative, integers or floats.
    bins : "unit", int, "float16" or None, default "unit"
        Of scores, as in `cm.sweep`: "unit" is fine everywhere in [0, 1]; of a power of two, at most
        65536, bins are told apart by the leading bits of the score as float32, so that their
        relative width is the same for scores of any size; of "float16" each float16 is a bin, of
        the scores up to the next. None keeps each distinct score.
    nan : {"raise", "drop"}, default "raise"
        Of scores, and of numbers: refuse those that are nan, or leave their rows out.
    task : {"regression"}, optional
        `y_true` and `y_pred` are numbers, and the state that of `cm.regression`.
    metrics : sequence of str, default ()
        Of numbers: metrics that need further sums, as in `cm.regression`.

    Returns
    -------
    pl.Expr
        Binary called "state". That of a matrix takes about 110 bytes, the labels, and 1 to 8 bytes
        a cell, or a cell that is not 0. That of scores takes about 130 bytes and, for each bin that
        holds a row, 1 to 4 bytes for its distance from the next, 1 to 8 for each of its two counts
        (8 for sums of weights), and while each bin holds one score alone, 8 for that score (4 where
        it is no Float64): such a state is exact.

    Raises
    ------
    InputError
        Predictions and scores at once, or an option that cannot be.
    polars.exceptions.ComputeError
        When the query runs: as in `metrics` and `sweep_metrics`.

    Examples
    --------
    Daily states become a month, without the rows:

    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "day": [1, 1, 1, 2, 2, 2],
    ...     "y_true": [0, 1, 0, 1, 1, 0],
    ...     "y_pred": [0, 1, 0, 1, 0, 0],
    ...     "y_score": [0.2, 0.9, 0.4, 0.6, 0.3, 0.1],
    ... })
    >>> days = log.group_by("day").agg(cm.state(), scored=cm.state(y_score="y_score"))
    >>> month = days.select(pl.col("state", "scored").cm.merge_states())
    >>> month.select(pl.col("state").cm.state_metrics(["mcc", "f1"])).unnest("metrics").rows()
    [(6.0, 0, 0, 0.7071067811865476, 0.8)]
    >>> cm.from_bytes(month["scored"].item()).roc_auc
    0.8888888888888888
    """
    if task is not None:
        check_choice("task", task, "regression")
        defaults: dict[str, Any] = {
            "y_score": None,
            "labels": None,
            "pos_label": None,
            "other": "raise",
            "bins": UNIT,
        }
        of_classes: dict[str, Any] = {"y_score": y_score, "labels": labels, "pos_label": pos_label}
        of_classes |= {"other": other, "bins": bins}
        _refuse_of_classes(of_classes, defaults)
        if are_several(y_true) or are_several(y_pred):
            raise InputError("`y_true` and `y_pred` of a regression are one column each")
        names = sums_named(metrics)
        numbers: Any = "y_pred" if y_pred is None else y_pred
        of_numbers: Any = y_true
        return moments(of_numbers, numbers, sample_weight, names, nan).alias("state")
    if metrics not in ((), []):
        raise InputError('`metrics` is for task="regression"; of states any metric is read later')
    truth: Any = y_true
    pred: Any = y_pred
    scores: Any = y_score
    if are_several(truth) or are_several(pred) or are_several(scores):
        for name, option, usual in (("pos_label", pos_label, None), ("other", other, "raise")):
            if option != usual:
                raise InputError(f"`{name}` is for one column of labels; there is a list of them")
        return _of_many_columns(truth, pred, scores, labels, sample_weight, bins, nan)
    if y_score is None:
        for name, value, usual in (("bins", bins, UNIT), ("nan", nan, "raise")):
            if value != usual:
                raise InputError(f"`{name}` is for scores; give `y_score` in place of `y_pred`")
        # One weight a group, for the type of the column.
        of_weights = [] if sample_weight is None else [column_of(sample_weight).first()]
        asked = Asked(labels=labels, pos_label=pos_label, other=other, weighted=bool(of_weights))
        spec = asked.packed()
        pairs = encode(truth, "y_pred" if pred is None else pred, sample_weight, spec)
        pairs = beside_scalars(pairs) if of_weights else pairs
        return plugin("label_state", [pairs, *of_weights], spec, is_elementwise=True).alias("state")
    if y_pred is not None:
        raise InputError("`y_pred` and `y_score` are both given; a state is of one of them")
    if labels is not None or other != "raise":
        raise InputError(
            "`labels` and `other` are for `y_pred`; scores take `pos_label`, and K scores a row in "
            f"one column are a list of its name, y_score=[{scores!r}]"
        )
    return score_state(truth, scores, pos_label, sample_weight, bins, nan).alias("state")


def _refuse_of_classes(given: dict[str, Any], usual: dict[str, Any]) -> None:
    """Refuse options that numbers do not have."""
    for name, value in given.items():
        if not (isinstance(value, type(usual[name])) and value == usual[name]):
            raise InputError(f'`{name}` is of classes or scores, and task="regression" has none')


def _of_many_columns(
    y_true: Any, y_pred: Any, y_score: Any, labels: Any, sample_weight: Any, bins: Any, nan: str
) -> pl.Expr:
    options = {"labels": labels}
    if are_several(y_true) or are_several(y_pred):
        of_nan = {} if y_score is None else {"nan": nan}
        rows = set_rows(y_true, y_pred, y_score, sample_weight, options | of_nan)
    else:
        rows = Rows("classes", y_true, y_score, sample_weight, options)
    for name, value, usual in (("nan", nan, "raise"), ("bins", bins, UNIT)):
        known = rows.kind == "set scores" or (name == "bins" and rows.kind == "classes")
        if value != usual and not known:
            raise InputError(f"`{name}` is {value!r}; of {rows.kind} it is always {usual!r}")
    read = StateBytes(bins)
    read(rows.sample())
    return rows.expression(read, pl.Binary).alias("state")


@own_errors
def merge_states(state: str | pl.Expr = "state") -> pl.Expr:
    """Return the sum of the states of each group, as one state; null where there are none.

    Parameters
    ----------
    state : str or pl.Expr, default "state"
        States of `cm.state`, or of `to_bytes`, of one kind; nulls are left out.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.states import merge_states, state
    >>> log = pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 0]})
    >>> day = log.select(state())
    >>> pl.concat([day, day]).select(merge_states().bin.size()).item()
    128
    """
    lists = column_of(state).implode(maintain_order=False)
    return plugin("merge_states", [lists], Asked().packed(), is_elementwise=True)
