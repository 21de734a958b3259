"""How long a log takes on Spark and on Ray with two workers, against `cm.evaluate` on one machine.

    python benchmarks/engines.py --folder /data                     # 100 million rows, both engines
    python benchmarks/engines.py --rows 1000 --engine spark --plan paths --folder /data

Needs `pip install 'confmat[spark,ray]'` and Java. Rows are in millions, in Parquet files of 10
million rows (8 bytes a row), which stay in the folder. Sessions are started, and workers have
counted a small log, before the clock begins. `of it counting` is the time within confmat's tasks,
reading included, as a share of what the engine's slots had: wall time times two. `driver` is the
most memory of the driver meanwhile: of this process, with all that it has loaded, and of Spark's
Java process. Every result is compared with that of one machine, to the byte.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.log_files import BY
from benchmarks.memory_of_logs import MILLION, made

import confmat as cm
from confmat.engines import merging, outcomes

SLOTS = 2
QUESTIONS = {
    "hard labels": {"y_true": "y", "y_pred": "p", "by": BY},
    "labels and scores in bins": {"y_true": "b", "y_pred": "q", "y_score": "s", "by": BY},
}


def spark_doors() -> tuple[dict[str, Callable[..., Any]], int]:
    """Start two executors of one core each; return what evaluates on them, and the Java process."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
    }
    master = f"local-cluster[{SLOTS},1,1024]"
    session = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    doors = {
        "paths": cm.spark.evaluate,
        "rows": lambda files, **asked: cm.spark.evaluate(session.read.parquet(*files), **asked),
    }
    return doors, session.sparkContext._gateway.proc.pid


def ray_doors() -> dict[str, Callable[..., Any]]:
    """Start two slots; return what evaluates on them, by plan."""
    import ray

    ray.init(num_cpus=SLOTS, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    return {
        "paths": cm.ray.evaluate,
        "rows": lambda files, **asked: cm.ray.evaluate(ray.data.read_parquet(files), **asked),
    }


def timed(call: Callable[..., Any], *arguments: Any, **asked: Any) -> tuple[Any, float]:
    """Return a result and the seconds that it took."""
    begun = time.perf_counter()
    found = call(*arguments, **asked)
    return found, time.perf_counter() - begun


def with_peak(processes: list[int], run: Callable[[], Any]) -> tuple[Any, float]:
    """Return a result, and the most MB that processes held meanwhile."""
    for pid in processes:
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    found = run()
    peaks = [Path(f"/proc/{pid}/status").read_text() for pid in processes]
    return found, sum(int(re.findall(r"VmHWM:\s+(\d+)", text)[0]) for text in peaks) / 1000


def in_tasks() -> list[float]:
    """Return a list to which each evaluation adds the seconds that its tasks took."""
    seconds: list[float] = []
    merge = merging.merge_outcomes

    def told(job: Any, given: Any) -> outcomes.Outcome:
        whole = merge(job, given)
        seconds.append(whole.seconds)
        return whole

    merging.merge_outcomes = told
    return seconds


def main() -> None:
    """Measure all questions."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=100, help="millions")
    parser.add_argument("--folder", type=Path, required=True, help="where files are, or are made")
    parser.add_argument("--engine", choices=["spark", "ray"], action="append")
    parser.add_argument("--plan", choices=["paths", "rows"], action="append")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    files = made(asked.folder, "numbers", asked.rows * MILLION)
    small = asked.folder / "small.parquet"
    pl.read_parquet(files[0], n_rows=100_000).write_parquet(small)
    alone = {}
    for question, options in QUESTIONS.items():
        cm.evaluate([str(small)], **options)
        alone[question] = timed(cm.evaluate, files, **options)
    print(f"{asked.rows:,} million rows, {SLOTS} workers", "", sep="\n")
    print("| question | where | seconds | ratio | of it counting | driver |")
    print("|---" * 6 + "|", flush=True)
    seconds = in_tasks()
    for engine in asked.engine or ["spark", "ray"]:
        drivers = [os.getpid()]
        if engine == "spark":
            doors, java = spark_doors()
            drivers.append(java)
        else:
            doors = ray_doors()
        for plan in asked.plan or ["paths", "rows"]:
            for question, options in QUESTIONS.items():
                one, took_alone = alone[question]
                doors[plan]([str(small)], **options)
                (found, took), peak = with_peak(
                    drivers,
                    lambda door=doors[plan], options=options: timed(door, files, **options),
                )
                assert found.to_bytes() == one.to_bytes()
                share = seconds[-1] / (SLOTS * took)
                print(f"| {question} | one machine | {took_alone:.1f} | | | |")
                print(
                    f"| {question} | {engine}, {plan} | {took:.1f} | {took / took_alone:.2f} "
                    f"| {share:.0%} | {peak:,.0f} MB |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
