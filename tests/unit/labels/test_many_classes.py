"""Counts of more classes than a table has: the doors that count them, and those that do not."""

import signal
import time

import numpy as np
import polars as pl
import pytest
from support.many_classes import rows_of

import confmat as cm


def wanted_cells(y: np.ndarray, p: np.ndarray) -> list[tuple[int, int, int]]:
    frame = pl.DataFrame({"true": y, "pred": p}).group_by("true", "pred").len("count")
    return frame.sort("true", "pred").with_columns(pl.col("count").cast(pl.Int64)).rows()


@pytest.mark.parametrize("kind", ["int", "text", "category", "null", "weights"])
def test_cells_are_those_of_a_group_by(kind):
    y, p = rows_of(70_000, 200_000)
    m = cm.confusion_matrix(y, p)
    if kind in ("text", "category"):
        sides = [pl.Series(side).cast(pl.String) for side in (y, p)]
        if kind == "category":
            sides = [side.cast(pl.Categorical) for side in sides]
        m = cm.confusion_matrix(*sides)
        assert list(m.labels) == sorted(m.labels)
        frame = m.to_polars().with_columns(pl.col("true", "pred").cast(pl.Int64))
        assert frame.sort("true", "pred").rows() == wanted_cells(y, p)
        return
    if kind == "null":
        m = cm.confusion_matrix(pl.Series([None, *y.tolist()]), pl.Series([5, *p.tolist()]))
        assert m.n_dropped == 1
    if kind == "weights":
        m = cm.confusion_matrix(y, p, sample_weight=np.full(len(y), 3))
        rows = [(true, pred, 3 * count) for true, pred, count in wanted_cells(y, p)]
        assert m.to_polars().rows() == rows
        assert m.n_effective == len(y)
        return
    assert m.labels == tuple(range(70_000))
    assert m.n == len(y)
    assert m.to_polars().rows() == wanted_cells(y, p)


def test_a_million_labels():
    y = np.tile(np.arange(1_000_000) * 3 - 7, 2)
    m = cm.confusion_matrix(y, np.roll(y, 1))
    assert (len(m.labels), m.n, m.accuracy) == (1_000_000, 2_000_000, 0.0)
    assert m.value("entropy_true") == pytest.approx(np.log2(1e6), rel=1e-14)


def test_labels_given_and_other():
    y, p = rows_of(70_000, 100_000)
    labels = list(range(69_999, 9, -1))
    with pytest.raises(cm.InputError, match="label 0 at row 0 of `y_true` is not in labels"):
        cm.confusion_matrix(y, p, labels=labels)
    m = cm.confusion_matrix(y, p, labels=labels, other="bucket")
    kept = (y >= 10) & (p >= 10)
    assert (m.labels, m.n, m.n_other) == (tuple(labels), kept.sum(), (~kept).sum())
    found = m.to_polars().sort("true", "pred").rows()
    assert found == wanted_cells(y[kept], p[kept])
    # What the refusals of whole tables advise.
    few = cm.confusion_matrix(y, p, labels=labels[:500], other="bucket")
    assert few.value("gmcc") == few.gmcc
    assert few.counts.shape == (500, 500)


def test_the_doors_that_count_so_many_and_those_that_do_not():
    y, p = rows_of(70_000, 140_000)
    # Each group has every label twice.
    y, p = np.tile(y, 2), np.tile(p, 2)
    frame = pl.DataFrame({"y": y, "p": p, "g": np.arange(len(y)) // 140_000})
    m = cm.confusion_matrix(y, p)
    assert cm.f1(y, p, average="macro") == m.f1_macro
    assert cm.recall(y, p, average=None).tolist() == m.per_class(["recall"])["recall"].to_list()
    row = frame.cm.evaluate("y", "p", metrics=["mcc", "gmcc"], reasons=True).row(0, named=True)
    assert row["mcc"] == m.mcc
    assert frame.lazy().cm.evaluate("y", "p", metrics=["mcc"]).collect()["mcc"].item() == m.mcc
    assert row["gmcc"] is None
    assert row["reasons"]["gmcc"].startswith("over 11585 classes: not computed")
    with pytest.raises(cm.InputError, match=r"cm\.evaluate without `by`, count so many"):
        frame.cm.evaluate("y", "p", by=["g"])
    for query in (
        lambda: frame.group_by("g").agg(cm.metrics("y", "p")),
        lambda: frame.select(cm.metrics("y", "p")),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match=r"cm\.confusion_matrix, and df\.cm"):
            query()
    with pytest.raises(cm.InputError, match=r"at most 65533 are possible; cm\.confusion_matrix"):
        cm.metrics("y", "p", labels=list(range(70_000)))
    # What these messages advise, a matrix for each group.
    for (_,), part in frame.group_by("g"):
        assert cm.confusion_matrix(part["y"], part["p"]).n == 140_000


@pytest.mark.parametrize("weighted", [False, True])
def test_a_signal_ends_the_count(weighted):
    class EnoughError(KeyboardInterrupt):
        pass

    def handler(*_):
        sent.append(time.perf_counter())
        raise EnoughError

    sent: list[float] = []
    random = np.random.default_rng(9)
    y, p = random.integers(0, 500_000, (2, 10_000_000))
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.05, 0.3))
        with pytest.raises(EnoughError):
            cm.confusion_matrix(y, p, sample_weight=y if weighted else None)
        assert time.perf_counter() - sent[0] < 3.0  # 0.2 are promised of an idle machine
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert cm.confusion_matrix(y[:50_000] % 99, p[:50_000] % 99).n == 50_000
