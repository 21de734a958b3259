"""Intervals of a sweep's numbers: what is known for certain, of no width when it is exact."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np

from confmat.metric_names import COUNTS
from confmat.named_numbers import called
from confmat.registry import find
from confmat.scores.areas import partial_area, standardized
from confmat.scores.bounds import Interval, widened
from confmat.scores.grid import as_threshold
from confmat.scores.operating_points import ScoreOperating
from confmat.scores.split_bounds import extremes
from confmat.scores.state import Floats
from confmat.scores.thresholds import OTHERS
from confmat.scores.values import PARTIAL_AUC, full_name

AreaRules: TypeAlias = tuple[Literal["chord", "lower"], Literal["chord", "upper"]]


class ScoreIntervals(ScoreOperating):
    """Each interval holds the value of the exact scores for certain."""

    __slots__ = ()

    def bounds(self, name: str, **parameters: Any) -> tuple[float, float]:
        """Return the least and the largest value that a score metric can have.

        Parameters
        ----------
        name : str
            As for `value`. A binned sweep bounds "roc_auc", "gini", "average_precision", "ks",
            "eer", "brier", "brier_skill", "log_loss", "ece" and "partial_auc".
        **parameters
            As for `value`.

        Returns
        -------
        tuple of float
            (low, high): the value twice where the sweep `is_exact`; else an interval that holds
            the value of the exact scores, whatever they are within their bins. For metrics
            of probabilities, scores are taken to be in [0, 1]. (nan, nan) where undefined.

        Raises
        ------
        InputError
            A metric that has no such interval on a binned sweep that is not exact.

        Examples
        --------
        >>> import confmat as cm
        >>> y, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
        >>> cm.sweep(y, scores).bounds("roc_auc")
        (0.75, 0.75)
        >>> low, high = cm.sweep(y, scores, bins=[0.0, 0.3, 0.6, 1.0]).bounds("roc_auc")
        >>> round(low, 6), round(high, 6)
        (0.75, 1.0)
        """
        if name == PARTIAL_AUC:
            return called(self._partial_auc_bounds, name, parameters)  # type: ignore[no-any-return]
        return self._bounds(full_name(name, parameters))

    def _bounds(self, name: str) -> tuple[float, float]:
        value = self.value(name)
        return value, value

    @property
    def roc_auc_bounds(self) -> Interval:
        """The interval of the area under the ROC curve.

        Rows of one bin can be in any order, all wrong or all right, which moves the area by half
        of positives times negatives of the bin, over the product of their totals.
        """
        return self.bounds("roc_auc")

    @property
    def average_precision_bounds(self) -> Interval:
        """The interval of average precision: each bin's positives last, or first."""
        return self.bounds("average_precision")

    @property
    def ks_bounds(self) -> Interval:
        """The interval of the Kolmogorov-Smirnov distance."""
        return self.bounds("ks")

    @property
    def brier_bounds(self) -> Interval:
        """The interval of the Brier score."""
        return self._attribute(self.bounds, "brier")

    @property
    def log_loss_bounds(self) -> Interval:
        """The interval of log loss."""
        return self._attribute(self.bounds, "log_loss")

    @property
    def ece_bounds(self) -> Interval:
        """The interval of the expected calibration error over 10 equal bins."""
        return self._attribute(self.bounds, "ece")

    def _partial_auc_bounds(
        self,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        standardize: bool = True,
    ) -> Interval:
        """Return the interval of `partial_auc`; the arguments are the same."""
        x, y, limit = self._part(max_fpr, min_tpr)
        areas = [partial_area(x, y, limit, rule) for rule in self._areas]
        if self._areas != ("chord", "chord"):
            areas = list(widened(areas[0], areas[1], most=limit))
        low, high = (standardized(area, limit) if standardize else area for area in areas)
        return low, high

    @property
    def _areas(self) -> AreaRules:
        """How the least and the largest area lie between two points: of ties, on the chord."""
        return "chord", "chord"

    def metric_bounds(self, metric: str, threshold: float, cost: Any = None) -> Interval:
        """Return the least and the largest value that a metric can have at a threshold.

        Parameters
        ----------
        metric : str
            A name of `list_metrics()`, "cost", "mean_cost" or "top_left".
        threshold : float
            Any number.
        cost : array-like, shape (2, 2), optional
            For "cost": rows true, columns predicted, negative first.

        Returns
        -------
        tuple of float
            (low, high): holds the value, where it is defined, however the threshold splits the
            rows of its bin; of float weights up to the rounding of their sums. (nan, nan) where it
            is undefined for every split. No width at an edge, between bins and on an exact sweep.

        Raises
        ------
        InputError
            An unknown metric, or one of a whole sweep.

        Notes
        -----
        Both ends are attained, rounding apart, but for bins of float weights and bins of more than
        a million splits. There association (`cramer_v`, mutual information), entropies and
        confusion entropies can have an interval a little wider, and metrics of pairs of rows
        (`rand`) their whole range; with float weights also a metric that may be undefined at an
        end of the bin.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
        >>> s.metric_bounds("recall", 0.3)
        (1.0, 1.0)
        >>> [round(bound, 6) for bound in s.metric_bounds("recall", 0.5)]
        [0.5, 1.0]
        >>> [round(bound, 6) for bound in s.metric_bounds("mutual_information", 0.5)]
        [0.0, 1.0]
        """
        at = np.array([as_threshold(threshold)])
        few, many = self._around(at)
        tp, fp = self._counts(np.concatenate([few, many]))

        def at_counts(tp: Any, fp: Any, undefined: float | None = None) -> Floats:
            return self._columns((metric,), tp, fp, cost, undefined)[metric]

        values = at_counts(tp, fp)
        if few[0] == many[0]:
            return float(values[0]), float(values[0])
        shape, limits = "linear", (-math.inf, math.inf)
        if metric in COUNTS:  # extreme at the ends of the bin, and not rounded
            return float(values.min()), float(values.max())
        if metric not in OTHERS:
            fact = find(metric)
            shape, limits = fact["shape"], (fact["lo"], fact["hi"])
        return extremes(at_counts, shape, tp, fp, (self.n_positive, self.n_negative), limits)
