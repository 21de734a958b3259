"""Rows of clusters, such as those of one user: what they say together, and how many there are."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.intervals.levels import Floats, Side, z_of
from confmat.intervals.student import t_quantile

FEW = 30  # clusters: of fewer the quantile is that of Student's t
CLUSTER = "cluster"  # what intervals from sums over clusters are called
ONE_CLUSTER = "there is one cluster: wanted several"


def numbered(clusters: pl.Series) -> tuple[npt.NDArray[np.int64], int]:
    """Return a number of each cluster, from 0 on, and how many there are."""
    numbers = clusters.rank("dense").cast(pl.Int64).to_numpy() - 1
    return numbers, int(numbers.max()) + 1 if len(numbers) else 0


def of_sums(clusters: npt.NDArray[np.int64], n: int, added: Floats) -> float:
    """Return the variance of the sum of what rows add, those of a cluster being dependent.

    The squares of the sums over clusters, times G / (G - 1) of G clusters, which makes up for the
    mean that was taken away.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.intervals.clusters import of_sums
    >>> of_sums(np.array([0, 0, 1]), 2, np.array([1.0, 2.0, -3.0]))
    36.0
    """
    if n < 2:
        return math.nan
    sums = np.bincount(clusters, added, n)
    return float(sums @ sums) * n / (n - 1)


def quantile(level: float, side: Side = "both", clusters: int | None = None) -> float:
    """Return how many standard errors an interval reaches: of few clusters by Student's t.

    Examples
    --------
    >>> from confmat.intervals.clusters import quantile
    >>> round(quantile(0.95, clusters=10), 6), round(quantile(0.95, clusters=30), 6)
    (2.262157, 1.959964)
    """
    z = z_of(level, side)
    if clusters is None or clusters >= FEW:
        return z
    return t_quantile(z, clusters - 1) if clusters > 1 else math.nan
