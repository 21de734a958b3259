"""Metrics of one's own: registered under a name, then asked for like any other."""

from __future__ import annotations

import keyword
import math
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.frames.asked import ENDS, OTHERS, REASONS, TOTALS
from confmat.frames.namespaces import DataFrameNamespace, ExprNamespace
from confmat.frames.state_queries import STATES
from confmat.labels import described
from confmat.labelsets import averages as scored_sets
from confmat.multiclass import values as multiclass
from confmat.objects.joint_matrix import JointMatrix
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.multilabel_matrix import MultilabelMatrix
from confmat.options import SECOND
from confmat.own_definitions import Definition, drop, facts_of, hold, own
from confmat.registry import find_quietly
from confmat.scores import thresholds
from confmat.suffixes import AVERAGES
from confmat.traced import trace

_BETTER = ("higher", "lower", "neither")
_LONGEST = 64
_SUMMARY = "A metric of one's own."
_SAMPLES = "_samples"  # the average over rows with sets of labels
_COLUMNS = (
    *(*TOTALS, REASONS, OTHERS, "n_scored", "n_unscored", "grouping"),
    *("label", "metric", "model", "threshold", *STATES),
)
# Numbers of objects that are no metrics of the registry.
_NUMBERS = {*thresholds.OTHERS, *multiclass.NAMES, *scored_sets.NAMES}
# Cells that the range of a formula is tried on.
_TRIED = (0, 1, 2, 5, 1000, 10**6)


def register_metric(
    name: str,
    formula: Callable[[Any], Any],
    *,
    range: tuple[float, float] = (-math.inf, math.inf),
    better: str = "higher",
    summary: str = "",
    replace: bool = False,
) -> Callable[..., Any]:
    """Give a metric of one's own a name, under which every door then knows it.

    It is a metric of one class, as `precision` is: `m.value(name)` and `m.name` where the positive
    class is known, a column of `per_class`, and averaged as ``name_macro``, ``_micro``,
    ``_weighted``, ``_ovo``, ``_min`` and ``_max`` (``_harmonic``, ``_geometric``, ``_quadratic``
    and ``_power(p)`` where `range` is not below 0). So it is in `metrics`, `evaluate`, `finish`, in
    thresholds of sweeps and in intervals, whose standard errors come from the derivatives of the
    formula.

    Parameters
    ----------
    name : str
        An identifier that no metric, average or attribute has.
    formula : callable
        A function of the cells of one class against the rest: `c.tp`, `c.fp`, `c.fn`, `c.tn`, and
        their sums `c.support` (tp + fn), `c.support_negative`, `c.predicted_support` (tp + fp),
        `c.predicted_support_negative` and `c.n`. It is called once, to write down what it does
        with them by ``+ - * / **``, `abs`, `np.sqrt` and `np.log`; it cannot compare.
    range : (float, float), default (-inf, inf)
        The least and the greatest value. Intervals stay within it.
    better : {"higher", "lower", "neither"}, default "higher"
        Which values are better.
    summary : str, optional
        A sentence for `list_metrics` and the docstring of the function.
    replace : bool, default False
        Take the place of another formula of this name.

    Returns
    -------
    callable
        The plain function of the metric, of `y_true` and `y_pred`; also ``cm.name``.

    Raises
    ------
    InputError
        A name that is taken, a formula that is no arithmetic of the cells, a range that it leaves:
        tried on cells of up to a million rows.

    See Also
    --------
    confmat.unregister_metric : Take the name back.
    confmat.list_metrics : Every metric, also those of one's own.

    Notes
    -----
    Undefined (``nan`` with a reason) is what divides by 0, and what is not finite at any step, such
    as the root or the logarithm of a negative number. The same registration again changes nothing.
    A name is known in its process; query plans carry the formula itself, so they run anywhere.
    Values are computed in doubles. A process keeps 16,384 different formulas, also of names that
    were taken back: constants that change are not what this is for.

    Examples
    --------
    Missed rows weigh twice:

    >>> import confmat as cm
    >>> miss_twice = cm.register_metric(
    ...     "miss_twice", lambda c: c.tp / (c.tp + c.fp + 2 * c.fn), range=(0, 1)
    ... )
    >>> m = cm.ConfusionMatrix([[90, 10], [30, 70]])
    >>> m.miss_twice, round(m.miss_twice_macro, 4)
    (0.5, 0.5714)
    >>> m.ci("miss_twice").se > 0
    True
    >>> miss_twice([0, 1, 1, 1], [1, 1, 1, 0])
    0.4
    >>> cm.unregister_metric("miss_twice")
    """
    _check_name(name)
    lo, hi = _range(range)
    if better not in _BETTER:
        raise InputError(f"`better` is {described(better)}; wanted one of {', '.join(_BETTER)}")
    if not isinstance(summary, str):
        raise InputError(f"`summary` is {described(summary)}; wanted a text")
    made = Definition(name, trace(formula), lo, hi, better, summary or _SUMMARY)
    if own(name) != made:
        _check_values(made)
        hold(made, replace=replace)
    return own_function(name)


