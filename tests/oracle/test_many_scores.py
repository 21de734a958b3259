"""Rank metrics of thousands of distinct scores against exact fractions.

The core sums in blocks of scores; small counts, large ones and totals take different loops.
"""

from fractions import Fraction
from itertools import accumulate
from math import fsum

import numpy as np
import pytest

from confmat import _core

SIZE = 6_001  # no multiple of a block
NAMES = ["roc_auc", "gini", "ks", "average_precision", "pr_auc_trapezoid"]


def random_counts(most, seed):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, most, SIZE, endpoint=True).astype(np.uint64) for _ in range(2)]


def separated(positive_first):
    """Return counts whose distance is largest in the middle, with nearly every score of a side."""
    high = np.where(np.arange(SIZE) < SIZE // 2 + 37, 3, 1)
    low = 4 - high
    sides = (high, low) if positive_first else (low, high)
    return [side.astype(np.uint64) for side in sides]


def headed(positives, negatives):
    """Return small counts below a first score of many rows."""
    counts = random_counts(3, 5)
    counts[0][0], counts[1][0] = positives, negatives
    return counts


def empty_scores_first():
    """Return counts without a row in the first 2,500 scores."""
    counts = random_counts(2, 7)
    for side in counts:
        side[:2_500] = 0
    return counts


CASES = {
    "ones": random_counts(1, 1),
    "small": random_counts(3, 2),
    "blocks beyond 31 bits": random_counts(2**24, 3),
    "one block beyond 31 bits": headed(2**31, 2**31 - 7),
    "positives beyond 31 bits": headed(2**33, 3),
    "products beyond 63 bits": headed(2**33, 2**32),
    "totals beyond 52 bits": headed(2**49 - 1, 5),
    "positives above": separated(True),
    "negatives above": separated(False),
    "empty scores first": empty_scores_first(),
}


def exact(positives, negatives):
    p, n = positives.tolist(), negatives.tolist()
    tp, fp = list(accumulate(p)), list(accumulate(n))
    total = tp[-1] * fp[-1]
    pairs = sum(at * (2 * all_ - own) for at, all_, own in zip(n, tp, p, strict=True))
    gaps = (abs(t * fp[-1] - f * tp[-1]) for t, f in zip(tp, fp, strict=True))
    precision = [t / (t + f) if t + f else 1.0 for t, f in zip(tp, fp, strict=True)]
    before = [1.0, *precision[:-1]]
    middle = [(a + b) / 2 for a, b in zip(before, precision, strict=True)]
    return {
        "roc_auc": float(Fraction(pairs, 2 * total)),
        "gini": float(Fraction(pairs - total, total)),
        "ks": float(Fraction(max(gaps), total)),
        "average_precision": fsum(a * b for a, b in zip(p, precision, strict=True)) / tp[-1],
        "pr_auc_trapezoid": fsum(a * b for a, b in zip(p, middle, strict=True)) / tp[-1],
    }


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_against_fractions(name, dtype):
    counts = CASES[name]
    if max(side.max() for side in counts) > np.iinfo(dtype).max:
        dtype = np.uint64
    scores = np.arange(SIZE, 0, -1.0)
    found = _core.score_values(NAMES, scores, *(side.astype(dtype) for side in counts))
    wanted = exact(*counts)
    for metric, value in zip(NAMES, found, strict=True):
        if metric in ("average_precision", "pr_auc_trapezoid"):
            assert value == pytest.approx(wanted[metric], rel=4e-16), metric
        else:
            assert value == wanted[metric], metric


@pytest.mark.parametrize("at", [1, 65_535, 65_536, 65_537, 131_072, 299_999])
def test_the_order_of_very_many_scores_is_checked(at):
    scores = np.arange(300_000, 0, -1.0)
    scores[at] = scores[at - 1]
    ones = np.ones(len(scores), np.uint32)
    with pytest.raises(ValueError, match=f"at position {at}: wanted distinct numbers"):
        _core.score_values(["roc_auc"], scores, ones, ones)
