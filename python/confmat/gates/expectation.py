"""What is expected of one metric: of which slices, within which bounds."""

from __future__ import annotations

import datetime
import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from confmat.errors import InputError
from confmat.frames.state_families import kinds_of
from confmat.labels import Label, listing, shown
from confmat.options import check_choice, checked_min_n
from confmat.registry import is_score_metric
from confmat.scores.confidence import has_formula

COUNTS = ("n", "n_dropped", "n_other", "n_nan")  # numbers of rows, beside the metrics
Of: TypeAlias = Literal["value", "change", "relative change"]
Side: TypeAlias = Literal["at least", "at most"]

_BOUNDS: dict[str, tuple[Of, Side]] = {
    "at_least": ("value", "at least"),
    "at_most": ("value", "at most"),
    "change_at_least": ("change", "at least"),
    "change_at_most": ("change", "at most"),
    "relative_change_at_least": ("relative change", "at least"),
    "relative_change_at_most": ("relative change", "at most"),
}
# Words of others for a bound, some of them near to another key in letters.
_MEANT = {
    **dict.fromkeys(("min", "minimum", "lower", "low", "above", "gt", "ge", "gte"), "at_least"),
    **dict.fromkeys(("max", "maximum", "upper", "high", "below", "lt", "le", "lte"), "at_most"),
}
_OPTIONS = ("ci", "doubt", "min_n", "pos_label")
_OWN = ("metric", "name", "slice", "each", *_BOUNDS)
_TABLE = "expect"  # the sections of a file
_VALUES = (str, int, float, datetime.date, datetime.time)


class ExpectationError(InputError):
    """An expectation that cannot be: `at` is its position, None of the options of all."""

    def __init__(self, at: int | None, key: str | None, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.at = at
        self.key = key
        self.why = why


@dataclass(frozen=True)
class Bound:
    """One number that a metric, or its change, is held against."""

    of: Of
    side: Side
    limit: float

    def __str__(self) -> str:
        of = "" if self.of == "value" else f"{self.of} "
        return f"{of}{'>=' if self.side == 'at least' else '<='} {self.limit:,.12g}"

    def holds(self, number: float, slack: float = 0.0) -> bool:
        """Return whether a number is within the bound; never of nan."""
        if self.side == "at least":
            return number >= self.limit - slack
        return number <= self.limit + slack


@dataclass(frozen=True)
class Expectation:
    """One section: a metric, the slices it is expected of, and its bounds."""

    at: int
    name: str
    metric: str
    bounds: tuple[Bound, ...]
    slice: dict[str, Any]
    each: tuple[str, ...]
    min_n: int
    ci: float | None
    doubt: Literal["fails", "passes"]
    pos_label: Label | None

    @property
    def is_count(self) -> bool:
        """Whether a number of rows is meant, and no metric."""
        return self.metric in COUNTS

    def error(self, why: object, key: str | None = None) -> ExpectationError:
        """Return the error of this expectation."""
        return ExpectationError(self.at, key, place_of(self.at, self.name), str(why))


def place_of(at: int, name: str) -> str:
    """Return where an expectation stands, in words."""
    return f"`expectations`, number {at + 1} ({shown(name)})"


def expectations_of(given: Any) -> list[Expectation]:
    """Return expectations, checked.

    Parameters
    ----------
    given : mapping or sequence of mappings
        What a TOML file holds: options of all beside `expect`, the list; or the list.

    Raises
    ------
    ExpectationError
        An unknown key, a value of a wrong type, a metric that there is not, no bound.
    """
    options: dict[str, Any] = {}
    if isinstance(given, Mapping):
        options = {str(key): value for key, value in given.items() if key != _TABLE}
        _check_known(None, "`expectations`", options, (*_OPTIONS, _TABLE))
        given = given.get(_TABLE)
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence) or not given:
        found = "empty" if isinstance(given, Sequence) and not given else repr(given)
        raise ExpectationError(
            None, None, "`expectations`", f"the list `{_TABLE}` is {found}; wanted at least one"
        )
    return [_expectation(at, one, options) for at, one in enumerate(given)]


