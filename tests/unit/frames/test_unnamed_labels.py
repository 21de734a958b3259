"""Grouped expressions without `labels=`: codes travel, not labels, and nothing is mixed up."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.frames.asked import Asked
from confmat.frames.expressions import encode, plugin

N = 4000
NAMES = ["n", "a word of more than twelve bytes", "", "ü", *(f"class_{i}" for i in range(30))]
RNG = np.random.default_rng(9)
KEYS = pl.DataFrame({"g": RNG.integers(0, 7, N), "w": RNG.random(N)})


def columns(values: Any, dtype: Any = None) -> pl.DataFrame:
    """Draw a truth and a prediction that often agree; some rows are null."""
    pool = pl.Series(values, dtype=dtype)
    y = RNG.integers(0, len(pool), N)
    p = np.where(RNG.random(N) < 0.7, y, RNG.integers(0, len(pool), N))
    hidden = [pl.Series(RNG.random(N) < share) for share in (0.01, 0.003)]
    return KEYS.with_columns(
        y=pl.select(pl.when(~hidden[0]).then(pool.gather(y))).to_series(),
        p=pl.select(pl.when(~hidden[1]).then(pool.gather(p))).to_series(),
    )


FRAMES: dict[str, Callable[[], pl.DataFrame]] = {
    "int8": lambda: columns(range(-5, 5), pl.Int8),
    "uint16": lambda: columns([0, 1, 65535], pl.UInt16),
    "int32": lambda: columns(range(10), pl.Int32),
    "int64 beside zero": lambda: columns(range(-200, 200), pl.Int64),
    "int64 at the bounds": lambda: columns([-(2**63), 2**63 - 1, -16385, -16384, 16383, 16384]),
    "uint64": lambda: columns([0, 2**63 - 1], pl.UInt64),
    "large integers": lambda: columns([900_000_000_000 + 7 * i for i in range(300)]),
    "float": lambda: columns([0.0, 1.0, 2.0], pl.Float64),
    "boolean": lambda: columns([False, True]),
    "short texts": lambda: columns([name for name in NAMES if len(name) < 12]),
    "texts": lambda: columns(NAMES),
    "categorical": lambda: columns(NAMES, pl.Categorical),
    "enum": lambda: columns(NAMES, pl.Enum([*NAMES, "never"])),
    "wide enum": lambda: columns(NAMES, pl.Enum([*NAMES, *(str(i) for i in range(300))])),
    "text and categorical": lambda: columns(NAMES).with_columns(pl.col("p").cast(pl.Categorical)),
    "two enums": lambda: columns(NAMES).with_columns(
        pl.col("y").cast(pl.Enum(NAMES)), pl.col("p").cast(pl.Enum(NAMES[::-1]))
    ),
    "int and boolean": lambda: columns([0, 1], pl.Int64).with_columns(pl.col("p").cast(pl.Boolean)),
    "narrow and wide": lambda: columns([0, 1, 90], pl.Int64).with_columns(
        pl.col("p").cast(pl.Int8)
    ),
}
METRICS = ["accuracy", "f1_macro", "mcc", "kappa"]


def expected(group: pl.DataFrame, weighted: bool = False) -> list[float | None]:
    whole = group.drop_nulls(["y", "p"])
    weight = whole["w"] if weighted else None
    enum = isinstance(whole["y"].dtype, pl.Enum) and whole["y"].dtype == whole["p"].dtype
    labels = list(whole["y"].dtype.categories) if enum else None  # type: ignore[attr-defined]
    m = cm.confusion_matrix(whole["y"], whole["p"], labels=labels, sample_weight=weight)
    values = (m.value(name) for name in METRICS)
    return [None if np.isnan(value) else value for value in values]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("kind", FRAMES)
def test_groups_are_those_of_objects(kind: str, engine: str, weighted: bool) -> None:
    frame = FRAMES[kind]()
    metrics = cm.metrics("y", "p", METRICS, sample_weight="w" if weighted else None)
    query = frame.lazy().group_by("g").agg(metrics, rows=pl.len())
    found = query.collect(engine=engine).unnest("metrics").sort("g")  # type: ignore[call-overload]
    for row in found.iter_rows(named=True):
        group = frame.filter(pl.col("g") == row["g"])
        assert row["n_dropped"] == len(group) - len(group.drop_nulls(["y", "p"]))
        assert row["n_other"] == 0
        got = [row[name] for name in METRICS]
        assert got == pytest.approx(expected(group, weighted), rel=1e-13, abs=1e-13), (kind, row)


@pytest.mark.parametrize("kind", FRAMES)
def test_a_row_takes_four_bytes_and_a_weighted_one_sixteen(kind: str) -> None:
    frame = FRAMES[kind]()
    for weight, most in ((None, 32), ("w", 128)):
        spec = Asked(["mcc"], weighted=weight is not None).packed()
        dtype = frame.lazy().select(encode("y", "p", weight, spec)).collect_schema()["y"]
        assert isinstance(dtype, pl.List)
        assert dtype.inner.is_integer()
        bits = int(str(dtype.inner).lstrip("UInt"))
        assert bits <= most
        if kind in ("boolean", "int8") and weight is None:
            assert bits <= (8 if kind == "boolean" else 32)


@pytest.mark.parametrize("kind", ["texts", "large integers", "categorical"])
def test_labels_that_a_filter_drops_do_not_come_back(kind: str) -> None:
    frame = FRAMES[kind]().drop_nulls()
    kept = frame["y"].unique().sort()[::2].to_list()
    rows = pl.col("y").is_in(kept) & pl.col("p").is_in(kept)
    spec = Asked(["f1_macro"]).packed()
    codes = plugin("encode", ["y", "p"], spec, is_elementwise=True).filter(rows)
    lists = codes.implode(maintain_order=False)
    within = plugin("label_metrics", [lists], spec, is_elementwise=True).alias("metrics")
    query = frame.lazy().group_by("g").agg(within).sort("g")
    before = frame.lazy().filter(rows).group_by("g").agg(cm.metrics("y", "p", ["f1_macro"]))
    assert query.collect().equals(before.sort("g").collect())


def test_one_expression_on_many_frames_at_once() -> None:
    metrics = cm.metrics("y", "p", METRICS)
    frames = [make() for make in FRAMES.values()]
    queries = [frame.lazy().group_by("g").agg(metrics).sort("g") for frame in frames]
    alone = [query.collect() for query in queries]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda i: queries[i % len(queries)].collect(), range(100)))
    for i, result in enumerate(together):
        assert result.equals(alone[i % len(queries)])
    for result, one in zip(pl.collect_all(queries), alone, strict=True):
        assert result.equals(one)


def test_a_plan_runs_in_another_process() -> None:
    frame = FRAMES["texts"]()
    metrics = cm.metrics("y", "p", ["accuracy", "mcc"])
    here = frame.lazy().group_by("g").agg(metrics).sort("g").collect()
    code = (
        "import sys, io, polars as pl, confmat\n"
        "plan = sys.stdin.buffer.read()\n"
        "out = pl.LazyFrame.deserialize(io.BytesIO(plan)).collect()\n"
        "sys.stdout.buffer.write(out.serialize())\n"
    )
    plan = frame.lazy().group_by("g").agg(metrics).sort("g").serialize()
    done = subprocess.run([sys.executable, "-c", code], input=plan, capture_output=True, check=True)
    assert pl.DataFrame.deserialize(done.stdout).equals(here)


def test_codes_of_another_process_are_refused() -> None:
    spec = Asked(["accuracy"]).packed()
    code = (
        "import sys, polars as pl\n"
        "from confmat.frames.asked import Asked\n"
        "from confmat.frames.expressions import encode, plugin\n"
        "frame = pl.DataFrame({'y': ['a', 'b', 'c'], 'p': ['c', 'b', 'a']})\n"
        "codes = frame.select(c=encode('y', 'p', None, Asked(['accuracy']).packed()))\n"
        "print(codes['c'].explode().to_list())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    foreign = pl.Series("c", [eval(done.stdout)], dtype=pl.List(pl.UInt32))
    frame = pl.DataFrame({"y": ["a", "b", "c"], "p": ["c", "b", "a"]})
    frame.group_by(1).agg(cm.metrics("y", "p"))  # so that there are pairs to be mistaken for
    finish = plugin("label_metrics", ["c"], spec, is_elementwise=True)
    with pytest.raises(pl.exceptions.ComputeError, match=r"read by another process.*labels="):
        pl.DataFrame([foreign]).select(finish)


@pytest.mark.parametrize(
    ("function", "weight"), [("label_metrics", None), ("label_metrics", "w"), ("label_state", None)]
)
def test_a_null_among_codes_of_known_labels_is_refused(function: str, weight: Any) -> None:
    # No query makes one: rows with a null have a code of their own.
    spec = Asked(["accuracy"], labels=[0, 1], weighted=weight is not None).packed()
    code = pl.UInt8 if weight is None else pl.Int128
    lists = pl.Series("c", [[1, None, 2]], dtype=pl.List(code))
    asked = plugin(function, ["c"], spec, is_elementwise=True)
    with pytest.raises(pl.exceptions.ComputeError, match="a code that is null"):
        pl.DataFrame([lists]).select(asked)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("dtype", [pl.Int64, pl.String])
def test_identifiers_are_refused_early_and_by_name(dtype: Any, engine: Any) -> None:
    ids = pl.int_range(10**6, 2 * 10**6, eager=True).cast(dtype)
    frame = pl.LazyFrame({"g": pl.int_range(10**6, eager=True) % 10, "y": ids, "p": ids})
    query = frame.group_by("g").agg(cm.metrics("y", "p", ["accuracy"]))
    # In memory a group that two threads read may be finished before either has met enough of them.
    early = r"(has a new label|have 100000 labels).*identifiers"
    with pytest.raises(pl.exceptions.ComputeError, match=early):
        query.collect(engine=engine)
    # The advice of the message.
    few = frame.filter(pl.col("g") < 2)
    few = few.with_columns((pl.col("y", "p").cast(pl.Int64) % 11_000).cast(dtype))
    labels = pl.int_range(11_000, eager=True).cast(dtype).to_list()
    query = few.group_by("g").agg(cm.metrics("y", "p", ["accuracy"], labels=labels))
    found = query.collect(engine=engine)
    assert found["metrics"].struct.field("accuracy").to_list() == [1.0] * 2


@pytest.mark.parametrize("weight", [None, 1.0, 0.25, "null"])
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_a_group_of_nulls_has_all_categories_of_its_enum(
    smoothing: float, weight: float | str | None
) -> None:
    enum = pl.Enum(["a", "b", "c"])
    frame = pl.DataFrame(
        {"g": [1, 1, 2, 2], "y": ["a", "b", None, "c"], "p": ["a", "c", "b", None]},
        schema_overrides={"y": enum, "p": enum},
    )
    if weight is not None:
        w = pl.lit(None, pl.Float64) if weight == "null" else pl.lit(weight)
        frame = frame.with_columns(w=w)
        weight = "w"
    options: dict[str, Any] = {"smoothing": smoothing, "sample_weight": weight, "reasons": True}
    metrics = ["accuracy", "recall_macro", "mcc", "recall"]
    found, given = (
        frame.group_by("g", maintain_order=True).agg(
            cm.metrics("y", "p", metrics, labels=labels, pos_label="a", **options)
        )
        for labels in (None, enum)
    )
    named = found["metrics"].struct.unnest()
    assert named.drop("reasons").equals(given["metrics"].struct.unnest().drop("reasons"))
    with pytest.raises(pl.exceptions.ComputeError, match="`pos_label` 'zz' is not in the labels"):
        frame.group_by("g").agg(cm.metrics("y", "p", metrics, pos_label="zz", **options))


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("label", ["yes", 2, -1])
def test_a_positive_class_that_is_no_boolean_is_refused(label: Any, weight: str | None) -> None:
    frame = pl.DataFrame({"y": [True, False], "p": [True, True], "w": [1.0, 2.0]})
    asked = cm.metrics("y", "p", ["recall"], pos_label=label, sample_weight=weight)
    with pytest.raises(pl.exceptions.ComputeError, match="is not in the labels"):
        frame.select(asked)
    known = cm.metrics("y", "p", ["recall"], pos_label=True, sample_weight=weight)
    assert frame.select(known.struct.field("recall")).item() == 1.0


def test_weights_without_a_label_are_not_asked_for() -> None:
    frame = pl.DataFrame({"y": ["a", None, "b"], "p": ["a", "b", None], "w": [1.0, -1.0, np.nan]})
    out = frame.select(cm.metrics("y", "p", ["accuracy"], sample_weight="w")).unnest("metrics")
    assert out.row(0) == (1.0, 2, 0, 1.0)
    bad = frame.with_columns(y=pl.lit("a"), p=pl.lit("a"))
    with pytest.raises(pl.exceptions.ComputeError, match="sample_weight"):
        bad.select(cm.metrics("y", "p", ["accuracy"], sample_weight="w"))
