"""Truth and prediction as vectors of classes: against covariances of indicators, in many digits."""

import mpmath
import numpy as np
import pytest
from mpmath import mpf

import confmat as cm

RNG = np.random.default_rng(11)
TABLES = [
    *(RNG.integers(0, 50, (k, k)) for k in (2, 3, 4, 7)),
    np.diag([7, 1, 9]),
    np.array([[10**9, 2, 1], [1, 3, 0], [0, 1, 2]]),  # one class is nearly all
    np.array([[10**15, 1, 0], [2, 0, 1], [1, 0, 0]]),
    np.array([[4, 0, 0], [5, 0, 0], [0, 6, 7]]),
    np.array([[6, 4, 2], [12, 8, 4], [3, 2, 1]]),  # independent
]


def by_definition(counts):
    """Return tr(Sxy Syx) / sqrt(tr(Sxx^2) tr(Syy^2)) of the covariances of indicators."""
    k, n = len(counts), mpf(int(counts.sum()))
    with mpmath.workdps(80):
        joint = [[mpf(int(cell)) / n for cell in row] for row in counts]
        sides = [[mpmath.fsum(of) for of in side] for side in (joint, zip(*joint, strict=True))]
        cells = [(i, j) for i in range(k) for j in range(k)]
        both = mpmath.fsum((joint[i][j] - sides[0][i] * sides[1][j]) ** 2 for i, j in cells)
        own = [mpmath.fsum(((i == j) * p[i] - p[i] * p[j]) ** 2 for i, j in cells) for p in sides]
        return both / mpmath.sqrt(own[0] * own[1])


@pytest.mark.parametrize("counts", TABLES, ids=lambda counts: str(counts[0]))
def test_rv_is_that_of_the_covariances(counts):
    m, wanted = cm.ConfusionMatrix(counts), by_definition(counts)
    assert m.rv_coefficient == pytest.approx(float(wanted), rel=1e-13, abs=1e-16)
    weights = cm.ConfusionMatrix(counts * 0.5)
    assert weights.rv_coefficient == pytest.approx(float(wanted), rel=1e-13, abs=1e-16)
    assert 0 <= m.rv_coefficient <= 1
    if len(counts) == 2:
        assert m.rv_coefficient == pytest.approx(m.mcc**2, rel=1e-14)


def test_rv_is_that_of_the_rows():
    truth, pred = RNG.integers(0, 4, (2, 300))
    pred = np.where(RNG.random(300) < 0.6, truth, pred)
    x, y = (np.eye(4)[labels] for labels in (truth, pred))
    both = np.cov(x, y, rowvar=False)
    own, other, cross = both[:4, :4], both[4:, 4:], both[:4, 4:]
    wanted = np.sum(cross**2) / np.sqrt(np.sum(own**2) * np.sum(other**2))
    assert cm.rv_coefficient(truth, pred) == pytest.approx(wanted, rel=1e-12)


def test_rv_does_not_see_which_class_is_which():
    m = cm.ConfusionMatrix([[0, 30, 1], [2, 0, 40], [50, 1, 0]])
    turned = cm.ConfusionMatrix(m.counts[:, [1, 2, 0]])
    assert m.rv_coefficient == pytest.approx(turned.rv_coefficient, rel=1e-14)
    assert m.mcc < 0 < turned.mcc
    assert cm.ConfusionMatrix([[0, 5, 0], [0, 0, 7], [2, 0, 0]]).rv_coefficient == 1


def test_rv_of_many_classes_needs_no_table():
    truth, pred = RNG.integers(0, 20_000, (2, 60_000))
    pred = np.where(RNG.random(60_000) < 0.3, truth, pred)
    n = len(truth)
    row, col = (np.bincount(side, minlength=20_000) / n for side in (truth, pred))
    codes, counts = np.unique(truth * 20_000 + pred, return_counts=True)
    seen, lone = counts / n, row[codes // 20_000] * col[codes % 20_000]
    both = np.sum((seen - lone) ** 2 - lone**2) + np.sum(row**2) * np.sum(col**2)
    own = [np.sum((p * (1 - p)) ** 2) + np.sum(p**2) ** 2 - np.sum(p**4) for p in (row, col)]
    m = cm.confusion_matrix(truth, pred, labels=list(range(20_000)))
    assert m.rv_coefficient == pytest.approx(both / np.sqrt(own[0] * own[1]), rel=1e-10)


def test_rv_of_one_class_is_undefined():
    m = cm.ConfusionMatrix([[4, 0, 0], [5, 0, 0], [2, 0, 0]])
    assert np.isnan(m.rv_coefficient)
    assert m.reason("rv_coefficient").endswith("= 0")
    assert cm.ConfusionMatrix([[3, 0], [2, 0]]).reason("rv_coefficient") is not None
