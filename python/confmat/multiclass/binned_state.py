"""The state of scores of many classes in bins: what is kept of the rows, which merges."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from confmat import _core
from confmat.core_state import CoreState
from confmat.errors import InputError
from confmat.labels import Label, position
from confmat.matrices.sparse import SparseCells, of_core
from confmat.multiclass import losses
from confmat.multiclass.inputs import Floats
from confmat.multiclass.ladder import Ladder
from confmat.multiclass.state import ClassSums
from confmat.scores import values
from confmat.scores.state import ScoreState

_NO_PROBABILITIES = "some rows hold no probabilities"
_NO_PAIRS = "pairs of classes are not kept; k.to_state(pairs=True) keeps them"


class BinnedClassState(ClassSums, CoreState):
    """A sweep in bins for each class, and sums over the rows. Immutable."""

    _state: _core.ClassScores

    _core_class = _core.ClassScores
    _merge = staticmethod(_core.merge_class_scores)

    @cached_property
    def _argmax(self) -> _core.Counts:
        return self._state.argmax

    @cached_property
    def _labels(self) -> tuple[Label, ...]:
        return self._argmax.labels

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class of each column."""
        return self._labels

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self._argmax.squares is not None

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null label or weight."""
        return self._argmax.n_dropped

    @property
    def has_pairs(self) -> bool:
        """Whether pairs of classes are kept, which one-vs-one areas need."""
        return self._state.has_pairs

    @cached_property
    def _sums(self) -> _core.RowSums:
        sums = self._state.losses
        log_loss, brier = (math.nan, math.nan) if sums is None else sums.tolist()
        cells = of_core(len(self._labels), self._argmax.cells)
        rows = cells.margins()[0] if isinstance(cells, SparseCells) else cells.sum(axis=1)
        return {
            "n_rows": self._argmax.rows,
            "n_clipped": self._state.n_clipped,
            "weight": _core.exact_sum(rows.astype(np.float64)),
            "log_loss": log_loss,
            "brier": brier,
            "class_weights": rows.astype(np.float64),
            "ranks": self._state.ranks.astype(np.float64),
            "not_probabilities": _NO_PROBABILITIES if sums is None else "",
        }

    @cached_property
    def _parts(self) -> list[_core.SweepState]:
        return self._state.sweeps

    @cached_property
    def _sweeps(self) -> list[ScoreState]:
        """Each class against the rest."""
        k = len(self._labels)
        if not self.has_pairs:
            return [ScoreState._around(part) for part in self._parts]
        rows = [self._parts[first : first + k] for first in range(0, k * k, k)]
        return [ScoreState._around(_core.merge_sweeps([*of_class])) for of_class in rows]

    def _against_rest(self, label: Label) -> ScoreState:
        return self._sweeps[position(self._labels, label, "label")]

    @cached_property
    def _class_areas(self) -> Floats:
        return np.array([values.values(sweep, ["roc_auc"])["roc_auc"] for sweep in self._sweeps])

    @cached_property
    def _pair_areas(self) -> Floats:
        if not self.has_pairs:
            raise InputError(_NO_PAIRS)
        k = len(self._labels)
        areas = np.full((k, k), 0.5)
        for i in range(k):
            own = self._parts[i * k + i]
            for j in range(k):
                if i != j:
                    both = ScoreState._around(own.added(self._parts[i * k + j]))
                    areas[i, j] = values.values(both, ["roc_auc"])["roc_auc"]
        return areas

    @cached_property
    def _ladders(self) -> list[Ladder]:
        return [_ladder(sweep) for sweep in self._sweeps]

    @cached_property
    def _pooled(self) -> Ladder:
        """All n x K decisions "is it this class" as one ladder."""
        return _ladder(self._pooled_sweep)

    @cached_property
    def _pooled_sweep(self) -> ScoreState:
        """All n x K decisions "is it this class" as one sweep."""
        return ScoreState._around(_core.merge_sweeps([s._state for s in self._sweeps]))

    def _log_loss_clipped(self, clip: float) -> float:
        raise InputError("`clip`: only the log loss with the usual clip is kept of the rows")

    def _class_errors(self, bins: int) -> list[float]:
        name = f"ece({bins})"
        return [values.values(sweep, [name])[name] for sweep in self._sweeps]

    def _top_error(self, bins: int) -> float:
        name = f"ece({bins})"
        return values.values(ScoreState._around(self._state.top), [name])[name]

    def _why_not_kept(self, name: str, parameters: dict[str, Any]) -> str | None:
        of_pairs = name == "roc_auc" and parameters.get("multi_class") == "ovo"
        if of_pairs and not self.has_pairs:
            return _NO_PAIRS
        if name in losses.OF_ROWS:
            return losses.NO_ROWS_KEPT
        return super()._why_not_kept(name, parameters)


def _ladder(sweep: ScoreState) -> Ladder:
    """Return a sweep as a ladder: the rows of a bin are tied at its lower end."""
    members, others = sweep._positives.astype(np.float64), sweep._negatives.astype(np.float64)
    at = np.asarray(sweep._at, dtype=np.float64)
    [used] = np.nonzero(members)
    before = np.concatenate([[0.0], np.cumsum(others)])
    start = np.concatenate([[0], used[:-1] + 1]) if len(used) else used
    end = int(used[-1]) + 1 if len(used) else 0
    lowest = np.where(used > start, at[np.maximum(used - 1, 0)], np.nan)
    return Ladder(
        at[used],
        members[used],
        others[used],
        before[used] - before[start],
        lowest,
        float(before[-1] - before[end]),
        float(at[-1]) if end < len(at) else math.nan,
    )
