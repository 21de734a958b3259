"""`side=` of tests of slices and of the worst ones: one end, and p-values of one side."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

import confmat as cm

RNG = np.random.default_rng(4)
N = 1_200
IS = RNG.random(N) < 0.4
SITE = RNG.choice(list("abc"), N)
LOG = pl.DataFrame({
    "site": SITE,
    "y": IS,
    "p": IS ^ (RNG.random(N) < np.where(SITE == "a", 0.3, 0.15)),
    "s": np.clip(0.3 * IS + 0.7 * RNG.random(N), 0, 1),
    "number": RNG.normal(size=N),
    "forecast": RNG.normal(size=N),
    "tags": (RNG.random((N, 3)) < 0.4).tolist(),
    "said": (RNG.random((N, 3)) < 0.4).tolist(),
})  # fmt: skip
CLASSES = cm.evaluate(LOG, "y", "p", "s", by="site")
NUMBERS = cm.evaluate(
    LOG, "number", "forecast", by="site", task="regression", metrics=["mae"], ci=0.95
)
SETS = cm.evaluate(LOG, ["tags"], ["said"], by="site")
INF = float("inf")
ASKED = [
    (CLASSES, "accuracy", "rest", (-1, 1)),
    (CLASSES, "accuracy", "overall", (-1, 1)),
    (CLASSES, "accuracy", 0.8, (-0.8, 0.2)),
    (CLASSES, "mcc", "rest", (-2, 2)),
    (CLASSES, "mcc", 0.5, (-1.5, 0.5)),
    (CLASSES, "roc_auc", "rest", (-1, 1)),
    (NUMBERS, "mae", "rest", (-INF, INF)),
    (NUMBERS, "mae", 1.0, (-1, INF)),
    (SETS, "f1_micro", "rest", (-INF, INF)),
]
SIDES = {"both": 0.9, "lower": 0.95, "upper": 0.95}


@pytest.mark.parametrize(("e", "metric", "against", "ends"), ASKED)
def test_of_tests(e, metric, against, ends):
    both, lower, upper = (
        e.test_slices(metric, against=against, level=level, side=side, adjust=None)
        for side, level in SIDES.items()
    )
    assert both["p_value"].is_not_null().all()
    for table, near, far, at in (
        (lower, "difference_low", "difference_high", 1),
        (upper, "difference_high", "difference_low", 0),
    ):
        np.testing.assert_allclose(table[near], both[near], rtol=1e-9)
        np.testing.assert_allclose(table[far], ends[at], rtol=1e-12)
        assert table["statistic"].equals(both["statistic"])
    above = both["difference"].to_numpy() > 0
    of_one_side = np.where(above, lower["p_value"], upper["p_value"])
    np.testing.assert_allclose(2 * of_one_side, both["p_value"], rtol=1e-12)
    np.testing.assert_allclose(lower["p_value"] + upper["p_value"], 1.0, rtol=1e-12)


def test_p_values_of_a_rate_are_those_of_the_normal_distribution():
    found = CLASSES.test_slices("accuracy", side="upper", adjust=None)
    np.testing.assert_allclose(found["p_value"], stats.norm.cdf(found["statistic"]), rtol=1e-12)
    assert found["p_value"][0] < 0.001  # site a is worse


@pytest.mark.parametrize(
    ("e", "metric", "ends"),
    [
        (CLASSES, "accuracy", (-1, 1)),
        (CLASSES, "mcc", (-2, 2)),
        (NUMBERS, "mae", (-INF, INF)),
        (SETS, "f1_micro", (-INF, INF)),
    ],
)
def test_of_the_worst(e, metric, ends):
    both, lower, upper = (e.worst(metric, level=level, side=side) for side, level in SIDES.items())
    np.testing.assert_allclose(lower["difference_low"], both["difference_low"], rtol=1e-9)
    np.testing.assert_allclose(upper["difference_high"], both["difference_high"], rtol=1e-9)
    assert set(lower["difference_high"]) == {ends[1]}
    assert set(upper["difference_low"]) == {ends[0]}
    assert lower.drop("difference_low", "difference_high").equals(
        both.drop("difference_low", "difference_high")
    )


@pytest.mark.parametrize("ask", [CLASSES.worst, CLASSES.test_slices])
def test_what_is_no_side_is_refused(ask):
    with pytest.raises(cm.InputError, match=r"`side` is 'left'; wanted one of both, lower, upper"):
        ask("accuracy", side="left")
    with pytest.raises(cm.InputError, match=r"`level` is 0.5, which no .* of one side more than"):
        ask("accuracy", side="lower", level=0.5)


def test_what_has_no_interval_has_no_end_of_the_range():
    one = cm.evaluate(LOG.with_columns(site=pl.lit("a")), "y", "p", by="site")
    for table in (one.test_slices("accuracy", side="lower"), one.worst("accuracy", side="lower")):
        assert table.select("difference_low", "difference_high").row(0) == (None, None)
