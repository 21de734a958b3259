"""Intervals of the rates at each threshold of a sweep."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.levels import Floats, Side, checked_ci
from confmat.intervals.wilson import wilson
from confmat.scores.cuts import counts_at, cuts_at, squares_at_cuts
from confmat.scores.moved_bands import Of, moved_bands
from confmat.scores.simultaneous_bands import simultaneous_bands
from confmat.scores.state import ScoreState

Band: TypeAlias = Literal["pointwise", "simultaneous"]
BANDS = ("pointwise", "simultaneous")
RATES = ("tpr", "fpr", "tnr", "ppv", "npv", "fdr")
_ENDS = ("low", "high")
_OF_SHARES: dict[str, Of] = {  # rates that follow from tpr, fpr and the share of positives
    "ppv": lambda tpr, fpr, share: share * tpr / (share * tpr + (1 - share) * fpr),
    "fdr": lambda tpr, fpr, share: (1 - share) * fpr / (share * tpr + (1 - share) * fpr),
    "npv": lambda tpr, fpr, share: (
        (1 - share) * (1 - fpr) / ((1 - share) * (1 - fpr) + share * (1 - tpr))
    ),
}
_SELVES = {rate: rate for rate in RATES}


def bands(
    state: ScoreState,
    names: dict[str, str],
    counts: tuple[Any, Any],
    squares: tuple[Floats, Floats] | None,
    wanted: tuple[float, Side],
    band: Band = "pointwise",
) -> dict[str, Floats]:
    """Return two columns for each of `names`, the ends of an interval of a rate of `RATES`.

    "pointwise" it is Wilson's, at each threshold by itself; "simultaneous" at all of them at once.
    Where the shares of the classes were set, rates of predictions follow from those of classes.
    `counts` are tp and fp, `squares` the squared weights in them, `wanted` the level and the side.
    nan where a rate is undefined, and of float weights whose squares are not known.
    """
    if band == "simultaneous":
        found = simultaneous_bands(state, names.values(), counts, squares, wanted[0])
        pairs = ((name, found[rate]) for name, rate in names.items())
        return {
            f"{name}_{end}": x for name, both in pairs for end, x in zip(_ENDS, both, strict=True)
        }
    totals = (state.n_positive, state.n_negative)
    parts = _parts_of(*counts, *totals)
    of_squares, of_classes = None, state._squares_within()
    if of_classes is not None and squares is not None:
        of_squares = _parts_of(*squares, *(float(side.sum()) for side in of_classes))
    out: dict[str, Floats] = {}
    for name, rate in names.items():
        if state._counted is not None and rate in _OF_SHARES:
            both = moved_bands(state, _OF_SHARES[rate], counts, squares, wanted, (0.0, 1.0))
            out[f"{name}_low"], out[f"{name}_high"] = both
            continue
        part, whole = parts[rate]
        if state.weighted:
            part, whole = effective_rows(
                part, whole, None if of_squares is None else of_squares[rate]
            )
        out[f"{name}_low"], out[f"{name}_high"] = wilson(part, whole, *wanted)
    return out


def checked_band(band: Any, ci: Any, side: Any) -> Band:
    """Return how a band holds a curve; refuse another word, one without a level, or of one side."""
    if not isinstance(band, str) or band not in BANDS:
        raise InputError(f"`band` is {band!r}; wanted one of {', '.join(BANDS)}")
    if ci is None and band != "pointwise":
        raise InputError(f"`band` is {band!r} without a level; wanted ci= too, such as ci=0.95")
    checked_ci(ci, side)
    if band != "pointwise" and side != "both":
        raise InputError(
            f"`side` is {side!r} with band={band!r}: the curve lies between two lines, each of "
            "them through limits of both sides; wanted side='both', or band='pointwise'"
        )
    known: Band = "simultaneous" if band == "simultaneous" else "pointwise"
    return known


def rates_at(
    state: ScoreState, names: list[str], thresholds: Floats, wanted: tuple[float, Side]
) -> tuple[Floats, Floats]:
    """Return the ends of the interval of one rate at each threshold; nan at a threshold of nan.

    Arguments: a name of `RATES` and a threshold for each; the level and the side.
    """
    ends = bands(state, _SELVES, *_counted(state, thresholds), wanted)
    which = np.array([RATES.index(name) for name in names], np.intp)
    places = np.arange(len(thresholds))
    low, high = (np.stack([ends[rate + end] for rate in RATES]) for end in ("_low", "_high"))
    return low[which, places], high[which, places]


def rate_table(state: ScoreState, threshold: float, wanted: tuple[float, Side]) -> pl.DataFrame:
    """Return every rate at a threshold with its interval: `rate`, `value`, `low` and `high`."""
    counts, squares = _counted(state, np.array([threshold]))
    ends = bands(state, _SELVES, counts, squares, wanted)
    parts = _parts_of(*counts, float(state.n_positive), float(state.n_negative))
    with np.errstate(invalid="ignore"):
        values = [float(part[0] / whole[0]) for part, whole in map(parts.__getitem__, RATES)]
    columns: dict[str, Any] = {"rate": RATES, "value": values}
    for end in ("low", "high"):
        columns[end] = [float(ends[f"{rate}_{end}"][0]) for rate in RATES]
    return pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))


def _counted(
    state: ScoreState, thresholds: Floats
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats] | None]:
    """Return tp and fp at each threshold, and the squared weights in them; nan at one of nan."""
    known = ~np.isnan(thresholds)
    cuts = cuts_at(state, thresholds[known])

    def spread(parts: tuple[Any, Any]) -> tuple[Floats, Floats]:
        out = np.full((2, len(thresholds)), np.nan)
        out[:, known] = parts
        return out[0], out[1]

    squares = squares_at_cuts(state, cuts)
    return spread(counts_at(state, cuts)), None if squares is None else spread(squares)


def _parts_of(tp: Any, fp: Any, positives: Any, negatives: Any) -> dict[str, tuple[Any, Any]]:
    fn, tn = positives - tp, negatives - fp
    return {
        "tpr": (tp, tp + fn),
        "fpr": (fp, fp + tn),
        "tnr": (tn, fp + tn),
        "fnr": (fn, tp + fn),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "fdr": (fp, tp + fp),
    }
