"""Differences of metrics of two scores of the same rows, which are read from the rows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.reasons import too_few
from confmat.intervals.clusters import CLUSTER as CLUSTERED
from confmat.intervals.clusters import ONE_CLUSTER, numbered, of_sums
from confmat.intervals.jackknife import acceleration
from confmat.intervals.levels import Floats
from confmat.labels import Label
from confmat.objects.sweep import Sweep
from confmat.objects.sweeping import sweep
from confmat.paired.asked import Asked
from confmat.paired.bootstrapping import BOOTSTRAP
from confmat.paired.clusters import WEIGHT
from confmat.paired.difference import DELTA, Difference, nothing, with_drawn, with_error
from confmat.paired.drawn_differences import DrawnDifferences, DrawnRows
from confmat.paired.score_bootstrapping import (
    difference_of_areas,
    difference_of_means,
    difference_of_sweeps,
    replicates,
)
from confmat.registry import find, is_score_metric
from confmat.scores.delong import Mask, lost_placements

TRUTH, A, B = "__confmat_truth", "__confmat_a", "__confmat_b"
_NONE: Mask = np.empty(0, np.bool_)
ONE_ROW = "a class has one row alone"
DELONG, MEAN = "delong", "mean"
# The largest of many distances, and means of them, are never below 0: drawn again they grow, most
# where they are small, so that the difference of two is off by more than it varies.
_BIASED = ("ks", "eer", "ece", "mce", "rms_ce", "smooth_ece")
_AREAS = {"roc_auc": 1, "gini": 2}  # and how far they change with the area


class _Clusters(NamedTuple):
    of_rows: npt.NDArray[np.int64]
    n: int


class ScoredRows:
    """Rows of one slice with two scores, those without a value left out.

    Parameters
    ----------
    rows : pl.DataFrame
        Columns of truth and two scores; also of weights and clusters, where there are such.
    names : tuple of str
        The columns of the scores, for messages.
    asked : Asked
        How differences are read.
    labels : list
        The two classes of all rows, the positive one last.
    """

    def __init__(self, rows: pl.DataFrame, asked: Asked, labels: list[Label]) -> None:
        self._asked, self._rows, self._labels = asked, rows, labels
        weights = rows[WEIGHT] if WEIGHT in rows.columns else None
        self._sweeps: tuple[Sweep, ...] = ()
        if rows.height:
            pos = labels[-1]
            self._sweeps = tuple(
                sweep(rows[TRUTH], rows[name], pos_label=pos, sample_weight=weights)
                for name in (A, B)
            )
        self._positive: Mask = (rows[TRUTH] == labels[-1]).to_numpy() if rows.height else _NONE
        self._weights = None if weights is None else weights.cast(pl.Float64).to_numpy()
        self._again: DrawnDifferences | None = None
        self._clusters: _Clusters | None = None
        if CLUSTER in rows.columns:
            self._clusters = _Clusters(*numbered(rows[CLUSTER]))

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return self._sweeps[0].n if self._sweeps else 0

    def difference(self, name: str) -> Difference:
        """Return the difference of a metric of scores.

        The area under the ROC curve has DeLong's standard error; the Brier score and log loss,
        means of what each row costs, that of the mean of the differences. By the bootstrap, which
        all others have, rows, or clusters, are drawn again for both models at once.
        """
        if self.n < self._asked.min_n:
            return nothing(self.n, str(too_few(self._asked.min_n)))
        if not self.n:
            return nothing(self.n, "there are no rows")
        values = [one.value(name) for one in self._sweeps]
        for model, one, value in zip("ab", self._sweeps, values, strict=True):
            if math.isnan(value):
                return nothing(self.n, f"{model}: {one.reason(name)}", *values)
        metric = find(name.partition("(")[0])["name"]
        added = self._added(metric, values)
        if added is None:
            return self._by_drawing(name, metric, (values[0], values[1]))
        se, method, clusters = self._error(metric, added)
        of = (values[0], values[1])
        if self._asked.method == BOOTSTRAP and not math.isnan(se):
            return with_drawn(metric, self.n, of, *self._drawn(metric, added), self._asked)
        without = ONE_ROW
        if self._clusters is not None and self._clusters.n < 2:
            without = ONE_CLUSTER
        return with_error(metric, self.n, of, se, method, self._asked, clusters, without)

    def _by_drawing(self, name: str, metric: str, values: tuple[float, float]) -> Difference:
        """Return the difference of a metric whose interval takes rows drawn again."""
        asked, why = self._asked, why_not_drawn(metric)
        if asked.method == DELTA:
            why = f"{metric} has a paired interval by rows drawn again alone: leave out `method`"
        elif self._clusters is not None and self._clusters.n < 2:
            why = ONE_CLUSTER
        elif min(self._positive.sum(), (~self._positive).sum()) < 2:
            why = ONE_ROW
        if why is not None:
            return nothing(self.n, why, *values)
        if self._again is None:
            clips = [one.clip for one in self._sweeps]
            positive, scores = self._positive, self._scores()
            of_rows = None if self._clusters is None else self._clusters.of_rows
            self._again = DrawnDifferences(
                lambda names: difference_of_sweeps(names, positive, scores, clips),
                _is_drawn,
                DrawnRows(self._every_weight(), of_rows, positive, scores[0]),
                asked,
            )
        return with_drawn(metric, self.n, values, *self._again.of(name), asked)

    def _every_weight(self) -> Floats:
        return np.ones(len(self._positive)) if self._weights is None else self._weights

    def _drawn(self, metric: str, added: Floats) -> tuple[Floats, float]:
        """Return the differences of rows, or clusters, that are drawn again, and acceleration."""
        positive, (a, b) = self._positive, self._scores()
        if metric in _AREAS:
            difference = difference_of_areas(positive, a, b, _AREAS[metric])
        else:
            one, other = self._costs(metric)
            difference = difference_of_means(other - one)
        of_rows = None if self._clusters is None else self._clusters.of_rows
        count, seed = self._asked.count(), self._asked.seed
        drawn = replicates(difference, self._every_weight(), of_rows, count, seed)
        changes = added if of_rows is None else np.bincount(of_rows, added)
        return drawn, float(acceleration(changes, np.ones(len(changes))))

    def _error(self, metric: str, added: Floats) -> tuple[float, str, int | None]:
        """Return the standard error, how it was found, and of how many clusters."""
        if self._clusters is not None:
            variance = of_sums(*self._clusters, added)
            return math.sqrt(variance), CLUSTERED, self._clusters.n
        classes = [np.ones(len(added), np.bool_)]
        if metric in _AREAS:
            classes = [self._positive, ~self._positive]
        variance = sum(
            _of_mean(added[one], None if self._weights is None else self._weights[one])
            for one in classes
        )
        return math.sqrt(variance), DELONG if metric in _AREAS else MEAN, None

    def _scores(self) -> list[Floats]:
        return [self._rows[name].cast(pl.Float64).to_numpy() for name in (A, B)]

    def _added(self, metric: str, values: list[float]) -> Floats | None:
        """Return what each row of a weight adds to the difference, beyond the mean row."""
        positive, (a, b), weights = self._positive, self._scores(), self._weights
        w = self._every_weight()
        change = values[1] - values[0]
        if metric in _AREAS:
            scale = _AREAS[metric]
            lost_a, lost_b = (lost_placements(positive, one, weights) for one in (a, b))
            of_class = np.where(positive, w[positive].sum(), w[~positive].sum())
            moved: Floats = w * (scale * (lost_a - lost_b) - change) / of_class
            return moved
        if metric not in _COSTS:
            return None
        one, other = self._costs(metric)
        of_rows: Floats = w * (other - one - change) / w.sum()
        return of_rows

    def _costs(self, metric: str) -> list[Floats]:
        return [
            _COSTS[metric](one, self._positive, of.clip)
            for one, of in zip(self._scores(), self._sweeps, strict=True)
        ]


def _of_mean(added: Floats, weights: Floats | None) -> float:
    """Return the variance of a weighted mean, of what each row adds to it beyond the mean.

    1 / (1 - the sum of squared shares of the weights) is n / (n - 1) of equal ones.
    """
    n = len(added)
    rest = 1 - 1 / n if weights is None else 1 - float(weights @ weights) / weights.sum() ** 2
    return float(added @ added) / rest if rest > 0 else math.nan


def _brier(scores: Floats, positive: Mask, clip: float) -> Floats:
    return (scores - positive) ** 2


def _log_loss(scores: Floats, positive: Mask, clip: float) -> Floats:
    held = np.clip(scores, clip, 1 - clip)
    return -np.log(np.where(positive, held, 1 - held))


def why_not_drawn(metric: str) -> str | None:
    """Return why rows that are drawn again give no honest interval of a difference, or None."""
    if metric not in _BIASED:
        return None
    return f"{metric} grows where rows are drawn again, so that no interval of a difference holds"


def _is_drawn(name: str) -> bool:
    metric = find(name.partition("(")[0])["name"] if is_score_metric(name) else name
    has_formula = metric in _AREAS or metric in _COSTS
    return is_score_metric(name) and not has_formula and why_not_drawn(metric) is None


_COSTS = {"brier": _brier, "log_loss": _log_loss}  # of each row


def classes_of(rows: pl.DataFrame, pos_label: Label | None) -> list[Label]:
    """Return the two classes of rows, the positive one last.

    Raises
    ------
    InputError
        More than two, or none of them is known to be positive.
    """
    truth = rows[TRUTH].drop_nulls()
    if not len(truth):
        return [0, 1]
    nothing = pl.zeros(len(truth), dtype=pl.Float64, eager=True)
    return list(sweep(truth, nothing, pos_label=pos_label).labels)


def known_rows(rows: pl.DataFrame, nan: str, columns: tuple[str, str]) -> pl.DataFrame:
    """Return the rows that have all that is compared; refuse a score that is nan, or drop it."""
    if rows[TRUTH].dtype.is_float():  # whole numbers, and nan for null
        rows = rows.with_columns(pl.col(TRUTH).fill_nan(None))
    known = rows.drop_nulls([name for name in (TRUTH, A, B, WEIGHT) if name in rows.columns])
    floats = [name for name in (A, B) if known[name].dtype.is_float()]
    for name, column in zip((A, B), columns, strict=True):
        if name in floats and nan == "raise" and known[name].is_nan().any():
            at = int(known[name].is_nan().arg_max() or 0)
            raise InputError(
                f"`y_score` {column!r} is nan, first at row {at} of those without nulls; wanted a "
                'number, or nan="drop"'
            )
    if floats:
        known = known.filter(~pl.any_horizontal(pl.col(floats).is_nan()))
    return known.filter(pl.col(WEIGHT) != 0) if WEIGHT in known.columns else known
