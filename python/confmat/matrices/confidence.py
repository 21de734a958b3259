"""Confidence intervals of the metrics of a matrix, from its cells alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.binomial import METHODS, rate_interval
from confmat.intervals.interval import NONE, Interval
from confmat.intervals.levels import Side, refuse_elsewhere
from confmat.intervals.scales import on_scale, reach
from confmat.labels import Label
from confmat.matrices import known_sizes, mixed_rows
from confmat.matrices.base import MatrixBase
from confmat.matrices.bootstrapping import bootstrap_interval
from confmat.matrices.gradients import slopes_of, standard_error
from confmat.matrices.sparse import AnyCells, SparseCells
from confmat.matrices.values import among, asked_of, number, reason
from confmat.metric_names import Ask, ask, asks
from confmat.options import Options, refuse_unused
from confmat.registry import find

# By their numbers in the core.
_CORE_METHODS = ("none", "wilson", "delta", "delta of smoothed cells")
_DELTA, _BOOTSTRAP = "delta", "bootstrap"


def ci(
    state: MatrixBase,
    name: str,
    level: float = 0.95,
    *,
    method: str | None = None,
    side: Side = "both",
    average: str | None = None,
    pos_label: Label | None = None,
    classes: Sequence[Label] | None = None,
    keep_empty: bool = False,
    seed: int | None = None,
    replicates: int | None = None,
    **params: float | str,
) -> Interval:
    """Return a metric with its confidence interval, from the cells alone.

    Parameters
    ----------
    name : str
        As in `value`.
    level : float, default 0.95
        How often the interval is to hold the metric of all rows that there could be.
    method : str, optional
        Of a metric that is a rate of rows (recall, precision, accuracy, ...) "wilson", the default,
        "clopper_pearson", "jeffreys" or "agresti_coull". Of any metric "delta": its standard error
        by its own gradient in the cells, taken on the logit scale, that of Fisher's z or of the
        logarithm, so that the interval stays within the range. "bootstrap": the metric of
        matrices whose rows are drawn again, corrected for bias and acceleration (BCa).
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that may be missed below; the other end is that of the range.
    average, pos_label, classes, keep_empty, **params
        As in `value`.
    seed, replicates
        Of the bootstrap alone: by default 10,000 matrices are drawn, and the same seed gives the
        same interval on any machine.

    Returns
    -------
    Interval
        value, low, high, se and method, which says why where there is no interval. nan where the
        metric is undefined or has no gradient (the determinant of a singular matrix; of more than a
        thousand classes, kept sparse, all but rates and metrics of one class), or the squared
        weights are not known.

    Raises
    ------
    InputError
        A level outside (0, 1), an unknown method or side, a rate's method of another metric, `seed`
        or `replicates` without the bootstrap; what `value` refuses.
    ConfmatError
        The method needs SciPy, which is not installed.

    Notes
    -----
    Rows are taken as independent. With weights the standard error comes from the sums of squared
    weights, and a rate is one of the effective number of rows. Where a value lies at an end of its
    range, as an MCC of 1, or its gradient is 0, the gradient says nothing: then z² rows are spread
    over the cells, z being 1.96 at 95 %, and the interval is that of these cells, made to reach the
    value. Where all rows of a true class are predicted alike, nothing of its spread is seen: the
    interval is then as wide as both say. Of two or three rows of a class, metrics that weigh
    classes the same hold the truth less often than the level says (`docs/uncertainty.md`).

    After `with_label_noise` and `without_label_noise` intervals are by the gradient in the rows as
    they were counted. After `at_prevalence` the rows of each class are a sample of their own. Of
    two classes the interval is then "mover": Wilson's intervals of the two rates within classes
    move the metric as far as both do together; of more, it is by the gradient, with z² rows spread
    over the cells of each class where all rows of one are predicted alike.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953; Agresti (2013), Categorical Data
    Analysis, section 16.1, ISBN 978-0-470-46363-5; Agresti and Coull (1998),
    https://doi.org/10.1080/00031305.1998.10480550; Zou and Donner (2008),
    https://doi.org/10.1002/sim.3095, for "mover"; Efron (1987),
    https://doi.org/10.1080/01621459.1987.10478410, for the bootstrap

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> print(m.ci("recall"))
    0.9000 [0.8256, 0.9448] (wilson)
    >>> print(m.ci("mcc"))
    0.8000 [0.7002, 0.8692] (delta)
    """
    refuse_elsewhere(params)
    asked = ask(name, average, tuple(sorted(params.items())) if params else ())
    over = among(state, asked, classes)
    if method not in (None, _DELTA, _BOOTSTRAP, *METHODS):
        wanted = ", ".join((_DELTA, _BOOTSTRAP, *METHODS))
        raise InputError(f"`method` is {method!r}; wanted one of {wanted}")
    refuse_unused(method, seed, replicates)
    options: dict[str, Any] = {"average": average, "classes": classes, **params}

    def drawn() -> Interval:
        count = 10_000 if replicates is None else replicates
        given = (level, side, count, seed, pos_label)
        return bootstrap_interval(state, name, *given, keep_empty=keep_empty, **options)

    found = _interval(state, asked, (level, side), method, (pos_label, keep_empty, over), drawn)
    if not math.isnan(found.low) or found.method.startswith(NONE):
        return found
    why = reason(state, name, pos_label=pos_label, keep_empty=keep_empty, **options)
    return found._replace(method=f"{NONE}{without(state, asked, found, why)}")


def _interval(
    state: MatrixBase,
    asked: Ask,
    wanted: tuple[float, Side],
    method: str | None,
    of: known_sizes.Of,
    drawn: Callable[[], Interval],
) -> Interval:
    level, side = wanted
    pos_label, keep_empty, over = of
    if state._mixed is not None:
        return mixed_rows.interval(state, asked, level, side, method, of)
    seen = seen_by_core(state, asked.parsed, pos_label, keep_empty, over, asked.name)
    of_rows = not state.class_sizes_known or known_sizes.is_within_class(state, asked)
    if seen is not None and of_rows and method is None:
        found = seen.interval(level, side)
        if not math.isnan(found.value):
            return found
    value = number(state, asked, pos_label, None, keep_empty, over)  # refuses the largest matrices
    if seen is not None and not of_rows:
        return known_sizes.interval(state, asked, level, side, method, of)
    if seen is None or method is None:
        return Interval(value, math.nan, math.nan, math.nan, _CORE_METHODS[0])
    if method == _BOOTSTRAP:
        return drawn()
    if method == _DELTA:
        return _by_delta(state, asked, value, wanted, of)
    k, n = seen.rates()[0, 0].tolist()
    if math.isnan(k):
        raise InputError(
            f"`method` is {method!r}, which is of rates of rows, and {asked.name} is none; wanted "
            f"{_DELTA!r}"
        )
    low, high = (float(end) for end in rate_interval(k, n, method, level, side))
    se = math.sqrt(value * (1 - value) / n) if n > 0 else math.nan
    return Interval(value, low, high, se, method)


def without(state: MatrixBase, asked: Ask, found: Interval, undefined: str | None) -> str:
    """Return why a value has no interval."""
    if math.isnan(found.value) and undefined is not None:
        return undefined
    if found.method == _BOOTSTRAP:
        return "the replicates lie so far to one side of the value that no end can be told"
    if state._effective_squares() is None and state._mixed is None:
        return "the squared weights are not known"
    if isinstance(state._cells, SparseCells) and not asked.needs_positive:
        return (
            f"a sparse matrix, as this one of {len(state._labels)} classes is, has no gradient by "
            f"its cells; {_BOOTSTRAP!r} needs none"
        )
    return "the gradient is 0 here, or there is none"


def _by_delta(
    state: MatrixBase, asked: Ask, value: float, wanted: tuple[float, Side], of: Any
) -> Interval:
    se = standard_error(state, slopes_of(state, asked, *of))
    facts = find(asked.name)
    low, high = (float(end) for end in on_scale(value, se, facts["lo"], facts["hi"], *wanted))
    return Interval(value, low, high, se, _DELTA)


class Seen(NamedTuple):
    """What the core reads of a matrix."""

    given: tuple[_core.Asks, AnyCells, Sequence[str], Options]
    squares: npt.NDArray[np.float64] | None

    def intervals(
        self, below: float, above: float
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]:
        """Return value, ends and standard error of each metric, and the numbers of the methods."""
        return _core.intervals(*self.given, below, above, squares=self.squares)

    def interval(self, level: float, side: Side) -> Interval:
        """Return the interval of the only metric."""
        found, methods = self.intervals(*reach(level, side))
        value, low, high, se = found[0, 0].tolist()
        return Interval(value, low, high, se, _CORE_METHODS[methods[0, 0]])

    def rates(self) -> npt.NDArray[np.float64]:
        """Return numerator and denominator of each metric that is a rate of rows."""
        return _core.rates(*self.given, squares=self.squares)


def seen_by_core(
    state: MatrixBase,
    parsed: _core.Asks,
    pos_label: Label | None,
    keep_empty: bool,
    classes: list[int] | None = None,
    name: str = "a metric asked for",
) -> Seen | None:
    """Return what the core needs; None where the squared weights are not known."""
    squares = state._squares
    if squares is None and state._cells.dtype.kind != "i":
        return None
    cells, shown, options = asked_of(state, parsed, pos_label, keep_empty, None, classes, name)
    if squares is not None and len(shown) > len(state._labels):
        pos = options.pos
        squares = np.insert(np.insert(squares.reshape(state.counts.shape), pos, 0, 0), pos, 0, 1)
    return Seen((parsed, cells, shown, options), squares)


def rate(state: MatrixBase, name: str, pos_label: Label | None = None) -> tuple[float, float]:
    """Return numerator and denominator of a metric that is a rate of rows; nan of another.

    With weights they are of the effective number of rows.
    """
    seen = seen_by_core(state, asks((name,)), pos_label, keep_empty=False)
    if seen is None or state._mixed is not None:
        return math.nan, math.nan
    k, n = seen.rates()[0, 0].tolist()
    return k, n
