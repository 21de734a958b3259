"""Fits of a recalibration to the counts at each score of a sweep."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from confmat.calibration import logistic
from confmat.calibration.isotonic_blocks import block_shares, block_starts
from confmat.calibration.recalibration import Isotonic, Platt, Recalibration, Temperature
from confmat.errors import InputError
from confmat.scores.counts import (
    ScoreCounts,
    check_finite,
    check_probabilities,
    logits,
    score_counts,
)

Method: TypeAlias = Literal["platt", "isotonic", "temperature"]


def recalibrate(
    scores: Any,
    positives: Any,
    negatives: Any,
    method: Method = "platt",
    *,
    smoothing: bool = True,
    logit: bool = False,
) -> Recalibration:
    """Return the map from scores to probabilities that fits these counts best.

    Parameters
    ----------
    scores : array-like of shape (m,)
        Distinct scores, in order, up or down. "temperature" and `logit=True` want them in [0, 1];
        the others take any finite numbers, such as margins.
    positives, negatives : array-like of shape (m,)
        Rows of each class at each score: counts, or sums of weights.
    method : {"platt", "isotonic", "temperature"}, default "platt"
        "platt": P = 1 / (1 + exp(-(a s + b))), by maximum likelihood; Platt writes A = -a and
        B = -b. a is negative where high scores mean the negative class.
        "isotonic": pooled adjacent violators, the best non-decreasing map by squares; straight
        lines between blocks, as scikit-learn has it. Its values may be 0 and 1. Needs SciPy.
        "temperature": the logit of the score over T, by maximum likelihood; T is infinite where
        no T > 0 does better than 0.5.
    smoothing : bool, default True
        "platt" only: aim at Platt's (N+ + 1) / (N+ + 2) and 1 / (N- + 2) in place of 1 and 0. The
        fit is then finite for every data set.
    logit : bool, default False
        "platt" only: of ln(s / (1 - s)) in place of s, which holds the identity (a = 1, b = 0);
        without smoothing, the log loss on the rows fitted to never rises.

    Returns
    -------
    Recalibration

    Raises
    ------
    InputError
        No rows of one class; scores that are not finite, or outside [0, 1] where logits are taken;
        classes that the scores separate, where the likelihood has no maximum; an unknown method,
        or options of another one.

    References
    ----------
    Platt (1999), Probabilistic outputs for support vector machines; Zadrozny and Elkan (2002),
    https://doi.org/10.1145/775047.775151; Guo et al. (2017), https://arxiv.org/abs/1706.04599.

    Examples
    --------
    >>> from confmat.calibration.fit import recalibrate
    >>> scores, positives, negatives = [0.2, 0.5, 0.9], [1, 2, 5], [6, 2, 1]
    >>> recalibrate(scores, positives, negatives, "isotonic").apply([0.2, 0.35, 0.9]).round(4)
    array([0.1429, 0.3214, 0.8333])
    >>> recalibrate(scores, positives, negatives, "platt")
    <Recalibration: platt, a=3.59083, b=-1.98247>
    """
    if method not in get_args(Method):
        wanted = ", ".join(map(repr, get_args(Method)))
        raise InputError(f"`method` is {method!r}; wanted one of {wanted}")
    if method != "platt" and (logit or not smoothing):
        name = "logit" if logit else "smoothing"
        raise InputError(f"`{name}` is an option of 'platt', and `method` is {method!r}")
    counts = score_counts(scores, positives, negatives)
    if not (counts.positives.any() and counts.negatives.any()):
        found = "one class" if len(counts.scores) else "no rows"
        raise InputError(f"cannot recalibrate: the sweep holds {found}; wanted rows of both")
    if method == "platt":
        return _platt(counts, smoothing, logit)
    return _isotonic(counts) if method == "isotonic" else _temperature(counts)


def _platt(counts: ScoreCounts, smoothing: bool, logit: bool) -> Platt:
    if logit:
        check_probabilities(counts, "logit=True")
        if counts.scores[0] == 0 or counts.scores[-1] == 1:
            found = 0.0 if counts.scores[0] == 0 else 1.0
            raise InputError(f"`y_score` holds {found}, of infinite logit; use logit=False")
    check_finite(counts, "platt")
    x = logits(counts.scores) if logit else counts.scores
    positives, negatives = counts.positives, counts.negatives
    if smoothing:
        high = (positives.sum() + 1) / (positives.sum() + 2)
        low = 1 / (negatives.sum() + 2)
        positives, negatives = (
            positives * high + negatives * low,
            positives * (1 - high) + negatives * (1 - low),
        )
    if len(x) == 1:  # every slope fits as well; none is the plainest
        return Platt(0.0, float(np.log(positives[0] / negatives[0])), logit)
    a, b = _fit(logistic.slope_and_intercept, x, positives, negatives)
    return Platt(a, b, logit)


def _isotonic(counts: ScoreCounts) -> Isotonic:
    check_finite(counts, "isotonic")
    starts = block_starts(counts)
    shares = block_shares(counts, starts)
    ends = np.append(starts[1:], len(counts.scores)) - 1
    knots = counts.scores[np.column_stack([starts, ends]).ravel()]
    values = np.repeat(shares, 2)
    first = np.append(True, knots[1:] > knots[:-1])  # a block of one score is one knot
    return Isotonic(knots[first], values[first])


def _temperature(counts: ScoreCounts) -> Temperature:
    check_probabilities(counts, "temperature")
    s = counts.scores
    wrong = ((s == 0) & (counts.positives > 0)) | ((s == 1) & (counts.negatives > 0))
    if wrong.any():
        kind = "a positive at 0" if s[wrong][0] == 0 else "a negative at 1"
        raise InputError(f"`y_score` has {kind}: its log loss is infinite at every temperature")
    inner = (s > 0) & (s < 1)  # the others are right, and stay so at every temperature
    if not inner.any():
        raise InputError("`y_score` is 0 or 1 everywhere; temperature wants scores between")
    return Temperature(
        _fit(logistic.slope, logits(s[inner]), counts.positives[inner], counts.negatives[inner])
    )


def _fit(fit: Any, *data: Any) -> Any:
    try:
        return fit(*data)
    except logistic.NoFit as none:
        raise InputError(f"cannot recalibrate: {none}") from None
