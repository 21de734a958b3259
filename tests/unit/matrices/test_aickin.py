"""Aickin's alpha: tables made by its model, its fixed point, undefined cases."""

import math
from fractions import Fraction

import numpy as np
import pytest

import confmat as cm


def modelled(alpha, p, q, n=10**12):
    p, q = ([Fraction(x) for x in side] for side in (p, q))
    e = sum(x * y for x, y in zip(p, q, strict=True))
    cells = [[(1 - alpha) * x * y for y in q] for x in p]
    for i, (x, y) in enumerate(zip(p, q, strict=True)):
        cells[i][i] += alpha * x * y / e
    return cm.ConfusionMatrix([[round(n * float(cell)) for cell in row] for row in cells])


@pytest.mark.parametrize("alpha", ["0", "0.2", "0.6", "0.95"])
def test_a_table_of_the_model_gives_its_alpha_back(alpha):
    wanted = Fraction(alpha)
    m = modelled(wanted, ["0.5", "0.3", "0.2"], ["0.2", "0.5", "0.3"])
    assert m.aickin_alpha() == pytest.approx(float(wanted), abs=1e-10)


def test_it_is_a_fixed_point_above_kappa():
    rng = np.random.default_rng(0)
    for _ in range(6):
        k = int(rng.integers(2, 5))
        m = cm.ConfusionMatrix(rng.integers(1, 40, (k, k)) + np.diag(rng.integers(20, 60, k)))
        alpha = m.aickin_alpha()
        assert m.kappa - 1e-12 <= alpha < 1
        again = modelled(Fraction(alpha), *shares(m, alpha))
        np.testing.assert_allclose(again.counts.sum(0) / 10**12, m.counts.sum(0) / m.n, atol=1e-9)
        np.testing.assert_allclose(again.counts.sum(1) / 10**12, m.counts.sum(1) / m.n, atol=1e-9)
        assert again.accuracy == pytest.approx(m.accuracy, abs=1e-9)


def shares(m, alpha):
    """Return the shares by chance that a known alpha leaves."""
    true, pred = m.counts.sum(1) / m.n, m.counts.sum(0) / m.n
    p, q = true, pred
    for _ in range(20_000):
        e = p @ q
        p, q = true / (1 - alpha + alpha * q / e), pred / (1 - alpha + alpha * p / e)
    return p.tolist(), q.tolist()


def test_rows_that_agree_all_or_no_more_than_by_chance():
    assert cm.ConfusionMatrix(np.eye(3, dtype=int) * 7).aickin_alpha() == 1
    assert cm.ConfusionMatrix([[0, 5], [5, 0]]).aickin_alpha() == 0
    assert cm.ConfusionMatrix([[0, 5], [0, 0]]).aickin_alpha() == 0  # no class in common
    assert cm.ConfusionMatrix([[25, 25], [25, 25]]).aickin_alpha() == 0
    assert cm.ConfusionMatrix([[3, 5], [6, 2]]).aickin_alpha() == 0


@pytest.mark.parametrize(
    "cells",
    [
        [[1, 0], [1, 1]],
        [[5, 0], [3, 9]],
        [[2, 1], [0, 3]],
        [[10**9, 7], [0, 10**9]],
        [[5, 2, 1], [0, 3, 0], [0, 0, 4]],
    ],
)
def test_where_no_row_need_agree_by_chance_it_is_the_accuracy(cells):
    """An error is never made the other way round: the rounds of the original take forever."""
    m = cm.ConfusionMatrix(cells)
    assert m.aickin_alpha() == m.accuracy


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ([[57, 11, 3], [4, 30, 9], [2, 6, 44]], 0.686281098425194),
        ([[40, 9], [6, 45]], 0.702775681354474),
    ],
)
def test_pycm_has_the_same_after_many_rounds(cells, wanted):
    assert cm.ConfusionMatrix(cells).aickin_alpha() == pytest.approx(wanted, abs=1e-11)


def test_classes_without_rows_do_not_matter():
    few = cm.ConfusionMatrix([[40, 9], [6, 45]])
    more = cm.ConfusionMatrix([[40, 0, 9], [0, 0, 0], [6, 0, 45]])
    assert few.aickin_alpha() == pytest.approx(more.aickin_alpha(), abs=1e-12)
    assert (few + few).aickin_alpha() == pytest.approx(few.aickin_alpha(), abs=1e-12)


@pytest.mark.parametrize(
    ("cells", "why"), [([[0, 0], [0, 0]], "there are no rows"), ([[4, 0], [0, 0]], "of one class")]
)
def test_undefined_says_why(cells, why):
    with pytest.warns(cm.UndefinedMetricWarning, match=why):
        assert math.isnan(cm.ConfusionMatrix(cells).aickin_alpha())


def test_nearly_all_rows_agree():
    m = cm.ConfusionMatrix([[10**9, 7], [1, 10**9]])
    assert m.kappa - 1e-12 <= m.aickin_alpha() < m.accuracy
