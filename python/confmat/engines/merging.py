"""Tables of tasks merged into fewer, in any order and within a bound; at last, the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from confmat.engines.jobs import Job, told_as_given
from confmat.engines.outcomes import Outcome, failed, told_together
from confmat.errors import ConfmatError, InputError, parts_of
from confmat.frames.state_queries import SCORED, STATE
from confmat.logs.absent_positive import check_positive
from confmat.logs.bin_levels import at_common_level
from confmat.logs.evaluation import Evaluation
from confmat.logs.identifiers import check_identifiers
from confmat.logs.joint_states import PAIR, apart, together
from confmat.logs.merged_states import check_memory
from confmat.logs.schemas import Skipped
from confmat.logs.score_bins import ScoreBins
from confmat.slices.lattice import MODEL
from confmat.state_tables import merge_tables, read_table, table_bytes

PIECE = 1 << 20  # bytes of a table above which it is cut by the keys of its slices
_PIECES = 64


def merge_outcomes(job: Job, outcomes: Iterable[Outcome]) -> Outcome:
    """Return outcomes as one: that of all their rows."""
    given = list(outcomes)
    told = told_together(given)
    tables = [one.table for one in given if one.table is not None]
    if not tables or Outcome(None, told).error is not None:
        return Outcome(None, told)
    if len(tables) == 1:
        return Outcome(tables[0], told)
    try:
        return Outcome(_fitting(job, merge_tables(tables)), told)
    except ConfmatError as error:
        return failed(error)


def _fitting(job: Job, table: bytes) -> bytes:
    """Return a table with bins no finer than those of all rows can be, where it is large."""
    if len(table) <= job.max_memory // 4:
        return table
    parts, joints = apart(read_table(table)[0])
    return table_bytes(together(_at_levels(job, parts), joints), {}, {})


def _at_levels(job: Job, parts: pl.DataFrame) -> pl.DataFrame:
    """Return states with bins as coarse as one machine has them after the same rows."""
    models = job.request.counting.models
    column = SCORED if SCORED in parts.columns else STATE
    for model in models:
        of_scores = model._replace(y_pred=None)
        if model.y_score is None or not ScoreBins.can_bin(job.request, of_scores, job.schema):
            continue
        dtype, most = job.schema[str(model.y_score)], job.max_memory // len(models) // 2
        is_own = pl.col(column).is_not_null()
        if model.name is not None:
            is_own &= pl.col(MODEL) == model.name
        own = parts.filter(is_own)
        states = at_common_level(own.select(pl.col(column).alias(STATE)), dtype, most)
        coarser = own.with_columns(states[STATE].alias(column))
        parts = pl.concat([parts.filter(~is_own), coarser])
    return parts


def pieces_of(outcome: Outcome) -> list[tuple[int, Outcome]]:
    """Return an outcome as pieces with numbers, those of one number to be merged in one place.

    A small table is one piece. A large one is cut by the keys of its slices, so that no place has
    to hold all of them: each has its share of the slices, however the rows are spread over them.
    """
    if outcome.table is None or len(outcome.table) <= PIECE:
        return [(0, outcome)]
    parts = read_table(outcome.table)[0]
    keys = [name for name, dtype in parts.schema.items() if dtype != pl.Binary]
    if not keys:
        return [(0, outcome)]
    numbers = parts.select(keys).hash_rows() % _PIECES
    nothing = told_together([])
    tables = [
        (int(at), table_bytes(parts.filter(numbers == at), {}, {}))
        for at in numbers.unique().sort()
    ]
    told = [outcome.told] + [nothing] * (len(tables) - 1)
    return [(at, Outcome(table, of)) for (at, table), of in zip(tables, told, strict=True)]


def evaluation_of(
    job: Job,
    outcomes: Iterable[Outcome],
    skipped: Sequence[Skipped] = (),
    paths: Sequence[str] = (),
) -> Evaluation:
    """Return the evaluation of all rows. Raises what a task refused."""
    whole = merge_outcomes(job, outcomes)
    error = whole.error
    if error is not None:
        parts = parts_of(error)
        raise type(error)(*(told_as_given(p, paths) if isinstance(p, str) else p for p in parts))
    left_out = [
        *skipped,
        *(Skipped(paths[at], told_as_given(why, [paths[at]])) for at, why in whole.skipped),
    ]
    if paths and len(left_out) == len(paths):
        raise InputError(f"no file can be read; the first: {left_out[0].reason}")
    states, joints = _states_of(job, whole.table)
    out = Evaluation(states, job.request, joints=joints, skipped=left_out)
    check_identifiers(out.states(), job.request)
    check_positive(out.states(), job.request)
    return out


def _states_of(job: Job, table: bytes | None) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """Return states of slices and joint counts, in the order that they have on one machine."""
    if table is None:
        nothing = job.new_states()
        return nothing.states(), nothing.joints()
    parts, joints = apart(read_table(table)[0])
    parts = _at_levels(job, parts)
    keys = list(job.request.keys)
    size = int(parts.select(pl.selectors.binary().bin.size().sum()).sum_horizontal().sum())
    check_memory(size, job.max_memory, parts.height if keys else None)
    first = [] if job.request.is_of_one else [MODEL]
    if first + keys:
        parts = parts.sort([*first, *keys], nulls_last=True)
    return parts, None if joints is None else joints.sort([*PAIR, *keys], nulls_last=True)
