"""What tasks refuse, in the words of one machine; workers that lack something; engines missing."""

import inspect
import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from support.engine_logs import LOG, QUESTIONS, write
from support.engine_tasks import asked, evaluated, plan
from support.polars_releases import TELLS_OTHER_ROWS

import confmat as cm
from confmat.engines import actions, travelling, units
from confmat.engines.counting import count_files, count_rows
from confmat.engines.jobs import Job, job_of_rows
from confmat.engines.merging import evaluation_of, merge_outcomes
from confmat.engines.outcomes import Outcome, failed
from confmat.engines.required import errors_of
from confmat.errors import Row
from confmat.logs.memory import checked_memory

SLICES = QUESTIONS["slices"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(units, "_LEAST_BYTES", 1)
    return write(tmp_path)


def words(call, *arguments, **options):
    """Return what is said, and the type of the error."""
    with pytest.raises(cm.ConfmatError) as error:
        call(*arguments, **options)
    return error.type, str(error.value)


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_an_engine_that_is_not_installed(engine, monkeypatch):
    for module in ("pyspark.sql", "ray"):
        monkeypatch.setitem(sys.modules, module, None)  # whether it is there or not
    door = getattr(cm, engine)
    with pytest.raises(cm.ConfmatError, match=rf"pip install 'confmat\[{engine}\]'"):
        door.evaluate("log.parquet")
    assert engine in dir(cm)


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_arguments_that_no_engine_has(engine):
    door = getattr(cm, engine)
    with pytest.raises(cm.InputError, match=r"`checkpoint` is not for (Spark|Ray)"):
        door.evaluate("log.parquet", checkpoint="state.bin")
    with pytest.raises(cm.InputError, match=r"`progress` is not for (Spark|Ray)"):
        door.evaluate("log.parquet", progress=True)
    with pytest.raises(cm.InputError, match="`max_memory` is 'much'"):
        door.evaluate("log.parquet", max_memory="much")


@pytest.mark.parametrize(
    "question",
    [
        SLICES | {"labels": ["cat", "dog"]},
        SLICES | {"nulls": "raise"},
        SLICES | {"by": "kk"},
        pytest.param(
            SLICES | {"by": pl.col("site").rank()},
            marks=pytest.mark.skipif(
                not TELLS_OTHER_ROWS,
                reason="older Polars does not tell what an expression looks at",
            ),
        ),
        SLICES | {"pos_label": "fox"},
        {"y_true": "y", "y_score": "s"},
    ],
    ids=["label", "null", "column", "rows", "positive", "classes"],
)
def test_the_first_fault_in_the_words_of_one_machine(question, folder):
    assert words(evaluated, folder, question) == words(cm.evaluate, folder, **question)


def test_files_of_other_types(folder):
    LOG[:50].with_columns(y=pl.lit(1), p=pl.lit(1)).write_parquet(folder / "3x.parquet")
    found = words(evaluated, folder, SLICES)
    assert found == words(cm.evaluate, folder, **SLICES)
    assert "the column 'y' is Int32 in" in found[1]
    whole = cm.evaluate(folder, **SLICES, on_error="skip")
    assert len(whole.skipped) == 1
    assert evaluated(folder, SLICES, on_error="skip").to_bytes() == whole.to_bytes()


def test_files_that_break_while_they_are_read(folder):
    path = folder / "4.parquet"
    path.write_bytes(path.read_bytes()[:1000] + b"\xff" * 9_000 + path.read_bytes()[10_000:])
    broken = folder / "5.parquet"
    broken.write_bytes(b"PAR1 no more")
    whole = cm.evaluate(folder, **SLICES, on_error="skip")
    assert [Path(one.path).name for one in whole.skipped] == ["5.parquet", "4.parquet"]
    assert evaluated(folder, SLICES, on_error="skip").to_bytes() == whole.to_bytes()
    assert words(evaluated, folder, SLICES) == words(cm.evaluate, folder, **SLICES)
    broken.unlink()
    assert words(evaluated, folder, SLICES) == words(cm.evaluate, folder, **SLICES)
    only = {"source": path, "question": SLICES, "on_error": "skip"}
    assert words(evaluated, **only) == words(cm.evaluate, path, **SLICES, on_error="skip")


def test_paths_are_told_as_they_were_given(folder, monkeypatch):
    question = SLICES | {"labels": ["cat", "dog"]}
    monkeypatch.chdir(folder)
    found = words(evaluated, "5.parquet", question)
    assert found == words(cm.evaluate, "5.parquet", **question)
    assert found[1].startswith("5.parquet: label 'rare' at row ")


def test_a_file_that_a_worker_does_not_see(folder):
    made = plan(folder, SLICES, on_error="skip")
    os.unlink(folder / "3.parquet")
    outcomes = [count_files(made.job, task) for task in made.tasks]
    error, message = words(evaluation_of, made.job, outcomes, made.skipped, made.paths)
    assert error is cm.InputError
    host = socket.gethostname()
    assert f"3.parquet cannot be opened by the worker on {host}: No such file" in message
    assert "every worker must see all files" in message


def test_rows_in_the_memory_of_the_driver():
    with pytest.raises(cm.InputError, match="`source` is DataFrame, rows in the memory of the"):
        plan(LOG, SLICES)


def test_partitions_of_other_types():
    job = job_of_rows(LOG.schema, asked(SLICES), checked_memory(None))
    frames = [LOG[:5], LOG[5:9].with_columns(y=pl.lit(3))]
    outcome = count_rows(job, frames, "partition 4", 4)
    told = "partition 4: the column 'y' is Int32 in some partitions and String in others"
    assert str(outcome.error).startswith(told)
    frames = [LOG[:5], LOG[5:9].with_columns(pl.col("y", "p", "k").cast(pl.Categorical))]
    found = evaluation_of(job, [count_rows(job, frames, "partition 0")])
    assert found == cm.evaluate(LOG[:9], **SLICES)


def test_a_row_is_named_within_its_partition():
    question = SLICES | {"labels": ["cat", "dog"]}
    job = job_of_rows(LOG.schema, asked(question), checked_memory(None))
    outcome = count_rows(job, LOG[-100:].iter_slices(7), "partition 2", 2)
    assert str(outcome.error).startswith(
        "partition 2: label 'rare' at row 51 of `y_true` is not in"
    )


def test_of_several_errors_the_first():
    job = job_of_rows(LOG.schema, asked(SLICES), checked_memory(None))
    outcomes = [
        failed(cm.StateError("third"), (2, 0)),
        failed(cm.InputError("second"), (1, 70)),
        failed(cm.InputError("first"), (1, 8)),
        count_rows(job, [LOG[:9]], ""),
    ]
    for given in (outcomes, outcomes[::-1]):
        both = merge_outcomes(job, [merge_outcomes(job, given[:2]), merge_outcomes(job, given[2:])])
        assert both.table is None
        assert (type(both.error), str(both.error)) == (cm.InputError, "first")


CHILD = """
import json, pickle, sys
sys.path.insert(0, {fake!r})
act = pickle.loads(bytes.fromhex(sys.stdin.read()))
print(json.dumps(act([], False)))
"""


@pytest.mark.parametrize(
    ("package", "told"),
    [
        ("raise ImportError('no such module')", "cannot import confmat: no such module"),
        ("", "cannot import confmat: No module named 'confmat._core'"),
        ("import sys, types; sys.modules['confmat._core'] = types.SimpleNamespace(__version__='9')",
         "has confmat 9, and the driver has "),
    ],
    ids=["missing", "broken", "another version"],
)  # fmt: skip
def test_workers_say_what_they_lack(tmp_path, package, told):
    cloudpickle = pytest.importorskip("cloudpickle")
    (tmp_path / "confmat").mkdir()
    (tmp_path / "confmat" / "__init__.py").write_text(package)
    job = job_of_rows(LOG.schema, asked(SLICES), checked_memory(None)).packed()
    sent = cloudpickle.dumps(travelling.on_worker("files", job)).hex()
    command = [sys.executable, "-c", CHILD.format(fake=str(tmp_path))]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    ((number, table, text),) = json.loads(done.stdout)
    error = Outcome(table, text).error
    assert number == 0
    assert type(error) is cm.ConfmatError
    assert told in str(error)
    assert f"the worker on {socket.gethostname()} ({sys.executable})" in str(error)
    assert f"install confmat {cm.__version__} on every worker" in str(error)


def test_a_function_that_travelled_counts(folder):
    made = plan(folder, SLICES)
    cloudpickle = pytest.importorskip("cloudpickle")
    act = cloudpickle.loads(cloudpickle.dumps(travelling.on_worker("files", made.job.packed())))
    pieces = [act([tuple(unit) for unit in task], False)[0][1:] for task in made.tasks]
    ((_, table, told),) = actions.merged(made.job.packed(), pieces)
    assert evaluation_of(made.job, [Outcome(table, told)]) == cm.evaluate(folder, **SLICES)
    assert Outcome(table, told).seconds > 0


def test_what_cannot_travel(folder, monkeypatch):
    job = plan(folder, SLICES).job
    with pytest.raises(cm.InputError, match="`storage_options` cannot be sent to workers: "):
        replace(job, storage_options={"key": lambda: "secret"}).packed()
    monkeypatch.setattr(pl, "__version__", "0.1")
    packed = job_of_rows(LOG.schema, asked(SLICES), checked_memory(None)).packed()
    monkeypatch.undo()
    assert Job.unpacked(packed).request.keys == ("k",)
    with pytest.raises(cm.ConfmatError, match=r"cannot read what the driver with Polars 0\.1 asks"):
        Job.unpacked(packed.replace(b"LogRequest", b"LogReqvest"))


def test_errors_of_an_engine_are_one_line():
    with (
        pytest.raises(cm.ConfmatError, match=r"^Spark gave up: first$") as error,
        errors_of("Spark"),
    ):
        raise RuntimeError("first\n  at org.apache.spark")
    assert isinstance(error.value.__cause__, RuntimeError)
    with pytest.raises(cm.InputError, match="ours"), errors_of("Spark"):
        raise cm.InputError("ours")


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_engines_have_the_arguments_of_one_machine(engine):
    def told(function):
        parameters = inspect.signature(function).parameters.values()
        return {one.name: (one.kind, one.default) for one in parameters}

    asked, known = told(getattr(cm, engine).evaluate), told(cm.evaluate)
    asked.pop("session", None)
    assert asked == known


def test_the_error_of_a_task_keeps_its_row_and_the_path_that_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = cm.InputError(f"{tmp_path}/log.parquet: label 7 ", Row(41), " of `y`")
    job = job_of_rows(LOG.schema, asked(SLICES), checked_memory(None))
    with pytest.raises(cm.InputError) as error:
        evaluation_of(job, [failed(told)], paths=["log.parquet"])
    assert (str(error.value), error.value.row) == ("log.parquet: label 7 at row 41 of `y`", 41)
