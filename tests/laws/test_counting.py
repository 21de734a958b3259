"""Counting: no row is lost, and no bit depends on the container, the cuts or the threads."""

import math
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.columns import INTS, NUMPY_FORMS, chunked_polars, forms

import confmat as cm
from confmat import _core

TEXTS = ["ant", "bee", "a name much longer than sixteen bytes", "", "é\u2028"]
POLARS_INTS = (pl.Int8, pl.UInt8, pl.Int16, pl.UInt16, pl.Int32, pl.UInt32, pl.Int64, pl.UInt64)
KINDS = {
    "text": (TEXTS, pl.String),
    "category": (TEXTS, pl.Categorical),
    "enum": (TEXTS, pl.Enum(TEXTS)),
    "bool": ([False, True], pl.Boolean),
    **{str(dtype): ([0, 1, 2, 7, 100], dtype) for dtype in POLARS_INTS},
}


@st.composite
def columns(draw, nulls=True):
    """Draw true labels, predicted labels, and a label set that may lack some."""
    known, dtype = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    label = st.sampled_from([*known, None] if nulls else known)
    rows = draw(st.lists(st.tuples(label, label), max_size=60))
    y, p = ([row[side] for row in rows] for side in (0, 1))
    labels = draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    return pl.Series(y, dtype=dtype), pl.Series(p, dtype=dtype), labels


def by_hand(y, p, labels):
    """Return cells, rows dropped and rows outside, counted one by one in Python."""
    pairs = Counter(zip(y.to_list(), p.to_list(), strict=True))
    dropped = sum(n for (a, b), n in pairs.items() if a is None or b is None)
    cells = [[pairs[a, b] for b in labels] for a in labels]
    return cells, dropped, len(y) - dropped - sum(map(sum, cells))


@given(data=columns())
def test_nothing_is_lost(data):
    y, p, labels = data
    m = cm.confusion_matrix(y, p, labels=labels, other="bucket")
    assert (m.counts.tolist(), m.n_dropped, m.n_other) == by_hand(y, p, labels)
    assert m.n + m.n_dropped + m.n_other == len(y)


@given(data=columns(), seed=st.integers(0, 2**32))
def test_nothing_is_lost_with_weights(data, seed):
    y, p, labels = data
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 9, len(y)).tolist()
    w = pl.Series([None if rng.random() < 0.1 else x for x in weights], dtype=pl.Int64)
    m = cm.confusion_matrix(y, p, labels=labels, other="bucket", sample_weight=w)
    total = defaultdict(int)
    kept = [
        row for row in zip(y.to_list(), p.to_list(), w.to_list(), strict=True) if None not in row
    ]
    for a, b, x in kept:
        total[a, b] += x
    assert m.counts.tolist() == [[total[a, b] for b in labels] for a in labels]
    assert m.n_dropped == len(y) - len(kept)


@given(data=columns(), seed=st.integers(0, 2**32))
def test_every_container_gives_the_same_bytes(data, seed):
    y, p, labels = data
    if y.dtype in (pl.Categorical, pl.Enum):
        y, p = y.cast(pl.String), p.cast(pl.String)
    rng = np.random.default_rng(seed)
    wanted = cm.confusion_matrix(y, p, labels=labels, other="bucket").to_bytes()
    truths, predictions = list(forms(y, rng)), list(forms(p, rng))
    rng.shuffle(predictions)
    for at, (name, truth) in enumerate(truths):
        other, prediction = predictions[at % len(predictions)]
        got = cm.confusion_matrix(truth, prediction, labels=labels, other="bucket")
        assert got.to_bytes() == wanted, (name, other)


@pytest.mark.parametrize("form", NUMPY_FORMS)
@pytest.mark.parametrize("kind", [*INTS, "bool"])
def test_layouts_of_numpy(form, kind):
    rng = np.random.default_rng(5)
    y, p = rng.integers(0, 2 if kind == "bool" else 9, (2, 5000)).astype(kind)
    wanted = np.zeros((9, 9), np.int64)
    np.add.at(wanted, (y.astype(int), p.astype(int)), 1)
    m = cm.confusion_matrix(form(y), p)
    k = len(m.labels)
    assert np.array_equal(m.counts, wanted[:k, :k])
    assert cm.confusion_matrix(p, form(y)) == m.T


@pytest.mark.parametrize("offset", range(64))
def test_bits_at_every_offset(offset):
    rng = np.random.default_rng(offset)
    y, p = (pl.Series(rng.random(700) < 0.5) for _ in range(2))
    y = pl.select(pl.when(pl.Series(rng.random(700) < 0.9)).then(y)).to_series()
    got = cm.confusion_matrix(y.slice(offset), p.slice(offset), labels=[False, True])
    assert by_hand(y[offset:], p[offset:], [False, True])[:2] == (
        got.counts.tolist(),
        got.n_dropped,
    )


def large(kind, seed=1, n=150_000):
    rng = np.random.default_rng(seed)
    known, dtype = KINDS[kind]
    y, p = (pl.Series(known).gather(rng.integers(0, len(known), n)).cast(dtype) for _ in range(2))
    null = pl.Series(rng.random(n) < 0.01)
    return (
        pl.select(pl.when(~null).then(y)).to_series(),
        p,
        rng.random(n) * 10.0 ** rng.integers(-8, 8, n),
    )


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("kind", ["text", "category", "enum", "bool", "Int8", "UInt16", "Int64"])
def test_threads_and_cuts_change_no_bit(kind, labelled):
    y, p, w = large(kind)
    labels = KINDS[kind][0] if labelled else None
    rng = np.random.default_rng(9)
    for weight in (None, w, (w * 0 + 3).astype(np.int32)):
        wanted = shown(_core.count(y, p, weight, labels, 1))
        for threads in (2, 3, 7, 0):
            cut = chunked_polars(y, rng)
            assert shown(_core.count(cut, p, weight, labels, threads)) == wanted


def shown(counted):
    state, outsider = counted
    squares = state.squares
    return state.to_bytes(), state.cells.tobytes(), squares is None or squares.tobytes(), outsider


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("order", ["as is", "reversed", "shuffled"])
def test_sums_of_weights_are_rounded_once(threads, order):
    _, _, w = large("Int8")
    w[:2] = (1e150, 5e-324)
    y, p = np.random.default_rng(3).integers(0, 3, (2, len(w)))
    sums, of_squares = (
        [[math.fsum(x[(y == i) & (p == j)]) for j in range(3)] for i in range(3)]
        for x in (w, w * w)
    )
    at = {"as is": np.arange(len(w)), "reversed": np.arange(len(w))[::-1],
          "shuffled": np.random.default_rng(4).permutation(len(w))}[order]  # fmt: skip
    state, _ = _core.count(y[at], p[at], w[at], None, threads)
    assert state.cells.tolist() == sums
    assert np.allclose(state.squares, of_squares, rtol=1e-15, atol=0)
