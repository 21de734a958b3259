"""Areas under the curves of many classes: one against the rest, one against one, averaged."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.multiclass.inputs import Floats
from confmat.multiclass.state import MulticlassState

_OVR = ("macro", "micro", "weighted", None)
_OVO = ("macro", "weighted", None)


class MulticlassRanking(MulticlassState):
    """ROC AUC and average precision, with their averages."""

    def roc_auc(
        self,
        average: Literal["macro", "micro", "weighted"] | None = "macro",
        multi_class: Literal["ovr", "ovo"] = "ovr",
    ) -> float | Floats:
        """Return the area under the ROC curves, averaged; ties count half.

        Parameters
        ----------
        average : {"macro", "micro", "weighted"} or None, default "macro"
            The mean over classes ("ovr") or pairs of classes ("ovo"); the one curve of all n x K
            decisions pooled ("micro", only of "ovr"); the mean weighted by the share of rows of
            the class, or of the pair. None gives each of them.
        multi_class : {"ovr", "ovo"}, default "ovr"
            One class against the rest, or each pair of classes by itself (Hand and Till).

        Returns
        -------
        float, or ndarray of shape (K,) or (K (K - 1) / 2,)
            In [0, 1]. Classes without rows are left out of means (`n_classes_used`,
            `n_pairs_used`) and nan in arrays; pairs come in the order of `pair_table`. nan where
            fewer than two classes have rows: `reason("roc_auc")`.

        Raises
        ------
        InputError
            An unknown average or `multi_class`; "micro" with "ovo".

        Notes
        -----
        Without weights each area is a ratio of two integers, rounded once.

        References
        ----------
        Hand and Till (2001), https://doi.org/10.1023/A:1010920819831.

        Examples
        --------
        >>> import confmat as cm
        >>> proba = [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]
        >>> s = cm.multiclass_sweep(["a", "a", "b", "c"], proba)
        >>> s.roc_auc(average=None).round(4).tolist()
        [1.0, 1.0, 1.0]
        >>> s.roc_auc("weighted", "ovo"), s.n_pairs_used
        (1.0, 3)
        """
        if multi_class not in ("ovr", "ovo"):
            raise InputError(f"`multi_class` is {multi_class!r}; wanted 'ovr' or 'ovo'")
        _check_average(average, _OVR if multi_class == "ovr" else _OVO, multi_class)
        if average == "micro":
            return self._pooled.roc_auc() if self.n_classes_used else math.nan
        if multi_class == "ovo":
            _, _, weight, area = self._pairs()
            return area if average is None else _mean(area, weight, average)
        areas = self._class_areas()
        return areas if average is None else _mean(areas, self._sums["class_weights"], average)

    def average_precision(
        self, average: Literal["macro", "micro", "weighted"] | None = "macro"
    ) -> float | Floats:
        """Return the average precision of each class against the rest, averaged.

        The sum over thresholds of precision times the step of recall, without interpolation.

        Parameters
        ----------
        average : {"macro", "micro", "weighted"} or None, default "macro"
            As for `roc_auc`.

        Returns
        -------
        float, or ndarray of shape (K,)
            In (0, 1]. Classes without rows are left out of means and nan in arrays.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> s.average_precision(average=None).round(4).tolist()
        [0.5, 0.8333]
        """
        _check_average(average, _OVR, "ovr")
        if average == "micro":
            return self._pooled.average_precision() if self.n_classes_used else math.nan
        values = np.array([ladder.average_precision() for ladder in self._ladders])
        return values if average is None else _mean(values, self._sums["class_weights"], average)

    def pair_table(self) -> pl.DataFrame:
        """Return the one-vs-one areas, one row a pair of classes.

        Returns
        -------
        polars.DataFrame
            `a`, `b`: the classes; `n_a`, `n_b`: their rows or weights; `auc_a`: the area of a's
            probability for a against b; `auc_b`: of b's for b against a; `auc`: their mean, Hand
            and Till's A. Null where one of the two has no rows.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> s.pair_table().row(0)
        (0, 1, 1, 2, 0.5, 0.5, 0.5)
        """
        first, second, _, area = self._pairs()
        labels = pl.Series(list(self._labels))
        support = self.support
        one, other = self._pair_areas(first, second), self._pair_areas(second, first)
        frame = pl.DataFrame(
            {
                "a": labels.gather(first),
                "b": labels.gather(second),
                "n_a": support[first],
                "n_b": support[second],
                "auc_a": one,
                "auc_b": other,
                "auc": area,
            }
        )
        return frame.with_columns(pl.col("auc_a", "auc_b", "auc").fill_nan(None))

    def per_class(self) -> pl.DataFrame:
        """Return areas of each class against the rest.

        Returns
        -------
        polars.DataFrame
            One row a class: `label`, `n`, `roc_auc` and `average_precision`, null where undefined.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> s.per_class().rows()
        [(0, 1, 0.5, 0.5), (1, 2, 0.5, 0.8333333333333333)]
        """
        frame = pl.DataFrame(
            {
                "label": pl.Series(list(self._labels)),
                "n": self.support,
                "average_precision": self.average_precision(None),
                "roc_auc": self.roc_auc(None),
            }
        )
        nans = pl.col("roc_auc", "average_precision").fill_nan(None)
        return frame.select("label", "n", nans)

    def _class_areas(self) -> Floats:
        """Return the area of each class against the rest; nan without rows on one side."""
        wins = self._wins.sum(axis=1).tolist()
        support = self.support.tolist()
        total = self.n
        pairs = [2 * n * (total - n) for n in support]
        return np.array(
            [won / both if both > 0 else math.nan for won, both in zip(wins, pairs, strict=True)]
        )

    def _pairs(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats, Floats]:
        """Return the classes of each pair, their common weight, and the mean of their areas."""
        first, second = np.triu_indices(len(self._labels), 1)
        weights = self._sums["class_weights"]
        area = (self._pair_areas(first, second) + self._pair_areas(second, first)) / 2
        return first, second, weights[first] + weights[second], area

    def _pair_areas(self, one: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> Floats:
        weights = self._sums["class_weights"]
        with np.errstate(invalid="ignore"):
            areas = self._wins[one, other] / (2 * weights[one] * weights[other])
        return np.asarray(areas, dtype=np.float64)


def _check_average(average: Any, known: tuple[str | None, ...], multi_class: str) -> None:
    if not (average is None or isinstance(average, str)) or average not in known:
        wanted = ", ".join(map(repr, known))
        raise InputError(f"`average` is {average!r}; wanted one of {wanted} for {multi_class!r}")


def _mean(values: Floats, weights: Floats, average: str) -> float:
    """Return the mean of the values that are not nan; nan if all are."""
    used = ~np.isnan(values)
    if not used.any():
        return math.nan
    if average == "macro":
        return math.fsum(values[used]) / int(used.sum())
    return math.fsum(values[used] * weights[used]) / math.fsum(weights[used])
