"""Spark: two executors give what one machine gives, to the byte, also when one is killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from support.engine_logs import LOG, OF_ROWS, QUESTIONS, ROUNDED, in_long_runs, most_in_long_runs

import confmat as cm
from confmat.engines import spark_plans, travelling

pytest.importorskip("pyspark", reason="PySpark is not installed")
pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning",
    "ignore:unclosed <socket:ResourceWarning",  # of what it leaves to the collector
)
SLICES = QUESTIONS["slices"]
SKEWED = QUESTIONS["scores by slices"]


def frame_of(spark, folder, how="as it lies"):
    frame = spark.read.parquet(str(folder))
    if how == "one partition":
        return frame.coalesce(1)
    if how == "by skewed key":
        return frame.repartition(9, "k")  # most of which are empty
    return frame.repartition(20) if how == "many partitions" else frame


@pytest.mark.parametrize("name", most_in_long_runs(QUESTIONS))
def test_paths_give_the_same_bytes(spark, folder, name):
    whole = cm.evaluate(folder, **QUESTIONS[name])
    assert cm.spark.evaluate(folder, **QUESTIONS[name]).to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("name", most_in_long_runs(OF_ROWS))
def test_frames_give_the_same_bytes(spark, folder, name):
    whole = cm.evaluate(folder, **QUESTIONS[name])
    found = cm.spark.evaluate(frame_of(spark, folder), **QUESTIONS[name])
    assert found.to_bytes() == whole.to_bytes()


def test_labels_by_plain_keys_are_counted_by_spark(spark, folder, monkeypatch):
    monkeypatch.setattr(spark_plans, "_records", None)  # without which nothing hands over rows
    counted = []
    monkeypatch.setattr(spark_plans, "_cells_counted", lambda *given: counted.append(given) or [])
    cm.spark.evaluate(frame_of(spark, folder), **SLICES)
    assert counted


@pytest.mark.parametrize(
    "how", ["by skewed key", *in_long_runs("one partition", "many partitions")]
)
def test_any_partitioning(spark, folder, how):
    whole = cm.evaluate(folder, **SKEWED)
    found = cm.spark.evaluate(frame_of(spark, folder, how), **SKEWED)
    assert found.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize(("few", "fan_in"), [*in_long_runs((0, 64)), (0, 2)])
def test_tables_of_many_tasks_merge_in_stages(spark, folder, monkeypatch, few, fan_in):
    monkeypatch.setattr(spark_plans, "_FEW", few)
    monkeypatch.setattr(spark_plans, "_FAN_IN", fan_in)
    whole = cm.evaluate(folder, **SKEWED)
    assert cm.spark.evaluate(folder, **SKEWED).to_bytes() == whole.to_bytes()


@pytest.mark.long
def test_float_weighted_bins_have_the_same_values(spark, folder):
    wanted = cm.evaluate(folder, **ROUNDED).slices(["roc_auc", "brier"])
    assert cm.spark.evaluate(folder, **ROUNDED).slices(["roc_auc", "brier"]).equals(wanted)
    frame = frame_of(spark, folder)
    assert cm.spark.evaluate(frame, **ROUNDED).slices(["roc_auc", "brier"]).equals(wanted)


def test_no_rows(spark, folder):
    whole = cm.evaluate(LOG[:0], **SLICES)
    found = cm.spark.evaluate(frame_of(spark, folder).where("site > 99"), **SLICES)
    assert found.to_bytes() == whole.to_bytes()


def java_of(worker):
    """Return the executor of a Python worker, the parent of its daemon."""
    for _ in range(2):
        status = Path(f"/proc/{worker}/status").read_text()
        worker = int(status.partition("PPid:")[2].split()[0])
    assert "java" in os.readlink(f"/proc/{worker}/exe")
    return worker


@pytest.mark.parametrize(
    ("plan", "killed"),
    [
        ("paths", "executor"),
        ("frames", "worker"),
        *in_long_runs(("paths", "worker"), ("frames", "executor")),
    ],
)
def test_one_killed_while_tasks_run(spark, folder, gate, plan, killed):
    asked = SKEWED | {"where": gate.condition("w")}
    source = folder if plan == "paths" else frame_of(spark, folder, "many partitions")
    whole = cm.evaluate(folder, **SKEWED)
    with gate.while_it_waits(lambda: cm.spark.evaluate(source, **asked, session=spark)) as found:
        victim = gate.waiting[0]
        os.kill(java_of(victim) if killed == "executor" else victim, signal.SIGKILL)
    assert found[0].states().equals(whole.states())
    assert found[0].n == LOG.height


@pytest.mark.parametrize("plan", [*in_long_runs("paths"), "frames"])
def test_a_bad_row(spark, folder, plan):
    asked = SLICES | {"labels": ["cat", "dog"]}
    with pytest.raises(cm.InputError) as wanted:
        cm.evaluate(folder, **asked)
    source = folder if plan == "paths" else frame_of(spark, folder, "one partition")
    with pytest.raises(cm.InputError) as error:
        cm.spark.evaluate(source, **asked)
    if plan == "paths":
        assert str(error.value) == str(wanted.value)
    else:
        assert str(error.value).startswith("partition 0: label 'rare' at row ")


@pytest.mark.long
def test_labels_of_other_types_in_other_files(spark, folder):
    LOG[:50].with_columns(y=pl.lit(1), p=pl.lit(1)).write_parquet(folder / "3x.parquet")
    with pytest.raises(cm.InputError) as wanted:
        cm.evaluate(folder, **SLICES)
    with pytest.raises(cm.InputError) as error:
        cm.spark.evaluate(folder, **SLICES)
    assert str(error.value) == str(wanted.value)
    whole = cm.evaluate(folder, **SLICES, on_error="skip")
    found = cm.spark.evaluate(folder, **SLICES, on_error="skip")
    assert found.to_bytes() == whole.to_bytes()


@pytest.mark.long
def test_a_file_that_workers_do_not_see(spark, folder, monkeypatch):
    monkeypatch.chdir(folder)
    with pytest.raises(cm.InputError, match=r"/proc/self/cwd/4\.parquet cannot be opened by the w"):
        cm.spark.evaluate("/proc/self/cwd/4.parquet", **SLICES)
    assert cm.spark.evaluate("4.parquet", **SLICES) == cm.evaluate("4.parquet", **SLICES)


@pytest.mark.parametrize("plan", ["paths", *in_long_runs("frames")])
def test_workers_with_another_version(spark, folder, monkeypatch, plan):
    monkeypatch.setattr(travelling, "VERSION", "9.9")
    source = folder if plan == "paths" else frame_of(spark, folder)
    told = rf"has confmat {cm.__version__}, and the driver has 9\.9; install confmat 9\.9 on every"
    with pytest.raises(cm.ConfmatError, match=told):
        cm.spark.evaluate(source, **SLICES)


CHILD = """
import warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
import confmat as cm

try:
    cm.spark.evaluate("x.parquet")
except cm.InputError as error:
    print(error)
settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1"}
spark = SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
for source in (LOG, spark.read.parquet(LOG)):
    try:
        cm.spark.evaluate(source, y_true="y", y_pred="p")
    except cm.ConfmatError as error:
        print(error)
spark.stop()
"""


@pytest.mark.long
def test_no_session_and_workers_without_confmat(tmp_path, folder):
    (tmp_path / "fake" / "confmat").mkdir(parents=True)
    (tmp_path / "fake" / "confmat" / "__init__.py").write_text("raise ImportError('not here')")
    python = tmp_path / "python"
    fake = tmp_path / "fake"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{fake}:$PYTHONPATH" exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    environment = os.environ | {"PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-c", CHILD.replace("LOG", repr(str(folder)))]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert not done.returncode, done.stderr
    first, *others = done.stdout.splitlines()
    assert first.startswith("`session` is None, and no Spark session is active")
    assert len(others) == 2
    for said in others:
        assert f"({sys.executable}) cannot import confmat: not here; install confmat" in said
