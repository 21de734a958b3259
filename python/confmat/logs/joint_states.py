"""Joint counts of truth and the predictions of two models, by slice, for each pair of models."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.joint_parts import joint_parts
from confmat.frames.state_queries import JOINT, SCORED, STATE
from confmat.logs.merged_states import MergedStates
from confmat.logs.request import LogRequest
from confmat.objects.counting import confusion_matrix
from confmat.slices.lattice import MODEL

PAIR = ("model_a", "model_b")
_VERSUS = "__confmat_versus__"


def has_pairs(request: LogRequest) -> bool:
    """Return whether there are two models that predict one class a row."""
    return not request.is_of_numbers and len(_pairs(request)) > 0


def joint_states(request: LogRequest, schema: pl.Schema, max_memory: int) -> MergedStates:
    """Return what is kept of pairs of models: `model_a`, `model_b`, the keys, and `joint`."""
    nothing = pl.DataFrame(schema=schema)
    keys = [*PAIR, *request.keys]
    return MergedStates(lambda batch: _counts(batch, request), nothing, keys, max_memory)


def _counts(batch: pl.DataFrame, request: LogRequest) -> pl.DataFrame:
    counting = request.counting
    options: dict[str, Any] = {"labels": counting.labels, "other": counting.other}
    truth, parts = str(counting.y_true), []
    for (a, y_pred_a), (b, y_pred_b) in _pairs(request):
        try:
            counts = joint_parts(
                batch,
                y_true=truth,
                y_pred_a=y_pred_a,
                y_pred_b=y_pred_b,
                by=list(request.keys),
                sample_weight=counting.sample_weight,
                **options,
            )
        except InputError:
            for name in (y_pred_a, y_pred_b):  # whose error names the row, and our argument
                confusion_matrix(batch.get_column(truth), batch.get_column(name), **options)
            raise
        names = [pl.lit(name).alias(key) for key, name in zip(PAIR, (a, b), strict=True)]
        parts.append(counts.select(*names, pl.all()))
    return pl.concat(parts)


def together(parts: pl.DataFrame, joints: pl.DataFrame | None) -> pl.DataFrame:
    """Return states of slices and joint counts as one frame."""
    if joints is None:
        return parts
    renamed = joints.rename({PAIR[0]: MODEL, PAIR[1]: _VERSUS})
    both = pl.concat([parts, renamed], how="diagonal_relaxed")
    states = [name for name in both.columns if both.schema[name] == pl.Binary]
    return both.select(pl.exclude(states), *states)


def apart(whole: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """Return what `together` put together."""
    if JOINT not in whole.columns:
        return whole, None
    states = [name for name in (STATE, SCORED) if name in whole.columns]
    parts = whole.filter(pl.col(_VERSUS).is_null()).drop(_VERSUS, JOINT)
    joints = whole.filter(pl.col(_VERSUS).is_not_null()).drop(*states, CLUSTER, strict=False)
    joints = joints.rename({MODEL: PAIR[0], _VERSUS: PAIR[1]})
    return parts, joints.select(*PAIR, pl.exclude(*PAIR))


def _pairs(request: LogRequest) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the pairs of models, each by its name and its column of predictions."""
    models = [
        (str(model.name), model.y_pred)
        for model in request.counting.models
        if isinstance(model.y_pred, str) and isinstance(request.counting.y_true, str)
    ]
    return list(combinations(models, 2))
