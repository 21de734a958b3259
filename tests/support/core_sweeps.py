"""Sweeps of the core as tuples, for tests that compare their parts."""

from typing import Any

from confmat import _core


def parts_of(state: _core.SweepState) -> tuple[Any, ...]:
    """Return scores, positives, negatives, classes, rows, and rows dropped for a null or a nan."""
    rows = state.rows + state.n_dropped + state.n_nan
    labels = (state.negative, state.positive)
    left_out = (state.n_dropped, state.n_nan)
    return state.scores, state.positives, state.negatives, labels, rows, *left_out


def sweep(y, s, w=None, pos=None, nan_drop=False, threads=1):
    """Return the parts of an exact sweep."""
    return parts_of(_core.sweep(y, s, w, pos, False, nan_drop, threads))


def sweep_binned(y, s, w, pos, bins, nan_drop=False, threads=1):
    """Return the state of a binned sweep."""
    return _core.sweep_binned(y, s, w, pos, bins, False, nan_drop, threads)
