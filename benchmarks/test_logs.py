"""What does a log in files cost, against only decoding its columns: slices, scores, texts, CSV."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.log_files import BY, ROW_GROUP, as_texts, numbers

import confmat as cm

PER_FILE = 10_000_000
HARD = {"y_true": "y", "y_pred": "p", "by": BY}
SCORED = {"y_true": "b", "y_pred": "q", "y_score": "s", "by": BY}


class Log(NamedTuple):
    files: str
    texts: str
    csv: str
    lines: str
    rows: int


@pytest.fixture(scope="module")
def log(rows: int, tmp_path_factory: pytest.TempPathFactory) -> Log:
    folder = tmp_path_factory.mktemp("log")
    rng = np.random.default_rng(31)
    for at, first in enumerate(range(0, rows, PER_FILE)):
        n = min(PER_FILE, rows - first)
        frame = numbers(n, rng)
        frame.write_parquet(folder / f"numbers-{at}.parquet", row_group_size=ROW_GROUP)
        texts = as_texts(frame)
        texts.write_parquet(folder / f"texts-{at}.parquet", row_group_size=ROW_GROUP)
        if at == 0:
            few = frame.select("y", "p", *BY)
            few.write_csv(folder / "log.csv")
            few.write_ndjson(folder / "log.ndjson")
    return Log(
        f"{folder}/numbers-*.parquet",
        f"{folder}/texts-*.parquet",
        str(folder / "log.csv"),
        str(folder / "log.ndjson"),
        rows,
    )


def decoding(query: pl.LazyFrame) -> Callable[[], Any]:
    """Return what reads columns and does next to nothing with them."""
    return lambda: query.select(pl.all().max()).collect(engine="streaming")


def contenders(question: str, log: Log) -> dict[str, tuple[str, Callable[[], Any]]]:
    """Return what answers a question, and what is compared with it."""
    of_numbers, of_texts = pl.scan_parquet(log.files), pl.scan_parquet(log.texts)
    hard = ("y", "p", *BY)
    if question == "numbers, hard labels":
        count = of_numbers.group_by(*BY, "y", "p").len()
        return {
            "cm.evaluate": ("ours", lambda: cm.evaluate(log.files, **HARD)),
            "Polars decoding the columns": ("floor", decoding(of_numbers.select(hard))),
            "Polars counting the cells": ("peer", lambda: count.collect(engine="streaming")),
        }
    if question == "numbers, labels and scores in bins":
        columns = ("b", "q", "s", *BY)
        return {
            "cm.evaluate": ("ours", lambda: cm.evaluate(log.files, **SCORED)),
            "Polars decoding the columns": ("floor", decoding(of_numbers.select(columns))),
        }
    if question == "texts, hard labels":
        return {
            "cm.evaluate": ("ours", lambda: cm.evaluate(log.texts, **HARD)),
            "Polars decoding the columns": ("floor", decoding(of_texts.select(hard))),
        }
    path = log.csv if question == "CSV" else log.lines
    scan = pl.scan_csv(path) if question == "CSV" else pl.scan_ndjson(path)
    return {
        "cm.evaluate": ("ours", lambda: cm.evaluate(path, **HARD)),
        "Polars reading the columns": ("floor", decoding(scan.select(hard))),
    }


QUESTIONS = {
    "numbers, hard labels": 3,
    "numbers, labels and scores in bins": 2,
    "texts, hard labels": 2,
    "CSV": 2,
    "NDJSON": 2,
}


@pytest.mark.parametrize(
    ("question", "at"), [(question, at) for question, n in QUESTIONS.items() for at in range(n)]
)
def test_log_over_decoding(race: Race, log: Log, question: str, at: int) -> None:
    name, (role, call) = list(contenders(question, log).items())[at]
    rows = min(log.rows, PER_FILE) if question in ("CSV", "NDJSON") else log.rows

    def check(found: Any) -> None:
        if role == "ours":
            assert found.n == rows

    race(f"a log of files, 1,000 slices: {question}", name, role, call, check=check, rows=rows)
