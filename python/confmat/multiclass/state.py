"""What a sweep of many classes holds: columns, classes, weights, and sums over them, made once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label, position
from confmat.multiclass.inputs import FloatColumn, Floats
from confmat.multiclass.ladder import Ladder, ladders_from
from confmat.scores.clipping import ScoreType, clip_of
from confmat.scores.from_rows import swept
from confmat.scores.state import ScoreState

OF_PROBABILITIES = (
    "log_loss",
    "brier",
    "d2_log_loss",
    "d2_brier",
    "ranked_probability_score",
    "classwise_ece",
    "top_label_ece",
)
_NO_ROWS = "there are no rows"
_ONE_CLASS = "all rows are of one class"
_NO_WEIGHT = "all weights are 0"


class ClassSums:
    """What sweeps of many classes share, of rows or of bins: sums over rows, areas, ladders."""

    @property
    def _sums(self) -> _core.RowSums:
        """Sums over the rows."""
        raise NotImplementedError

    @property
    def _class_areas(self) -> Floats:
        """The ROC area of each class against the rest; nan without rows on one side."""
        raise NotImplementedError

    @property
    def _pair_areas(self) -> Floats:
        """The ROC areas of each class against each other one, by the scores of the first."""
        raise NotImplementedError

    @property
    def _pooled(self) -> Ladder:
        """All n x K decisions "is it this class" as one ladder."""
        raise NotImplementedError

    @property
    def _ladders(self) -> list[Ladder]:
        """Each class against the rest."""
        raise NotImplementedError

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class of each column."""
        raise NotImplementedError

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null label or weight."""
        raise NotImplementedError

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        raise NotImplementedError

    def _against_rest(self, label: Label) -> ScoreState:
        """Return the sweep of one class against the rest."""
        raise NotImplementedError

    def _log_loss_clipped(self, clip: float) -> float:
        """Return the sum of log losses with another clip."""
        raise NotImplementedError

    def _class_errors(self, bins: int) -> list[float]:
        """Return the calibration error of each class against the rest."""
        raise NotImplementedError

    def _top_error(self, bins: int) -> float:
        """Return the calibration error of the largest probability; of equal ones the first."""
        raise NotImplementedError

    @property
    def n_rows(self) -> int:
        """Rows counted, whatever their weights."""
        return self._sums["n_rows"]

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._sums["weight"] if self.weighted else self.n_rows

    @property
    def n_clipped(self) -> int:
        """Rows whose true class had a probability so small that `log_loss` raised it."""
        self._need_probabilities("n_clipped")
        return self._sums["n_clipped"]

    @property
    def support(self) -> npt.NDArray[Any]:
        """Rows of each class, or the sum of their weights; shape (K,), int64 or float64."""
        support = self._sums["class_weights"]
        return support.copy() if self.weighted else support.astype(np.int64)

    @property
    def n_classes_used(self) -> int:
        """How many classes have rows: what averages over classes are of."""
        return int(np.count_nonzero(self._sums["class_weights"]))

    @property
    def n_pairs_used(self) -> int:
        """How many pairs of classes have rows of both: what one-vs-one averages are of."""
        return self.n_classes_used * (self.n_classes_used - 1) // 2

    def _need_probabilities(self, name: str) -> None:
        """Refuse what is no row of probabilities, with the first such row."""
        why = self._sums["not_probabilities"]
        if why:
            raise InputError(f"{name} needs probabilities: {why}")

    def _why_not_kept(self, name: str, parameters: dict[str, Any]) -> str | None:
        """Return why there is nothing to compute a number from, or None."""
        of_probabilities = name in OF_PROBABILITIES
        return (self._sums["not_probabilities"] or None) if of_probabilities else None

    def _why_undefined(self, two_classes: bool) -> str | None:
        if not self.n_rows:
            return _NO_ROWS
        if not self.n:
            return _NO_WEIGHT
        return _ONE_CLASS if two_classes and self.n_classes_used < 2 else None


@dataclass(eq=False, repr=False)
class MulticlassState(ClassSums):
    """Columns of scores, the class of each row, and what is added up over them."""

    _columns: list[FloatColumn]
    _codes: npt.NDArray[np.uint16]
    _labels: tuple[Label, ...]
    _weights: Floats | None
    _weight_column: Any
    _tolerance: float
    _score_type: ScoreType

    def __post_init__(self) -> None:
        self._added = self._added_up(clip_of(self._score_type))  # refuses bad rows at once

    @property
    def _sums(self) -> _core.ProbabilitySums:
        return self._added

    def _added_up(self, clip: float, soft: bool = False) -> _core.ProbabilitySums:
        return _core.probability_sums(
            self._columns, self._codes, self._weights, self._tolerance, clip, soft, 0
        )

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class of each column."""
        return self._labels

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self._weights is not None

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null label or weight."""
        return len(self._codes) - self.n_rows

    @cached_property
    def _wins(self) -> npt.NDArray[Any]:
        """Twice the won pairs of rows and once the tied ones, of each class against each."""
        if "_won_on_ladders" in self.__dict__:
            return self._won_on_ladders[0]
        return _core.class_ladders(self._columns, self._codes, self._weights, False, 0)[0]

    @cached_property
    def _won_on_ladders(self) -> tuple[npt.NDArray[Any], list[Ladder]]:
        wins, parts = _core.class_ladders(self._columns, self._codes, self._weights, True, 0)
        assert parts is not None
        return wins, ladders_from(parts)

    @cached_property
    def _class_areas(self) -> Floats:
        wins = self._wins.sum(axis=1).tolist()
        support = self.support
        # Both sides are sums: a difference of totals would lose the digits of the smaller one.
        others = _before(support) + _before(support[::-1])[::-1]
        pairs = [2 * n * m for n, m in zip(support.tolist(), others.tolist(), strict=True)]
        return np.array(
            [won / both if both > 0 else math.nan for won, both in zip(wins, pairs, strict=True)]
        )

    @cached_property
    def _pair_areas(self) -> Floats:
        weights = self._sums["class_weights"]
        with np.errstate(invalid="ignore"):
            areas = self._wins / (2 * weights[:, None] * weights)
        return np.asarray(areas, dtype=np.float64)

    @property
    def _ladders(self) -> list[Ladder]:
        return self._won_on_ladders[1]

    @cached_property
    def _pooled(self) -> Ladder:
        return ladders_from(_core.pooled_ladder(self._columns, self._codes, self._weights, 0))[0]

    def _against_rest(self, label: Label) -> ScoreState:
        """Return the exact state of `sweep(y_true == label, column)`."""
        at = position(self._labels, label, "label")
        truth = kept(self, self._codes == at)
        rows = swept(truth, self._columns[at], sample_weight=self._weight_column)
        return ScoreState._around(rows.with_type(self._score_type))

    def _log_loss_clipped(self, clip: float) -> float:
        return self._added_up(clip)["log_loss"]

    def _class_errors(self, bins: int) -> list[float]:
        used = self._codes < len(self._labels)
        codes = self._codes[used]
        weights = None if self._weights is None else self._weights[used]
        return [
            _ece(column[used].astype(np.float64), codes == i, weights, bins)
            for i, column in enumerate(self._columns)
        ]

    def _top_error(self, bins: int) -> float:
        used = self._codes < len(self._labels)
        top = np.maximum.reduce([np.asarray(c, dtype=np.float64) for c in self._columns])
        named = _core.predict_top_k(self._columns, self._codes, 1, False, 0)
        weights = None if self._weights is None else self._weights[used]
        return _ece(top[used], (named == self._codes)[used], weights, bins)


def _before(parts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the sum of the parts before each."""
    sums: npt.NDArray[Any] = np.cumsum(parts)
    return np.concatenate([sums[:1] * 0, sums[:-1]])


def _ece(scores: Floats, positive: Any, weights: Floats | None, bins: int) -> float:
    state = _core.sweep(positive, scores, weights, None, False, False, 0)
    assert state.scores is not None
    counted = state.scores, state.positives, state.negatives
    return _core.score_values([f"ece({bins})"], *counted)[0]


def kept(state: MulticlassState, truth: npt.NDArray[Any]) -> npt.NDArray[Any] | pl.Series:
    """Return the column, null in the rows that are left out, whatever their weights."""
    used = state._codes < len(state._labels)
    if used.all():
        return truth
    return pl.select(pl.when(pl.Series(used)).then(pl.Series("y_true", truth))).to_series()
