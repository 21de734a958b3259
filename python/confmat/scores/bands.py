"""Intervals of the rates at each threshold of a sweep."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.wilson import wilson
from confmat.scores.cuts import counts_at, cuts_at
from confmat.scores.state import ScoreState

RATES = ("tpr", "fpr", "tnr", "ppv", "npv", "fdr")


def band(state: ScoreState, name: str, counts: Any, totals: Any, level: Any) -> dict[str, Floats]:
    """Return two columns: the ends of Wilson's interval of each rate, `counts` of `totals`.

    nan where a total is 0, and of float weights, whose squares a sweep does not keep.
    """
    checked_level(level)
    if state.weighted:
        low = high = np.full(np.shape(counts), np.nan)
    else:
        low, high = wilson(counts, totals, level)
    return {f"{name}_low": low, f"{name}_high": high}


def rates_at(
    state: ScoreState, names: list[str], thresholds: Floats, level: Any
) -> tuple[Floats, Floats]:
    """Return the ends of the interval of one rate at each threshold; nan at a threshold of nan.

    Arguments: a name of `RATES` and a threshold for each.
    """
    which = np.array([RATES.index(name) for name in names], np.intp)
    places = np.arange(len(thresholds))
    counts, totals = (part[which, places] for part in _parts(state, thresholds))
    ends = band(state, "", counts, totals, level)
    return ends["_low"], ends["_high"]


def rate_table(state: ScoreState, threshold: float, level: Any) -> pl.DataFrame:
    """Return every rate at a threshold with its interval: `rate`, `value`, `low` and `high`."""
    counts, totals = (part[:, 0] for part in _parts(state, np.array([threshold])))
    with np.errstate(invalid="ignore"):
        values = counts / totals
    ends = band(state, "", counts, totals, level)
    columns = {"rate": RATES, "value": values, "low": ends["_low"], "high": ends["_high"]}
    return pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))


def _parts(state: ScoreState, thresholds: Floats) -> tuple[Floats, Floats]:
    """Return the counts that are the numerator and the denominator of each of `RATES`."""
    known = ~np.isnan(thresholds)
    tp, fp = np.full((2, len(thresholds)), np.nan)
    tp[known], fp[known] = counts_at(state, cuts_at(state, thresholds[known]))
    positives, negatives = float(state.n_positive), float(state.n_negative)
    fn, tn = positives - tp, negatives - fp
    parts = {
        "tpr": (tp, tp + fn),
        "fpr": (fp, fp + tn),
        "tnr": (tn, fp + tn),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "fdr": (fp, tp + fp),
    }
    counts, totals = (np.stack([parts[rate][i] for rate in RATES]) for i in (0, 1))
    return counts, totals
