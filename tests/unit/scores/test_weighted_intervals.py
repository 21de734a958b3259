"""Intervals of sweeps of float weights, against the rows themselves."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.scores.bootstrapping import bootstrap
from confmat.scores.delong import delong, paired_delong

ROWS = st.lists(
    st.tuples(
        st.booleans(), st.integers(0, 8), st.floats(0.01, 20, allow_subnormal=False) | st.just(0.0)
    ),
    min_size=2,
    max_size=40,
)
BINS = [None, "unit", 256, np.linspace(0, 1, 6)]
GOLDEN = Path(__file__).parents[2] / "state" / "v1"


def drawn(seed, n=600):
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    y = rng.random(n) < truth
    scores = np.round(np.clip(truth + rng.normal(0, 0.2, n), 0, 1), 2)
    return y, scores, rng.exponential(size=n)


def without_squares(s):
    return s._around(s._state.without_squares())


def several_of(y, scores, w):
    """Return the variance of the area by all pairs."""
    if not w[y].sum() or not w[~y].sum():
        return math.nan
    held = w > 0
    y, scores, w = y[held], scores[held], w[held]
    placed = (scores[:, None] > scores) + (scores[:, None] == scores) / 2
    total = 0.0
    for side, table in ((y, placed), (~y, placed.T)):
        v = table[np.ix_(side, ~side)] @ w[~side] / w[~side].sum()
        u = w[side] / w[side].sum()
        left = 1 - (u**2).sum()
        total += (u**2 * (v - u @ v) ** 2).sum() / left if left > 1e-12 else math.nan
    return total


@given(ROWS)
def test_variance_of_the_area_is_that_of_the_rows(rows):
    y, scores, w = (np.array(part) for part in zip(*rows, strict=True))
    area, variance = delong(cm.sweep(y, scores, sample_weight=w, pos_label=True))
    wanted = several_of(y, scores, w)
    assert variance == pytest.approx(wanted, rel=1e-6, abs=1e-13, nan_ok=True)
    if not math.isnan(variance):
        found = paired_delong(y, scores, scores, w, pos_label=True)
        assert (area, variance) == pytest.approx(found[::2][:2], rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("bins", BINS, ids=str)
@pytest.mark.parametrize("weight", [1.0, 0.25, 3.0])
def test_equal_weights_are_counts(bins, weight):
    y, scores, _ = drawn(1)
    counts = cm.sweep(y, scores, bins=bins)
    weights = cm.sweep(y, scores, bins=bins, sample_weight=np.full(len(y), weight))
    assert weights.weighted
    for name in ("roc_auc", "gini", "brier", "log_loss", "brier_skill"):
        one, other = counts.ci(name), weights.ci(name)
        assert other[:4] == pytest.approx(one[:4], rel=1e-9)
        assert other.method == one.method
    # Half as many rows of twice the weight are as sure as they are many.
    few = cm.sweep(y[::2], scores[::2], bins=bins, sample_weight=np.full(len(y[::2]), 2.0))
    assert few.ci("roc_auc").se == pytest.approx(
        cm.sweep(y[::2], scores[::2], bins=bins).ci("roc_auc").se
    )


@pytest.mark.parametrize("bins", BINS, ids=str)
def test_parts_merge_and_go_again(bins):
    y, scores, w = drawn(2)
    whole = cm.sweep(y, scores, bins=bins, sample_weight=w)
    parts = [cm.sweep(y[i::7], scores[i::7], bins=bins, sample_weight=w[i::7]) for i in range(7)]
    merged = cm.merge(parts)
    back = cm.from_bytes(merged.to_bytes())
    for s in (merged, back, back - parts[3] + parts[3], parts[0] + (merged - parts[0])):
        assert s.ci("roc_auc")[:4] == pytest.approx(whole.ci("roc_auc")[:4], rel=1e-9)
        assert s.ci("brier")[:4] == pytest.approx(whole.ci("brier")[:4], rel=1e-9)
    assert merged - merged == merged - parts[0] - (merged - parts[0])
    # Counts among weights are rows that weigh 1 each.
    mixed = parts[0] + cm.sweep(y[1::7], scores[1::7], bins=bins)
    both = np.concatenate([w[::7], np.ones(len(y[1::7]))])
    wanted = cm.sweep(
        np.concatenate([y[::7], y[1::7]]),
        np.concatenate([scores[::7], scores[1::7]]),
        bins=bins,
        sample_weight=both,
    )
    assert mixed.ci("roc_auc")[:4] == pytest.approx(wanted.ci("roc_auc")[:4], rel=1e-9)


def test_coarser_bins_keep_the_squares():
    y, scores, w = drawn(3)
    fine = cm.sweep(y, scores, bins="unit", sample_weight=w)
    coarse = fine._around(fine._state.coarser(4))
    at_once = cm.sweep(y, scores, bins="unit/4", sample_weight=w)
    for one, other in zip(coarse._squares, at_once._squares, strict=True):
        assert one == pytest.approx(other, rel=1e-14)
    assert sum(map(np.sum, fine._squares)) == pytest.approx((w**2).sum())


@pytest.mark.parametrize("name", ["brier", "log_loss"])
def test_losses_have_the_variance_of_their_rows(name):
    y, scores, w = drawn(4)
    s = cm.sweep(y, scores, sample_weight=w)
    clipped = np.clip(scores, s.clip, 1 - s.clip)
    loss = (
        (y - scores) ** 2 if name == "brier" else -np.where(y, np.log(clipped), np.log1p(-clipped))
    )
    share = w / w.sum()
    away = loss - share @ loss
    wanted = math.sqrt((share**2 * away**2).sum() / (1 - (share**2).sum()))
    assert s.ci(name).se == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "ks", "brier"])
def test_drawn_weights_vary_as_drawn_rows(name):
    y, scores, w = drawn(5, 300)
    s = cm.sweep(y, scores, sample_weight=w)
    by_state = bootstrap(s, name, 600, 1)[1].std()
    rng = np.random.default_rng(6)
    rows = (rng.integers(0, len(y), len(y)) for _ in range(600))
    by_rows = [cm.sweep(y[r], scores[r], sample_weight=w[r]).value(name) for r in rows]
    assert by_state == pytest.approx(np.std(by_rows), rel=0.15)
    found = s.ci(name, method="bootstrap", seed=2, replicates=600)
    assert found.low < found.value < found.high
    assert found.se == pytest.approx(by_state, rel=0.15)


def test_partial_areas_of_weights():
    y, scores, w = drawn(7, 500)
    found = cm.sweep(y, scores, sample_weight=w).ci("partial_auc", seed=1, max_fpr=0.3)
    rng = np.random.default_rng(8)
    rows = (rng.integers(0, len(y), len(y)) for _ in range(300))
    again = [
        cm.sweep(y[r], scores[r], sample_weight=w[r]).value("partial_auc", max_fpr=0.3)
        for r in rows
    ]
    assert found.se == pytest.approx(np.std(again), rel=0.2)


@pytest.mark.parametrize("bins", [None, np.linspace(0, 1, 6)], ids=str)
def test_matrices_at_a_threshold_know_their_squares(bins):
    y, scores, w = drawn(9)
    s = cm.sweep(y, scores, bins=bins, sample_weight=w)
    m, wanted = s.at(0.4), cm.confusion_matrix(y, scores >= 0.4, sample_weight=w)
    assert m.weights_sq == pytest.approx(wanted.weights_sq, rel=1e-12)
    for name in ("recall", "precision", "mcc", "f1"):
        assert m.ci(name)[:4] == pytest.approx(wanted.ci(name)[:4], rel=1e-9)


def test_bands_are_those_of_the_matrices():
    y, scores, w = drawn(10)
    s = cm.sweep(y, scores, sample_weight=w)
    roc, det = s.roc_curve(ci=0.9), s.det_curve(ci=0.9)
    pr = s.pr_curve(ci=0.9)
    hull = s.roc_curve(hull=True, ci=0.9)
    assert hull.join(roc, on=["threshold", "tpr_low", "fpr_high"]).height == hull.height
    for at in (3, 40, 90):
        m = s.at(roc["threshold"][at])
        for frame, place, column, name in (
            (roc, at, "tpr", "recall"),
            (roc, at, "fpr", "fpr"),
            (det, at, "fnr", "fnr"),
            (pr, at - 1, "precision", "precision"),
        ):
            ends = frame.select(column, f"{column}_low", f"{column}_high").row(place)
            assert ends == pytest.approx(m.ci(name, 0.9)[:3], rel=1e-9)
    threshold, rates = s.threshold_for(recall=0.9, ci=0.9)
    m = s.at(threshold)
    names = ("recall", "fpr", "specificity", "precision", "npv", "fdr")
    for name, row in zip(names, rates.drop("rate").rows(), strict=True):
        assert row == pytest.approx(m.ci(name, 0.9)[:3], rel=1e-9)
    points = s.operating_points([0.8], ci=0.9)
    row = points.filter(rate="tpr", given="ppv").row(0, named=True)
    assert (row["low"], row["high"]) == pytest.approx(
        s.at(row["threshold"]).ci("recall", 0.9)[1:3], rel=1e-9
    )


@pytest.mark.parametrize("state", ["curve_weights", "bins_edges_weights"])
def test_older_states_and_other_shares_have_none(state):
    y, scores, w = drawn(11)
    s = cm.sweep(y, scores, sample_weight=w)
    old = cm.from_bytes((GOLDEN / f"{state}_without_squares.bin").read_bytes())
    assert old._squares is None
    assert cm.from_bytes(old.to_bytes()) == old
    rare = cm.Sweep.from_bytes(s.at_prevalence(0.1).to_bytes())
    for one in (old, without_squares(s), rare, s + without_squares(s)):
        for name in ("roc_auc", "gini", "average_precision"):
            found = one.ci(name)
            assert all(map(math.isnan, found[1:4]))
            assert found.method == "none: the squared weights are not known"
    for one in (without_squares(s), rare):
        assert one.roc_curve(ci=0.9)["tpr_low"].null_count() == len(one) + 1
        assert math.isnan(one.at(0.5).ci("recall").low)
        assert math.isnan(s.test_auc(one).p_value)
        with pytest.raises(cm.InputError, match="squares are not known"):
            bootstrap(one, "roc_auc", 5)
    assert without_squares(s) != s


def test_what_has_no_spread_or_no_rows():
    rng = np.random.default_rng(12)
    y, scores, w = np.arange(40) < 15, np.linspace(1, 0, 40), rng.exponential(size=40)
    sure = cm.sweep(y, scores, sample_weight=w).ci("roc_auc")
    assert sure.value == pytest.approx(1)
    assert sure.method == "newcombe"
    assert 0.6 < sure.low < 0.98
    alone = cm.sweep([1, 0, 0], [0.5, 0.2, 0.7], sample_weight=[2.0, 0.5, 0.3]).ci("roc_auc")
    assert alone.method == "newcombe"
    for some in ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]):
        found = cm.sweep([1, 0, 0], [0.5, 0.2, 0.7], sample_weight=some).ci("roc_auc")
        assert all(map(math.isnan, found[:4]))
        assert found.method.startswith("none: there are no")
    # Weights of any size, as only their relation counts.
    for scale in (1e-140, 1e140):
        large = cm.sweep(y, scores[::-1], sample_weight=w * scale).ci("roc_auc")
        assert large[:4] == pytest.approx(
            cm.sweep(y, scores[::-1], sample_weight=w).ci("roc_auc")[:4], rel=1e-9
        )
