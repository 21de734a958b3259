"""The state of a calibration: counts at each score, in bins, and the fits that are made once."""

from __future__ import annotations

import math
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from confmat.calibration import line as calibration_line
from confmat.calibration.bins import Bins, Strategy, binned, read_bins
from confmat.errors import InputError
from confmat.scores.counts import Floats, ScoreCounts, check_probabilities, score_counts


class CalibrationState:
    """Probabilities and the classes seen at each, in bins. Immutable."""

    n: int | float
    n_effective: float
    strategy: str
    _asked: int | Floats
    _strategy: Strategy
    _counts: ScoreCounts
    _whole: bool
    _given: float | None
    _clip: float | None
    _bins: Bins

    def __init__(
        self,
        scores: Any,
        positives: Any,
        negatives: Any,
        bins: int | Any = 10,
        strategy: Strategy = "uniform",
        *,
        n_effective: float | None = None,
        clip: float | None = None,
    ) -> None:
        asked = read_bins(bins, strategy)
        counts = score_counts(scores, positives, negatives)
        check_probabilities(counts, "calibration")
        whole = all(np.asarray(part).dtype.kind in "biu" for part in (positives, negatives))
        given = _between(n_effective, "n_effective")
        self.__dict__.update(
            n=int(counts.n) if whole else counts.n,
            n_effective=counts.n if given is None else given,
            strategy=strategy if isinstance(asked, int) else "edges",
            _asked=asked,
            _strategy=strategy,
            _counts=counts,
            _whole=whole,
            _given=given,
            _clip=_between(clip, "clip", 0.5),
            _bins=binned(counts, asked, strategy),
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a calibration does not change; cannot set {name!r}")

    @property
    def _effective(self) -> float:
        """How many rows a unit of weight stands for."""
        return self.n_effective / self.n if self.n else 1.0

    @cached_property
    def _line(self) -> calibration_line.Line:
        return calibration_line.line(self._counts, self._clip)

    @cached_property
    def _offset(self) -> calibration_line.Offset:
        return calibration_line.in_the_large(self._counts, self._clip)

    @cached_property
    def _spiegelhalter(self) -> calibration_line.Spiegelhalter:
        return calibration_line.spiegelhalter(self._counts, self._effective)


def _between(value: Any, name: str, high: float = math.inf) -> Any:
    if value is None:
        return None
    plain = not isinstance(value, bool) and isinstance(value, Real)
    number = float(value) if plain else math.nan
    if not 0 < number < high:
        raise InputError(f"`{name}` is {value!r}; wanted a number between 0 and {high}")
    return number
