"""One-sided limits are the ends of two-sided ones of twice what may be missed, at every door."""

import inspect
import math

import numpy as np
import polars as pl
import pytest

import confmat as cm

LEVEL, BOTH = 0.95, 0.90  # of one side, and of both sides with the same ends
AT = [0.1, 0.3, 0.5, 0.8]
COST = [[0.5, 2.0], [7.0, -1.0]]


def _drawn(n=240, share=0.3, seed=5):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:2] = True, False
    return y, 1 / (1 + np.exp(-(rng.normal(size=n) + 1.2 * y))), rng.exponential(size=n)


Y, SCORES, WEIGHTS = _drawn()
SWEEPS = {
    "counted": cm.sweep(Y, SCORES),
    "weighted": cm.sweep(Y, SCORES, sample_weight=WEIGHTS),
    "share set": cm.sweep(Y, SCORES).at_prevalence(0.05),
    "bins": cm.sweep(Y, SCORES, bins=AT),
    "three rows": cm.sweep([0, 1, 1], [0.2, 0.4, 0.9]),
}
# What gives a frame, and the range of each of its numbers.
CURVES = {
    "roc": (lambda s, **k: s.roc_curve(thresholds=AT, **k), {"fpr": (0, 1), "tpr": (0, 1)}),
    "hull": (lambda s, **k: s.roc_curve(hull=True, **k), {"fpr": (0, 1), "tpr": (0, 1)}),
    "pr": (lambda s, **k: s.pr_curve(thresholds=AT, **k), {"recall": (0, 1), "precision": (0, 1)}),
    "det": (lambda s, **k: s.det_curve(thresholds=AT, **k), {"fpr": (0, 1), "fnr": (0, 1)}),
    "lift": (lambda s, **k: s.lift(thresholds=AT, **k), {"lift": (0, math.inf), "gain": (0, 1)}),
    "cost": (lambda s, **k: s.cost_curve(COST, thresholds=AT, **k), {"mean_cost": (-1, 7)}),
    "decision": (lambda s, **k: s.decision_curve(AT, **k), {"net_benefit": (None, 1)}),
    "points": (lambda s, **k: s.operating_points([0.6], **k), {"": (0, 1)}),
    "rates": (lambda s, **k: s.threshold_for(recall=0.6, **k).rates, {"": (0, 1)}),
}


def _ends(frame, name):
    return [frame[f"{name}_{end}" if name else end] for end in ("low", "high")]


@pytest.mark.parametrize("sweep", SWEEPS)
@pytest.mark.parametrize("curve", CURVES)
def test_of_curves(sweep, curve):
    of, ranges = CURVES[curve]
    frames = {
        side: of(SWEEPS[sweep], ci=BOTH if side == "both" else LEVEL, side=side)
        for side in ("both", "lower", "upper")
    }
    for name, (least, most) in ranges.items():
        both, lower, upper = (_ends(frames[side], name) for side in ("both", "lower", "upper"))
        assert both[0].is_not_null().any(), name
        np.testing.assert_allclose(lower[0].to_numpy(), both[0].to_numpy(), rtol=1e-12)
        np.testing.assert_allclose(upper[1].to_numpy(), both[1].to_numpy(), rtol=1e-12)
        for frame, end, wanted in ((lower, 1, most), (upper, 0, least)):
            assert frame[end].is_null().equals(both[end].is_null())
            if wanted is not None:
                assert (frame[end].drop_nulls() == wanted).all(), name
    if curve == "decision":
        odds = np.array(AT) / (1 - np.array(AT))
        np.testing.assert_allclose(_ends(frames["upper"], "net_benefit")[0].to_numpy(), -odds)


@pytest.mark.parametrize("sweep", ["counted", "weighted", "share set"])
@pytest.mark.parametrize("metric", ["f1", "mcc", "lift", "mean_cost", "cost"])
def test_of_chosen_thresholds(sweep, metric):
    s = SWEEPS[sweep]

    def found(level, side):
        interval = s.best(metric, COST, ci=level, side=side, seed=1, replicates=60).interval
        return interval.low, interval.high

    low, high = found(BOTH, "both")
    least, most = {"f1": (0, 1), "mcc": (-1, 1), "lift": (0, math.inf)}.get(metric, (-1, 7))
    size = s.n if metric == "cost" else 1
    assert found(LEVEL, "lower") == pytest.approx((low, most * size), rel=1e-9)
    assert found(LEVEL, "upper") == pytest.approx((least * size, high), rel=1e-9)


