"""Expressions give the numbers of `ConfusionMatrix` in every context, with declared dtypes."""

from collections.abc import Callable
from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal

import confmat as cm

METRICS = ["accuracy", "balanced_accuracy", "f1_macro", "mcc", "kappa", "gmcc", "eve"]
N = 3000


def make_frame(kind: str, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, N)
    p = np.where(rng.random(N) < 0.6, y, rng.integers(0, 4, N))
    frame = pl.DataFrame(
        {
            "seg": rng.integers(0, 7, N),
            "site": rng.choice(["a", "b", "c"], N),
            "when": [datetime(2026, 1, 1) + timedelta(minutes=i) for i in range(N)],
            "y": y,
            "p": p,
            "w": rng.random(N),
        }
    )
    text = {0: "ant", 1: "bee", 2: "a much longer name of a cat", 3: "dog"}
    names = pl.col("y", "p").replace_strict(text, return_dtype=pl.String)
    if kind == "string":
        return frame.with_columns(names)
    if kind == "categorical":
        frame = frame.with_columns(names)
        return frame.with_columns(
            pl.col("y").cast(pl.Categorical(pl.Categories("one"))),
            pl.col("p").reverse().cast(pl.Categorical(pl.Categories("two"))).reverse(),
        )
    if kind == "enum":
        return frame.with_columns(names.cast(pl.Enum(list(text.values()))))
    if kind == "bool":
        return frame.with_columns(pl.col("y", "p") >= 2)
    return frame.with_columns(pl.col("y", "p").cast(getattr(pl, kind)))


KINDS = ["Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "string",
         "categorical", "enum", "bool"]  # fmt: skip


def reference(frame: pl.DataFrame, weight: str | None = None) -> dict[str, float | None]:
    m = cm.confusion_matrix(
        frame["y"], frame["p"], sample_weight=None if weight is None else frame[weight]
    )
    values = {name: m[name] for name in METRICS}
    return {"n": m.n, **{k: None if np.isnan(v) else v for k, v in values.items()}}


def expected(frame: pl.DataFrame, by: str, weight: str | None = None) -> pl.DataFrame:
    rows = [
        {by: key[0], **reference(part, weight)}
        for key, part in frame.partition_by(by, as_dict=True).items()
    ]
    n = pl.UInt64 if weight is None else pl.Float64
    schema = {by: frame.schema[by], "n": n, **dict.fromkeys(METRICS, pl.Float64)}
    return pl.DataFrame(rows, schema=schema).sort(by)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["seg", "site"])
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_group_by(kind: str, by: str, engine: str) -> None:
    frame = make_frame(kind)
    query = frame.lazy().group_by(by).agg(cm.metrics("y", "p", METRICS)).unnest("metrics")
    out = query.collect(engine=engine).sort(by).drop("n_dropped", "n_other")
    assert_frame_equal(out, expected(frame, by), check_exact=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["seg", "site"])
def test_evaluate_eager_and_lazy(kind: str, by: str) -> None:
    frame = make_frame(kind)
    want = expected(frame, by)
    eager = frame.cm.evaluate("y", "p", by=by, metrics=METRICS)
    lazy = frame.lazy().cm.evaluate("y", "p", by=by, metrics=METRICS)
    assert_frame_equal(eager.drop("n_dropped", "n_other"), want, check_exact=True)
    assert_frame_equal(lazy.collect(), eager, check_exact=True)
    assert lazy.collect_schema() == eager.schema


@pytest.mark.parametrize("kind", ["Int64", "string", "categorical", "enum", "bool"])
def test_labels_given_change_nothing(kind: str) -> None:
    frame = make_frame(kind)
    labels = cm.confusion_matrix(frame["y"], frame["p"]).labels
    given = frame.group_by("seg").agg(cm.metrics("y", "p", METRICS, labels=labels))
    found = frame.group_by("seg").agg(cm.metrics("y", "p", METRICS))
    assert_frame_equal(given.sort("seg"), found.sort("seg"), check_exact=True)


@pytest.mark.parametrize("labels", [None, [0, 1, 2, 3]])
def test_every_context(labels: list[int] | None) -> None:
    frame = make_frame("Int32")
    expr = cm.metrics("y", "p", METRICS, labels=labels)
    want = reference(frame)
    assert want.items() <= frame.select(expr).unnest("metrics").row(0, named=True).items()
    for engine in ("in-memory", "streaming"):
        row = frame.lazy().select(expr).unnest("metrics").collect(engine=engine).row(0, named=True)
        assert want.items() <= row.items()
    wide = frame.with_columns(expr)
    assert wide.height == N
    assert wide["metrics"].n_unique() == 1
    over = frame.select("seg", expr.over("seg")).unique().unnest("metrics").sort("seg")
    assert_frame_equal(over.drop("n_dropped", "n_other"), expected(frame, "seg"), check_exact=True)


@pytest.mark.parametrize("labels", [None, [0, 1, 2, 3]])
def test_windows_in_time(labels: list[int] | None) -> None:
    frame = make_frame("Int32").set_sorted("when")
    expr = cm.metric("mcc", "y", "p", labels=labels)
    dynamic = frame.group_by_dynamic("when", every="6h").agg(expr, n=pl.len())
    for row in dynamic.iter_rows(named=True):
        part = frame.filter(pl.col("when").dt.truncate("6h") == row["when"])
        assert row["mcc"] == cm.mcc(part["y"], part["p"])
    rolling = frame.head(300).rolling("when", period="30m").agg(expr, n=pl.len())
    part = frame[200 - 29 : 201]
    assert rolling["n"][200] == 30
    assert rolling["mcc"][200] == cm.mcc(part["y"], part["p"])


