"""Differences of metrics of two scores of the same rows, which are read from their joint states."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from confmat.frames.joint_parts import joint_parts
from confmat.frames.reasons import too_few
from confmat.intervals.levels import Side
from confmat.logs.joint_states import PAIR
from confmat.logs.merged_states import MergedStates
from confmat.logs.reading import Batch, Reader
from confmat.logs.request import LogRequest
from confmat.logs.run import located
from confmat.logs.sources import Part
from confmat.name_calls import base_of
from confmat.objects.joint_sweep import JointSweep
from confmat.paired.asked import Asked
from confmat.paired.difference import NO_DISAGREEMENT, Difference, nothing, with_error
from confmat.paired.models import Models
from confmat.registry import find
from confmat.scores.joint_differences import METRICS, canonical, joint_difference, method_of
from confmat.scores.points import outside
from confmat.significance.result import Alternative

# A lower end asks whether b has more.
_B_HAS: dict[Side, Alternative] = {"both": "two-sided", "lower": "greater", "upper": "less"}
_MODELS: tuple[Literal["a"], Literal["b"]] = ("a", "b")


class ScoredStates:
    """The joint state of two scores of the rows of one slice."""

    def __init__(self, state: JointSweep, asked: Asked) -> None:
        self.state, self._asked = state, asked

    def difference(self, name: str) -> Difference:
        """Return the difference of a metric of scores."""
        n, asked = self.state.n, self._asked
        if n < asked.min_n:
            return nothing(n, str(too_few(asked.min_n)))
        if not n:
            return nothing(n, "there are no rows")
        metric = find(base_of(name))["name"]
        if canonical(name) not in METRICS:
            a, b = (self.state.sweep(model).value(name) for model in _MODELS)
            why = f"there is no paired interval of {metric} without the rows: leave out `bins`"
            return nothing(n, why, a, b)
        found = joint_difference(self.state, name)
        values = (found.value_a, found.value_b)
        if math.isnan(found.se):
            return nothing(n, str(found.why), *values)
        told = with_error(metric, n, values, found.se, method_of(name, found), asked)
        if not found.least < found.most:
            return told
        most, value = asked.most(metric), told.difference
        return told._replace(
            low=max(told.low - (value - found.least), -most),
            high=min(told.high + (found.most - value), most),
            p_value=asked.p_value(found.least_telling(_B_HAS[asked.side]), found.se),
            reason=None if told.reason == NO_DISAGREEMENT else told.reason,
        )


def are_probabilities(state: JointSweep) -> bool:
    """Return whether both scores lie in [0, 1]."""
    return all(outside(state.sweep(model)) is None for model in _MODELS)


def score_states(
    queries: Sequence[tuple[Part, pl.LazyFrame]],
    request: LogRequest,
    models: Models,
    max_memory: int,
) -> pl.DataFrame:
    """Return joint states of the baseline's score and each other one: `model_b`, keys, `joint`."""
    counting, keys = request.counting, list(request.keys)
    first = models.names[0]
    # Files may have scores of several types, whose states do not merge.
    whole = pl.concat([query for _, query in queries], how="vertical_relaxed").collect_schema()
    types: dict[str, Any] = {name: whole[name] for name in models.y_score.values()}
    if counting.sample_weight is not None:  # which counts by its square, as of the rows
        types[counting.sample_weight] = pl.Float64()

    def make(batch: pl.DataFrame) -> pl.DataFrame:
        batch = batch.with_columns(pl.col(name).cast(of) for name, of in types.items())
        parts = [
            joint_parts(
                batch,
                y_true=str(counting.y_true),
                y_score_a=models.y_score[first],
                y_score_b=models.y_score[other],
                by=keys,
                pos_label=counting.pos_label,
                sample_weight=counting.sample_weight,
                nan=counting.nan,
            ).select(pl.lit(other).alias(PAIR[1]), pl.all())
            for other in models.names[1:]
        ]
        return pl.concat(parts)

    nothing = queries[0][1].clear().collect()
    states = MergedStates(make, nothing, [PAIR[1], *keys], max_memory)
    with Reader(queries) as items:
        for item in items:
            if isinstance(item, Batch):
                with located(queries[item.part][0], item.first_row, request.where is not None):
                    add = states.counted(item.frame)
                add()
    return states.states()
