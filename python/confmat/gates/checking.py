"""States held against what is expected of them, and against those of a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from confmat.errors import ConfmatError, InputError
from confmat.gates.checks import Check, Checks
from confmat.gates.expectation import (
    Bound,
    Expectation,
    ExpectationError,
    expectations_of,
)
from confmat.gates.states_by_slice import Slice, StatesBySlice
from confmat.intervals.differences import of_limits
from confmat.labels import shown
from confmat.logs.evaluation import Evaluation
from confmat.own_errors import own_errors
from confmat.slices.lattice import MODEL

_ROUNDING = 4 * 2.0**-52  # of a difference of two numbers


@own_errors
def check(
    states: pl.DataFrame | Evaluation,
    expectations: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    baseline: pl.DataFrame | Evaluation | None = None,
) -> Checks:
    """Hold states against what is expected of them: the gate of a model.

    What cannot be judged never passes: a slice that is not there, a value or an interval that is
    undefined is a failure, with its reason.

    Parameters
    ----------
    states : pl.DataFrame or Evaluation
        What `cm.partial` or `cm.merge` gave, or an evaluation.
    expectations : sequence of mappings, or mapping
        One mapping for each expectation; or what a TOML file holds: options of all, and the list
        `expect`. The keys:

        - `metric`: a name of `cm.list_metrics()`, or `n`, `n_dropped`, `n_other`, `n_nan`;
        - `at_least`, `at_most`: bounds of the value; `change_at_least`, `change_at_most`: of the
          value less that of the baseline; `relative_change_at_least`, `relative_change_at_most`: of
          this change over the baseline. At least one; several are a check each;
        - `slice`: values by key, `{"country": "DE"}`; `each`: keys whose values are all checked.
          Default: all rows, of each model where there is a key `model`;
        - `min_n`: a slice of fewer rows is skipped where it is one of `each`, and fails where it
          was named; where all of `each` are skipped the expectation fails;
        - `ci`: the level of intervals. All of the interval of the value, or of the change, has to
          lie within the bound;
        - `doubt`: "fails", or "passes": then an interval in which the bound lies passes, too;
        - `pos_label`: the class of a metric of one class; `name`: what it is called in reports.

        `min_n`, `ci`, `doubt` and `pos_label` may stand beside `expect`, for all.
    baseline : pl.DataFrame or Evaluation, optional
        The states that changes are from, of other rows: an interval of a change takes the two as
        independent.

    Returns
    -------
    Checks
        `.passed`, `.table()`, `.junit()`; prints as a table.

    Raises
    ------
    InputError
        An expectation that cannot be, by its number: an unknown key, no such metric or key of
        slices, a change without a baseline.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095, for the interval of a change.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({"site": ["a"] * 6 + ["b"] * 4, "y_pred": [1] * 7 + [0] * 3})
    >>> log = log.with_columns(y_true=1)
    >>> states = cm.partial(log, by="site")
    >>> checks = cm.check(states, [{"metric": "recall", "each": "site", "at_least": 0.8}])
    >>> checks.passed
    False
    >>> checks.table().select("slice", "n", "value", "bound", "outcome").rows()
    [('site = a', 6.0, 1.0, '>= 0.8', 'passed'), ('site = b', 4.0, 0.25, '>= 0.8', 'failed')]
    """
    _check_places(states, expectations)
    asked = expectations_of(expectations)
    current = StatesBySlice(states, "states")
    before = None if baseline is None else StatesBySlice(baseline, "baseline")
    out: list[Check] = []
    for one in asked:
        if before is None and any(bound.of != "value" for bound in one.bounds):
            key = next(k for k in ("change", "relative_change") if _is_about(one, k))
            raise one.error("it is about a change, and there is no `baseline`", f"{key}_at")
        try:
            out += _checks(one, current, before)
        except ExpectationError:
            raise
        except ConfmatError as why:
            raise one.error(why) from None
    return Checks(out)


def _check_places(states: Any, expectations: Any) -> None:
    """Refuse states where expectations are wanted: those are long to write out."""
    if not isinstance(expectations, (pl.DataFrame, pl.LazyFrame, Evaluation)):
        return
    found = f"`expectations` is {type(expectations).__name__}; wanted a list of mappings"
    if isinstance(states, (Mapping, Sequence)):
        kind = type(states).__name__
        found += f", and `states` is {kind}: states come first, expectations second"
    raise InputError(found)


def _is_about(one: Expectation, what: str) -> bool:
    return any(bound.of.replace(" ", "_") == what for bound in one.bounds)


def _checks(
    asked: Expectation, current: StatesBySlice, before: StatesBySlice | None
) -> Iterator[Check]:
    """Yield what is found of one expectation."""
    models = MODEL in current.keys and MODEL not in (*asked.slice, *asked.each)
    keys = [*([MODEL] if models else []), *asked.slice, *asked.each]
    slices = current.slices(asked, keys)
    for bound in asked.bounds:
        if bound.of == "value":
            judged = [_judged(asked, bound, keys, of, now) for of, now in slices.items()]
        else:
            assert before is not None
            olds = before.slices(asked, keys)
            judged = [
                _judged(asked, bound, keys, of, slices.get(of), olds.get(of), changes=True)
                for of in [*slices, *(of for of in olds if of not in slices)]
            ]
        yield from judged
        if not judged or all(one.outcome == "skipped" for one in judged):
            why = f"all slices have fewer than {asked.min_n:,} rows" if judged else _missing(asked)
            yield Check(asked, bound, _named(list(asked.slice), tuple(asked.slice.values())), why)


def _missing(asked: Expectation) -> str:
    return "there is no such slice" if asked.slice else "there are no rows"


def _judged(
    asked: Expectation,
    bound: Bound,
    keys: Sequence[str],
    of: tuple[Any, ...],
    now: Slice | None,
    old: Slice | None = None,
    changes: bool = False,
) -> Check:
    """Hold one slice against one bound."""
    check = Check(asked, bound, _named(keys, of))
    if now is not None:
        check.n, check.value = now.n, now.value
    if old is not None:
        check.baseline = old.value
    sides = [(now, ""), *([(old, "of the baseline: ")] if changes else [])]
    for cannot, is_skipped in ((_too_few, bool(asked.each)), (_cannot, False)):
        for one, whose in sides:
            why = cannot(one, asked)
            if why is not None:
                check.reason = f"{whose}{why}"
                check.outcome = "skipped" if is_skipped else "failed"
                return check
    assert now is not None
    assert now.value is not None
    number, low, high, slack = now.value, now.low, now.high, 0.0
    if changes:
        assert old is not None
        assert old.value is not None
        slack = _ROUNDING * max(abs(now.value), abs(old.value))
        number, low, high = _change(now, old)
        if bound.of == "relative change":
            if old.value == 0:
                check.reason = "the baseline is 0"
                return check
            number, slack = number / abs(old.value), slack / abs(old.value)
    check.judged = number
    if asked.ci is None or asked.is_count:
        holds = bound.holds(number, slack)
    else:
        check.low, check.high = low, high
        if low is None or high is None or math.isnan(low) or math.isnan(high):
            check.reason = f"there is no interval: {now.no_interval or _old(old)}"
            return check
        lenient = asked.doubt == "passes"
        holds = bound.holds(high if (bound.side == "at least") == lenient else low, slack)
        if not holds and bound.holds(number, slack):
            check.reason = "the bound lies within the interval"
    check.outcome = "passed" if holds else "failed"
    return check


def _old(old: Slice | None) -> str:
    why = None if old is None else old.no_interval
    return "it is not known" if why is None else f"of the baseline: {why}"


def _too_few(one: Slice | None, asked: Expectation) -> str | None:
    if one is None or one.n >= asked.min_n or asked.is_count:
        return None
    return f"too few rows: {one.n:,.10g} of {asked.min_n:,}"


def _cannot(one: Slice | None, _: Expectation) -> str | None:
    """Return why a slice cannot be judged."""
    if one is None:
        return "there is no such slice"
    return f"undefined: {one.reason or 'the value is nan'}" if one.value is None else None


def _change(now: Slice, old: Slice) -> tuple[float, float | None, float | None]:
    """Return the difference, and the ends of its interval where both have one."""
    assert now.value is not None
    assert old.value is not None
    if None in (now.low, now.high, old.low, old.high):
        return now.value - old.value, None, None
    low, high = of_limits((now.value, now.low, now.high), (old.value, old.low, old.high))
    return now.value - old.value, float(low), float(high)


def _named(keys: Sequence[str], values: Sequence[Any]) -> str:
    """Return a slice in words."""
    words = [
        f"{shown(key)} = {'missing' if value is None else shown(value)}"
        for key, value in zip(keys, values, strict=True)
    ]
    return ", ".join(words) or "all rows"
