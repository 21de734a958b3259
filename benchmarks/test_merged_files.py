"""How fast are the states of many slices and days, in files, those of all days."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race

import confmat as cm
from confmat.command.export import write_states
from confmat.logs.merged_files import merged_files

DAYS, A_STATE, K, MOST_SLICES = 10, 10_000, 10, 1_000
WRITTEN: dict[str, Callable[[pl.DataFrame, Path], None]] = {
    "predictions and scores": write_states,  # as `confmat evaluate --states` does
    "scores of all classes": write_states,
    "scores of all classes, as Polars writes": pl.DataFrame.write_parquet,
}


def counted(rng: np.random.Generator, first: int, slices: int, kind: str) -> pl.DataFrame:
    """Return the states of some slices of ten classes, of 10,000 rows each."""
    n = slices * A_STATE
    y = rng.integers(0, K, n)
    log = pl.DataFrame({"slice": first + np.arange(n) // A_STATE, "y": y})
    if kind.startswith("scores of all classes"):
        scores = rng.normal(0, 1, (n, K))
        scores[np.arange(n), y] += 2
        scores = np.exp(scores)
        scores /= scores.sum(axis=1, keepdims=True)
        names = [f"s{i}" for i in range(K)]
        log = log.hstack(pl.DataFrame(scores.astype(np.float32), schema=names))
        return cm.partial(log, y_true="y", y_score=names, by="slice", labels=list(range(K)))
    pred = np.where(rng.random(n) < 0.8, y, rng.integers(0, K, n))
    score = np.clip(rng.normal(0.35 + 0.3 * (y == 3), 0.15), 0, 1).astype(np.float32)
    log = log.with_columns(p=pred, one=y == 3, s=score)
    states = cm.partial(log, y_true="y", y_pred="p", by="slice")
    scored = cm.partial(log, y_true="one", y_score="s", by="slice")["state"]
    return states.with_columns(scored=scored)


@pytest.fixture(scope="module", params=list(WRITTEN))
def files(
    request: pytest.FixtureRequest, rows: int, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[Path], int]:
    """Return a file of states a day."""
    kind = str(request.param)
    slices = min(max(rows // (DAYS * A_STATE), 2), MOST_SLICES)
    folder = tmp_path_factory.mktemp("states")
    rng = np.random.default_rng(31)
    paths = []
    for day in range(DAYS):
        parts = [counted(rng, at, min(20, slices - at), kind) for at in range(0, slices, 20)]
        paths.append(folder / f"day-{day}.parquet")
        WRITTEN[kind](pl.concat(parts), paths[-1])
    return kind, paths, slices


@pytest.mark.parametrize("name", ["confmat merge", "Polars, reading the files"])
def test_merge(race: Race, files: tuple[str, list[Path], int], name: str) -> None:
    """Against the files read, and nothing merged."""
    kind, paths, slices = files
    ours = name == "confmat merge"
    run: Callable[[], Any] = (
        (lambda: merged_files(list(map(str, paths)), None, "4 GB").parts)
        if ours
        else (lambda: [pl.read_parquet(path) for path in paths])
    )

    def check(found: Any) -> None:
        if ours:
            assert found.height == slices
            assert cm.from_bytes(found["state"][1]).n == DAYS * A_STATE

    race(
        f"{slices:,} slices of 10 days of 10,000 rows, K = 10, {kind}: one file",
        name,
        "ours" if ours else "floor",
        run,
        check=check,
        rows=DAYS * slices * A_STATE,
    )
