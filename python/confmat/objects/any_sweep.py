"""What exact and binned sweeps have in common: the table of contents of `confmat.scores`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from confmat import _core, name_hints
from confmat.attributes import ScoreAttributes
from confmat.calibration.bins import Strategy
from confmat.calibration.fit import Method, recalibrate
from confmat.calibration.recalibration import Recalibration
from confmat.errors import AbsentError, InputError, StateError
from confmat.objects.base import Counted
from confmat.objects.calibration import Calibration
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.pictures import sweep_plots
from confmat.scores import (
    area_tests,
    benefit_curves,
    best_threshold,
    certain_bounds,
    confidence,
    curves,
    hypotheses,
    roc_areas,
    score_names,
    summary,
    tables,
    thresholds,
)
from confmat.scores import operating_points as limited
from confmat.scores import values as numbers
from confmat.scores.adequacy import adequacy
from confmat.scores.bounds import Bounds
from confmat.scores.cuts import cuts_at
from confmat.scores.gain_curve import pr_gain_curve
from confmat.scores.grid import as_threshold
from confmat.scores.points import check_probabilities, points
from confmat.scores.prevalence import reweighted, rows_behind
from confmat.scores.state import ScoreState
from confmat.scores.thresholds import matrix_at

if TYPE_CHECKING:
    from typing_extensions import Self

    from confmat.objects.pictures import SweepPlots

T = TypeVar("T")


class AnySweep(ScoreAttributes, ScoreState, Counted):
    """Every number, curve, threshold and interval of a sweep.

    A threshold `t` predicts a row positive where its score is at least `t`. Where a score lies
    outside [0, 1], metrics of probabilities are not there: `value`, `values` and the attributes
    raise InputError, `reason` says why, and `overall` has null and the reason.

    Curves have a row for each threshold, from the highest down, or for fewer of them: every curve
    takes `max_points` (at least 2) or `max_error`. Then points are left out such that each lies
    close to the kept point before it in every coordinate of the curve: within `max_error`, or for
    `max_points` within 2 / (max_points - 1) where the coordinates are two rates that only rise or
    fall (ROC, DET, lift). The first and last points always stay. With `thresholds`, increasing and
    finite numbers, a curve has a row for each of them, again from the highest down, in place of one
    for each score.
    """

    __slots__ = ()

    _binned: ClassVar[bool]
    _index = "index with the name of a score metric; see `value`"

    value = numbers.value
    values = numbers.values
    reason = numbers.reason
    overall = tables.overall
    n_used = numbers.n_used
    per_class = numbers.per_class

    bounds = certain_bounds.bounds
    metric_bounds = certain_bounds.metric_bounds

    roc_curve = curves.roc_curve
    pr_curve = curves.pr_curve
    det_curve = curves.det_curve
    pr_gain_curve = pr_gain_curve
    lift = benefit_curves.lift
    cost_curve = benefit_curves.cost_curve
    decision_curve = benefit_curves.decision_curve

    table = thresholds.table
    best = best_threshold.best
    threshold_for = limited.threshold_for
    operating_points = limited.operating_points

    ci = confidence.ci
    test = hypotheses.test
    adequacy = adequacy
    test_auc = area_tests.test_auc

    with_labels = ScoreState.with_labels

    __str__ = summary.text
    _repr_html_ = summary.html

    def at(self, threshold: float, nearest: bool = False) -> ConfusionMatrix:
        """Return the confusion matrix at a threshold.

        Parameters
        ----------
        threshold : float
            Any number, also between the scores and also one that is best for another sweep.
            +inf predicts nothing positive, except, on an exact sweep, a score of +inf.
        nearest : bool, default False
            On a binned sweep that is not exact, take the nearer edge of the bin that `threshold`
            lies in, the upper of equally near ones, instead of an error.

        Returns
        -------
        ConfusionMatrix
            Labels (negative, positive); its `n_dropped` counts the rows left out for a null or a
            nan score, and its positive class is that of the sweep.

        Raises
        ------
        InputError
            nan; a threshold inside a bin of several scores.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.at(0.35).counts.tolist()
        [[1, 1], [0, 2]]
        """
        cut = int(cuts_at(self, np.array([as_threshold(threshold)]), nearest)[0])
        return matrix_at(self, cut, ConfusionMatrix)

    def at_prevalence(self, prevalence: float) -> Self:
        """Return the sweep as it would be at another share of positives.

        Positives and negatives are weighted to the new share; the total stays. Rates of a class and
        the area under the ROC curve stay as they are; precision, predicted shares, costs, the
        decision curve, calibration and all others follow, at every threshold.

        Parameters
        ----------
        prevalence : float
            The share of positives, from 0 to 1.

        Returns
        -------
        Sweep or BinnedSweep
            Of weights, with the same scores or bins. It counts no rows that were left out. The
            share is taken as known: curves have intervals, and so have `at(t)`, `operating_points`
            and `threshold_for`, which take the rows of each class as a sample of their own, and
            `ci` of what the share does not change, such as the area under the ROC curve. There are
            none at a share of 0 or 1, or after `to_bytes` and `+`, which keep the weights alone.

        Raises
        ------
        InputError
            No number from 0 to 1; a share of a class without rows.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> rare = s.at_prevalence(0.02)
        >>> round(s.at(0.35).precision, 3), round(rare.at(0.35).precision, 3)
        (0.667, 0.039)
        >>> rare.roc_auc == s.roc_auc
        True
        """
        made = self._around(reweighted(self, prevalence))
        return made._from_rows_of(rows_behind(self, made))

    @property
    def ks_threshold(self) -> float:
        """The threshold of the largest distance of the rates, `ks`; the highest of equal ones."""
        return numbers.ks_threshold(self)

    @property
    def n_clipped(self) -> int | float:
        """Rows, or their weight, whose score log loss clips: below `clip` or above 1 - `clip`."""
        return numbers.n_clipped(self)

    @property
    def roc_auc_fraction(self) -> Fraction:
        """The area under the ROC curve as an exact fraction; ties count half.

        Raises
        ------
        InputError
            Float weights, whose sums are not exact; rows of one class alone.

        Examples
        --------
        >>> import confmat as cm
        >>> cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc_fraction
        Fraction(3, 4)
        """
        return roc_areas.roc_auc_fraction(self)

    @property
    def roc_auc_bounds(self) -> Bounds:
        """The interval of the area under the ROC curve.

        Rows of one bin can be in any order, all wrong or all right, which moves the area by half
        of positives times negatives of the bin, over the product of their totals.
        """
        return certain_bounds.bounds(self, "roc_auc")

    @property
    def average_precision_bounds(self) -> Bounds:
        """The interval of average precision: each bin's positives last, or first."""
        return certain_bounds.bounds(self, "average_precision")

    @property
    def ks_bounds(self) -> Bounds:
        """The interval of the Kolmogorov-Smirnov distance."""
        return certain_bounds.bounds(self, "ks")

    @property
    def brier_bounds(self) -> Bounds:
        """The interval of the Brier score."""
        return self._present(certain_bounds.bounds, "brier")

    @property
    def log_loss_bounds(self) -> Bounds:
        """The interval of log loss."""
        return self._present(certain_bounds.bounds, "log_loss")

    @property
    def ece_bounds(self) -> Bounds:
        """The interval of the expected calibration error over 10 equal bins."""
        return self._present(certain_bounds.bounds, "ece")

    @property
    def plot(self) -> SweepPlots:
        """Pictures of this sweep, drawn by Altair: `s.plot.roc()`.

        Also `pr`, `det`, `lift`, `gain`, `scores`, `calibration`, `metrics`, `cost` and `decision`.
        """
        return sweep_plots(self)

    def calibration(
        self,
        bins: Any = 10,
        strategy: Strategy = "uniform",
        *,
        n_effective: float | None = None,
        clip: float | None = None,
    ) -> Calibration:
        """Return how well the scores agree with the shares of positives.

        Parameters
        ----------
        bins : int or sequence of float, default 10
            Bins of [0, 1], (lo, hi] and the first closed at 0; or their edges.
        strategy : {"uniform", "quantile", "isotonic"}, default "uniform"
            Bins of equal width, of about equal weight, or the blocks of an isotonic fit.
        n_effective, clip
            As in `Calibration`.

        Returns
        -------
        Calibration
            With `.table()`, `.ece`, `.mce`, `.brier_decomposition` and more.

        Raises
        ------
        InputError
            A score outside [0, 1], bins that are no bins.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.calibration(bins=2).table().select("lo", "hi", "n", "fraction_positive").rows()
        [(0.0, 0.5, 3, 0.3333333333333333), (0.5, 1.0, 1, 1.0)]
        """
        check_probabilities(self, "calibration")
        return Calibration(
            *points(self, "brier"), bins, strategy, n_effective=n_effective, clip=clip
        )

    def recalibrate(
        self, method: Method = "platt", *, smoothing: bool = True, logit: bool = False
    ) -> Recalibration:
        """Return the map from scores to probabilities that fits these rows best.

        Parameters
        ----------
        method : {"platt", "isotonic", "temperature"}, default "platt"
            A logistic curve, a non-decreasing map, or one temperature of the logits.
        smoothing : bool, default True
            "platt" only: aim a little inside 0 and 1, so that every data set has a finite fit.
        logit : bool, default False
            "platt" only: a curve of the logit of the score.

        Returns
        -------
        Recalibration
            `.apply(scores)` for arrays, `.expr(column)` for Polars.

        Raises
        ------
        InputError
            No rows of one class, scores that the method cannot take.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 1, 0, 1], [-2.0, -1.0, 1.0, 2.0])
        >>> s.recalibrate("platt").apply([0.0]).tolist()
        [0.5]
        """
        return recalibrate(*points(self, "brier"), method, smoothing=smoothing, logit=logit)

    @classmethod
    def _check_read(cls, state: _core.SweepState) -> None:
        if (state.bins is not None) is not cls._binned:
            kind, reader = ("an exact", "Sweep") if cls._binned else ("a binned", "BinnedSweep")
            raise StateError(f"these bytes are {kind} sweep; {reader}.from_bytes reads it")

    def _attribute(self, name: str) -> float:
        if name not in score_names.facts():
            public = [known for known in dir(self) if not known.startswith("_")]
            hint = name_hints.of_threshold(name, dir(ConfusionMatrix))
            hint = hint or name_hints.hint(name, public)
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")
        return self._present(numbers.value, name)

    def _present(self, of: Callable[[ScoreState, str], T], name: str) -> T:
        """Return what `of` says of a score metric, as the value of an attribute."""
        try:
            return of(self, name)
        except InputError as error:
            raise AbsentError(*error.parts) from None

    def _names(self) -> tuple[str, ...]:
        return score_names.names()
