"""An object for each group of rows, and what is read of it: for rows of many columns.

Many classes and label sets take any number of columns, of any type that their objects take. Their
rows are collected a group, and each group becomes the object that `cm.multiclass_sweep` or
`cm.multilabel` makes of such rows; its kernels use every core.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import polars as pl

from confmat.errors import ConfmatError, InputError
from confmat.frames.asked import ENDS, REASONS, with_ends
from confmat.frames.expressions import IntoExpr, column_of
from confmat.frames.object_intervals import ends_of
from confmat.intervals.levels import Confidence
from confmat.objects.multiclass_sweep import MulticlassSweep
from confmat.objects.multiclass_sweeping import multiclass_sweep
from confmat.objects.multilabel_matrix import MultilabelMatrix, multilabel
from confmat.objects.multilabel_sweep import MultilabelSweep, multilabel_sweep
from confmat.objects.states import from_bytes

IntoColumns: TypeAlias = IntoExpr | Sequence[IntoExpr]  # one List or Array column, or K columns
RowsObject: TypeAlias = MulticlassSweep | MultilabelMatrix | MultilabelSweep

_MAKERS: dict[str, Callable[..., Any]] = {
    "classes": multiclass_sweep,
    "sets": multilabel,
    "set scores": multilabel_sweep,
}
# Rows of each, to try what is asked before a query runs.
_TWO = [[True, False], [False, True]]
_SAMPLES: dict[str, tuple[Any, Any]] = {
    "classes": ([0, 1], [[1.0, 0.0], [0.0, 1.0]]),
    "sets": (_TWO, _TWO),
    "set scores": (_TWO, [[1.0, 0.0], [0.0, 1.0]]),
}


@dataclass(frozen=True)
class Rows:
    """What objects are made of: columns, and the options of the function that makes them."""

    kind: str  # of `_MAKERS`
    y_true: IntoColumns
    other: IntoColumns  # predicted sets, or scores
    sample_weight: IntoExpr | None
    options: dict[str, Any]

    def expression(self, read: Callable[[Any], Any], dtype: Any) -> pl.Expr:
        """Return what `read` makes of the object of each group, a column of `dtype`."""
        fields = {"y_true": _together(self.y_true), "other": _together(self.other)}
        if self.sample_weight is not None:
            fields["sample_weight"] = column_of(self.sample_weight)
        rows = pl.struct([column.alias(name) for name, column in fields.items()])
        made = _Each(self.kind, self.options, read, dtype)
        lists = rows.implode(maintain_order=False)
        return lists.map_batches(made, return_dtype=dtype, is_elementwise=True)

    def sample(self) -> RowsObject:
        """Return the object of a few rows; it refuses what every other one would refuse."""
        options = {name: value for name, value in self.options.items() if name != "labels"}
        made: RowsObject = _MAKERS[self.kind](*_SAMPLES[self.kind], **options)
        return made


@dataclass(frozen=True)
class _Each:
    """The function of a query: lists of rows in, what is read of their objects out."""

    kind: str
    options: dict[str, Any]
    read: Callable[[Any], Any]
    dtype: Any

    def __call__(self, lists: pl.Series) -> pl.Series:
        found = [None if rows is None else self._of(rows) for rows in lists]
        return pl.Series(lists.name, found, dtype=self.dtype)

    def _of(self, rows: pl.Series) -> Any:
        columns = rows.struct.unnest()
        truth: Any
        other: Any
        truth, other = (_values(columns[name]) for name in ("y_true", "other"))
        weight = columns["sample_weight"] if "sample_weight" in columns.columns else None
        options = self.options
        if self.kind != "classes":
            # Columns of one frame cannot be named alike: their order tells their label.
            if isinstance(truth, pl.DataFrame) and options["labels"] is None:
                options = options | {"labels": truth.columns}
            truth, other = (
                one.get_columns() if isinstance(one, pl.DataFrame) else one
                for one in (truth, other)
            )
        try:
            made = _MAKERS[self.kind](truth, other, sample_weight=weight, **options)
            return self.read(made)
        except ConfmatError as error:
            if rows.is_empty():  # as where Polars asks for the type of a column
                raise
            raise type(error)(f"in a group of {len(rows)} rows: {error}") from None


@dataclass(frozen=True)
class Metrics:
    """Totals and metrics of an object as the fields of a Struct."""

    names: tuple[str, ...]
    weighted: bool
    undefined: float | None
    reasons: bool
    ci: Confidence | None = None  # of intervals; None: without
    draws: bool = False  # also intervals that take rows drawn again

    def __call__(self, of: Any) -> dict[str, Any]:
        """Return the values of the fields."""
        out: dict[str, Any] = {"n": of.n, "n_dropped": of.n_dropped + getattr(of, "n_nan", 0)}
        known = {} if self.ci is None else ends_of(of, self.names, self.ci, self.draws)
        values = {name: of.value(name) for name in self.names}
        for name, value in values.items():
            out[name] = self.undefined if math.isnan(value) else value
            if name in known:
                out |= dict(zip((name + end for end in ENDS), known[name][:2], strict=True))
        if self.reasons:
            why = {name: ends[2] for name, ends in known.items()}
            out[REASONS] = {
                name: (of.reason(name) if math.isnan(value) else None) or why.get(name)
                for name, value in values.items()
            }
        return out

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the metrics, each before the ends of its interval."""
        return with_ends(self.names, self.ci)

    @property
    def dtype(self) -> pl.Struct:
        """The type of the Struct."""
        fields: dict[str, Any] = {"n": pl.Float64 if self.weighted else pl.UInt64}
        fields |= {"n_dropped": pl.UInt64} | dict.fromkeys(self.fields, pl.Float64)
        if self.reasons:
            fields[REASONS] = pl.Struct(dict.fromkeys(self.names, pl.String))
        return pl.Struct(fields)


