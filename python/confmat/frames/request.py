"""What is asked of a frame: the arguments of `evaluate`, checked against its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat.default_metrics import planned
from confmat.errors import InputError, UnknownMetricError
from confmat.frames.asked import REASONS, TOTALS, Asked
from confmat.frames.class_expressions import DEFAULT_CLASS_METRICS
from confmat.frames.expressions import metric_names
from confmat.frames.objects_by_group import are_several
from confmat.frames.score_expressions import score_metric_names
from confmat.labels import Label, kind_of, label_set, listing, one_label, position
from confmat.metric_names import names_asked
from confmat.multiclass.values import is_of_classes
from confmat.options import checked_min_n
from confmat.registry import is_score_metric, suggest

Y_PRED = "y_pred"  # the column that need not be there where scores are asked about
SCORE_TOTALS = ("n_scored", "n_unscored")  # beside TOTALS, which then are of the predictions

_TEXT_DTYPES = (pl.String, pl.Categorical, pl.Enum)


class Request(NamedTuple):
    """The arguments of `evaluate`, checked against the columns of a frame."""

    y_true: str
    y_pred: str | None  # None: only scores are asked about
    y_score: str | list[str] | None  # a list: of K classes
    by: tuple[str, ...]
    sample_weight: str | None
    asked: Asked
    cube: bool
    min_n: int
    names_metrics: bool  # rather than the usual ones

    @property
    def predicted(self) -> str:
        """The column of predicted classes. Needs: there is one."""
        assert self.y_pred is not None
        return self.y_pred


def make_request(
    schema: pl.Schema,
    asked: Asked,
    *,
    y_true: str,
    y_pred: str | None,
    y_score: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    metrics: Sequence[str] | str | None = None,
    sample_weight: str | None = None,
    cube: bool = False,
    min_n: int = 0,
) -> Request:
    """Check the arguments of `evaluate` against the columns."""
    if are_several(y_true):
        columns_of = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}
        given = ", ".join(f"{of}={it!r}" for of, it in columns_of.items() if it is not None)
        raise InputError(
            f"`y_true` is {y_true!r}; wanted the name of a column; rows of sets of labels are for "
            f"cm.evaluate(df, {given})"
        )
    keys = _keys(by)
    y_score = score_columns(y_score, schema)
    known = None if asked.labels is None else label_set(asked.labels)
    pos_label = None if asked.pos_label is None else one_label(asked.pos_label, "pos_label")
    two = _are_two(schema, y_true, y_pred, known, pos_label)
    names, score_names = _names(metrics, y_score, two)
    if y_pred is None and y_score is None:
        raise InputError("`y_pred` and `y_score` are both None; wanted the name of a column")
    unnamed = isinstance(y_pred, str) and y_pred == Y_PRED and Y_PRED not in schema
    no_pred = y_pred is None or unnamed
    if y_score is not None and (no_pred or not names):
        if metrics is not None and names:
            lack = "`y_pred` is None" if y_pred is None else f"there is no column {Y_PRED!r}"
            raise InputError(
                f"`metrics` holds {names[0]!r}, a metric of predicted classes, and {lack}; "
                "give `y_pred`"
            )
        y_pred, names = None, ()
    several = are_several(y_score)
    scored: Any = y_score
    of_scores = list(scored) if several else [scored]
    columns: list[tuple[str, Any]] = [("y_true", y_true)]
    columns += [("y_pred", y_pred)] if y_pred is not None else []
    columns += [("y_score", name) for name in of_scores if several or name is not None]
    columns += [("by", key) for key in keys]
    if sample_weight is not None:
        columns.append(("sample_weight", sample_weight))
    check_columns(columns, schema)
    refuse_sets(columns, schema, [y_pred] if y_pred else None, of_scores if y_score else None)
    taken = {*names, *score_names, *TOTALS, *(SCORE_TOTALS if y_score is not None else ())}
    if asked.reasons:
        taken.add(REASONS)
    _check_keys(keys, taken | {"grouping"} if cube else taken, cube)
    dtype = schema[y_true]
    same = y_pred is not None and schema[y_pred] == dtype
    if known is None and isinstance(dtype, pl.Enum) and same:
        known = label_set(dtype) if len(dtype.categories) else None
    implied = asked.labels is None and (known is not None or dtype == pl.Boolean)
    if pos_label is not None:
        _check_kind(pos_label, schema, y_true)
        if known is None and dtype == pl.Boolean and same:
            position([False, True], pos_label, "pos_label")
    if several and (asked.nan != "raise" or (pos_label is not None and y_pred is None)):
        raise InputError("`nan` and `pos_label` are for one column of scores; `y_score` is a list")
    asked = asked._replace(
        metrics=names,
        score_metrics=score_names,
        labels=known,
        pos_label=pos_label,
        weighted=sample_weight is not None,
        implied=implied,
    ).checked()
    scores = of_scores if several else scored
    least, named = checked_min_n(min_n), metrics is not None
    return Request(y_true, y_pred, scores, keys, sample_weight, asked, cube, least, named)


def score_columns(y_score: Any, schema: pl.Schema) -> Any:
    """Return the scores asked for: one column of lists of scores as a list of one name."""
    is_of_lists = isinstance(y_score, str) and isinstance(schema.get(y_score), (pl.List, pl.Array))
    return [y_score] if is_of_lists else y_score


def column_names(argument: str, given: Any, each: str = "") -> list[str]:
    """Return one or several names as a list, in order.

    `each`: what each column is of, for messages.

    Raises
    ------
    InputError
        What has no order, or what is no name.
    """
    if isinstance(given, (set, frozenset)):
        raise InputError(f"`{argument}` is {given!r}, which has no order; wanted a list of columns")
    if isinstance(given, Mapping) or not isinstance(given, (str, Iterable)):
        raise InputError(
            f"`{argument}` is {given!r}; wanted the name of a column, or a list of names"
        )
    names = given.tolist() if isinstance(given, np.ndarray) else given
    listed = [names] if isinstance(names, str) else list(names)
    for one in listed:
        if not isinstance(one, str):
            raise InputError(f"`{argument}` holds {one!r}; wanted the name of a column{each}")
    return listed


def check_columns(asked: Iterable[tuple[str, Any]], schema: pl.Schema, place: str = "") -> None:
    """Refuse arguments that name no column of a place, with the name that is near."""
    for argument, name in asked:
        if not isinstance(name, str):
            raise InputError(
                f"`{argument}` has {_described(name)}; wanted the name of a column, a text"
            )
        if name not in schema:
            near = get_close_matches(name, list(schema), n=1)
            meant = f" (did you mean {near[0]!r}?)" if near else ""
            raise InputError(
                f"`{argument}` names the column {name!r}, which is not there{meant}{place}; "
                f"the columns are {listing(list(schema))}"
            )


def refuse_sets(
    asked: Sequence[tuple[str, Any]], schema: pl.Schema, y_pred: Any, y_score: Any
) -> None:
    """Refuse columns of lists where labels are wanted; say how sets of labels are evaluated."""
    labels = [(of, name) for of, name in asked if of in ("y_true", "y_pred")]
    lists = [(of, name) for of, name in labels if isinstance(schema[name], pl.List)]
    if not lists:
        return
    argument, name = lists[0]
    columns = {"y_true": [labels[0][1]], "y_pred": y_pred, "y_score": y_score}
    given = [f"{of}={of_it}" for of, of_it in columns.items() if of_it]
    are_sets = len(lists) == len(labels) and not any(
        _is_of_numbers(schema[one]) for _, one in lists
    )
    have_scores = all(schema[one].is_nested() for of, one in asked if of == "y_score")
    hint = f"; rows of sets of labels are for cm.evaluate(df, {', '.join(given)})"
    raise InputError(
        f"`{argument}` has dtype {schema[name]}: wanted integers, Booleans, strings, Categorical "
        f"or Enum{hint if are_sets and have_scores else ''}"
    )


def _is_of_numbers(dtype: pl.DataType) -> bool:
    """Whether what a list holds is no label, but numbers or other lists."""
    inner: Any = getattr(dtype, "inner", None)
    return inner is None or inner.is_float() or inner.is_nested()


def _check_keys(keys: Sequence[str], taken: Set[str], cube: bool) -> None:
    """Refuse columns to slice by that are named twice or like a column of the result."""
    for key in keys:
        if key in taken:
            raise InputError(f"`by` has the column {key!r}, a name of the result; rename it first")
    if len(set(keys)) != len(keys):
        raise InputError(f"`by` names a column twice: {list(keys)}")
    if cube and not keys:
        raise InputError("`cube` needs columns in `by`")


def _are_two(
    schema: pl.Schema, y_true: Any, y_pred: Any, labels: list[Label] | None, pos_label: Any
) -> bool:
    """Return whether dtypes and arguments tell two classes and the positive one."""
    names = [name for name in (y_true, y_pred) if isinstance(name, str) and name in schema]
    dtypes = {schema[name] for name in names}
    first = next(iter(dtypes), None)
    if labels is None and isinstance(first, pl.Enum) and len(dtypes) == 1:
        labels = list(first.categories)
    return planned(labels, pos_label, booleans=dtypes == {pl.Boolean()})


def _names(metrics: Any, y_score: Any, two: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of metrics of classes, and of metrics of scores."""
    several = are_several(y_score)
    if metrics is None:
        usual = DEFAULT_CLASS_METRICS if several else score_metric_names(None)
        return metric_names(None, two), () if y_score is None else usual
    asked = names_asked(metrics)
    if several:
        of_classes = tuple(name for name in asked if is_of_classes(name))
        names = tuple(name for name in asked if name not in of_classes)
        return metric_names(names) if names else (), of_classes
    of_scores = tuple(name for name in asked if isinstance(name, str) and is_score_metric(name))
    if of_scores and y_score is None:
        raise InputError(f"`metrics` holds {of_scores[0]!r}, a metric of scores; give `y_score`")
    names = tuple(name for name in asked if name not in of_scores)
    try:
        return metric_names(names) if names else (), score_metric_names(of_scores)
    except UnknownMetricError:
        suggest(names)
        raise


def _keys(by: Any) -> tuple[Any, ...]:
    if by is None:
        return ()
    if isinstance(by, str):
        return (by,)
    if isinstance(by, (pl.Expr, bytes, Mapping, Set)) or not isinstance(by, Iterable):
        raise InputError(
            f"`by` is {_described(by)}; wanted the name of a column, or a list of them"
        )
    return tuple(by)


def _described(value: Any) -> str:
    return "a Polars expression" if isinstance(value, pl.Expr) else f"{value!r}"


def _check_kind(pos_label: Label, schema: pl.Schema, name: str) -> None:
    dtype = schema[name]
    text = isinstance(dtype, _TEXT_DTYPES)
    if not (text or dtype.is_integer() or dtype == pl.Boolean):
        return  # no labels: the core says so
    kind = kind_of([pos_label])
    if text != (kind == "text"):
        raise InputError(
            f"`pos_label` {pos_label!r} is {kind}, and the column {name!r} is {dtype}; "
            "wanted a label of the kind of the column"
        )
