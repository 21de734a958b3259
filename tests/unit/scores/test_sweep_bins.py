"""Sweeps in bins: given edges, quantiles, and what is refused."""

import math

import numpy as np
import pytest

import confmat as cm

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize(
    ("bins", "words"),
    [
        (100, '`bins` is 100; wanted "unit", a power of two from 2 to 65536'),
        (1, "`bins` is 1"),
        (131072, "`bins` is 131072"),
        (True, "`bins` is True"),
        (0.5, "`bins` is 0.5"),
        ("auto", "`bins` is 'auto'; wanted \"unit\", a power of two"),
        ([0.5], r"`bins` has shape \(1,\); wanted 2 to"),
        ([[0, 1]], r"`bins` has shape \(1, 2\)"),
        ([0, 1, 1], "`bins` holds 1.0 after 1.0 at position 2; wanted increasing"),
        ([0, math.nan], "`bins` holds nan at position 1; wanted finite"),
        ([0, math.inf], "wanted finite"),
        (["a", "b"], "`bins` is not a list of numbers"),
        (("quantile",), "`bins` is .*quantile"),
        (("quantile", 0), "0 quantiles; wanted 1 to 65536"),
        (("quantile", 2.5), "`bins` is"),
        (("uniform", 5), "`bins` is"),
    ],
)
def test_bad_bins(bins, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(Y, SCORES, bins=bins)


def test_scores_outside_the_edges_have_bins_of_their_own():
    s = cm.sweep([*Y, 1, 0, 1], [*SCORES, -7.0, 1.0, math.inf], bins=[0.2, 0.5, 1.0])
    assert s.lower.tolist() == [1.0, 0.5, 0.2, -math.inf]
    assert s.upper.tolist() == [math.inf, 1.0, 0.5, 0.2]
    assert s.positives.tolist() == [1, 1, 1, 1]
    assert s.negatives.tolist() == [1, 0, 1, 1]
    assert s.at(1.0).counts.tolist() == [[2, 1], [3, 1]]
    assert s.at(0.0, nearest=True) == s.at(0.2)
    assert s.at(3.0, nearest=True) == s.at(1.0)
    assert s.at(math.inf).tp == 0
    assert cm.BinnedSweep.from_bytes(s.to_bytes()) == s
    assert (s + s - s) == s


def test_quantiles():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=20_000)
    y = rng.integers(0, 2, 20_000)
    s = cm.sweep(y, scores, bins=("quantile", 50))
    assert 45 <= len(s) <= 50
    rows = s.positives + s.negatives
    assert rows.sum() == 20_000
    assert s.lower.tolist() == s.bins[-2::-1].tolist()
    assert s.upper.tolist() == s.bins[:0:-1].tolist()
    assert rows.min() > 300
    assert rows.max() < 500
    exact = cm.sweep(y, scores)
    for edge in s.bins[1:-1]:
        assert s.at(edge) == exact.at(edge)
    crowded = np.append(1000 + scores[:-1] / 10, -1.0)  # in one part of 65,536
    narrow = cm.sweep(y, crowded, bins=("quantile", 50))
    assert 45 <= len(narrow) <= 50
    assert (narrow.positives + narrow.negatives).max() < 500
    # The edges found serve for other rows.
    other = cm.sweep(y[:10_000], scores[:10_000], bins=s.bins)
    rest = cm.sweep(y[10_000:], scores[10_000:], bins=s.bins)
    assert other + rest == s
    with pytest.raises(cm.InputError, match="there are no rows"):
        cm.sweep([], [], bins=("quantile", 5))


@pytest.mark.parametrize("bins", ["unit", "unit/3", "float16", 64, 65536])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("weight", [None, np.int64, np.float64])
def test_few_rows_are_binned_as_many(bins, dtype, weight):
    rng = np.random.default_rng(5)
    n = 6_000
    y = rng.integers(0, 2, n)
    s = (rng.random(n) if bins != 64 else rng.normal(size=n)).astype(dtype)
    s[::7] = s[0]
    s[1:4] = [0.0, 1.0, -0.0]
    w = None if weight is None else rng.integers(0, 4, n).astype(weight)

    def of(first, last):
        weights = None if w is None else w[first:last]
        return cm.sweep(y[first:last], s[first:last], bins=bins, sample_weight=weights)

    few = [of(first, first + 1_500) for first in range(0, n, 1_500)]
    assert sum(few[1:], few[0]) == of(0, n)
    assert cm.merge(few).to_bytes() == of(0, n).to_bytes()
    same = cm.sweep(np.tile(y[:900], 5), np.tile(s[:900], 5), bins=bins)  # bins that hold as many
    once = cm.sweep(y[:900], s[:900], bins=bins)
    assert same.is_exact == once.is_exact
    assert np.array_equal(same._state.positives, 5 * once._state.positives)
    assert np.array_equal(same._state.negatives, 5 * once._state.negatives)
    assert same.labels == once.labels