@dataclass(frozen=True)
class ReadSweeps:
    """What a query reads of its own states of scores."""

    asked: Metrics

    def __call__(self, states: pl.Series) -> pl.Series:
        """Return the Struct of each state."""
        found = [None if one is None else self.asked(from_bytes(one)) for one in states]
        return pl.Series(states.name, found, dtype=self.asked.dtype)


@dataclass(frozen=True)
class StateBytes:
    """The state of an object as bytes, of scores in bins."""

    bins: Any  # as `to_state` of the object takes them

    def __call__(self, of: RowsObject) -> bytes:
        """Return the bytes."""
        return (of if isinstance(of, MultilabelMatrix) else of.to_state(self.bins)).to_bytes()


def are_several(columns: IntoColumns | None) -> bool:
    """Return whether an argument is a list of columns."""
    return isinstance(columns, Sequence) and not isinstance(columns, (str, bytes, pl.Series))


def _together(columns: IntoColumns) -> pl.Expr:
    """Return several columns as one Struct; one stays as it is."""
    if isinstance(columns, (str, pl.Expr, pl.Series)):
        return column_of(columns)
    if not columns:
        raise InputError("a list of columns is empty; wanted the names of one or more")
    for at, one in enumerate(columns):
        if not isinstance(one, (str, pl.Expr, pl.Series)):
            raise InputError(
                f"a list of columns has {type(one).__name__} at position {at}; wanted a name"
            )
    return pl.struct([column_of(one) for one in columns])


def _values(column: pl.Series) -> pl.Series | pl.DataFrame:
    """Return columns that travelled as a Struct as a frame; a list of one, of lists, as these."""
    if not isinstance(column.dtype, pl.Struct):
        return column
    frame = column.struct.unnest()
    first = frame.to_series(0)
    one = frame.width == 1 and isinstance(first.dtype, (pl.List, pl.Array))
    return first if one else frame
