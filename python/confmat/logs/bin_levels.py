"""The level of "unit" bins that the rows of all slices ask for, whoever counted them."""

from __future__ import annotations

import polars as pl

from confmat import _core
from confmat.frames.state_queries import STATE


def at_common_level(states: pl.DataFrame, score: pl.DataType, max_bytes: int) -> pl.DataFrame:
    """Return states of scores at the level that `SliceBins` has after all of their rows.

    That is the finest one at which the slices fit `max_bytes`. States that were merged, as after a
    stop, may be finer.
    """
    sweeps = [_core.SweepState.from_bytes(state) for state in states[STATE]]
    level = _core.SliceBins.level_of(
        [int(sweep.negatives.sum()) for sweep in sweeps],
        [int(sweep.positives.sum()) for sweep in sweeps],
        score not in (pl.Float16, pl.Float32),
        max_bytes,
    )
    if level == 0:
        return states
    coarse = [
        (sweep if (sweep.level or 0) >= level else sweep.coarser(level)).to_bytes()
        for sweep in sweeps
    ]
    return states.with_columns(pl.Series(STATE, coarse, dtype=pl.Binary))