def test_lazy_schema_is_what_comes() -> None:
    frame = make_frame("Int64").lazy()
    for weight in (None, "w"):
        query = frame.select(cm.metrics("y", "p", sample_weight=weight))
        assert query.collect_schema() == query.collect().schema


@pytest.mark.parametrize("kind", ["Int64", "string", "bool"])
@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("by", ["seg", "site"])
def test_weights(kind: str, labels: bool, by: str) -> None:
    frame = make_frame(kind)
    known = cm.confusion_matrix(frame["y"], frame["p"]).labels if labels else None
    want = expected(frame, by, "w")
    options = {"metrics": METRICS, "labels": known, "sample_weight": "w"}
    for out in (
        frame.cm.evaluate("y", "p", by=by, **options),
        frame.lazy().cm.evaluate("y", "p", by=by, **options).collect(),
        frame[::-1].cm.evaluate("y", "p", by=by, **options),
    ):
        assert_frame_equal(out.drop("n_dropped", "n_other"), want, check_exact=True)
    row = frame.cm.evaluate("y", "p", **options).row(0, named=True)
    assert reference(frame, "w").items() <= row.items()


def test_namespace_methods() -> None:
    frame = make_frame("Int64")
    out = frame.select(
        a=pl.col("y").cm.mcc("p"),
        b=pl.col("y").cm.f1_macro("p"),
        c=pl.col("y").cm.metrics("p", ["kappa"]).struct.field("kappa"),
    )
    m = cm.confusion_matrix(frame["y"], frame["p"])
    assert out.row(0) == (m.mcc, m.f1_macro, m.kappa)


def test_nulls_and_strangers_are_counted() -> None:
    frame = pl.DataFrame({"y": [0, 1, None, 1, 5, 0], "p": [0, None, 1, 1, 1, 7]})
    expr = cm.metrics("y", "p", ["accuracy"], labels=[0, 1], other="bucket")
    row = frame.select(expr).unnest("metrics").row(0)
    assert row == (2, 2, 2, 1.0)
    eager = frame.with_columns(k=1).cm.evaluate(
        "y", "p", by="k", metrics=["accuracy"], labels=[0, 1], other="bucket"
    )
    assert eager.row(0) == (1, 2, 2, 2, 1.0)


def test_empty_frames_and_groups() -> None:
    frame = make_frame("Int64").clear()
    out = frame.select(cm.metrics("y", "p", ["accuracy"])).unnest("metrics")
    assert out.row(0) == (0, 0, 0, None)
    assert frame.group_by("seg").agg(cm.metrics("y", "p")).is_empty()
    assert frame.cm.evaluate("y", "p", by="seg").is_empty()
    assert frame.cm.evaluate("y", "p", labels=[0, 1]).row(0)[:3] == (0, 0, 0)
    filtered = (
        make_frame("Int64")
        .group_by("seg")
        .agg(
            cm.metric(
                "accuracy",
                pl.col("y").filter(pl.col("seg") > 2),
                pl.col("p").filter(pl.col("seg") > 2),
            )
        )
    )
    assert filtered.filter(pl.col("seg") <= 2)["accuracy"].null_count() == 3


def test_one_class_groups_are_null_not_errors() -> None:
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "y": [0, 0, 1, 0], "p": [0, 0, 1, 1]})
    out = frame.cm.evaluate("y", "p", by="g", metrics=["mcc", "accuracy", "recall"])
    assert out.rows() == [(1, 2, 0, 0, None, 1.0, None), (2, 2, 0, 0, None, 0.5, 1.0)]
    lazy = frame.lazy().cm.evaluate("y", "p", by="g", metrics=["mcc", "accuracy", "recall"])
    assert_frame_equal(lazy.collect(), out)


def test_undefined_and_pos_label() -> None:
    frame = pl.DataFrame({"y": ["no", "yes", "no"], "p": ["no", "no", "no"]})
    out = frame.select(
        cm.metric("precision", "y", "p", pos_label="yes"),
        zero=cm.metric("precision", "y", "p", pos_label="yes", undefined=0.0),
        other=cm.metric("precision", "y", "p", pos_label="no", labels=["no", "yes"]),
    )
    assert out.row(0) == (None, 0.0, 2 / 3)


def test_key_types() -> None:
    frame = make_frame("Int64")
    keys: list[Callable[[pl.Expr], pl.Expr]] = [
        lambda c: c.cast(pl.Int8),
        lambda c: (c - 3).cast(pl.Int64),
        lambda c: c.cast(pl.UInt64),
        lambda c: c > 3,
        lambda c: pl.when(c > 1).then(c),
        lambda c: c.cast(pl.String).cast(pl.Enum(list("6543210"))),
        lambda c: pl.date(2026, 1, 1) + pl.duration(days=c),
        lambda c: c * 10**15,
        lambda c: c.cast(pl.String).cast(pl.Categorical),
        lambda c: c.cast(pl.Float64),
    ]
    for key in keys:
        keyed = frame.with_columns(k=key(pl.col("seg")))
        eager = keyed.cm.evaluate("y", "p", by="k", metrics=METRICS)
        lazy = keyed.lazy().cm.evaluate("y", "p", by="k", metrics=METRICS).collect()
        assert_frame_equal(eager, lazy, check_exact=True)
        assert_series_equal(eager["k"], keyed["k"].unique().sort(nulls_last=True))
