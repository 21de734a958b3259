"""Calls that last long of many rows: each a function of how many."""

import numpy as np
import polars as pl
import pyarrow as pa
from support.core_sweeps import parts_of

import confmat as cm
from confmat import _core
from confmat.frames.asked import Asked

MANY = 10**11  # rows that lie on one another in memory


def repeated(value, rows):
    return np.broadcast_to(value, (rows,))


def texts(rows):
    chunk = pa.array(["no", "yes", "perhaps", "never"] * 250_000)
    return pa.chunked_array([chunk] * max(rows // 1_000_000, 1))


def scores(rows, kind=np.float64):
    rng = np.random.default_rng(5)
    return rng.integers(0, 2, rows, dtype=np.int8), rng.random(rows).astype(kind)


def counts(k):
    return np.random.default_rng(k).integers(1, 9, (k, k)) + np.eye(k, dtype=np.int64) * k


def counted(state, _):
    return state.labels, state.cells


def count_integers(rows):
    return counted(
        *_core.count(repeated(np.int64(1), rows), repeated(np.int8(0), rows), None, None, 0)
    )


def count_texts(rows):
    return counted(*_core.count(texts(rows), texts(rows), None, None, 0))


def count_weights(rows):
    label, weight = repeated(np.int8(1), rows), repeated(0.5, rows)
    return counted(*_core.count(label, label, weight, None, 0))


def sweep_exact(rows):
    y, s = scores(min(rows, 2 * 10**7))
    return parts_of(_core.sweep(y, s, None, None, False, False, 0))


def sweep_weights(rows):
    y, s = scores(min(rows, 10**7))
    return parts_of(_core.sweep(y, s, s, None, False, False, 0))


def sweep_one_bucket(rows):  # all scores but one lie so near together that one thread sorts them
    y, s = scores(min(rows, 2 * 10**7))
    s[0] = 1e300
    return parts_of(_core.sweep(y, s, None, None, False, False, 1))


def sweep_binned(rows):
    y, s = repeated(np.int8(1), rows), repeated(0.25, rows)
    return parts_of(_core.sweep_binned(y, s, None, None, 1024, False, False, 0))


def slice_bins(rows):
    bins = _core.SliceBins(1 << 40)
    label, slice = repeated(np.int8(1), rows), repeated(np.uint32(7), rows)
    bins.add(slice, label, repeated(np.float32(0.25), rows), 9)
    return parts_of(_core.SweepState.from_bytes(pl.Series(bins.states())[7]))


def score_values(rows):
    s = np.linspace(1, 0, min(rows, 3 * 10**7))
    return _core.score_values(["roc_auc", "log_loss"], s, s, s, threads=1)


def class_codes(rows):
    return _core.class_codes(repeated(np.int8(1), min(rows, 3 * 10**8)), [0, 1], 1)


def table(rows):
    rows = min(rows, 2 * 10**7)
    proba = list(np.broadcast_to([0.25, 0.25, 0.5], (rows, 3)).T)
    return proba, np.arange(rows, dtype=np.uint16) % 3


def probabilities(rows):
    return _core.probability_sums(*table(rows), None, 1e-5, 1e-9, True, 1)


def ladders(rows):
    return _core.class_ladders(*table(rows), None, True, 1)


def pooled(rows):
    return _core.pooled_ladder(*table(rows), None, 1)


def top_k(rows):
    return _core.predict_top_k(*table(rows), 2, False, 1)


def groups(rows):
    key, label = repeated(np.int32(7), rows), repeated(np.int8(1), rows)
    spec = Asked(["mcc"], labels=[0, 1], other="bucket").packed()
    found = _core.evaluate_groups([key], label, label, [0, 1], spec, 0, [[0]])
    keys, sizes, columns, reasons = found
    return keys, sizes, pl.Series(columns).to_list(), reasons


def determinant(rows):
    return cm.ConfusionMatrix(counts(2000 if rows == MANY else 250)).gmcc


def eigenvalues(rows):
    return cm.ConfusionMatrix(counts(4000 if rows == MANY else 250)).eve


def singular_values(rows):
    return cm.ConfusionMatrix(counts(3000 if rows == MANY else 200)).singular_values


def averages(rows):
    asks = _core.Asks(["f1_ovo"] * (400 if rows == MANY else 1))
    k = 1500 if rows == MANY else 50
    return asks.values(counts(k), [str(i) for i in range(k)])


def scaled(rows):
    return _core.bistochastic(counts(2500 if rows == MANY else 40).astype(np.float64))


def weighted(rows):
    table = counts(3000 if rows == MANY else 300).astype(np.float64) / 3
    asks = _core.Asks(["f1_ovo", "cramer_v", "rand"] * (40 if rows == MANY else 1))
    return asks.values(table[:1000, :1000].copy(), [str(i) for i in range(min(1000, len(table)))])


def replicates(rows):
    asks = _core.Asks(["mcc", "eve"])
    many, shown = (10**7 if rows == MANY else 100), [str(i) for i in range(60)]
    how = {"squares": None, "replicates": many, "seed": 0}
    return _core.replicates(asks, counts(60), shown, **how).sum()


def replicates_of_scores(rows):
    y, s = scores(3 * 10**6 if rows == MANY else 1000)
    parts = parts_of(_core.sweep(y, s, None, None, False, False, 0))[:3]
    return _core.score_replicates(["log_loss"], *parts, replicates=1000, seed=0).sum()


CASES = [
    count_integers,
    count_texts,
    count_weights,
    sweep_exact,
    sweep_weights,
    sweep_one_bucket,
    sweep_binned,
    slice_bins,
    score_values,
    class_codes,
    probabilities,
    ladders,
    pooled,
    top_k,
    groups,
    determinant,
    eigenvalues,
    singular_values,
    averages,
    scaled,
    weighted,
    replicates,
    replicates_of_scores,
]
