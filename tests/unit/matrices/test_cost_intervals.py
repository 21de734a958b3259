"""Intervals of the cost of all rows: delta method, rates, coverage, other shares and labels."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat.errors import InputError
from confmat.intervals.wilson import wilson

Z = 1.959963984540054
COST = np.array([[0, 1], [5, 0]])
THREE = np.array([[0, 1, 10.0], [2, 0, 3], [20, 4, 0]])
SHARES = np.array([[0.5, 0.06, 0.04], [0.02, 0.2, 0.03], [0.01, 0.02, 0.12]])


def test_of_many_rows_it_is_that_of_the_delta_method():
    for costs in (THREE, -THREE, THREE - 2.5, np.arange(9.0).reshape(3, 3) ** 2):
        m = cm.ConfusionMatrix((SHARES * 10_000_000).astype(np.int64))
        value, low, high, se, method = m.cost(costs, ci=0.95)
        mean = (SHARES * costs).sum()
        wanted = math.sqrt(m.n * ((SHARES * costs**2).sum() - mean**2))
        assert value == m.cost(costs)
        assert se == pytest.approx(wanted, rel=1e-6)
        assert (value - low, high - value) == pytest.approx((Z * wanted, Z * wanted), rel=0.01)
        assert method == "mover"


def test_weights_count_by_their_squares():
    rng = np.random.default_rng(1)
    n = 100_000
    y, p = rng.integers(0, 3, (2, n))
    w = rng.exponential(size=n) * (1 + 3 * (y == 2))
    m = cm.confusion_matrix(y, p, sample_weight=w)
    found = m.cost(THREE, ci=0.95)
    mean = (w * THREE[y, p]).sum() / w.sum()
    wanted = math.sqrt((w**2 * (THREE[y, p] - mean) ** 2).sum())
    assert found.se == pytest.approx(wanted, rel=1e-6)
    assert found.high - found.low == pytest.approx(2 * Z * wanted, rel=0.01)


def test_one_price_of_errors_is_a_rate():
    m = cm.ConfusionMatrix([[40, 3], [0, 57]])
    low, high = wilson(3, 100)
    assert m.cost([[0, 7], [7, 0]], ci=0.95)[1:3] == pytest.approx((700 * low, 700 * high))
    sure = cm.ConfusionMatrix([[40, 0], [0, 60]])
    assert sure.cost([[0, 7], [7, 0]], ci=0.95)[1:3] == pytest.approx((0, 700 * wilson(0, 100)[1]))
    # What no row has may be the dearest of it.
    assert sure.cost([[0, 7], [50, 0]], ci=0.95).high >= 5_000 * wilson(0, 100)[1]


def test_at_a_set_share_it_is_that_along_a_sweep():
    rng = np.random.default_rng(2)
    y = rng.random(300) < 0.4
    s = cm.sweep(y, rng.normal(size=300) + y)
    rare = s.at_prevalence(0.05)
    at = rare.cost_curve(COST, thresholds=[0.8], ci=0.9)
    wanted = at.select("cost", "cost_low", "cost_high").row(0)
    for m in (rare.at(0.8), s.at(0.8).at_prevalence(0.05)):
        assert m.cost(COST, ci=0.9)[:3] == pytest.approx(wanted)
    (tn, fp), (fn, tp) = s.at(0.8).counts
    spread = np.hypot(
        0.95 * math.sqrt(fp * tn / (fp + tn) ** 3), 0.05 * 5 * math.sqrt(fn * tp / (fn + tp) ** 3)
    )
    assert rare.at(0.8).cost(COST, ci=0.9).se == pytest.approx(300 * spread)


def test_noise_of_labels_prices_the_rows_as_they_were_counted():
    m = cm.ConfusionMatrix([[500, 100], [50, 350]])
    noise = np.array([[0.9, 0.1], [0.2, 0.8]])
    found = m.with_label_noise(noise).cost(COST, ci=0.9)
    assert found[:4] == pytest.approx(m.cost(noise @ COST, ci=0.9)[:4])
    assert m.without_label_noise([[0.95, 0.05], [0.05, 0.95]]).cost(COST, ci=0.9).low > 0


@pytest.mark.parametrize(
    ("shares", "costs", "n", "prevalence"),
    [
        (np.array([[0.4, 0.1], [0.05, 0.45]]), COST, 200, None),
        (np.array([[0.9, 0.02], [0.01, 0.07]]), COST, 2_000, None),
        (np.array([[0.6, 0.1], [0.05, 0.25]]), COST, 200, [0.98, 0.02]),
        (SHARES, THREE, 200, None),
        (SHARES, THREE, 2_000, [0.2, 0.2, 0.6]),
        (SHARES, THREE - 3, 200, None),
    ],
)
def test_it_covers(shares, costs, n, prevalence):
    """Of 600 samples each; three standard errors from 95 % are 92.3 and 97.7 %."""
    rng = np.random.default_rng(3)
    truth = shares
    if prevalence is not None:
        truth = shares / shares.sum(1, keepdims=True) * np.array(prevalence)[:, None]
    wanted = n * (truth * costs).sum()
    held = 0
    for _ in range(600):
        m = cm.ConfusionMatrix(rng.multinomial(n, shares.ravel()).reshape(shares.shape))
        m = m if prevalence is None else m.at_prevalence(prevalence)
        found = m.cost(costs, ci=0.95)
        held += found.low <= wanted <= found.high
    assert 0.923 <= held / 600 <= 0.977


def test_many_costs_that_few_rows_have():
    """A share of a row or two reaches too little down: alone, such would hold 81 % here."""
    rng = np.random.default_rng(4)
    shares = np.where(np.eye(10, dtype=bool), 0.8, 0.2 / 9) / 10
    costs = 5 * rng.random((10, 10)) * (1 - np.eye(10))
    held = 0
    for _ in range(500):
        m = cm.ConfusionMatrix(rng.multinomial(200, shares.ravel()).reshape(10, 10))
        found = m.cost(costs, ci=0.95)
        held += found.low <= 200 * (shares * costs).sum() <= found.high
    assert held / 500 > 0.9


def test_ends_of_the_range_and_what_has_none():
    m = cm.ConfusionMatrix([[0, 3], [2, 0]])
    value, low, high, _, _ = m.cost([[0, 1], [5, 0]], ci=0.99)
    assert 0 <= low < value < high <= 25
    for none, why in (
        (cm.ConfusionMatrix([[1.5, 2.0], [0.5, 3.0]]), "squared weights are not known"),
        (cm.ConfusionMatrix([[0, 0], [0, 0]]), "there are no rows"),
    ):
        found = none.cost(COST, ci=0.9)
        assert math.isnan(found.low)
        assert found.method == f"none: {why}" or found.method == f"none: the {why}"
    with pytest.raises(InputError, match="`ci` is 95; wanted a number between 0 and 1"):
        m.cost(COST, ci=95)
