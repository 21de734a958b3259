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
