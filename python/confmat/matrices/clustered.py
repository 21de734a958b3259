"""Intervals of metrics of a matrix whose rows come in clusters, such as those of one user."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.intervals.clusters import CLUSTER, ONE_CLUSTER, of_sums, quantile
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side
from confmat.intervals.scales import one_sided
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import SparseCells
from confmat.matrices.values import asked_of, number, reason
from confmat.metric_names import Ask, ask
from confmat.options import Options

NO_SLOPES = "the metric has no derivatives here, and so no standard error"
SPARSE = "the matrix is sparse, of more than a thousand classes: there is no standard error"
_NOISE = 1e-9  # of what rows add: what is less is their rounding
_PRIOR = 4.0  # rows, spread over the cells, where a value is at an end of its range


class _Placed(NamedTuple):
    """The cells as the core wants them for one metric, and where those of the matrix are."""

    cells: Any
    shown: Sequence[str]
    options: Options
    at: npt.NDArray[np.int64]  # of each entry


class ClusteredMatrix:
    """A matrix, and the cells of each of its clusters.

    Parameters
    ----------
    state : MatrixBase
        All rows.
    parts : sequence of bytes
        The saved matrices of its clusters, of which it is the sum.
    """

    def __init__(self, state: MatrixBase, parts: Sequence[bytes]) -> None:
        self._matrix = state
        clusters, self._places, self._weights = _core.cells_of_parts(state._state, list(parts))
        _, self._clusters = np.unique(clusters, return_inverse=True)
        self.n_clusters = int(self._clusters.max()) + 1 if len(clusters) else 0

    def interval(
        self,
        name: str,
        level: float = 0.95,
        side: Side = "both",
        *,
        pos_label: Label | None = None,
        keep_empty: bool = False,
    ) -> Interval:
        """Return a metric with an interval that holds where rows of a cluster are alike.

        Parameters
        ----------
        name, level, side, pos_label, keep_empty
            As in `m.ci`.

        Returns
        -------
        Interval
            The standard error is that of the sums over clusters of what each row adds, times
            G / (G - 1) of G clusters. The ends are those of `m.ci` of as many independent rows as
            would have it, with Student's t for fewer than 30 clusters. nan where there are none;
            `method` says why.

        Notes
        -----
        Where a value is at an end of its range, or clusters are all alike, nothing is seen of how
        alike the rows of one are: they count as one row then.

        Examples
        --------
        >>> import confmat as cm
        >>> from confmat.matrices.clustered import ClusteredMatrix
        >>> users = [cm.ConfusionMatrix([[0, 0], [10 - n, n]]) for n in [10, 9, 2, 10] * 10]
        >>> m = cm.merge(users)
        >>> clustered = ClusteredMatrix(m, [user.to_bytes() for user in users])
        >>> print(m.ci("recall"))
        0.7750 [0.7316, 0.8132] (wilson)
        >>> print(clustered.interval("recall"))
        0.7750 [0.6555, 0.8618] (cluster)
        """
        asked = ask(name, None, ())
        value = number(self._matrix, asked, pos_label, None, keep_empty)
        if math.isnan(value):
            return without_ends(value, str(reason(self._matrix, name, pos_label=pos_label)))
        if self.n_clusters < 2:
            return without_ends(value, ONE_CLUSTER)
        if isinstance(self._matrix._cells, SparseCells):
            return without_ends(value, SPARSE)
        of = self._placed(asked, pos_label, keep_empty)
        effect = self._effect(asked, of)
        if math.isnan(effect):
            return without_ends(value, NO_SLOPES)
        z = quantile(level, side, self.n_clusters)
        squares = effect * np.asarray(of.cells, np.float64)
        found, methods = _core.intervals(
            asked.parsed, of.cells, of.shown, of.options, *one_sided(z, side), squares=squares
        )
        _, low, high, se = found[0, 0].tolist()
        if not methods[0, 0] or math.isnan(low):
            return without_ends(value, NO_SLOPES)
        return Interval(value, low, high, se, CLUSTER)

    def variance(self, name: str, pos_label: Label | None = None) -> float:
        """Return the variance of a metric: of the sums over clusters of what their rows add."""
        asked = ask(name, None, ())
        of = self._placed(asked, pos_label, False)
        moved = self._moved(asked, of)
        return of_sums(self._clusters, self.n_clusters, self._weights * moved[of.at])

    def _placed(self, asked: Ask, pos_label: Label | None, keep_empty: bool) -> _Placed:
        state = self._matrix
        cells, shown, options = asked_of(
            state, asked.parsed, pos_label, keep_empty, name=asked.name
        )
        at, k = self._places, len(state._labels)
        if len(shown) > k:  # by the positive class, which the matrix lacks
            row, column = np.divmod(at, k)
            pos = options.pos
            at = (row + (row >= pos)) * (k + 1) + column + (column >= pos)
        return _Placed(cells, shown, options, at)

    def _moved(self, asked: Ask, of: _Placed) -> Floats:
        """Return what a row of each cell adds, beyond the mean row."""
        slopes = _slopes(asked, of.cells, of)
        cells: Floats = np.asarray(of.cells, np.float64).ravel()
        filled = cells > 0
        slopes = np.where(filled, slopes, 0.0)
        moved: Floats = np.where(filled, slopes - (cells @ slopes) / cells.sum(), 0.0)
        return moved

    def _effect(self, asked: Ask, of: _Placed) -> float:
        """Return how many rows of clusters are worth one independent row; nan: not known."""
        moved = self._moved(asked, of)
        if np.isnan(moved).any():
            return math.nan
        added = self._weights * moved[of.at]
        alone = float(added @ moved[of.at])
        together = of_sums(self._clusters, self.n_clusters, added)
        seen = float(np.abs(added).sum()) / self.n_clusters
        if together > (_NOISE * seen) ** 2 and seen > 0:
            return together / alone
        # Nothing is seen between clusters: rows of one count as one, wherever they matter.
        more = np.asarray(of.cells, np.float64)
        occurs = (more.sum(0) + more.sum(1)) > 0
        both = np.outer(occurs, occurs)
        slopes = np.abs(_slopes(asked, more + _PRIOR * both / both.sum(), of))
        if np.isnan(slopes).any():
            return math.nan
        most = slopes.max()
        rest = 0.0 if most > 0 else self._weights  # of one class alone all rows matter alike
        matter = np.where(slopes[of.at] > _NOISE * most, self._weights, rest)
        alone = float(matter.sum())
        together = of_sums(self._clusters, self.n_clusters, matter)
        return together / alone if alone > 0 else math.nan


def _slopes(asked: Ask, cells: Any, of: _Placed) -> Floats:
    """Return the derivatives by the cells, as one row; nan: there are none."""
    found = _core.gradients(asked.parsed, cells, of.shown, of.options)
    assert found is not None  # the cells are dense
    slopes: Floats = found[0].ravel()
    return slopes
