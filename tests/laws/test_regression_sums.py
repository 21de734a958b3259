"""Sums of regressions: the same of any order and any parts, to the last bit."""

import math

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.registry import find

NUMBERS = st.one_of(
    st.floats(-1e60, 1e60, allow_nan=False),
    st.floats(-10, 10),
    st.integers(-5, 5).map(float),
)
WEIGHTS = st.one_of(st.just(0.0), st.floats(1e-60, 1e60), st.floats(0.1, 3))
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, WEIGHTS), max_size=40)
TERMS = ["mape", "smape", "msle", "poisson_deviance", "gamma_deviance", "huber", "huber(0.5)"]
BINS = [*TERMS, "median_absolute_error", "d2_absolute_error"]
TERMS += ["intervals", "exact_errors", "exact_truths"]
OF_NUMBERS = cm.list_metrics(level="regression")["name"]
NAMES = [{"mase": "mase(2)"}.get(name, name) for name in OF_NUMBERS]


def regression(rows, weighted, metrics=TERMS):
    y, p, w = (np.array([row[at] for row in rows], np.float64) for at in range(3))
    return cm.regression(y, p, sample_weight=w if weighted else None, metrics=metrics)


@given(ROWS, st.booleans(), st.sampled_from([TERMS, BINS]), st.randoms(use_true_random=False))
def test_any_order_gives_the_same_bytes(rows, weighted, metrics, rng):
    other = list(rows)
    rng.shuffle(other)
    one, two = regression(rows, weighted, metrics), regression(other, weighted, metrics)
    assert one == two
    assert one.to_bytes() == two.to_bytes()


@given(ROWS, ROWS, ROWS, st.booleans(), st.sampled_from([TERMS, BINS]))
def test_merging_is_counting_together(a, b, c, weighted, metrics):
    whole = regression([*a, *b, *c], weighted, metrics)
    one, two, three = (regression(rows, weighted, metrics) for rows in (a, b, c))
    for merged in (one + two + three, three + (one + two), cm.merge([two, three.to_bytes(), one])):
        assert merged == whole
        assert merged.to_bytes() == whole.to_bytes()
        assert cm.from_bytes(merged.to_bytes()) == whole


@given(ROWS, ROWS, st.booleans(), st.sampled_from([TERMS, BINS]))
def test_what_is_taken_away_is_gone(a, b, weighted, metrics):
    both = regression([*a, *b], weighted, metrics)
    rest = both - regression(b, weighted, metrics)
    wanted = regression(a, weighted, metrics)
    assert rest._state.sums == wanted._state.sums
    assert rest.n_rows == wanted.n_rows
    for one, two in ((rest.max_error, wanted.max_error), (rest.nrmse, wanted.nrmse)):
        assert math.isnan(one) or one == two
    assert cm.from_bytes(rest.to_bytes()) == rest


@given(ROWS, st.booleans())
def test_doors_give_the_same(rows, weighted):
    frame = pl.DataFrame(rows, schema=dict.fromkeys("ypw", pl.Float64), orient="row")
    of = {"sample_weight": "w" if weighted else None}
    wanted = regression(rows, weighted)
    made = frame.select(cm.state("y", "p", task="regression", metrics=TERMS, **of)).item()
    assert made == wanted.to_bytes()
    table = frame.select(cm.regression_metrics("y", "p", NAMES, **of)).unnest("regression_metrics")
    for name in NAMES:
        number = wanted.value(name)
        assert table[name].item() == (None if math.isnan(number) else number), name


@given(ROWS, st.booleans())
def test_values_lie_in_their_range_or_have_a_reason(rows, weighted):
    r = regression(rows, weighted)
    for name in NAMES:
        value, why, fact = r.value(name), r.reason(name), find(name)
        assert math.isnan(value) == (why is not None), name
        assert math.isnan(value) or fact["lo"] <= value <= fact["hi"], name


@given(ROWS, st.integers(-3, 3))
def test_a_power_of_two_scales_numbers_alone(rows, power):
    y, p, _ = (np.array([row[at] for row in rows], np.float64) / 8 for at in range(3))
    y, p = (np.where(np.abs(x) < 1e-40, 0, x) for x in (y, p))
    one, two = cm.regression(y, p), cm.regression(y * 2.0**power, p * 2.0**power)
    for name in ("r2", "ccc", "pearson_r", "explained_variance", "slope", "nrmse", "nrmse_std"):
        assert one.value(name) == two.value(name) or math.isnan(one.value(name)), name
    for name in ("mae", "rmse", "max_error", "mean_error", "intercept"):
        number = two.value(name)
        assert one.value(name) * 2.0**power == number or math.isnan(number), name
