"""What every topic of fairness reads: groups, their measures, and what was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from confmat.fairness.between import Spread, spread
from confmat.fairness.criteria import Criterion, criteria
from confmat.fairness.groups import Groups, Ints
from confmat.fairness.measures import Measures
from confmat.intervals.levels import Floats
from confmat.objects.base import ObjectBase

if TYPE_CHECKING:
    from typing_extensions import Self


class FairnessBase(ObjectBase):
    """Groups with their measures, and those of all rows."""

    metrics: tuple[str, ...]
    level: float
    min_n: int
    reference: dict[str, Any] | None
    _groups: Groups
    _measures: Measures
    _is_binary: bool
    _others: Measures | None

    @classmethod
    def _around(
        cls,
        groups: Groups,
        metrics: Sequence[str],
        level: float,
        min_n: int,
        reference: dict[str, Any] | None,
        is_binary: bool,
    ) -> Self:
        made = cls.__new__(cls)
        made.metrics, made.level, made.min_n = tuple(metrics), level, min_n
        made.reference, made._is_binary = reference, is_binary
        made._groups, made._others = groups, None
        made._measures = Measures(groups, metrics, min_n, is_binary)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        asked = (self.metrics, self.level, self.min_n, self.reference, self._is_binary)
        return self._around, (self._groups, *asked)

    @cached_property
    def _overall(self) -> Measures:
        """The metrics of all rows of each combination of control values."""
        return Measures(self._groups.whole(), self.metrics, 0, self._is_binary)

    @property
    def _criteria(self) -> list[Criterion]:
        """The criteria of a table."""
        return criteria(self.metrics, self._is_binary)

    def _spread(self, of: Criterion, rows: Ints) -> Spread:
        return spread(of, [self._measures[name].take(rows) for name in of.metrics], self.level)

    def _n(self) -> pl.Series:
        n = pl.Series("n", self._measures.n)
        return n.cast(pl.Int64) if (n == n.round()).all() else n

    def _rest(self, make: Callable[[], Measures]) -> Measures:
        """Return the measures of the rest of each group, made once."""
        if self._others is None:
            self._others = make()
        return self._others

    def _rows(
        self,
        metric: str | None,
        columns: Mapping[str, Floats],
        reasons: Sequence[str | None],
    ) -> pl.DataFrame:
        """Return a frame of all groups: keys, rows, the metric, numbers (null for nan), reasons."""
        named = [] if metric is None else [pl.Series("metric", [metric] * len(reasons), pl.String)]
        numbers = [
            pl.Series(name, values, nan_to_null=True, dtype=pl.Float64)
            for name, values in columns.items()
        ]
        why = pl.Series("reason", list(reasons), dtype=pl.String)
        return pl.DataFrame([*self._groups.keys.get_columns(), self._n(), *named, *numbers, why])

    def _tidy(self, frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
        """Return frames of metrics as one, group by group."""
        order = pl.struct(self._groups.keys.columns).rank("dense")
        return pl.concat(frames).sort(order, maintain_order=True)
