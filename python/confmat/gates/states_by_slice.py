"""States by any of their keys, and the numbers of the slices that are expected something of."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from confmat.errors import InputError, StateError
from confmat.frames.partials import merge, no_state
from confmat.frames.roll_up import GROUPING
from confmat.gates.expectation import Expectation
from confmat.gates.numbers import numbers_of
from confmat.labels import listing
from confmat.logs.evaluation import Evaluation
from confmat.slices.reading import checked_parts, keys_of

_OF_CLUSTERS = "intervals of `check` take rows as independent, and `cluster` says they are not"


class Slice(NamedTuple):
    """Numbers of one slice."""

    n: float
    value: float | None
    low: float | None
    high: float | None
    reason: str | None
    no_interval: str | None


class StatesBySlice:
    """States by any of their keys, merged once."""

    def __init__(self, states: Any, argument: str) -> None:
        is_evaluation = isinstance(states, Evaluation)
        parts = states.states() if is_evaluation else states
        self._has_clusters = is_evaluation and states._request.counting.cluster is not None
        self.parts = checked_parts(parts, argument)
        self.argument = argument
        self.keys = keys_of(self.parts)
        if GROUPING in self.keys:
            raise InputError(
                f"`{argument}` has a column {GROUPING!r}: it holds some rows in several slices; "
                "wanted the finest ones alone"
            )
        try:
            self._by = {tuple(self.keys): merge(self.parts)}
        except StateError as why:
            raise InputError(no_state(self.parts, argument) or str(why)) from None

    def by(self, keys: Sequence[str]) -> pl.DataFrame:
        """Return the states by some keys."""
        wanted = tuple(keys)
        if wanted not in self._by:
            self._by[wanted] = merge(self.parts, by=list(wanted))
        return self._by[wanted]

    def slices(self, asked: Expectation, keys: Sequence[str]) -> dict[tuple[Any, ...], Slice]:
        """Return the numbers of the slices that are meant, by the values of their keys."""
        for key in keys:
            if key not in self.keys:
                option = next(
                    (name for name in ("slice", "each") if key in getattr(asked, name)), None
                )
                why = f"there is no key {key!r} in `{self.argument}`; the keys are "
                raise asked.error(f"{why}{listing(self.keys)}", option)
        found = self.by(keys)
        for key, value in asked.slice.items():
            _check_type(asked, key, value, found.schema[key])
            found = found.filter(pl.Series([one == value for one in found[key]], dtype=pl.Boolean))
        if found.is_empty() or self.parts.is_empty():
            return {}
        values = found.select(keys).rows() if keys else [()]
        told = numbers_of(found, asked).iter_rows()
        found_numbers = {of: Slice(*numbers) for of, numbers in zip(values, told, strict=True)}
        if not self._has_clusters:
            return found_numbers
        # Too narrow, as if the rows of one cluster were independent.
        return {
            of: numbers._replace(low=None, high=None, no_interval=_OF_CLUSTERS)
            for of, numbers in found_numbers.items()
        }


def _check_type(asked: Expectation, key: str, value: Any, dtype: pl.DataType) -> None:
    """Refuse a value that no row of a key can have."""
    fits = {
        bool: dtype == pl.Boolean,
        str: dtype.base_type() in (pl.String, pl.Categorical, pl.Enum),
        int: dtype.is_numeric(),
        float: dtype.is_numeric(),
        datetime.datetime: dtype.base_type() is pl.Datetime,
        datetime.date: dtype == pl.Date,
        datetime.time: dtype == pl.Time,
    }
    if not fits.get(type(value), False):
        why = f"`slice` has {value!r} as {key!r}, and the key is {dtype}"
        raise asked.error(why, "slice")
