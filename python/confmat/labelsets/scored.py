"""The state of scores for sets of labels: one sweep a label, and the rows, whose order counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label
from confmat.labelsets.indicators import Bools
from confmat.labelsets.ranking import of_rows
from confmat.multiclass.inputs import FloatColumn
from confmat.named_numbers import mean
from confmat.scores.clipping import ScoreType
from confmat.scores.from_rows import swept
from confmat.scores.state import ScoreState


class LabelSweeps:
    """What sweeps of sets of labels share, of rows or saved: one sweep a label."""

    labels: tuple[Label, ...]
    n_rows: int
    n_dropped: int
    n_nan: int
    _sweeps: list[ScoreState]

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._sweeps[0].n

    def _ranking(self, name: str) -> float:
        """Return the mean over rows of how the scores order their labels."""
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class ScoredSets(LabelSweeps):
    """Rows with sets of labels and a score for each label."""

    labels: tuple[Label, ...]
    _truth: Bools
    _scores: list[FloatColumn]
    _weights: npt.NDArray[Any] | None
    n_dropped: int
    n_nan: int
    _score_type: ScoreType

    def __post_init__(self) -> None:
        self.n_rows = len(self._truth)
        self._sweeps = [ScoreState._around(state) for state in self._swept(None)]

    def _swept(self, bins: int | str | None) -> list[_core.SweepState]:
        """Return the sweep of each label."""
        return [
            _swept(label, self._truth[:, at], self._scores[at], self._weights, bins).with_type(
                self._score_type
            )
            for at, label in enumerate(self.labels)
        ]

    def _ranking(self, name: str) -> float:
        values = of_rows(name, self._truth, self._scores)
        return mean(values, np.ones(len(values)) if self._weights is None else self._weights)


def _swept(
    label: Label, truth: Bools, scores: FloatColumn, weights: Any, bins: int | str | None
) -> _core.SweepState:
    try:
        return swept(truth, scores, pos_label=True, sample_weight=weights, bins=bins)
    except InputError as error:
        raise error.moved(0, before=f"label {label!r}: ") from error