@pytest.mark.parametrize(
    "m",
    [
        cm.ConfusionMatrix([[40, 3, 1], [2, 69, 5], [0, 4, 6]]),
        cm.ConfusionMatrix([[3, 0, 0], [0, 0, 0], [0, 0, 0]]),
        cm.ConfusionMatrix([[40, 3, 1], [2, 69, 5], [0, 4, 6]]).at_prevalence([0.2, 0.3, 0.5]),
    ],
)
def test_of_costs_of_a_matrix(m):
    costs = [[-1, 3, 4], [5, 0, 2], [9, 1, 0]]
    low, high = m.cost(costs, ci=BOTH)[1:3]
    found = [m.cost(costs, ci=LEVEL, side=side) for side in ("lower", "upper")]
    rows = m.counts.sum(1)
    least, most = m.n * -1.0, m.n * 9.0
    if m.class_sizes_known:
        least, most = rows @ np.min(costs, 1), rows @ np.max(costs, 1)
    assert found[0][1:3] == pytest.approx((low, most))
    assert found[1][1:3] == pytest.approx((least, high))


RNG = np.random.default_rng(7)
P = RNG.dirichlet(np.ones(3), 90)
K = RNG.integers(0, 3, 90)
SETS = RNG.random((60, 3)) < 0.4
SET_SCORES = np.clip(0.5 * SETS + 0.6 * RNG.random((60, 3)), 0, 1)
NUMBERS = (RNG.normal(size=50), RNG.normal(size=50))
RATES = cm.confusion_matrix(K, P.argmax(1))
TABLES = {
    "matrix": RATES,
    "weighted matrix": cm.confusion_matrix(K, P.argmax(1), sample_weight=RNG.exponential(size=90)),
    "known sizes": RATES.at_prevalence([0.2, 0.3, 0.5]),
    "smoothed": RATES.smooth(1.0),
    "texts": cm.confusion_matrix(["x", "y", "y"], ["x", "y", "x"], pos_label="y"),
    "sweep": SWEEPS["counted"],
    "weighted sweep": SWEEPS["weighted"],
    "share set": SWEEPS["share set"],
    "bins": SWEEPS["bins"],
    "classes": cm.multiclass_sweep(K, P),
    "classes in bins": cm.multiclass_sweep(K, P).to_state(bins=64),
    "sets": cm.multilabel(SETS, SET_SCORES > 0.5),
    "scores of sets": cm.multilabel_sweep(SETS, SET_SCORES),
    "numbers": cm.regression(*NUMBERS, metrics=["intervals"]),
    "numbers off alike": cm.regression([0.0, 1.0, 5.0], [1.0, 2.0, 6.0], metrics=["intervals"]),
    "outputs": cm.regression(np.array([NUMBERS[0]] * 2).T, np.array([NUMBERS[1]] * 2).T),
}
TABLES_OF = ("overall", "per_class", "per_output")


@pytest.mark.parametrize("of", TABLES)
def test_of_tables(of):
    """As `ci` has them: the low end of both sides of less, and an end of the range."""
    x = TABLES[of]
    for name in TABLES_OF:
        make = getattr(x, name, None)
        if make is None or "ci" not in inspect.signature(make).parameters:
            continue
        draws = {"seed": 0} if isinstance(x, (cm.Sweep, cm.BinnedSweep)) else {}
        both, lower, upper = (
            make(ci=BOTH if side == "both" else LEVEL, side=side, **draws)
            for side in ("both", "lower", "upper")
        )
        assert both.columns == lower.columns == upper.columns
        lows = [column for column in both.columns if column.endswith("low")]
        for low in lows:
            high = low.removesuffix("low") + "high"
            for mine, theirs in ((lower[low], both[low]), (upper[high], both[high])):
                np.testing.assert_allclose(mine.to_numpy(), theirs.to_numpy(), 1e-9, 1e-12)
            for of_side, far, known in ((lower, high, "high"), (upper, low, "low")):
                assert of_side[far].is_null().equals(both[far].is_null()), (name, low)
                inner = (of_side[far] - both[far]).drop_nulls().drop_nans()
                assert ((inner if known == "high" else -inner) >= 0).all(), (name, low)
        if name == "overall" and of != "outputs":
            options = {"seed": 0} if isinstance(x, cm.MultilabelSweep) else draws
            for row in lower.drop_nulls("low").head(6).rows(named=True):
                one = x.ci(row["metric"], LEVEL, side="lower", **options)
                assert (row["low"], row["high"]) == pytest.approx(one[1:3], rel=1e-9)
        for side, level, why in (("left", 0.9, "`side` is 'left'"), ("upper", None, "wanted ci=")):
            with pytest.raises(cm.InputError, match=why):
                make(ci=level, side=side)


# Where a level is of something that has no two ends, or both by its meaning.
WITHOUT = {
    "adequacy",  # widths of intervals, and rows for them
    "confidence_region",  # of two rates
    "coarser",  # of bins
    "list_metrics",  # a kind of metric
    "calibration",  # bands of bins of numbers
}


