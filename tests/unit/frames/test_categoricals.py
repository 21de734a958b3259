"""Categoricals in expressions: their codes travel, their texts are asked for once."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl
import polars.selectors as cs
import pytest
from support.polars_releases import LETS_PYTHON_END

import confmat as cm

METRICS = ["accuracy", "mcc", "kappa_quadratic", "f1_macro", "eve"]
TRUTH = ["b", "a", None, "a name of some length", "a", "b", "c", "c"]
PRED = ["b", "a", "a", "a name of some length", "b", None, "c", "a"]
TEXTS = pl.DataFrame({"g": [1, 1, 1, 1, 2, 2, 2, 2], "y": TRUTH, "p": PRED})
GLOBAL = pl.Categorical()
SHORT = pl.Categorical(pl.Categories("test_categoricals", "short", pl.UInt8))
OTHER = pl.Categorical(pl.Categories("test_categoricals", "other", pl.UInt16))
DTYPES = {
    "one": (GLOBAL, GLOBAL),
    "short": (SHORT, SHORT),
    "two": (SHORT, OTHER),
    "beside texts": (GLOBAL, pl.String()),
    "behind texts": (pl.String(), OTHER),
}


def typed(y: Any, p: Any) -> pl.DataFrame:
    return TEXTS.with_columns(pl.col("y").cast(y), pl.col("p").cast(p))


QUERIES = {
    "agg": lambda frame, asked: frame.group_by("g", maintain_order=True).agg(asked),
    "over": lambda frame, asked: frame.select(asked.over("g")),
    "select": lambda frame, asked: frame.select(asked),
    "labels": lambda frame, asked: frame.filter(pl.col("y") != "c").select(asked),
}


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("kind", DTYPES)
def test_the_metrics_are_those_of_the_texts(kind: str, query: str, engine: Any) -> None:
    named = [*sorted({text for text in TRUTH if text}), "unused"]
    for asked in (
        cm.metrics("y", "p", METRICS),
        cm.metrics("y", "p", METRICS, sample_weight="g"),
        cm.metrics("y", "p", METRICS, labels=named),
        cm.metrics("y", "p", ["recall"], pos_label="b"),
    ):
        run = QUERIES[query]
        found = run(typed(*DTYPES[kind]).lazy(), asked).collect(engine=engine)
        assert found.equals(run(TEXTS.lazy(), asked).collect(engine=engine))


def test_scores_of_a_categorical() -> None:
    asked = cm.sweep_metrics("y", "s", ["roc_auc", "brier"], pos_label="b")
    score, two = pl.int_range(pl.len()) / 10, pl.col("y").cast(pl.String).is_in(["a", "b"])
    wanted = TEXTS.filter(two).with_columns(s=score).select(asked)
    for dtype in (GLOBAL, SHORT):
        assert typed(dtype, GLOBAL).filter(two).with_columns(s=score).select(asked).equals(wanted)


def test_columns_are_named_in_any_way() -> None:
    frame = typed(GLOBAL, GLOBAL).drop("g")
    wanted = frame.select(cm.metrics("y", "p", METRICS))
    for y, p in ((cs.first(), cs.last()), (pl.nth(0), pl.col("^p$")), (frame["y"], "p")):
        assert frame.select(cm.metrics(y, p, METRICS)).equals(wanted)
    one = frame.select(cm.metrics("y", pl.lit("a", dtype=GLOBAL), ["accuracy"])).unnest("metrics")
    assert one["accuracy"].item() == 2 / 7


def test_codes_that_polars_gives_anew_mean_what_they_mean_now() -> None:
    # Polars forgets categories without a column, and numbers the next ones from 0 on.
    dtype = pl.Categorical(pl.Categories("test_categoricals", "forgotten"))

    def right(texts: list[str]) -> pl.DataFrame:
        frame = pl.DataFrame({"y": texts, "p": "x"}, schema={"y": dtype, "p": pl.String})
        return frame.select(cm.metrics("y", "p", ["accuracy"])).unnest("metrics")

    assert right(["x", "y"])["accuracy"].item() == 0.5
    gc.collect()
    assert right(["y", "x", "x"])["accuracy"].item() == 2 / 3
    assert right(["z", "z"])["accuracy"].item() == 0


def test_many_categories_before_those_of_the_labels() -> None:
    dtype = pl.Categorical(pl.Categories("test_categoricals", "many"))
    before = pl.Series([f"id {i}" for i in range(70_000)], dtype=dtype)
    frame = TEXTS.with_columns(pl.col("y", "p").cast(dtype))
    assert frame["y"].to_physical().min() >= len(before)
    asked = cm.metrics("y", "p", METRICS)
    for engine in ("in-memory", "streaming"):
        found = frame.lazy().group_by("g").agg(asked).sort("g").collect(engine=engine)
        assert found.equals(TEXTS.group_by("g").agg(asked).sort("g"))


def test_identifiers_are_refused_by_name_and_the_advice_works() -> None:
    dtype = pl.Categorical(pl.Categories("test_categoricals", "identifiers"))
    ids = pl.Series("y", [f"id {i}" for i in range((1 << 19) + 1)], dtype=dtype)
    frame = pl.DataFrame({"y": ids, "p": ids})
    with pytest.raises(pl.exceptions.ComputeError, match=r"`y_true` has more .* identifiers"):
        frame.select(cm.metrics("y", "p", ["accuracy"]))
    asked = cm.metrics("y", "p", ["accuracy"], labels=["id 1", "id 2"], other="bucket")
    for advised in (frame, frame.with_columns(pl.all().cast(pl.String))):
        row = advised.select(asked).unnest("metrics").row(0, named=True)
        assert (row["n"], row["n_other"]) == (2, len(ids) - 2)


def test_nothing_is_kept_of_categories_that_nobody_has() -> None:
    categories = pl.Categories("test_categoricals", "let go of")
    dtype = pl.Categorical(categories)
    for round_ in range(3):
        frame = typed(dtype, dtype).with_columns(id=pl.lit(f"id {round_}", dtype=dtype))
        assert frame.select(cm.metrics("y", "p", METRICS)).equals(
            TEXTS.select(cm.metrics("y", "p", METRICS))
        )
        time.sleep(0.03)
    assert text_of(categories, 0) is not None
    del frame
    TEXTS.select(cm.metrics("y", "p", METRICS))  # any query that ends
    gc.collect()
    assert text_of(categories, 0) is None


def text_of(categories: pl.Categories, code: int) -> str | None:
    try:
        return categories[code]
    except IndexError:  # Polars 1.39 has None for codes without a text
        return None


def test_memory_that_the_plan_did_not_know() -> None:
    frame = pl.DataFrame({"y": [0, 1], "p": [0, 1]})
    narrow = frame.lazy().map_batches(
        lambda batch: batch.cast(pl.Int8), validate_output_schema=False
    )
    with pytest.raises(pl.exceptions.ComputeError, match="Int8, where the plan has Int64"):
        narrow.select(cm.metrics("y", "p", METRICS)).collect()


def test_fields_of_structs_have_a_dtype_that_no_plan_knows() -> None:
    for kind in ("one", "short"):
        asked = cm.metrics(pl.field("y"), pl.field("p"), METRICS)
        found = typed(*DTYPES[kind]).select(pl.struct("y", "p").struct.with_fields(m=asked))
        one = found.to_series().struct.field("m").head(1).to_frame("metrics")
        assert one.equals(TEXTS.select(cm.metrics("y", "p", METRICS)))


def test_a_column_that_is_none() -> None:
    for call in (
        lambda: cm.metrics("y", None),
        lambda: cm.sweep_metrics("y", None),
        lambda: cm.sweep_metrics(None, "s", sample_weight="w"),
    ):
        with pytest.raises(cm.InputError, match="a column is None"):
            call()


AMID_THREADS = "the process ends while threads ask"
SCRIPTS = {
    AMID_THREADS: """
