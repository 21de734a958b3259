"""Joint counts of truth and the predictions of two models, by slice, for each pair of models."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import polars as pl

from confmat.frames.joint_parts import joint_parts
from confmat.frames.partials import JOINT, SCORED, STATE, grouped_states
from confmat.logs.request import MODEL, LogRequest
from confmat.objects.counting import confusion_matrix

PAIR = ("model_a", "model_b")
_VERSUS = "__confmat_versus__"
_FEW = 10_000  # rows that wait for a merge, at least


class JointStates:
    """What is kept of pairs of models: `model_a`, `model_b`, the keys, and `joint`."""

    def __init__(self, request: LogRequest, schema: pl.Schema) -> None:
        self._request = request
        self._schema = schema
        self._waiting: list[pl.DataFrame] = []
        self._merged: pl.DataFrame | None = None

    @staticmethod
    def has_pairs(request: LogRequest) -> bool:
        """Return whether there are two models that predict one class a row."""
        return len(_pairs(request)) > 0

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Count a batch, and return what adds it."""
        counts = self._counts(batch)
        return lambda: self.take(counts)

    def take(self, counts: pl.DataFrame) -> None:
        """Add joint counts."""
        self._waiting.append(counts)
        done = 0 if self._merged is None else self._merged.height
        if sum(one.height for one in self._waiting) > max(_FEW, 2 * done):
            self.states()

    def states(self) -> pl.DataFrame:
        """Return the joint counts of all pairs and slices, sorted."""
        if self._waiting:
            parts = self._waiting if self._merged is None else [self._merged, *self._waiting]
            whole = pl.concat(parts, how="vertical_relaxed")
            self._merged, self._waiting = merged_joints(whole, self._request.keys), []
        if self._merged is None:
            return self._counts(pl.DataFrame(schema=self._schema))
        return self._merged

    def _counts(self, batch: pl.DataFrame) -> pl.DataFrame:
        counting = self._request.counting
        parts = []
        for (a, y_pred_a), (b, y_pred_b) in _pairs(self._request):
            for name in (y_pred_a, y_pred_b):  # whose errors name the row, and the argument
                confusion_matrix(
                    batch.get_column(str(counting.y_true)),
                    batch.get_column(name),
                    labels=counting.labels,
                    other=counting.other,
                )
            counts = joint_parts(
                batch,
                y_true=str(counting.y_true),
                y_pred_a=y_pred_a,
                y_pred_b=y_pred_b,
                by=list(self._request.keys),
                labels=counting.labels,
                sample_weight=counting.sample_weight,
                other=counting.other,
            )
            names = [pl.lit(name).alias(key) for key, name in zip(PAIR, (a, b), strict=True)]
            parts.append(counts.select(*names, pl.all()))
        return pl.concat(parts)


def merged_joints(joints: pl.DataFrame, keys: tuple[str, ...]) -> pl.DataFrame:
    """Return joint counts with one row for each pair of models and slice."""
    summed = pl.col(JOINT).cm.merge_states()  # type: ignore[attr-defined]
    out: pl.DataFrame = grouped_states(joints, [*PAIR, *keys], {JOINT: summed})
    return out


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
    joints = whole.filter(pl.col(_VERSUS).is_not_null()).drop(states)
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
