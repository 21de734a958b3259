"""Differences of metrics of two models' scores of many classes, which are read from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from confmat.intervals.levels import Floats
from confmat.labels import Label
from confmat.matrices.joint_influence import PairedRate
from confmat.multiclass.counted_rows import CountedRows, rows_of
from confmat.multiclass.precision_intervals import ENOUGH, PRECISION, fewest
from confmat.multiclass.row_changes import right_of_top, row_changes
from confmat.multiclass.values import asked as asked_of
from confmat.objects.multiclass_sweeping import multiclass_sweep
from confmat.paired.asked import Asked
from confmat.paired.clusters import WEIGHT
from confmat.paired.difference import DELTA, Difference, of_rate
from confmat.paired.paired_rows import MEAN, TRUTH, A, B, PairedRows
from confmat.paired.scored import DELONG
from confmat.scores.clipping import clip_of
from confmat.scores.delong import Mask

_AREA, _TOP = "roc_auc", "top_k_accuracy"
_BINNED = ("classwise_ece", "top_label_ece")


class ClassRows(PairedRows):
    """Rows of one slice with two scores of each class.

    Means of areas of one class against the rest, or of pairs, have the standard error of the sum of
    what each row adds to the areas of all classes, those of a class being a sample of their own;
    top-k accuracy is a rate of both models' rows; losses are means over rows.

    Parameters
    ----------
    rows : pl.DataFrame
        Columns of truth, and of each class `A` and `B` with its number; also of weights and
        clusters, where there are such.
    asked : Asked
        How differences are read.
    labels : sequence
        The classes, in order.
    """

    def __init__(self, rows: pl.DataFrame, asked: Asked, labels: Sequence[Label]) -> None:
        states: list[Any] = []
        if rows.height:
            weights = rows[WEIGHT] if WEIGHT in rows.columns else None
            of_classes = [[rows[f"{side}{at}"] for at in range(len(labels))] for side in (A, B)]
            states = [
                multiclass_sweep(rows[TRUTH], columns, labels=labels, sample_weight=weights)
                for columns in of_classes
            ]
        super().__init__(rows, asked, states)

    @property
    def alone(self) -> str:
        """Why there is no error of few rows."""
        return "a class has one row alone" if self._rows.height > 1 else super().alone

    @property
    def are_probabilities(self) -> bool:
        """Whether all rows of both models hold probabilities."""
        return not any(state._sums["not_probabilities"] for state in self._states)

    def difference(self, name: str) -> Difference:
        """Return the difference of a metric; of a rate the ends are left to `with_ends`."""
        told, rate = super().difference(name), self._rate(name)
        return told if rate is None else of_rate(rate, told, self._asked)

    def _rate(self, name: str) -> PairedRate | None:
        """Return the rows behind top-k accuracy; None: it is another metric, or has an error."""
        base, given = asked_of(name, {})
        of_errors = self._asked.method == DELTA or self._weights is not None
        if base != _TOP or of_errors or self._clusters is not None:
            return None
        if not self.n or self.n < self._asked.min_n:
            return None
        a, b = (right_of_top(rows, given.get("k", 2)) > 0 for rows in self._counted)
        counts = (a & b, a & ~b, b & ~a, ~(a | b))
        return PairedRate(*(int(one.sum()) for one in counts))

    def _value(self, state: Any, name: str) -> float:
        base, given = asked_of(name, {})
        return float("nan") if state._why_not_kept(base, given) else super()._value(state, name)

    def _metric(self, name: str) -> str:
        return name

    def _why_none(self, metric: str, values: tuple[float, float]) -> str | None:
        base, given = asked_of(metric, {})
        if base in _BINNED:
            return f"{base} is of bins that shift with the rows, so that no interval holds"
        if base != PRECISION:
            return None
        average = given.get("average", "macro")
        rows = fewest(self._counted[0].codes, average)
        if rows >= ENOUGH:
            return None
        of = "" if average == "micro" else " of each class"
        return f"{metric} has an interval of {ENOUGH} rows{of} or more, and there are {rows:g}"

    def _method(self, metric: str) -> str:
        base = asked_of(metric, {})[0]
        if base == _AREA:
            return DELONG
        return DELTA if base == PRECISION or base.startswith("d2_") else MEAN

    def _classes(self, metric: str) -> list[Mask]:
        base, given = asked_of(metric, {})
        is_macro = base in (_AREA, PRECISION) and given.get("average", "macro") == "macro"
        return self._samples() if is_macro else super()._samples()

    def _samples(self) -> list[Mask]:
        codes = self._counted[0].codes
        return [codes == at for at in np.unique(codes)]

    def _added(self, name: str, metric: str, values: tuple[float, float]) -> Floats:
        base, given = asked_of(name, {})
        one, other = (
            row_changes(rows, base, value, given, clip_of(state._score_type))
            for rows, value, state in zip(self._counted, values, self._states, strict=True)
        )
        moved: Floats = self._counted[0].share * (other - one)
        return moved

    @cached_property
    def _counted(self) -> list[CountedRows]:
        return [rows_of(state) for state in self._states]
