"""Isotonic regression of the share of positives on the score, by pooling adjacent violators."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import ConfmatError
from confmat.scores.counts import Floats, ScoreCounts


def block_starts(counts: ScoreCounts) -> npt.NDArray[np.intp]:
    """Return where each block of the isotonic fit begins, shape (blocks,).

    Needs: at least one score. The share of positives rises strictly from block to block: SciPy
    pools with rounded means, and neighbours whose shares of the summed counts do not rise are
    pooled here.
    """
    mass = counts.mass
    fit = _isotonic_regression()(counts.positives / mass, weights=mass)
    starts = np.asarray(fit.blocks[:-1], dtype=np.intp)
    while True:
        shares = np.add.reduceat(counts.positives, starts) / np.add.reduceat(mass, starts)
        rises = np.concatenate([[True], shares[1:] > shares[:-1]])
        if rises.all():
            return starts
        starts = starts[rises]


def block_shares(counts: ScoreCounts, starts: npt.NDArray[np.intp]) -> Floats:
    """Return the share of positives in each block, shape (blocks,)."""
    positives = np.add.reduceat(counts.positives, starts)
    return np.asarray(positives / np.add.reduceat(counts.mass, starts), dtype=np.float64)


def _isotonic_regression() -> Any:
    try:
        from scipy.optimize import isotonic_regression
    except ImportError:
        raise ConfmatError(
            "isotonic regression needs SciPy 1.12 or later: pip install 'confmat[stats]'"
        ) from None
    return isotonic_regression
