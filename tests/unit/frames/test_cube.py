"""Cubes come from states of the finest slices: the numbers are those of the rows."""

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from polars.testing import assert_frame_equal
from support.cubes import evaluated_apart
from support.polars_releases import STREAMS_FUNCTIONS
from support.slices import KINDS, METRICS, ONE_CLASS, frame_of, labels_of

import confmat as cm

BY = ["site", "day", "flag"]


def log_of(kind: str, size: int = 400) -> pl.DataFrame:
    """Return rows of labels of this kind, with scores, weights and keys, some of them missing."""
    rng = np.random.default_rng(5)
    keys = {
        "site": rng.choice(np.array(["a", "b", "c\N{SNOWMAN}", None], dtype=object), size),
        "day": rng.choice(np.array([1.5, np.nan, -0.0, None], dtype=object), size),
        "flag": rng.choice([True, False, None], size, p=[0.7, 0.2, 0.1]),
    }
    types = {"site": pl.String, "day": pl.Float64, "flag": pl.Boolean}
    truth = rng.choice([True, False, None], size, p=[0.4, 0.5, 0.1])
    more = {
        "t": pl.Series(truth.tolist(), dtype=pl.Boolean),
        "s": np.round(rng.random(size), 2),
        "i": rng.integers(0, 5, size),
    }
    columns = [pl.Series(name, values.tolist(), types[name]) for name, values in keys.items()]
    return frame_of(kind, size).hstack(columns).with_columns(**more)


def check(frame: pl.DataFrame, by: list[str], **options: object) -> None:
    wanted = evaluated_apart(frame, by, **options)
    query = frame.lazy().cm.evaluate(by=by, cube=True, **options)
    assert query.collect_schema() == wanted.schema
    for found in (
        frame.cm.evaluate(by=by, cube=True, **options),
        query.collect(engine="in-memory"),
        query.collect(engine="streaming"),
    ):
        assert_frame_equal(found, wanted, check_exact=True)


@pytest.mark.parametrize("weight", [None, "w", "i"])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_kind(kind: str, weight: str | None) -> None:
    options = {"y_true": "y", "y_pred": "p", "metrics": METRICS, "sample_weight": weight}
    check(log_of(kind), BY, **options)
    check(log_of(kind), BY, **options, reasons=True, min_n=20)


@pytest.mark.parametrize(
    "options",
    [
        {"undefined": 0.5},
        {"smoothing": 0.5},
        {"keep_empty": True},
        {"undefined": 0.0, "keep_empty": True, "reasons": True},
    ],
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", [False, True])
def test_options(kind: str, labels: bool, options: dict[str, object]) -> None:
    frame = log_of(kind)
    given_labels = labels_of(kind) if labels else None
    of_labels = {"labels": given_labels, "other": "bucket" if labels else "raise"}
    check(frame, BY, y_true="y", y_pred="p", metrics=METRICS, **of_labels, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_a_positive_class(kind: str) -> None:
    positive = labels_of(kind)[0]
    options = {"y_true": "y", "y_pred": "p", "pos_label": positive, "metrics": ONE_CLASS}
    check(log_of(kind), BY, **options, reasons=True)


@pytest.mark.parametrize("weight", [None, "w", "i"])
@pytest.mark.parametrize("values", [1, 20, 10_000])  # the scores of 20 recur, and states merge
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32, pl.Boolean, pl.UInt8])
def test_scores(dtype: pl.DataType, values: int, weight: str | None) -> None:
    few = (pl.col("w") * values).floor() / values
    frame = log_of("int").with_columns(s=(few > 0.5) if dtype == pl.Boolean else few.cast(dtype))
    names = ["roc_auc", "average_precision", "ks", "brier", "log_loss", "ece", "eer"]
    options = {"y_true": "t", "y_score": "s", "metrics": names, "sample_weight": weight}
    check(frame, BY, **options)
    check(frame, BY, **options, reasons=True, min_n=20, undefined=0.25)


