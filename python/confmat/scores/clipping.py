"""What log loss clips scores by: the machine epsilon of the dtype they had."""

from __future__ import annotations

from typing import Literal, TypeAlias

ScoreType: TypeAlias = Literal["float16", "float32", "float64"]
_EPSILON = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}


def clip_of(score_type: ScoreType) -> float:
    """Return the epsilon: log loss moves scores into [epsilon, 1 - epsilon]."""
    return _EPSILON[score_type]
