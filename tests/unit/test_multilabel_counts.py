"""Sets of labels counted in pairs of sets: the same numbers as row by row, whatever the table."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

NAMES = [f"{name}_{kind}" for name in ("f1", "jaccard") for kind in ("samples", "micro", "macro")]


def tables(rows, labels, seed):
    rng = np.random.default_rng(seed)
    truth = rng.random((rows, labels)) < 0.3
    return truth, truth ^ (rng.random((rows, labels)) < 0.2)


@pytest.mark.parametrize("rows", [0, 1, 7, 300, 5_000])
@pytest.mark.parametrize("labels", [1, 2, 3, 7, 8, 9, 17])
def test_counts_are_those_of_weights_of_one(rows, labels):
    truth, pred = tables(rows, labels, rows + labels)
    ones = cm.multilabel(truth, pred, sample_weight=np.ones(rows, dtype=np.int64))
    m = cm.multilabel(truth, pred)
    assert m.counts.dtype == np.int64
    assert m == ones
    assert (m.n, m.n_dropped) == (rows, 0)
    assert m.counts[:, 1, 1].tolist() == (truth & pred).sum(axis=0).tolist()
    assert m.counts[:, 0, 1].tolist() == (~truth & pred).sum(axis=0).tolist()
    for name in ("exact_match", "hamming_loss", *NAMES):
        assert m[name] == pytest.approx(ones[name], rel=0, abs=0, nan_ok=True)
    assert m.powerset().equals(ones.powerset())


@pytest.mark.parametrize("labels", [3, 8, 12])
def test_memory_may_lie_in_any_way(labels):
    truth, pred = tables(500, labels, labels)
    m = cm.multilabel(truth, pred)
    columns = np.asfortranarray(pred)
    wide = np.zeros((500, 3 * labels), dtype=np.bool_)
    wide[:, ::3] = truth
    assert cm.multilabel(wide[:, ::3], columns) == m
    assert cm.multilabel(wide[::-1, ::3], columns[::-1]) == m
    assert cm.multilabel(truth[::-1], pred[::-1]) == m
    assert cm.multilabel(np.repeat(truth, 2, axis=0)[::2], pred) == m
    names = [str(i) for i in range(labels)]
    frames = [pl.DataFrame(dict(zip(names, side.T, strict=True))) for side in (truth, pred)]
    assert (cm.multilabel(*frames).counts == m.counts).all()
    same = np.broadcast_to(truth[:1], truth.shape)
    assert cm.multilabel(same, same).counts[:, 1, 1].tolist() == (500 * truth[0]).tolist()


def test_merged_counts_are_those_of_all_rows():
    truth, pred = tables(3_000, 5, 1)
    parts = [cm.multilabel(truth[at::3], pred[at::3]) for at in range(3)]
    m = cm.multilabel(truth, pred)
    merged = sum(parts)
    assert merged.counts.tolist() == m.counts.tolist()
    assert merged.overall().equals(m.overall())
    assert merged.powerset().equals(m.powerset())


def test_equal_are_the_same_sets_and_weights():
    none = np.zeros((2, 4), bool)
    one, two = [[1, 1, 0, 0], [0, 0, 1, 1]], [[1, 0, 1, 0], [0, 1, 0, 1]]
    assert cm.multilabel(none, one) != cm.multilabel(none, two)
    assert cm.multilabel(none[:1], none[:1], sample_weight=[2]) != cm.multilabel(none, none)
    assert cm.multilabel(none, none, sample_weight=[1, 1]) == cm.multilabel(none, none)


def test_any_byte_but_zero_is_true():
    truth, pred = tables(64, 4, 2)
    odd = (truth.view(np.uint8) * 6).view(np.bool_)
    assert (cm.multilabel(odd, pred).counts == cm.multilabel(truth, pred).counts).all()
