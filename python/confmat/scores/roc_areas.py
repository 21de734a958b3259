"""Areas under the ROC curve of a sweep: the exact fraction, and parts of it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import AbsentError, InputError
from confmat.scores.areas import partial_area, standardized
from confmat.scores.state import Floats, ScoreState


class ScoreAreas(ScoreState):
    """The ROC curve as rates, and areas under it."""

    __slots__ = ()

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
        if self.weighted:
            raise AbsentError("roc_auc_fraction needs counts; this sweep holds float weights")
        if not (self.n_positive and self.n_negative):
            raise AbsentError("roc_auc_fraction needs rows of both classes")
        return Fraction(*_core.auc_fraction(self._positives, self._negatives))

    def _partial_auc(
        self,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        standardize: bool = True,
    ) -> float:
        """Return the area under a part of the ROC curve; `value` says more."""
        x, y, limit = self._part(max_fpr, min_tpr)
        area = partial_area(x, y, limit)
        return standardized(area, limit) if standardize else area

    def _part(self, max_fpr: float | None, min_tpr: float | None) -> tuple[Floats, Floats, float]:
        """Return the ROC curve turned so that the part wanted is that of x at most a limit."""
        if (max_fpr is None) == (min_tpr is None):
            raise InputError("partial_auc needs one of `max_fpr` and `min_tpr`")
        fpr, tpr = self._rates()
        if max_fpr is not None:
            limit = _number(max_fpr, "max_fpr")
            if not 0 < limit <= 1:
                raise InputError(f"`max_fpr` is {max_fpr!r}; wanted a number in (0, 1]")
            return fpr, tpr, limit
        limit = 1 - _number(min_tpr, "min_tpr")
        if not 0 < limit <= 1:
            raise InputError(f"`min_tpr` is {min_tpr!r}; wanted a number in [0, 1)")
        return 1 - tpr[::-1], 1 - fpr[::-1], limit

    def _rates(self) -> tuple[Floats, Floats]:
        """Return fpr and tpr from (0, 0) on; nan where a class has no rows."""
        rates = []
        for part, total in ((self.fp, self.n_negative), (self.tp, self.n_positive)):
            rate = np.zeros(len(part) + 1)
            with np.errstate(invalid="ignore"):
                np.divide(part, total or math.nan, out=rate[1:])
            rates.append(rate)
        return rates[0], rates[1]


def _number(value: Any, argument: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"`{argument}` is {value!r}; wanted a number") from None
