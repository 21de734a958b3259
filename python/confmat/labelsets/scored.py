"""The state of scores for sets of labels: one sweep a label, and the rows, whose order counts."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import Any

import numpy.typing as npt

from confmat.errors import InputError
from confmat.labels import Label
from confmat.labelsets.indicators import Bools
from confmat.multiclass.inputs import FloatColumn
from confmat.scores.clipping import ScoreType
from confmat.scores.from_rows import swept
from confmat.scores.state import ScoreState


@dataclass(eq=False, repr=False)
class ScoredSets:
    """Rows with sets of labels and a score for each label."""

    labels: tuple[Label, ...]
    _truth: Bools
    _scores: list[FloatColumn]
    _weights: npt.NDArray[Any] | None
    n_dropped: int
    n_nan: int
    score_type: InitVar[ScoreType]

    def __post_init__(self, score_type: ScoreType) -> None:
        self.n_rows = len(self._truth)
        self._sweeps = [
            _swept(label, self._truth[:, at], self._scores[at], self._weights, score_type)
            for at, label in enumerate(self.labels)
        ]

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._sweeps[0].n


def _swept(
    label: Label, truth: Bools, scores: FloatColumn, weights: Any, score_type: ScoreType
) -> ScoreState:
    try:
        rows = swept(truth, scores, sample_weight=weights)
    except InputError as error:
        raise InputError(f"label {label!r}: {error}") from error
    return ScoreState._of(rows.with_type(score_type))