def _public(owner, name):
    for at in dir(owner):
        if not at.startswith("_") and callable(getattr(owner, at)):
            yield f"{name}.{at}", at, getattr(owner, at)


def test_every_interval_of_a_sweep_has_sides():
    """Whatever takes `ci` takes `side`; new doors are told here."""
    for kind in {cm.Calibration, cm.JointSweep, *map(type, (*SWEEPS.values(), *TABLES.values()))}:
        for whole, at, door in _public(kind, kind.__name__):
            try:
                known = inspect.signature(door).parameters
            except (TypeError, ValueError):
                continue
            if {"ci", "level"} & set(known) and at not in WITHOUT:
                assert "side" in known, whole


DOORS = {
    "lift": SWEEPS["counted"].lift,
    "cost_curve": lambda **k: SWEEPS["counted"].cost_curve(COST, **k),
    "decision_curve": SWEEPS["counted"].decision_curve,
    "roc_curve": SWEEPS["counted"].roc_curve,
    "operating_points": SWEEPS["counted"].operating_points,
    "threshold_for": lambda **k: SWEEPS["counted"].threshold_for(recall=0.5, **k),
    "best": lambda **k: SWEEPS["counted"].best("f1", **k),
    "cost": lambda **k: cm.ConfusionMatrix([[4, 1], [2, 5]]).cost(COST, **k),
    "of classes": lambda **k: cm.multiclass_sweep([0, 1], [[0.6, 0.4], [0.2, 0.8]]).roc_curve(
        average=None, **k
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_side_is_refused(door):
    of = DOORS[door]
    for side in ("two-sided", "left", 1, None, ["lower"]):
        for level in (0.95, None):
            with pytest.raises(
                cm.InputError, match=r"`side` is .*; wanted one of both, lower, upper"
            ):
                of(ci=level, side=side)
    with pytest.raises(cm.InputError, match="`side` is 'lower' without a level; wanted ci="):
        of(side="lower")
    with pytest.raises(cm.InputError, match=r"`ci` is 0.5, which no .* of one side more than 0.5"):
        of(ci=0.5, side="upper")
    with pytest.raises(cm.InputError, match="`ci` is 2; wanted a number between 0 and 1"):
        of(ci=2, side="lower")


@pytest.mark.parametrize("curve", ["roc_curve", "pr_curve", "det_curve"])
def test_a_simultaneous_band_has_both_sides(curve):
    with pytest.raises(cm.InputError, match="`side` is 'lower' with band='simultaneous'"):
        getattr(SWEEPS["counted"], curve)(ci=0.95, side="lower", band="simultaneous")


def test_of_each_class():
    rng = np.random.default_rng(2)
    k = cm.multiclass_sweep(rng.integers(0, 3, 60), rng.dirichlet(np.ones(3), 60))
    for curve in ("roc_curve", "pr_curve"):
        whole = getattr(k, curve)(average=None, ci=LEVEL, side="upper")
        for label in k.labels:
            one = getattr(k.one_vs_rest(label), curve)(ci=LEVEL, side="upper")
            assert whole.filter(pl.col("label") == label).drop("label").equals(one)


def test_of_bins_of_a_calibration_and_of_two_scores():
    c = SWEEPS["counted"].calibration()
    both, lower, upper = c.table(BOTH), c.table(LEVEL, side="lower"), c.table(LEVEL, side="upper")
    np.testing.assert_allclose(lower["ci_low"].to_numpy(), both["ci_low"].to_numpy())
    np.testing.assert_allclose(upper["ci_high"].to_numpy(), both["ci_high"].to_numpy())
    assert set(lower["ci_high"].drop_nulls()) == {1.0}
    assert set(upper["ci_low"].drop_nulls()) == {0.0}
    j = cm.joint_sweep(Y, SCORES, SCORES[::-1])
    both, lower = j.overall(BOTH), j.overall(LEVEL, side="lower")
    np.testing.assert_allclose(lower["low"].to_numpy(), both["low"].to_numpy())
    assert (lower["high"] > both["high"]).all()
    for of in (c.table, j.overall):
        with pytest.raises(cm.InputError, match="`side` is 'left'"):
            of(0.9, side="left")


@pytest.mark.parametrize("sweep", ["counted", "weighted"])
@pytest.mark.parametrize("metric", ["ks", "average_precision", "mce", "pr_auc_trapezoid"])
def test_of_metrics_whose_rows_are_drawn_again(sweep, metric):
    def found(level, side):
        return SWEEPS[sweep].ci(metric, level, side=side, seed=1, replicates=300)

    low, high = found(BOTH, "both")[1:3]
    assert 0 < low < high < 1
    assert found(LEVEL, "lower")[1:3] == pytest.approx((low, 1), rel=1e-12)
    assert found(LEVEL, "upper")[1:3] == pytest.approx((0, high), rel=1e-12)
