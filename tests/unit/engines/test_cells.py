"""Cells that an engine counted give the states of the rows, to the byte."""

import polars as pl
import pytest
from support.engine_logs import LOG
from support.engine_tasks import asked

import confmat as cm
from confmat.engines.cells import N_ROWS, are_cells, count_cells
from confmat.engines.jobs import job_of_rows
from confmat.engines.merging import evaluation_of

LABELS = {"y_true": "y", "y_pred": "p"}
OF_LABELS = {
    "whole": LABELS,
    "slices": LABELS | {"by": ["site", "k"]},
    "labels as given": LABELS | {"by": "k", "labels": ["rare", "dog", "cat", "cow", "hen"]},
    "others in a bucket": LABELS | {"by": "site", "labels": ["cat", "dog"], "other": "bucket"},
    "positive class": LABELS | {"by": "k", "pos_label": "rare"},
    "numbers": {"y_true": "b", "y_pred": "q", "by": "site"},
    "a key that is a label": LABELS | {"by": "y"},
}
LOG_TOO = LOG.with_columns(
    b=pl.int_range(pl.len()) % 3 == 0,
    q=pl.when(pl.int_range(pl.len()) % 7 > 0).then(pl.int_range(pl.len()) % 5 == 0),
)


def job_of(question, frame=LOG_TOO):
    return job_of_rows(frame.schema, asked(question), 1 << 30)


def cells_of(job, frame):
    names = [*dict.fromkeys([*job.request.value_columns, *job.request.keys])]
    return frame.group_by(names).agg(pl.len().cast(pl.Int64).alias(N_ROWS))


@pytest.mark.parametrize("name", OF_LABELS)
def test_cells_in_any_parts_give_the_bytes_of_rows(name):
    job = job_of(OF_LABELS[name])
    assert are_cells(job)
    cells = cells_of(job, LOG_TOO)
    parts = [cells[::2], cells[1::2], cells[:0]]
    found = evaluation_of(job, [count_cells(job, [part], "a part") for part in parts])
    assert found.to_bytes() == cm.evaluate(LOG_TOO, **OF_LABELS[name]).to_bytes()


@pytest.mark.parametrize(
    "more",
    [
        {"where": pl.col("site") > 1},
        {"by": pl.col("site") + 1},
        {"nulls": "raise"},
        {"sample_weight": "site"},
        {"cluster": "site"},
        {"y_pred": {"one": "p", "two": "y"}},
        {"y_pred": ["p"]},
        {"y_pred": {"one": "p"}},
        {"y_true": "b", "y_pred": "q", "y_score": "s"},
    ],
)
def test_what_needs_rows(more):
    assert not are_cells(job_of(LABELS | more, LOG_TOO.with_columns(s=0.5)))


def test_a_fault_is_told():
    job = job_of(LABELS | {"labels": ["cat", "dog"]})
    assert "label 'rare'" in str(count_cells(job, [cells_of(job, LOG_TOO)], "a part").error)


def test_states_above_the_bound_are_refused():
    log = pl.DataFrame({"y_true": "a", "y_pred": "b", "id": range(5_000)})
    job = job_of_rows(log.schema, asked({"by": "id"}), 100_000)
    error = count_cells(job, [cells_of(job, log)], "a part").error
    assert "5,000 slices so far" in str(error)
