"""What share of the time do checkpoints take: of small states, and of large ones."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.clock import Race
from benchmarks.log_files import BY, ROW_GROUP, numbers

import confmat as cm
from confmat.logs import checkpoints

PER_FILE = 10_000_000
# "u": numbers that a row has alone, and twenty times as many slices: the states that take longest.
QUESTIONS: dict[str, dict[str, Any]] = {
    "hard labels, 1,000 slices": {"y_true": "y", "y_pred": "p", "by": BY},
    "scores in bins, 1,000 slices": {"y_true": "b", "y_score": "s", "by": BY},
    "float64 scores, 20,000 slices": {"y_true": "b", "y_score": "u", "by": [*BY, "hour"]},
}


@pytest.fixture(scope="module")
def log(rows: int, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("log")
    rng = np.random.default_rng(53)
    for at, first in enumerate(range(0, rows, PER_FILE)):
        n = min(PER_FILE, rows - first)
        numbers(n, rng).with_columns(
            u=rng.random(n), hour=rng.integers(0, 20, n, dtype=np.int8)
        ).write_parquet(folder / f"{at}.parquet", row_group_size=ROW_GROUP)
    return f"{folder}/*.parquet"


class Stopwatch:
    """Seconds that the last checkpoint took, but for syncing."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.took = self._synced = 0.0
        self._sync, self._write = os.fsync, checkpoints.Checkpoints.write
        patch.setattr(os, "fsync", self._timed_sync)
        write = self._timed_write

        def timed(*asked: Any) -> None:  # a function becomes a method, a method does not
            write(*asked)

        patch.setattr(checkpoints.Checkpoints, "write", timed)

    def _timed_sync(self, file: int) -> None:
        begun = time.perf_counter()
        self._sync(file)
        self._synced += time.perf_counter() - begun

    def _timed_write(self, kept: checkpoints.Checkpoints, make: Any, position: Any) -> None:
        self._synced, begun = 0.0, time.perf_counter()
        self._write(kept, make, position)
        self.took = time.perf_counter() - begun - self._synced


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Stopwatch:
    return Stopwatch(monkeypatch)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("role", ["ours", "floor"])
def test_share_of_checkpoints(
    race: Race,
    log: str,
    rows: int,
    tmp_path: Path,
    watch: Stopwatch,
    capsys: pytest.CaptureFixture[str],
    question: str,
    role: Any,
) -> None:
    asked = QUESTIONS[question]
    file = tmp_path / "run.ckpt"

    def run() -> cm.Evaluation:
        if role == "floor":
            return cm.evaluate(log, **asked)
        file.unlink(missing_ok=True)
        return cm.evaluate(log, checkpoint=file, **asked)

    def check(found: cm.Evaluation) -> None:
        assert found.n == rows

    name = "cm.evaluate(checkpoint=)" if role == "ours" else "cm.evaluate"
    race(f"checkpoints: {question}", name, role, run, check=check, rows=rows)
    if role == "floor":
        return
    least, most = checkpoints._FIRST, checkpoints._MOST
    wait = min(max(watch.took / checkpoints._SHARE, least), most)
    share = watch.took / (wait + watch.took)
    with capsys.disabled():
        print(
            f"\n{question}: {watch.took:.3f} s for {file.stat().st_size / 1e6:.1f} MB every "
            f"{wait:.0f} s, {share:.2%} of the time"
        )
