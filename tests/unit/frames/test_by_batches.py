"""`lf.cm.evaluate` by keys counts rows as they come, and gives the table of the whole frame."""

import io
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import polars as pl
import pytest
from polars.io.plugins import register_io_source
from polars.testing import assert_frame_equal
from support.polars_releases import ERROR_OF_SOURCES
from support.slices import KINDS, METRICS, N, check_same, frame_of, labels_of

import confmat as cm
from confmat.frames import by_batches, label_slicing


@pytest.fixture(autouse=True, params=[True, False], ids=["batches", "one batch"])
def rows_of_a_batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(by_batches, "FIRST_ROWS", 20)
        for name, rows in (("_ROWS", 70), ("_ROWS_OF_FRAMES", 150)):
            monkeypatch.setattr(label_slicing, name, rows)


def query_of(frame: pl.DataFrame | pl.LazyFrame, **options: object) -> pl.LazyFrame:
    query = frame.lazy().cm.evaluate("y", "p", **{"by": "g", "metrics": METRICS} | options)
    assert "PYTHON SCAN" in query.explain()
    return query


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"reasons": True, "min_n": 60},
        {"smoothing": 0.5, "keep_empty": True, "undefined": 0.25},
        {"other": "bucket"},
        {"cube": True, "by": ["g", "y"]},
        {"by": ["y", "g"]},
    ],
)
def test_the_table_of_the_whole_frame(
    kind: str, labelled: bool, options: dict[str, object]
) -> None:
    options = {"by": "g", "metrics": METRICS} | options
    if labelled or "other" in options:
        options["labels"] = labels_of(kind)
    frame = frame_of(kind).with_columns(g=pl.when(pl.col("g") != 3).then("g"))
    check_same(frame, **options)
    check_same(frame.clear(), **options)
    check_same(frame.sort("g", "y"), **options)  # batches bring new keys and labels


