"""What is asked of a log: its columns, the slices, and the options of states and of numbers."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

import polars as pl

from confmat.errors import InputError, StateError
from confmat.frames.partials import SCORED, STATE
from confmat.intervals.levels import checked_level
from confmat.labels import Label, label_set, listing, one_label
from confmat.options import check_choice, checked_min_n, checked_smoothing, checked_undefined
from confmat.scores.grid import UNIT, BinMap
from confmat.slices.lattice import groupings_of

Y_PRED = "y_pred"
MODEL = "model"
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


@dataclass(frozen=True)
class Reading:
    """How numbers are read of states: the same states may be read otherwise later."""

    metrics: list[str] | None = None
    undefined: float | None = None
    keep_empty: bool = False
    smoothing: float = 0.0
    reasons: bool = False
    ci: float | None = None
    cube: bool = False
    grouping_sets: list[list[str]] | None = None
    depth: int | None = None
    min_n: int = 0
    per_class: bool = False


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
        return kept.select(*self.value_columns, *self._new_keys())

    @property
    def arguments_of_values(self) -> dict[str, str]:
        """The columns of labels, scores and weights, and the argument that names each first."""
        counting = self.counting
        named = [(name, "y_true") for name in _listed(counting.y_true)]
        for model in counting.models:
            named += [(name, "y_pred") for name in _listed(model.y_pred)]
            named += [(name, "y_score") for name in _listed(model.y_score)]
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
    def is_of_one(self) -> bool:
        """Whether there is one model, without a name."""
        return self.counting.models[0].name is None

    def as_dict(self) -> dict[str, Any]:
        """Return the request as what JSON holds: equal requests give equal ones."""
        counting = asdict(self.counting) | {"models": [list(m) for m in self.counting.models]}
        return {
            "keys": list(self.keys),
            "counting": counting | {"by": list(self.counting.by)},
            "reading": asdict(self.reading),
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
            keys = tuple(whole["keys"])
            return cls(
                Counting(models=models, by=by, **counting), Reading(**whole["reading"]), keys
            )
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
        """Return the arguments of `make_request` that ask the same, keys being columns."""
        counting = asdict(self.counting)
        models = counting.pop("models")
        del counting["by"], counting["where"]
        named = models[0][0] is not None
        return {
            "y_true": counting.pop("y_true"),
            "y_pred": _given(models, 1, named),
            "y_score": _given(models, 2, named),
            "by": list(self.keys),
            "where": None,
            "counting": counting,
            "reading": asdict(self.reading),
        }

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


def make_request(
    schema: pl.Schema,
    *,
    y_true: str | Sequence[str],
    y_pred: Any,
    y_score: Any,
    by: Any,
    where: pl.Expr | None,
    counting: dict[str, Any],
    reading: dict[str, Any],
) -> LogRequest:
    """Check what is asked against the columns of the source."""
    check_choice("nulls", counting["nulls"], "drop", "raise")
    check_choice("nan", counting["nan"], "drop", "raise")
    check_choice("other", counting["other"], "raise", "bucket")
    if counting["labels"] is not None:
        counting["labels"] = label_set(counting["labels"])
    if counting["pos_label"] is not None:
        counting["pos_label"] = one_label(counting["pos_label"], "pos_label")
    if where is not None and not isinstance(where, pl.Expr):
        raise InputError(
            f"`where` is {where!r}; wanted a Polars expression, such as pl.col('x') > 0"
        )
    truth: Columns = y_true if isinstance(y_true, str) else list(y_true)
    models = tuple(_models(schema, truth, y_pred, y_score))
    expressions = _expressions(by)
    out = LogRequest(
        Counting(
            truth,
            models,
            by=tuple(one if isinstance(one, str) else _told(one) for one in _as_list(by)),
            where=None if where is None else _told(where),
            **counting,
        ),
        checked_reading(**reading),
        where=where,
    )
    for name, argument in out.arguments_of_values.items():
        check_column(argument, name, schema)
    keys = _key_names(schema, out, expressions)
    _check_groupings(keys, out.reading)
    return LogRequest(out.counting, out.reading, keys, tuple(expressions), where)


def _told(expression: pl.Expr) -> str:
    """Return an expression as text, which may be cut, and a checksum of all of it."""
    return f"{expression} #{zlib.crc32(expression.meta.serialize()):08x}"


def checked_reading(**reading: Any) -> Reading:
    """Return how numbers are read. Raises InputError."""
    sets = reading["grouping_sets"]
    metrics = reading["metrics"]
    return Reading(
        metrics=None
        if metrics is None
        else [metrics]
        if isinstance(metrics, str)
        else list(metrics),
        undefined=checked_undefined(reading["undefined"]),
        keep_empty=bool(reading["keep_empty"]),
        smoothing=checked_smoothing(reading["smoothing"]),
        reasons=bool(reading["reasons"]),
        ci=None if reading["ci"] is None else checked_level(reading["ci"]),
        cube=bool(reading["cube"]),
        grouping_sets=None if sets is None else [_as_list(one) for one in sets],
        depth=reading["depth"],
        min_n=checked_min_n(reading["min_n"]),
        per_class=bool(reading["per_class"]),
    )


def _check_groupings(keys: tuple[str, ...], reading: Reading) -> None:
    """Refuse coarser slices that cannot be."""
    groupings_of(keys, cube=reading.cube, grouping_sets=reading.grouping_sets, depth=reading.depth)
    asked = {"cube": reading.cube, "grouping_sets": reading.grouping_sets, "depth": reading.depth}
    for name, value in asked.items():
        if not keys and value is not None and value is not False:
            raise InputError(f"`{name}` needs keys in `by`")


def _models(schema: pl.Schema, y_true: Columns, y_pred: Any, y_score: Any) -> Iterable[Model]:
    """Return the models. A mapping, or a list of predictions of one truth, names them."""
    if isinstance(y_pred, Sequence) and not isinstance(y_pred, str) and isinstance(y_true, str):
        y_pred = {name: name for name in y_pred}
    if isinstance(y_pred, Mapping) or isinstance(y_score, Mapping):
        predictions = _by_model("y_pred", y_pred)
        scores = _by_model("y_score", y_score)
        for name in dict.fromkeys([*predictions, *scores]):
            if not isinstance(name, str):
                raise InputError(f"a model has the name {name!r}; wanted a text")
            yield Model(name, _columns(predictions.get(name)), _columns(scores.get(name), schema))
        return
    if y_pred is None and (y_score is None or (isinstance(y_true, str) and Y_PRED in schema)):
        y_pred = Y_PRED
    yield Model(None, _columns(y_pred), _columns(y_score, schema))


def _by_model(argument: str, given: Any) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            f"`{argument}` is {given!r}, and the other names models; wanted {{model: column}}"
        )
    return given


def _columns(given: Any, schema: pl.Schema | None = None) -> Columns | None:
    """Return a name, or several; one column of lists of scores is a list of one name."""
    if given is None:
        return None
    if not isinstance(given, str):
        return list(given)
    is_of_lists = schema is not None and isinstance(schema.get(given), (pl.List, pl.Array))
    return [given] if is_of_lists else given


def _listed(given: Columns | None) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else given


def _as_list(given: Any) -> list[Any]:
    return [] if given is None else [given] if isinstance(given, (str, pl.Expr)) else list(given)


def _expressions(by: Any) -> list[pl.Expr]:
    if by is not None and not isinstance(by, (str, pl.Expr, Sequence)):
        raise InputError(f"`by` is {by!r}; wanted the name of a column, an expression, or a list")
    keys = []
    for one in _as_list(by):
        if not isinstance(one, (str, pl.Expr)):
            raise InputError(f"`by` has {one!r}; wanted the name of a column, or an expression")
        keys.append(pl.col(one) if isinstance(one, str) else one)
    return keys


def check_column(argument: str, name: Any, schema: pl.Schema, where: str = "") -> None:
    """Refuse a name of no column, with one that is near."""
    if not isinstance(name, str):
        raise InputError(f"`{argument}` has {name!r}; wanted the name of a column")
    if name in schema:
        return
    near = get_close_matches(name, list(schema), n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise InputError(
        f"`{argument}` names the column {name!r}, which is not there{hint}{where}; "
        f"the columns are {listing(list(schema))}"
    )


def _key_names(
    schema: pl.Schema, request: LogRequest, expressions: list[pl.Expr]
) -> tuple[str, ...]:
    """Return the names of the keys; refuse such as cannot be told from other columns."""
    for one in expressions:
        for name in one.meta.root_names():
            check_column("by", name, schema)
    try:
        made = pl.LazyFrame(schema=schema).select(expressions).collect_schema()
    except pl.exceptions.DuplicateError:
        raise InputError("`by` has two keys of one name; rename one with .alias(...)") from None
    taken = {STATE, SCORED, "grouping", *([] if request.is_of_one else [MODEL])}
    names = made.names()
    if len(names) != len(expressions):
        raise InputError(
            f"`by` has an expression of several columns, {names} in all; wanted one each"
        )
    for name, one in zip(names, expressions, strict=True):
        if made[name] == pl.Object:
            raise InputError(f"`by` has the key {name!r} of Python objects; cast it to a type")
        if name in taken:
            raise InputError(f"`by` has the key {name!r}, a name of the result; rename it")
        if name in request.value_columns and not one.meta.eq(pl.col(name)):
            raise InputError(
                f"`by` has an expression called {name!r} like a column of values; "
                "rename it with .alias(...)"
            )
    return tuple(names)
