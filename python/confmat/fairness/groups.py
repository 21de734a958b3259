"""Groups by sensitive columns, within the values of control columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from confmat.errors import InputError
from confmat.frames.partials import merge
from confmat.frames.state_queries import SCORED, STATE
from confmat.frames.state_rates import read
from confmat.intervals.proportions import ALL
from confmat.labels import Label, shown

Ints: TypeAlias = NDArray[np.intp]
Columns: TypeAlias = str | Sequence[str] | None
# Columns of the tables that stand beside the keys.
_TAKEN = (
    *("n", "metric", "value", "low", "high", "reason", "criterion", "lowest", "highest", "groups"),
    *("other", "difference", "difference_low", "difference_high", "passes", "selection_rate"),
    *("ratio", "ratio_low", "ratio_high", "threshold", "mean_benefit", "generalized_entropy"),
    *("between_groups", "within_groups", "theil", "coefficient_of_variation"),
)


@dataclass(frozen=True)
class Groups:
    """States of groups, a row each, sorted by control and then by sensitive values."""

    frame: pl.DataFrame
    control: tuple[str, ...]
    sensitive: tuple[str, ...]
    pos_label: Label | None = None

    @cached_property
    def cells(self) -> pl.DataFrame:
        """Return `n`, tp, fp, fn and tn of each group; InputError where no class is positive."""
        return read(self.frame, ALL, self.pos_label)

    @cached_property
    def keys(self) -> pl.DataFrame:
        """The values of the columns, a row a group."""
        return self.frame.select(*self.control, *self.sensitive)

    @property
    def has_scores(self) -> bool:
        """Whether states of scores stand beside those of predicted classes."""
        return SCORED in self.frame.columns

    @cached_property
    def values(self) -> list[tuple[Any, ...]]:
        """The sensitive values of each group."""
        return self.frame.select(self.sensitive).rows()

    @cached_property
    def names(self) -> list[str]:
        """The sensitive values of each group as one text."""
        return [", ".join("null" if at is None else shown(at) for at in row) for row in self.values]

    @cached_property
    def blocks(self) -> list[Ints]:
        """The rows of each combination of control values."""
        if not self.control:
            return [np.arange(self.frame.height)]
        changes = self.frame.select(pl.struct(self.control).rle_id()).to_series().to_numpy()
        return np.split(np.arange(len(changes)), np.flatnonzero(np.diff(changes)) + 1)

    def controls(self) -> Iterator[tuple[dict[str, Any], Ints]]:
        """Yield the control values of each block, and its rows."""
        for rows in self.blocks:
            at = int(rows[0]) if len(rows) else 0
            row = self.frame.row(at, named=True) if len(rows) else {}
            yield {name: row.get(name) for name in self.control}, rows

    def whole(self) -> Groups:
        """Return all groups of each block as one."""
        return Groups(merge(self.frame, by=list(self.control)), self.control, (), self.pos_label)


def grouped(parts: Any, sensitive: Columns, control: Columns, pos_label: Label | None) -> Groups:
    """Return the states of the groups; InputError where a column is not there."""
    if not hasattr(parts, "height") or STATE not in parts.columns:
        found = type(parts).__name__
        raise InputError(f"`parts` is {found}; wanted a frame of `cm.partial` with {STATE!r}")
    by_sensitive = _columns(parts, sensitive, "sensitive")
    by_control = _columns(parts, control, "control")
    if not by_sensitive:
        raise InputError("`sensitive` is empty; wanted keys that make the groups")
    for name in by_control:
        if name in by_sensitive:
            raise InputError(f"`control` has the column {name!r}, which is in `sensitive`")
    merged = merge(parts, by=[*by_control, *by_sensitive])
    return Groups(merged, by_control, by_sensitive, pos_label)


def _columns(parts: pl.DataFrame, asked: Columns, argument: str) -> tuple[str, ...]:
    names = () if asked is None else (asked,) if isinstance(asked, str) else tuple(asked)
    keys = [name for name in parts.columns if name not in (STATE, SCORED)]
    for at, name in enumerate(names):
        if name not in keys:
            raise InputError(f"`{argument}` has {name!r}; the keys are {keys}")
        if name in _TAKEN:
            raise InputError(f"`{argument}` has {name!r}, a name of the result; rename it")
        if name in names[:at]:
            raise InputError(f"`{argument}` has the column {name!r} twice")
    return names


def found(groups: Groups, reference: Any) -> dict[str, Any]:
    """Return the sensitive values of a group that was named by a value, several, or a mapping."""
    names = groups.sensitive
    if isinstance(reference, Mapping):
        values = dict(reference)
    elif len(names) == 1 and not isinstance(reference, (tuple, list)):
        values = {names[0]: reference}
    else:
        several = list(reference) if isinstance(reference, (tuple, list)) else [reference]
        values = dict(zip(names, several, strict=False)) if len(several) == len(names) else {}
    if set(values) != set(names):
        raise InputError(f"`reference` is {reference!r}; wanted a value of each of {list(names)}")
    same = [row == tuple(values[name] for name in names) for row in groups.values]
    if not any(same):
        few = ", ".join(map(repr, dict.fromkeys(groups.names[:5])))
        raise InputError(f"`reference` is {reference!r}, and no group has it; there are {few}")
    return values


def place(groups: Groups, rows: Ints, values: Mapping[str, Any]) -> int:
    """Return the place among `rows` of the group with these values; -1 where it is not there."""
    wanted = tuple(values[name] for name in groups.sensitive)
    return next((at for at, row in enumerate(rows) if groups.values[int(row)] == wanted), -1)
