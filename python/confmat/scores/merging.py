"""Two states of scores as one: the rows of both, or those of one without those of the other."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label, difference
from confmat.scores import difference as score_difference
from confmat.scores.clipping import different
from confmat.scores.counts import MOST_WEIGHT
from confmat.scores.grid import same_bins, shown_bins
from confmat.scores.saved import State
from confmat.scores.state import Counts, Floats, ScoreState

# Scores, lower and upper edges.
Entries: TypeAlias = tuple[npt.NDArray[Any] | None, Floats | None, Floats | None]


def added(one: ScoreState, two: ScoreState) -> State:
    """Return the rows of both; exact if both are, and no bin holds two different scores."""
    _check_same(one, two, "add")
    binned = one._bins is not None
    at = [s._edges()[0] if binned else s._at for s in (one, two)]
    parts = [(a, s._positives, s._negatives) for a, s in zip(at, (one, two), strict=True)]
    merged: Any = _core.sweep_merge(parts)
    found, positives, negatives = merged
    _check_total(positives, negatives)
    entries = _entries(one, two, found) if binned else (found, None, None)
    return _joined(one, two, entries, positives, negatives, 1)


def taken_away(one: ScoreState, two: ScoreState) -> State:
    """Return the rows of `one` less those of `two`. No score and no bin may go below zero."""
    _check_same(one, two, "subtract")
    return _joined(one, two, *score_difference.difference(one._state(), two._state()), -1)


def _entries(one: ScoreState, two: ScoreState, lower: Floats) -> Entries:
    """Return the scores and edges of the bins of both, which begin at `lower`."""
    edges = np.concatenate([one._edges()[0], two._edges()[0]])
    order = np.argsort(edges, kind="stable")
    first = np.searchsorted(edges[order], lower)
    last = np.searchsorted(edges[order], lower, "right") - 1
    upper = np.concatenate([one._edges()[1], two._edges()[1]])[order][first]
    scores = None
    if one._scores is not None and two._scores is not None:
        both = np.concatenate([one._scores, two._scores])[order]
        scores = both[first] if np.array_equal(both[first], both[last]) else None
    return scores, lower, upper


def _check_same(one: ScoreState, two: ScoreState, verb: str) -> None:
    known = None not in (_negative(one, two), _negative(two, one))
    at = 0 if known else 1
    differs = difference(one.labels[at:], two.labels[at:])
    if differs:
        raise InputError(
            f"cannot {verb}: labels differ ({differs}); sweep both with the same classes"
        )
    if not same_bins(one._bins, two._bins):
        raise InputError(
            f"cannot {verb}: {shown_bins(one._bins)} and {shown_bins(two._bins)}; "
            "sweep both with the same `bins=`"
        )
    if one._score_type != two._score_type and len(one) and len(two):
        raise InputError(f"cannot {verb}: {different(one._score_type, two._score_type)}")


def _negative(one: ScoreState, two: ScoreState) -> Label | None:
    """Return the negative class of `one`, or None where no row has it and `two` may name it.

    Rows of the class 1 alone may be of {0, 1} or of {-1, 1}.
    """
    usual = one._labels == (0, 1) and two._labels == (-1, 1)
    return None if usual and not one.n_negative else one._labels[0]


def _check_total(positives: Counts, negatives: Counts) -> None:
    """Refuse sums of float weights of which metrics would be out of range, as the core does."""
    for weights in (positives, negatives):
        with np.errstate(over="ignore"):
            total = float(weights.sum()) if weights.dtype.kind == "f" else 0.0
        if total > MOST_WEIGHT:
            raise InputError(
                f"cannot add: the weights of a class sum to {total:g}; wanted at most {MOST_WEIGHT}"
            )


def _joined(
    one: ScoreState,
    two: ScoreState,
    entries: Entries,
    positives: Counts,
    negatives: Counts,
    sign: int,
) -> State:
    """Return the sum or difference of two sweeps."""
    own = _negative(one, two)
    negative = _negative(two, one) if own is None else own
    score_type = (one if len(one) else two)._score_type
    scores, lower, upper = entries
    if scores is not None and score_type != "float64":
        scores = scores.astype(np.float32, copy=False)  # the other one was empty
    return State(
        scores,
        lower,
        upper,
        one._bins,
        positives,
        negatives,
        one._labels[0] if negative is None else negative,
        one._labels[1],
        one.n_dropped + sign * two.n_dropped,
        one.n_nan + sign * two.n_nan,
        score_type,
    )
