"""Determinants of counts against exact elimination: zero and sign exact, ten digits of the rest."""

import math

import mpmath
import numpy as np
import polars as pl
import pytest
from mpmath import mpf

import confmat as cm
from confmat import _core

ASKED = ("gmcc", "gmcc_root", "log_abs_gmcc")
BOUND = 1e-10


def determinant(table):
    """Return the determinant of whole numbers, by fraction-free elimination (Bareiss)."""
    rows = [[int(x) for x in line] for line in table]
    sign, before = 1, 1
    for k in range(len(rows) - 1):
        at = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if at is None:
            return 0
        if at != k:
            rows[k], rows[at], sign = rows[at], rows[k], -sign
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1]


def exact(table):
    """Return what is asked, in 60 digits."""
    table = [[int(x) for x in line] for line in table]
    det = determinant(table)
    margins = math.prod(map(sum, table)) * math.prod(map(sum, zip(*table, strict=True)))
    if det == 0:
        return 0, 0, -math.inf
    with mpmath.workdps(60):
        size = abs(det) / mpmath.sqrt(margins)
        log = (
            mpmath.log1p(mpf(det * det - margins) / margins) / 2 if size > 0.5 else mpmath.log(size)
        )
        root = size ** (mpf(1) / (len(table) - 1))
        sign = 1 if det > 0 else -1
        return sign * size, sign * root, log


def values(table):
    return _core.Asks(list(ASKED)).values(table, [str(i) for i in range(len(table))])


def check(table):
    for name, got, want in zip(ASKED, values(table), exact(table), strict=True):
        if want in (0, -math.inf):
            assert got == want, (name, table.tolist(), got)
        elif name != "gmcc" or abs(want) > 1e-300:
            assert abs(mpf(float(got)) / want - 1) <= BOUND, (
                name,
                table.tolist(),
                got,
                float(want),
            )


def tables(k, seed):
    """Return tables near and at singularity, near perfect and anything between."""
    rng = np.random.default_rng([k, seed])
    for bits in (3, 12, 40, 62 - 2 * k.bit_length()):
        any_ = rng.integers(0, 2**bits, (k, k)) + 1
        yield any_
        yield any_ + 2 ** min(bits + 4, 61 - 2 * k.bit_length()) * np.eye(k, dtype=np.int64)
        for factor in (1, 2):
            table = any_.copy()
            table[-1] = factor * table[0]
            yield table
            table = table.copy()
            table[-1, -1] += 1
            yield table
        table = any_.copy()
        table[:, -1] = table[:, :-1].sum(axis=1) if bits < 40 else table[:, 0]
        yield table
        perfect = 2**bits * np.eye(k, dtype=np.int64)
        yield perfect
        perfect[0, -1] = 1
        yield perfect[rng.permutation(k)]
        yield 2**bits + rng.integers(0, 3, (k, k))


@pytest.mark.parametrize("k", [2, 3, 4, 5, 7, 10])
@pytest.mark.parametrize("seed", range(4))
def test_small_tables(k, seed):
    for table in tables(k, seed):
        check(table)


@pytest.mark.parametrize("k", [20, 30])
def test_tables_of_many_classes(k):
    for table in tables(k, 0):
        check(table)


@pytest.mark.parametrize("k", [40, 64])
def test_zero_is_exact_up_to_64_classes(k):
    rng = np.random.default_rng(k)
    for bits in (5, 50):
        table = rng.integers(1, 2**bits, (k, k))
        table[3] = table[7] + table[11] - np.minimum(table[7], table[11])
        table[5] = table[7] * 2
        assert values(table).tolist() == [0.0, 0.0, -math.inf]
        table[5, 0] += 1
        assert np.sign(values(table)[1]) == np.sign(determinant(table))


def test_known_singular_table_at_every_door():
    table = [[1, 2, 3], [2, 4, 6], [5, 1, 1]]
    m = (
        cm.ConfusionMatrix.from_counts(table)
        if hasattr(cm.ConfusionMatrix, "from_counts")
        else None
    )
    y, p = zip(
        *[(i, j) for i in range(3) for j in range(3) for _ in range(table[i][j])], strict=True
    )
    m = cm.confusion_matrix(y, p)
    assert (m.gmcc, m.gmcc_root, m.log_abs_gmcc) == (0.0, 0.0, -math.inf)
    assert m.reason("gmcc") is None
    frame = pl.DataFrame({"y": y, "p": p, "g": 1})
    for labels in (None, [0, 1, 2]):
        asked = cm.metrics("y", "p", list(ASKED), labels=labels)
        assert frame.select(asked.alias("m")).unnest("m").select(ASKED).row(0) == (
            0.0,
            0.0,
            -math.inf,
        )
        groups = frame.group_by("g").agg(asked.alias("m")).unnest("m")
        assert groups.select(ASKED).row(0) == (0.0, 0.0, -math.inf)
    assert cm.gmcc(y, p) == 0.0


def test_weights_are_exact_too():
    half = np.array([[1, 2, 3], [2, 4, 6], [5, 1, 1]]) / 2
    assert values(half).tolist() == [0.0, 0.0, -math.inf]
    tiny = half.copy()
    tiny[0, 0] += 2.0**-50
    scaled = (tiny * 2**50).astype(np.int64)
    for got, want in zip(values(tiny), exact(scaled), strict=True):
        assert abs(mpf(float(got)) / want - 1) <= BOUND


def test_beyond_64_classes_a_hidden_sign_says_so():
    rng = np.random.default_rng(0)
    table = rng.integers(1, 100, (70, 70))
    names = [str(i) for i in range(70)]
    asks = _core.Asks(list(ASKED))
    sign, log = np.linalg.slogdet(table.astype(float))
    log -= (np.log(table.sum(0)).sum() + np.log(table.sum(1)).sum()) / 2
    assert np.sign(asks.values(table, names)[1]) == sign
    assert math.isclose(asks.values(table, names)[2], log, rel_tol=1e-10)
    assert set(asks.reasons(table, names)) == {None}
    table[3] = 2 * table[4]
    assert asks.values(table, names).tolist() == [0.0, 0.0, -math.inf]
    assert set(asks.reasons(table, names)) == {"singular to working precision"}
