"""Rates of classes, or of rows of label sets, and their averages."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.sklearn.classes import Classes
from confmat.sklearn.sets import Sets
from confmat.sklearn.targets import plain_targets, targets
from confmat.sklearn.undefined import mean, ratio

Average: TypeAlias = Literal["micro", "macro", "samples", "weighted", "binary"] | None
Floats: TypeAlias = npt.NDArray[np.float64]

_AVERAGES = [None, "micro", "macro", "weighted", "samples"]


class Rates:
    """The parts of rates that an average is over, and how it is taken."""

    def __init__(
        self,
        counted: Classes | Sets,
        labels: Any,
        average: Average,
        zero_division: Any,
        warn_for: Collection[str],
    ) -> None:
        self._average = average
        self._zero_division = zero_division
        self._warn_for = warn_for
        self._weights: Any = None
        self._found: dict[str, Floats] = {}
        if average == "samples":
            if isinstance(counted, Classes):
                raise ValueError(
                    "Samplewise metrics are not available outside of multilabel classification."
                )
            self.parts, self._weights = counted.size_parts(labels)
            self._rows = counted.rows
            return
        parts = counted.parts(labels)
        self.parts = parts.summed() if average == "micro" else parts
        self._rows = len(self.parts.right)
        if average == "weighted":
            self._weights = self.parts.true

    def ratio(self, numerator: Any, denominator: Any, metric: str, modifier: str) -> Floats:
        """Return the ratio of each class, or row, that the average is over; it warns once."""
        if metric not in self._found:
            self._found[metric] = ratio(
                numerator,
                denominator,
                metric,
                modifier,
                self._average,
                self._warn_for,
                self._zero_division,
                self._rows,
            )
        return self._found[metric]

    def averaged(self, values: Floats) -> Any:
        """Return the mean of the values, or these where no average is asked."""
        return values if self._average is None else mean(values, self._weights)


def asked(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any,
    labels: Any,
    pos_label: Any,
    average: Average,
    zero_division: Any,
    warn_for: Collection[str],
) -> Rates:
    """Return the rates of targets that an average is asked of.

    Raises
    ------
    ValueError, TypeError
        Those of scikit-learn, in its words: of the targets before the weights.
    """
    counted = plain_targets(y_true, y_pred, sample_weight)
    if counted is None:
        unweighted = targets(y_true, y_pred)
        wanted = _wanted(unweighted, labels, pos_label, average)
        counted = unweighted if sample_weight is None else targets(y_true, y_pred, sample_weight)
    else:
        wanted = _wanted(counted, labels, pos_label, average)
    return Rates(counted, wanted, average, zero_division, warn_for)


def _wanted(counted: Classes | Sets, labels: Any, pos_label: Any, average: Average) -> Any:
    """Return the labels that rates are asked of."""
    if average != "binary":
        if pos_label not in (None, 1):
            warnings.warn(
                f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' "
                f"(got {average!r}). You may use labels=[pos_label] to specify a single positive "
                "class.",
                UserWarning,
                stacklevel=6,
            )
        return labels
    if counted.kind != "binary":
        options = [one for one in _AVERAGES if one != "samples" or isinstance(counted, Sets)]
        raise ValueError(
            f"Target is {counted.kind} but average='binary'. Please choose another average "
            f"setting, one of {options!r}."
        )
    assert isinstance(counted, Classes)
    if len(counted.labels) >= 2 and pos_label not in counted.labels:
        raise ValueError(
            f"pos_label={pos_label} is not a valid label. It should be one of {counted.present}"
        )
    return [pos_label]


def precision(rates: Rates) -> Floats:
    """Return precision of each class, or row."""
    parts = rates.parts
    return rates.ratio(parts.right, parts.predicted, "precision", "predicted")


def recall(rates: Rates) -> Floats:
    """Return recall of each class, or row."""
    parts = rates.parts
    return rates.ratio(parts.right, parts.true, "recall", "true")


def f(rates: Rates, beta: float) -> Floats:
    """Return F of each class, or row."""
    if beta == 0:
        return precision(rates)
    if math.isinf(beta):
        return recall(rates)
    parts, square = rates.parts, float(beta) ** 2
    return rates.ratio(
        (1 + square) * parts.right,
        square * parts.true + parts.predicted,
        "f-score",
        "true nor predicted",
    )


def jaccard(rates: Rates) -> Floats:
    """Return the index of Jaccard of each class, or row."""
    parts = rates.parts
    return rates.ratio(
        parts.right, parts.true + parts.predicted - parts.right, "jaccard", "true or predicted"
    )
