"""Differences of metrics of two scores of the same rows, which are read from the rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.labels import Label
from confmat.name_calls import base_of
from confmat.objects.sweep import Sweep
from confmat.objects.sweeping import sweep
from confmat.paired.asked import Asked
from confmat.paired.clusters import WEIGHT
from confmat.paired.paired_rows import MEAN, TRUTH, A, B, without_nan
from confmat.paired.redrawn_rows import RedrawnRows
from confmat.paired.score_bootstrapping import (
    Difference,
    difference_of_areas,
    difference_of_means,
    difference_of_sweeps,
)
from confmat.registry import find, is_score_metric
from confmat.scores.delong import Mask, lost_placements

_NONE: Mask = np.empty(0, np.bool_)
DELONG = "delong"
# The largest of many distances, and means of them, are never below 0: drawn again they grow, most
# where they are small, so that the difference of two is off by more than it varies.
_BIASED = ("ks", "eer", "ece", "mce", "rms_ce", "smooth_ece")
_AREAS = {"roc_auc": 1, "gini": 2}  # and how far they change with the area


class ScoredRows(RedrawnRows):
    """Rows of one slice with two scores.

    The area under the ROC curve has DeLong's standard error; the Brier score and log loss, means of
    what each row costs, that of the mean of the differences.

    Parameters
    ----------
    rows, asked
        As of `RedrawnRows`.
    labels : list
        The two classes of all rows, the positive one last.
    """

    def __init__(self, rows: pl.DataFrame, asked: Asked, labels: list[Label]) -> None:
        weights = rows[WEIGHT] if WEIGHT in rows.columns else None
        sweeps: tuple[Sweep, ...] = ()
        if rows.height:
            sweeps = tuple(
                sweep(rows[TRUTH], rows[name], pos_label=labels[-1], sample_weight=weights)
                for name in (A, B)
            )
        super().__init__(rows, asked, sweeps)
        self._positive: Mask = (rows[TRUTH] == labels[-1]).to_numpy() if rows.height else _NONE

    @property
    def alone(self) -> str:
        """Why there is no error of few rows."""
        return "a class has one row alone"

    def _why_none(self, metric: str, values: tuple[float, float]) -> str | None:
        if metric not in _BIASED:
            return None
        return (
            f"{metric} grows where rows are drawn again, so that no interval of a difference holds"
        )

    def _has_formula(self, metric: str) -> bool:
        return metric in _AREAS or metric in _COSTS

    def _is_drawn(self, name: str) -> bool:
        if not is_score_metric(name):
            return False
        metric = find(base_of(name))["name"]
        return not self._has_formula(metric) and metric not in _BIASED

    def _method(self, metric: str) -> str:
        return DELONG if metric in _AREAS else MEAN

    def _classes(self, metric: str) -> list[Mask]:
        return self._samples() if metric in _AREAS else super()._samples()

    def _samples(self) -> list[Mask]:
        return [self._positive, ~self._positive]

    def _of_weights(self, name: str) -> Difference:
        metric = find(name)["name"]
        if metric in _AREAS:
            a, b = self._both()
            return difference_of_areas(self._positive, a, b, _AREAS[metric])
        one, other = self._costs(metric)
        return difference_of_means(other - one)

    def _all_of_weights(self, names: list[str]) -> Difference:
        clips = [one.clip for one in self._states]
        return difference_of_sweeps(names, self._positive, self._both(), clips)

    def _added(self, name: str, metric: str, values: tuple[float, float]) -> Floats:
        positive, (a, b), weights = self._positive, self._both(), self._weights
        w = self._every_weight()
        change = values[1] - values[0]
        if metric in _AREAS:
            scale = _AREAS[metric]
            lost_a, lost_b = (lost_placements(positive, one, weights) for one in (a, b))
            of_class = np.where(positive, w[positive].sum(), w[~positive].sum())
            moved: Floats = w * (scale * (lost_a - lost_b) - change) / of_class
            return moved
        one, other = self._costs(metric)
        of_rows: Floats = w * (other - one - change) / w.sum()
        return of_rows

    def _costs(self, metric: str) -> list[Floats]:
        return [
            _COSTS[metric](one, self._positive, of.clip)
            for one, of in zip(self._both(), self._states, strict=True)
        ]


def _brier(scores: Floats, positive: Mask, clip: float) -> Floats:
    return (scores - positive) ** 2


def _log_loss(scores: Floats, positive: Mask, clip: float) -> Floats:
    held = np.clip(scores, clip, 1 - clip)
    return -np.log(np.where(positive, held, 1 - held))


_COSTS = {"brier": _brier, "log_loss": _log_loss}  # of each row


def classes_of(rows: pl.DataFrame, pos_label: Label | None) -> list[Label]:
    """Return the two classes of rows, the positive one last.

    Raises
    ------
    InputError
        More than two, or none of them is known to be positive.
    """
    truth = rows[TRUTH]
    truth = (truth.fill_nan(None) if truth.dtype.is_float() else truth).drop_nulls()
    if not len(truth):
        return [0, 1]
    n = truth.n_unique()
    if n > 2:
        raise InputError(
            f"`y_true` has {n:,} classes, and `y_score` one column of each model; wanted scores of "
            "each class, {model: [columns]}, or two classes"
        )
    nothing = pl.zeros(len(truth), dtype=pl.Float64, eager=True)
    return list(sweep(truth, nothing, pos_label=pos_label).labels)


def known_rows(rows: pl.DataFrame, nan: str, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return the rows that have all that is compared; refuse a score that is nan, or drop it.

    `columns`: those of the scores, and what users call them.
    """
    if rows[TRUTH].dtype.is_float():  # whole numbers, and nan for null
        rows = rows.with_columns(pl.col(TRUTH).fill_nan(None))
    return without_nan(rows, nan, {at: f"`y_score` {column!r}" for at, column in columns.items()})
