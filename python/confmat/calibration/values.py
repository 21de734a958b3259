"""Numbers of a calibration by name, why they are undefined, and all in a frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from confmat.calibration import bin_errors
from confmat.calibration.brier_terms import brier
from confmat.calibration.state import CalibrationState
from confmat.metric_names import names_asked
from confmat.named_numbers import called, numbers, unknown

_ERRORS: dict[str, Callable[[CalibrationState], float]] = {
    "ece": lambda state: bin_errors.error(state, "ece"),
    "ece_sqrt": lambda state: bin_errors.root_error(state, "ece"),
    "rms_ce": lambda state: bin_errors.error(state, "rms_ce"),
    "rms_ce_sqrt": lambda state: bin_errors.root_error(state, "rms_ce"),
    "rms_ce_debiased": bin_errors.rms_ce_debiased,
    "mce": lambda state: bin_errors.error(state, "mce"),
    "adaptive_ece": bin_errors.adaptive_ece,
    "brier": lambda state: brier(state._counts),
}
_NUMBERS: dict[str, Callable[[CalibrationState], float]] = _ERRORS | {
    "slope": lambda state: state._line.slope,
    "intercept": lambda state: state._line.intercept,
    "in_the_large": lambda state: state._offset.intercept,
    "spiegelhalter_z": lambda state: state._spiegelhalter.z,
    "spiegelhalter_p": lambda state: state._spiegelhalter.p,
}
NAMES = tuple(_NUMBERS)
_NO_ROWS = "there are no rows"
_FEW_ROWS = "no bin has two rows"


def value(state: CalibrationState, name: str, **parameters: Any) -> float:
    """Return a number of `overall` by its name, nan where undefined; they take no parameters.

    Examples
    --------
    >>> import confmat as cm
    >>> c = cm.Calibration([0.1, 0.4, 0.8], [1, 5, 7], [9, 5, 3], bins=2)
    >>> c.value("ece") == c["ece"] == c.ece
    True
    """
    if not isinstance(name, str) or name not in NAMES:
        raise unknown(name, NAMES)
    return float(called(partial(_NUMBERS[name], state), name, parameters))


def n_used(state: CalibrationState, name: str, **parameters: Any) -> int:
    """Return how many bins have rows, what errors are means over; 0 where undefined."""
    return 0 if math.isnan(value(state, name, **parameters)) else len(state._bins.filled().n)


def reason(state: CalibrationState, name: str, **parameters: Any) -> str | None:
    """Return why a number is nan, or None.

    Parameters
    ----------
    name : str
        A number of `overall`, such as "slope".

    Examples
    --------
    >>> import confmat as cm
    >>> c = cm.Calibration([0.2, 0.7], [0, 3], [5, 0])
    >>> c.slope, c.reason("slope")
    (nan, 'the scores separate the classes: the likelihood has no maximum')
    """
    if not isinstance(name, str) or name not in NAMES:
        raise unknown(name, NAMES)
    called(lambda: None, name, parameters)
    if name in _ERRORS:
        few = name == "rms_ce_debiased" and math.isnan(bin_errors.rms_ce_debiased(state))
        return _NO_ROWS if not state.n else _FEW_ROWS if few else None
    if name in ("slope", "intercept"):
        return state._line.reason
    return state._offset.reason if name == "in_the_large" else state._spiegelhalter.reason


def overall(state: CalibrationState, metrics: Iterable[str] | None = None) -> pl.DataFrame:
    """Return numbers as a frame.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names as `value` takes them. Default: all.

    Returns
    -------
    polars.DataFrame
        Columns `metric`, `value` (null where undefined) and `reason`.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.Calibration([0.5], [1], [1]).overall().row(-1)
    ('spiegelhalter_p', None, 'every score is 0, 0.5 or 1: the variance is 0')
    """
    wanted = NAMES if metrics is None else names_asked(metrics)
    return numbers(
        wanted, [value(state, name) for name in wanted], [reason(state, name) for name in wanted]
    )


def per_class(
    state: CalibrationState, metrics: Iterable[str] = ("ece", "rms_ce", "mce", "brier")
) -> pl.DataFrame:
    """Return numbers of each class: of the negative one, with one minus the scores.

    Parameters
    ----------
    metrics : iterable of str, default ("ece", "rms_ce", "mce", "brier")
        Names as `value` takes them.

    Returns
    -------
    polars.DataFrame
        `label` (False, then True: whether it is the positive class), `n` (its rows, or the sum
        of their weights) and one column a metric, null where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> c = cm.Calibration([0.25, 0.75], [1, 5], [3, 3], bins=2)
    >>> c.per_class("ece").rows()
    [(False, 6, 0.08333333333333333), (True, 6, 0.08333333333333333)]
    """
    wanted = names_asked(metrics)
    sides = [_turned(state), state]
    rows = [[side._counts.n_positive, *(value(side, name) for name in wanted)] for side in sides]
    columns = dict(zip(("n", *wanted), zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame({"label": [False, True]} | columns)
    whole = pl.col("n").cast(pl.Int64) if state._whole else pl.col("n")
    return frame.with_columns(whole, pl.col(wanted).fill_nan(None))


def _turned(state: CalibrationState) -> CalibrationState:
    """Return the calibration of the other class."""
    counts = state._counts
    scores, first = np.unique(1 - counts.scores[::-1], return_index=True)
    parts = [part[::-1] for part in (counts.negatives, counts.positives)]
    if len(first):
        parts = [np.add.reduceat(part, first) for part in parts]
    bins = state._asked if isinstance(state._asked, int) else 1 - state._asked[::-1]
    options = {"n_effective": state._given, "clip": state._clip}
    return CalibrationState(scores, parts[0], parts[1], bins, state._strategy, **options)
