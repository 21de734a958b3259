"""What do expressions without `labels=` cost, next to Polars counting the cells.

The floor is what Polars needs to collect one code a row, of the width that ours have, with the
engine of the query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import labels, segments

import confmat as cm

K = 10
NAMES = pl.Series([f"class_{i}" for i in range(K)])
TYPES: dict[str, tuple[Callable[[pl.Series], pl.Series], Any]] = {
    "Int64": (lambda codes: codes.cast(pl.Int64), pl.UInt32),
    "Int32": (lambda codes: codes.cast(pl.Int32), pl.UInt32),
    "UInt8": (lambda codes: codes, pl.UInt32),
    "Int64 from a million on": (lambda codes: codes.cast(pl.Int64) * 7 + 10**6, pl.UInt32),
    "Boolean": (lambda codes: codes > 4, pl.UInt8),
    "Enum": (lambda codes: NAMES.gather(codes).cast(pl.Enum(NAMES)), pl.UInt32),
    "String": (NAMES.gather, pl.UInt32),
    "Categorical": (lambda codes: NAMES.gather(codes).cast(pl.Categorical), pl.UInt32),
}
ENGINES = ["in-memory", "streaming"]
CALLS = {"ours": "cm.metrics()", "counts": "Polars counts", "floor": "implode"}
ROLES: dict[str, Role] = {"ours": "ours", "counts": "peer", "floor": "floor"}
# Polars may count with either engine; an expression collects its rows with that of its query.
CONTENDERS = ["ours", "floor", *(f"counts {engine}" for engine in ENGINES)]


@pytest.fixture(scope="module", params=TYPES)
def typed(rows: int, request: pytest.FixtureRequest) -> tuple[str, pl.DataFrame]:
    as_type, width = TYPES[request.param]
    y, p = (pl.Series(side) for side in labels(rows, K, "uint8"))
    segment = pl.Series(segments(rows, 1000))
    frame = {"segment": segment, "y": as_type(y), "p": as_type(p), "code": y.cast(width)}
    return request.param, pl.DataFrame(frame)


def _race(race: Race, typed: tuple[str, pl.DataFrame], engine: str, name: str, *, by: bool) -> None:
    kind, frame = typed
    who, _, own = name.partition(" ")
    keys = ["segment"] if by else []
    metrics = cm.metrics("y", "p")
    code = pl.col("code").implode(maintain_order=False)

    def rows() -> int:
        lazy = frame.lazy()
        if who == "counts":
            query = lazy.group_by(*keys, "y", "p").len()
            return int(query.collect(engine=own)["len"].sum())  # type: ignore[call-overload]
        asked = metrics if who == "ours" else code
        query = lazy.group_by(keys).agg(asked) if by else lazy.select(asked)
        found = query.collect(engine=engine)  # type: ignore[call-overload]
        if who == "floor":
            return int(found["code"].list.len().sum())
        return int(found["metrics"].struct.field("n").sum())

    def check(found: int) -> None:
        assert found == len(frame)

    race(
        f"{'1,000 segments' if by else 'all rows'}, {engine}, {kind}",
        f"{CALLS[who]}{f', {own}' if own else ''}",
        ROLES[who],
        rows,
        check=check,
        rows=len(frame),
        family=CALLS[who],
    )


@pytest.mark.parametrize("name", CONTENDERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_grouped(race: Race, typed: tuple[str, pl.DataFrame], engine: str, name: str) -> None:
    _race(race, typed, engine, name, by=True)


@pytest.mark.parametrize("name", [name for name in CONTENDERS if name != "floor"])
@pytest.mark.parametrize("engine", ENGINES)
def test_select(race: Race, typed: tuple[str, pl.DataFrame], engine: str, name: str) -> None:
    _race(race, typed, engine, name, by=False)
