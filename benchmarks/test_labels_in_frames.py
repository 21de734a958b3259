"""What do labels and keys of the types that frames hold cost, next to Polars counting the cells."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import labels, segments

import confmat as cm

K = 10
SHORT = pl.Series([f"class_{i}" for i in range(K)])
LONG = pl.Series([f"a class with long name: {i:02}" for i in range(K)])  # 26 characters
TYPES: dict[str, Callable[[pl.Series], pl.Series]] = {
    "Int64": lambda codes: codes.cast(pl.Int64),
    "Int32": lambda codes: codes.cast(pl.Int32),
    "UInt8": lambda codes: codes,
    "Boolean": lambda codes: codes > K // 2,
    "String": SHORT.gather,
    "String of 26 characters": LONG.gather,
    "String of 26 characters, a text a row": lambda codes: (
        "a class with long name: " + codes.cast(pl.String).str.zfill(2)
    ),
    "Categorical": lambda codes: SHORT.gather(codes).cast(pl.Categorical),
    "Enum": lambda codes: SHORT.gather(codes).cast(pl.Enum(SHORT)),
}
KEYS = {
    "int key": ["segment"],
    "text key": ["name"],
    "Categorical key": ["category"],
    "text and date": ["name", "day"],
}


@pytest.fixture(scope="module")
def codes(rows: int) -> pl.DataFrame:
    y, p = labels(rows, K, "uint8")
    names = pl.Series([f"seg-{i:04}" for i in range(1000)])
    segment = pl.Series(segments(rows, 1000))
    return pl.DataFrame(
        {
            "y": y,
            "p": p,
            "segment": segment,
            "name": names.gather(segment),
            "category": names.gather(segment).cast(pl.Categorical),
            "day": pl.Series(segments(rows, 30, seed=12)).cast(pl.Date),
        }
    )


CONTENDERS = ["ours", "in-memory", "streaming"]


def _race(
    race: Race, frame: pl.DataFrame, question: str, by: list[str], name: str, lazy: bool = False
) -> None:
    cells = frame.lazy().group_by(*by, "y", "p").len()

    def rows() -> int:
        if name != "ours":
            return int(cells.collect(engine=name)["len"].sum())  # type: ignore[call-overload]
        if not by:
            return int(cm.confusion_matrix(frame["y"], frame["p"]).n)
        if lazy:
            query = frame.lazy().cm.evaluate("y", "p", by=by)
            return int(query.collect(engine="streaming")["n"].sum())
        return int(frame.cm.evaluate("y", "p", by=by)["n"].sum())

    def check(found: int) -> None:
        assert found == len(frame)

    ours = f"{'lf' if lazy else 'df'}.cm.evaluate(by=)" if by else "cm.confusion_matrix()"
    race(
        question,
        ours if name == "ours" else f"Polars counts, {name}",
        "ours" if name == "ours" else "peer",
        rows,
        check=check,
        rows=len(frame),
        family=None if name == "ours" else "Polars counts",
    )


@pytest.fixture(scope="module", params=TYPES)
def typed(codes: pl.DataFrame, request: pytest.FixtureRequest) -> tuple[str, pl.DataFrame]:
    as_type = TYPES[request.param]
    return request.param, codes.with_columns(y=as_type(codes["y"]), p=as_type(codes["p"]))


@pytest.mark.parametrize("name", CONTENDERS)
def test_matrix(race: Race, typed: tuple[str, pl.DataFrame], name: str) -> None:
    _race(race, typed[1], f"one matrix, K=10, {typed[0]}", [], name)


@pytest.mark.parametrize("name", CONTENDERS)
def test_segments(race: Race, typed: tuple[str, pl.DataFrame], name: str) -> None:
    _race(race, typed[1], f"1,000 segments, K=10, {typed[0]}", ["segment"], name)


@pytest.mark.parametrize("name", CONTENDERS)
def test_segments_of_a_query(race: Race, typed: tuple[str, pl.DataFrame], name: str) -> None:
    question = f"a query, 1,000 segments, K=10, {typed[0]}"
    _race(race, typed[1], question, ["segment"], name, lazy=True)


@pytest.mark.parametrize("name", CONTENDERS)
@pytest.mark.parametrize("keys", KEYS)
def test_keys(race: Race, codes: pl.DataFrame, keys: str, name: str) -> None:
    _race(race, codes, f"UInt8 labels, K=10, {keys}", KEYS[keys], name)
