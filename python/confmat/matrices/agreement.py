"""Agreement beyond chance where some errors are half right: coefficients under any weights."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.costs import checked_costs
from confmat.errors import InputError
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import full, held, require_table
from confmat.options import check_choice
from confmat.registry import find

Floats: TypeAlias = npt.NDArray[np.float64]

_NAMED = ("nominal", "linear", "quadratic", "ordinal")
# Which row of the registry says who each is of.
_ROWS = {
    "kappa": "kappa_quadratic",
    "scott_pi": "scott_pi",
    "bennett_s": "bennett_s",
    "gwet_ac2": "gwet_ac1",
    "krippendorff_alpha": "krippendorff_alpha",
}


def agreement(
    state: MatrixBase, weights: Any = "nominal", *, keep_empty: bool = False
) -> pl.DataFrame:
    """Return coefficients of agreement beyond chance, of classes some of which are near others.

    Parameters
    ----------
    weights : {"nominal", "linear", "quadratic", "ordinal"} or array-like of shape (K, K)
        How right it is to call one class the other, 1 on the diagonal, symmetric, from 0 to 1, in
        label order. "nominal": not at all. "linear" and "quadratic": less by the distance in label
        order, or by its square (Krippendorff's interval metric of equal steps). "ordinal":
        Krippendorff's ordinal metric, by how many ratings lie between the classes; those of Gwet
        are a matrix, as in `cm.gwet_ac2`.
    keep_empty : bool, default False
        Count classes that no row has, too, where a coefficient depends on their number.

    Returns
    -------
    polars.DataFrame
        A row for `kappa` (Cohen), `scott_pi`, `bennett_s` (Brennan and Prediger), `gwet_ac2` (with
        nominal weights AC1) and `krippendorff_alpha`, with `observed` and `expected`
        disagreement, `value`, 1 less their ratio, null where `reason` says why, and `source`.

    Raises
    ------
    InputError
        Weights of another shape or range; more than 11,585 classes.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> m = cm.ConfusionMatrix([[70, 30, 0], [15, 70, 15], [0, 30, 70]])
    >>> m.agreement("quadratic").select("coefficient", pl.col("value").round(3)).rows()[:2]
    [('kappa', 0.757), ('scott_pi', 0.757)]
    >>> round(m.kappa_quadratic, 3)
    0.757
    """
    k = len(state._labels)
    require_table(k, "`weights`", "wanted fewer classes, with labels= and other='bucket'")
    smoothed = state._smoothed()
    cells = np.asarray(full(smoothed, held(smoothed)), np.float64)
    n = float(cells.sum())
    given = weights if isinstance(weights, str) else _checked(weights, k)
    if isinstance(weights, str):
        check_choice("weights", weights, *_NAMED)
    if not n > 0:
        return _frame([(name, None, None, None, "there are no rows") for name in _ROWS])
    there = np.flatnonzero(keep_empty | (cells.sum(0) > 0) | (cells.sum(1) > 0))
    k = len(there)
    shares = cells[np.ix_(there, there)] / n
    true, pred = shares.sum(1), shares.sum(0)
    pooled = (true + pred) / 2
    apart = _apart(given, there, pooled)
    seen = float((apart * shares).sum())
    pairs = float(pooled @ apart @ pooled)
    # The same row is no pair of its own: of few rows chance disagrees more often.
    few = 2 * n / (2 * n - 1) if 2 * n > 1 else math.nan
    unlike = float(apart.sum())
    spread = float((pooled * (1 - pooled)).sum())
    chance = {
        "kappa": float(true @ apart @ pred),
        "scott_pi": pairs,
        "bennett_s": unlike / (k * k),
        "gwet_ac2": 1 - (k * k - unlike) * spread / (k * (k - 1)) if k > 1 else 0.0,
        "krippendorff_alpha": pairs * few,
    }
    return _frame([(name, *_coefficient(seen, chance[name])) for name in _ROWS])


def _coefficient(
    seen: float, chance: float
) -> tuple[float | None, float | None, float | None, str | None]:
    """Return both disagreements, the coefficient, and why there is none."""
    if math.isnan(chance):
        return seen, None, None, "there is less than one rating"
    if not chance > 0:
        return seen, chance, None, "no disagreement is expected: all rows are of classes alike"
    return seen, chance, 1 - seen / chance, None


def _frame(rows: list[Any]) -> pl.DataFrame:
    schema = {
        "coefficient": pl.String(),
        **dict.fromkeys(("observed", "expected", "value"), pl.Float64()),
        "reason": pl.String(),
    }
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(source=pl.Series([find(row)["reference"] for row in _ROWS.values()]))


def _apart(weights: str | Floats, there: npt.NDArray[np.intp], pooled: Floats) -> Floats:
    """Return how wrong it is to call one class the other: 0 on the diagonal, at most 1."""
    if not isinstance(weights, str):
        return 1 - weights[np.ix_(there, there)]
    gaps = np.abs(np.subtract.outer(there, there)).astype(np.float64)
    if weights == "nominal":
        return np.sign(gaps)
    if weights == "ordinal":
        middle = np.cumsum(pooled) - pooled / 2
        gaps = np.abs(np.subtract.outer(middle, middle))
    gaps /= gaps.max() or 1.0
    return gaps if weights == "linear" else gaps * gaps


def _checked(weights: Any, k: int) -> Floats:
    given = checked_costs(weights, k, "weights")
    wanted = "wanted 1 on the diagonal, and the same number from 0 to 1 on both sides of it"
    bad = (given < 0) | (given > 1) | (given != given.T) | ((given != 1) & np.eye(k, dtype=bool))
    if bad.any():
        i, j = (int(at) for at in np.argwhere(bad)[0])
        raise InputError(f"`weights` holds {given[i, j]} at [{i}, {j}]; {wanted}")
    return given
