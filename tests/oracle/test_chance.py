"""Values near those of guessing against exact fractions, and matrices of sweeps with weights."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from oracle.ratios import Exact

import confmat as cm

NAME = "balanced_accuracy_adjusted"


def exact_of(cells):
    """Return the sum of recalls less one over one less than their number, of any cells."""
    rows = [[Fraction(x) for x in row] for row in cells.tolist()]
    recalls = [row[i] / sum(row) for i, row in enumerate(rows) if sum(row)]
    return (sum(recalls) - 1) / (len(recalls) - 1)


def near_guessing(k, seed, top=10**6):
    """Draw tables whose recalls sum to nearly one, and some whose recalls do exactly."""
    rng = np.random.default_rng([k, seed])
    for _ in range(20):
        share = rng.dirichlet(np.ones(k))
        size = rng.integers(top // 2, top, k)
        tp = np.minimum((share * size).round().astype(np.int64), size)
        table = np.diag(tp)
        for i in range(k):
            table[i, (i + 1) % k] += size[i] - tp[i]
        yield table
        yield np.full((k, k), rng.integers(1, top))
        line = rng.integers(1, 99, k)
        yield np.outer(rng.integers(1, 99, k), line)  # of no information


@pytest.mark.parametrize("k", [2, 3, 7, 40])
@pytest.mark.parametrize("top", [10**3, 10**6, 2**40])
def test_counts(k, top):
    for table in near_guessing(k, 1, top):
        wanted = Exact(table).whole()[NAME]
        got = Fraction(cm.ConfusionMatrix(table).value(NAME))
        assert abs(got - wanted) <= abs(wanted) * Fraction(1, 10**13), table.tolist()


@pytest.mark.parametrize("k", [2, 3, 7])
def test_weights(k):
    rng = np.random.default_rng(k)
    for table in near_guessing(k, 2, 10**5):
        for cells in (table / 8, table * rng.uniform(1, 1 + 1e-9), table * 0.1):
            wanted = exact_of(cells)
            got = Fraction(cm.ConfusionMatrix(cells).value(NAME))
            assert abs(got - wanted) <= abs(wanted) * Fraction(1, 10**13), cells.tolist()


def test_a_class_without_rows_and_a_stand_in():
    table = np.array([[10, 20, 0], [21, 40, 1], [0, 0, 0]])
    m = cm.ConfusionMatrix(table)
    wanted = exact_of(table)
    assert m.value(NAME) == pytest.approx(float(wanted), rel=1e-13)
    recalls = [Fraction(1, 3), Fraction(40, 62), Fraction(1, 4)]
    filled = (sum(recalls) - 1) / 2
    assert m.value(NAME, undefined=0.25) == pytest.approx(float(filled), rel=1e-12)


def test_every_door_has_the_same_digits():
    rng = np.random.default_rng(5)
    n = 3_000
    frame = pl.DataFrame(
        {"y": rng.integers(0, 2, n), "p": rng.integers(0, 2, n), "g": rng.integers(0, 9, n)}
    )
    wanted = cm.confusion_matrix(frame["y"], frame["p"]).value(NAME)
    assert frame.cm.evaluate("y", "p", metrics=[NAME])[NAME].item() == wanted
    assert frame.select(cm.metric(NAME, "y", "p")).item() == wanted
    s = cm.sweep(frame["y"], frame["p"] + rng.random(n))
    at = s.table([NAME])
    for row in at.sample(50, seed=1).iter_rows(named=True):
        assert row[NAME] == s.at(row["threshold"]).value(NAME)
        assert row[NAME] == s.at(row["threshold"]).value("informedness")


@pytest.mark.parametrize("bins", [None, "float16", [0.0, 0.25, 0.5, 1.0]])
@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_cells_of_a_weighted_sweep_are_sums(bins, scale):
    """Not totals less the others: those would lose the digits of a small cell."""
    rng = np.random.default_rng(6)
    n = 400
    truth, scores = rng.integers(0, 2, n), rng.random(n).astype(np.float16)
    weight = 10.0 ** rng.uniform(-12, 3, n) * scale
    s = cm.sweep(truth, scores, sample_weight=weight, bins=bins)
    exact = list(map(Fraction, weight.tolist()))
    for threshold in [0.25, 0.5, 1.0] if isinstance(bins, list) else [*s.scores[::9], 2.0]:
        m = s.at(threshold)
        for i in (0, 1):
            for j in (0, 1):
                here = (truth == i) & ((scores >= threshold) == j)
                wanted = sum((exact[at] for at in np.flatnonzero(here)), Fraction(0))
                got = Fraction(float(m.counts[i, j]))
                assert abs(got - wanted) <= wanted * Fraction(1, 10**13), (threshold, i, j)


def test_cells_of_many_weights():
    rng = np.random.default_rng(7)
    n = 200_000
    weight = 10.0 ** rng.uniform(-9, 3, n)
    scores = np.argsort(np.argsort(-weight)) / n  # the largest weights have the least scores
    s = cm.sweep(np.ones(n, dtype=np.int8), scores, sample_weight=weight)
    for threshold in (0.1, 0.5, 0.9):
        found = s.at(threshold).counts[1]
        for got, here in zip(found, (scores < threshold, scores >= threshold), strict=True):
            assert abs(got - math.fsum(weight[here])) <= 1e-13 * got
