"""Intervals of a sweep's numbers: what is known for certain, of no width when it is exact."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from confmat.areas import partial_area, standardized
from confmat.errors import InputError
from confmat.registry import find
from confmat.score_bounds import Interval, widened
from confmat.score_operating import ScoreOperating
from confmat.score_thresholds import COST, MEAN_COST, TOP_LEFT, as_threshold
from confmat.score_values import with_bins

# Metrics that, for given class sizes, never fall when a negative becomes a true negative or a
# positive a true positive (or never rise: the losses). So they are extreme in corners of a box of
# (tp, fp); linear ones are too.
_MONOTONE = frozenset(
    [
        "accuracy",
        "balanced_accuracy",
        "balanced_accuracy_adjusted",
        "mcc",
        "mcc_binary",
        "kappa",
        "precision",
        "recall",
        "specificity",
        "npv",
        "f1",
        "f1_negative",
        "fbeta",
        "jaccard",
        "fowlkes_mallows",
        "gmean",
        "informedness",
        "markedness",
        "accuracy_binary",
        "balanced_accuracy_binary",
        "lr_positive",
        "diagnostic_odds_ratio",
        "f1_macro",
        "precision_macro",
        "recall_macro",
        "error",
        "error_binary",
        "hamming_loss",
        "zero_one_loss",
        "fpr",
        "fnr",
        "fdr",
        "for_rate",
        "lr_negative",
    ]
)
_LINEAR = frozenset({"predicted_prevalence", "prevalence", "support", "tp", "fp", "fn", "tn"})


class ScoreIntervals(ScoreOperating):
    """Each interval holds the value of the exact scores for certain."""

    __slots__ = ()

    # The least and the largest area of the ROC curve between two points: through ties, the chord.
    _AREAS: tuple[Literal["chord", "lower"], Literal["chord", "upper"]] = ("chord", "chord")

    def bounds(self, name: str) -> tuple[float, float]:
        """Return the least and the largest value that a score metric can have.

        Parameters
        ----------
        name : str
            As for `value`. A binned sweep bounds "roc_auc", "gini", "average_precision", "ks",
            "eer", "brier", "brier_skill", "log_loss" and "ece", also as "ece(15)".

        Returns
        -------
        tuple of float
            (low, high): the value twice for an exact sweep; for a binned one an interval that
            holds the value of the exact scores, whatever they are within their bins. For metrics
            of probabilities, scores are taken to be in [0, 1]. (nan, nan) where undefined.

        Raises
        ------
        InputError
            A metric that has no such interval on a binned sweep.

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
        return self.bounds("brier")

    @property
    def log_loss_bounds(self) -> Interval:
        """The interval of log loss."""
        return self.bounds("log_loss")

    def ece_bounds(self, bins: int = 10) -> Interval:
        """Return the interval of the expected calibration error over `bins` equal bins."""
        return self.bounds(with_bins("ece", bins))

    def partial_auc_bounds(
        self,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        standardize: bool = True,
    ) -> Interval:
        """Return the interval of `partial_auc`; the arguments are the same."""
        x, y, limit = self._part(max_fpr, min_tpr)
        areas = [partial_area(x, y, limit, rule) for rule in self._AREAS]
        if self._AREAS != ("chord", "chord"):
            areas = list(widened(*areas, most=limit))
        low, high = (standardized(area, limit) if standardize else area for area in areas)
        return low, high

    def metric_bounds(self, metric: str, threshold: float, cost: Any = None) -> Interval:
        """Return the least and the largest value that a metric can have at a threshold.

        Parameters
        ----------
        metric : str
            A name of `list_metrics()`, "cost", "mean_cost" or "top_left". Inside a bin only
            metrics that are monotone in the true and the false positives, or linear.
        threshold : float
            Any number. At an edge, between bins and on an exact sweep the interval has no width.
        cost : array-like, shape (2, 2), optional
            For "cost": rows true, columns predicted, negative first.

        Returns
        -------
        tuple of float
            (low, high). The whole range of the metric where it may be undefined inside the bin;
            (nan, nan) where it is undefined at an edge or on an exact sweep.

        Raises
        ------
        InputError
            A metric whose extremes inside a bin are not known.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
        >>> s.metric_bounds("recall", 0.3)
        (1.0, 1.0)
        >>> [round(bound, 6) for bound in s.metric_bounds("recall", 0.5)]
        [0.5, 1.0]
        """
        at = np.array([as_threshold(threshold)])
        few, many = self._around(at)
        tp, fp = self._counts(np.concatenate([few, many]))
        # Corners of the box: the worst, the best, and the two of few and of many predicted.
        corners = (tp[[0, 1, 0, 1]], fp[[1, 0, 0, 1]])
        values = self._columns((metric,), *corners, cost)[metric]
        if few[0] == many[0]:
            return float(values[0]), float(values[0])
        special = metric in (COST, MEAN_COST, TOP_LEFT)
        fact = None if special else find(metric)
        if fact is not None and fact["name"] not in _MONOTONE | _LINEAR:
            raise InputError(
                f"{metric} has no bounds inside a bin, where {threshold!r} lies; wanted an edge"
            )
        least, most = (-math.inf, math.inf) if fact is None else (fact["lo"], fact["hi"])
        if np.isnan(values[:2]).any():
            return least, most
        return widened(float(np.nanmin(values)), float(np.nanmax(values)), least, most)
