"""Schemas of the parts of a log: all must have the columns asked for, of kinds that add up."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import polars as pl

from confmat.errors import InputError
from confmat.frames.request import check_columns
from confmat.logs.request import LogRequest
from confmat.logs.sources import Part
from confmat.logs.stores import reason

_TEXTS = (pl.String, pl.Categorical, pl.Enum)
Typed: TypeAlias = tuple[Part, pl.Schema]


class Skipped(NamedTuple):
    """A file whose rows are not in the result, and why."""

    path: str
    reason: str


class Readable(NamedTuple):
    """Parts to be read, each with the query for its rows, and those that cannot be."""

    queries: list[tuple[Part, pl.LazyFrame]]
    skipped: list[Skipped]
    types: dict[str, pl.DataType]  # that columns get which have several


def first_schema(parts: Sequence[Part], on_error: Literal["raise", "skip"]) -> pl.Schema:
    """Return the schema of the first part that can be read."""
    for part in parts:
        try:
            return schema_of(part)
        except InputError:
            if on_error == "raise" or part is parts[-1]:
                raise
    raise InputError("`source` holds no part")


def first_fitting(
    parts: Sequence[Part],
    on_error: Literal["raise", "skip"],
    make: Callable[..., LogRequest],
) -> tuple[Typed, LogRequest]:
    """Return the first part that can be read and has what is asked for, and what that is.

    `make` gives it of the columns of a part, and of where messages say that they are.
    """
    first: InputError | None = None
    several = len(parts) > 1
    for part in parts:
        try:
            schema = schema_of(part)
            is_told = several or part.path is None
            return (part, schema), make(schema, place=part.place if is_told else "")
        except InputError as error:
            if on_error == "raise" or part.path is None:
                raise
            first = first or error
    raise first or InputError("`source` holds no part")


def readable(
    parts: Sequence[Part],
    request: LogRequest,
    on_error: Literal["raise", "skip"],
    first: Typed | None = None,
) -> Readable:
    """Return the queries for the rows of all parts, their columns of one type each.

    `first`: the part of the log whose kinds of columns others must have, if it is known.

    Raises
    ------
    InputError
        A file that cannot be read, lacks a column or has one of labels, scores or keys that is of
        another kind than in other files, unless such are skipped.
    """
    good: list[Typed] = []
    skipped = []
    needed = list(columns_of(request))
    for part in parts:
        try:
            schema = schema_of(part)
            check_columns(needed, schema, part.place)
        except InputError as why:
            if on_error == "raise" or part.path is None:
                raise
            skipped.append(Skipped(part.path, str(why)))
        else:
            good.append((part, schema))
    if on_error == "skip":
        good, others = _of_first_kind([name for _, name in needed], good, first)
        skipped += others
    common = {name: _common(argument, name, good) for argument, name in needed}
    types = {name: to for name, to in common.items() if to is not None}
    queries = [(part, request.rows(with_types(part.frame, schema, types))) for part, schema in good]
    return Readable(queries, skipped, types)


def with_types(
    frame: pl.LazyFrame, schema: pl.Schema, types: Mapping[str, pl.DataType]
) -> pl.LazyFrame:
    """Return the query with columns cast to the types that they have in all parts."""
    casts = [pl.col(name).cast(to) for name, to in types.items() if schema[name] != to]
    return frame.with_columns(casts) if casts else frame


def cannot_be_read(part: Part, error: Exception) -> InputError:
    """Return the error of a part that is broken. Raises MemoryError: it is not the part."""
    if f"os error {errno.ENOMEM}" in str(error):
        raise MemoryError(str(error)) from error
    return InputError(f"{part.path or '`source`'} cannot be read: {reason(error)}")


def schema_of(part: Part) -> pl.Schema:
    """Return the types of the columns of a part. Raises InputError."""
    try:
        return part.frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise cannot_be_read(part, error) from error


def columns_of(request: LogRequest) -> Iterator[tuple[str, str]]:
    """Yield the columns that are read, each with the argument that names it."""
    values = request.arguments_of_values
    for name, argument in values.items():
        yield argument, name
    expressions = [("by", one) for one in request.key_expressions]
    if request.where is not None:
        expressions.append(("where", request.where))
    seen = set(values)
    cluster = request.counting.cluster
    if cluster is not None and cluster not in seen:
        seen.add(cluster)
        yield "cluster", cluster
    for argument, expression in expressions:
        for name in expression.meta.root_names():
            if name not in seen:
                seen.add(name)
                yield argument, name


def _of_first_kind(
    names: list[str], parts: list[Typed], first: Typed | None
) -> tuple[list[Typed], list[Skipped]]:
    """Return the files whose columns are of the kinds of the first one, and the others."""
    kinds: dict[str, Typed] = {}
    good, others = [], []
    for part, schema in parts if first is None else [first, *parts]:
        types = {name: schema[name] for name in names if schema.get(name, pl.Null) != pl.Null}
        odd = next((n for n, t in types.items() if n in kinds and _differ(t, kinds[n][1][n])), None)
        if odd is None or part.path is None:
            kinds = dict.fromkeys(types, (part, schema)) | kinds
            good.append((part, schema))
        else:
            of, its = kinds[odd]
            why = (types[odd], part.path, its[odd], of.path or "other rows")
            others.append(Skipped(part.path, other_kind(odd, *why)))
    return good if first is None else good[1:], others


def _differ(one: pl.DataType, two: pl.DataType) -> bool:
    return family(one) != family(two)


def other_kind(name: str, two: pl.DataType, path: str, one: pl.DataType, of: str) -> str:
    """Return what is said of a column whose values are of two kinds."""
    return f"the column {name!r} is {two} in {path} and {one} in {of}; wanted one kind in all"


def _common(argument: str, name: str, parts: list[Typed]) -> pl.DataType | None:
    """Return the type that a column gets in all parts; None: each part's own will do."""
    types = {schema[name]: part for part, schema in reversed(parts)}
    types.pop(pl.Null(), None)
    if len(types) < 2:
        return None
    families = {family(dtype): (dtype, part) for dtype, part in types.items()}
    if len(families) > 1:
        (one, of_one), (two, of_two), *_ = families.values()
        places = {id(part): part.path or f"frame {at}" for at, (part, _) in enumerate(parts)}
        raise InputError(other_kind(name, two, places[id(of_two)], one, places[id(of_one)]))
    dtypes = list(types)
    if all(isinstance(dtype, _TEXTS) for dtype in dtypes):
        return pl.String()
    if argument in ("y_true", "y_pred"):
        return None  # whole numbers of any width are the same labels
    columns = [pl.Series(dtype=dtype) for dtype in dtypes]
    both: pl.DataType = pl.concat(
        [column.to_frame("x") for column in columns], how="vertical_relaxed"
    ).schema["x"]
    return both


def family(dtype: pl.DataType) -> str:
    """Return what values of a type are: types of one family add up."""
    if dtype.is_numeric():
        return "number"
    return "text" if isinstance(dtype, _TEXTS) else str(dtype)