def ask(i):
    for j in range(1000):
        dtype = pl.Categorical(pl.Categories("ends", f"{i} {j}"))
        pl.DataFrame({"y": ["a", "b"]}, schema={"y": dtype}).select(cm.metrics("y", "y"))

for i in range(6):
    threading.Thread(target=ask, args=(i,), daemon=True).start()
time.sleep(0.3)
""",
    "a handler of signals raises": """
class Late(Exception):
    pass

def late(*_):
    raise Late

signal.signal(signal.SIGALRM, late)
dtype = pl.Categorical(pl.Categories("late"))
before = pl.Series([f"id {i}" for i in range(60_000)] + ["a", "b"], dtype=dtype)
frame = pl.DataFrame({"y": before.tail(2)})
pl.DataFrame({"y": [0]}).select(cm.metrics("y", "y"))  # Polars has loaded the library
found = 0
for i in range(80):
    signal.setitimer(signal.ITIMER_REAL, 0.001 + i / 8_000)
    try:
        for _ in range(50):
            frame.select(cm.metrics("y", "y"))
            time.sleep(0.0005)
    except Late:
        found += 1
assert found == 80, found
""",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_in_a_process_of_its_own(script: str) -> None:
    if script == AMID_THREADS and not LETS_PYTHON_END:
        pytest.skip("older Polars aborts, without confmat, too")
    head = "import signal, threading, time\nimport polars as pl\nimport confmat as cm\n"
    done = subprocess.run(
        [sys.executable, "-c", head + SCRIPTS[script]],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_threads_ask_while_python_works() -> None:
    dtypes = [pl.Categorical(pl.Categories("test_categoricals", f"of {i}")) for i in range(8)]
    frames = [typed(dtype, dtype) for dtype in dtypes]
    asked = cm.metrics("y", "p", METRICS)
    wanted = TEXTS.select(asked)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            sum(range(1000))

    busy = threading.Thread(target=work)
    busy.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda frame: frame.select(asked), frames * 4))
        lazy = [frame.lazy().select(asked) for frame in frames]
        found += pl.collect_all(lazy)
    finally:
        stop.set()
        busy.join()
    assert all(one.equals(wanted) for one in found)


def test_a_plan_runs_where_the_module_is_not_imported(tmp_path: Any) -> None:
    plan = typed(SHORT, SHORT).lazy().select(cm.metrics("y", "p", METRICS)).serialize()
    (tmp_path / "plan").write_bytes(plan)
    script = """
import io, pathlib, sys
import polars as pl
plan = pl.LazyFrame.deserialize(io.BytesIO(pathlib.Path(sys.argv[1]).read_bytes()))
print(plan.collect().to_dicts())
assert "confmat" not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "plan")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(TEXTS.select(cm.metrics("y", "p", METRICS)).to_dicts())
