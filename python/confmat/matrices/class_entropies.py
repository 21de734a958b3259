"""The confusion entropy of each class, whose mean is that of the matrix."""

from __future__ import annotations

import numpy as np
import polars as pl

from confmat.intervals.levels import Floats
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import AnyCells, SparseCells, held, margins


def class_entropies(state: MatrixBase) -> pl.DataFrame:
    """Return the confusion entropy of each class: how its errors scatter, in both directions.

    The metrics `cen` and `mcen` are their means, weighted by the rows and columns of the classes
    (`mcen` of two classes apart, whose weights do not add up to 1).

    Returns
    -------
    polars.DataFrame
        Columns `label`, `cen` and `mcen`, null for a class that is neither true nor predicted and
        where fewer than two classes are.

    References
    ----------
    Wei, Yuan, Hu and Wang (2010), https://doi.org/10.1016/j.eswa.2009.11.040; Delgado and
    Nunez-Gonzalez (2019), https://doi.org/10.1371/journal.pone.0210264

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    >>> m.class_entropies()["cen"].round(3).to_list(), round(m.cen, 3)
    ([0.0, 0.355, 0.326], 0.226)
    """
    cells = state._smoothed()
    support, predicted, right = (part.astype(np.float64) for part in margins(cells))
    both = support + predicted
    known = int((both > 0).sum())
    frame = {"label": pl.Series(list(state._labels))}
    for name, size in (("cen", both), ("mcen", both - right)):
        entropy = _scatter(cells, size, known)
        entropy[(both == 0) | (known < 2)] = np.nan
        frame[name] = pl.Series(entropy, nan_to_null=True)
    return pl.DataFrame(frame)


def _scatter(cells: AnyCells, size: Floats, known: int) -> Floats:
    """Return the sums of -q log q over the shares q of errors, to the base 2 (K - 1)."""
    k = len(size)
    places = cells.places if isinstance(cells, SparseCells) else np.arange(k * k)
    counts = held(cells).astype(np.float64).ravel()
    true, pred = np.divmod(places, k)
    wrong = (true != pred) & (counts > 0)
    total = np.zeros(k)
    for at in (true[wrong], pred[wrong]):
        share = counts[wrong] / size[at]
        total -= np.bincount(at, share * np.log(share), k)
    with np.errstate(divide="ignore", invalid="ignore"):  # of one class
        scatter: Floats = total / np.log(2.0 * (known - 1))
    return scatter + 0.0
