"""One class against the others: what ROC and precision-recall curves need, and their areas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from confmat import _core
from confmat.multiclass.inputs import Floats

if TYPE_CHECKING:
    from confmat._core import Ladders


class Points(NamedTuple):
    """Corners of a curve, by descending threshold: what is predicted positive from there up."""

    threshold: Floats
    tp: Floats
    fp: Floats


class Ladder(NamedTuple):
    """For each distinct score of a true member, descending: the weights at it and above it.

    `others` are at the score, `between` below the score before and above this one, `below` under
    the last one. `lowest` is the least score of `between`, nan where there is none.
    """

    scores: Floats
    members: Floats
    others: Floats
    between: Floats
    lowest: Floats
    below: float
    lowest_below: float

    @property
    def n_members(self) -> float:
        """The weight of the members."""
        return float(self.members.sum())

    @property
    def n_others(self) -> float:
        """The weight of the others."""
        return float(self.others.sum() + self.between.sum()) + self.below

    def roc_auc(self) -> float:
        """Return the area under the ROC curve, ties counted half; nan with one side empty."""
        pairs = self.n_members * self.n_others
        if not pairs:
            return math.nan
        above = np.concatenate([[0.0], np.cumsum(self.members)[:-1]])
        wins = self.between * above + self.others * (above + 0.5 * self.members)
        return float((_core.exact_sum(wins) + self.below * self.n_members) / pairs)

    def average_precision(self) -> float:
        """Return the mean of the precision at each member; nan without members."""
        if not self.n_members:
            return math.nan
        tp = np.cumsum(self.members)
        fp = np.cumsum(self.between + self.others)
        return _core.exact_sum(self.members * (tp / (tp + fp))) / self.n_members

    def points(self) -> Points:
        """Return the corners of the curve; no point for thresholds in line between two of them."""
        m = len(self.scores)
        threshold, members, others = np.empty(2 * m), np.zeros(2 * m), np.empty(2 * m)
        threshold[0::2], threshold[1::2] = self.lowest, self.scores
        members[1::2] = self.members
        others[0::2], others[1::2] = self.between, self.others
        if self.below > 0:
            threshold = np.append(threshold, self.lowest_below)
            members, others = np.append(members, 0.0), np.append(others, self.below)
        kept = (members > 0) | (others > 0)
        return Points(threshold[kept], np.cumsum(members[kept]), np.cumsum(others[kept]))

    def tpr_at(self, fpr: Floats) -> Floats:
        """Return the true positive rate on the ROC curve; at a vertical step, its upper end."""
        points = self.points()
        x = np.concatenate([[0.0], points.fp / points.fp[-1]])
        y = np.concatenate([[0.0], points.tp / points.tp[-1]])
        return np.asarray(np.interp(fpr, x, y), dtype=np.float64)

    def precision_at(self, recall: Floats) -> Floats:
        """Return the precision at the highest threshold that reaches each recall."""
        tp = np.cumsum(self.members)
        precision = tp / (tp + np.cumsum(self.between + self.others))
        at = np.searchsorted(tp / tp[-1], recall, side="left")
        return np.asarray(precision[np.minimum(at, len(tp) - 1)], dtype=np.float64)


def ladders_from(parts: Ladders) -> list[Ladder]:
    """Return the ladders that the core wrote one after the other."""
    offsets = parts["offsets"].tolist()
    return [
        Ladder(
            parts["scores"][start:end],
            parts["members"][start:end],
            parts["others"][start:end],
            parts["between"][start:end],
            parts["lowest"][start:end],
            below,
            lowest_below,
        )
        for start, end, below, lowest_below in zip(
            offsets[:-1],
            offsets[1:],
            parts["below"].tolist(),
            parts["lowest_below"].tolist(),
            strict=True,
        )
    ]
