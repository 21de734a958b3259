"""A sweep as it would be at another share of positives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.sample_size import checked_share
from confmat.scores.cuts import rounded_up
from confmat.scores.from_rows import swept
from confmat.scores.state import ScoreState


def reweighted(state: ScoreState, prevalence: Any) -> _core.SweepState:
    """Return the state with the weights of both classes scaled to a share of positives.

    Raises
    ------
    InputError
        A share outside [0, 1]; one class has no rows and a share above 0.
    """
    share = checked_share(prevalence, "prevalence", ends=True)
    sizes, wanted = (state.n_negative, state.n_positive), (1 - share, share)
    factors = []
    for label, size, part in zip(state.labels, sizes, wanted, strict=True):
        if part and not size:
            raise InputError(
                f"`prevalence` is {share:g}, and no row is of class {label!r}: its scores are not "
                "known"
            )
        factors.append(part * state.n / size if size else 0.0)
    scores = _scores(state)
    parts = [
        weights * (factor / len(scores))
        for weights, factor in zip((state.negatives, state.positives), factors, strict=True)
    ]
    weight = np.concatenate([part for part in parts for _ in scores])
    kept = weight > 0
    made = swept(
        np.repeat([False, True], len(scores) * len(state))[kept],
        np.concatenate(scores * 2)[kept],
        pos_label=True,
        sample_weight=weight[kept],
        bins=state._bins,
    )
    # What is at a score counts as one row of its weight there.
    made = made.without_squares()
    return made.with_labels(*state._labels).with_type(state._score_type)


def rows_behind(state: ScoreState, made: ScoreState) -> ScoreState | None:
    """Return the sweep whose rows say how sure the rates of a reweighted one are, at its scores.

    None where a class is left without weight: the scores that it alone has are gone.
    """
    counted = state if state._counted is None else state._counted
    has_both = made.n_positive > 0 and made.n_negative > 0
    return counted if has_both and len(made) == len(counted) else None


def _scores(state: ScoreState) -> list[Any]:
    """Return scores that lie in the bins of the state; two of each bin that may hold several."""
    if state.is_exact:
        return [state._at]
    lower, upper = state._edges()
    narrow = np.dtype(np.float64 if state._score_type == "float64" else np.float32)
    first = rounded_up(lower, narrow)
    second = np.nextafter(first, narrow.type(math.inf))
    return [first, np.where(second < upper, second, first)]
