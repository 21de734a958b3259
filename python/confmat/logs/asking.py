"""From the arguments of a door to what is asked of a log."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.number_frames import outputs_of
from confmat.frames.request import Y_PRED, check_columns, column_names, refuse_sets, score_columns
from confmat.frames.state_queries import SCORED, STATE
from confmat.intervals.levels import checked_ci
from confmat.labels import MAX_CLASSES, MAX_LABELS, label_set, one_label
from confmat.logs.request import Columns, Counting, LogRequest, Model, Reading
from confmat.moments.names import INTERVALS, needs_more_sums, sums_named
from confmat.multiclass.losses import OF_ROWS
from confmat.options import check_choice, checked_min_n, checked_smoothing, checked_undefined
from confmat.scores.grid import UNIT
from confmat.slices.lattice import MODEL, groupings_of

# The arguments of a door that are no options of states or of numbers.
_QUESTION = ("y_true", "y_pred", "y_score", "by", "where")
_COUNTING = ("labels", "pos_label", "sample_weight", "nulls", "nan", "other", "bins", "cluster")
_READING = tuple(one.name for one in fields(Reading))


def asked_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is asked, of all arguments of a door."""
    asked = {name: arguments[name] for name in (*_QUESTION, *_COUNTING, *_READING)}
    return asked | {"task": arguments.get("task")}  # which not every door has


def make_request(
    schema: pl.Schema, asked: Mapping[str, Any], *, in_parts: bool, place: str = ""
) -> LogRequest:
    """Check what is asked against the columns of the source.

    `in_parts`: rows are read apart from others, so that an expression must tell of a row by itself.
    `place`: where the columns are, for messages.
    """
    counting: dict[str, Any] = {name: asked[name] for name in _COUNTING}
    y_true, by, where = (asked[name] for name in ("y_true", "by", "where"))
    check_choice("nulls", counting["nulls"], "drop", "raise")
    check_choice("nan", counting["nan"], "drop", "raise")
    check_choice("other", counting["other"], "raise", "bucket")
    if counting["labels"] is not None:
        most = MAX_LABELS if isinstance(y_true, str) else MAX_CLASSES  # of sets of labels
        counting["labels"] = label_set(counting["labels"], most=most)
    if counting["pos_label"] is not None:
        counting["pos_label"] = one_label(counting["pos_label"], "pos_label")
    if where is not None and not isinstance(where, pl.Expr):
        raise InputError(
            f"`where` is {where!r}; wanted a Polars expression, such as pl.col('x') > 0"
        )
    if asked["task"] is not None:
        counting |= _of_numbers(asked)
    truth: Columns = y_true if isinstance(y_true, str) else column_names("y_true", y_true)
    y_pred = asked["y_pred"]
    if asked["task"] is not None and isinstance(truth, list):
        y_pred = outputs_of(truth, y_pred)
    models = tuple(_models(schema, truth, y_pred, asked["y_score"]))
    expressions = _expressions(by)
    if in_parts:
        _refuse_other_rows([("by", one) for one in expressions])
        _refuse_other_rows([("where", where)] if where is not None else [])
    out = LogRequest(
        Counting(
            truth,
            models,
            by=tuple(one if isinstance(one, str) else _told(one) for one in _as_list(by)),
            where=None if where is None else _told(where),
            **counting,
        ),
        checked_reading({name: asked[name] for name in _READING}),
        where=where,
    )
    columns = [(of, name) for name, of in out.arguments_of_values.items()]
    check_columns(columns, schema, place)
    if isinstance(truth, str) and not out.is_of_numbers:
        refuse_sets(columns, schema, _lists(models, "y_pred"), _lists(models, "y_score"))
    _check_cluster(schema, out.counting, place)
    _refuse_losses_of_rows(schema, out)
    check_columns(_named_by(expressions), schema, place)
    keys = _key_names(schema, out, expressions)
    _check_groupings(keys, out.reading)
    return LogRequest(out.counting, out.reading, keys, tuple(expressions), where)


def _lists(models: Sequence[Model], argument: str) -> Any:
    """Return an argument as it is of sets of labels: lists of columns, by model if several."""
    asked = {one.name: getattr(one, argument) for one in models}
    given = {name: _as_list(columns) for name, columns in asked.items() if columns}
    return given.get(None, given)


def _check_cluster(schema: pl.Schema, counting: Counting, place: str) -> None:
    """Refuse what is no column of clusters, and states of which no interval is known."""
    name: Any = counting.cluster
    if name is None:
        return
    if not isinstance(name, str):
        raise InputError(f"`cluster` is {name!r}; wanted the name of a column")
    check_columns([("cluster", name)], schema, place)
    if schema[name] == pl.Object or schema[name].is_nested():
        raise InputError(f"`cluster` names {name!r}, which is {schema[name]}; wanted plain values")
    if isinstance(counting.y_true, list) and any(m.y_score is not None for m in counting.models):
        raise InputError(
            "`cluster` is not for scores for label sets, which have no intervals with clusters"
        )


