"""A sweep by its two classes: how many of them have rows, and each as the positive one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.metric_names import names_asked
from confmat.scores.points import Points, points
from confmat.scores.score_names import is_of_probability
from confmat.scores.state import ScoreState
from confmat.scores.values import value


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
