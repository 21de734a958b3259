"""Intervals of scores of many classes whose rows come in clusters, such as those of one user."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from confmat.intervals.clusters import CLUSTER, ONE_CLUSTER, of_sums, quantile
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side
from confmat.intervals.mean_loss import MeanLoss
from confmat.labels import Label, position
from confmat.multiclass.binned_state import BinnedClassState
from confmat.multiclass.losses import class_shares, entropy, gini_impurity
from confmat.multiclass.values import asked, reason, value
from confmat.scores.clustered import ClusteredSweep

_OF_CURVES = ("roc_auc", "average_precision")
_OF_LOSSES = ("log_loss", "brier", "d2_log_loss", "d2_brier")
_OF_ROWS = (*_OF_LOSSES, "top_k_accuracy")


class ClusteredClasses:
    """Scores of many classes, and those of each cluster.

    Parameters
    ----------
    state : BinnedClassState
        All rows.
    parts : sequence of bytes
        The saved states of its clusters, of which it is the sum.
    """

    def __init__(self, state: BinnedClassState, parts: Sequence[bytes]) -> None:
        self._whole = state
        read = (BinnedClassState.from_bytes(part) for part in parts)
        self._parts = [part for part in read if part.n]
        self.n_clusters = len(self._parts)

    def interval(self, name: str, level: float = 0.95, side: Side = "both") -> Interval:
        """Return a number with an interval that holds where rows of a cluster are alike.

        Parameters
        ----------
        name : str
            "roc_auc" and "average_precision" with every average, "log_loss", "brier",
            "d2_log_loss", "d2_brier" or a top-k accuracy.
        level : float, default 0.95
            How often the interval is to hold the number.
        side : {"both", "lower", "upper"}, default "both"
            "lower" puts all that may be missed below; the other end is that of the range.

        Returns
        -------
        Interval
            The standard error is that of the sums over clusters of what each row adds, times
            G / (G - 1) of G clusters; a row adds to the areas of all classes. nan where there is
            none; `method` says why.

        Examples
        --------
        >>> import confmat as cm
        >>> from confmat.multiclass.clustered import ClusteredClasses
        >>> users = [
        ...     cm.multiclass_sweep([0, 1], [[at, 1 - at], [0.3, 0.7]]).to_state()
        ...     for at in [0.5, 0.2, 0.6, 0.5] * 10
        ... ]
        >>> k = cm.merge(users)
        >>> clustered = ClusteredClasses(k, [user.to_bytes() for user in users])
        >>> print(clustered.interval("top_1_accuracy"))
        0.6250 [0.5550, 0.6901] (cluster)
        """
        base, given = asked(name, {})
        number = value(self._whole, name)
        if math.isnan(number):
            return without_ends(number, str(reason(self._whole, name)))
        if base not in (*_OF_CURVES, *_OF_ROWS) or "multi_class" in given:
            known = ", ".join((*_OF_CURVES, *_OF_ROWS))
            return without_ends(number, f"{name} has none with clusters; {known} have")
        if self.n_clusters < 2:
            return without_ends(number, ONE_CLUSTER)
        added = self._added(base, number, given)
        if not np.isfinite(added).all():
            return without_ends(number, "the loss of a row is infinite")
        clusters = np.arange(self.n_clusters)
        se = math.sqrt(of_sums(clusters, self.n_clusters, added))
        reach = quantile(level, side, self.n_clusters)
        lo, hi, least, most = self._range(base)
        mean = MeanLoss(se, lo, hi, least, most, self.n_clusters)
        return Interval(number, *mean.interval(number, level, side, reach), se, CLUSTER)

    def against_rest(self, label: Label) -> ClusteredSweep:
        """Return the scores of one class against the rest, with their clusters."""
        at = position(self._whole.labels, label, "label")
        return ClusteredSweep(self._whole._sweeps[at], [states[at] for states in self._sweeps])

    def _added(self, base: str, number: float, given: dict[str, Any]) -> Floats:
        """Return what each cluster adds to a number, beyond its share of the rows."""
        if base in _OF_ROWS:
            return self._by_sums(base, number, given)
        average = given.get("average", "macro")
        if average == "micro":
            return self._of_pooled(base)
        return self._of_mean(base, average)

    def _by_sums(self, base: str, number: float, given: dict[str, Any]) -> Floats:
        """Return the same of means over rows, and of their ratio to that of the class shares."""
        if base == "top_k_accuracy":
            k = given.get("k", 2)
            right = self._of_parts(lambda part: float(part._sums["ranks"][2][:k].sum()))
            return self._moved(right, number)
        loss = base.removeprefix("d2_")
        losses = self._of_parts(lambda part: part._sums[loss])  # type: ignore[literal-required]
        if loss == base:
            return self._moved(losses, number)
        of_shares, scale = self._of_shares(loss)
        moved: Floats = (losses - (1 - number) * of_shares) / (scale * self._rows.sum())
        return moved

    def _moved(self, sums: Floats, mean: float) -> Floats:
        """Return what clusters add to a mean over rows."""
        moved: Floats = (sums - mean * self._rows) / self._rows.sum()
        return moved

    def _of_shares(self, loss: str) -> tuple[Floats, float]:
        """Return by how much clusters move the loss of the class shares; and that loss."""
        shares = class_shares(self._whole)
        used = shares > 0
        of_classes = np.zeros(len(shares))
        if loss == "log_loss":
            scale = entropy(shares)
            of_classes[used] = -np.log(shares[used])
        else:
            scale = gini_impurity(shares)
            of_classes = 2 * (1 - shares) - scale
        of_clusters: Floats = self._sizes @ of_classes
        return of_clusters, scale

    def _of_mean(self, base: str, average: str) -> Floats:
        """Return the same of a mean over classes, weighted by their rows or not."""
        of_classes, values, used = [], [], []
        for at, label in enumerate(self._whole.labels):
            number = self._value_of(base, at)
            if math.isnan(number):
                continue
            one = self.against_rest(label)
            of_classes.append(one.added_by_part(base, self.n_clusters))
            values.append(number)
            used.append(at)
        sizes = self._sizes[:, used]
        if average == "macro":
            mean: Floats = np.mean(of_classes, axis=0)
            return mean
        weights = sizes.sum(0) / sizes.sum()
        away = np.array(values) - weights @ np.array(values)
        moved: Floats = weights @ np.array(of_classes) + sizes @ away / sizes.sum()
        return moved

    def _value_of(self, base: str, at: int) -> float:
        if base == "roc_auc":
            return float(self._whole._class_areas[at])
        return self._whole._ladders[at].average_precision()

    def _of_pooled(self, base: str) -> Floats:
        """Return the same of the one curve of all decisions."""
        k = len(self._whole.labels)
        parts = [state for states in self._sweeps for state in states]
        clustered = ClusteredSweep(self._whole._pooled_sweep, parts)
        added: Floats = clustered.added_by_part(base, len(parts)).reshape(-1, k).sum(1)
        return added

    def _range(self, base: str) -> tuple[float, float, float, float]:
        """Return the ends of a number, and how far rows could move it."""
        if base not in _OF_LOSSES:
            return 0.0, 1.0, 0.0, 1.0
        loss = base.removeprefix("d2_")
        most = 2.0 if loss == "brier" else -math.log(self._whole._sweeps[0].clip)
        if loss == base:
            return 0.0, 2.0 if loss == "brier" else math.inf, 0.0, most
        return -math.inf, 1.0, 1 - most / self._of_shares(loss)[1], 1.0

    def _of_parts(self, read: Callable[[BinnedClassState], float]) -> Floats:
        return np.array([read(part) for part in self._parts], np.float64)

    @cached_property
    def _rows(self) -> Floats:
        """Rows of each cluster, or the sum of their weights."""
        return self._of_parts(lambda part: float(part.n))

    @cached_property
    def _sizes(self) -> Floats:
        """Rows of each cluster and class."""
        return np.array([part._sums["class_weights"] for part in self._parts])

    @cached_property
    def _sweeps(self) -> list[list[bytes]]:
        """The saved sweeps of each cluster, each class against the rest."""
        return [[sweep._state.to_bytes() for sweep in part._sweeps] for part in self._parts]
