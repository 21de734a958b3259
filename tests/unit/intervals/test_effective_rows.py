"""Rates of weights as rates of rows: in Python and in the core, of few rows and of many."""

import numpy as np
import pytest

import confmat as cm
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.wilson import wilson


def of_rows(right, w):
    squares = (w * w * right).sum(), (w * w).sum()
    some, rows = effective_rows((w * right).sum(), w.sum(), squares)
    return float(some), float(rows)


def test_equal_weights_are_rows():
    right = np.arange(40) % 4 > 0
    for weight in (1.0, 2.5, 1e-100, 1e150):
        assert of_rows(right, np.full(40, weight)) == pytest.approx((30, 40))


def test_many_rows_have_their_own_variance():
    rng = np.random.default_rng(1)
    right = rng.random(400_000) < 0.8
    w = rng.exponential(size=len(right)) * np.where(right, 1.0, 0.25)
    share = (w * right).sum() / w.sum()
    variance = (w**2 * (right - share) ** 2).sum() / w.sum() ** 2
    assert of_rows(right, w)[1] == pytest.approx(share * (1 - share) / variance, rel=1e-3)


def test_few_light_rows_count_more_like_all():
    right = np.array([True] * 16 + [False] * 2)
    w = np.array([2.0] * 16 + [0.5] * 2)
    share, kish = 32 / 33, 33**2 / 64.5
    lacking = 1 * 64.5 / 33 - 0.5
    wrong = 0.5 + lacking * 8 / (1 / 0.5 + 8)
    variance = (64 * (1 - share) ** 2 + wrong * share**2) / 33**2
    found = of_rows(right, w)[1]
    assert found == pytest.approx(share * (1 - share) / variance)
    own = share * (1 - share) * 33**2 / (64 * (1 - share) ** 2 + 0.5 * share**2)
    assert kish < found < own


def test_all_right_is_of_kishs_number():
    w = np.array([1.0, 2.0, 5.0])
    assert of_rows(np.ones(3, bool), w) == pytest.approx((64 / 30, 64 / 30))


@pytest.mark.parametrize("n", [12, 60, 2_000])
def test_the_core_counts_as_python(n):
    rng = np.random.default_rng(n)
    y, p = rng.integers(0, 2, n), rng.integers(0, 2, n)
    w = rng.exponential(size=n) * np.where(y == p, 1.0, 0.3)
    found = cm.confusion_matrix(y, p, sample_weight=w)
    for name, of in (("accuracy", y == y), ("recall", y == 1), ("specificity", y == 0)):
        some, rows = of_rows((y == p)[of], w[of])
        assert found.ci(name)[1:3] == pytest.approx(
            [float(end) for end in wilson(some, rows)], rel=1e-12
        )
