"""Tasks counted and merged in this process give one evaluation, however rows are cut."""

import itertools
import random

import numpy as np
import polars as pl
import pytest
from support.engine_logs import LOG, QUESTIONS, ROUNDED, parts, write
from support.engine_tasks import asked, evaluated, plan

import confmat as cm
from confmat.engines import merging, units
from confmat.engines.counting import count_files, count_rows
from confmat.engines.jobs import job_of_rows
from confmat.engines.merging import evaluation_of, merge_outcomes, pieces_of
from confmat.logs.memory import checked_memory


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(units, "_LEAST_BYTES", 1)
    return write(tmp_path)


@pytest.mark.parametrize("name", QUESTIONS)
def test_tasks_over_files(name, folder):
    assert len(plan(folder, QUESTIONS[name]).tasks) > 3
    found = evaluated(folder, QUESTIONS[name])
    assert found.to_bytes() == cm.evaluate(folder, **QUESTIONS[name]).to_bytes()


@pytest.mark.parametrize("name", QUESTIONS)
def test_partitions_of_rows_in_any_order_and_grouping(name):
    whole = cm.evaluate(LOG, **QUESTIONS[name]).to_bytes()
    job = job_of_rows(LOG.schema, asked(QUESTIONS[name]), checked_memory(None))
    outcomes = [
        count_rows(job, part.iter_slices(1_000), f"partition {at}", at)
        for at, part in enumerate(parts())
    ]
    rng = random.Random(3)
    for _ in range(3):
        rng.shuffle(outcomes)
        at = rng.randrange(1, len(outcomes))
        both = [merge_outcomes(job, outcomes[:at]), merge_outcomes(job, outcomes[at:])]
        assert evaluation_of(job, both).to_bytes() == whole


def test_float_weighted_bins_have_the_same_values(folder):
    found, wanted = evaluated(folder, ROUNDED), cm.evaluate(folder, **ROUNDED)
    assert found.slices(["roc_auc", "brier"]).equals(wanted.slices(["roc_auc", "brier"]))


def test_large_tables_are_cut_by_slices(folder, monkeypatch):
    monkeypatch.setattr(merging, "PIECE", 10_000)
    question = QUESTIONS["many slices"]
    made = plan(folder, question)
    cut = [pieces_of(count_files(made.job, task)) for task in made.tasks]
    assert sum(len(pieces) for pieces in cut) > 100
    by_number = {}
    for number, piece in itertools.chain(*cut):
        by_number.setdefault(number, []).append(piece)
    merged = [merge_outcomes(made.job, pieces) for pieces in by_number.values()]
    whole = cm.evaluate(folder, **question).to_bytes()
    assert sum(len(one.table) for one in merged) < 1.1 * len(whole)
    assert evaluation_of(made.job, merged).to_bytes() == whole


@pytest.mark.parametrize("models", [1, 2])
def test_bins_are_as_fine_as_on_one_machine(tmp_path, monkeypatch, models):
    monkeypatch.setattr(units, "_LEAST_BYTES", 1)
    rng = np.random.default_rng(1)
    n = 200_000
    log = pl.DataFrame(
        {
            "b": rng.random(n) < 0.4,
            "s": rng.random(n),
            "r": rng.random(n),
            "k": rng.integers(0, 40, n),
        }
    )
    for at, part in enumerate(log.iter_slices(n // 5)):
        part.write_parquet(tmp_path / f"{at}.parquet")
    question = {"y_true": "b", "y_score": "s" if models == 1 else {"s": "s", "r": "r"}, "by": "k"}
    memory = "3 MB" if models == 1 else "6 MB"
    whole = cm.evaluate(tmp_path, **question, max_memory=memory)
    level = cm.from_bytes(whole.states()["state"][0]).level
    assert level > 0
    found = evaluated(tmp_path, question, max_memory=memory)
    assert found.to_bytes() == whole.to_bytes()
    one = count_files(plan(tmp_path, question).job, plan(tmp_path, question).tasks[0])
    assert cm.from_bytes(merging.read_table(one.table)[0]["state"][0]).level < level


def test_no_rows_at_all(tmp_path):
    LOG[:0].write_parquet(tmp_path / "none.parquet")
    question = QUESTIONS["slices"]
    assert evaluated(tmp_path, question) == cm.evaluate(tmp_path, **question)
    job = job_of_rows(LOG.schema, asked(question), checked_memory(None))
    assert evaluation_of(job, []) == cm.evaluate(LOG[:0], **question)


@pytest.mark.parametrize("rows", [1_000, 4_500])
def test_large_files_are_cut_at_rows(tmp_path, monkeypatch, rows):
    monkeypatch.setattr(units, "_LEAST_BYTES", 1)
    monkeypatch.setattr(units, "_LEAST_ROWS", rows)
    LOG.write_parquet(tmp_path / "one.parquet", row_group_size=1_300)
    (tmp_path / "other.csv").write_text(LOG[:9].write_csv())
    made = plan(tmp_path, QUESTIONS["slices"], slots=4)
    cut = [unit for task in made.tasks for unit in task if unit.path.endswith("parquet")]
    assert len(cut) == min(8, 20_000 // rows)
    assert [one.first_row + one.n_rows for one in cut[:-1]] == [one.first_row for one in cut[1:]]
    assert cut[-1].n_rows is None
    for name in ("slices", "scores and weights", "expressions"):
        question = QUESTIONS[name]
        found = evaluated(tmp_path / "one.parquet", question, slots=4)
        assert found.to_bytes() == cm.evaluate(tmp_path / "one.parquet", **question).to_bytes()
    whole = plan(tmp_path, QUESTIONS["expressions"], slots=4).tasks  # whose `where` may skip much
    assert all(unit.n_rows is None and not unit.first_row for task in whole for unit in task)


def test_small_files_are_one_task(tmp_path):
    assert len(plan(write(tmp_path), QUESTIONS["slices"]).tasks) == 1
