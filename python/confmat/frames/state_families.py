"""Which kinds of states have the metrics asked for, and the rows that their objects read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import polars as pl

from confmat import _core
from confmat.errors import InputError, StateError
from confmat.frames.asked import OTHERS, REASONS, TOTALS
from confmat.frames.expressions import metric_names
from confmat.frames.objects_by_group import Metrics, Rows
from confmat.frames.score_expressions import score_metric_names
from confmat.moments.names import regression_names
from confmat.objects.any_sweep import AnySweep
from confmat.objects.states import from_bytes
from confmat.own_definitions import renewed
from confmat.registry import is_regression_metric, is_score_metric
from confmat.state_kinds import StateKind

_OF_SWEEPS = ("roc_auc_lo", "roc_auc_hi", "is_exact")
CURVES = 2  # of StateKind.BINS, too
Kinds: TypeAlias = tuple[int, ...]


@lru_cache(maxsize=3)
def _sample(kind: str) -> Any:
    return Rows(kind, "", "", None, {}).sample()


# Refuses a name that no state of this kind has a number of.
_READ: dict[int, Callable[[str], object]] = {
    StateKind.COUNTS: lambda name: metric_names((name,)),
    StateKind.BINS: lambda name: score_metric_names((name,)),
    StateKind.CLASSES: lambda name: _sample("classes").value(name),
    StateKind.SETS: lambda name: _sample("sets").value(name),
    StateKind.SET_SCORES: lambda name: _sample("set scores").value(name),
    StateKind.MOMENTS: lambda name: regression_names((name,)),
}


def kinds_of(metrics: Sequence[str]) -> Kinds:
    """Return the kinds of states that have all these metrics.

    Raises
    ------
    InputError
        A name that no kind has, or names that no kind has together.
    """
    known = tuple(_READ)
    for at, name in enumerate(metrics):
        of_name = _kinds_of(name)
        if not of_name:
            is_of = {StateKind.BINS: is_score_metric, StateKind.MOMENTS: is_regression_metric}
            refuse = next((kind for kind, of in is_of.items() if of(name)), StateKind.COUNTS)
            _READ[refuse](name)
        both = tuple(kind for kind in known if kind in of_name)
        if not both:
            before = ", ".join(map(repr, metrics[:at]))
            raise InputError(
                f"`metrics` holds {name!r}, a metric of {_listed(of_name)}, beside {before} of "
                f"{_listed(known)}; a state is of one of them"
            )
        known = both
    return known


@dataclass(frozen=True)
class ReadStates:
    """What a query reads of states by their objects; a state of another kind is refused."""

    kinds: Kinds
    asked: Metrics
    dtype: pl.Struct

    def __call__(self, states: pl.Series) -> pl.Series:
        """Return the Struct of each state; of a null all is null but the rows left out, 0."""
        found = [self._at(row, one) for row, one in enumerate(states)]
        return pl.Series(states.name, found, dtype=self.dtype)

    def _at(self, row: int, state: bytes | None) -> dict[str, Any]:
        try:
            return self._of(state)
        except StateError as why:
            raise StateError(f"a state at row {row} (of the rows read together): {why}") from None

    def _of(self, state: bytes | None) -> dict[str, Any]:
        fields = [field.name for field in self.dtype.fields]
        of_none = {"n_dropped": 0, "n_other": 0}
        row: dict[str, Any] = {name: of_none.get(name) for name in fields}
        if state is None:
            return row
        kind = _core.state_kind(state)
        if (StateKind.BINS if kind == CURVES else kind) not in self.kinds:
            of, metric = _core.state_kinds()[kind]
            hint = f"name metrics of {of}, such as {metric!r}" if metric else "it has none by name"
            raise InputError(
                f"a state of {of}, and the metrics are of {_listed(self.kinds)}: {hint}"
            )
        found = from_bytes(state)
        row |= self.asked(found)
        if isinstance(found, AnySweep):
            bounds = found.roc_auc_bounds
            row |= dict(zip(_OF_SWEEPS, (*map(_known, bounds), found.is_exact), strict=True))
        return row


@dataclass(frozen=True)
class CompletedStates:
    """Rows that the core read, completed with those that it left to objects."""

    read: ReadStates

    def __call__(self, rows: pl.Series) -> pl.Series:
        """Return the Struct without the states that were left."""
        others = rows.struct.field(OTHERS)
        known = rows.struct.unnest().drop(OTHERS).to_struct(rows.name)
        if others.null_count() == len(others):
            return known
        out: pl.Series = known.zip_with(others.is_null(), self.read(others))
        return out


def struct_of(kinds: Kinds, asked: Metrics) -> pl.Struct:
    """Return the type of the metrics of these kinds: that of the core where it knows one."""
    fields: dict[str, Any] = {"n": pl.Float64, "n_dropped": pl.UInt64}
    if StateKind.COUNTS in kinds:
        fields |= dict.fromkeys(TOTALS[2:], pl.UInt64)
    fields |= dict.fromkeys(asked.fields, pl.Float64)
    if StateKind.BINS in kinds:
        fields |= dict(zip(_OF_SWEEPS, (pl.Float64, pl.Float64, pl.Boolean), strict=True))
    if asked.reasons:
        fields[REASONS] = pl.Struct(dict.fromkeys(asked.names, pl.String))
    return pl.Struct(fields)


@renewed
def _kinds_of(name: str) -> Kinds:
    return tuple(kind for kind in _READ if is_of_kind(kind, name))


def is_of_kind(kind: int, name: str) -> bool:
    """Return whether states of a kind have a number of this name."""
    try:
        _READ[kind](name)
    except InputError:
        return False
    return True


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _listed(kinds: Kinds) -> str:
    return " or ".join(dict.fromkeys(_core.state_kinds()[kind][0] for kind in kinds))
