"""DeLong's variances: published numbers, exact fractions over all pairs, ties, weights."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.haemorrhage import NDKA, POOR, S100B, WFNS

import confmat as cm
from confmat.errors import InputError
from confmat.scores.delong import delong, paired_delong

SCORES = {"wfns": WFNS, "ndka": NDKA, "s100b": S100B}


def half(x, y):
    return Fraction((x > y) * 2 + (x == y), 2)


def by_all_pairs(y, a, b):
    """Both areas, their variances and covariance, in exact fractions from O(m n) comparisons."""
    out = []
    for scores in (a, b):
        positive = [s for s, t in zip(scores, y, strict=True) if t]
        negative = [s for s, t in zip(scores, y, strict=True) if not t]
        m, n = len(positive), len(negative)
        v10 = [sum((half(x, z) for z in negative), Fraction(0)) / n for x in positive]
        v01 = [sum((half(x, z) for x in positive), Fraction(0)) / m for z in negative]
        out.append((sum(v10) / m, v10, v01))
    moments = []
    for i, j in ((0, 0), (1, 1), (0, 1)):
        total = Fraction(0)
        for side in (1, 2):
            pairs = zip(out[i][side], out[j][side], strict=True)
            size = len(out[i][side])
            shared = sum(((u - out[i][0]) * (v - out[j][0]) for u, v in pairs), Fraction(0))
            total += shared / (size - 1) / size
        moments.append(total)
    return out[0][0], out[1][0], *moments


@pytest.mark.parametrize(
    ("name", "area", "variance"),
    [
        ("wfns", 0.823678861788618, 0.00146991470882363),
        ("ndka", 0.611957994579946, 0.0031908105493913),
        ("s100b", 0.731368563685637, 0.00266868245717244),
    ],
)
def test_variances_of_proc(name, area, variance):
    """The variances that the tests of pROC 1.19 expect."""
    found = delong(cm.sweep(POOR, SCORES[name]))
    assert np.allclose(found, (area, variance), rtol=1e-13, atol=0)


@pytest.mark.parametrize(
    ("a", "b", "covariance", "z"),
    [
        ("wfns", "ndka", -0.000532967856762438, 2.79777591868904),
        ("ndka", "s100b", -0.000756164938056579, -1.39077002573558),
        ("s100b", "wfns", 0.00119615567376754, -2.20898359144091),
    ],
)
def test_covariances_of_proc(a, b, covariance, z):
    """The covariances and paired statistics that the tests of pROC 1.19 expect."""
    found = paired_delong(POOR, SCORES[a], SCORES[b])
    assert math.isclose(found.cov, covariance, rel_tol=1e-12)
    spread = math.sqrt(found.var_a + found.var_b - 2 * found.cov)
    assert math.isclose((found.auc_a - found.auc_b) / spread, z, rel_tol=1e-12)
    assert math.isclose(found.var_a, delong(cm.sweep(POOR, SCORES[a]))[1], rel_tol=1e-13)


rows = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4), st.integers(-3, 3), st.integers(1, 3)),
    min_size=4,
    max_size=14,
).filter(lambda some: sum(y for y, *_ in some) >= 2 and sum(not y for y, *_ in some) >= 2)


@given(rows)
def test_exact_fractions_of_all_pairs(some):
    y, a, b, _ = map(np.array, zip(*some, strict=True))
    wanted = [float(x) for x in by_all_pairs(y, a, b)]
    assert np.allclose(paired_delong(y, a.astype(np.float32), b), wanted, rtol=1e-12, atol=1e-15)
    assert np.allclose(delong(cm.sweep(y, a)), wanted[::2][:2], rtol=1e-12, atol=1e-15)


@given(rows)
def test_integer_weights_are_counts(some):
    y, a, b, w = map(np.array, zip(*some, strict=True))
    wanted = paired_delong(*(np.repeat(x, w) for x in (y, a, b)))
    assert np.allclose(paired_delong(y, a, b, w), wanted, rtol=1e-12, atol=1e-15)
    one = delong(cm.sweep(y, a, sample_weight=w))
    assert np.allclose(one, (wanted.auc_a, wanted.var_a), rtol=1e-12, atol=1e-15)


@given(rows, st.sampled_from([0.25, 1.0, 3.0]))
def test_equal_float_weights_change_nothing(some, weight):
    y, a, b, _ = map(np.array, zip(*some, strict=True))
    weights = np.full(len(y), weight)
    plain = paired_delong(y, a, b)
    assert np.allclose(paired_delong(y, a, b, weights), plain, rtol=1e-12, atol=1e-15)
    # Nor do rows that weigh nothing.
    more = [np.append(x, x[:2]) for x in (y, a, b)]
    found = paired_delong(*more, np.append(weights, [0.0, 0.0]))
    assert np.allclose(found, plain, rtol=1e-12, atol=1e-15)


@given(rows)
def test_laws(some):
    """Scores change places; the order alone counts; classes and order turn together."""
    y, a, b, _ = map(np.array, zip(*some, strict=True))
    found = paired_delong(y, a, b)
    turned = paired_delong(y, b, a)
    assert (turned.auc_a, turned.var_b, turned.cov) == pytest.approx(
        (found.auc_b, found.var_a, found.cov), rel=1e-12, abs=1e-15
    )
    assert np.allclose(paired_delong(y, np.exp(a), b), found, rtol=1e-12, atol=1e-15)
    assert np.allclose(paired_delong(~y, -a, -b), found, rtol=1e-12, atol=1e-15)
    same = paired_delong(y, a, a)
    assert same.var_a == pytest.approx(same.cov, rel=1e-12, abs=1e-15)
    assert np.linalg.eigvalsh([[found[2], found[4]], [found[4], found[3]]]).min() >= -1e-15


def test_float_weights_by_definition():
    rng = np.random.default_rng(3)
    y, a, w = rng.random(60) < 0.4, rng.integers(0, 9, 60), rng.random(60)
    found = paired_delong(y, a, a, w)
    placed = (a[:, None] > a) + (a[:, None] == a) / 2
    variance = 0.0
    for side, table in ((y, placed), (~y, placed.T)):
        other = ~side
        v = (table[np.ix_(side, other)] * w[other]).sum(1) / w[other].sum()
        u = w[side] / w[side].sum()
        variance += (u**2 * (v - u @ v) ** 2).sum() / (1 - (u**2).sum())
        assert found.auc_a == pytest.approx(u @ v, rel=1e-12)
    assert found.var_a == pytest.approx(variance, rel=1e-12)
    assert cm.sweep(y, a, sample_weight=w).roc_auc == pytest.approx(found.auc_a, rel=1e-12)
    assert delong(cm.sweep(y, a, sample_weight=w))[1] == pytest.approx(variance, rel=1e-12)


def test_variance_of_weighted_areas_is_right_on_average():
    """Of 2,000 samples the areas vary as much as the mean estimate says, within 10 %."""
    rng = np.random.default_rng(5)
    areas, variances = [], []
    for _ in range(2000):
        y = np.arange(120) < 50
        a, w = rng.normal(size=120) + y, rng.exponential(size=120)
        found = paired_delong(y, a, a, w)
        areas.append(found.auc_a)
        variances.append(found.var_a)
    assert np.mean(variances) == pytest.approx(np.var(areas), rel=0.1)


def test_bins_tie_their_rows():
    rng = np.random.default_rng(7)
    y, scores = rng.random(500) < 0.3, rng.random(500)
    edges = np.linspace(0, 1, 8)
    binned = delong(cm.sweep(y, scores, bins=edges))
    tied = delong(cm.sweep(y, np.digitize(scores, edges)))
    assert binned == tied


@pytest.mark.parametrize(
    ("y", "scores", "wanted"),
    [
        ([], [], (math.nan, math.nan)),
        ([1, 1], [0.2, 0.3], (math.nan, math.nan)),
        ([0, 1], [0.2, 0.3], (1.0, math.nan)),
        ([0, 0, 1], [0.2, 0.3, 0.25], (0.5, math.nan)),
        ([0, 0, 1, 1], [0.2, 0.3, 0.4, 0.5], (1.0, 0.0)),
        ([0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], (0.5, 0.0)),
    ],
)
def test_few_rows(y, scores, wanted):
    y, scores = np.array(y, bool), np.array(scores)
    assert delong(cm.sweep(y, scores)) == pytest.approx(wanted, nan_ok=True)
    found = paired_delong(y, scores, scores)
    assert found[::2][:2] == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize("kind", [list, np.array])
def test_any_labels(kind):
    y, a, b = ["n", "p", "n", "p"], [1, 2, 3, 4], [2.0, 2.0, 3.0, 1.0]
    found = paired_delong(kind(y), kind(a), kind(b), pos_label="p")
    assert found == paired_delong([0, 1, 0, 1], a, b)


def test_refusals():
    y, a = [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(InputError, match="null or nan at row 2 of `b`"):
        paired_delong(y, a, [1.0, 2.0, None, 1.0])
    with pytest.raises(InputError, match="null or nan at row 0 of `a`"):
        paired_delong(y, [math.nan, *a[1:]], a)
    with pytest.raises(InputError, match="null or nan at row 3 of `y_true`"):
        paired_delong([0, 1, 0, None], a, a)
    with pytest.raises(InputError):
        paired_delong(y, a, a[:3])
    with pytest.raises(InputError):
        paired_delong(y, a, a, [1.0, -1.0, 1.0, 1.0])


def test_near_one():
    """An area that differs from 1 by one pair of 10^12 keeps its variance."""
    m = 1_000_000
    state = cm.sweep(
        [1, 0, 1, 0], [3, 2, 1, 0], sample_weight=np.array([m - 1, 1, 1, m - 1], np.int64)
    )
    area, variance = delong(state)
    lost = Fraction(1, m * m)
    # One positive and one negative lack 1 / m, the others nothing.
    exact = 2 * (Fraction(1, m * m) - m * lost**2) / m / (m - 1)
    assert area == 1 - float(lost)
    assert variance == pytest.approx(float(exact), rel=1e-9)


def test_pairs_of_permutations():
    """Of every order of 5 scores of 2 and 3 rows, against all pairs."""
    y = np.array([True, False, True, False, False])
    b = np.arange(5)
    for order in itertools.permutations(range(5)):
        wanted = [float(x) for x in by_all_pairs(y, order, b)]
        assert np.allclose(paired_delong(y, np.array(order), b), wanted, rtol=1e-12, atol=1e-15)
