"""Labels that an engine counts by itself: which questions allow it, and states of its counts."""

from __future__ import annotations

import time
from collections.abc import Iterable

import polars as pl

from confmat.engines.counting import in_large_batches, table_of
from confmat.engines.jobs import Job
from confmat.engines.outcomes import Outcome, counted, failed
from confmat.errors import ConfmatError, InputError, named
from confmat.frames.partials import state_from_counts

N_ROWS = "confmat: rows"  # the column of counts


def are_cells(job: Job) -> bool:
    """Return whether all that is asked depends on how often its columns' values come together.

    Expressions are those of Polars, so keys must be columns; of several models there would be too
    many cells.
    """
    request = job.request
    counting = request.counting
    model = counting.models[0]
    return (
        request.is_of_one
        and isinstance(counting.y_true, str)
        and isinstance(model.y_pred, str)
        and model.y_score is None
        and counting.sample_weight is None
        and counting.cluster is None
        and counting.nulls == "drop"
        and not request.is_of_numbers
        and request.where is None
        and request.has_plain_keys
    )


def count_cells(job: Job, frames: Iterable[pl.DataFrame], place: str, position: int = 0) -> Outcome:
    """Return the states of cells of one partition, which come in batches; errors name `place`."""
    begun = time.perf_counter()
    counting = job.request.counting
    states = job.new_states()
    try:
        n = 0
        for cells in in_large_batches(frames):
            n += cells.height
            of_slices = state_from_counts(
                cells,
                y_true=str(counting.y_true),
                y_pred=str(counting.models[0].y_pred),
                n=N_ROWS,
                by=list(job.request.keys),
                labels=counting.labels,
                pos_label=counting.pos_label,
                other=counting.other,
            )
            states.take(of_slices)
        return counted(table_of(states) if n else None, seconds=time.perf_counter() - begun)
    except ConfmatError as error:
        return failed(named(error, f"{place}: "), (position, 0))
    except pl.exceptions.PolarsError as error:
        return failed(InputError(f"{place}: {error}"), (position, 0))
