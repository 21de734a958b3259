"""The state of scores for sets of labels without the rows: a sweep a label, sums over rows."""

from __future__ import annotations

import math
from functools import cached_property

from confmat import _core
from confmat.core_state import CoreState
from confmat.labels import Label
from confmat.labelsets.ranking import RANKINGS
from confmat.labelsets.scored import LabelSweeps
from confmat.scores.state import ScoreState


class SavedSetScores(LabelSweeps, CoreState):
    """A sweep of each label, and how the scores order the labels of rows. Immutable."""

    _state: _core.SetScores

    _core_class = _core.SetScores
    _merge = staticmethod(_core.merge_set_scores)

    @cached_property
    def labels(self) -> tuple[Label, ...]:  # type: ignore[override]
        """The labels, in order."""
        return self._state.labels

    @cached_property
    def _sweeps(self) -> list[ScoreState]:  # type: ignore[override]
        return [ScoreState._around(sweep) for sweep in self._state.sweeps]

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """Rows counted, whatever their weights."""
        return self._state.rows

    @property
    def n_nan(self) -> int:  # type: ignore[override]
        """Rows left out for a nan score."""
        return self._state.n_nan

    def _ranking(self, name: str) -> float:
        total = float(self._state.order[list(RANKINGS).index(name)])
        return total / self.n if self.n else math.nan
