"""Areas under the curves of every label, averaged, and the usual numbers in one frame."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.labels import Label
from confmat.labelsets.ranking import MultilabelRanking
from confmat.multiclass.inputs import Floats
from confmat.overview import numbers
from confmat.scores.exact import Sweep

_AVERAGES = ("macro", "micro", "weighted", None)
_RANKINGS = ("label_ranking_average_precision", "coverage_error", "label_ranking_loss")


class MultilabelAverages(MultilabelRanking):
    """ROC AUC and average precision of labels."""

    labels: tuple[Label, ...]
    n_rows: int
    _sweeps: list[Sweep]

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._sweeps[0].n

    def roc_auc(
        self, average: Literal["macro", "micro", "weighted"] | None = "macro"
    ) -> float | Floats:
        """Return the area under the ROC curve, averaged over labels.

        Parameters
        ----------
        average : {"macro", "micro", "weighted"} or None, default "macro"
            The mean over labels, that weighted by their support, or the area of all n x L
            decisions pooled; None gives that of each label.

        Returns
        -------
        float, or ndarray of shape (L,)
            In [0, 1]. A label that all rows have, or none, is left out of means and nan in arrays.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 1]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.roc_auc(), s.roc_auc(None).tolist()
        (0.75, [0.5, 1.0])
        """
        return self._averaged("roc_auc", average)

    def average_precision(
        self, average: Literal["macro", "micro", "weighted"] | None = "macro"
    ) -> float | Floats:
        """Return the average precision, averaged over labels.

        Parameters
        ----------
        average : {"macro", "micro", "weighted"} or None, default "macro"
            As for `roc_auc`.

        Returns
        -------
        float, or ndarray of shape (L,)
            In (0, 1]. A label that no row has is left out of means and nan in arrays.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 1]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.average_precision(None).round(4).tolist()
        [0.8333, 1.0]
        """
        return self._averaged("average_precision", average)

    def per_label(self, metrics: Iterable[str] = ("roc_auc", "average_precision")) -> pl.DataFrame:
        """Return score metrics of each label.

        Parameters
        ----------
        metrics : iterable of str, default ("roc_auc", "average_precision")
            Names as `Sweep.value` takes them, such as "ks" or "ece(15)".

        Returns
        -------
        polars.DataFrame
            `label`, `n_positive` and one column a metric, null where undefined.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.per_label(["roc_auc", "ks"]).rows()
        [('a', 2, 0.5, 0.5), ('b', 1, 1.0, 1.0)]
        """
        wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        frame: dict[str, Any] = {
            "label": pl.Series(list(self.labels)),
            "n_positive": [one.n_positive for one in self._sweeps],
        }
        for name in wanted:
            frame[name] = [one.value(name) for one in self._sweeps]
        return pl.DataFrame(frame).with_columns(pl.col(wanted).fill_nan(None))

    def overall(self) -> pl.DataFrame:
        """Return the usual numbers: `metric`, `value` (null where undefined) and `reason`.

        ROC AUC and average precision with every average, and the errors of the order of labels.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 1]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
        >>> s.overall().row(0)
        ('roc_auc_macro', 0.75, None)
        """
        found = {
            f"{name}_{average}": float(self._averaged(name, average))
            for name in ("roc_auc", "average_precision")
            for average in ("macro", "weighted", "micro")
        }
        found |= {name: getattr(self, name)() for name in _RANKINGS}
        why = (self._why(name) if math.isnan(value) else None for name, value in found.items())
        return numbers(tuple(found), found.values(), why)

    def _why(self, name: str) -> str:
        if not self.n_rows:
            return "there are no rows"
        if not self.n:
            return "all weights are 0"
        of_auc = name.startswith("roc_auc")
        return "no label has rows with it and rows without" if of_auc else "no row has a label"

    def _averaged(self, name: str, average: Any) -> float | Floats:
        if not (average is None or isinstance(average, str)) or average not in _AVERAGES:
            wanted = ", ".join(map(repr, _AVERAGES))
            raise InputError(f"`average` is {average!r}; wanted one of {wanted}")
        if average == "micro":
            parts = self._sweeps
            while len(parts) > 1:  # by pairs: each row is merged few times
                parts = [reduce(add, parts[at : at + 2]) for at in range(0, len(parts), 2)]
            return float(parts[0].value(name))
        values = np.array([one.value(name) for one in self._sweeps])
        if average is None:
            return values
        used = ~np.isnan(values)
        weights = np.ones(len(values))
        if average == "weighted":
            weights = np.array([float(one.n_positive) for one in self._sweeps])
        total = math.fsum(weights[used])
        return math.fsum(values[used] * weights[used]) / total if total else math.nan
