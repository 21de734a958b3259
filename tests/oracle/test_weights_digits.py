"""Ratios of float weights against exact fractions of the same floats, in ulp.

Beside a class with nearly all the weight, a total minus its parts would keep few digits: errors
and true negatives have to be sums of the cells they are about.
"""

import numpy as np
import pytest
from oracle.ratios import CLASS, Exact
from oracle.test_huge_cells import ulps

from confmat import _core

NAMES = ("tn", "specificity", "npv", "fpr", "for_rate", "f1_negative", "error_binary", "recall")
ERRORS = ("error", "hamming_loss", "zero_one_loss")


def tables(k):
    """Return sums of weights: even, of very different sizes, with zeros, with one large class."""
    rng = np.random.default_rng(k)
    for _ in range(20):
        yield rng.random((k, k))
        yield 10 ** rng.uniform(-12, 3, (k, k))
        yield np.where(rng.random((k, k)) < 0.4, 0.0, rng.random((k, k))) + 0.1 * np.eye(k)
        one = rng.random((k, k)) * 1e-9
        at = rng.integers(k)
        one[at, at] = 89.17708461181964
        yield one


class Weights(Exact):
    """The same definitions for floats, each of which is a fraction."""

    def __init__(self, table):
        exact = [[value.as_integer_ratio() for value in line] for line in table.tolist()]
        self.below = max(bottom for line in exact for _, bottom in line)
        super().__init__([[top * (self.below // bottom) for top, bottom in line] for line in exact])


@pytest.mark.parametrize("k", [2, 3, 7])
def test_each_class(k):
    for table in tables(k):
        got, exact = _core.Asks(list(NAMES)).per_class(table), Weights(table)
        for at, name in enumerate(NAMES):
            for i in range(k):
                wanted = CLASS[name](*exact.one_vs_rest(i))
                if name == "tn":
                    wanted /= exact.below
                assert ulps(got[i, at], wanted) <= 8, (name, i, table.tolist())


@pytest.mark.parametrize("k", [2, 3, 7])
def test_errors(k):
    for table in tables(k):
        wanted = 1 - Weights(table).whole()["accuracy"]
        for got in _core.Asks(list(ERRORS)).values(table, [str(i) for i in range(k)]):
            assert ulps(got, wanted) <= 8, table.tolist()


def test_many_classes():
    table = 10 ** np.random.default_rng(0).uniform(-9, 9, (60, 60))
    exact, got = Weights(table), _core.Asks(["tn"]).per_class(table)[:, 0]
    for i in range(60):
        assert ulps(got[i], CLASS["tn"](*exact.one_vs_rest(i)) / exact.below) <= 60
