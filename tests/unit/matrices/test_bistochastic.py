"""Rows and columns scaled to 1: how far cells may lie apart, and which zeros forbid it."""

from itertools import permutations, product

import numpy as np
import pytest

import confmat as cm


def scaled(table):
    return cm.ConfusionMatrix(table).normalize("bistochastic")


def check(shares):
    assert abs(shares.sum(axis=0) - 1).max() < 1e-12
    assert abs(shares.sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize(
    "table",
    [
        [[8, 2], [3, 7]],
        [[98_900, 1_000], [40, 60]],
        [[10**9, 10], [3, 5]],
        [[2**61, 1], [1, 1]],
        [[1, 2**61], [1, 1]],
        [[1.0, 1e-10], [1e-10, 1e-10]],
    ],
)
def test_two_classes_keep_their_odds_ratio(table):
    (a, b), (c, d) = table
    root = (a * d / (b * c)) ** 0.5
    shares = scaled(table)
    check(shares)
    np.testing.assert_allclose(shares[0], [root / (1 + root), 1 / (1 + root)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("k", [3, 5, 30])
def test_cells_far_apart_keep_their_odds_ratios(k):
    table = np.exp(np.random.default_rng(k).normal(0, 8, (k, k)))
    shares = scaled(table)
    check(shares)
    logs = np.log(shares) - np.log(table)  # a term a row and one a column
    logs -= logs.mean(axis=0)
    logs -= logs.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(logs, 0, atol=1e-6)


def test_zeros_of_three_classes():
    """Each cell above 0 must be on a permutation of such cells: told apart in all 512 tables."""
    for cells in product([0, 7], repeat=9):
        table = np.reshape(cells, (3, 3))
        on = np.zeros((3, 3), bool)
        for order in permutations(range(3)):
            if table[range(3), order].all():
                on[range(3), order] = True
        if table.any() and (on == (table > 0)).all():
            check(scaled(table))
        else:
            with pytest.raises(cm.InputError, match="too many zeros"):
                scaled(table)


def test_blocks_and_no_diagonal():
    table = np.zeros((6, 6), np.int64)
    table[:2, 4:], table[2:, :4] = [[1, 10**6], [1, 1]], 1 + np.arange(16).reshape(4, 4)
    check(scaled(table))
    table[0, 0] = 1  # on no permutation
    with pytest.raises(cm.InputError, match="too many zeros"):
        scaled(table)


def test_cells_over_hundreds_of_powers_of_ten():
    rng = np.random.default_rng(4)
    for k in (2, 3, 5):
        for _ in range(40):
            check(scaled(10.0 ** rng.integers(-140, 141, (k, k))))


def test_rounding_of_many_cells_is_no_reason_to_go_on():
    k = 2394  # rows of so many cells sum to 1 within 1.2e-13 at best
    check(scaled(np.ones((k, k), int) + 7181 * np.eye(k, dtype=int)))


def test_cells_that_leave_the_doubles_are_refused_or_right():
    np.testing.assert_allclose(scaled([[1e-310, 1e-310], [1.0, 1.0]]), 0.5, rtol=1e-12)
    k, refused = 53, []
    at, after = np.arange(k), (np.arange(k) + 1) % k
    for seed in range(20):
        powers = np.random.default_rng(seed).uniform(-250, 0, (2, k))
        table = np.zeros((k, k))
        table[at, at], table[at, after] = 10.0**powers
        odds = 10.0 ** (powers[0].mean() - powers[1].mean())
        try:
            shares = scaled(table)
        except cm.InputError as error:
            refused.append(str(error))
        else:
            np.testing.assert_allclose(shares[at, at], odds / (1 + odds), rtol=1e-6, atol=1e-9)
    assert 0 < len(refused) < 20
    assert all("its cells lie too far apart" in why for why in refused)
