"""Inequality of benefits: generalized entropy, of rows and of groups, from counts alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.fairness.base import FairnessBase
from confmat.intervals.levels import Floats

_NO_BENEFIT = "the mean benefit is 0"
_NO_LOGARITHM = "a benefit of 0 has no logarithm"


def inequality(f: FairnessBase, alpha: float = 2.0) -> pl.DataFrame:
    """Return how unequally rows benefit, and how much of that lies between the groups.

    The benefit of a row is 1 + prediction - truth: 2 for a false positive, 0 for a false negative,
    else 1 (Speicher et al. 2018, https://doi.org/10.1145/3219819.3220046, as in AIF360).

    Parameters
    ----------
    alpha : float, default 2.0
        Of `generalized_entropy`: 0 is the mean log deviation, 1 the Theil index, 2 half the squared
        coefficient of variation.

    Returns
    -------
    pl.DataFrame
        The control columns, `n`, `mean_benefit`, `generalized_entropy`, the two terms that it is
        the sum of, `between_groups` and `within_groups`, `theil`, `coefficient_of_variation` and
        `reason`. Groups that are too small are among all rows, and a group like others.

    Raises
    ------
    InputError
        `alpha` is no number; classes of which none is positive.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": ["f", "f", "m", "m"], "y_true": [0, 1, 0, 1],
    ...                     "y_pred": [0, 0, 1, 1]})
    >>> f = fairness(cm.partial(log, by="sex"), "sex")
    >>> f.inequality().select("generalized_entropy", "between_groups", "within_groups").rows()
    [(0.25, 0.125, 0.125)]
    """
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)) or not math.isfinite(alpha):
        raise InputError(f"`alpha` is {alpha!r}; wanted a finite number")
    cells = f._groups.cells.fill_null(0)
    tp, fp, fn, tn = (cells[name].to_numpy() for name in ("tp", "fp", "fn", "tn"))
    rows_of_benefit = np.stack([fn, tp + tn, fp])  # 0, 1 and 2
    frames = []
    for control, rows in f._groups.controls():
        weights = rows_of_benefit[:, rows]
        row = control | _of(weights, float(alpha))
        schema: dict[str, Any] = dict.fromkeys(row, pl.Float64) | {"reason": pl.String}
        schema |= f._groups.frame.select(f._groups.control).schema
        frames.append(pl.DataFrame([row], schema=schema))
    return pl.concat(frames)


def _of(weights: Floats, alpha: float) -> dict[str, Any]:
    n = weights.sum()
    of_groups = weights.sum(0)
    benefits = np.arange(3.0)
    total = weights.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = float(total @ benefits / n)
        means = benefits @ weights / of_groups
    some = of_groups > 0
    whole = entropy(benefits, total, alpha)
    between = entropy(means[some], of_groups[some], alpha)
    squared = entropy(benefits, total, 2.0)
    reason = "n = 0" if not n else _NO_BENEFIT if mean == 0 else None
    if reason is None and alpha <= 0 and total[0] > 0:
        reason = _NO_LOGARITHM if alpha == 0 else "a benefit of 0 has no power below 0"
    return {
        "n": float(n),
        "mean_benefit": _known(mean),
        "generalized_entropy": _known(whole),
        "between_groups": _known(between),
        "within_groups": _known(whole - between),
        "theil": _known(entropy(benefits, total, 1.0)),
        "coefficient_of_variation": _known(math.sqrt(2 * squared) if squared >= 0 else squared),
        "reason": reason,
    }


def entropy(values: Floats, weights: Floats, alpha: float) -> float:
    """Return the generalized entropy index of values that occur so often; nan where undefined."""
    kept = weights > 0
    values, weights = values[kept], weights[kept]
    n = weights.sum()
    mean = values @ weights / n if n else 0.0
    if mean == 0 or (alpha <= 0 and (values == 0).any()):
        return math.nan
    shares = values / mean
    if alpha == 0:
        return float(-(weights @ np.log(shares)) / n)
    if alpha == 1:
        logs = np.log(np.where(shares > 0, shares, 1.0))
        return float(weights @ (shares * logs) / n)
    return float(weights @ (shares**alpha - 1) / (n * alpha * (alpha - 1)))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
