"""What log loss clips scores by: the machine epsilon of the dtype they had."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

ScoreType: TypeAlias = Literal["float16", "float32", "float64"]
SCORE_TYPES: tuple[ScoreType, ...] = ("float16", "float32", "float64")
_EPSILON = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}
_SHOWN = {"float16": "2^-10", "float32": "2^-23", "float64": "2^-52"}


def clip_of(score_type: ScoreType) -> float:
    """Return the epsilon: log loss moves scores into [epsilon, 1 - epsilon]."""
    return _EPSILON[score_type]


def type_of(scores: Any, half: bool) -> ScoreType:
    """Return the type of a column of scores, `half` if it was read from float16."""
    if half:
        return "float16"
    if isinstance(scores, np.ndarray):
        return "float32" if scores.dtype.kind == "f" and scores.dtype.itemsize == 4 else "float64"
    return "float32" if pl.Series(scores).dtype == pl.Float32 else "float64"


def different(one: ScoreType, two: ScoreType) -> str:
    """Say why sweeps of these two do not merge."""
    return (
        f"log loss clips {one} scores at {_SHOWN[one]} and {two} scores at {_SHOWN[two]}; "
        "sweep both with scores of one dtype"
    )