def _expectation(at: int, given: Any, options: Mapping[str, Any]) -> Expectation:
    if not isinstance(given, Mapping):
        place = f"`expectations`, number {at + 1}"
        raise ExpectationError(at, None, place, f"{given!r} is no table of keys")
    metric, slice_, each = given.get("metric"), given.get("slice", {}), given.get("each", [])
    name = given.get("name") or _default_name(metric, slice_, each)
    section = _Section(at, place_of(at, str(name)), given, options)
    _check_known(at, section.place, given, (*_OWN, *_OPTIONS))
    if not isinstance(name, str):
        raise section.error("name", f"`name` is {name!r}; wanted a text")
    bounds = tuple(
        Bound(*what, section.number(key)) for key, what in _BOUNDS.items() if key in given
    )
    if not bounds:
        raise section.error(None, f"no bound is given; wanted one of {', '.join(_BOUNDS)}")
    ci, doubt = section.option("ci"), section.option("doubt", "fails")
    checked = section.metric(ci, bounds)
    if ci is None and "doubt" in given:
        raise section.error("doubt", "`doubt` is about intervals; give `ci` too")
    return Expectation(
        at,
        name,
        checked,
        bounds,
        section.slice(),
        section.each(),
        section.checked("min_n", checked_min_n, 0),
        section.level(ci),
        section.checked("doubt", _checked_doubt, "fails") if doubt else "fails",
        section.label(),
    )


@dataclass(frozen=True)
class _Section:
    at: int
    place: str
    given: Mapping[str, Any]
    options: Mapping[str, Any]

    def error(self, key: str | None, why: object) -> ExpectationError:
        at = self.at if key is None or key in self.given or key not in self.options else None
        return ExpectationError(at, key, self.place, str(why))

    def option(self, key: str, default: Any = None) -> Any:
        return self.given.get(key, self.options.get(key, default))

    def checked(self, key: str, check: Any, default: Any) -> Any:
        try:
            return check(self.option(key, default))
        except InputError as why:
            raise self.error(key, why) from None

    def number(self, key: str) -> float:
        value = self.given[key]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value):
            raise self.error(key, f"`{key}` is {value!r}; wanted a finite number")
        return float(value)

    def level(self, ci: Any) -> float | None:
        if ci is None:
            return None
        is_number = isinstance(ci, (int, float)) and not isinstance(ci, bool)
        if not is_number or not 0 < ci < 1:
            raise self.error("ci", f"`ci` is {ci!r}; wanted a level between 0 and 1, such as 0.95")
        return float(ci)

    def metric(self, ci: Any, bounds: Sequence[Bound]) -> str:
        metric = self.given.get("metric")
        if not isinstance(metric, str):
            raise self.error("metric", f"`metric` is {metric!r}; wanted the name of a metric")
        if metric in COUNTS:
            if ci is not None and "ci" in self.given:
                raise self.error("ci", f"`ci` is of metrics, and {metric!r} is a number of rows")
            return metric
        try:
            kinds_of([metric])
        except InputError as why:
            raise self.error("metric", why) from None
        if ci is not None and is_score_metric(metric) and not has_formula(metric):
            raise self.error("ci", f"{metric!r} has no interval by a formula; leave out `ci`")
        if ci is not None and any(bound.of == "relative change" for bound in bounds):
            raise self.error(
                "ci", "relative changes have no interval; leave out `ci`, or bound the `change`"
            )
        return metric

    def slice(self) -> dict[str, Any]:
        given = self.given.get("slice", {})
        if not isinstance(given, Mapping):
            raise self.error("slice", f"`slice` is {given!r}; wanted values by key")
        for key, value in given.items():
            is_nan = isinstance(value, float) and math.isnan(value)
            if not isinstance(value, _VALUES) or is_nan:
                raise self.error("slice", f"`slice` has {value!r} as {key!r}; wanted one value")
        return {str(key): value for key, value in given.items()}

    def each(self) -> tuple[str, ...]:
        given = self.given.get("each", [])
        names = [given] if isinstance(given, str) else given
        is_list = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
        if not is_list:
            raise self.error("each", f"`each` is {given!r}; wanted names of keys")
        if len(set(names)) < len(names) or set(names) & set(self.given.get("slice", {})):
            raise self.error("each", f"`each` is {given!r}; wanted each key once, in it or `slice`")
        return tuple(names)

    def label(self) -> Label | None:
        value: Any = self.option("pos_label")
        if value is not None and not isinstance(value, (str, int)):
            raise self.error("pos_label", f"`pos_label` is {value!r}; wanted a class")
        return value


def _checked_doubt(value: Any) -> str:
    check_choice("doubt", value, "fails", "passes")
    return str(value)


def _check_known(
    at: int | None, place: str, given: Mapping[Any, Any], known: Sequence[str]
) -> None:
    for key in given:
        if key not in known:
            meant = _MEANT.get(str(key).lower())
            near = [meant] if meant in known else difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the keys are {listing(known, 20)}"
            raise ExpectationError(at, str(key), place, f"unknown key {str(key)!r}; {hint}")


def _default_name(metric: Any, slice_: Any, each: Any) -> str:
    words = [str(metric)]
    if isinstance(slice_, Mapping) and slice_:
        words.append("of " + ", ".join(f"{key} = {value}" for key, value in slice_.items()))
    if each:
        names = each if isinstance(each, (list, tuple)) else [each]
        words.append(f"of each {', '.join(map(str, names))}")
    return " ".join(words)
