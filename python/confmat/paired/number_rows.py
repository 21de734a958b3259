"""Differences of metrics of two predictions of the same numbers, which are read from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.intervals.levels import Floats
from confmat.moments.names import exact, fact_of, needs_more_sums
from confmat.objects.regressing import regression
from confmat.objects.regression import Regression
from confmat.paired.asked import Asked
from confmat.paired.difference import DELTA
from confmat.paired.paired_rows import MEAN, TRUTH, A, B
from confmat.paired.redrawn_rows import RedrawnRows
from confmat.paired.row_terms import added, divides_by_value, has_terms, is_mean
from confmat.paired.score_bootstrapping import Difference
from confmat.scores.delong import Mask

# They rest on single rows, of which rows that are drawn again tell little.
_OF_EXTREMES = ("max_error", "nrmse")
_ROUNDING = 1e-12  # of what rows add to each model, in the largest


class NumberRows(RedrawnRows):
    """Rows of one slice with a true number and two predictions.

    Means of errors have the standard error of the mean of the differences of the rows, other
    metrics of sums that of the delta method; below 30 rows with Student's t.
    """

    def __init__(self, rows: pl.DataFrame, asked: Asked) -> None:
        self._known: dict[tuple[str, ...], list[Regression]] = {}
        super().__init__(rows, asked, ())
        self._states = self._having("mae") if rows.height else ()

    def _having(self, name: str) -> Sequence[Any]:
        sums = _sums_of([name])
        if sums not in self._known:
            self._known[sums] = [
                regression(
                    self._rows[TRUTH], self._rows[of], sample_weight=self._weights, metrics=sums
                )
                for of in (A, B)
            ]
        return self._known[sums]

    def _why_none(self, metric: str, values: tuple[float, float]) -> str | None:
        if metric in _OF_EXTREMES:
            return f"{metric} rests on single rows, and so has no interval"
        fact = fact_of(metric)
        for model, value in zip("ab", values, strict=True):
            if divides_by_value(metric) and value in (fact["lo"], fact["hi"]):
                return f"{model}: the value is at an end of its range"
        return None

    def _has_formula(self, metric: str) -> bool:
        return has_terms(metric)

    def _is_drawn(self, name: str) -> bool:
        metric = fact_of(name)["name"]
        return not has_terms(metric) and metric not in _OF_EXTREMES

    def _method(self, metric: str) -> str:
        return MEAN if is_mean(metric) else DELTA

    def _classes(self, metric: str) -> list[Mask]:
        return self._samples()

    def _all_of_weights(self, names: list[str]) -> Difference:
        truth, (a, b), sums = self._truth(), self._both(), list(_sums_of(names))

        def of(prediction: Floats, weights: Floats) -> Floats:
            found, _ = _core.regression(truth, prediction, weights, sums, False).values(names)
            return np.array(found, np.float64)

        def change(weights: Floats) -> Floats:
            return np.array([of(b, row) - of(a, row) for row in weights], np.float64)

        return change

    def _added(self, name: str, metric: str, values: tuple[float, float]) -> Floats:
        w, truth = self._every_weight(), self._truth()
        one, other = (
            added(state, name, truth, prediction)
            for state, prediction in zip(self._having(name), self._both(), strict=True)
        )
        gap = other - one
        gap[np.abs(gap) <= _ROUNDING * max(np.abs(one).max(), np.abs(other).max())] = 0.0
        moved: Floats = w * gap / w.sum()
        return moved

    def _truth(self) -> Floats:
        truth: Floats = self._rows[TRUTH].cast(pl.Float64).to_numpy()
        return truth


def _sums_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return what a state has to keep for these metrics."""
    return exact([name for name in names if needs_more_sums(name)])
