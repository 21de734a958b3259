"""Schemas of the parts of a log: all must have the columns asked for, of kinds that add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import polars as pl

from confmat.errors import InputError
from confmat.frames.request import check_columns
from confmat.logs.request import LogRequest
from confmat.logs.sources import Part
from confmat.logs.stores import reason

_TEXTS = (pl.String, pl.Categorical, pl.Enum)


class Skipped(NamedTuple):
    """A file whose rows are not in the result, and why."""

    path: str
    reason: str


class Readable(NamedTuple):
    """Parts to be read, each with the query for its rows, and those that cannot be."""

    queries: list[tuple[Part, pl.LazyFrame]]
    skipped: list[Skipped]


def first_schema(parts: Sequence[Part], on_error: Literal["raise", "skip"]) -> pl.Schema:
    """Return the schema of the first part that can be read."""
    for part in parts:
        try:
            return _schema_of(part)
        except InputError:
            if on_error == "raise" or part is parts[-1]:
                raise
    raise InputError("`source` holds no part")


def readable(
    parts: Sequence[Part], request: LogRequest, on_error: Literal["raise", "skip"]
) -> Readable:
    """Return the queries for the rows of all parts, their columns of one type each.

    Raises
    ------
    InputError
        A file that cannot be read or lacks a column, unless such are skipped; a column of labels,
        scores or keys that is of another kind in another file.
    """
    good: list[tuple[Part, pl.Schema]] = []
    skipped = []
    needed = list(_needed(request))
    for part in parts:
        try:
            schema = _schema_of(part)
            place = "" if part.path is None else f" in {part.path}"
            check_columns(needed, schema, place)
        except InputError as why:
            if on_error == "raise" or part.path is None:
                raise
            skipped.append(Skipped(part.path, str(why)))
        else:
            good.append((part, schema))
    types = {name: _common(argument, name, good) for argument, name in needed}
    queries = []
    for part, schema in good:
        casts = [
            pl.col(name).cast(to)
            for name, to in types.items()
            if to is not None and schema[name] != to
        ]
        frame = part.frame.with_columns(casts) if casts else part.frame
        queries.append((part, request.rows(frame)))
    return Readable(queries, skipped)


def cannot_be_read(part: Part, error: Exception) -> InputError:
    """Return the error of a part that is broken."""
    return InputError(f"{part.path or '`source`'} cannot be read: {reason(error)}")


def _schema_of(part: Part) -> pl.Schema:
    try:
        return part.frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise cannot_be_read(part, error) from error


def _needed(request: LogRequest) -> Iterator[tuple[str, str]]:
    """Yield the columns that are read, each with the argument that names it."""
    values = request.arguments_of_values
    for name, argument in values.items():
        yield argument, name
    expressions = [("by", one) for one in request.key_expressions]
    if request.where is not None:
        expressions.append(("where", request.where))
    seen = set(values)
    for argument, expression in expressions:
        for name in expression.meta.root_names():
            if name not in seen:
                seen.add(name)
                yield argument, name


def _common(argument: str, name: str, parts: list[tuple[Part, pl.Schema]]) -> pl.DataType | None:
    """Return the type that a column gets in all parts; None: each part's own will do."""
    types = {schema[name]: part for part, schema in reversed(parts)}
    types.pop(pl.Null(), None)
    if len(types) < 2:
        return None
    families = {family(dtype): (dtype, part) for dtype, part in types.items()}
    if len(families) > 1:
        (one, of_one), (two, of_two), *_ = families.values()
        places = {id(part): part.path or f"frame {at}" for at, (part, _) in enumerate(parts)}
        raise InputError(
            f"the column {name!r} is {two} in {places[id(of_two)]} and {one} in "
            f"{places[id(of_one)]}; wanted one kind in all"
        )
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
