"""Of more than 1,024 classes, cells are sparse where few hold something: nobody sees which."""

import math
import pickle

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.matrices.sparse import SparseCells

K = 1100
ROWS = 6000


def columns(rows: int = ROWS, k: int = K) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(8)
    y = np.append(np.arange(k), random.integers(0, k, rows - k))
    p = np.where(random.random(rows) < 0.7, y, random.integers(0, k, rows))
    y[y == 5] = 6
    return y, np.where(np.arange(rows) % 500 == 0, 5, p)  # predicted and never true


def weights(kind: str | None) -> np.ndarray | None:
    if kind is None:
        return None
    random = np.random.default_rng(9)
    whole = random.integers(1, 9, ROWS)
    return whole if kind == "int" else whole / 8  # their sums are doubles


def pair(kind: str | None) -> tuple[cm.ConfusionMatrix, cm.ConfusionMatrix]:
    """Return a sparse matrix, and the same as a table."""
    m = cm.confusion_matrix(*columns(), sample_weight=weights(kind))
    assert isinstance(m._cells, SparseCells)
    table = cm.ConfusionMatrix._of(m.counts.copy(), m.labels, m.weights_sq, origin=m._origin)
    assert isinstance(table._cells, np.ndarray)
    return m, table


def assert_close(one: pl.Series, two: pl.Series, within: float) -> None:
    assert one.is_null().equals(two.is_null())
    for a, b in zip(one.drop_nulls(), two.drop_nulls(), strict=True):
        assert a == pytest.approx(b, rel=within, abs=within / 10), one.name


@pytest.mark.parametrize("kind", [None, "int", "float"])
def test_the_same_matrix(kind):
    m, table = pair(kind)
    assert m == table
    assert table == m
    assert m.counts is m.counts
    assert np.asarray(m) is m.counts
    assert not m.counts.flags.writeable
    assert m.to_polars().equals(table.to_polars())
    assert len(m.to_polars()) == K * K
    if kind is None:  # else it is not known how many rows a table is of
        assert m.to_bytes() == table.to_bytes()
    assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m
    assert pickle.loads(pickle.dumps(m)) == table
    assert np.array_equal(m.normalize("pred"), table.normalize("pred"), equal_nan=True)
    assert m.cost(np.ones((K, K))) == table.cost(np.ones((K, K)))
    assert m.T == table.T
    balanced = m.balanced()
    assert balanced == table.balanced()
    assert balanced._cells.values.min() > 0  # type: ignore[union-attr]
    one, two = m.overall(), table.overall()
    assert one["reason"].equals(two["reason"])
    assert_close(one["value"], two["value"], 1e-12)
    one, two = m.per_class(), table.per_class()
    for name in one.columns[1:]:
        assert_close(one[name], two[name], 1e-13)


def test_counts_are_those_of_numpy():
    y, p = columns()
    m = cm.confusion_matrix(y, p)
    wanted = np.bincount(y * K + p, minlength=K * K).reshape(K, K)
    assert np.array_equal(m.counts, wanted)
    w = weights("float")
    sums = np.zeros((K, K))
    np.add.at(sums, (y, p), w)
    found = cm.confusion_matrix(y, p, sample_weight=w)
    assert np.allclose(found.counts, sums, rtol=1e-14, atol=0)
    assert found.n == math.fsum(found.counts[found.counts > 0])


@pytest.mark.parametrize("kind", [None, "int", "float"])
def test_merged_with_each_other_and_with_tables(kind):
    m, table = pair(kind)
    twice = m + m
    assert isinstance(twice._cells, SparseCells)
    for other in (m + table, table + m, table + table):
        assert other == twice
    assert twice - m == m
    assert twice - table == m
    assert isinstance((m - m)._cells, SparseCells)
    assert (m - m).n == 0


def test_a_sum_that_fills_becomes_a_table():
    random = np.random.default_rng(4)
    labels = range(K)
    parts = [
        cm.confusion_matrix(*random.integers(0, K, (2, 60_000)), labels=labels) for _ in range(3)
    ]
    assert all(isinstance(part._cells, SparseCells) for part in parts)
    total = sum(parts[1:], parts[0])
    assert isinstance(total._cells, np.ndarray)
    assert np.array_equal(total.counts, sum(part.counts for part in parts))
    back = total - parts[0]
    assert back == parts[1] + parts[2]


@pytest.mark.parametrize("kind", [None, "float"])
def test_smoothing_is_added_to_each_cell(kind):
    m, table = pair(kind)
    names = ["accuracy", "mcc", "f1_macro", "kappa"]
    wanted = table.smooth(0.5)
    for smoothed in (
        m.smooth(0.5),
        cm.confusion_matrix(*columns(), sample_weight=weights(kind), smoothing=0.5),
    ):
        assert smoothed == wanted
        assert smoothed.values(names) == wanted.values(names)
        assert smoothed.one_vs_rest(3) == wanted.one_vs_rest(3)
        assert smoothed.smooth(0) == m
    if kind is None:
        frame = pl.DataFrame(dict(zip("yp", columns(), strict=True)))
        found = frame.cm.evaluate("y", "p", metrics=names, smoothing=0.5)
        for name in names:
            assert found[name][0] == pytest.approx(wanted[name], rel=1e-13)


def test_every_door_gives_the_numbers_of_the_table():
    _, table = pair(None)
    y, p = columns()
    frame = pl.DataFrame({"y": y, "p": p})
    names = ["accuracy", "f1_macro", "mcc", "kappa", "recall_weighted"]
    metrics = cm.metrics("y", "p", metrics=names)
    for found in (
        frame.cm.evaluate("y", "p", metrics=names),
        frame.select(metrics).unnest(pl.all()),
        frame.lazy().select(metrics).collect(engine="streaming").unnest(pl.all()),
        frame.group_by(pl.lit(1)).agg(metrics).drop("literal").unnest(pl.all()),
    ):
        for name in names:
            assert found[name][0] == pytest.approx(table[name], rel=1e-13)


def test_long_frames_and_dicts_are_the_same():
    m, _ = pair(None)
    full = m.to_polars()
    for frame in (full, full.filter(pl.col("count") > 0), full.sample(fraction=1, shuffle=True)):
        read = cm.ConfusionMatrix(frame, labels=m.labels)
        assert read == m
    nested: dict[int, dict[int, int]] = {label: {} for label in m.labels}
    for true, pred, n in full.filter(pl.col("count") > 0).rows():
        nested[true][pred] = n
    assert cm.ConfusionMatrix(nested) == m
    with pytest.raises(cm.InputError, match="holds the label 5000, which is not in labels"):
        cm.ConfusionMatrix(
            pl.concat([full, full[:1].with_columns(true=pl.lit(5000, pl.Int64))]), labels=m.labels
        )
