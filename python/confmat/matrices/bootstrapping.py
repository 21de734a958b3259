"""Bootstrap replicates of metrics of a confusion matrix, and intervals from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.bootstrap import acceleration, bca
from confmat.intervals.interval import Interval
from confmat.intervals.levels import Floats, Side
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import AnyCells, SparseCells, held
from confmat.matrices.values import asked_of
from confmat.metric_names import asks, full_name, names_asked
from confmat.options import checked_replicates, checked_seed
from confmat.registry import find

_AT_ONCE = 1 << 22  # cells


def bootstrap(
    state: MatrixBase,
    names: Iterable[str],
    replicates: int = 10_000,
    seed: int | None = None,
    pos_label: Label | None = None,
    *,
    undefined: float | None = None,
    keep_empty: bool = False,
    **params: float | str,
) -> tuple[Floats, Floats]:
    """Return metrics, and their values in tables whose rows are drawn again with replacement.

    How many rows fall into each filled cell is multinomial, so that no row is looked at: it takes
    as long for 10^9 rows as for 10^3.

    Parameters
    ----------
    names : str or iterable of str
        Metrics, as `m.value` takes them.
    replicates : int, default 10,000
        How many tables are drawn.
    seed : int, optional
        The same seed gives the same replicates, on any machine and with any number of threads;
        replicate i is the same however many there are. Default: another one each time.
    pos_label, undefined, keep_empty, **params
        As in `m.value`, for all of the metrics.

    Returns
    -------
    tuple of ndarray
        The values, shape (m,), and the replicates, shape (replicates, m); nan where undefined.

    Raises
    ------
    InputError
        What `m.value` refuses; `replicates` or `seed` that is none; sums of weights whose squares
        are not known.

    Notes
    -----
    Of weights, a cell with the sum w and the sum q of their squares counts as w^2 / q rows of the
    weight q / w, as many as have these sums if all of them weigh the same (Kish). A rate then
    varies as its delta method says; equal weights give what counts give.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.bootstrapping import bootstrap
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> values, drawn = bootstrap(m, ["accuracy", "mcc"], seed=0)
    >>> values.round(2).tolist(), drawn.shape, drawn.std(0).round(2).tolist()
    ([0.9, 0.8], (10000, 2), [0.02, 0.04])
    """
    wanted = _wanted(names, params)
    count, start = checked_replicates(replicates, len(wanted)), checked_seed(seed)
    parsed = asks(wanted)
    cells, shown, options = asked_of(state, parsed, pos_label, undefined, keep_empty)
    drawn = _core.replicates(
        wanted,
        cells,
        shown,
        squares=_squares(state, cells),
        replicates=count,
        seed=start,
        **options,
    )
    return parsed.values(cells, shown, **options), drawn


def accelerations(
    state: MatrixBase,
    names: Iterable[str],
    pos_label: Label | None = None,
    *,
    undefined: float | None = None,
    keep_empty: bool = False,
    **params: float | str,
) -> Floats:
    """Return the acceleration of each metric for `bca`, from tables with one row less.

    Arguments as `bootstrap`. nan where a metric is not defined for one of these tables.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.bootstrapping import accelerations
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> accelerations(m, ["accuracy"]).round(4).tolist()
    [-0.0314]
    """
    wanted = _wanted(names, params)
    parsed = asks(wanted)
    cells, shown, options = asked_of(state, parsed, pos_label, undefined, keep_empty)
    rows, units = _rows(cells, _squares(state, cells))
    value = parsed.values(cells, shown, **options)
    less = [parsed.values(some, shown, **options) for some in _without_a_row(cells, rows, units)]
    changes = value - np.concatenate(less).reshape(-1, len(wanted))
    return acceleration(changes, rows[rows > 0])


def bootstrap_intervals(
    state: MatrixBase,
    names: Iterable[str],
    level: float = 0.95,
    side: Side = "both",
    replicates: int = 10_000,
    seed: int | None = None,
    pos_label: Label | None = None,
    **params: float | str,
) -> list[Interval]:
    """Return the BCa interval of each metric, and the standard deviation of its replicates.

    Arguments as `bootstrap`, `level` and `side` as `percentile`; of a one-sided interval the other
    end is that of the range of the metric.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.bootstrapping import bootstrap_intervals
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> print(bootstrap_intervals(m, ["mcc"], seed=0)[0])
    0.8000 [0.7021, 0.8703] (bootstrap)
    """
    wanted = _wanted(names, params)
    values, drawn = bootstrap(state, wanted, replicates, seed, pos_label)
    rates = accelerations(state, wanted, pos_label)
    low, high, _ = bca(values, drawn, rates, level, side)
    spread = deviations(drawn)
    facts = [find(name) for name in wanted]
    return [
        Interval(
            value,
            max(one, fact["lo"]) if one == one else one,
            min(other, fact["hi"]) if other == other else other,
            se,
            "bootstrap",
        )
        for value, one, other, se, fact in zip(
            values.tolist(), low.tolist(), high.tolist(), spread.tolist(), facts, strict=True
        )
    ]


def deviations(drawn: Floats) -> Floats:
    """Return the standard deviation of the replicates of each column, those that are nan left out.

    nan where fewer than two are left, or one is infinite.
    """
    known = ~np.isnan(drawn)
    count = known.sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = np.where(known, drawn, 0.0)
        middle = total.sum(0) / count
        squares = np.where(known, drawn - middle, 0.0) ** 2
        found: Floats = np.sqrt(squares.sum(0) / (count - 1))
    return np.where(count > 1, found, np.nan)


def _wanted(names: Any, params: dict[str, float | str]) -> tuple[str, ...]:
    given = tuple(sorted(params.items()))
    return tuple(full_name(name, None, given) for name in names_asked(names))


def _squares(state: MatrixBase, cells: AnyCells) -> npt.NDArray[np.float64] | None:
    """Return the squared weights of these cells; None of counts, in floats too."""
    squares = state._squares
    if squares is None:
        return None
    if squares.shape != held(cells).shape:  # the usual classes were added to one or none
        grown = np.zeros(held(cells).shape)
        grown[held(cells) > 0] = squares.ravel()[held(state._cells).ravel() > 0]
        return grown
    return squares


def _rows(cells: AnyCells, squares: npt.NDArray[np.float64] | None) -> tuple[Floats, Floats]:
    """Return how many rows each cell counts as, and what each of these weighs; flat."""
    weights = held(cells).ravel().astype(np.float64)
    if squares is None:
        return weights, np.ones(len(weights))
    units = np.divide(squares.ravel(), weights, out=np.zeros_like(weights), where=weights > 0)
    return np.divide(weights, units, out=np.zeros_like(weights), where=units > 0), units


def _without_a_row(cells: AnyCells, rows: Floats, units: Floats) -> Iterator[AnyCells]:
    """Yield the tables that have one row less in one of the filled cells, some at once."""
    places = np.flatnonzero(rows > 0)
    values = held(cells).ravel()
    exact = values.dtype.kind == "i"
    if isinstance(cells, SparseCells):
        for place in places:
            less = values.copy()
            less[place] -= 1 if exact else min(units[place], less[place])
            yield cells._replace(values=less)
        return
    step = max(1, _AT_ONCE // len(values))
    for first in range(0, len(places), step):
        some = places[first : first + step]
        stack = np.repeat(values[None], len(some), axis=0)
        taken = np.ones(len(some), np.int64) if exact else np.minimum(units[some], values[some])
        stack[np.arange(len(some)), some] -= taken
        yield stack.reshape(len(some), *cells.shape)
