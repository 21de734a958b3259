"""What is asked of a log, checked: columns, slices, options of states and of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

import polars as pl

from confmat.errors import InputError, StateError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.intervals.levels import Confidence, Side, confidence
from confmat.labels import Label
from confmat.scores.grid import UNIT, BinMap

Columns = str | list[str]


class Model(NamedTuple):
    """What one model says of the rows."""

    name: str | None  # None: there is one model, and it needs no name
    y_pred: Columns | None  # a list: columns of label sets
    y_score: Columns | None  # a list: scores of many classes, or for label sets


@dataclass(frozen=True)
class Counting:
    """What states depend on: two evaluations that differ here do not merge."""

    y_true: Columns
    models: tuple[Model, ...]
    by: tuple[str, ...] = ()  # as texts: names, and what makes them where it is an expression
    where: str | None = None
    labels: list[Label] | None = None
    pos_label: Label | None = None
    sample_weight: str | None = None
    nulls: Literal["drop", "raise"] = "drop"
    nan: Literal["raise", "drop"] = "raise"
    other: Literal["raise", "bucket"] = "raise"
    bins: BinMap | None = UNIT
    cluster: str | None = None
    task: Literal["regression"] | None = None  # None: predicted classes, scores, or both
    terms: tuple[str, ...] = ()  # of numbers: metrics that need further sums


_OF_NUMBERS = ("task", "terms")


@dataclass(frozen=True)
class Reading:
    """How numbers are read of states: the same states may be read otherwise later."""

    metrics: list[str] | None = None
    undefined: float | None = None
    keep_empty: bool = False
    smoothing: float = 0.0
    reasons: bool = False
    ci: float | None = None
    side: Side = "both"
    cube: bool = False
    grouping_sets: list[list[str]] | None = None
    depth: int | None = None
    min_n: int = 0
    per_class: bool = False

    @property
    def intervals(self) -> Confidence | None:
        """What is asked of intervals; None: there are none."""
        return confidence(self.ci, self.side)


@dataclass(frozen=True)
class LogRequest:
    """All that was asked, with the expressions that no text holds."""

    counting: Counting
    reading: Reading
    keys: tuple[str, ...] = ()
    key_expressions: tuple[pl.Expr, ...] = field(default=(), compare=False)
    where: pl.Expr | None = field(default=None, compare=False)

    def rows(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """Return the query for the columns that are needed, and the keys."""
        kept = frame if self.where is None else frame.filter(self.where)
        cluster = self.counting.cluster
        own = [] if cluster is None else [pl.col(cluster).alias(CLUSTER)]
        return kept.select(*self.value_columns, *self._new_keys(), *own)

    @property
    def state_keys(self) -> tuple[str, ...]:
        """The keys of states: those of slices, and that of clusters."""
        return self.keys if self.counting.cluster is None else (*self.keys, CLUSTER)

    @property
    def arguments_of_values(self) -> dict[str, str]:
        """The columns of labels, scores and weights, and the argument that names each first."""
        counting = self.counting
        named = [(name, "y_true") for name in listed(counting.y_true)]
        for model in counting.models:
            named += [(name, "y_pred") for name in listed(model.y_pred)]
            named += [(name, "y_score") for name in listed(model.y_score)]
        if counting.sample_weight is not None:
            named.append((counting.sample_weight, "sample_weight"))
        out: dict[str, str] = {}
        for name, argument in named:
            out.setdefault(name, argument)
        return out

    @property
    def value_columns(self) -> list[str]:
        """The columns of labels, scores and weights, each once."""
        return list(self.arguments_of_values)

    def _new_keys(self) -> list[pl.Expr]:
        return [
            key
            for name, key in zip(self.keys, self.key_expressions, strict=True)
            if name not in self.value_columns
        ]

    @property
    def needs_rows(self) -> bool:
        """Whether the types of columns do not tell how many scores a row has."""
        lists = [one.y_score for one in self.counting.models if isinstance(one.y_score, list)]
        return any(len(names) == 1 for names in lists)

    @property
    def is_of_numbers(self) -> bool:
        """Whether true and predicted values are numbers."""
        return self.counting.task == "regression"

    def truth_of(self, model: Model) -> Columns:
        """Return the true columns of a model: of several outputs each is one, and has its name."""
        of_outputs = self.is_of_numbers and isinstance(self.counting.y_true, list)
        return str(model.name) if of_outputs else self.counting.y_true

    @property
    def is_of_one(self) -> bool:
        """Whether there is one model, without a name."""
        return self.counting.models[0].name is None

    def as_dict(self) -> dict[str, Any]:
        """Return the request as what JSON holds: equal requests give equal ones."""
        counting = asdict(self.counting) | {"models": [list(m) for m in self.counting.models]}
        if self.counting.cluster is None:
            del counting["cluster"]  # as bytes of before have it
        counting["terms"] = list(self.counting.terms)
        if not self.is_of_numbers:
            counting = {name: of for name, of in counting.items() if name not in _OF_NUMBERS}
        reading = asdict(self.reading)
        if self.reading.side == "both":
            del reading["side"]
        return {
            "keys": list(self.keys),
            "counting": counting | {"by": list(self.counting.by)},
            "reading": reading,
        }

    @classmethod
    def from_dict(cls, whole: dict[str, Any]) -> LogRequest:
        """Return the request that `as_dict` gave, without its expressions.

        Raises
        ------
        StateError
            It is none.
        """
        try:
            counting = dict(whole["counting"])
            models = tuple(Model(*model) for model in counting.pop("models"))
            by = tuple(counting.pop("by"))
            counting["terms"] = tuple(counting.get("terms", ()))
            keys = tuple(whole["keys"])
            reading = Reading(**whole["reading"])
            confidence(reading.ci, reading.side)  # refuses what is none
            return cls(Counting(models=models, by=by, **counting), reading, keys)
        except (KeyError, TypeError, ValueError) as error:
            raise StateError(f"what was asked of the log is not readable: {error}") from None

    @property
    def has_plain_keys(self) -> bool:
        """Whether keys are columns, not made of such."""
        return all(
            one.meta.eq(pl.col(name))
            for name, one in zip(self.keys, self.key_expressions, strict=True)
        )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that ask the same, keys being columns."""
        counting = asdict(self.counting)
        models = counting.pop("models")
        del counting["terms"]  # which follow from the metrics
        named = models[0][0] is not None
        of_models = {"y_pred": _given(models, 1, named), "y_score": _given(models, 2, named)}
        slices = {"by": list(self.keys), "where": None}
        return {**counting, **asdict(self.reading), **of_models, **slices}

    def check_same(self, other: LogRequest) -> None:
        """Refuse a question whose states do not add to those of this one."""
        if self.keys != other.keys:
            raise InputError(f"the keys of slices differ: {self.keys} and {other.keys}")
        one, two = asdict(self.counting), asdict(other.counting)
        for name in one:
            if one[name] != two[name]:
                raise InputError(f"`{name}` differs: {one[name]!r} and {two[name]!r}")


def _given(models: Sequence[Sequence[Any]], at: int, named: bool) -> Any:
    if not named:
        return models[0][at]
    return {model[0]: model[at] for model in models if model[at] is not None} or None


def listed(given: Columns | None) -> list[str]:
    """Return the names of columns."""
    return [] if given is None else [given] if isinstance(given, str) else given