def test_scores_with_nan_and_a_positive_class() -> None:
    frame = log_of("text").with_columns(
        pl.when(pl.col("i") == 0).then(float("nan")).otherwise("s").alias("s"),
        pl.col("t").cast(pl.String),
    )
    check(frame, BY, y_true="t", y_score="s", pos_label="true", nan="drop", metrics=["roc_auc"])


@pytest.mark.parametrize("weight", [None, "w"])
def test_labels_and_scores(weight: str | None) -> None:
    frame = log_of("int").with_columns(q=pl.col("s") > 0.5)
    options = {"y_true": "t", "y_pred": "q", "y_score": "s", "sample_weight": weight}
    check(frame, BY, **options)
    check(frame, BY, **options, metrics=["f1", "roc_auc"], reasons=True, min_n=9)
    check(frame, BY, **options, metrics=["f1"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", [False, True])
def test_keys_of_the_whole_frame_kernel(kind: str, labels: bool) -> None:
    frame = log_of(kind).with_columns(k=pl.when(pl.col("i") > 0).then(pl.col("i") - 7))
    given_labels = labels_of(kind) if labels else None
    of_labels = {"labels": given_labels, "other": "bucket" if labels else "raise"}
    options = {"y_true": "y", "y_pred": "p", "metrics": METRICS, **of_labels}
    check(frame, ["site", "k", "flag"], **options, reasons=True, min_n=5)
    check(frame.clear(), ["site", "k"], **options)
    check(frame, ["k"], **options)


def test_more_slices_than_tables_may_have() -> None:
    keys = {f"k{i}": pl.int_range(400) * (7919 + i) % 60 for i in range(4)}
    check(log_of("int").with_columns(**keys), list(keys), y_true="y", y_pred="p", metrics=["mcc"])


def test_scores_of_many_classes() -> None:
    frame = (
        log_of("int")
        .drop_nulls("y")
        .with_columns(a=pl.col("s"), b=(1 - pl.col("s")) * 0.25, c=(1 - pl.col("s")) * 0.75)
    )
    names = ["roc_auc", "log_loss"]
    options = {"y_true": "y", "y_pred": None, "y_score": ["a", "b", "c"], "metrics": names}
    options |= {"labels": [0, 1, 2]}
    check(frame, ["site", "flag"], **options)


def test_a_frame_without_rows() -> None:
    frame = log_of("int").clear()
    check(frame, BY, y_true="y", y_pred="p")
    check(frame, BY, y_true="t", y_score="s")


def test_one_row() -> None:
    check(log_of("text", 1), BY, y_true="y", y_pred="p", reasons=True)


KEYS = st.sampled_from([None, "a", "b", ""])
ROWS = st.tuples(KEYS, st.sampled_from([None, 1, -7, 2**62]), *[st.integers(0, 3)] * 2)


@settings(max_examples=30, deadline=None)
@given(st.lists(ROWS, max_size=25))
def test_random_frames(rows: list[tuple[object, ...]]) -> None:
    schema = {"k": pl.String, "j": pl.Int64, "y": pl.Int8, "p": pl.Int8}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    check(frame, ["j", "k"], y_true="y", y_pred="p", metrics=["accuracy", "mcc", "f1_macro"])


def test_a_label_that_is_not_given_names_its_row() -> None:
    frame = log_of("int")
    with pytest.raises(cm.InputError, match=r"label 2 at row \d+ of `y_(true|pred)` is not in"):
        frame.cm.evaluate("y", "p", by=BY, cube=True, labels=[0, 1])


def test_queries_stream_and_can_be_pickled() -> None:
    query = log_of("int").lazy().cm.evaluate("y", "p", by=BY, cube=True)
    graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    in_memory = [node for node in graph.splitlines() if "in-memory-map" in node]
    assert all("python_udf" in node for node in in_memory)  # what merges slices
    assert not in_memory or not STREAMS_FUNCTIONS
    assert_frame_equal(pl.LazyFrame.deserialize(query.serialize()).collect(), query.collect())
