"""Float weights: the order, the chunks and the threads of the rows change no bit."""

import math
from itertools import pairwise

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from support.core_sweeps import sweep as sweep_parts

import confmat as cm

ROWS = 4000
ORDERS = 12


def mixed(rng, rows):
    """Weights from 1e-8 to 1e8, as they come."""
    return 10.0 ** rng.uniform(-8, 8, rows)


def lopsided(rng, rows):
    """Weights of 1 beside some of 1e16: a plain sum loses them in one order and not in another."""
    return rng.choice([1.0, 1.0, 1.0, 1e16, 1e-8, 0.1], rows)


def drawn(weights, seed=3, rows=ROWS):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    s = rng.integers(1, 40, rows) / 40
    return y, s, weights(rng, rows)


def orders(rows=ROWS):
    rng = np.random.default_rng(11)
    return [rng.permutation(rows) for _ in range(ORDERS)]


def table_of(s):
    rest = (1 - s) / 3
    return np.stack([s, rest, 2 * rest], axis=1)


def matrix(y, s, w):
    return cm.confusion_matrix(y, (s > 0.5).astype(int), sample_weight=w).to_bytes()


def exact(y, s, w):
    return cm.sweep(y, s, sample_weight=w).to_bytes()


def narrow(y, s, w):
    return cm.sweep(y, s.astype(np.float32), sample_weight=w).to_bytes()


def in_bins(y, s, w):
    return cm.sweep(y, s, bins=16, sample_weight=w).to_bytes()


def in_edges(y, s, w):
    return cm.sweep(y, s, bins=[0.0, 0.3, 0.7], sample_weight=w).to_bytes()


def many_classes(y, s, w):
    k = cm.multiclass_sweep(y, table_of(s), labels=[0, 1, 2], sample_weight=w)
    frames = [k.overall(), k.per_class(), k.pair_table()]
    soft = k.soft_matrix().counts.tobytes()
    curves = [k.roc_curve("micro"), k.pr_curve(None)]
    return soft, [frame.rows() for frame in (*frames, *curves)], k.support.tobytes()


def label_sets(y, s, w):
    truth = np.stack([y, 1 - y, s > 0.6], axis=1).astype(int)
    sweeps = cm.multilabel_sweep(truth, table_of(s), sample_weight=w)
    named = cm.multilabel(truth, table_of(s) > 0.3, sample_weight=w)
    return [repr(one.overall().rows()) for one in (sweeps, named)]


def expression(y, s, w):
    frame = pl.DataFrame({"y": y, "s": s, "w": w, "g": (s * 40).astype(int) % 3})
    asked = ["roc_auc", "average_precision", "ks", "brier", "log_loss", "ece"]
    metrics = cm.sweep_metrics("y", "s", asked, sample_weight="w")
    whole = frame.select(metrics).item()
    grouped = frame.group_by("g").agg(metrics).sort("g").rows()
    named = (pl.col("s") > 0.5).cast(pl.Int64)
    cells = frame.select(cm.metric("mcc", "y", named, sample_weight="w")).item()
    return whole, grouped, cells


DOORS = [matrix, exact, narrow, in_bins, in_edges, many_classes, label_sets, expression]


@pytest.mark.parametrize("weights", [mixed, lopsided], ids=lambda one: one.__name__)
@pytest.mark.parametrize("door", DOORS, ids=lambda one: one.__name__)
def test_the_order_of_rows_changes_no_bit(door, weights):
    y, s, w = drawn(weights)
    whole = door(y, s, w)
    for order in orders():
        assert door(y[order], s[order], w[order]) == whole


@pytest.mark.parametrize("weights", [mixed, lopsided], ids=lambda one: one.__name__)
def test_sums_at_a_score_are_exact(weights):
    y, s, w = drawn(weights)
    swept = cm.sweep(y, s, sample_weight=w)
    for side, found in ((1, swept.positives), (0, swept.negatives)):
        wanted = [math.fsum(w[(y == side) & (s == score)]) for score in swept.scores]
        assert found.tolist() == wanted
    binned = cm.sweep(y, s, bins=[0.0, 0.5], sample_weight=w)
    wanted = [math.fsum(w[(y == 1) & part]) for part in (s >= 0.5, s < 0.5)]
    assert binned.positives.tolist() == wanted


def test_expressions_and_objects_give_the_same_bits():
    y, s, w = drawn(mixed)
    frame = pl.DataFrame({"y": y, "s": s, "w": w})
    asked = ["roc_auc", "average_precision", "ks", "eer", "brier", "log_loss", "ece", "rms_ce"]
    swept = cm.sweep(y, s, sample_weight=w)
    found = frame.select(cm.sweep_metrics("y", "s", asked, sample_weight="w")).item()
    assert {name: found[name] for name in asked} == swept.values(asked)


@pytest.mark.parametrize("rows", [300_000])
def test_threads_and_chunks_change_no_bit(rows):
    y, s, w = drawn(mixed, rows=rows)
    s = np.where(np.arange(rows) % 3 == 0, s, np.random.default_rng(1).random(rows))
    one = sweep_parts(y, s, w)
    for threads in (2, 3, 5):
        other = sweep_parts(y, s, w, threads=threads)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(one[:3], other[:3], strict=True))
    cuts = [0, 17, 100_000, 100_001, 262_144, rows]
    columns = [pa.chunked_array([part[a:b] for a, b in pairwise(cuts)]) for part in (y, s, w)]
    order = np.random.default_rng(2).permutation(rows)
    for bins in (None, 4096):
        whole = cm.sweep(y, s, sample_weight=w, bins=bins).to_bytes()
        cut = cm.sweep(columns[0], columns[1], sample_weight=columns[2], bins=bins)
        assert cut.to_bytes() == whole
        mixed_up = cm.sweep(y[order], s[order], sample_weight=w[order], bins=bins)
        assert mixed_up.to_bytes() == whole


def test_a_long_run_of_one_score_falls_back_to_an_exact_sum():
    # A tie between two doubles but for one tiny weight, which a compensated sum loses.
    w = np.array([1e16, 1.0, 1e-20, *[0.0] * 3, 2.0**-60, 2.0**-1000])
    for order in (slice(None), slice(None, None, -1)):
        swept = cm.sweep(np.ones(len(w), int), np.full(len(w), 0.5), sample_weight=w[order])
        assert swept.positives.tolist() == [math.fsum(w)] == [1e16 + 2]
