"""How well scores agree with the shares of positives, in each group."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.fairness.base import FairnessBase
from confmat.fairness.selection import shown_sweeps


def calibration(f: FairnessBase, bins: Any = 10, strategy: Any = "uniform") -> pl.DataFrame:
    """Return the calibration table of each group: scores that mean the same have the same shares.

    Parameters
    ----------
    bins, strategy
        As in `Sweep.calibration`.

    Returns
    -------
    pl.DataFrame
        The keys, and the bins of `s.calibration(bins).table()` that hold rows, of the groups that
        are large enough.

    Raises
    ------
    InputError
        No states of scores, or scores outside [0, 1].

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": list("ffmm"), "y_true": [0, 1, 0, 1],
    ...                     "y_score": [0.25, 0.75, 0.25, 0.25]})
    >>> f = fairness(cm.partial(log, y_score="y_score", by="sex"), "sex")
    >>> table = f.calibration(bins=2)
    >>> table.select("sex", "mean_score", "fraction_positive").rows()
    [('f', 0.25, 0.0), ('f', 0.75, 1.0), ('m', 0.25, 0.5)]
    """
    keys = f._groups.keys
    frames = []
    for rows in f._groups.blocks:
        for row, s in shown_sweeps(f, rows):
            if s.n:
                table = s.calibration(bins, strategy).table()
                frames.append(keys[row].join(table.filter(pl.col("n") > 0), how="cross"))
    return pl.concat(frames) if frames else keys.clear()
