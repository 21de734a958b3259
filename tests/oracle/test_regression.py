"""Regressions against exact fractions, and against scikit-learn and SciPy."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import confmat as cm


def exact(y, p, w=None):
    """Return what metrics are, of exact fractions, rounded once."""
    y, p = [[Fraction(float(x)) for x in column] for column in (y, p)]
    w = [Fraction(1)] * len(y) if w is None else [Fraction(float(x)) for x in w]
    n = sum(w)
    my, mp = (sum(a * b for a, b in zip(w, x, strict=True)) / n for x in (y, p))

    def total(of):
        return sum(a * of(b, c) for a, b, c in zip(w, y, p, strict=True))

    yy, pp = total(lambda a, _: (a - my) ** 2), total(lambda _, b: (b - mp) ** 2)
    yp = total(lambda a, b: (a - my) * (b - mp))
    sse = total(lambda a, b: (a - b) ** 2)
    spread = total(lambda a, b: ((b - a) - (mp - my)) ** 2)
    return {
        "mean_error": mp - my,
        "mae": total(lambda a, b: abs(a - b)) / n,
        "mse": sse / n,
        "r2": 1 - sse / yy,
        "r2_correlation": yp**2 / (yy * pp),
        "explained_variance": 1 - spread / yy,
        "ccc": 2 * yp / (yy + pp + n * (my - mp) ** 2),
        "slope": yp / pp,
        "intercept": my - yp / pp * mp,
        "max_error": max(abs(a - b) for a, b in zip(y, p, strict=True)),
        "pinball(0.9)": total(
            lambda a, b: Fraction(0.9) * (a - b) if a > b else (1 - Fraction(0.9)) * (b - a)
        )
        / n,
    }


RNG = np.random.default_rng(5)


def rows(kind, n=300):
    y = RNG.normal(size=n)
    p = 0.8 * y + RNG.normal(size=n) / 3
    if kind == "far from 0":
        return 1e9 + y, 1e9 + p
    if kind == "far apart":
        return y, p + 1e8
    if kind == "nearly right":
        return 1e9 + y, (1e9 + y) * (1 + 1e-15)
    if kind == "of all sizes":
        return y * 10.0 ** RNG.integers(-25, 25, n), p * 10.0 ** RNG.integers(-25, 25, n)
    if kind == "ties":
        return RNG.integers(0, 5, n), RNG.integers(0, 5, n)
    return y, p


KINDS = ["plain", "far from 0", "far apart", "nearly right", "of all sizes", "ties"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_exact_fractions(kind, weighted):
    y, p = rows(kind)
    w = RNG.random(len(y)) * 10.0 ** RNG.integers(-5, 5, len(y)) if weighted else None
    r = cm.regression(y, p, sample_weight=w)
    for name, wanted in exact(y, p, w).items():
        assert r.value(name) == pytest.approx(float(wanted), rel=4e-15, abs=0), name


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["plain", "far from 0"])
def test_scikit_learn(kind, weighted):
    y, p = rows(kind, 2_000)
    w = RNG.random(2_000) if weighted else None
    r = cm.regression(y, p, sample_weight=w)
    of = {"sample_weight": w}
    wanted = {
        "mae": sk.mean_absolute_error(y, p, **of),
        "mse": sk.mean_squared_error(y, p, **of),
        "rmse": sk.root_mean_squared_error(y, p, **of),
        "r2": sk.r2_score(y, p, **of),
        "explained_variance": sk.explained_variance_score(y, p, **of),
        "max_error": sk.max_error(y, p),
        "pinball(0.3)": sk.mean_pinball_loss(y, p, alpha=0.3, **of),
    }
    for name, number in wanted.items():
        # Far from 0 the sums of scikit-learn are about a mean that is rounded.
        assert r.value(name) == pytest.approx(number, rel=1e-12), name
    if not weighted:
        assert r.pearson_r == pytest.approx(stats.pearsonr(y, p).statistic, rel=1e-12)


def test_scikit_learn_of_further_sums():
    y = RNG.gamma(2.0, 3.0, 2_000)
    p = y * RNG.lognormal(0, 0.4, 2_000)
    w = RNG.random(2_000)
    names = ["mape", "msle", "rmsle", "poisson_deviance", "gamma_deviance", "d2_poisson"]
    r = cm.regression(y, p, sample_weight=w, metrics=[*names, "d2_gamma"])
    of = {"sample_weight": w}
    wanted = {
        "mape": sk.mean_absolute_percentage_error(y, p, **of),
        "msle": sk.mean_squared_log_error(y, p, **of),
        "rmsle": sk.root_mean_squared_log_error(y, p, **of),
        "poisson_deviance": sk.mean_poisson_deviance(y, p, **of),
        "gamma_deviance": sk.mean_gamma_deviance(y, p, **of),
        "d2_poisson": sk.d2_tweedie_score(y, p, power=1, **of),
        "d2_gamma": sk.d2_tweedie_score(y, p, power=2, **of),
    }
    for name, number in wanted.items():
        assert r.value(name) == pytest.approx(number, rel=1e-12), name


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["plain", "far from 0", "ties"])
def test_scikit_learn_of_the_best_constants(kind, weighted):
    """Its quantile is between two numbers where any of these is best: with weights, too."""
    y, p = rows(kind, 2_000)
    w = RNG.integers(0, 4, 2_000).astype(float) if weighted else None
    for n in (2, 3, 10, 2_000):
        of = {"sample_weight": None if w is None else w[:n]}
        if len(np.unique(y[:n] if w is None else y[:n][w[:n] > 0])) < 2:
            continue
        for alpha in (0.05, 0.25, 0.5, 0.9):
            found = cm.d2_pinball(y[:n], p[:n], quantile=alpha, **of)
            wanted = sk.d2_pinball_score(y[:n], p[:n], alpha=alpha, **of)
            assert 1 - found == pytest.approx(1 - wanted, rel=1e-12), (n, alpha)
        wanted = sk.d2_absolute_error_score(y[:n], p[:n], **of)
        assert 1 - cm.d2_absolute_error(y[:n], p[:n], **of) == pytest.approx(1 - wanted, rel=1e-12)


def test_deviances_of_what_is_nearly_right():
    """Where the terms of the formula cancel: by the first terms of its series."""
    y, share = np.array([3.0, 50.0, 1e6]), 1e-6
    r = cm.regression(y, y * (1 + share), metrics=["poisson_deviance", "gamma_deviance"])
    unit = share**2 * (1 - 2 * share / 3)  # 2 (t - log(1 + t)), to the third order
    assert r.poisson_deviance == pytest.approx(float(np.mean(y)) * unit, rel=1e-9)
    s = share / (1 + share)
    assert r.gamma_deviance == pytest.approx(s**2 * (1 + 2 * s / 3), rel=1e-9)


def test_huber_and_symmetric_percentages():
    y, p = rows("plain", 500)
    r = cm.regression(y, p, metrics=["huber(0.2)", "huber", "smape"])
    e = np.abs(y - p)
    for delta in (0.2, 1.0):
        wanted = np.where(e <= delta, e**2 / 2, delta * (e - delta / 2)).mean()
        assert r.value("huber", delta=delta) == pytest.approx(wanted, rel=1e-13)
    assert r.smape == pytest.approx((2 * e / (np.abs(y) + np.abs(p))).mean(), rel=1e-13)


def test_a_million_rows_on_every_core():
    y = RNG.normal(1e9, 1, 1_000_000)
    p = y + RNG.normal(0, 0.1, 1_000_000)
    r = cm.regression(y, p)
    assert r.r2 == pytest.approx(1 - math.fsum((y - p) ** 2) / math.fsum((y - y.mean()) ** 2))
    assert r == cm.regression(y[::-1], p[::-1])
    assert (
        r.to_bytes()
        == sum(
            cm.regression(y[at : at + 99_991], p[at : at + 99_991])
            for at in range(0, 1_000_000, 99_991)
        ).to_bytes()
    )


def of_one_row(name, y, p):
    return cm.regression([y], [p], metrics=[name]).value(name)


def test_terms_with_logarithms_against_many_digits():
    rng = np.random.default_rng(12)
    y = rng.gamma(2, 3, 200) * 10.0 ** rng.integers(-20, 20, 200)
    p = y * np.exp(rng.normal(0, 3, 200) * 10.0 ** rng.integers(-6, 1, 200))
    with mpmath.workdps(60):
        for a, b in zip(y.tolist(), p.tolist(), strict=True):
            t, u = mpmath.mpf(a), mpmath.mpf(b)
            poisson = 2 * (u - t - t * mpmath.log(u / t))
            gamma = 2 * (t / u - 1 - mpmath.log(t / u))
            # What rounding costs: of both logarithms, and of the difference where it is small.
            logs = float(abs(mpmath.log(t)) + abs(mpmath.log(u))) * 5e-16
            rel = 4e-15 + 4e-16 * float(t / abs(u - t))
            for name, wanted, size in (
                ("poisson_deviance", poisson, a),
                ("gamma_deviance", gamma, 1),
            ):
                found = of_one_row(name, a, b)
                assert found == pytest.approx(float(wanted), rel=rel, abs=size * logs), name
            of_logs = mpmath.log1p(t) - mpmath.log1p(u)
            size = float(abs(mpmath.log1p(t)) + abs(mpmath.log1p(u)))
            assert math.sqrt(of_one_row("msle", a, b)) == pytest.approx(
                float(abs(of_logs)), rel=1e-15, abs=size * 3e-16
            )


@pytest.mark.parametrize("weighted", [False, True])
def test_perfect_predictions_have_a_correlation_of_one(weighted):
    rng = np.random.default_rng(13)
    for _ in range(300):
        y = rng.normal(size=10)
        w = rng.random(10) if weighted else None
        for factor in (1, -2, 0.25):
            r = cm.regression(y, factor * y, sample_weight=w)
            assert r.pearson_r == math.copysign(1, factor)
            assert r.r2_correlation == 1
