"""Logs that are made up for benchmarks: numbers, or the same as texts, of 1,000 slices."""

from __future__ import annotations

import numpy as np
import polars as pl

K = 10
SLICES = {"site": 20, "day": 50}
BY = list(SLICES)
ROW_GROUP = 1_000_000

_TEXTS = pl.Series([f"class {i}" for i in range(K)], dtype=pl.String)


def numbers(n: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return rows: classes `y` and `p`, a class of two `b`, its prediction `q` and score `s`."""
    score = rng.random(n, dtype=np.float32)
    return pl.DataFrame(
        {
            "y": rng.integers(0, K, n, dtype=np.int8),
            "p": rng.integers(0, K, n, dtype=np.int8),
            "s": score,
            "b": rng.random(n, dtype=np.float32) < score,
            "q": score > 0.5,
            **{name: rng.integers(0, size, n, dtype=np.int16) for name, size in SLICES.items()},
        }
    )


def as_texts(rows: pl.DataFrame) -> pl.DataFrame:
    """Return labels and keys of some rows as texts."""
    return rows.select(
        _TEXTS.gather(rows["y"]).alias("y"),
        _TEXTS.gather(rows["p"]).alias("p"),
        pl.format("site {}", "site").alias("site"),
        pl.format("day {}", "day").alias("day"),
    )
