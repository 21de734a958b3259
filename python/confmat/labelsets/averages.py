"""Areas under the curves of every label, averaged, and the usual numbers in one frame."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.labelsets.ranking import RANKINGS
from confmat.labelsets.scored import LabelSweeps
from confmat.multiclass.inputs import Floats
from confmat.named_numbers import mean, unknown
from confmat.options import checked_undefined
from confmat.registry import is_score_metric, score_facts
from confmat.scores import values as score_values
from confmat.scores.points import outside
from confmat.scores.score_names import is_of_probability
from confmat.scores.state import ScoreState

_AVERAGES = ("macro", "weighted", "micro")
USUAL = (
    *(f"{name}_{kind}" for name in ("roc_auc", "average_precision") for kind in _AVERAGES),
    *RANKINGS,
)


NAMES = ("roc_auc", "average_precision", *USUAL)


def value(
    state: LabelSweeps,
    name: str,
    average: Literal["macro", "micro", "weighted"] | None = None,
    undefined: float | None = None,
    **parameters: Any,
) -> float:
    """Return one number.

    Parameters
    ----------
    name : str
        A metric of scores, such as "roc_auc", "average_precision" or "ks", also with its
        average as suffix: "roc_auc_micro". Or "label_ranking_average_precision",
        "coverage_error" or "label_ranking_loss", of the order of the labels within rows.
    average : {"macro", "micro", "weighted"}, default "macro"
        The mean over labels, that weighted by their support, or the metric of all n x L
        decisions pooled.
    undefined : float, optional
        Takes the place of undefined values, before averaging. Default: averages leave them
        out (`n_used`).
    **parameters
        Those of the metric, as `Sweep.value` takes them.

    Returns
    -------
    float
        nan where undefined: `reason` says why. `per_class()` has the values of each label.

    Raises
    ------
    InputError
        An unknown name, average or parameter.

    Notes
    -----
    Ties count against the order of labels, as in scikit-learn.

    References
    ----------
    Schapire and Singer (2000), https://doi.org/10.1023/A:1007649029923.
    Tsoumakas, Katakis and Vlahavas (2010), https://doi.org/10.1007/978-0-387-09823-4_34.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 1]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> s.value("roc_auc", average="weighted"), s.roc_auc, s.label_ranking_loss
    (0.6666666666666666, 0.75, 0.0)
    """
    fill = checked_undefined(undefined)
    if name in RANKINGS:
        _check_whole(name, average, parameters)
        number = state._ranking(name)
    else:
        base, kind = reading_of(name, average)
        if kind == "micro":
            number = score_values.value(pooled(state), base, **parameters)
        else:
            values, weights = of_each_label(state, base, kind, parameters)
            kept = values if fill is None else np.where(np.isnan(values), fill, values)
            number = mean(kept, weights)
    return fill if fill is not None and math.isnan(number) else number


def n_used(
    state: LabelSweeps,
    name: str,
    average: Literal["macro", "micro", "weighted"] | None = None,
    undefined: float | None = None,
    **parameters: Any,
) -> int:
    """Return how many labels an average is over; arguments as `value`.

    All for "micro" and for the order of labels; 0 where the number is undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 0]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> s.roc_auc, s.n_used("roc_auc")
    (0.5, 1)
    """
    if math.isnan(value(state, name, average, undefined, **parameters)):
        return 0
    if name in RANKINGS:
        return len(state.labels)
    base, kind = reading_of(name, average)
    if kind == "micro" or undefined is not None:
        return len(state.labels)
    return int((~np.isnan(of_each_label(state, base, kind, parameters)[0])).sum())


def reason(
    state: LabelSweeps,
    name: str,
    average: Literal["macro", "micro", "weighted"] | None = None,
    **parameters: Any,
) -> str | None:
    """Return why a number is undefined here, or None. Arguments as `value`.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([[1, 1], [1, 1]], [[0.9, 0.2], [0.6, 0.4]])
    >>> s.roc_auc, s.reason("roc_auc")
    (nan, 'no label has rows with it and rows without')
    """
    try:
        if not math.isnan(value(state, name, average, **parameters)):
            return None
    except InputError:
        if name in RANKINGS:
            raise
        base, _ = reading_of(name, average)
        why = next((outside(one) for one in state._sweeps if outside(one)), None)
        if why is None or not is_of_probability(base):
            raise
        return why
    if not state.n_rows:
        return "there are no rows"
    if not state.n:
        return "all weights are 0"
    base, kind = reading_of(name, average)
    if kind == "micro":
        return score_values.reason(pooled(state), base)
    if kind == "weighted" and not np.isnan(of_each_label(state, base, kind, parameters)[0]).all():
        return f"{base} is defined for labels without support alone"
    if base == "roc_auc":
        return "no label has rows with it and rows without"
    return (
        "no row has a label"
        if base == "average_precision"
        else score_values.reason(state._sweeps[0], base)
    )


def pooled(state: LabelSweeps) -> ScoreState:
    """Return the sweep of all n x L decisions."""
    return ScoreState._around(_core.merge_sweeps([sweep._state for sweep in state._sweeps]))


def of_each_label(
    state: LabelSweeps, name: str, kind: str, parameters: Any
) -> tuple[Floats, Floats]:
    """Return the metric of each label, and its weight in the average."""
    values = np.array([score_values.value(one, name, **parameters) for one in state._sweeps])
    weights = np.ones(len(values))
    if kind == "weighted":
        weights = np.array([float(one.n_positive) for one in state._sweeps])
    return values, weights


def reading_of(name: Any, average: Any) -> tuple[str, str]:
    """Return the metric of one label that a name is of, and the average."""
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a number")
    base, bracket, inline = name.partition("(")
    for kind in _AVERAGES:
        if average is None and base.endswith(f"_{kind}"):
            base, average = base.removesuffix(f"_{kind}"), kind
    if not is_score_metric(base):
        raise unknown(name, USUAL, tuple(fact["name"] for fact in score_facts()))
    kind = "macro" if average is None else average
    if not isinstance(kind, str) or kind not in _AVERAGES:
        wanted = ", ".join(map(repr, _AVERAGES))
        raise InputError(
            f"`average` is {average!r}; wanted one of {wanted}; per_class() has the value of each"
        )
    return base + bracket + inline, kind


def _check_whole(name: str, average: Any, parameters: Any) -> None:
    """Refuse an average, or parameters, of a number that has none."""
    if average is not None:
        raise InputError(f"`average` is {average!r}; {name} is no average over labels")
    for key in parameters:
        raise InputError(f"`{name}` has no parameter `{key}`; it takes none")
