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


def two_groups(kind="int"):
    """Return a frame of two groups, each of which has 20,000 labels three times."""
    y, p = rows_of(20_000, 40_000)
    y, p = np.tile(np.r_[y, np.arange(20_000)], 2), np.tile(np.r_[p, np.arange(20_000)[::-1]], 2)
    frame = pl.DataFrame({"y": y, "p": p, "g": np.arange(len(y)) // 60_000})
    frame = frame.with_columns(w=pl.int_range(pl.len()) % 5 + 0.25)
    types = {"text": pl.String, "category": pl.Categorical}
    if kind not in types:
        return frame
    return frame.with_columns(pl.col("y", "p").cast(pl.String).cast(types[kind]))


NAMES = ["accuracy", "mcc", "f1_macro", "gmcc"]


def close(found: pl.DataFrame, wanted: list[list[float]]) -> bool:
    """Return whether numbers are those wanted, and there is none that needs the whole table."""
    numbers = found.select(NAMES)
    return numbers["gmcc"].null_count() == len(numbers) and np.allclose(
        numbers.drop("gmcc").to_numpy(), wanted, rtol=1e-12, atol=0
    )


@pytest.mark.parametrize("kind", ["int", "text", "category"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_every_door_counts_so_many(kind, weight):
    frame = two_groups(kind)
    asked = {"sample_weight": weight} if weight else {}

    def matrix(part):
        weights = {"sample_weight": part[weight]} if weight else {}
        return cm.confusion_matrix(part["y"], part["p"], **weights)

    parts = {g: matrix(part) for (g,), part in frame.group_by("g", maintain_order=True)}
    whole = matrix(frame)
    wanted = [[m.accuracy, m.mcc, m.f1_macro] for m in parts.values()]
    of_all = [[whole.accuracy, whole.mcc, whole.f1_macro]]
    lazy = frame.lazy()
    metrics = cm.metrics("y", "p", NAMES, reasons=True, **asked).struct.unnest()
    doors = {
        "eager": lambda: frame.cm.evaluate("y", "p", by="g", metrics=NAMES, **asked),
        "lazy": lambda: lazy.cm.evaluate("y", "p", by="g", metrics=NAMES, **asked).collect(),
        "agg": lambda: (
            frame.group_by("g").agg(cm.metrics("y", "p", NAMES, **asked).alias("m")).unnest("m")
        ),
    }
    for name, door in doors.items():
        found = door().sort("g")
        assert close(found, wanted), name
    whole_doors = {
        "select": lambda: frame.select(metrics),
        "streaming": lambda: lazy.select(metrics).collect(engine="streaming"),
        "eager": lambda: frame.cm.evaluate("y", "p", metrics=NAMES, **asked),
    }
    for name, door in whole_doors.items():
        found = door()
        assert close(found, of_all), name
        if "reasons" in found.columns:
            assert found["reasons"].struct["gmcc"][0].startswith("over 11585 classes"), name
    states = frame.group_by("g").agg(cm.state("y", "p", **asked).alias("state")).sort("g")
    for m, state in zip(parts.values(), states["state"], strict=True):
        assert cm.from_bytes(state) == m
    assert cm.merge(states["state"].to_list()) == whole
    read = states.select(pl.col("state").cm.state_metrics(NAMES)).to_series().struct.unnest()
    assert close(read, wanted)


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_log_counts_so_many_in_slices(weight):
    frame = two_groups()
    e = cm.evaluate(frame, "y", "p", by="g", sample_weight=weight)
    found = e.slices(["accuracy", "mcc"]).sort("g")
    for (g,), part in frame.group_by("g", maintain_order=True):
        weights = {} if weight is None else {"sample_weight": part[weight]}
        m = cm.confusion_matrix(part["y"], part["p"], **weights)
        row = found.row(g, named=True)
        assert (row["accuracy"], row["mcc"]) == pytest.approx((m.accuracy, m.mcc), rel=1e-12)


def test_a_positive_class_that_a_group_of_so_many_lacks():
    frame = two_groups()
    frame = frame.with_columns(pl.col("y", "p") + pl.col("g"))  # the second has no class 0
    found = frame.group_by("g").agg(cm.metrics("y", "p", ["recall", "mcc"], pos_label=0).alias("m"))
    rows = found.sort("g").unnest("m").rows(named=True)
    first = cm.confusion_matrix(*frame.filter(pl.col("g") == 0).select("y", "p").get_columns())
    assert rows[0]["recall"] == first.value("recall", pos_label=0)
    assert rows[1]["recall"] is None
    assert rows[1]["mcc"] == pytest.approx(first.mcc, rel=1e-12)


def test_what_the_doors_for_groups_refuse_of_so_many():
    frame = two_groups()
    with pytest.raises(pl.exceptions.ComputeError, match="`smoothing` is added to each of 20000 x"):
        frame.group_by("g").agg(cm.metrics("y", "p", smoothing=0.5))
    with pytest.raises(
        pl.exceptions.ComputeError, match=r"`labels`, or .* has 20000 classes.*cm\.conf"
    ):
        frame.group_by("g").agg(cm.metrics("y", "p", labels=list(range(20_000))))
    with pytest.raises(cm.InputError, match=r"at most 65533 are possible; cm\.confusion_matrix"):
        cm.metrics("y", "p", labels=list(range(70_000)))
    seldom = pl.DataFrame({"y": range(20_000), "p": range(20_000)})
    said = "`y_true` and `y_pred` have 20000 labels in 20000 rows; are they identifiers"
    for query in (
        lambda: seldom.select(cm.metrics("y", "p")),
        lambda: seldom.select(cm.state("y", "p").cm.state_metrics("accuracy")),
        lambda: seldom.select(cm.metrics("y", "p", sample_weight="y")),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match=said):
            query()
    with pytest.raises(cm.InputError, match="`y_true` and `y_pred` have 20,000 labels in 20,000"):
        cm.accuracy(seldom["y"], seldom["p"])


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
