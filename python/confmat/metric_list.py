"""`list_metrics`: every name that can be asked for, as a table."""

from __future__ import annotations

from functools import cache
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.own_definitions import renewed
from confmat.registry import Fact, elsewhere, facts, find, means, regression_facts, score_facts
from confmat.suffixes import UNLISTED

_LEVELS = ("overall", "class", "average", "score", "regression")
_ELSEWHERE = "elsewhere"  # the level of numbers that are no metrics, and have their own methods
_SCHEMA = {
    "name": pl.String(),
    "summary": pl.String(),
    "aliases": pl.List(pl.String()),
    "symbol": pl.String(),
    "formula": pl.String(),
    "lo": pl.Float64(),
    "hi": pl.Float64(),
    "better": pl.String(),
    "level": pl.String(),
    "averages": pl.List(pl.String()),
    "params": pl.List(pl.String()),
    "undefined": pl.String(),
    "reference": pl.String(),
}


def list_metrics(search: str | None = None, *, level: str | None = None) -> pl.DataFrame:
    """List every metric by the names that can be asked for.

    Parameters
    ----------
    search : str, optional
        Only metrics with this in their name, an alias or the summary, in any case; then also
        numbers that are no metrics by name, whose summary says where they are.
    level : {"overall", "class", "average", "score", "regression", "elsewhere"}, optional
        Only the metrics of this level; "elsewhere": what is no metric by name. Default: all
        metrics.

    Returns
    -------
    polars.DataFrame
        One row a value name (``recall``, ``recall_macro``, ...) with the columns ``name``,
        ``summary``, ``aliases`` (a list), ``symbol`` and ``formula`` (LaTeX), ``lo`` and ``hi``
        (the range, may be infinite), ``better`` (``higher``, ``lower`` or ``neither``), ``level``
        (``overall``: one number a matrix; ``class``: one number a class; ``average``: a mean of
        those; ``score``: one number of true classes and scores; ``regression``: one number of true
        and predicted numbers), ``averages`` (of a class metric: the kinds of averages that it has),
        ``params`` (with their defaults: ``beta=1``), ``undefined`` (when the value is undefined)
        and ``reference``.

    Raises
    ------
    InputError
        An unknown level, or a search that is no text.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> mcc = cm.list_metrics().filter(pl.col("name") == "mcc")
    >>> mcc.select("name", "lo", "hi", "better").row(0)
    ('mcc', -1.0, 1.0, 'higher')
    >>> cm.list_metrics("youden")["name"][0]
    'informedness'
    >>> cm.list_metrics(level="score")["name"][0]
    'roc_auc'
    >>> cm.list_metrics("ami")["summary"].item()
    'a matrix m has it as m.adjusted_mutual_information()'
    """
    every_level = (*_LEVELS, _ELSEWHERE)
    if level is not None and level not in every_level:
        raise InputError(f"`level` is {level!r}; wanted one of {', '.join(every_level)}")
    if search is not None and not isinstance(search, str):
        raise InputError(f"`search` is {search!r}; wanted a text")
    word = (search or "").casefold()
    kinds: dict[str, list[str]] = {}
    for fact in listed():
        if fact["level"] == "average":
            kinds.setdefault(fact["base"], []).append(fact["average"])

    def found(fact: Fact) -> bool:
        texts = (fact["name"], *fact["aliases"], fact["summary"])
        return level in (None, fact["level"]) and any(word in text.casefold() for text in texts)

    rows = [
        dict(fact)
        | {
            "averages": kinds.get(fact["name"], []),
            "params": [_shown_param(p) for p in fact["params"]],
        }
        for fact in filter(found, listed())
    ]
    if search is not None or level == _ELSEWHERE:
        rows += [dict(fact) for fact in _facts_elsewhere() if found(fact)]
    return pl.DataFrame([{name: row[name] for name in _SCHEMA} for row in rows], schema=_SCHEMA)


@cache
def _facts_elsewhere() -> tuple[Any, ...]:
    """Return a row for each number that is elsewhere, with all its names."""
    places: dict[str, list[str]] = {}
    for name, told in elsewhere().items():
        places.setdefault(told.partition("; ")[2], []).append(name)
    unknown: dict[str, Any] = dict.fromkeys(_SCHEMA)
    none: dict[str, Any] = {"averages": [], "params": [], "level": _ELSEWHERE}
    return tuple(
        unknown | none | {"name": names[0], "aliases": names[1:], "summary": place}
        for place, names in places.items()
    )


def listed() -> tuple[Fact, ...]:
    """Return the facts of every name that can be asked for, averages that few ask for last."""
    known = [*facts(), *score_facts(), *regression_facts()]
    return (*known, *_more_means())


@renewed
def _more_means() -> tuple[Fact, ...]:
    """Return the facts of `f1_min` and the like, of every metric that is averaged."""
    bases = dict.fromkeys(fact["base"] for fact in facts() if fact["level"] == "average")
    return tuple(
        find(name) for base in bases for kind, name in means(base).items() if kind in UNLISTED
    )


def _shown_param(param: Any) -> str:
    """Return a parameter with its default, where it has one of its own."""
    value = param["value"]
    return str(param["name"]) if value is None else f"{param['name']}={value!r}".removesuffix(".0")
