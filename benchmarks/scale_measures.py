"""What a log of any size takes, measured: rows a second, bytes of states, merging."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from benchmarks.log_files import BY, ROW_GROUP, as_texts, numbers

import confmat as cm

MILLION = 1_000_000
HARD = {"y_true": "y", "y_pred": "p"}
SCORED = {"y_true": "b", "y_pred": "q", "y_score": "s"}

CHILD = """
import json, os, sys, time
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
import polars as pl
import confmat as cm

path, asked, rows = json.loads(sys.argv[1])
cm.evaluate(pl.DataFrame({"y": [0, 1], "p": [0, 1]}), y_true="y", y_pred="p")
least = None
for _ in range(3):
    begun = time.perf_counter()
    assert cm.evaluate(path, **asked).n == rows
    took = time.perf_counter() - begun
    least = took if least is None else min(least, took)
print(least)
"""


class Question(NamedTuple):
    """What is read, from which file, and how many million rows of it."""

    name: str
    file: str
    asked: dict[str, Any]
    share: float = 1.0  # of the rows asked for


QUESTIONS = (
    Question("hard labels, Int8", "int8.parquet", HARD),
    Question("hard labels, Int64", "int64.parquet", HARD),
    Question("hard labels, String", "texts.parquet", HARD),
    Question("hard labels, Categorical", "categories.parquet", HARD),
    Question("hard labels, Int8, 1,000 slices", "int8.parquet", HARD | {"by": BY}),
    Question("hard labels, String, 1,000 slices", "texts.parquet", HARD | {"by": BY}),
    Question("labels and scores in bins", "int8.parquet", SCORED),
    Question("labels and scores in bins, 1,000 slices", "int8.parquet", SCORED | {"by": BY}),
    Question("hard labels, Int8, Arrow IPC", "int8.arrow", HARD),
    Question("hard labels, CSV", "int8.csv", HARD, 0.2),
    Question("hard labels, NDJSON", "int8.ndjson", HARD, 0.2),
)


def made(folder: Path, name: str, rows: int) -> Path:
    """Return a file of a log, made where it is not there."""
    path = folder / f"{rows}-{name}"
    if path.exists():
        return path
    frame = numbers(rows, np.random.default_rng(11))
    kind, _, form = name.partition(".")
    if kind == "int64":
        frame = frame.select(pl.col("y", "p").cast(pl.Int64))
    elif kind in ("texts", "categories"):
        frame = as_texts(frame)
        if kind == "categories":
            frame = frame.select(pl.col("y", "p").cast(pl.Categorical))
    writers(frame)[form](path)
    return path


def writers(frame: pl.DataFrame) -> dict[str, Callable[[Path], Any]]:
    """Return how a frame is written, by the ending of the name."""
    return {
        "parquet": lambda to: frame.write_parquet(to, row_group_size=ROW_GROUP),
        "arrow": frame.write_ipc,
        "csv": frame.write_csv,
        "ndjson": frame.write_ndjson,
    }


class Read(NamedTuple):
    """What reading takes: rows a second of one core, and bytes a row of the columns in the file."""

    speed: float
    size: float


def speeds(folder: Path, rows: int) -> dict[str, Read]:
    """Return what reading takes, by question."""
    found = {}
    for question in QUESTIONS:
        many = int(rows * question.share)
        path = made(folder, question.file, many)
        command = [sys.executable, "-c", CHILD, json.dumps([str(path), question.asked, many])]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "POLARS_MAX_THREADS": "1"},
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        found[question.name] = Read(many / float(done.stdout), stored(path, question.asked))
    return found


def stored(path: Path, asked: dict[str, Any]) -> float:
    """Return the bytes a row of a file that has only the columns asked for."""
    names = [asked[name] for name in asked if name != "by"] + asked.get("by", [])
    form = path.suffix[1:]
    readers = {"arrow": pl.scan_ipc, "csv": pl.scan_csv, "ndjson": pl.scan_ndjson}
    frame = readers.get(form, pl.scan_parquet)(path).select(names).head(MILLION).collect()
    only = path.with_name(f"only.{form}")
    writers(frame)[form](only)
    return only.stat().st_size / frame.height


def states() -> Iterator[tuple[str, int, int]]:
    """Yield kinds of states, the rows that they are of, and their bytes."""
    rng = np.random.default_rng(3)
    for k, n in ((2, MILLION), (10, MILLION), (100, MILLION), (1_000, MILLION), (1_000, 10_000)):
        y, p = rng.integers(0, k, (2, n))
        yield f"counts, {k:,} classes", n, len(cm.confusion_matrix(y, p).to_bytes())
    for n in (10_000, MILLION, 20 * MILLION):
        score = rng.random(n, dtype=np.float32)
        y = rng.random(n, dtype=np.float32) < score
        yield "scores in bins, even", n, len(cm.sweep(y, score, bins="unit").to_bytes())
    for n in (10_000, MILLION):
        score = rng.random(n, dtype=np.float32)
        y = rng.random(n, dtype=np.float32) < score
        yield "scores, exact", n, len(cm.sweep(y, score).to_bytes())
    scores = rng.dirichlet(np.ones(10), MILLION)
    y = rng.integers(0, 10, MILLION)
    many = cm.multiclass_sweep(y, scores).to_state(bins=4096)
    yield "scores of 10 classes, 4,096 bins", MILLION, len(many.to_bytes())
    sets = rng.random((2, MILLION // 10, 20)) < 0.2
    yield "sets of 20 labels", MILLION // 10, len(cm.multilabel(*sets).to_bytes())


class Merged(NamedTuple):
    """What a state of a kind takes: bytes, and seconds to merge it into others."""

    size: float
    took: float


def merging(rows: int = 10_000, files: int = 10) -> dict[str, Merged]:
    """Return what merging takes: of 1,000 slices of a few files, and of one slice of many rows."""
    found = {}
    for name, asked in (("counts", HARD), ("counts and scores", SCORED)):
        rng = np.random.default_rng(5)
        parts = [cm.partial(numbers(rows * 1_000, rng), **asked, by=BY) for _ in range(files)]
        table = pl.concat(parts)
        size = sum(column.bin.size().sum() for column in table if column.dtype == pl.Binary)
        took = min(_timed(cm.merge, table, by=BY) for _ in range(3))
        found[f"{name} of {rows:,} rows"] = Merged(size / table.height, took / table.height)
    score = rng.random(20 * MILLION, dtype=np.float32)
    y = rng.random(20 * MILLION, dtype=np.float32) < score
    data = cm.sweep(y, score, bins="unit").to_bytes()
    took = min(_timed(cm.merge, [data] * 50) for _ in range(3))
    found["scores of 20,000,000 rows"] = Merged(len(data), took / 50)
    return found


def _timed(run: Callable[..., Any], *given: Any, **named: Any) -> float:
    begun = time.perf_counter()
    run(*given, **named)
    return time.perf_counter() - begun
