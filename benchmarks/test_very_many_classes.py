"""What does a matrix of so many classes cost that only cells that are not 0 are kept."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role

import confmat as cm

K = 100_000  # at most; each label has 50 rows and more
MOST_ROWS = 10_000_000
KINDS = {
    "Int64": pl.Int64(),
    "Int32": pl.Int32(),
    "String": pl.String(),
    "Categorical": pl.Categorical(),
}


@pytest.mark.parametrize("name", ["ours", "Polars, in memory", "Polars, streaming"])
@pytest.mark.parametrize("kind", KINDS)
def test_series(race: Race, rows: int, kind: str, name: str) -> None:
    n = min(rows, MOST_ROWS)
    k = min(K, max(n // 50, 2))
    rng = np.random.default_rng(17)
    y = rng.integers(0, k, n)
    p = np.where(rng.random(n) < 0.8, y, rng.integers(0, k, n))
    frame = pl.DataFrame({"y": y, "p": p})
    if kind == "Categorical":
        frame = frame.cast(pl.String)
    frame = frame.cast(KINDS[kind])
    counted = frame.lazy().group_by("y", "p").len()
    engine = "streaming" if name.endswith("streaming") else "in-memory"
    role: Role = "ours" if name == "ours" else "peer"

    def ours() -> int:
        return int((cm.confusion_matrix(frame["y"], frame["p"]).to_polars()["count"] > 0).sum())

    cells = len(np.unique(y * k + p))
    race(
        f"{n:,} {kind} of {k:,} classes",
        "cm.confusion_matrix, to_polars" if name == "ours" else name,
        role,
        ours if name == "ours" else lambda: counted.collect(engine=engine).height,
        check=lambda found: np.testing.assert_equal(found, cells),
        rows=n,
    )
