"""The joint confidence region of two rates of two classes, by their likelihood."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.likelihood import likelihood_limits
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.values import placed
from confmat.matrices.views import one_vs_rest
from confmat.registry import find_quietly

_TN, _FP, _FN, _TP = range(4)
# The cell that a rate counts, and the other one of its rows.
_RATES = {
    "recall": (_TP, _FN),
    "fnr": (_FN, _TP),
    "specificity": (_TN, _FP),
    "fpr": (_FP, _TN),
    "precision": (_TP, _FP),
    "fdr": (_FP, _TP),
    "npv": (_TN, _FN),
    "for_rate": (_FN, _TN),
}
_WITHIN_CLASS = ("recall", "fnr", "specificity", "fpr")


def confidence_region(
    state: MatrixBase,
    x: str = "recall",
    y: str = "precision",
    level: float = 0.95,
    *,
    pos_label: Label | None = None,
    n_points: int = 256,
) -> pl.DataFrame:
    """Return the joint confidence region of two rates, such as precision and recall.

    Two intervals of 95 % hold both rates less often than that; this region holds both as often
    as its level says.

    Parameters
    ----------
    x, y : str
        Two of recall, fnr, specificity, fpr, precision, fdr, npv and for_rate, or their aliases;
        not one and its complement.
    level : float, default 0.95
        How often the region is to hold the two rates of all rows that there could be.
    pos_label : label, optional
        The class that the rates are about, against all others. Default: the positive class.
    n_points : int, default 256
        Of the boundary.

    Returns
    -------
    polars.DataFrame
        Two columns, named `x` and `y`: the boundary, a polygon whose last point is the first one.
        No rows where a rate is 0/0, and of float weights whose squares are not known.

    Raises
    ------
    InputError
        Names of other metrics, or of one and its complement; no positive class; a level outside
        (0, 1); after `at_prevalence`, rates of predictions.

    Notes
    -----
    The region of the likelihood ratio: all pairs of rates that make the rows at most
    1 / (1 - level) times less likely than the best pair does, which is where twice the logarithm
    reaches the quantile of chi-square with two degrees of freedom. Two rates that share a cell, as
    precision and recall do, are those of three cells, a multinomial sample, whatever the fourth
    one is. Others, as recall and specificity, are two binomial samples. It stays within [0, 1].
    Few rows (fewer than about ten errors) hold it less exactly: `docs/uncertainty.md` has its
    coverage. Float weights count by the effective number of rows.

    References
    ----------
    Wilks (1938), https://doi.org/10.1214/aoms/1177732360; Urlus, M., mmu, a package for
    uncertainty on precision-recall curves, https://github.com/RUrlus/ModelMetricUncertainty

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> m = cm.ConfusionMatrix([[90, 10], [20, 80]])
    >>> region = m.confidence_region("recall", "precision")
    >>> region.columns, region.height
    (['recall', 'precision'], 257)
    >>> region.select(pl.all().min().round(3)).row(0), region.select(pl.all().max().round(3)).row(0)
    ((0.691, 0.791), (0.885, 0.953))
    """
    first, second = _rate(x, "x"), _rate(y, "y")
    one, two = _RATES[first], _RATES[second]
    if set(one) == set(two):
        raise InputError(
            f"`x` is {x!r} and `y` {y!r}, of which one tells the other; wanted two rates of "
            "different rows"
        )
    budget = -2 * math.log1p(-checked_level(level))
    if isinstance(n_points, bool) or not isinstance(n_points, int) or n_points < 4:
        raise InputError(f"`n_points` is {n_points!r}; wanted a whole number of at least 4")
    if state.class_sizes_known and not {first, second} <= set(_WITHIN_CLASS):
        raise InputError(
            f"{x} and {y} at a given prevalence are not those of a multinomial sample; wanted two "
            f"of {', '.join(_WITHIN_CLASS)}"
        )
    angles = np.linspace(0.0, 2 * np.pi, n_points, endpoint=False)
    cells, squares = _table(state, pos_label)
    found = _boundary(cells, squares, one, two, budget, angles)
    return pl.DataFrame({x: found[0], y: found[1]})


def _rate(name: str, argument: str) -> str:
    facts = find_quietly(name) if isinstance(name, str) else None
    if facts is None or facts["name"] not in _RATES:
        raise InputError(f"`{argument}` is {name!r}; wanted one of {', '.join(_RATES)}")
    return str(facts["name"])


def _table(state: MatrixBase, pos_label: Label | None) -> tuple[Floats, Floats | None]:
    """Return tn, fp, fn and tp, and their squared weights: None where these are not known."""
    _, shown, at, _ = placed(state, True, "a region of two rates", pos_label)
    if at < 0:
        wanted = ", ".join(map(repr, state._labels[:10]))
        raise InputError(f"a region needs a positive class; wanted pos_label=, one of {wanted}")
    if len(shown) > len(state._labels):
        return np.zeros(4), None  # rows of one class alone, or none
    of_one = one_vs_rest(state, state._labels[at])
    cells = of_one.counts.astype(np.float64).ravel()
    squares = of_one._effective_squares()
    if squares is None and state._cells.dtype.kind == "i":
        squares = cells  # smoothed counts
    return cells, None if squares is None else np.asarray(squares, np.float64).ravel()


def _boundary(
    cells: Floats,
    squares: Floats | None,
    one: tuple[int, int],
    two: tuple[int, int],
    budget: float,
    angles: Floats,
) -> tuple[Floats, Floats]:
    """Return the pairs of rates whose deviance is the budget, in all directions from the best.

    The deviance is the sum of those of two rates that are free of each other: the rates themselves,
    or, where they share a cell, the first one and the share q of the cell that is not of its rows.
    """
    shared = set(one) & set(two)
    apart = [at for at in two if at not in one]
    rows = tuple({*one, *two}) if shared else two
    counted = apart if shared else [two[0]]
    free = []
    for part, whole in (([one[0]], one), (counted, rows)):
        of_squares = None
        if squares is not None:
            of_squares = (squares[part].sum(), squares[list(whole)].sum())
        free.append(effective_rows(cells[part].sum(), cells[list(whole)].sum(), of_squares))
    (k, n), (of_k, of_n) = ((float(a), float(b)) for a, b in free)
    empty = not cells[list(two)].sum() > 0
    if empty or not (n > 0 and of_n > 0):
        return np.zeros(0), np.zeros(0)
    a = _along(k, n, budget, np.cos(angles))
    q = _along(of_k, of_n, budget, np.sin(angles))
    if not shared:
        return _closed(a), _closed(q)
    common = next(iter(shared))
    alone = a if one[0] == common else 1 - a  # of the rows of the first rate, those both have
    with np.errstate(invalid="ignore"):
        share = alone * (1 - q) / (alone * (1 - q) + q)
    return _closed(a), _closed(share if two[0] == common else 1 - share)


def _along(k: float, n: float, budget: float, direction: Floats) -> Floats:
    low, high = likelihood_limits(k, n, budget * direction**2)
    return np.where(direction < 0, low, high)


def _closed(points: Floats) -> Floats:
    return np.append(points, points[:1])
