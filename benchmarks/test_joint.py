"""How fast are two models counted together, whole and by slices."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race

import confmat as cm

COLUMNS = {"y_true": "y", "y_pred_a": "a", "y_pred_b": "b"}


@pytest.fixture(scope="module")
def log(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(31)
    y = rng.integers(0, 2, rows, dtype=np.int8)
    wrong = {name: (rng.random(rows) < 0.1).astype(np.int8) for name in ("a", "b")}
    slices = rng.integers(0, 1_000, rows, dtype=np.int16)
    return pl.DataFrame({"slice": slices, "y": y} | {name: y ^ one for name, one in wrong.items()})


@pytest.mark.parametrize("name", ["joint_parts", "Polars, group_by and len"])
@pytest.mark.parametrize("by", [None, "slice"], ids=["whole", "slices"])
def test_joint(race: Race, log: pl.DataFrame, rows: int, by: str | None, name: str) -> None:
    """Against the numbers alone, which Polars counts for both."""
    keys = [] if by is None else [by]
    ours = name == "joint_parts"

    def check(found: pl.DataFrame) -> None:
        column = found["joint"] if ours else found["len"]
        total = sum(cm.from_bytes(one).n for one in column) if ours else column.sum()
        assert total == rows

    race(
        f"{rows:,} rows, two models, {'whole' if by is None else '1,000 slices'}",
        name,
        "ours" if ours else "peer",
        (lambda: cm.joint_parts(log, by=by, **COLUMNS))
        if ours
        else (lambda: log.group_by([*keys, "y", "a", "b"]).len()),
        check=check,
        rows=rows,
    )
