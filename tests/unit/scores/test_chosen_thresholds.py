"""Intervals of a metric at the threshold that is best for it on the same rows."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

import confmat as cm
from confmat.scores.thresholds import Best

COST = [[0, 1], [5, 0]]
SHIFT = 1.2


def drawn(seed, n=200, share=0.4):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return y, rng.normal(size=n) + SHIFT * y


def f1_of(tp, fp, p):
    return 2 * tp / (tp + fp + p)


def gains_by_rows(y, scores, draws, seed, prevalence=None):
    """Return what choosing again gains of F1, on the logit scale, from rows drawn one by one."""
    rng = np.random.default_rng(seed)
    order = np.argsort(-scores)
    y = y[order]
    rows = np.ones(len(y))
    if prevalence is not None:
        rows = np.where(y, prevalence / y.mean(), (1 - prevalence) / (1 - y.mean()))
    known = f1_of(np.cumsum(y * rows), np.cumsum(~y * rows), (y * rows).sum())
    gains = []
    for _ in range(draws):
        if prevalence is None:
            at = rng.integers(0, len(y), len(y))
        else:
            at = np.concatenate(
                [rng.choice(np.flatnonzero(y == c), (y == c).sum()) for c in (0, 1)]
            )
        w = np.bincount(at, minlength=len(y)) * rows
        values = f1_of(np.cumsum(w * y), np.cumsum(w * ~y), (w * y).sum())
        place = int(values.argmax())
        gains.append(logit(values[place]) - logit(known[place]))
    return float(np.median(gains))


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_what_is_taken_off_is_what_choosing_again_gains(prevalence):
    y, scores = drawn(1, 300)
    s = cm.sweep(y, scores)
    s = s if prevalence is None else s.at_prevalence(prevalence)
    found = s.best("f1", ci=0.9, seed=2, replicates=4_000)
    assert found[:2] == s.best("f1")
    alone = s.at(found.threshold).ci("f1", 0.9)
    moves = logit(alone[:3]) - logit(found.interval[:3])
    gain = gains_by_rows(y, scores, 4_000, 3, prevalence)
    assert gain > 0.02
    np.testing.assert_allclose(moves, gain, rtol=0.08)
    assert found.interval.se == alone.se
    assert found.interval.method == f"{alone.method}, less optimism"


def test_it_covers_where_the_interval_at_the_threshold_does_not():
    """Of 300 samples; three standard errors below 95 % are 91.2 %."""
    held = np.zeros((2, 2))
    for seed in range(300):
        s = cm.sweep(*drawn(seed), pos_label=True)
        for at, name in enumerate(("f1", "mcc")):
            t, _, interval = s.best(name, ci=0.95, seed=seed, replicates=100)
            tpr, fpr = stats.norm.sf(t - SHIFT), stats.norm.sf(t)
            cells = [[0.6 * (1 - fpr), 0.6 * fpr], [0.4 * (1 - tpr), 0.4 * tpr]]
            truth = cm.ConfusionMatrix(np.array(cells)).value(name)
            for row, found in enumerate((interval, s.at(t).ci(name))):
                held[row, at] += found.low <= truth <= found.high
    assert (held[0] >= 0.912 * 300).all(), held / 300
    assert (held[1] < 0.912 * 300).all(), held / 300


def test_of_costs_the_choice_flatters_the_other_way():
    s = cm.sweep(*drawn(4))
    total, mean = (s.best(name, COST, ci=0.9, seed=1) for name in ("cost", "mean_cost"))
    assert mean.interval.value > mean.value == pytest.approx(total.value / s.n)
    assert np.array(total.interval[1:3]) / s.n == pytest.approx(mean.interval[1:3])
    at = s.cost_curve(COST, thresholds=[mean.threshold], ci=0.9)
    low, high = at.select("mean_cost_low", "mean_cost_high").row(0)
    moves = logit(np.array([low, high]) / 5) - logit(np.array(mean.interval[1:3]) / 5)
    assert moves[0] == pytest.approx(moves[1])
    assert moves[0] < 0


def test_one_threshold_to_choose_from_gains_nothing():
    s = cm.sweep(*drawn(5, 400))
    for options in ({"thresholds": [0.4]}, {"thresholds": [0.4], "subject_to": {"recall": 0.2}}):
        found = s.best("f1", ci=0.9, seed=1, **options)
        # Not chosen: the median of what the draws differ by is theirs alone, about a third of a
        # standard error of the median of 200.
        plain = s.at(0.4).ci("f1", 0.9)
        assert found.interval.value == pytest.approx(plain.value, abs=0.2 * plain.se)
    limited = s.best("precision", subject_to={"recall": 0.8}, ci=0.9, seed=1)
    assert limited.threshold == s.best("precision", subject_to={"recall": 0.8}).threshold
    assert limited.interval.low < limited.interval.value < limited.value


def test_weights_and_many_scores():
    y, scores = drawn(6, 500)
    plain = cm.sweep(y, scores).best("mcc", ci=0.9, seed=1, replicates=2_000)
    for unit in (1.0, 0.3):
        weighted = cm.sweep(y, scores, sample_weight=np.full(500, unit))
        found = weighted.best("mcc", ci=0.9, seed=1, replicates=2_000)
        np.testing.assert_allclose(found.interval[:3], plain.interval[:3], atol=0.006)
    heavy = np.where(np.arange(500) < 100, 4.0, 0.25)  # which tell as much as about 175 rows
    found = cm.sweep(y, scores, sample_weight=heavy).best("mcc", ci=0.9, seed=1)
    assert found.value - found.interval.value > 1.3 * (plain.value - plain.interval.value)
    y, scores = drawn(7, 30_000)
    many = cm.sweep(y, scores).best("f1", ci=0.9, seed=1)
    assert 0 < many.value - many.interval.value < 0.003
    assert many.interval.low < many.value < many.interval.high


def test_the_same_seed_gives_the_same():
    s = cm.sweep(*drawn(8))
    one, same, other = (s.best("f1", ci=0.9, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    assert s.best("f1", ci=0.9).interval.value == pytest.approx(one.interval.value, abs=0.02)


def test_what_has_none_says_why():
    y, scores = drawn(9)
    s = cm.sweep(y, scores)
    forgotten = cm.Sweep.from_bytes(s.at_prevalence(0.2).to_bytes())
    cases = [
        (s.best("top_left", ci=0.9), "top_left is a distance"),
        (s.best("f1", subject_to={"precision": 1.0, "recall": 1.0}, ci=0.9), "no threshold"),
        (forgotten.best("f1", ci=0.9), "squared weights are not known"),
        (forgotten.best("mean_cost", COST, ci=0.9), "squared weights are not known"),
        (
            cm.sweep([1, 1], [0.2, 0.7], pos_label=1).best("mcc", ci=0.9),
            "mcc is undefined at every",
        ),
        (cm.sweep([1, 1], [0.2, 0.7], pos_label=1).best("cost", COST, ci=0.9), "of one class"),
    ]
    for found, why in cases:
        assert math.isnan(found.interval.low)
        assert found.interval.method.startswith("none: ")
        assert why in found.interval.method
    perfect = cm.sweep([0, 0, 1, 1] * 10, [0.1, 0.2, 0.8, 0.9] * 10).best("f1", ci=0.9, seed=1)
    assert (perfect.interval.value, perfect.interval.high) == (1, 1)
    assert 0.8 < perfect.interval.low < 0.95


def test_arguments():
    s = cm.sweep(*drawn(10))
    assert type(s.best("f1")) is Best
    for options, words in (
        ({"seed": 1}, "`seed` is 1 without a level; wanted ci= too"),
        ({"replicates": 9}, "`replicates` is 9 without a level"),
        ({"ci": 95}, "`ci` is 95; wanted a number between 0 and 1"),
        ({"ci": 0.9, "replicates": 0}, "`replicates` is 0"),
    ):
        with pytest.raises(cm.InputError, match=words):
            s.best("f1", **options)


def test_labels_of_sets_have_them_too():
    rng = np.random.default_rng(11)
    truth = rng.random((300, 2)) < 0.4
    scores = expit(rng.normal(size=(300, 2)) + truth)
    s = cm.multilabel_sweep(truth, scores)
    plain, found = s.best("f1"), s.best("f1", ci=0.9, seed=1)
    assert found.drop("low", "high").equals(plain)
    for at in range(2):
        wanted = s.label(plain["label"][at]).best("f1", ci=0.9, seed=1).interval
        assert found.select("low", "high").row(at) == pytest.approx(wanted[1:3])
