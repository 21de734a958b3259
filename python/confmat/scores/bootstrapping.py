"""Bootstrap replicates of metrics of a sweep, and what intervals from them need beside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.jackknife import acceleration, picked_rows
from confmat.intervals.levels import Floats
from confmat.metric_names import names_asked
from confmat.options import checked_replicates, checked_seed
from confmat.scores.points import check_probabilities, points
from confmat.scores.score_names import PARTIAL_AUC, full_name, is_of_probability
from confmat.scores.state import ScoreState
from confmat.scores.values import values


def bootstrap(
    state: ScoreState,
    names: Iterable[str],
    replicates: int = 2_000,
    seed: int | None = None,
    *,
    stratified: bool = True,
    **parameters: Any,
) -> tuple[Floats, Floats]:
    """Return score metrics, and their values in sweeps whose rows are drawn again.

    Rows are drawn with replacement from the distinct scores, or from the bins of a binned sweep,
    so that a draw takes about 4 ms of 10^6 distinct scores, however many rows there are, and the
    metrics about as much again.

    Parameters
    ----------
    names : str or iterable of str
        Metrics, as `s.value` takes them, but "partial_auc".
    replicates : int, default 2,000
        How many sweeps are drawn.
    seed : int, optional
        The same seed gives the same replicates, with any number of threads; replicate i is the
        same however many there are. Default: another one each time.
    stratified : bool, default True
        Draw positives and negatives apart, as many of each as there are: how a metric varies among
        samples of these two numbers. False: all rows together, so that the share of positives
        varies too, which matters for metrics of probabilities and average precision.
    **parameters
        As in `s.value`, for all of the metrics.

    Returns
    -------
    tuple of ndarray
        The values, shape (m,), and the replicates, shape (replicates, m); nan where undefined.

    Raises
    ------
    InputError
        What `s.value` refuses; `replicates` or `seed` that is none; a sweep of float weights whose
        squares are not known.

    Notes
    -----
    Of float weights what is at each score is drawn by itself, whatever `stratified` says: as a
    Poisson number of rows of equal weight, of the same mean and variance as the sum of weights.

    References
    ----------
    Bohm and Zech (2014), https://doi.org/10.1016/j.nima.2014.02.021, for weights

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.scores.bootstrapping import bootstrap
    >>> s = cm.sweep([0, 0, 1, 1] * 50, [0.1, 0.4, 0.35, 0.8] * 50)
    >>> values, drawn = bootstrap(s, ["roc_auc", "ks"], seed=0)
    >>> values.tolist(), drawn.shape, drawn.std(0).round(3).tolist()
    ([0.75, 0.5], (2000, 2), [0.037, 0.043])
    """
    wanted = _wanted(state, names, parameters)
    count, start = checked_replicates(replicates, len(wanted)), checked_seed(seed)
    drawn = np.empty((count, len(wanted)))
    for places in _alike(wanted):
        some = [wanted[place] for place in places]
        drawn[:, places] = _core.score_replicates(
            some,
            *points(state, some[0]),
            replicates=count,
            seed=start,
            stratified=bool(stratified),
            clip=state.clip,
            squares=state._squares,
        )
    found = values(state, wanted)
    return np.array([found[name] for name in wanted], np.float64), drawn


def accelerations(
    state: ScoreState, names: Iterable[str], *, stratified: bool = True, **parameters: Any
) -> Floats:
    """Return the acceleration of each metric for `bca`, from sweeps with one row less.

    Arguments as `bootstrap`. Left out is a row of each score, or, of more than 200 scores that a
    class has, each of 200 rows of it at equal steps through its scores.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.scores.bootstrapping import accelerations
    >>> s = cm.sweep([0, 0, 1, 1] * 50, [0.1, 0.4, 0.35, 0.8] * 50)
    >>> accelerations(s, ["roc_auc"]).round(4).tolist()
    [0.0]
    """
    wanted = _wanted(state, names, parameters)
    rates = np.empty(len(wanted))
    for columns in _alike(wanted):
        some = [wanted[column] for column in columns]
        at, *sides = points(state, some[0])
        counts = [np.array(side) for side in sides]  # own memory
        whole = np.array(_core.score_values(some, at, *counts, clip=state.clip))
        changes: list[Floats] = []
        rows: list[float] = []
        strata: list[int] = []
        for which, (side, unit) in enumerate(zip(counts, _units(state), strict=True)):
            places, times = picked_rows(side / unit, 200)
            for place in places:
                held = side[place]
                side[place] = max(held - unit[place], 0)
                less = _core.score_values(some, at, *counts, clip=state.clip)
                changes.append(whole - less)
                side[place] = held
            rows.extend(times.tolist())
            strata.extend([which if stratified else 0] * len(places))
        rates[columns] = acceleration(np.reshape(changes, (-1, len(some))), rows, strata)
    return rates


def _wanted(state: ScoreState, names: Any, parameters: dict[str, Any]) -> list[str]:
    """Return the full names, checked."""
    if state._effective_squares() is None:
        raise InputError(
            "the sweep holds sums of float weights whose squares are not known: they say how many "
            "rows there are to draw from; wanted a sweep of the rows, or one of counts"
        )
    wanted = [full_name(name, parameters) for name in names_asked(names)]
    if PARTIAL_AUC in wanted:
        raise InputError(f"`{PARTIAL_AUC}` has no replicates; wanted a metric of `s.values`")
    for name in wanted:
        if is_of_probability(name):
            check_probabilities(state, name)
    return wanted


def _units(state: ScoreState) -> list[Any]:
    """Return what one row weighs at each score, of positives and of negatives."""
    if not state.weighted:
        return [np.ones(len(state), state._positives.dtype)] * 2
    assert state._squares is not None
    return [
        np.divide(squares, total, out=np.where(total > 0, total, 1.0), where=squares > 0)
        for total, squares in zip((state._positives, state._negatives), state._squares, strict=True)
    ]


def _alike(wanted: list[str]) -> list[list[int]]:
    """Return where the metrics of any scores are, and those of probabilities.

    They take other scores of a bin. Both see the same draws, which the counts alone decide.
    """
    places: dict[bool, list[int]] = {}
    for place, name in enumerate(wanted):
        places.setdefault(is_of_probability(name), []).append(place)
    return list(places.values())
