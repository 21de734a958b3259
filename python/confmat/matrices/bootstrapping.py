"""Bootstrap replicates of metrics of a confusion matrix, and intervals from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.bootstrap import bca, deviations
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.jackknife import acceleration, picked_rows
from confmat.intervals.levels import Floats, Side
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import AnyCells, SparseCells, held
from confmat.matrices.values import among, asked_of
from confmat.metric_names import ask, asks, full_name, names_asked
from confmat.options import Options, checked_replicates, checked_seed
from confmat.registry import find

_ALIKE = "matrices that are drawn again all give the same"


def bootstrap(
    state: MatrixBase,
    names: Iterable[str],
    replicates: int = 10_000,
    seed: int | None = None,
    pos_label: Label | None = None,
    *,
    average: str | None = None,
    undefined: float | None = None,
    classes: Sequence[Label] | None = None,
    keep_empty: bool = False,
    **params: float | str,
) -> tuple[Floats, Floats]:
    """Return metrics, and their values in tables whose rows are drawn again with replacement.

    How many rows fall into each filled cell is multinomial, so that no row is looked at: 10^9 rows
    take as long as 10^5.

    Parameters
    ----------
    names : str or iterable of str
        Metrics, as `m.value` takes them.
    replicates : int, default 10,000
        How many tables are drawn.
    seed : int, optional
        The same seed gives the same replicates, on any machine and with any number of threads;
        replicate i is the same however many there are. Default: another one each time.
    pos_label, average, undefined, classes, keep_empty, **params
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
    wanted = _wanted(names, average, params)
    count, start = checked_replicates(replicates, len(wanted)), checked_seed(seed)
    parsed = asks(wanted)
    given = _asked_of(state, wanted, pos_label, undefined, keep_empty, classes)
    squares = _squares(state, given[0])
    drawn = _core.replicates(parsed, *given, squares=squares, replicates=count, seed=start)
    return parsed.values(*given), drawn


def accelerations(
    state: MatrixBase,
    names: Iterable[str],
    pos_label: Label | None = None,
    *,
    average: str | None = None,
    classes: Sequence[Label] | None = None,
    keep_empty: bool = False,
    **params: float | str,
) -> Floats:
    """Return the acceleration of each metric for `bca`, from its derivatives by the cells.

    Arguments as `bootstrap`. nan where a metric has no derivatives. Of a sparse matrix, which has
    none, from up to 400 of its rows, each left out in turn.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.bootstrapping import accelerations
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> accelerations(m, ["accuracy"]).round(4).tolist()
    [-0.0314]
    """
    wanted = _wanted(names, average, params)
    parsed = asks(wanted)
    cells, shown, options = _asked_of(state, wanted, pos_label, None, keep_empty, classes)
    rows, units = _rows(cells, _squares(state, cells))
    if isinstance(cells, SparseCells):
        places, count = picked_rows(rows)
        value = parsed.values(cells, shown, options)
        less = [
            parsed.values(_without(cells, place, units[place]), shown, options) for place in places
        ]
        return acceleration(value - np.reshape(less, (-1, len(wanted))), count)
    slopes = _core.gradients(parsed, cells, shown, options)
    if slopes is None:
        raise InputError("a matrix of so many classes has no derivatives")
    return acceleration((slopes.reshape(len(wanted), -1) * units).T, rows)


def bootstrap_interval(
    state: MatrixBase,
    name: str,
    level: float = 0.95,
    side: Side = "both",
    replicates: int = 10_000,
    seed: int | None = None,
    pos_label: Label | None = None,
    *,
    average: str | None = None,
    classes: Sequence[Label] | None = None,
    keep_empty: bool = False,
    **params: float | str,
) -> Interval:
    """Return the BCa interval of a metric, and the standard deviation of its replicates.

    Arguments as `bootstrap`, `level` and `side` as `percentile`; of a one-sided interval the other
    end is that of the range of the metric.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.matrices.bootstrapping import bootstrap_interval
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> print(bootstrap_interval(m, "mcc", seed=0))
    0.8000 [0.6996, 0.8703] (bootstrap)
    """
    of: dict[str, Any] = {
        "average": average,
        "classes": classes,
        "keep_empty": keep_empty,
        **params,
    }
    values, drawn = bootstrap(state, name, replicates, seed, pos_label, **of)
    rate = accelerations(state, name, pos_label, **of)
    low, high, _ = bca(values, drawn, rate, level, side)
    spread = float(deviations(drawn)[0])
    if not spread > 0:
        return without_ends(float(values[0]), _ALIKE)
    facts = find(ask(name, average, tuple(sorted(params.items()))).name)
    below, above = np.clip([low[0], high[0]], facts["lo"], facts["hi"]).tolist()
    return Interval(float(values[0]), below, above, spread, "bootstrap")


def _wanted(names: Any, average: str | None, params: dict[str, float | str]) -> tuple[str, ...]:
    given = tuple(sorted(params.items()))
    return tuple(full_name(name, average, given) for name in names_asked(names))


def _asked_of(
    state: MatrixBase,
    wanted: tuple[str, ...],
    pos_label: Label | None,
    undefined: float | None,
    keep_empty: bool,
    classes: Sequence[Label] | None,
) -> tuple[AnyCells, tuple[str, ...], Options]:
    """Return the cells, the names of the classes and what else the core needs for metrics."""
    over = [among(state, ask(name), classes) for name in wanted] or [None]
    return asked_of(state, asks(wanted), pos_label, keep_empty, undefined, over[0])


def _squares(state: MatrixBase, cells: AnyCells) -> npt.NDArray[np.float64] | None:
    """Return the squared weights of these cells; None of counts."""
    squares = state._squares
    if squares is None:
        if cells.dtype.kind != "i":
            raise InputError(
                "the squares of the weights are not known, which say how many rows there are to "
                "draw from; wanted counts, or a matrix that was counted with sample_weight"
            )
        return None
    if squares.size == held(cells).size:
        return squares
    # Of at most one class, beside which the usual ones were put.
    spread = np.zeros(held(cells).shape)
    spread[held(cells) > 0] = squares.ravel()[held(state._cells).ravel() > 0]
    return spread


def _rows(cells: AnyCells, squares: npt.NDArray[np.float64] | None) -> tuple[Floats, Floats]:
    """Return how many rows each cell counts as, and what each of these weighs; flat."""
    weights = held(cells).ravel().astype(np.float64)
    if squares is None:
        return weights, np.ones(len(weights))
    units = np.divide(squares.ravel(), weights, out=np.zeros_like(weights), where=weights > 0)
    return np.divide(weights, units, out=np.zeros_like(weights), where=units > 0), units


def _without(cells: SparseCells, place: int, unit: float) -> SparseCells:
    less = cells.values.copy()
    less[place] -= min(less[place], less.dtype.type(unit))
    held_still = less > 0
    return SparseCells(cells.k, cells.places[held_still], less[held_still])
