"""The rows of scores of many classes that are counted: by how much each moves a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.multiclass.inputs import Floats
from confmat.multiclass.state import MulticlassState
from confmat.scores.delong import lost_placements


class ClassAreas(NamedTuple):
    """Of each class with rows on both sides: its area, its rows, its weight, changes of the area.

    `changes` has a row for each class: by how much more of a row moves its area, times all rows.
    """

    areas: list[float]
    sizes: list[int]
    weights: list[float]
    classes: list[int]
    changes: Floats


class PairAreas(NamedTuple):
    """Of each pair of classes that have rows: its area, its classes, their rows, their weight.

    `changes` has for each the places of its rows, and by how much more of one moves the area, times
    all rows.
    """

    areas: list[float]
    pairs: list[tuple[int, int]]
    sizes: list[tuple[int, int]]
    weights: list[float]
    changes: list[tuple[npt.NDArray[np.intp], Floats]]


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Codes of classes and columns of scores, and the share of each row in a mean."""

    codes: npt.NDArray[np.uint16]
    columns: list[npt.NDArray[Any]]
    weights: Floats | None
    share: Floats

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.codes)

    def variance(self, changes: Floats) -> float:
        """Return the variance of a mean of independent rows, from their distances to it."""
        squares = self.share**2
        left = 1 - float(squares.sum())
        return float((squares * changes**2).sum()) / left if left > 0 else math.nan

    def class_areas(self) -> ClassAreas:
        """Return the area of each class against the rest, and what rows add to it."""
        areas, sizes, weights, classes, changes = [], [], [], [], []
        for at, column in enumerate(self.columns):
            positive = self.codes == at
            if not positive.any() or positive.all():
                continue
            lost = lost_placements(positive, column, self.weights)
            own = float(self.share[positive].sum())
            mean = float((self.share * lost)[positive].sum()) / own
            areas.append(1 - mean)
            sizes.append(int(positive.sum()))
            weights.append(own)
            classes.append(at)
            changes.append((mean - lost) / np.where(positive, own, 1 - own))
        total = math.fsum(weights)
        return ClassAreas(
            areas, sizes, [own / total for own in weights], classes, np.array(changes)
        )

    def variance_by_class(self, changes: Floats) -> float:
        """Return the variance of a sum over rows whose classes vary by themselves."""
        total = 0.0
        for at in np.unique(self.codes):
            own = self.share[self.codes == at]
            squares = (own / own.sum()) ** 2
            left = 1 - float(squares.sum())
            parts = (own * changes[self.codes == at]) ** 2
            total += float(parts.sum()) / (left if left > 0 else 1.0)
        return total

    def variance_of(self, found: ClassAreas, shares: list[float], moves: bool) -> float:
        """Return the variance of the sum of the areas, each times its share.

        The rows of each class vary by themselves, as in DeLong's variance; `moves`: the shares are
        those of the rows, and vary with them.
        """
        total = self.variance_by_class(np.array(shares) @ found.changes)
        if moves:
            mean = math.fsum(s * area for s, area in zip(shares, found.areas, strict=True))
            of_class = np.zeros(len(self.columns))
            of_class[found.classes] = np.array(found.areas) - mean
            total += self.variance(of_class[self.codes])
        return total

    def pair_areas(self) -> PairAreas:
        """Return Hand and Till's area of each pair of classes, and what rows add to them."""
        shares = np.bincount(self.codes, self.share, len(self.columns))
        sizes = np.bincount(self.codes, minlength=len(self.columns))
        areas, pairs, changes = [], [], []
        for a, b in combinations(np.flatnonzero(sizes).tolist(), 2):
            rows = np.flatnonzero((self.codes == a) | (self.codes == b))
            codes = self.codes[rows]
            weights = None if self.weights is None else self.weights[rows]
            own = np.where(codes == a, shares[a], shares[b])
            both, area = np.zeros(len(rows)), 0.0
            for of in (a, b):
                positive = codes == of
                lost = lost_placements(positive, self.columns[of][rows], weights)
                mean = float((self.share[rows] * lost)[positive].sum()) / float(shares[of])
                both += (mean - lost) / own / 2
                area += (1 - mean) / 2
            areas.append(area)
            pairs.append((a, b))
            changes.append((rows, both))
        of_pairs = [float(shares[a] + shares[b]) for a, b in pairs]
        return PairAreas(
            areas, pairs, [(int(sizes[a]), int(sizes[b])) for a, b in pairs], of_pairs, changes
        )

    def variance_of_pairs(self, found: PairAreas, parts: list[float], moves: bool) -> float:
        """Return the variance of the sum of the areas of pairs, each times its part.

        `moves`: the parts are those of the rows of the pairs, and vary with them.
        """
        changes = np.zeros(self.n)
        for (rows, of_pair), part in zip(found.changes, parts, strict=True):
            changes[rows] += part * of_pair
        total = self.variance_by_class(changes)
        if moves:
            mean = math.fsum(s * area for s, area in zip(parts, found.areas, strict=True))
            of_class = np.zeros(len(self.columns))
            for (a, b), area in zip(found.pairs, found.areas, strict=True):
                of_class[[a, b]] += (area - mean) / math.fsum(found.weights)
            each = of_class[self.codes]
            total += self.variance(each - float(self.share @ each))
        return total

    def pooled_changes(self) -> Floats:
        """Return the changes of the area of all decisions "is it this class" pooled."""
        k = len(self.columns)
        positive = (self.codes[:, None] == np.arange(k)).ravel()
        weights = None if self.weights is None else np.repeat(self.weights, k)
        lost = lost_placements(positive, np.column_stack(self.columns).ravel(), weights)
        lost[~positive] /= k - 1
        of_rows = lost.reshape(-1, k)
        mean = float((self.share @ np.where(positive.reshape(-1, k), of_rows, 0)).sum())
        changes: Floats = 2 * mean - of_rows.sum(axis=1)
        return changes


def counted_codes(
    state: MulticlassState,
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[Any] | None]:
    """Return class and weight of the rows of a state that are counted and weigh something."""
    used = _counted(state)
    return state._codes[used], None if state._weights is None else state._weights[used]


def _counted(state: MulticlassState) -> npt.NDArray[np.bool_]:
    used: npt.NDArray[np.bool_] = state._codes < len(state.labels)
    return used if state._weights is None else used & (state._weights > 0)


def rows_of(state: MulticlassState) -> CountedRows:
    """Return the rows of a state that are counted and weigh something."""
    used = _counted(state)
    weights = None if state._weights is None else np.asarray(state._weights[used])
    codes = state._codes[used]
    columns = [np.asarray(column)[used] for column in state._columns]
    share = np.ones(len(codes)) if weights is None else weights.astype(np.float64)
    return CountedRows(codes, columns, weights, share / share.sum())
