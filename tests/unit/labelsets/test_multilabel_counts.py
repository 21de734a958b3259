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


def doors(table):
    """Give the same table in every way that it may come."""
    columns = {f"l{i}": np.ascontiguousarray(part) for i, part in enumerate(table.T)}
    yield from (table, np.asfortranarray(table), table[::-1][::-1], table.tolist())
    for dtype in (np.uint8, np.int8, ">i2", np.int64, np.uint64, np.float16, ">f4", np.float64):
        yield table.astype(dtype)
        yield np.asfortranarray(table.astype(dtype))
    yield table.astype(object)
    yield columns
    for dtype in (pl.Boolean, pl.UInt8, pl.Int64, pl.Int128, pl.Float32, pl.Float64):
        frame = pl.DataFrame(columns).cast(dtype)
        yield frame
        yield pl.concat([frame.head(3), frame[3:]], rechunk=False)
        yield list(frame)
    for dtype in (bool, np.uint8, np.float64):
        rows = pl.Series(table.astype(dtype))
        yield rows
        yield pl.concat([rows.head(1), rows[1:]], rechunk=False)
    yield pl.Series(table).cast(pl.List(pl.Boolean))


@pytest.mark.parametrize("labels", [1, 3, 8, 11])
@pytest.mark.parametrize("rows", [7, 5_000])
def test_every_door_counts_the_same(rows, labels):
    truth, pred = tables(rows, labels, labels)
    counts = cm.multilabel(truth, pred).counts
    for true, named in zip(doors(truth), doors(pred), strict=True):
        np.testing.assert_array_equal(cm.multilabel(true, named).counts, counts)


def test_the_first_bad_value_is_told_at_every_door():
    table = np.zeros((20_000, 3), dtype=np.int64)
    table[[17_003, 12_001, 19_000], [0, 2, 1]] = 7
    found = "`y_true` holds 7 at row 12001 of column 2; wanted 0 and 1"
    frame = pl.DataFrame(table)
    for true in (table, np.asfortranarray(table), frame, dict(frame.to_dict()), pl.Series(table)):
        with pytest.raises(cm.InputError, match=found):
            cm.multilabel(true, np.zeros(table.shape, bool))


def test_rows_with_nulls_and_nans_are_left_out():
    truth, pred = tables(9_000, 4, 5)
    wanted = cm.multilabel(truth[2:], pred[2:]).counts
    floats = truth.astype(float)
    floats[[0, 1], [1, 3]] = np.nan
    nullable = pl.DataFrame(floats, nan_to_null=True).cast(pl.Int8)
    for true in (floats, pl.DataFrame(floats), nullable, nullable.cast(pl.Boolean)):
        m = cm.multilabel(true, pred, labels=None if true is floats else true.columns)
        assert m.n_dropped == 2
        np.testing.assert_array_equal(m.counts, wanted)


def test_lists_of_names_are_looked_up_beyond_the_first():
    late = [["b"]] * 30_000 + [["a", "b"], [], None]
    for kind in (pl.String, pl.Categorical):
        names = pl.Series(late, dtype=pl.List(kind))
        m = cm.multilabel(names, names[::-1])
        assert m.labels == ("a", "b")
        assert m.n_dropped == 2
        assert m.counts.tolist() == [[[29_999, 1], [1, 0]], [[0, 1], [1, 29_999]]]
        for labels, row in ((["a"], 0), (["b"], 30_000)):
            with pytest.raises(cm.InputError, match=f"at row {row} of `y_true` is not in labels"):
                cm.multilabel(names, names, labels=labels)
    numbers = pl.Series([[5], [3, 5], []], dtype=pl.List(pl.Int16))
    assert cm.multilabel(numbers, numbers).labels == (3, 5)
    with pytest.raises(cm.InputError, match="a null inside the list at row 1"):
        cm.multilabel(numbers, pl.Series([[5], [3, None], []]))


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