def _refuse_losses_of_rows(schema: pl.Schema, request: LogRequest) -> None:
    """Refuse what is summed over the rows of many classes: logs keep bins of them."""
    scores = [model.y_score for model in request.counting.models if model.y_score is not None]
    if not any(isinstance(one, list) or schema[one].is_nested() for one in scores):
        return
    name = next((name for name in request.reading.metrics or () if name in OF_ROWS), None)
    if name is not None:
        raise InputError(
            f"`metrics` holds {name!r}, which is summed over rows, and a log keeps bins of them; "
            "the expression `cm.multiclass_metrics` has it"
        )


def _of_numbers(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what states of numbers depend on; refuse what is of classes or scores."""
    check_choice("task", asked["task"], "regression")
    usual: dict[str, Any] = {
        "y_score": None,
        "labels": None,
        "pos_label": None,
        "other": "raise",
        "bins": UNIT,
    }
    usual |= {"per_class": False, "smoothing": 0, "keep_empty": False}
    for name, value in usual.items():
        if asked[name] is not value and asked[name] != value:
            why = "of numbers there is no such thing"
            raise InputError(f'`{name}` is {asked[name]!r} with task="regression": {why}')
    names = () if asked["metrics"] is None else sums_named(asked["metrics"])
    terms = {name for name in names if needs_more_sums(name)}
    if asked["ci"] is not None and asked["cluster"] is None:
        terms.add(INTERVALS)
    return {"task": "regression", "terms": tuple(sorted(terms))}


def _told(expression: pl.Expr) -> str:
    """Return an expression as text, which may be cut, and a checksum of all of it."""
    return f"{expression} #{zlib.crc32(expression.meta.serialize()):08x}"


def _refuse_other_rows(expressions: list[tuple[str, pl.Expr]]) -> None:
    """Refuse expressions that look at other rows than the one that they tell of."""
    for argument, one in expressions:
        if _looks_at_other_rows(one):
            raise InputError(
                f"`{argument}` has {one}, which looks at other rows, and these are read part by "
                "part; find limits first, as cm.bin_quantiles does, or give one LazyFrame of all"
            )


def _looks_at_other_rows(expression: pl.Expr) -> bool:
    meta = expression.meta
    if not hasattr(meta, "is_row_separable"):
        return False  # versions of Polars that cannot tell
    if not meta.root_names():  # literals, and what `list.eval` does within a row
        return meta == pl.len()
    try:
        alone = meta.is_row_separable()
    except pl.exceptions.PolarsError:
        alone = True  # a function of the user, which Polars cannot see through
    # Of `v > v.mean()` Polars says that rows are separable: it asks the outermost alone.
    return not alone or any(_looks_at_other_rows(part) for part in meta.pop())


def checked_reading(reading: Mapping[str, Any]) -> Reading:
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
        ci=checked_ci(reading["ci"], reading["side"]),
        side=reading["side"],
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
    are_models = isinstance(y_pred, (Sequence, np.ndarray, pl.Series))
    if are_models and not isinstance(y_pred, str) and isinstance(y_true, str):
        models = y_pred.tolist() if isinstance(y_pred, np.ndarray) else y_pred
        y_pred = {_named(name): name for name in models}
    if isinstance(y_pred, Mapping) or isinstance(y_score, Mapping):
        predictions = _by_model("y_pred", y_pred)
        scores = _by_model("y_score", y_score)
        for name in dict.fromkeys([*predictions, *scores]):
            if not isinstance(name, str):
                raise InputError(f"a model has the name {name!r}; wanted a text")
            predicted = _columns("y_pred", predictions.get(name))
            yield Model(name, predicted, _scores(scores.get(name), schema))
        return
    if y_pred is None and (y_score is None or (isinstance(y_true, str) and Y_PRED in schema)):
        y_pred = Y_PRED
    yield Model(None, _columns("y_pred", y_pred), _scores(y_score, schema))


def _named(model: Any) -> str:
    """Return a name of a list of models, which is that of its column."""
    if not isinstance(model, str):
        raise InputError(
            f"`y_pred` holds {model!r}; wanted the name of a column a model, or {{model: column}}"
        )
    return model


def _by_model(argument: str, given: Any) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            f"`{argument}` is {given!r}, and the other names models; wanted {{model: column}}"
        )
    return given


def _columns(argument: str, given: Any) -> Columns | None:
    """Return a name, or several."""
    return given if given is None or isinstance(given, str) else column_names(argument, given)


def _scores(given: Any, schema: pl.Schema) -> Columns | None:
    return _columns("y_score", score_columns(given, schema))


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


def _named_by(expressions: list[pl.Expr]) -> list[tuple[str, str]]:
    return [("by", name) for one in expressions for name in one.meta.root_names()]


def _key_names(
    schema: pl.Schema, request: LogRequest, expressions: list[pl.Expr]
) -> tuple[str, ...]:
    """Return the names of the keys; refuse such as cannot be told from other columns."""
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
