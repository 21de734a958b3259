"""Queries with confmat expressions stream: no node of the physical plan falls back to memory."""

import polars as pl
import pytest
from support.polars_releases import STREAMS_FUNCTIONS

import confmat as cm
from confmat.frames.asked import Asked
from confmat.frames.expressions import whole

streams_all = pytest.mark.skipif(
    not STREAMS_FUNCTIONS, reason="older Polars runs whole frames and windows in memory"
)

FRAME = pl.LazyFrame(
    {
        "seg": [1, 1, 2, 2, None],
        "site": ["a", "b", "a", "b", "a"],
        "y": [0, 1, 2, 1, 0],
        "p": [0, 1, 1, 1, 2],
        "w": [1.0, 0.5, 2.0, 1.0, 3.0],
        "t": ["u", "v", "u", None, "v"],
        "q": ["u", "u", "v", "v", "u"],
    }
)


def plan(query: pl.LazyFrame) -> str:
    graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    assert isinstance(graph, str)
    return graph


def falls_back(query: pl.LazyFrame) -> bool:
    return "in-memory-map" in plan(query)


def test_the_check_sees_a_fallback() -> None:
    one_call_a_group = whole("y", "p", Asked(["accuracy"], labels=[0, 1, 2]).packed())
    assert falls_back(FRAME.group_by("seg").agg(one_call_a_group))


@pytest.mark.parametrize("by", ["seg", ["site"], ["seg", "site"]])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"labels": [0, 1, 2]},
        {"sample_weight": "w"},
        {"labels": [0, 1, 2], "sample_weight": "w"},
    ],
)
def test_evaluate_streams(by: str | list[str], options: dict[str, object]) -> None:
    query = FRAME.cm.evaluate("y", "p", by=by, **options)
    assert "PYTHON" in query.explain()
    assert not falls_back(query)
    by_a_float = FRAME.cast({"seg": pl.Float64}).cm.evaluate("y", "p", by="seg", **options)
    assert not falls_back(by_a_float)


@streams_all
def test_evaluate_of_all_rows_streams() -> None:
    assert not falls_back(FRAME.cm.evaluate("y", "p"))
    assert not falls_back(FRAME.cm.evaluate("y", "p", labels=[0, 1, 2]))


@streams_all
def test_evaluate_of_texts_and_cubes_streams() -> None:
    assert not falls_back(FRAME.cm.evaluate("t", "q", by="seg"))
    assert not falls_back(FRAME.cm.evaluate("y", "p", by=["seg", "site"], cube=True))


@pytest.mark.parametrize("labels", [None, [0, 1, 2]])
def test_grouped_expressions_stream_next_to_native_ones(labels: list[int] | None) -> None:
    query = FRAME.group_by("seg").agg(
        cm.metrics("y", "p", labels=labels), pl.col("w").mean(), pl.len().alias("rows")
    )
    assert not falls_back(query)


@streams_all
def test_over_streams() -> None:
    assert not falls_back(FRAME.with_columns(cm.metric("mcc", "y", "p").over("seg")))
    assert not falls_back(FRAME.with_columns((pl.col("y") > 0).cm.ks("w").over("seg")))
