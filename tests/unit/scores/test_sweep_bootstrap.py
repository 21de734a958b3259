"""Replicates of the metrics of a sweep: their law, seeds, and what is refused."""

import math

import numpy as np
import pytest
from scipy import stats

import confmat as cm
from confmat import _core
from confmat.errors import InputError
from confmat.intervals.bootstrap import bca
from confmat.scores.bootstrapping import accelerations, bootstrap

ANY = ("roc_auc", "average_precision", "ks", "eer", "gini", "pr_auc_trapezoid")
OF_PROBABILITY = ("brier", "log_loss", "ece", "ece(5)", "mce", "rms_ce", "brier_skill")


def rows_of(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    s = rng.random(n)
    y = (rng.random(n) < s).astype(int)
    return y, s if digits is None else s.round(digits)


def test_replicates_are_drawn_within_the_classes():
    y, s = rows_of(400, digits=2)
    sweep = cm.sweep(y, s)
    values, drawn = bootstrap(sweep, (*ANY, *OF_PROBABILITY), 3000, 1)
    rng = np.random.default_rng(2)
    one, other = s[y == 1], s[y == 0]
    again = []
    for _ in range(1500):
        scores = np.append(rng.choice(one, len(one)), rng.choice(other, len(other)))
        redrawn = cm.sweep([1] * len(one) + [0] * len(other), scores)
        again.append([redrawn.value(name) for name in (*ANY, *OF_PROBABILITY)])
    np.testing.assert_allclose(drawn.std(0), np.std(again, 0), rtol=0.09)
    np.testing.assert_allclose(drawn.mean(0), np.mean(again, 0), atol=4e-3)
    np.testing.assert_allclose(values, [sweep.value(name) for name in (*ANY, *OF_PROBABILITY)])


def test_together_the_share_of_positives_varies():
    y, s = rows_of(300)
    sweep = cm.sweep(y, s)
    apart = bootstrap(sweep, "brier_skill", 4000, 1)[1]
    together = bootstrap(sweep, ["brier", "roc_auc"], 4000, 1, stratified=False)[1]
    rng = np.random.default_rng(3)
    again = []
    for at in rng.integers(0, 300, (1500, 300)):
        redrawn = cm.sweep(y[at], s[at])
        again.append([redrawn.brier, redrawn.roc_auc])
    np.testing.assert_allclose(together.std(0), np.std(again, 0), rtol=0.08)
    assert apart.std() > 0


@pytest.mark.parametrize("digits", [None, 3, 1])
def test_auc_varies_as_delong_says(digits):
    """Of distinct scores, of a few rows each, of many."""
    y, s = rows_of(3000, 5, digits)
    sweep = cm.sweep(y, s)
    one, other = s[y == 1], s[y == 0]
    above = stats.rankdata(np.append(one, other))[: len(one)] - stats.rankdata(one)
    below = len(one) - (stats.rankdata(np.append(other, one))[: len(other)] - stats.rankdata(other))
    variance = (above / len(other)).var() / len(one) + (below / len(one)).var() / len(other)
    drawn = bootstrap(sweep, "roc_auc", 3000, 2)[1]
    assert drawn.std() == pytest.approx(math.sqrt(variance), rel=0.05)


def test_a_metric_and_one_of_probabilities_see_the_same_draws():
    y, s = rows_of(500)
    sweep = cm.sweep(y, s, bins=1 << 16)
    both = bootstrap(sweep, ["brier", "roc_auc", "brier"], 50, 4)[1]
    assert (both[:, 0] == both[:, 2]).all()
    assert (both[:, 0] == bootstrap(sweep, "brier", 50, 4)[1][:, 0]).all()
    assert (both[:, 1] == bootstrap(sweep, "roc_auc", 50, 4)[1][:, 0]).all()
    assert np.corrcoef(both[:, 0], both[:, 1])[0, 1] < -0.5


def test_seeds_decide_and_threads_do_not():
    y, s = rows_of(20_000)
    sweep = cm.sweep(y, s)
    names = ["roc_auc", "ks", "log_loss"]
    one = bootstrap(sweep, names, 20, 7)[1]
    assert one.tobytes() == bootstrap(sweep, names, 20, 7)[1].tobytes()
    assert one[:5].tobytes() == bootstrap(sweep, names, 5, 7)[1].tobytes()
    assert one.tobytes() != bootstrap(sweep, names, 20, 8)[1].tobytes()
    parts = (sweep._at, sweep.positives, sweep.negatives)
    found = [
        _core.score_replicates(names, *parts, replicates=20, seed=7, threads=threads).tobytes()
        for threads in (1, 2, 5)
    ]
    assert set(found) == {one.tobytes()}


def test_huge_bins_are_drawn():
    parts = (
        np.array([0.9, 0.5, 0.1]),
        np.array([2**60, 2**59, 7], np.uint64),
        np.array([3, 2**58, 2**59], np.uint64),
    )
    drawn = _core.score_replicates(["roc_auc", "brier"], *parts, replicates=50, seed=0)
    expected = _core.score_values(["roc_auc", "brier"], *parts)
    np.testing.assert_allclose(drawn, np.tile(expected, (50, 1)), atol=1e-7)
    assert len(np.unique(drawn[:, 0])) > 25


def test_replicates_without_a_class_are_nan():
    one_class = cm.sweep([1, 1, 1], [0.2, 0.4, 0.9])
    values, drawn = bootstrap(one_class, ["roc_auc", "brier"], 50, 0)
    assert np.isnan(values[0])
    assert np.isnan(drawn[:, 0]).all()
    assert not np.isnan(drawn[:, 1]).any()
    rare = cm.sweep([1] + [0] * 20, np.linspace(1, 0, 21))
    missing = np.isnan(bootstrap(rare, "roc_auc", 4000, 0, stratified=False)[1]).mean()
    assert missing == pytest.approx((20 / 21) ** 21, abs=0.03)


@pytest.mark.parametrize("stratified", [True, False])
def test_accelerations_are_those_of_all_rows(stratified):
    y, s = rows_of(1500, 3)
    s = s**3
    sweep = cm.sweep(y, s)
    names = ("roc_auc", "brier", "log_loss", "average_precision")
    found = accelerations(sweep, names, stratified=stratified)
    less = []
    for at in range(len(y)):
        kept = np.delete(np.arange(len(y)), at)
        less.append(list(cm.sweep(y[kept], s[kept]).values(names).values()))
    gap = -np.array(less)
    for group in [y == 0, y == 1] if stratified else [y >= 0]:
        gap[group] -= gap[group].mean(0)
    expected = (gap**3).sum(0) / 6 / ((gap**2).sum(0)) ** 1.5
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_coverage_of_a_seeded_simulation():
    """500 samples: intervals of the AUC of two normal classes, which is Phi(1 / sqrt 2)."""
    auc = float(stats.norm.cdf(1 / math.sqrt(2)))
    rng = np.random.default_rng(12)
    held = 0
    y = [1] * 40 + [0] * 60
    for seed in range(500):
        s = np.append(rng.normal(1, 1, 40), rng.normal(0, 1, 60))
        sweep = cm.sweep(y, s)
        value, drawn = bootstrap(sweep, "roc_auc", 400, seed)
        low, high, _ = bca(value, drawn, accelerations(sweep, "roc_auc"), 0.9)
        held += low[0] <= auc <= high[0]
    assert 0.86 <= held / 500 <= 0.94


def test_hostile_arguments():
    y, s = rows_of(50)
    sweep = cm.sweep(y, s)
    for replicates in (0, -1, 2.5, True, "many", 10**9):
        with pytest.raises(InputError, match="`replicates` is"):
            bootstrap(sweep, "roc_auc", replicates, 0)
    for seed in (-1, 2**64, 1.0, "1"):
        with pytest.raises(InputError, match="`seed` is"):
            bootstrap(sweep, "roc_auc", 5, seed)
    with pytest.raises(InputError, match="no_metric"):
        bootstrap(sweep, "no_metric", 5, 0)
    with pytest.raises(InputError, match="partial_auc"):
        bootstrap(sweep, "partial_auc", 5, 0)
    with pytest.raises(InputError, match="squares are not known"):
        bootstrap(sweep.at_prevalence(0.1), "roc_auc", 5, 0)
    for outside in (cm.sweep(y, s * 3), cm.sweep(y, s * 3, bins=4096)):
        with pytest.raises(InputError, match="probabilities"):
            bootstrap(outside, "brier", 5, 0)
        assert bootstrap(outside, "roc_auc", 5, 0)[1].shape == (5, 1)


def test_core_refuses_what_does_not_fit():
    parts = (np.array([0.9, 0.5]), np.array([1, 2], np.uint32), np.array([3, 0], np.uint32))
    with pytest.raises(InputError):
        _core.score_replicates(["roc_auc"], *parts, replicates=-1, seed=0)
    floats = (parts[0], parts[1] * 0.5, parts[2] * 0.5)
    with pytest.raises(InputError, match="those of their squares"):
        _core.score_replicates(["roc_auc"], *floats, replicates=1, seed=0)
    many = (parts[0], np.array([2**62, 1], np.uint64), np.array([3, 0], np.uint64))
    with pytest.raises(InputError, match=r"2\^62"):
        _core.score_replicates(["roc_auc"], *many, replicates=1, seed=0)
