"""The metric of a name, as the states of slices have it."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.frames.state_queries import SCORED, STATE
from confmat.labels import Label
from confmat.metric_names import names_asked
from confmat.moments.names import fact_of, regression_names
from confmat.registry import find, find_quietly, is_regression_metric, is_score_metric
from confmat.slices.reading import Metric
from confmat.slices.set_metric import set_metric
from confmat.state_kinds import StateKind


def metric_of(parts: pl.DataFrame, metric: Any, pos_label: Label | None) -> Metric:
    """Return the metric of a name, as the states of `parts` have it."""
    if not isinstance(metric, str):
        raise InputError(f"`metric` is {metric!r}; wanted the name of one metric")
    name = names_asked([metric])[0]
    states = parts[STATE].drop_nulls().head(1).to_list()
    kind = _core.state_kind(states[0]) if states else None
    if kind is not None and kind in (StateKind.SETS, StateKind.SET_SCORES):
        return set_metric(kind, metric, pos_label)
    of_matrices = kind in (None, StateKind.COUNTS)
    of_scores = is_score_metric(name)
    if of_scores and of_matrices and SCORED not in parts.columns:
        raise InputError(
            f"`metric` is {metric!r}, a metric of scores, and there are states of predicted "
            "classes alone; give `y_score` to `cm.partial` or `cm.evaluate`"
        )
    if kind == StateKind.MOMENTS:
        regression_names([name])  # refuses another
        return Metric(name, fact_of(name), STATE, None)
    if is_regression_metric(name):
        raise InputError(
            f"`metric` is {metric!r}, a metric of numbers, and the states are of something else"
        )
    fact = find_quietly(name)
    if not of_scores and (fact is None or not of_matrices):
        if fact is None and of_matrices:
            find(name)  # which suggests names
        raise InputError(
            f"`metric` is {metric!r}; wanted a metric of predicted classes or of scores of two"
        )
    assert fact is not None
    column = SCORED if of_scores and SCORED in parts.columns else STATE
    return Metric(name, fact, column, None if of_scores else pos_label)
