"""Intervals of net benefit, costs and lift along thresholds: delta method, bootstrap, coverage."""

import math

import numpy as np
import pytest
from scipy import stats

import confmat as cm
from confmat.errors import InputError

AT = np.array([0.1, 0.3, 0.5, 0.8])
ODDS = AT / (1 - AT)
COST = [[0.5, 2], [7, -1]]
Z = stats.norm.ppf(0.975)


def drawn(seed, n, share=0.3, shift=1.2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return y, stats.logistic.cdf(rng.normal(size=n) + shift * y)


def ends_of(s, level=0.95):
    """Return the ends of each number at `AT`, shape (2, 4), and the numbers."""
    down = {"thresholds": AT, "ci": level}
    cost, lift = s.cost_curve(COST, **down).reverse(), s.lift(**down).reverse()
    frames = {
        "net_benefit": s.decision_curve(AT, ci=level),
        "mean_cost": cost,
        "cost": cost,
        "lift": lift,
        "gain": lift,
        "precision": s.pr_curve(**down).reverse(),
    }
    return {
        name: frame.select(f"{name}_low", f"{name}_high", name).to_numpy().T
        for name, frame in frames.items()
    }


def numbers(w, y, reached, prevalence=None):
    """Return the numbers at `AT` of weighted rows, which reach so many of these, by definition."""
    weights = np.bincount(2 * reached + y, w, minlength=2 * len(AT) + 2).reshape(-1, 2)
    (n, p), above = weights.sum(0), weights[:0:-1].cumsum(0)[::-1]
    fp, tp = above.T
    share = p / (p + n) if prevalence is None else prevalence
    tpr, fpr = tp / p, fp / n
    (tn_cost, fp_cost), (fn_cost, tp_cost) = COST
    mean = (1 - share) * (fp_cost * fpr + tn_cost * (1 - fpr))
    mean = mean + share * (tp_cost * tpr + fn_cost * (1 - tpr))
    lift = tpr / (share * tpr + (1 - share) * fpr)
    benefit = share * tpr - (1 - share) * fpr * ODDS
    return {"net_benefit": benefit, "mean_cost": mean, "lift": lift, "precision": share * lift}


def test_of_many_rows_they_are_those_of_the_delta_method():
    y, scores = drawn(1, 200_000)
    found = ends_of(cm.sweep(y, scores))
    n = len(y)
    for at, t in enumerate(AT):
        positive = scores >= t
        adds = np.where(positive, np.where(y, 1.0, -ODDS[at]), 0.0)  # of a row to the net benefit
        costs = np.asarray(COST)[y.astype(int), positive.astype(int)]
        for name, rows in (("net_benefit", adds), ("mean_cost", costs)):
            low, high, value = found[name][:, at]
            half = Z * rows.std() / math.sqrt(n)
            assert (low, high) == pytest.approx(
                (rows.mean() - half, rows.mean() + half), abs=0.02 * half
            )
            assert value == pytest.approx(rows.mean())
        shares = [(y & positive).mean(), (y & ~positive).mean(), (~y & positive).mean()]
        tp, fn, fp = shares
        # Slopes of log lift = log tp - log(tp + fn) - log(tp + fp) by the shares.
        slopes = np.array([1 / tp - 1 / (tp + fn) - 1 / (tp + fp), -1 / (tp + fn), -1 / (tp + fp)])
        spread = (slopes**2) @ shares - (slopes @ shares) ** 2
        low, high, value = found["lift"][:, at]
        half = Z * math.sqrt(spread / n) * value
        assert (low, high) == pytest.approx((value - half, value + half), abs=0.03 * half)


@pytest.mark.parametrize("prevalence", [0.02, 0.6])
def test_at_a_set_share_it_adds_nothing(prevalence):
    """Two samples of known sizes: variances of both rates within classes, and no more."""
    y, scores = drawn(2, 200_000)
    found = ends_of(cm.sweep(y, scores).at_prevalence(prevalence))
    sizes = y.sum(), (~y).sum()
    tpr, fpr = ((scores[of][:, None] >= AT).mean(0) for of in (y, ~y))
    of_tpr, of_fpr = tpr * (1 - tpr) / sizes[0], fpr * (1 - fpr) / sizes[1]
    p, q = prevalence, 1 - prevalence
    wanted = {
        "net_benefit": np.hypot(p * np.sqrt(of_tpr), q * ODDS * np.sqrt(of_fpr)),
        "mean_cost": np.hypot(p * 8 * np.sqrt(of_tpr), q * 1.5 * np.sqrt(of_fpr)),
    }
    wanted["cost"] = wanted["mean_cost"] * len(y)
    ppv = p * tpr / (p * tpr + q * fpr)
    wanted["precision"] = ppv * (1 - ppv) * np.sqrt(of_tpr / tpr**2 + of_fpr / fpr**2)
    wanted["lift"] = wanted["precision"] / p
    for name, se in wanted.items():
        low, high, value = found[name]
        np.testing.assert_allclose(high - low, 2 * Z * se, rtol=0.02, err_msg=name)
        assert ((low < value) & (value < high)).all()


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_weights_that_tell_of_scores_count_by_the_bootstrap_of_rows(prevalence):
    """Heavier rows of high scores: the share of positives and both rates vary together."""
    y, scores = drawn(3, 60_000)
    rng = np.random.default_rng(4)
    w = rng.exponential(size=len(y)) * np.where(y, np.exp(4 * scores), 1.0)
    s = cm.sweep(y, scores, sample_weight=w)
    found = ends_of(s if prevalence is None else s.at_prevalence(prevalence))
    reached = np.searchsorted(AT, scores, side="right")
    draws = [
        numbers(w[at], y[at], reached[at], prevalence)
        for at in rng.integers(0, len(y), (600, len(y)))
    ]
    for name in ("net_benefit", "mean_cost", "lift", "precision"):
        low, high, value = found[name]
        np.testing.assert_allclose(value, numbers(w, y, reached, prevalence)[name], rtol=1e-9)
        spread = np.std([one[name] for one in draws], axis=0)
        # At the lowest threshold nearly all positives are found: there Wilson's reach is longer.
        np.testing.assert_allclose(
            ((high - low) / (2 * Z))[1:], spread[1:], rtol=0.09, err_msg=name
        )


@pytest.mark.parametrize(("n", "share"), [(200, 0.3), (2_000, 0.1)])
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_they_cover(n, share, prevalence):
    """Of 500 samples each; three standard errors below 95 % are 92 %."""
    logits = stats.logistic.ppf(AT)
    tpr, fpr = stats.norm.sf(logits - 1.2), stats.norm.sf(logits)
    p = share if prevalence is None else prevalence
    (tn_cost, fp_cost), (fn_cost, tp_cost) = COST
    truth = {
        "net_benefit": p * tpr - (1 - p) * fpr * ODDS,
        "mean_cost": (1 - p) * (fp_cost * fpr + tn_cost * (1 - fpr))
        + p * (tp_cost * tpr + fn_cost * (1 - tpr)),
        "lift": tpr / (p * tpr + (1 - p) * fpr),
        "gain": tpr,
    }
    truth["precision"] = p * truth["lift"]
    held = dict.fromkeys(truth, 0)
    for seed in range(500):
        s = cm.sweep(*drawn(seed, n, share), pos_label=True)
        found = ends_of(s if prevalence is None else s.at_prevalence(prevalence))
        for name, wanted in truth.items():
            held[name] += (found[name][0] <= wanted) & (wanted <= found[name][1])
    for name, counts in held.items():
        assert (counts >= 0.92 * 500).all(), (name, counts / 500)
        assert counts.mean() < 0.99 * 500, (name, counts / 500)


def test_matrices_at_a_threshold_say_the_same():
    y, scores = drawn(5, 400)
    s = cm.sweep(y, scores)
    rare = s.at_prevalence(0.05)
    pr = rare.pr_curve(thresholds=AT, ci=0.9).reverse()
    benefit = rare.decision_curve(AT, ci=0.9)
    rates = dict(rare.threshold_for(recall=0.5, ci=0.9).rates.select("rate", "low").rows())
    for at, t in enumerate(AT):
        one, other = rare.at(t), s.at(t).at_prevalence(0.05)
        assert one.ci("precision", 0.9)[:4] == pytest.approx(other.ci("precision", 0.9)[:4])
        row = pr.select("precision_low", "precision_high").row(at)
        assert one.ci("precision", 0.9)[1:3] == pytest.approx(row)
        row = benefit.select("net_benefit_low", "net_benefit_high").row(at)
        assert one.ci("net_benefit", 0.9, threshold=t)[1:3] == pytest.approx(row)
    m = rare.at(rare.threshold_for(recall=0.5))
    for rate, name in (
        ("npv", "npv"),
        ("fdr", "fdr"),
        ("ppv", "precision"),
        ("tnr", "specificity"),
    ):
        assert rates[rate] == pytest.approx(m.ci(name, 0.9).low), rate


def test_what_has_none_and_what_stays_in_range():
    y, scores = drawn(6, 60)
    s = cm.sweep(y, scores)
    curves = {
        "lift": (s.lift, "lift"),
        "cost": (lambda **asked: s.cost_curve(COST, **asked), "mean_cost"),
        "benefit": (s.decision_curve, "net_benefit"),
    }
    for curve, name in curves.values():
        plain, found = curve(), curve(ci=0.95)
        assert found.select(plain.columns).equals(plain)
        known = found.drop_nulls(name)
        low, value, high = (known[name + end] for end in ("_low", "", "_high"))
        assert ((low <= value) & (value <= high)).all()
        assert curve(ci=0.95, max_points=5).height <= 5
        with pytest.raises(InputError, match="`ci` is 2"):
            curve(ci=2)
    assert s.lift(ci=0.95)["lift_low"].min() >= 0
    mean = s.cost_curve(COST, ci=0.95)
    assert (mean["mean_cost_low"].min() >= -1, mean["mean_cost_high"].max() <= 7) == (True, True)
    assert s.lift(ci=0.95).row(0, named=True)["lift_low"] is None  # of no row predicted positive
    alone = cm.sweep([1, 1], [0.2, 0.7], pos_label=1)
    forgotten = cm.Sweep.from_bytes(s.at_prevalence(0.1).to_bytes())
    for one in (alone, forgotten):
        for found in (one.decision_curve(ci=0.9), one.cost_curve(COST, ci=0.9), one.lift(ci=0.9)):
            column = next(x for x in found.columns if x.endswith("_low"))
            assert found[column].null_count() == found.height


def test_weights_that_are_all_zero_have_none():
    s = cm.sweep([0, 1, 1], [0.2, 0.4, 0.7], sample_weight=[0.0, 0.0, 0.0])
    assert s.lift(ci=0.95)["lift_low"].is_null().all()
