"""How fast are the states of many slices one state, read again, and merged with another day's."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from polars.testing import assert_frame_equal

import confmat as cm
from confmat.state_tables import merge_tables, read_table, table_bytes

MOST_SLICES = 100_000


@pytest.fixture(scope="module")
def parts(rows: int) -> pl.DataFrame:
    """Return the states of slices of ten rows each, of two classes."""
    slices = min(max(rows // 10, 1_000), MOST_SLICES)
    rng = np.random.default_rng(29)
    log = pl.DataFrame(
        {
            "slice": np.arange(10 * slices) // 10,
            "y_true": rng.integers(0, 2, 10 * slices),
            "y_pred": rng.integers(0, 2, 10 * slices),
        }
    )
    return cm.partial(log, by="slice", labels=[0, 1])


def of_slices(parts: pl.DataFrame, what: str) -> str:
    return f"{parts.height:,} slices of 2 classes: {what}"


@pytest.mark.parametrize("name", ["table_bytes", "Polars, uncompressed IPC"])
def test_write(race: Race, parts: pl.DataFrame, name: str) -> None:
    """Against the frame as it lies, without checksums."""

    def ipc() -> int:
        sink = io.BytesIO()
        parts.write_ipc(sink)
        return sink.tell()

    ours = name == "table_bytes"
    race(
        of_slices(parts, "written"),
        name,
        "ours" if ours else "floor",
        (lambda: len(table_bytes(parts, {}, {}))) if ours else ipc,
        check=lambda found: np.testing.assert_array_less(parts.height * 100, found),
        rows=parts.height,
    )


@pytest.mark.parametrize("name", ["read_table", "Polars, uncompressed IPC"])
def test_read(race: Race, parts: pl.DataFrame, name: str) -> None:
    data, sink = table_bytes(parts, {}, {}), io.BytesIO()
    parts.write_ipc(sink)
    ours = name == "read_table"
    race(
        of_slices(parts, "read"),
        name,
        "ours" if ours else "floor",
        (lambda: read_table(data)[0]) if ours else (lambda: pl.read_ipc(sink.getvalue())),
        check=lambda found: assert_frame_equal(found, parts),
        rows=parts.height,
    )


def of_columns(parts: pl.DataFrame) -> Callable[[], Any]:
    """Return what adds up cells that lie in columns, where all slices have the same classes."""
    matrices = [cm.from_bytes(state).counts for state in parts["state"]]
    cells = np.array(matrices).reshape(parts.height, 4)
    day = parts.select("slice").with_columns(pl.Series(f"cell_{i}", cells[:, i]) for i in range(4))
    both = pl.concat([day, day])
    return lambda: both.group_by("slice").agg(pl.all().sum()).sort("slice")


@pytest.mark.parametrize("name", ["merge_tables", "cm.merge of frames", "Polars, sums of columns"])
def test_merge(race: Race, parts: pl.DataFrame, name: str) -> None:
    data, both = table_bytes(parts, {}, {}), pl.concat([parts, parts])
    merges = {
        "merge_tables": lambda: merge_tables([data, data]),
        "cm.merge of frames": lambda: cm.merge(both),
        "Polars, sums of columns": of_columns(parts),
    }

    def check(found: Any) -> None:
        frame = read_table(found)[0] if isinstance(found, bytes) else found
        assert frame.height == parts.height
        if "state" in frame.columns:
            one = cm.from_bytes(parts["state"][7])
            assert cm.from_bytes(frame["state"][7]) == one + one

    race(
        of_slices(parts, "two days merged"),
        name,
        "peer" if name.startswith("Polars") else "ours",
        merges[name],
        check=check,
        rows=2 * parts.height,
    )
