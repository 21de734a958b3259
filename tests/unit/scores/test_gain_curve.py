"""The curve of precision and recall gains: its definition, its area, few points, ends."""

import numpy as np
import pytest

import confmat as cm


def drawn(seed, n=300):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < rng.uniform(0.1, 0.9)
    truth[:2] = True, False
    return truth, (rng.normal(size=n) + truth).round(int(rng.integers(0, 3)))


def gain(rate, share):
    return (rate - share) / ((1 - share) * rate)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_points_are_gains_and_the_area_is_the_metric(seed, weighted):
    truth, score = drawn(seed)
    weights = np.random.default_rng(seed).random(300) + 0.1 if weighted else None
    s = cm.sweep(truth, score, sample_weight=weights)
    curve = s.pr_gain_curve()
    recall_gain, precision_gain = curve["recall_gain"], curve["precision_gain"]
    assert recall_gain[0] == pytest.approx(0, abs=1e-12)
    assert recall_gain[-1] == 1
    assert recall_gain.is_sorted()
    area = (recall_gain.diff()[1:] * (precision_gain[1:] + precision_gain[:-1]) / 2).sum()
    assert area == pytest.approx(s.pr_gain_auc, rel=1e-9, abs=1e-12)
    share = float(s.n_positive / (s.n_positive + s.n_negative))
    points = s.pr_curve()
    wanted = points.filter(points["recall"] > share)
    np.testing.assert_allclose(
        recall_gain[-len(wanted) :], gain(wanted["recall"].to_numpy(), share), atol=1e-9
    )
    np.testing.assert_allclose(
        precision_gain[-len(wanted) :], gain(wanted["precision"].to_numpy(), share), atol=1e-9
    )
    assert curve["threshold"][-len(wanted) :].to_list() == wanted["threshold"].to_list()


def test_few_points_and_given_thresholds():
    s = cm.sweep(*drawn(3, 300))
    few = s.pr_gain_curve(max_points=5)
    assert len(few) <= 5
    assert few["recall_gain"][-1] == 1
    given = s.pr_gain_curve(thresholds=[-5.0, 0.0])
    assert given["threshold"].to_list()[-1] == -5.0
    assert given["recall_gain"].is_between(0, 1).all()


def test_perfect_and_one_sided_rows():
    perfect = cm.sweep([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]).pr_gain_curve()
    assert (perfect["precision_gain"][:2] == 1).all()
    for truth in ([1, 1], [0, 0], []):
        curve = cm.sweep(truth, [0.5] * len(truth)).pr_gain_curve()
        assert curve.shape == (0, 3)
