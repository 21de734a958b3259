"""Rows as they come: small updates, several threads, bad rows, bytes."""

import threading

import numpy as np
import polars as pl
import pytest

import confmat as cm

RNG = np.random.default_rng(5)
N = 2_000
LOG = pl.DataFrame(
    {
        "k": RNG.choice(["a", "b", None], N).tolist(),
        "y": RNG.integers(0, 2, N),
        "p": RNG.integers(0, 2, N),
        "q": RNG.integers(0, 2, N),
        "s": RNG.random(N),
        "w": RNG.integers(0, 4, N),
    }
)
QUESTIONS = {
    "whole": {"y_pred": "p"},
    "slices": {"y_pred": "p", "by": "k"},
    "scores": {"y_pred": "p", "y_score": "s", "by": "k"},
    "weights": {"y_pred": "p", "sample_weight": "w"},
    "models": {"y_pred": ["p", "q"], "by": "k"},
    "where": {"y_pred": "p", "by": [pl.col("w").alias("weight")], "where": pl.col("w") > 0},
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_updates_are_one_evaluation(name):
    asked = {"y_true": "y"} | QUESTIONS[name]
    acc = cm.Accumulator(**asked)
    for rows in LOG.iter_slices(73):
        acc.update(rows)
    whole = cm.evaluate(LOG, **asked)
    assert acc.result() == whole
    assert acc.to_bytes() == whole.to_bytes()
    acc.update(LOG.lazy())
    acc.update(LOG.to_arrow())
    assert acc.result().n == 3 * whole.n


def test_bytes_go_on():
    acc = cm.Accumulator(y_true="y", y_pred="p", by="k", metrics="mcc")
    acc.update(LOG[:500])
    other = cm.Accumulator.from_bytes(acc.to_bytes())
    other.update(LOG[500:])
    other.merge(acc)
    other.merge(cm.evaluate(LOG[:3], y_true="y", y_pred="p", by="k", metrics="mcc"))
    rows = pl.concat([LOG, LOG[:500], LOG[:3]])
    assert other.result() == cm.evaluate(rows, y_true="y", y_pred="p", by="k", metrics="mcc")


def test_merged_before_the_first_row():
    acc = cm.Accumulator(y_true="y", y_pred="p")
    acc.merge(cm.evaluate(LOG, y_true="y", y_pred="p"))
    assert acc.result() == cm.evaluate(LOG, y_true="y", y_pred="p")
    with pytest.raises(cm.InputError, match="`other` is int; wanted an Accumulator"):
        acc.merge(3)
    with pytest.raises(cm.InputError, match="`models` differs"):
        acc.merge(cm.evaluate(LOG, y_true="y", y_pred="q"))


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize(
    "bad",
    [
        LOG[:5].with_columns(y=pl.lit("text"), p=pl.lit("text"), q=pl.lit("text")),
        LOG[:5].with_columns(pl.col("y", "p", "q") + 0.5),
        LOG[:5].with_columns(pl.col("y", "p", "q") == 1),
        LOG[:5].drop("y"),
        LOG[:5].drop("w", "k", "p"),
        "nowhere.parquet",
    ],
    ids=["texts", "fractions", "Booleans", "no truth", "no columns", "no file"],
)
def test_an_update_counts_all_its_rows_or_none(name, bad):
    acc = cm.Accumulator(y_true="y", **QUESTIONS[name])
    with pytest.raises(cm.InputError, match="nothing was counted yet"):
        acc.result()
    acc.update(LOG)
    before = acc.to_bytes()
    with pytest.raises(cm.InputError):
        acc.update(bad)
    assert acc.to_bytes() == before
    acc.update(LOG[:7])
    assert acc.result().n > 0


@pytest.mark.parametrize("labels", [["low", "mid", "high"], pl.Enum(["low", "mid", "high"])])
def test_given_labels_keep_their_order_when_slices_are_added(labels):
    asked = {"y_true": "y", "y_pred": "p", "by": "k"}
    rows = pl.DataFrame({"y": ["low", "mid", "high"], "p": ["high", "high", "low"], "k": [1, 1, 1]})
    if isinstance(labels, pl.Enum):
        rows = rows.with_columns(pl.col("y", "p").cast(labels))
    else:
        asked["labels"] = labels
    acc = cm.Accumulator(**asked)
    frames = [rows.with_columns(k=pl.lit(k)) for k in (1, 2, -40, 90)]
    for frame in frames:
        acc.update(frame)
    assert acc.result().states().equals(cm.partial(pl.concat(frames), **asked))


def test_a_label_outside_those_given_leaves_nothing():
    acc = cm.Accumulator(y_true="y", y_pred="p", by="k", labels=[0, 1])
    bad = LOG[:9].with_columns(p=pl.when(pl.int_range(pl.len()) == 7).then(7).otherwise("p"))
    with pytest.raises(cm.InputError, match="label 7 at row 7 of `y_pred`"):
        acc.update(bad)
    with pytest.raises(cm.InputError, match="nothing was counted yet"):
        acc.result()
    acc.update(LOG)
    before = acc.to_bytes()
    for frame in (bad, [LOG, bad]):
        with pytest.raises(cm.InputError):
            acc.update(frame)
        assert acc.to_bytes() == before


def test_keys_keep_their_type():
    acc = cm.Accumulator(y_true="y", y_pred="p", by="k")
    acc.update(LOG)
    for other in (pl.Enum(["b", "a"]), pl.Categorical):
        with pytest.raises(cm.InputError, match=r"the key 'k' is .*, and was String; cast it"):
            acc.update(LOG.with_columns(pl.col("k").cast(other)))


def test_keys_that_were_expressions_go_on_in_a_new_accumulator():
    asked = {"y_true": "y", "y_pred": "p", "by": (pl.col("w") // 2).alias("half")}
    acc = cm.Accumulator(**asked)
    acc.update(LOG)
    read = cm.Accumulator.from_bytes(acc.to_bytes())
    with pytest.raises(cm.InputError, match="make a new one with them, and `merge` this one"):
        read.update(LOG)
    new = cm.Accumulator(**asked)
    new.update(LOG)
    new.merge(read)
    assert new.result().n == 2 * LOG.height


def test_threads_share_an_accumulator():
    acc = cm.Accumulator(y_true="y", y_pred="p", by="k")
    parts = list(LOG.iter_slices(50))

    def work(at):
        for rows in parts[at::4]:
            acc.update(rows)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert acc.result() == cm.evaluate(LOG, y_true="y", y_pred="p", by="k")


def test_one_line_says_what_it_has():
    acc = cm.Accumulator(y_true="y", y_pred="p", by="k")
    assert repr(acc) == str(acc) == "<Accumulator: nothing counted yet>"
    acc.update(LOG.with_columns(y=pl.when(pl.int_range(pl.len()) > 4).then("y")))
    assert repr(acc) == "<Accumulator: n = 1,995; 5 dropped: null; 3 slices by k>"
    assert repr(cm.Accumulator.from_bytes(acc.to_bytes())) == repr(acc)
