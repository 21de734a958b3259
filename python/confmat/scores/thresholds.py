"""Hard decisions of a sweep: the matrix at a threshold, metrics at every one, which is best."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.costs import total_cost
from confmat.errors import InputError
from confmat.matrices.base import MatrixBase
from confmat.options import checked_undefined
from confmat.own_definitions import wired_all
from confmat.registry import find
from confmat.scores.cuts import counts_at, cuts_at, path, spread
from confmat.scores.grid import increasing
from confmat.scores.state import Floats, ScoreState, Totals

# Criteria that are no metric of the registry; lower is better for all of them.
COST, MEAN_COST, TOP_LEFT = "cost", "mean_cost", "top_left"
OTHERS = (COST, MEAN_COST, TOP_LEFT)
# Metrics of two tables that are equal come out within a few units of the last place.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)
_FEW, _BLOCK = 1 << 16, 1 << 12
_DEFAULT = ("precision", "recall", "specificity", "f1", "mcc")


M = TypeVar("M", bound=MatrixBase)


class _Best(NamedTuple):
    threshold: float
    value: float


class Best(_Best):
    """A threshold and the value of a metric there; both nan where no threshold qualifies.

    Attributes
    ----------
    threshold, value : float
    reason : str or None
        Why no threshold qualifies; None where one does.
    """

    reason: str | None = None

    def because(self, reason: str) -> Best:
        """Return the same with a reason."""
        made = Best(*self)
        made.reason = reason
        return made

    def __repr__(self) -> str:
        known = super().__repr__()
        return known if self.reason is None else f"{known[:-1]}, reason={self.reason!r})"


def cells_at(state: ScoreState, cut: int) -> Any:
    """Return the cells where the first `cut` entries are predicted positive.

    Of weights each is a sum of its own: a total less another cell would lose digits.
    """
    if state.weighted:
        sides = (state._negatives, state._positives)
        parts = [(_sum(of[cut:]), _sum(of[:cut])) for of in sides]
        return np.array(parts, dtype=np.float64)
    tp, fp = counts_at(state, np.array([cut]))
    cells = [[state.n_negative - fp[0], fp[0]], [state.n_positive - tp[0], tp[0]]]
    return np.array(cells, dtype=np.int64)


def matrix_at(state: ScoreState, cut: int, kind: type[M]) -> M:
    """Return the matrix where the first `cut` entries are predicted positive."""
    left_out = state.n_dropped + state.n_nan
    made = kind._of(cells_at(state, cut), state.labels, squares_at(state, cut), left_out)
    made = made._about(state.labels[1])
    return made if state._counted is None else made._knowing_class_sizes()


def squares_at(state: ScoreState, cut: int) -> Floats | None:
    """Return the sums of squared weights of these cells; None of counts, or not known."""
    squares = state._squares_within()
    if squares is None:
        return None
    tp, fp = squares
    parts = [(_sum(of[cut:]), _sum(of[:cut])) for of in (fp, tp)]
    return np.array(parts, dtype=np.float64)


def table(
    state: ScoreState,
    metrics: Iterable[str] | None = None,
    thresholds: Any = None,
    cost: Any = None,
    undefined: float | None = None,
) -> pl.DataFrame:
    """Return metrics at every threshold.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names of `list_metrics()`, with parameters as in "fbeta(2)"; "cost" and "mean_cost";
        "top_left", the distance of the ROC curve to the corner (0, 1). Default: precision,
        recall, specificity, f1, mcc.
    thresholds : int or array-like of float, optional
        At most so many of the sweep's own thresholds, spread evenly over the rows; or
        increasing finite numbers. Default: every score, or lower edge of a bin.
    cost : array-like, shape (2, 2), optional
        For "cost": rows true, columns predicted, negative first.
    undefined : float, optional
        Takes the place of undefined values.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `n_predicted` (rows predicted positive) and one a metric, null
        where undefined; from the highest threshold down, or in the order given.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.table(["recall", "cost"], thresholds=[0.2, 0.5], cost=[[0, 3], [5, 0]]).rows()
    [(0.2, 3, 1.0, 3.0), (0.5, 1, 0.5, 5.0)]
    """
    wanted = _wanted(metrics)
    if thresholds is None:
        at, tp, fp = path(state, origin=False)
    elif isinstance(thresholds, (int, np.integer)) and not isinstance(thresholds, bool):
        cuts = spread(state, int(thresholds))
        at, (tp, fp) = state._at[cuts - 1], counts_at(state, cuts)
    else:
        at = increasing(thresholds, "thresholds")
        tp, fp = counts_at(state, cuts_at(state, at))
    sizes = (state.n_positive, state.n_negative)
    columns, partial = metrics_of(sizes, wanted, tp, fp, cost, checked_undefined(undefined))
    frame = pl.DataFrame({"threshold": at, "n_predicted": tp + fp} | columns)
    return frame.with_columns(pl.col(partial).fill_nan(None)) if partial else frame


def pick(
    at: npt.NDArray[Any], score: Floats, values: Floats, allowed: npt.NDArray[np.bool_]
) -> Best:
    """Return the first, so the highest, of the allowed thresholds with the largest score.

    Scores that only rounding sets apart are equal.
    """
    place = place_of_best(score, allowed)
    return (
        Best(math.nan, math.nan) if place is None else Best(float(at[place]), float(values[place]))
    )


def place_of_best(score: Floats, allowed: npt.NDArray[np.bool_]) -> int | None:
    """Return where the first of the allowed scores is that are largest but for rounding."""
    usable = allowed & ~np.isnan(score)
    if not usable.any():
        return None
    most = float(np.max(score, where=usable, initial=-math.inf))
    room = _ROUNDING * abs(most) if math.isfinite(most) else 0.0
    return int((usable & (score >= most - room)).argmax())


def metrics_at(
    state: ScoreState,
    names: Iterable[str],
    tp: Totals,
    fp: Totals,
    cost: Any,
    undefined: float | None = None,
) -> dict[str, Floats]:
    """Return the metrics at each pair of counts, by name; nan where undefined."""
    return metrics_of((state.n_positive, state.n_negative), names, tp, fp, cost, undefined)[0]


def metrics_of(
    sizes: tuple[float, float],
    names: Iterable[str],
    tp: Totals,
    fp: Totals,
    cost: Any,
    undefined: float | None = None,
) -> tuple[dict[str, Floats], list[str]]:
    """Return the metrics at counts of classes of these sizes, and which may be nan somewhere."""
    wanted = tuple(dict.fromkeys(names))
    known = [name for name in wanted if name not in OTHERS]
    for name in known:
        if find(name)["level"] == "score":
            raise InputError(
                f"{name!r} is one number of a whole sweep, not of a threshold; `value` has it"
            )
    p, n = sizes
    columns: dict[str, Floats] = {}
    partial = [name for name in wanted if name in OTHERS]
    if known:
        values, n_undefined = _core.metrics_at(wired_all(known), tp, fp, p, n, undefined=undefined)
        columns.update(zip(known, values, strict=True))
        partial += [name for name, some in zip(known, n_undefined, strict=True) if some]
    for name in wanted:
        if name in (COST, MEAN_COST):
            total = total_cost(cost, tp, fp, p, n)
            scale = (p + n or math.nan) if name == MEAN_COST else 1
            columns[name] = total / scale
        elif name == TOP_LEFT:
            columns[name] = np.hypot((p - tp) / (p or math.nan), fp / (n or math.nan))
    return {name: columns[name] for name in wanted}, partial


def _sum(weights: Floats) -> float:
    """Return the sum of weights within a few units of the last place; of few the exact one."""
    if len(weights) > _FEW:
        whole = len(weights) // _BLOCK * _BLOCK
        blocks = weights[:whole].reshape(-1, _BLOCK).sum(axis=1)  # each by halves of halves
        weights = np.concatenate([blocks, weights[whole:]])
    return _core.exact_sum(weights)


def _wanted(metrics: Iterable[str] | None) -> tuple[str, ...]:
    if metrics is None:
        return _DEFAULT
    wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    for name in wanted:
        if not isinstance(name, str):
            raise InputError(f"`metrics` holds {name!r}; wanted names of metrics")
    return wanted
