"""Continuous columns as ordered keys: every value in its bin, missing ones and nan in none."""

import datetime as dt
import math

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal
from support.polars_releases import STREAMS_FUNCTIONS

import confmat as cm

LOG = pl.DataFrame(
    {
        "age": [17.5, 18.0, 44.0, 64.0, None, math.nan, math.inf, -math.inf],
        "y": [0, 1, 1, 0, 1, 1, 0, 0],
        "p": [0, 1, 0, 0, 1, 0, 0, 1],
        "day": [dt.date(2024, 1, 1 + i) for i in range(8)],
    }
)


def bins(expression: pl.Expr, frame: pl.DataFrame = LOG) -> list[object]:
    return frame.select(expression).to_series().to_list()


def test_bins_begin_at_their_edge() -> None:
    found = bins(cm.bin_intervals("age", [18, 64.0]))
    in_order = ["< 18", "[18, 64)", "[18, 64)", ">= 64", None, None, ">= 64", "< 18"]
    assert found == in_order


def test_bins_sort_by_their_edges() -> None:
    frame = pl.DataFrame({"x": [30, 4, 100, None], "y": [0, 0, 1, 1], "p": [0, 1, 1, 1]})
    table = frame.cm.evaluate("y", "p", by=cm.bin_intervals("x", [5, 40]), metrics="accuracy")
    assert table["x"].to_list() == ["< 5", "[5, 40)", ">= 40", None]
    assert table.schema["x"] == pl.Enum(["< 5", "[5, 40)", ">= 40"])


@given(
    st.lists(st.one_of(st.none(), st.floats(width=32), st.integers(-3, 3).map(float))),
    st.sets(st.integers(-3, 3), min_size=1),
)
def test_as_comparisons_say(values: list[float | None], edges: set[int]) -> None:
    frame = pl.DataFrame({"x": values}, schema={"x": pl.Float64})
    names = [str(i) for i in range(len(edges) + 1)]
    found = bins(cm.bin_intervals("x", sorted(edges), labels=names), frame)
    wanted = [
        None if x is None or math.isnan(x) else str(sum(x >= edge for edge in edges))
        for x in values
    ]
    assert found == wanted


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt64, pl.Float32, pl.Decimal(10, 2)])
def test_numbers_of_every_type(dtype: pl.DataType) -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, None]}).cast({"x": dtype})
    assert bins(cm.bin_intervals("x", [2]), frame) == ["< 2", ">= 2", ">= 2", None]


def test_dates_and_expressions() -> None:
    found = bins(cm.bin_intervals("day", [dt.date(2024, 1, 3)]))
    assert found == ["< 2024-01-03"] * 2 + [">= 2024-01-03"] * 6
    assert bins(cm.bin_intervals(pl.col("day").dt.day(), [7]))[-2:] == [">= 7"] * 2


def test_every_door_takes_them_and_streams() -> None:
    key = cm.bin_intervals("age", [18, 64])
    table = LOG.cm.evaluate("y", "p", by=key, metrics="accuracy")
    parts = cm.partial(LOG, y_true="y", y_pred="p", by=key)
    assert_frame_equal(cm.finish(parts, "accuracy"), table)
    query = LOG.lazy().cm.evaluate("y", "p", by=[key], metrics="accuracy")
    graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    assert "in-memory-map" not in graph or not STREAMS_FUNCTIONS
    assert_frame_equal(query.collect(engine="streaming"), table)
    cube = LOG.cm.evaluate("y", "p", by=[key, pl.col("day").dt.day() < 4], cube=True)
    assert cube.columns[:3] == ["age", "day", "grouping"]


def test_quantiles_have_as_many_rows_where_values_differ() -> None:
    frame = pl.DataFrame({"x": [*range(1, 101), None, math.nan, math.inf]}, strict=False)
    found = frame.select(cm.bin_quantiles("x", 4, frame)).to_series().value_counts(sort=True)
    assert dict(found.drop_nulls().iter_rows()) == {
        "< 26": 25, "[26, 51)": 25, "[51, 76)": 25, ">= 76": 26,
    }  # fmt: skip
    assert bins(cm.bin_quantiles("x", [0.5], frame.lazy()), frame)[49:51] == ["< 51", ">= 51"]


def test_equal_quantiles_are_one_edge() -> None:
    frame = pl.DataFrame({"x": [0.0] * 8 + [1.5, 2.5]})
    assert set(bins(cm.bin_quantiles("x", 5, frame), frame)) == {"[0, 1.5)", ">= 1.5"}


def test_quantiles_of_one_frame_cut_another() -> None:
    key = cm.bin_quantiles("age", 2, LOG.filter(pl.col("age") < 60))
    assert bins(key)[:4] == ["< 18", ">= 18", ">= 18", ">= 18"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cm.bin_intervals("age", []), "`edges` is \\[\\]; wanted 1 to 999"),
        (lambda: cm.bin_intervals("age", "18"), "`edges` is '18'"),
        (lambda: cm.bin_intervals("age", [18, 18]), "`edges` has 18 after 18 at position 1"),
        (lambda: cm.bin_intervals("age", [1, math.nan]), "`edges` has nan at position 1"),
        (lambda: cm.bin_intervals("age", [True]), "`edges` has True at position 0"),
        (lambda: cm.bin_intervals("age", [1], labels=["a"]), "wanted 2 texts"),
        (lambda: cm.bin_intervals("age", [1], labels=["a", "a"]), "`labels` has a name twice"),
        (lambda: cm.bin_intervals(3, [1]), "`column` is a int"),
        (lambda: cm.bin_quantiles("age", 1, LOG), "`quantiles` is 1; wanted 2 to 1000 bins"),
        (lambda: cm.bin_quantiles("age", True, LOG), "`quantiles` is True"),
        (lambda: cm.bin_quantiles("age", [0.5, 0.2], LOG), "ascending shares"),
        (lambda: cm.bin_quantiles("age", [0, 1], LOG), "ascending shares"),
        (lambda: cm.bin_quantiles("age", 2, None), "`frame` is NoneType"),
        (lambda: cm.bin_quantiles("ages", 2, LOG), "`column` names the column 'ages'"),
        (lambda: cm.bin_quantiles("age", 2, LOG.clear()), "`column` has no value in `frame`"),
        (
            lambda: cm.bin_quantiles("y", 3, LOG.filter(y=0), labels=["a", "b", "c"]),
            "the quantiles are only 1 values, \\[0\\]; leave `labels` out",
        ),
    ],
)
def test_what_is_refused(make: object, message: str) -> None:
    with pytest.raises(cm.InputError, match=message):
        make()


def test_hints_of_messages_work() -> None:
    assert bins(cm.bin_quantiles("y", 3, LOG.filter(y=0)))[:2] == [">= 0", ">= 0"]