def test_a_row_that_cannot_be_counted_is_named(tmp_path: Path) -> None:
    frame = frame_of("int").with_columns(y=pl.when(pl.int_range(N) == 400).then(7).otherwise("y"))
    for engine in ("in-memory", "streaming"):
        with pytest.raises(ERROR_OF_SOURCES, match="label 7 at row 400 of `y_true`"):
            query_of(frame, labels=[0, 1, 2]).collect(engine=engine)
    with pytest.raises(ERROR_OF_SOURCES, match="label 7 at row 400"):
        query_of(frame, labels=[0, 1, 2]).sink_parquet(tmp_path / "slices.parquet")
    with pytest.raises(ERROR_OF_SOURCES, match="`pos_label` 9 is not in the labels"):
        query_of(frame, pos_label=9, metrics=["f1"]).collect()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "options", [{}, {"labelled": True}, {"labelled": True, "other": "bucket"}, {"pos_label": 1}]
)
def test_states_are_those_of_expressions(kind: str, options: dict[str, object]) -> None:
    frame = frame_of(kind).with_columns(g=pl.when(pl.col("g") != 3).then("g"))
    asked: dict[str, object] = {"by": ["g", "y"]} | options
    if asked.pop("labelled", False):
        asked["labels"] = labels_of(kind)
    if "pos_label" in asked:
        asked["pos_label"] = labels_of(kind)[1]
    for rows in (frame, frame.sort("y"), frame.clear()):
        query = cm.partial(rows.lazy(), y_true="y", y_pred="p", **asked)
        found = [cm.partial(rows, y_true="y", y_pred="p", **asked)]
        found += [query.collect(engine="in-memory"), query.collect(engine="streaming")]
        with patch("confmat.frames.label_slicing.LabelSlicing.fits", return_value=False):
            expected = cm.partial(rows, y_true="y", y_pred="p", **asked)
        for one in found:
            assert_frame_equal(one, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_are_those_of_expressions(kind: str) -> None:
    frame = frame_of(kind)
    asked = {"by": "g", "metrics": METRICS, "ci": 0.9, "reasons": True, "min_n": 50}
    query = frame.lazy().cm.evaluate("y", "p", **asked)
    assert "PYTHON SCAN" in query.explain()
    with patch("confmat.frames.label_slicing.LabelSlicing.fits", return_value=False):
        expected = frame.cm.evaluate("y", "p", **asked)
    assert_frame_equal(frame.cm.evaluate("y", "p", **asked), expected, check_exact=True)
    assert_frame_equal(query.collect(), expected, check_exact=True)


class Source:
    """Rows in batches that tell how often and of which they were read."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.predicates: list[str] = []
        self.columns: list[list[str] | None] = []

        def read(
            names: list[str] | None, predicate: pl.Expr | None, *_: int | None
        ) -> Iterator[pl.DataFrame]:
            self.columns.append(names)
            self.predicates.append(str(predicate))
            for part in frame.iter_slices(33):
                rows = part if predicate is None else part.filter(predicate)
                yield rows if names is None else rows.select(names)

        self.query = register_io_source(read, schema=frame.schema)


def test_rows_are_read_once_when_the_query_runs() -> None:
    frame = frame_of("text")
    source = Source(frame)
    query = query_of(source.query)
    assert source.columns == []
    assert_frame_equal(query.collect(), frame.cm.evaluate("y", "p", by="g", metrics=METRICS))
    assert [sorted(names or []) for names in source.columns] == [["g", "p", "y"]]


def test_a_filter_by_keys_reaches_the_rows_and_no_other_does() -> None:
    frame = frame_of("int")
    whole = frame.cm.evaluate("y", "p", by="g", metrics=METRICS)
    for predicate, reaches in (
        (pl.col("g") > 5, True),
        (pl.col("g").is_null(), True),
        (pl.col("n") > 60, False),
        (pl.col("g") > pl.col("g").mean(), False),
    ):
        source = Source(frame)
        found = query_of(source.query).filter(predicate)
        assert_frame_equal(found.collect(), whole.filter(predicate), check_exact=True)
        assert ("None" not in source.predicates) == reaches
    source = Source(frame)
    cube = query_of(source.query, by=["g", "y"], cube=True).filter(pl.col("g") > 5)
    wanted = frame.cm.evaluate("y", "p", by=["g", "y"], metrics=METRICS, cube=True)
    assert_frame_equal(cube.collect(), wanted.filter(pl.col("g") > 5), check_exact=True)


def test_slices_and_filters_keep_their_order() -> None:
    frame = frame_of("int").drop_nulls("g")
    whole = frame.cm.evaluate("y", "p", by="g", metrics=METRICS).lazy()
    for engine in ("in-memory", "streaming"):
        for ask in (
            lambda query: query.head(4).filter(pl.col("g") > 1),
            lambda query: query.filter(pl.col("g") > 1).head(4),
            lambda query: query.head(4).filter(pl.col("n") > 50).select("mcc"),
            lambda query: query.slice(2, 3).filter(pl.col("g") != 3),
            lambda query: query.tail(2).select(pl.len()),
            lambda query: query.select(pl.len()),
        ):
            found = ask(query_of(frame)).collect(engine=engine)
            assert_frame_equal(found, ask(whole).collect(), check_exact=True)


def test_a_class_that_no_kept_row_has_is_no_error() -> None:
    frame = pl.DataFrame({"g": [1, 1, 2], "y": [0, 1, 2], "p": [0, 0, 2]})
    query = query_of(frame, metrics=["recall"], pos_label=2)
    kept = query.filter(pl.col("g") == 1).collect()
    assert_frame_equal(kept, query.collect().filter(pl.col("g") == 1))


def test_slices_that_fit_no_table_come_by_expressions() -> None:
    rows = pl.int_range(200_000, eager=True)
    frame = pl.DataFrame({"g": rows, "y": rows % 50, "p": rows % 49})
    eager = frame.cm.evaluate("y", "p", by="g", metrics=["accuracy"])
    assert_frame_equal(query_of(frame, metrics=["accuracy"]).collect(), eager, check_exact=True)


def test_queries_run_beside_each_other_and_far_away() -> None:
    frame = frame_of("text")
    query = query_of(frame)
    wanted = query.collect()
    twice = pl.concat([query, query.with_columns(n=pl.col("n") * 2)])
    for engine in ("in-memory", "streaming"):
        found = pl.collect_all([query, twice, query.select("g", "mcc").head(2)], engine=engine)
        assert_frame_equal(found[0], wanted)
        assert_frame_equal(found[1].head(wanted.height), wanted)
        assert_frame_equal(found[2], wanted.select("g", "mcc").head(2))
    copy = pl.LazyFrame.deserialize(io.BytesIO(query.serialize()))
    assert_frame_equal(copy.collect(), wanted)
