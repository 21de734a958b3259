"""What the registry holds: every metric name with its facts, read once from the core."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypedDict, cast

from confmat import _core
from confmat.errors import InputError
from confmat.name_calls import base_of
from confmat.own_definitions import own_facts, renewed, wired
from confmat.suffixes import AVERAGES, MEANS, POWER, UNLISTED


class Param(TypedDict):
    """A parameter of a metric: its name, default and meaning."""

    name: str
    value: float | None  # None: what the parameter before leaves of 1; of the first: to be given
    text: str
    exponent: bool  # of a mean, whose name it also takes


class _OfSome(TypedDict, total=False):
    needs_probability: bool  # metrics of scores alone have it
    scale_invariant: bool  # of classes alone: unchanged when every cell is multiplied


class Fact(_OfSome):
    """What is known of one value name, such as ``recall`` or ``recall_macro``."""

    name: str
    aliases: list[str]
    symbol: str
    formula: str
    lo: float
    hi: float
    better: str
    level: str
    base: str
    average: str
    of_many: str  # of one class: what to ask of many classes before the macro average; or nothing
    summary: str
    undefined: str
    reference: str
    params: list[Param]
    shape: str  # of two classes, see `Shape` in metrics/row.hpp; score metrics have none
    edges: bool  # may be undefined elsewhere than at the ends of a curve; likewise
    since: str


@cache
def _facts_of_rows() -> tuple[Fact, ...]:
    return tuple(cast("Fact", fact) for fact in _core.facts())


@renewed
def facts() -> tuple[Fact, ...]:
    """Return the facts of every value name, in the order of the registry, then one's own."""
    return (*_facts_of_rows(), *(cast("Fact", fact) for fact in own_facts()))


@cache
def score_facts() -> tuple[Fact, ...]:
    """Return the facts of the metrics of scores, in the order of the registry."""
    return tuple(_of_no_class(fact, "score") for fact in _core.score_facts())


@cache
def regression_facts() -> tuple[Fact, ...]:
    """Return the facts of the metrics of regressions, in the order of the registry."""
    return tuple(_of_no_class(fact, "regression") for fact in _core.regression_facts())


def _of_no_class(fact: dict[str, Any], level: str) -> Fact:
    """Return the facts of a metric with those that only metrics of classes have."""
    more = {"average": "", "of_many": "", "shape": "", "edges": False, "since": "0.1.0"}
    return cast("Fact", {"base": fact["name"], "level": level} | fact | more)


@renewed
def levels() -> dict[str, str]:
    """Return the level of every value name; unlike `facts` it takes no time."""
    others = (*score_facts(), *regression_facts(), *(cast("Fact", fact) for fact in own_facts()))
    return _core.levels() | {fact["name"]: fact["level"] for fact in others}


@renewed
def names(*of: str) -> tuple[str, ...]:
    """Return the value names of some levels: those that `list_metrics` takes."""
    return tuple(name for name, level in levels().items() if level in of)


@renewed
def averages(base: str) -> dict[str, str]:
    """Return the averages of a row: ``{"macro": "recall_macro", ...}``; empty if it has none."""
    of_base = (fact for fact in facts() if fact["base"] == base and fact["level"] == "average")
    return {fact["average"]: fact["name"] for fact in of_base}


@renewed
def means(base: str) -> dict[str, str]:
    """Return the averages of a row with those that are not listed, such as "min"."""
    known = averages(base)
    if not known:
        return {}
    stem = known["macro"].removesuffix("_macro")
    more = {suffix: f"{stem}_{suffix}" for suffix in UNLISTED}
    return known | {suffix: name for suffix, name in more.items() if find_quietly(name)}


@cache
def pycm_names() -> dict[str, str]:
    """Return the keys of PyCM that are understood, such as "TPR Macro", and what they stand for."""
    return _core.pycm_names()


@cache
def elsewhere() -> dict[str, str]:
    """Return what to say of numbers that are no metrics, such as "ami", by their names."""
    return _core.elsewhere()


@renewed
def _by_name() -> dict[str, Fact]:
    everything = (*facts(), *score_facts(), *regression_facts())
    known = {alias: fact for fact in everything for alias in fact["aliases"]}
    return known | {fact["name"]: fact for fact in everything}


