"""Which models are compared: names, columns of predictions and of scores, and the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from confmat.errors import InputError
from confmat.labels import listing

Columns = dict[str, str]


class Models(NamedTuple):
    """Columns by model, the baseline first; empty where there are none."""

    names: tuple[str, ...]
    y_pred: Columns
    y_score: Columns
    numbers: Columns  # in place of `y_pred`, of a regression

    @property
    def of_rows(self) -> Columns:
        """The columns whose rows are compared, and not counts of them."""
        return self.y_score or self.numbers

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The baseline with each of the others."""
        return [(self.names[0], name) for name in self.names[1:]]


def models_of(y_pred: Any, y_score: Any, baseline: Any, task: str | None = None) -> Models:
    """Return the models that `y_pred` and `y_score` name.

    Raises
    ------
    InputError
        Fewer than two; other models in the one than in the other; a baseline that is none; scores
        of numbers.
    """
    if task is not None and y_score is not None:
        raise InputError(f"`y_score` is given with task={task!r}: of numbers there are no scores")
    if y_pred is None and y_score is None:
        raise InputError(
            "`y_pred` and `y_score` are both None; wanted the columns of two models or more, as "
            '{"a": "pred_a", "b": "pred_b"}'
        )
    predictions, scores = _named("y_pred", y_pred), _named("y_score", y_score)
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
        return Models(tuple(names), {}, {}, of_names)
    return Models(tuple(names), of_names, {name: scores[name] for name in names if scores}, {})


def _named(argument: str, given: Any) -> Columns:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        named = dict(given)
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
        if not isinstance(column, str):
            raise InputError(
                f"`{argument}` of the model {model!r} is {column!r}; wanted the name of a column"
            )
    return named
