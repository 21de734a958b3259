"""Adjusted mutual information against exact fractions, mpmath and scikit-learn."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mpmath import loggamma, mp, mpf
from sklearn.metrics import adjusted_mutual_info_score

import confmat as cm
from confmat import _core

mp.dps = max(mp.dps, 50)
AVERAGES = ("arithmetic", "geometric", "min", "max")


def expected(rows, cols):
    """Return the mean information of tables with these margins, in nats."""
    n = sum(rows)
    total = mpf(0)
    for a in map(int, rows):
        for b in map(int, cols):
            for x in range(max(1, a + b - n), min(a, b) + 1):
                share = Fraction(math.comb(a, x) * math.comb(n - a, b - x), math.comb(n, b))
                p = mpf(share.numerator) / share.denominator
                total += p * x * mp.log(mpf(n) * x / (mpf(a) * b))
    return total / n


@pytest.mark.parametrize("seed", range(12))
def test_few_rows_are_summed_exactly(seed):
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 9, (rng.integers(1, 6), rng.integers(1, 6)))
    cells[0, 0] += 1
    rows, cols = cells.sum(axis=1), cells.sum(axis=0)
    wanted = float(expected(rows.tolist(), cols.tolist()))
    assert _core.expected_information(rows, cols) == pytest.approx(wanted, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize(
    ("a", "b", "n"),
    [
        (300_000, 400_000, 800_000),
        (20_000, 700_000, 800_000),
        (790_000, 780_000, 800_000),
        (10**9, 5 * 10**8, 2 * 10**9),
        (2**61, 2**60, 2**62),
    ],
)
def test_of_many_rows_each_integer_counts(a, b, n):
    """The table of 2 x 2 has the deviance of one cell, summed over a few deviations with mpmath."""
    mean = mpf(a) * b / n
    deviation = int(mp.sqrt(mean * (1 - mpf(a) / n) * (1 - mpf(b) / n)))

    def log_density(x):
        cells = (x, a - x, b - x, n - a - b + x)
        return -mp.fsum(loggamma(cell + 1) for cell in cells)

    middle = int(mean)
    top = log_density(middle)
    # Every twentieth part of a deviation: a normal density is then summed to 1e-50.
    step = max(1, deviation // 20)
    places = [middle + i * step for i in range(-240, 241)]
    places = [x for x in places if max(0, a + b - n) < x < min(a, b)]
    weights = [mp.exp(log_density(x) - top) for x in places]

    def information(x):
        cells = ((x, a, b), (a - x, a, n - b), (b - x, n - a, b), (n - a - b + x, n - a, n - b))
        return mp.fsum(c * mp.log(mpf(c) * n / (mpf(r) * q)) for c, r, q in cells) / n

    wanted = mp.fsum(w * information(x) for w, x in zip(weights, places, strict=True))
    wanted /= mp.fsum(weights)
    got = _core.expected_information(np.array([a, n - a]), np.array([b, n - b]))
    assert got == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize(("k", "n"), [(2, 9), (3, 60), (6, 2_000), (4, 100_000)])
def test_scikit_learn_has_the_same(k, n, average):
    rng = np.random.default_rng(n)
    truth = rng.integers(0, k, n)
    pred = np.where(rng.random(n) < 0.4, truth, rng.integers(0, k + 1, n))
    m = cm.confusion_matrix(truth, pred)
    wanted = adjusted_mutual_info_score(truth, pred, average_method=average)
    assert m.adjusted_mutual_information(average) == pytest.approx(wanted, rel=1e-10, abs=1e-13)


def test_it_knows_nothing_of_names_and_is_symmetric():
    rng = np.random.default_rng(1)
    m = cm.ConfusionMatrix(rng.integers(0, 50, (5, 5)))
    turned = cm.ConfusionMatrix(m.counts[rng.permutation(5)].T)
    assert turned.adjusted_mutual_information() == pytest.approx(
        m.adjusted_mutual_information(), rel=1e-12
    )
    assert cm.ConfusionMatrix(np.eye(4)[[1, 0, 3, 2]].astype(int) * 20).adjusted_mutual_information(
        "max"
    ) == pytest.approx(1)


def test_chance_has_none():
    rng = np.random.default_rng(7)
    found = [
        cm.confusion_matrix(
            rng.integers(0, 8, 60), rng.integers(0, 8, 60), labels=range(8)
        ).adjusted_mutual_information()
        for _ in range(400)
    ]
    assert abs(np.mean(found)) < 4 * np.std(found) / 20
    assert cm.confusion_matrix(*rng.integers(0, 8, (2, 60)), labels=range(8)).nmi_arithmetic > 0.1


def test_many_classes_are_sparse():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 30_000, 60_000)
    pred = np.where(rng.random(60_000) < 0.5, truth, rng.integers(0, 30_000, 60_000))
    m = cm.confusion_matrix(truth, pred)
    assert 0.1 < m.adjusted_mutual_information() < m.nmi_arithmetic


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([[0, 0], [0, 0]], "there are no rows"),
        ([[5, 0], [0, 0]], "they share by chance"),
        (np.eye(4, dtype=int), "they share by chance"),
    ],
)
def test_undefined_says_why(cells, why):
    with pytest.warns(cm.UndefinedMetricWarning, match=why):
        assert math.isnan(cm.ConfusionMatrix(cells).adjusted_mutual_information())


def test_bad_input_is_refused():
    m = cm.ConfusionMatrix([[1, 2], [3, 4]])
    with pytest.raises(cm.InputError, match="`average` is 'mean'"):
        m.adjusted_mutual_information("mean")
    with pytest.raises(cm.InputError, match="of counts"):
        cm.ConfusionMatrix([[1.5, 2], [3, 4]]).adjusted_mutual_information()
    with pytest.raises(cm.InputError, match="of counts"):
        m.smooth(0.5).adjusted_mutual_information()
    with pytest.raises(
        AttributeError, match=r"a matrix m has it as m\.adjusted_mutual_information\(\)"
    ):
        _ = cm.adjusted_mutual_info_score
