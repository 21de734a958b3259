"""Lists and sparse tables of so many labels that their sets are sorted."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from support.label_sets import sparse, table

import confmat as cm


def pool(rows, labels, of_pool, sizes, seed):
    """Return sets out of a few, of which many have their last labels in common."""
    rng = np.random.default_rng(seed)
    tail = rng.choice(np.arange(labels // 2, labels), max(sizes), replace=False)
    few = []
    for _ in range(of_pool):
        own = rng.choice(labels // 2, rng.integers(0, 4), replace=False)
        few.append(sorted([*own, *tail[: rng.choice(sizes)]]))
    return [few[at] for at in rng.integers(0, of_pool, rows)]


@pytest.mark.parametrize("of_pool", [1, 40, 12_000])
@pytest.mark.parametrize("sizes", [[0], [1, 5], [7, 30]])
def test_sets_that_repeat_or_share_labels(of_pool, sizes):
    width = 520
    truth, pred = pool(12_000, width, of_pool, sizes, 1), pool(12_000, width, of_pool, sizes, 1)
    pred[::2] = pool(6_000, width, of_pool, sizes, 1)[::-1]
    truth[5] = pred[6] = []
    wanted = cm.multilabel(table(truth, width), table(pred, width))
    found = cm.multilabel(sparse(truth, width), sparse(pred, width))
    assert found.to_bytes() == wanted.to_bytes()
    back = [[*row[::-1], *row[:2]] for row in truth]  # in another order, some twice
    read = pl.Series(back, dtype=pl.List(pl.Int64)), pl.Series(pred, dtype=pl.List(pl.Int64))
    assert cm.multilabel(*read, labels=range(width)).to_bytes() == wanted.to_bytes()


def test_many_rows_are_counted_by_several_threads_as_by_one():
    rng = np.random.default_rng(1)
    rows, width = 300_000, 1_000
    truth = rng.integers(0, width, (rows, 3))
    pred = np.where(rng.random(truth.shape) < 0.3, rng.integers(0, width, truth.shape), truth)
    sides = [
        pl.Series(side, dtype=pl.Array(pl.Int64, 3)).cast(pl.List(pl.Int64))
        for side in (truth, pred)
    ]
    whole = cm.multilabel(*sides, labels=range(width))
    cuts = [0, 70_000, 130_000, 250_000, rows]
    parts = [
        cm.multilabel(*(side[first:last] for side in sides), labels=range(width))
        for first, last in pairwise(cuts)
    ]
    assert cm.merge(parts).to_bytes() == whole.to_bytes()
    true, predicted = np.zeros((2, width), dtype=np.int64)
    for side, of in ((truth, true), (pred, predicted)):
        for label in range(3):
            first = np.ones(rows, dtype=bool)
            for before in range(label):
                first &= side[:, label] != side[:, before]
            np.add.at(of, side[first, label], 1)
    assert whole.counts[:, 1].sum(axis=1).tolist() == true.tolist()
    assert whole.counts[:, :, 1].sum(axis=1).tolist() == predicted.tolist()


def test_sparse_tables_of_wide_places_and_faults_in_them():
    sets = [[1, 2], [], [0]]
    wanted = cm.multilabel(sparse(sets, 3), sparse(sets, 3))
    for kind in (np.int32, np.int64):
        one = sparse(sets, 3)
        one.indices, one.indptr = one.indices.astype(kind), one.indptr.astype(kind)
        assert cm.multilabel(one, one) == wanted
        for places in ([1, 2, 3], [1, -1, 0]):
            bad = sparse(sets, 3)
            bad.indices = np.array(places, dtype=kind)
            bad.has_canonical_format = True
            with pytest.raises(cm.InputError, match="with values beyond its 3 columns"):
                cm.multilabel(bad, bad)
        for ends in ([0, 2, 1, 3], [0, 2, 2, 4], [0, -1, 2, 3]):
            bad = sparse(sets, 3)
            bad.indptr = np.array(ends, dtype=kind)
            bad.has_canonical_format = True
            with pytest.raises(cm.InputError, match="of rows that do not fit its values"):
                cm.multilabel(bad, bad)


@pytest.mark.parametrize("kind", ["csc", "coo", "lil", "dok", "bsr", "dia"])
def test_sparse_tables_of_every_kind(kind):
    sides = [sparse([[1, 2], [], [0]], 3), sparse([[1], [2], [0]], 3)]
    found = cm.multilabel(*(side.asformat(kind) for side in sides))
    assert found == cm.multilabel(*sides)
