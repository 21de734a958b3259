"""Numbers of a sweep by name, their reasons, and in a frame those of each class."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.metric_names import names_asked
from confmat.named_numbers import called
from confmat.scores.points import Points, check_probabilities, outside, points
from confmat.scores.roc_areas import partial_auc, rates
from confmat.scores.score_names import PARTIAL_AUC, full_name, is_of_probability
from confmat.scores.state import ScoreState


def value(state: ScoreState, name: str, **parameters: Any) -> float:
    """Return one score metric.

    Parameters
    ----------
    name : str
        "roc_auc", "gini", "average_precision", "pr_auc_trapezoid", "ks", "eer", "h_measure",
        "h_measure_prior", "pr_gain_auc", "bedroc", "rie", "hinge_loss"; and of scores in [0, 1]
        "brier", "brier_skill", "log_loss", "d2_log_loss", "ece", "mce", "rms_ce", "smooth_ece". Or
        "partial_auc".
    **parameters
        Of "ece", "mce" and "rms_ce" `bins`, the number of equal bins (lo, hi] of [0, 1],
        default 10; also in the name, as in "ece(15)". Of "bedroc" and "rie" `alpha`, how fast the
        weight exp(-alpha rank / rows) falls, default 20. Of "partial_auc" one of `max_fpr` in
        (0, 1], for the area where the false positive rate is at most this, and `min_tpr` in
        [0, 1), for the area between the curve and the right side where the true positive rate
        is at least this; and `standardize`, default True: rescale as McClish does, to 0.5 for
        scores without information and 1 for perfect ones.

    Returns
    -------
    float
        nan where undefined, silently: `reason` says why. A binned sweep that is not exact
        takes the rows of a bin as tied, at the middle of the bin.

    Raises
    ------
    InputError
        An unknown name or parameter; a metric of probabilities and a score outside [0, 1].

    References
    ----------
    McClish (1989), https://doi.org/10.1177/0272989X8900900307, for "partial_auc".

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.value("roc_auc"), s["roc_auc"], s.roc_auc
    (0.75, 0.75, 0.75)
    >>> s.value("partial_auc", max_fpr=0.5, standardize=False)
    0.25
    >>> round(s.ece, 4), round(s.value("ece", bins=2), 4)
    (0.1375, 0.0875)
    """
    if name == PARTIAL_AUC:
        return float(called(partial(partial_auc, state), PARTIAL_AUC, parameters))
    return _of_points(state, [full_name(name, parameters)])[0]


def values(state: ScoreState, metrics: Iterable[str]) -> dict[str, float]:
    """Return several score metrics by name, for the price of one pass over the scores.

    Parameters
    ----------
    metrics : iterable of str
        Names as `value` takes them.

    Returns
    -------
    dict of str to float
        In the order asked for; nan where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.values(["roc_auc", "ks"])
    {'roc_auc': 0.75, 'ks': 0.5}
    """
    wanted = [metrics] if isinstance(metrics, str) else list(metrics)
    found: dict[str, float] = {}
    for of_probability in (False, True):
        some = [name for name in wanted if is_of_probability(name) is of_probability]
        if some:
            found |= zip(some, _of_points(state, some), strict=True)
    return {name: found[name] for name in wanted}


def _of_points(state: ScoreState, names: list[str]) -> list[float]:
    """Return metrics of which either all are of probabilities or none is."""
    if is_of_probability(names[0]):
        check_probabilities(state, names[0])
    return _core.score_values(names, *points(state, names[0]), clip=state.clip)


def reason(state: ScoreState, name: str, **parameters: Any) -> str | None:
    """Return why a score metric is undefined here, or None.

    Parameters
    ----------
    name : str
        As for `value`, with its parameters.

    Returns
    -------
    str or None
        Of a metric of probabilities also which score is outside [0, 1].

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([1, 1], [0.2, 0.7])
    >>> s.roc_auc
    nan
    >>> s.reason("roc_auc") is None
    False
    """
    if name == PARTIAL_AUC:
        value(state, name, **parameters)  # refuses what it would
        name, parameters = "roc_auc", {}
    name = full_name(name, parameters)
    why = _core.score_reasons([name], *points(state, name))[0]
    return (outside(state) if is_of_probability(name) else None) or why


def ks_threshold(state: ScoreState) -> float:
    """Return the threshold of the largest distance of the rates; the highest of equal ones."""
    fpr, tpr = rates(state)
    distance = np.abs(tpr - fpr)
    if not len(state._at) or math.isnan(distance[-1]):
        return math.nan
    return float(state._at[max(int(distance.argmax()), 1) - 1])


def n_clipped(state: ScoreState) -> int | float:
    """Return the rows, or their weight, whose score log loss clips."""
    eps = state.clip
    scores, positives, negatives = points(state, "log_loss")
    clipped = (scores < eps) | (scores > 1 - eps)
    total = positives[clipped].sum() + negatives[clipped].sum()
    return float(total) if state.weighted else int(total)


def n_used(state: ScoreState, name: str, **parameters: Any) -> int:
    """Return how many of the two classes have rows; 0 where the number is undefined.

    Arguments as `value`. A class whose rows all weigh 0 has none.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([1, 1], [0.2, 0.7])
    >>> s.n_used("brier"), s.n_used("roc_auc")
    (1, 0)
    """
    if math.isnan(value(state, name, **parameters)):
        return 0
    return (state.n_positive > 0) + (state.n_negative > 0)


def per_class(
    state: ScoreState, metrics: Iterable[str] = ("roc_auc", "average_precision")
) -> pl.DataFrame:
    """Return score metrics of each class as the positive one.

    For the negative class the lower scores are the surer ones, and the probability is one minus
    the score.

    Parameters
    ----------
    metrics : iterable of str, default ("roc_auc", "average_precision")
        Names as `value` takes them, such as "ks" or "ece(15)".

    Returns
    -------
    polars.DataFrame
        The negative class, then the positive one: `label`, `n` (its rows, or the sum of their
        weights) and one column a metric, null where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.per_class(["roc_auc", "average_precision"]).rows()
    [(0, 2, 0.75, 0.8333333333333333), (1, 2, 0.75, 0.8333333333333333)]
    """
    wanted = names_asked(metrics)
    frame: dict[str, Any] = {
        "label": pl.Series(state.labels),
        "n": [state.n_negative, state.n_positive],
    }
    for name in wanted:
        own = value(state, name)
        other = _core.score_values([name], *_turned(state, name), clip=state.clip)[0]
        frame[name] = pl.Series([other, own], dtype=pl.Float64)
    return pl.DataFrame(frame).with_columns(pl.col(wanted).fill_nan(None))


def _turned(state: ScoreState, name: str) -> Points:
    """Return scores and counts where the classes change places."""
    at, positives, negatives = (part[::-1] for part in points(state, name))
    if not is_of_probability(name):
        return -at, np.ascontiguousarray(negatives), np.ascontiguousarray(positives)
    turned = (1 - at.astype(np.float64)).astype(at.dtype)
    first = np.flatnonzero(np.append(True, turned[1:] != turned[:-1])[: len(turned)])
    if len(first) == len(turned):
        return turned, np.ascontiguousarray(negatives), np.ascontiguousarray(positives)
    # One minus a small number is that of its neighbour.
    counts = [np.add.reduceat(part, first, dtype=part.dtype) for part in (negatives, positives)]
    return turned[first], counts[0], counts[1]