def _unlisted(name: str) -> Fact | None:
    """Return the facts of `fbeta_min` and the like, made from those of `fbeta_macro`."""
    stem, _, suffix = name.rpartition("_")
    macro = _by_name().get(f"{stem}_macro")
    if macro is None or suffix not in UNLISTED:
        return None
    params = _core.params(wired(name))  # refuses means that need values that are never negative
    after = UNLISTED[suffix]["after"]
    if suffix == POWER and params[-1]["name"] != "p":
        after = after.replace("p", "q")  # p is one of the metric
    around = AVERAGES["macro"]
    inner = macro["formula"].removeprefix(around["before"]).removesuffix(around["after"])
    fact = macro.copy()
    fact["name"], fact["aliases"], fact["average"] = name, [], suffix
    fact["params"] = cast("list[Param]", params)
    fact["symbol"] = macro["symbol"].replace(r"\mathrm{macro}", rf"\mathrm{{{suffix}}}")
    fact["formula"] = UNLISTED[suffix]["before"] + inner + after
    of = " of any exponent" if suffix == POWER else ""
    fact["summary"] = f"The {UNLISTED[suffix]['words']}{of} over the classes of {macro['base']}."
    return fact


def find_quietly(name: str) -> Fact | None:
    """Return the facts of a value name or alias, or None."""
    try:
        return find(name)
    except InputError:
        return None


def meant(name: str) -> str:
    """Return what to ask for where a name is given, which may say it the other way round, or "".

    The name of the metric; an alias that fixes parameters stays, as "f2_macro" does.
    """
    for asked in (name, _core.other_way_round(name)):
        fact = find_quietly(asked)
        if fact is not None:
            return asked if _core.fixed_params(asked) else fact["name"]
    return ""


def find(name: str) -> Fact:
    """Return the facts of a value name or alias, with or without parameters.

    Averages that are not listed, such as `f1_min`, are known too.

    Raises
    ------
    InputError
        If no metric has that name; the message holds the nearest names.
    """
    known, base = _by_name(), base_of(name)
    if base in known:
        return known[base]
    if base in pycm_names():
        return find(pycm_names()[base])
    unlisted = _unlisted(base)
    if unlisted is not None:
        return unlisted
    if base in elsewhere():
        raise InputError(elsewhere()[base])
    why = _core.absent_average(base)
    if why:
        raise InputError(why)
    other_way = _core.other_way_round(base)
    near = [other_way] if other_way else difflib.get_close_matches(base, known, n=3)
    lists = "; `cm.list_metrics()` lists them, your own once this process has registered them"
    hint = f"; did you mean {', '.join(near)}?" if near else lists
    raise InputError(f"no metric is named {name!r}{hint}")


def suggest(names: Iterable[Any]) -> None:
    """Refuse the first name that is of no metric, with the nearest ones of classes and scores."""
    for name in names:
        if isinstance(name, str):
            find(name.strip())


def is_score_metric(name: str) -> bool:
    """Whether a value name, an alias or one with parameters is about scores."""
    fact = _by_name().get(base_of(name))
    return fact is not None and fact["level"] == "score"


def is_regression_metric(name: str) -> bool:
    """Whether a value name, an alias or one with parameters is about numbers."""
    fact = _by_name().get(base_of(name))
    return fact is not None and fact["level"] == "regression"


def name_with(name: str, params: Sequence[float | str | None]) -> str:
    """Return a value name that carries its parameters: ``fbeta`` and 2 give ``fbeta(2)``.

    The name is left as it is where the parameters are the defaults. The exponent of a mean can be
    a name: ``generalized_f1`` and "min" give ``generalized_f1(min)``.
    """
    known = find(name)["params"]
    given = [
        (value, None if value is of["value"] is None else number(value, of))
        for of, value in zip(known, params, strict=True)
    ]
    if [value for _, value in given] == [param["value"] for param in known]:
        return name
    shown: list[str] = []
    for at, (of, (word, value)) in enumerate(zip(known, given, strict=True)):
        if value is None:
            continue
        is_mean = isinstance(word, str) and word in MEANS
        text = str(word) if is_mean else repr(value).removesuffix(".0")
        # Behind one that is left out a place would be that of another.
        shown.append(text if len(shown) == at else f"{of['name']}={text}")
    return f"{name}({','.join(shown)})"


@renewed
def exponent_of_mean(base: str) -> str | None:
    """Return the parameter of `recall_power` that is the exponent; None: there is no such mean."""
    name = means(base).get(POWER)
    return None if name is None else find(name)["params"][-1]["name"]


def number(value: Any, param: Param) -> float:
    """Return the value of a parameter as a number; an exponent can be the name of a mean.

    Raises
    ------
    InputError
        If it is neither.
    """
    named = MEANS if param["exponent"] else {}
    if isinstance(value, str) and value in named:
        return named[value]
    try:
        return float(value)
    except (TypeError, ValueError):
        wanted = f"a number or one of {', '.join(named)}" if named else "a number"
        raise InputError(f"`{param['name']}` is {value!r}; wanted {wanted}") from None


def required(fact: Fact) -> str | None:
    """Return the parameter of a metric that must be given, or None."""
    first = fact["params"][0] if fact["params"] else None
    return first["name"] if first is not None and first["value"] is None else None
