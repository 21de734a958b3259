"""Calibration without bins: the logistic calibration line, and Spiegelhalter's test."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confmat.calibration import logistic
from confmat.scores.counts import Floats, ScoreCounts, dot, logits


class Line(NamedTuple):
    """logit P(positive) = intercept + slope logit(score), and why it is nan."""

    slope: float
    intercept: float
    reason: str | None


class Offset(NamedTuple):
    """logit P(positive) = intercept + logit(score), and why it is nan."""

    intercept: float
    reason: str | None


class Spiegelhalter(NamedTuple):
    """The statistic, its two-sided p, and why they are nan."""

    z: float
    p: float
    reason: str | None


def line(counts: ScoreCounts, clip: float | None) -> Line:
    """Return the fit of maximum likelihood with both free."""
    try:
        slope, intercept = logistic.slope_and_intercept(_finite(counts, clip), *counts[1:])
    except logistic.NoFit as none:
        return Line(math.nan, math.nan, str(none))
    return Line(slope, intercept, None)


def in_the_large(counts: ScoreCounts, clip: float | None) -> Offset:
    """Return the fit of maximum likelihood with the slope held at 1."""
    try:
        return Offset(logistic.intercept(_finite(counts, clip), *counts[1:]), None)
    except logistic.NoFit as none:
        return Offset(math.nan, str(none))


def spiegelhalter(counts: ScoreCounts, effective: float) -> Spiegelhalter:
    """Return the test; every unit of weight stands for `effective` rows."""
    s = counts.scores
    pull = (1 - 2 * s) * (counts.positives * (1 - s) - counts.negatives * s)
    variance = dot(counts.mass, (1 - 2 * s) ** 2 * s * (1 - s))
    if not variance > 0:
        reason = "every score is 0, 0.5 or 1: the variance is 0" if len(s) else "there are no rows"
        return Spiegelhalter(math.nan, math.nan, reason)
    z = float(pull.sum()) * math.sqrt(effective / variance)
    return Spiegelhalter(z, math.erfc(abs(z) / math.sqrt(2)), None)


def _finite(counts: ScoreCounts, clip: float | None) -> Floats:
    if not len(counts.scores):
        raise logistic.NoFit("there are no rows")
    if clip is not None:
        return logits(np.clip(counts.scores, clip, 1 - clip))
    if counts.scores[0] == 0 or counts.scores[-1] == 1:
        raise logistic.NoFit("a score is 0 or 1, of infinite logit; `clip=1e-6` would move it")
    return logits(counts.scores)
