"""The level of "unit" bins that the rows of all slices ask for, whoever counted them."""

from __future__ import annotations

from functools import lru_cache

import polars as pl

from confmat import _core
from confmat.frames.state_queries import STATE

# How the core accounts for slices (`tally/slice_lists.hpp`): a place for each; of few rows a list
# of keys a class, in blocks that double; of many a table of bins, rows that wait for it, a state.
_SLICE, _HEAD, _FIRST_BLOCK, _LARGEST_BLOCK, _WAITING = 80, 16, 64, 8192, 1 << 17


def at_common_level(states: pl.DataFrame, score: pl.DataType, max_bytes: int) -> pl.DataFrame:
    """Return states of scores at the level that `SliceBins` has after all of their rows.

    That is the finest one at which the slices fit `max_bytes`. States that were merged, as after a
    stop, may be finer.
    """
    width = 4 if score == pl.Float32 else 8
    sweeps = [_core.SweepState.from_bytes(state) for state in states[STATE]]
    lists = [
        _list_bytes(int(sweep.negatives.sum()), width)
        + _list_bytes(int(sweep.positives.sum()), width)
        for sweep in sweeps
    ]
    level = 0
    while level < _core.MAX_LEVEL and _taken(lists, level) > max_bytes:
        level += 1
    if level == 0:
        return states
    coarse = [
        (sweep if (sweep.level or 0) >= level else sweep.coarser(level)).to_bytes()
        for sweep in sweeps
    ]
    return states.with_columns(pl.Series(STATE, coarse, dtype=pl.Binary))


def _taken(lists: list[int], level: int) -> int:
    table = 2 * _core.UNIT_BINS[level]
    full = 2 * table + 2 * (_WAITING >> level)
    return sum(size if size <= table else full for size in lists) + _SLICE * len(lists)


@lru_cache(maxsize=100_000)
def _list_bytes(rows: int, width: int) -> int:
    size = sizes = 0
    while rows > 0:
        size = min(max(sizes, _FIRST_BLOCK), _LARGEST_BLOCK)
        blocks = 1
        if size == _LARGEST_BLOCK:
            blocks = -(-rows // ((size - _HEAD) // width))
        sizes += blocks * size
        rows -= blocks * ((size - _HEAD) // width)
    return sizes
