"""What a sweep of many classes holds: columns, classes, weights, and sums over them, made once."""

from __future__ import annotations

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

_NO_ROWS = "there are no rows"
_ONE_CLASS = "all rows are of one class"
_NO_WEIGHT = "all weights are 0"


@dataclass(eq=False, repr=False)
class MulticlassState:
    """Columns of scores, the class of each row, and what is added up over them."""

    _columns: list[FloatColumn]
    _codes: npt.NDArray[np.uint16]
    _labels: tuple[Label, ...]
    _weights: Floats | None
    _weight_column: Any
    _tolerance: float
    _score_type: ScoreType

    def __post_init__(self) -> None:
        self._sums = self._added_up(clip_of(self._score_type))

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
    def n_rows(self) -> int:
        """Rows counted, whatever their weights."""
        return self._sums["n_rows"]

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._sums["weight"] if self.weighted else self.n_rows

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null label or weight."""
        return len(self._codes) - self.n_rows

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

    @property
    def _ladders(self) -> list[Ladder]:
        return self._won_on_ladders[1]

    @cached_property
    def _pooled(self) -> Ladder:
        """All n x K decisions "is it this class" as one ladder."""
        return ladders_from(_core.pooled_ladder(self._columns, self._codes, self._weights, 0))[0]

    def _need_probabilities(self, name: str) -> None:
        """Refuse what is no row of probabilities, with the first such row."""
        why = self._sums["not_probabilities"]
        if why:
            raise InputError(f"{name} needs probabilities: {why}")

    def _why_undefined(self, two_classes: bool) -> str | None:
        if not self.n_rows:
            return _NO_ROWS
        if not self.n:
            return _NO_WEIGHT
        return _ONE_CLASS if two_classes and self.n_classes_used < 2 else None


def against_rest(state: MulticlassState, label: Label) -> ScoreState:
    """Return the exact state of `sweep(y_true == label, column)`."""
    at = position(state._labels, label, "label")
    truth = kept(state, state._codes == at)
    rows = swept(truth, state._columns[at], sample_weight=state._weight_column)
    return ScoreState._of(rows.with_type(state._score_type))


def kept(state: MulticlassState, truth: npt.NDArray[Any]) -> npt.NDArray[Any] | pl.Series:
    """Return the column, null in the rows that are left out, whatever their weights."""
    used = state._codes < len(state._labels)
    if used.all():
        return truth
    return pl.select(pl.when(pl.Series(used)).then(pl.Series("y_true", truth))).to_series()
