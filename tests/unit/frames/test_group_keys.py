"""`df.cm.evaluate(by=...)`: keys of every type and several of them go through one kernel."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm
from confmat.frames import evaluate, whole_frame
from confmat.frames.asked import Asked
from confmat.frames.request import make_request

N = 6000
CITIES = ["Bern", "", "Ølensvåg", "Aarau", "a name of more than twelve bytes", "Aarau ", "b\x00c"]
ENUM = pl.Enum(["z", "a", "m"])


def _frame(nulls: bool = False) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 4, N)
    p = np.where(rng.random(N) < 0.8, y, rng.integers(0, 4, N))
    names = pl.Series(["cat", "dog", "bird", "a label of more than twelve bytes"])
    frame = pl.DataFrame(
        {
            "y": y,
            "p": p,
            "text": pl.Series(CITIES).gather(rng.integers(0, len(CITIES), N)),
            "many": [f"customer {i}" for i in rng.integers(0, 1500, N)],
            "day": pl.Series(rng.integers(19_000, 19_007, N).astype(np.int32)).cast(pl.Date),
            "number": rng.integers(-3, 3, N),
            "small": rng.integers(0, 5, N).astype(np.uint8),
            "flag": rng.random(N) < 0.4,
            "enum": pl.Series(ENUM.categories.gather(rng.integers(0, 3, N))).cast(ENUM),
        }
    )
    frame = frame.with_columns(
        category=pl.col("text").cast(pl.Categorical),
        y_text=names.gather(y),
        p_text=names.gather(p),
        y_category=names.gather(y).cast(pl.Categorical),
        p_category=names.gather(p).cast(pl.Categorical),
    )
    if not nulls:
        return frame
    return frame.with_columns(
        pl.when(pl.Series(rng.random(N) > 0.1)).then(pl.col(name)).alias(name)
        for name in frame.columns
    )


KEYS: list[Any] = [
    *["text", "many", "day", "number", "small", "flag", "enum", "category"],
    *[["text", "day"], ["day", "text"], ["category", "enum"], ["many", "flag"]],
    *[["small", "text", "flag"], ["flag", "enum", "day", "number"]],
]


@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("by", KEYS, ids=str)
def test_frames_in_memory_give_what_queries_give(
    by: Any, nulls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = _frame(nulls)
    for y, p in (("y", "p"), ("y_text", "p_text"), ("y_category", "p_category")):
        lazy = frame.lazy().cm.evaluate(y, p, by=by).collect()
        with monkeypatch.context() as only:
            only.setattr(evaluate, "_collected", None)  # the kernel alone
            eager = frame.cm.evaluate(y, p, by=by)
        assert_frame_equal(eager, lazy, check_exact=True)


def test_order_and_types_of_keys() -> None:
    frame = _frame(nulls=True)
    found = frame.cm.evaluate("y", "p", by=["text", "day"])
    assert found.schema["text"] == pl.String
    assert found.schema["day"] == pl.Date
    assert_frame_equal(found, found.sort("text", "day", nulls_last=True))
    assert found["n"].sum() + found["n_dropped"].sum() == N
    assert found["text"].null_count() == found["day"].n_unique()
    assert found["day"].drop_nulls().min() == date(2022, 1, 8)


def test_reasons_min_n_and_strangers_by_text() -> None:
    frame = pl.DataFrame({"g": ["b", "a", "a", None], "y": [0, 1, 1, 0], "p": [0, 1, 2, 0]})
    found = frame.cm.evaluate("y", "p", by="g", metrics=["mcc"], reasons=True, min_n=1)
    assert found["g"].to_list() == ["a", "b", None]
    assert found["reasons"].struct.field("mcc").to_list()[1] is not None
    with pytest.raises(cm.InputError, match="row 2"):
        frame.cm.evaluate("y", "p", by="g", labels=[0, 1])


def _kernel(frame: pl.DataFrame, by: Any) -> pl.DataFrame | None:
    request = make_request(
        frame.schema, Asked(labels=[0, 1]), y_true="y", y_pred="p", by=by, metrics=["accuracy"]
    )
    return whole_frame.by_keys(frame, request)


@pytest.mark.parametrize(
    "keys",
    [
        {"g": ["x" * 70_000, "y", "x" * 70_000]},  # longer than any label
        {"g": [0.5, 0.5, 1.5]},
        {"g": [1000 * row for row in range(20_000)]},  # too many values far apart
        {"g": list(range(9_000)), "h": list(range(9_000))},  # too many combinations
        {"g": [2**63 - 1, 0, 7]},  # the last, which larger unsigned ones read as, too
        {"g": [[1], [2], [1]]},
    ],
    ids=["long", "floats", "many", "combinations", "last", "lists"],
)
def test_other_keys_are_grouped_by_polars(keys: dict[str, list[Any]]) -> None:
    rows = len(next(iter(keys.values())))
    frame = pl.DataFrame({"y": [0, 1, 1], "p": [0, 1, 0]})
    frame = frame[[row % 3 for row in range(rows)]].with_columns(pl.DataFrame(keys))
    assert _kernel(frame, list(keys)) is None
    found = frame.cm.evaluate("y", "p", by=list(keys), metrics=["accuracy"])
    assert found["n"].sum() == rows


@pytest.mark.parametrize(
    "key",
    [
        pl.Series([-(2**62), 2**62, None, 0]),
        pl.Series([1, 40_000, None, 2], dtype=pl.UInt64),
        pl.Series([2**63 - 2, 0, None, 7], dtype=pl.UInt64),
        pl.Series([0, 1_700_000_000, None, -1]).cast(pl.Datetime("us", "UTC")),
        pl.Series([0, 86_400_000_000, None, 5]).cast(pl.Duration("ns")),
        pl.Series([0, 3_600_000_000_000, None, 5]).cast(pl.Time),
    ],
    ids=lambda key: str(key.dtype),
)
def test_values_far_apart_are_listed(key: pl.Series) -> None:
    frame = pl.DataFrame({"y": [0, 1, 1, 0], "p": [0, 1, 0, 0], "g": key})
    found = _kernel(frame, ["g"])
    assert found is not None
    right = frame.group_by("g").agg(accuracy=(pl.col("y") == pl.col("p")).mean())
    assert_frame_equal(found.select("g", "accuracy").sort("g"), right.sort("g"))


def test_no_rows_and_nulls_alone() -> None:
    frame = pl.DataFrame({"y": [0, 1], "p": [0, 1], "g": pl.Series([None, None], dtype=pl.String)})
    found = _kernel(frame, ["g"])
    assert found is not None
    assert found["g"].to_list() == [None]
    assert found["n"].to_list() == [2]
    none = _kernel(frame.clear(), ["g"])
    assert none is not None
    assert none.height == 0
    assert none.schema["g"] == pl.String


def test_categories_of_their_own() -> None:
    codes = pl.Categorical(pl.Categories("test_group_keys", physical=pl.UInt8))
    frame = _frame().with_columns(pl.col("text", "y_text", "p_text").cast(codes))
    plain = _frame().cm.evaluate("y_text", "p_text", by="text")
    found = frame.cm.evaluate("y_text", "p_text", by="text")
    assert_frame_equal(found.with_columns(pl.col("text").cast(pl.String)), plain)
    matrix = cm.confusion_matrix(frame["y_text"], frame["p_text"])
    assert matrix == cm.confusion_matrix(_frame()["y_text"], _frame()["p_text"])
