"""Intervals of regressions: against rows, resampled rows and SciPy."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

import confmat as cm
from confmat.moments.gradients import GRADIENTS
from confmat.moments.spread import spread_of

RNG = np.random.default_rng(8)
Y = RNG.gamma(3, 5, 400)
P = 2 + 0.9 * Y + RNG.standard_t(6, 400)
ASKED = ["intervals", "mape", "smape", "msle", "rmsle", "huber"]
TERMS = ["mape", "smape", "msle", "rmsle", "huber"]


def jackknife(name, y, p):
    """Return the standard error by leaving out each row."""
    n = len(y)
    kept = ~np.eye(n, dtype=bool)
    left = [cm.regression(y[k], p[k], metrics=name).value(name) for k in kept]
    return math.sqrt((n - 1) / n * np.sum((left - np.mean(left)) ** 2))


@pytest.mark.parametrize("name", ["mean_error", "mae", "pinball", *GRADIENTS, *TERMS])
def test_standard_errors_are_those_of_the_rows(name):
    found = cm.regression(Y, P, metrics=ASKED).ci(name)
    assert found.se == pytest.approx(jackknife(name, Y, P), rel=0.05)
    assert found.low < found.value < found.high
    assert found.method == "delta"


@pytest.mark.parametrize("shift", [0.0, 1e9])
@pytest.mark.parametrize("weighted", [False, True])
def test_covariances_are_exact(shift, weighted):
    y, p = Y + shift, P + shift
    w = RNG.integers(1, 4, len(y)) / 2 if weighted else None
    s = spread_of(cm.regression(y, p, sample_weight=w, metrics="intervals")._state)
    u, e = y - np.average(y, weights=w), p - y
    e = e - np.average(e, weights=w)
    rows = np.array([u, e, u * u, u * e, e * e])
    # Far from 0 NumPy's numbers off the mean have few digits.
    wanted = np.cov(rows, aweights=w, ddof=0)
    assert s.covariance == pytest.approx(wanted, rel=1e-9 if shift == 0 else 1e-5, abs=1e-5)
    n = len(y) if w is None else w.sum() ** 2 / (w**2).sum()
    assert s.n == pytest.approx(n)


def test_known_intervals():
    r = cm.regression(Y, P)
    e = P - Y
    t = stats.t.interval(0.95, len(e) - 1, e.mean(), e.std(ddof=1) / math.sqrt(len(e)))
    assert r.ci("mean_error")[1:3] == pytest.approx(t, rel=1e-6)
    line = stats.linregress(P, Y)
    found = r.ci("slope", method="normal")
    assert found.se == pytest.approx(line.stderr, rel=0.01)
    assert r.ci("intercept", method="normal").se == pytest.approx(line.intercept_stderr, rel=0.01)
    z = stats.pearsonr(Y, P).confidence_interval(0.95)
    assert r.ci("pearson_r", method="normal")[1:3] == pytest.approx(tuple(z), rel=1e-3)


def test_quantiles_of_errors():
    r = cm.regression(Y, P, metrics="exact_errors")
    found = r.ci("error_quantile(0.8)")
    e = np.sort(np.abs(P - Y))
    low, high = (e[round(320 + z * math.sqrt(400 * 0.8 * 0.2))] for z in (-2, 2))
    assert found.method == "order"
    assert found.low == pytest.approx(low, rel=0.05)
    assert found.high == pytest.approx(high, rel=0.05)
    assert r.ci("median_absolute_error", side="lower").high == math.inf
    assert math.isnan(r.ci("error_quantile(0.999)").low)
    assert r.ci("mase", naive_error=2.0)[1:3] == pytest.approx([x / 2 for x in r.ci("mae")[1:3]])


def test_sides_and_levels():
    r = cm.regression(Y, P, metrics="intervals")
    both, lower = r.ci("rmse", 0.9), r.ci("rmse", 0.95, side="lower")
    assert lower.low == pytest.approx(both.low)
    assert lower.high == math.inf
    assert r.ci("r2", side="upper").low == -math.inf
    squared, plain = r.ci("r2_correlation"), r.ci("pearson_r")
    assert squared[1:3] == pytest.approx((plain.low**2, plain.high**2))
    near = cm.regression(Y[:40], RNG.permutation(Y[:40]), metrics="intervals")
    assert near.ci("r2_correlation").low == 0


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("max_error", "none: max_error rests on single rows"),
        ("nrmse", "none: nrmse rests on single rows"),
        ("pinball(0.9)", "none: the squares of the terms of pinball"),
        ("gamma_deviance", "none: the squares of the terms of gamma_deviance"),
    ],
)
def test_metrics_without_intervals_say_why(name, method):
    found = cm.regression(Y, P, metrics="gamma_deviance").ci(name)
    assert math.isnan(found.low)
    assert found.method.startswith(method)


def test_no_interval_of_few_or_perfect_rows():
    assert cm.regression([1, 2], [2, 2]).ci("mae").method == "none: there are fewer than 3 rows"
    perfect = cm.regression([1, 2, 3, 4], [1, 2, 3, 4], metrics="intervals")
    for name in ("mae", "rmse", "r2", "ccc"):
        assert perfect.ci(name).method == "none: the value is at an end of its range"
    large = cm.regression([1.0, 2e40, 3, 4], [1, 2, 3, 5], metrics="intervals")
    with pytest.raises(cm.InputError, match="not kept, or are too large"):
        large.ci("rmse")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "rmse"}, r'powers that were not kept.*metrics=\["intervals"\]'),
        ({"name": "mae", "method": "normal"}, "the interval of mae takes no distribution"),
        ({"name": "rmse", "method": "exact"}, "`method` is 'exact'"),
        ({"name": "mae", "level": 2}, "`level` is 2"),
        ({"name": "mae", "side": "left"}, "`side` is 'left'"),
        ({"name": "mae", "ci": 0.9}, "`ci` is of tables"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(cm.InputError, match=message):
        cm.regression(Y, P).ci(**arguments)


def test_intervals_names_sums_and_no_metric():
    r = cm.regression(Y, P, metrics="intervals")
    for ask in (r.value, r.overall, lambda name: cm.regression_metrics("y", "p", name)):
        with pytest.raises(cm.InputError, match=r"names sums to keep, and .*no metric"):
            ask("intervals")
    assert cm.from_bytes(r.to_bytes()) == r
    halves = [cm.regression(Y[at::2], P[at::2], metrics="intervals") for at in (0, 1)]
    assert sum(halves[1:], halves[0]).to_bytes() == r.to_bytes()


def test_tables_have_the_ends():
    frame = pl.DataFrame({"y": Y, "p": P, "s": ["a", "b", "b", "c"] * 100})
    of = {"y_true": "y", "y_pred": "p", "task": "regression", "by": "s"}
    names = ["mae", "rmse", "r2", "max_error"]
    e = cm.evaluate(frame, ci=0.9, metrics=names, **of)
    tables = [
        e.slices(),
        frame.cm.evaluate(ci=0.9, metrics=names, **of),
        frame.lazy().cm.evaluate(ci=0.9, metrics=names, **of).collect(),
    ]
    for row in tables[0].iter_rows(named=True):
        part = frame.filter(pl.col("s") == row["s"])
        r = cm.regression(part["y"], part["p"], metrics="intervals")
        for name in names[:3]:
            ends = row[f"{name}_low"], row[f"{name}_high"]
            assert ends == pytest.approx(r.ci(name, 0.9)[1:3])
        assert row["max_error_low"] is None
    assert tables[1].equals(tables[0])
    assert tables[2].equals(tables[0])
    assert e.overall()["low"].null_count() == 1
    later = cm.evaluate(frame, metrics=names, reasons=True, **of).slices(ci=0.9)
    assert later["rmse_low"].null_count() == 3
    assert later["mae_low"].equals(tables[0]["mae_low"])
    assert "takes powers" in later["reasons"][0]["rmse"]
