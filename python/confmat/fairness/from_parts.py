"""From states of slices to how fair the predictions are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.fairness.groups import Groups, found, grouped
from confmat.fairness.measures import refuse_unknown
from confmat.fairness.result import Fairness
from confmat.frames.state_queries import STATE
from confmat.intervals.levels import checked_level
from confmat.labels import Label
from confmat.metric_names import names_asked
from confmat.objects.states import from_bytes
from confmat.options import checked_min_n
from confmat.own_errors import own_errors

OF_TWO = (
    *("selection_rate", "tpr", "fpr", "fnr", "precision", "npv", "fdr", "for_rate", "accuracy"),
)
OF_MANY = ("accuracy", "balanced_accuracy", "recall_macro", "precision_macro", "f1_macro", "mcc")
OF_SCORES = ("roc_auc", "brier", "ece")


@own_errors
def fairness(
    parts: pl.DataFrame,
    sensitive: str | Sequence[str],
    control: str | Sequence[str] | None = None,
    metrics: str | Sequence[str] | None = None,
    reference: Any = None,
    level: float = 0.95,
    min_n: int = 0,
    pos_label: Label | None = None,
) -> Fairness:
    """Compare groups: their metrics, and how far these lie apart, with intervals that hold.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave, with the columns below among its keys; slices that are
        finer are merged.
    sensitive : str or sequence of str
        Columns whose values make the groups; of several, each combination is a group. Missing
        values are a group of their own.
    control : str or sequence of str, optional
        Columns that hold still: groups are compared within each of their values.
    metrics : str or sequence of str, optional
        Names of `cm.list_metrics()`, "average_odds" or "treatment_equality" (fn / fp). Default: the
        rates of one class, where the positive one is known, or else metrics of many classes; where
        states of scores are there, also the area under the ROC curve, the Brier score and the
        calibration error.
    reference : value, tuple or dict, optional
        The group that others are compared with, by its sensitive values.
    level : float, default 0.95
        How often intervals are to hold.
    min_n : int, default 0
        Groups of fewer rows have no values and are not compared; `reason` says so. They are among
        all rows and among the rest.
    pos_label : int, bool or str, optional
        The class that is meant, against all others; default the positive one of the states.

    Returns
    -------
    Fairness
        `.table()`, `.compared()`, `.between()`, `.four_fifths()`, `.four_fifths_curve()`,
        `.inequality()`, `.calibration()`, `.plot()`; `print` shows one screen.

    Raises
    ------
    InputError
        A column, a metric or a group that is not there.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({
    ...     "sex": ["f"] * 100 + ["m"] * 100,
    ...     "y_true": [0, 1] * 100,
    ...     "y_pred": [0, 1] * 50 + [0, 1, 0, 0] * 25,
    ... })
    >>> f = fairness(cm.partial(log, by="sex"), "sex")
    >>> f.demographic_parity_ratio
    0.5
    >>> [round(end, 3) for end in f.interval("demographic_parity_ratio")]
    [0.331, 0.743]
    >>> f.equal_opportunity_difference
    0.5
    """
    checked_level(level)
    groups = grouped(parts, sensitive, control, pos_label)
    is_binary = _is_binary(groups)
    if metrics is None:
        names = _default(groups, is_binary)
    else:
        names = tuple(dict.fromkeys(names_asked(metrics)))
        refuse_unknown(names)
        if not names:
            raise InputError("`metrics` is empty; wanted names of metrics")
    named = None if reference is None else found(groups, reference)
    return Fairness._around(groups, names, level, checked_min_n(min_n), named, is_binary)


def _is_binary(groups: Groups) -> bool:
    """Whether the states are of predicted classes, and one of them is the positive one."""
    states = groups.frame[STATE].drop_nulls()
    if not len(states) or not hasattr(from_bytes(states[0]), "top_confusions"):
        return False
    try:
        _ = groups.cells
    except InputError as error:
        if groups.pos_label is not None:
            raise InputError(f"`pos_label` is {groups.pos_label!r}: {error}") from None
        return False
    return True


def _default(groups: Groups, is_binary: bool) -> tuple[str, ...]:
    states = groups.frame[STATE].drop_nulls()
    of_labels = not len(states) or hasattr(from_bytes(states[0]), "top_confusions")
    names = OF_TWO if is_binary else OF_MANY if of_labels else ()
    return (*names, *OF_SCORES) if groups.has_scores or not of_labels else names
