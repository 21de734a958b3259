"""Labels that hardly recur: told when all rows were read, as no file and no batch shows it."""

from __future__ import annotations

import math

import polars as pl

from confmat import _core
from confmat.frames.plugin_errors import core_errors
from confmat.frames.state_queries import STATE
from confmat.logs.request import LogRequest
from confmat.matrices.sparse import MOST_BYTES
from confmat.objects.counting import refuse_identifiers
from confmat.state_kinds import StateKind

_LEAST_BYTES = math.isqrt(MOST_BYTES // 8)  # of a state of more labels than a table has


def check_identifiers(parts: pl.DataFrame, request: LogRequest) -> None:
    """Refuse labels that nobody gave, and that the rows of a slice have hardly more than once."""
    if request.counting.labels is not None or STATE not in parts.columns:
        return
    large = parts.filter(pl.col(STATE).bin.size() > _LEAST_BYTES)[STATE]
    matrices = [state for state in large if _core.state_kind(state) == StateKind.COUNTS]
    if not request.keys:
        for state in map(_core.Counts.from_bytes, matrices):
            refuse_identifiers(list(state.labels), state.rows)
    elif matrices:
        with core_errors():  # in the words of whoever reads numbers of states
            pl.select(pl.lit(pl.Series(matrices, dtype=pl.Binary)).cm.state_metrics(["accuracy"]))  # type: ignore[attr-defined]
