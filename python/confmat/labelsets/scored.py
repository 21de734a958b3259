"""The state of scores for sets of labels: one sweep a label, and the rows, whose order counts."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from confmat.errors import InputError
from confmat.labels import Label
from confmat.labelsets.indicators import Bools
from confmat.multiclass.inputs import FloatColumn
from confmat.scores.clipping import ScoreType
from confmat.scores.from_rows import swept
from confmat.scores.state import ScoreState


class ScoredSets:
    """Rows with sets of labels and a score for each label."""

    def __init__(
        self,
        labels: tuple[Label, ...],
        truth: Bools,
        scores: list[FloatColumn],
        weights: npt.NDArray[Any] | None,
        n_dropped: int,
        n_nan: int,
        score_type: ScoreType,
    ) -> None:
        self.labels = labels
        self.n_rows = len(truth)
        self.n_dropped = n_dropped
        self.n_nan = n_nan
        self._truth, self._scores, self._weights = truth, scores, weights
        self._sweeps = [
            _swept(label, truth[:, at], scores[at], weights, score_type)
            for at, label in enumerate(labels)
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
    return ScoreState._of(rows._replace(score_type=score_type))
