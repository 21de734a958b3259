"""The level of "unit" bins that the rows of all slices ask for, whoever counted them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.frames.partials import STATE
from confmat.objects.states import from_bytes


def at_common_level(states: pl.DataFrame, score: pl.DataType, max_bytes: int) -> pl.DataFrame:
    """Return states of scores at the level that `SliceBins` has after all of their rows.

    That is the finest one at which lists of the scores of small slices and tables of the others fit
    `max_bytes`. States that were merged, as after a stop, may be finer.
    """
    asked = pl.col(STATE).cm.state_metrics("roc_auc")  # type: ignore[attr-defined]
    rows = states.select(asked.struct.field("n")).to_series().to_numpy()
    lists = rows * (4 if score == pl.Float32 else 8)
    fits = [np.minimum(lists, 8 * bins).sum() <= max_bytes for bins in _core.UNIT_BINS]
    level = fits.index(True) if True in fits else _core.MAX_LEVEL
    if level == 0:
        return states
    return states.with_columns(
        pl.Series(STATE, [_coarser(state, level) for state in states[STATE]], dtype=pl.Binary)
    )


def _coarser(state: bytes, level: int) -> bytes:
    sweep: Any = from_bytes(state)
    out: bytes = sweep.to_bytes() if sweep.level >= level else sweep.coarser(level).to_bytes()
    return out