def unregister_metric(name: str) -> None:
    """Take back the name of a metric of one's own.

    Parameters
    ----------
    name : str
        As it was registered.

    Raises
    ------
    InputError
        No metric of one's own has the name.

    Examples
    --------
    >>> import confmat as cm
    >>> _ = cm.register_metric("wrong_share", lambda c: (c.fp + c.fn) / c.n, better="lower")
    >>> cm.unregister_metric("wrong_share")
    """
    if not isinstance(name, str) or own(name) is None:
        raise InputError(f"`name` is {described(name)}; wanted one that was registered")
    drop(name)


def own_function(name: str) -> Callable[..., Any]:
    """Return the plain function of a metric of one's own: one of each definition, so it pickles."""
    definition = own(name)
    if definition is None:
        raise AttributeError(f"module 'confmat' has no attribute {name!r}")
    return _function_of(definition)


@cache
def _function_of(definition: Definition) -> Callable[..., Any]:
    from confmat.callables.making import make_function

    return make_function(definition.name, "confmat")


def _check_name(name: Any) -> None:
    if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
        raise InputError(f"`name` is {described(name)}; wanted an identifier, such as 'my_metric'")
    if len(name) > _LONGEST:
        raise InputError(f"`name` has {len(name)} characters; wanted at most {_LONGEST}")
    if name.startswith("_") or keyword.iskeyword(name):
        raise InputError(f"`name` is {name!r}; wanted one without a leading _ that is no keyword")
    for suffix in (*(f"_{average}" for average in AVERAGES), _SAMPLES, *ENDS):
        if name.endswith(suffix):
            raise InputError(
                f"`name` is {name!r}; names that end in {suffix} are those of averages and ends of "
                "intervals"
            )
    for value_name in (name, *(f"{name}_{average}" for average in AVERAGES)):
        known = find_quietly(value_name)
        if known is not None and (own(name) is None or known["base"] != name):
            raise InputError(
                f"`name` is {name!r}, and {value_name!r} is the metric {known['name']!r}; "
                "wanted a name of its own"
            )
    classes = (ConfusionMatrix, JointMatrix, MultilabelMatrix)
    taken = next((owner.__name__ for owner in classes if hasattr(owner, name)), None)
    where = ""
    if taken is not None:
        where = f"an attribute of {taken}"
    elif name in _COLUMNS:
        where = "a column of results"
    elif name in _NUMBERS:
        where = "a number of sweeps"
    elif any(hasattr(owner, name) for owner in (ExprNamespace, DataFrameNamespace)):
        where = "a method of `.cm`"
    elif name in sys.modules["confmat"].__all__ or find_spec(f"confmat.{name}"):
        where = "a name of confmat"
    if where:
        raise InputError(f"`name` is {name!r}, {where}; wanted a name of its own")


def _range(given: Any) -> tuple[float, float]:
    try:
        lo, hi = (float(end) for end in given)
    except (TypeError, ValueError, OverflowError):
        lo = hi = math.nan
    if not lo < hi:
        raise InputError(f"`range` is {described(given)}; wanted two numbers, the lower one first")
    return lo, hi


def _check_values(made: Definition) -> None:
    """Refuse a formula that the core refuses, that has no value, or leaves its range."""
    facts_of(made)
    cells = np.array(list(product(_TRIED, repeat=4)))  # tn, fp, fn and tp
    tables = cells.reshape(-1, 2, 2)
    values = _core.Asks([made.asked(made.name)]).values(tables, ("0", "1"), SECOND)[:, 0]
    if np.isnan(values).all():
        raise InputError("`formula` has no value for any cells; wanted one with values")
    outside = np.flatnonzero((values < made.lo) | (values > made.hi))
    if len(outside):
        tn, fp, fn, tp = cells[outside[0]].tolist()
        raise InputError(
            f"`formula` gives {values[outside[0]]:.6g} where tp={tp}, fp={fp}, fn={fn} and "
            f"tn={tn}, outside `range` from {made.lo:g} to {made.hi:g}; wanted a range that holds "
            "every value"
        )
