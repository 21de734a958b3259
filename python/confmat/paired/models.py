"""Which models are compared: names, columns of predictions and of scores, and the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from confmat.errors import InputError
from confmat.labels import listing

Columns = dict[str, str]
ClassColumns = dict[str, list[str]]


class Models(NamedTuple):
    """Columns by model, the baseline first; empty where there are none."""

    names: tuple[str, ...]
    y_pred: Columns
    y_score: Columns
    numbers: Columns  # in place of `y_pred`, of a regression
    class_scores: ClassColumns  # in place of `y_score`, of many classes

    @property
    def has_scores(self) -> bool:
        """Whether there are scores, of two classes or of many."""
        return bool(self.y_score or self.class_scores)

    @property
    def of_rows(self) -> Columns:
        """The columns whose rows are compared, and not counts of them."""
        return self.y_score or self.numbers

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The baseline with each of the others."""
        return [(self.names[0], name) for name in self.names[1:]]


def models_of(
    y_pred: Any, y_score: Any, baseline: Any, task: str | None, schema: pl.Schema
) -> Models:
    """Return the models that `y_pred` and `y_score` name.

    `schema` tells which columns hold lists of scores.

    Raises
    ------
    InputError
        Fewer than two; other models in the one than in the other; a baseline that is none; scores
        of numbers; scores of two classes of one model and of many of another.
    """
    if task is not None and y_score is not None:
        raise InputError(f"`y_score` is given with task={task!r}: of numbers there are no scores")
    if y_pred is None and y_score is None:
        raise InputError(
            "`y_pred` and `y_score` are both None; wanted the columns of two models or more, as "
            '{"a": "pred_a", "b": "pred_b"}'
        )
    predictions = _named("y_pred", y_pred)
    scores = _named("y_score", y_score, several=True)
    if isinstance(y_score, Mapping) or not predictions or len(predictions) != len(scores):
        pass
    else:  # a list of scores has the order of the models
        scores = dict(zip(predictions, scores.values(), strict=True))
    names = list(predictions or scores)
    if predictions and scores and set(predictions) != set(scores):
        raise InputError(
            f"`y_pred` names the models {listing(list(predictions))} and `y_score` "
            f"{listing(list(scores))}; wanted the same"
        )
    argument = "y_pred" if predictions else "y_score"
    if len(names) < 2:
        raise InputError(f"`{argument}` names {len(names)} model; wanted two or more")
    if baseline is not None:
        if baseline not in names:
            raise InputError(f"`baseline` is {baseline!r}; wanted one of {listing(names)}")
        names.remove(baseline)
        names.insert(0, baseline)
    of_names = {name: predictions[name] for name in names if predictions}
    if task is not None:
        return Models(tuple(names), {}, {}, of_names, {})
    of_scores = {name: scores[name] for name in names if scores}
    many = {
        name: [of] if isinstance(of, str) else list(of)
        for name, of in of_scores.items()
        if not isinstance(of, str) or isinstance(schema.get(of), (pl.List, pl.Array))
    }
    if many and len(many) < len(of_scores):
        one, other = next(name for name in of_scores if name not in many), next(iter(many))
        raise InputError(
            f"`y_score` of the model {one!r} is one column, {of_scores[one]!r}, and of {other!r} "
            "scores of many classes; wanted scores of the same classes of both"
        )
    return Models(tuple(names), of_names, {} if many else of_scores, {}, many)


def _named(argument: str, given: Any, several: bool = False) -> dict[str, Any]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        named = dict(given)
    elif several and isinstance(given, Sequence) and any(map(_is_several, given)):
        raise InputError(
            f"`{argument}` holds lists of columns, and no names of models; wanted "
            "{model: [columns]}"
        )
    elif isinstance(given, Sequence) and not isinstance(given, str):
        named = {name: name for name in given}
        if len(named) != len(given):
            raise InputError(f"`{argument}` names a column twice: {list(given)}")
    else:
        raise InputError(
            f"`{argument}` is {given!r}; wanted the columns of two models or more: a list, or "
            "{model: column}"
        )
    for model, column in named.items():
        if not isinstance(model, str):
            raise InputError(f"a model has the name {model!r}; wanted a text")
        if isinstance(column, str) or (several and _is_several(column)):
            continue
        wanted = "wanted the name of a column" + (", or a list of these" if several else "")
        raise InputError(f"`{argument}` of the model {model!r} is {column!r}; {wanted}")
    return named


def _is_several(column: Any) -> bool:
    """Return whether a model has a list of columns."""
    is_list = isinstance(column, Sequence) and not isinstance(column, (str, bytes))
    return is_list and len(column) > 0 and all(isinstance(one, str) for one in column)
