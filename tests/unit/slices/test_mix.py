"""Another mix of slices: rates within them stay, and their shares are as asked."""

import math
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.slices.mix import at_mix

RNG = np.random.default_rng(4)
N = 2_000
LOG = pl.DataFrame({
    "site": RNG.choice(["a", "b", "c"], N, p=[0.7, 0.2, 0.1]),
    "shift": RNG.integers(1, 3, N),
    "day": [date(2024, 1, 1 + x) for x in RNG.integers(0, 2, N).tolist()],
    "y_true": RNG.integers(0, 2, N),
}).with_columns(
    y_pred=pl.when(pl.Series(RNG.random(N)) < pl.col("site").replace_strict(
        {"a": 0.9, "b": 0.7, "c": 0.5}, return_dtype=pl.Float64
    )).then("y_true").otherwise(1 - pl.col("y_true"))
)  # fmt: skip
PARTS = cm.partial(LOG, by=["site", "shift"])


def accuracy_by(*keys):
    right = (pl.col("y_true") == pl.col("y_pred")).mean()
    found = LOG.group_by(keys).agg(right=right, n=pl.len()).sort(keys)
    return found.rows()


def test_a_mix_is_the_mean_of_slices():
    shares = {"a": 0.2, "b": 0.3, "c": 0.5}
    m = at_mix(PARTS, {"site": shares})
    wanted = sum(shares[site] * right for site, right, _ in accuracy_by("site"))
    assert m.accuracy == pytest.approx(wanted, rel=1e-12)
    assert m.n == pytest.approx(N)
    some = at_mix(PARTS, {"site": {"c": 0.5}})
    a, b, c = accuracy_by("site")
    rest = (a[1] * a[2] + b[1] * b[2]) / (a[2] + b[2])
    assert some.accuracy == pytest.approx(0.5 * c[1] + 0.5 * rest, rel=1e-12)


def test_own_shares_are_the_overall_matrix():
    for keys in (("site",), ("site", "shift")):
        rows = accuracy_by(*keys)
        own = {(row[0] if len(keys) == 1 else row[:-2]): row[-1] / N for row in rows}
        m = at_mix(PARTS, {keys[0] if len(keys) == 1 else keys: own})
        whole = cm.confusion_matrix(LOG["y_true"], LOG["y_pred"])
        np.testing.assert_allclose(m.counts, whole.counts, rtol=1e-12)
        np.testing.assert_allclose(m.weights_sq, whole.counts, rtol=1e-12)
        assert m.ci("mcc")[:4] == pytest.approx(whole.ci("mcc")[:4], rel=1e-9)


def test_intervals_are_not_narrower_than_those_of_strata():
    shares = {"a": 0.2, "b": 0.3, "c": 0.5}
    found = at_mix(PARTS, {"site": shares}).ci("accuracy", method="delta")
    strata = sum(shares[s] ** 2 * right * (1 - right) / n for s, right, n in accuracy_by("site"))
    assert math.sqrt(strata) <= found.se < 1.2 * math.sqrt(strata)


@given(st.integers(0, 3), st.floats(0, 1))
def test_labels_of_slices_unite(other, share):
    log = pl.DataFrame({"s": [1, 2, 2], "y_true": [0, other, 1], "y_pred": [0, 1, 1]})
    m = at_mix(cm.partial(log, by="s"), {"s": {1: share, 2: 1 - share}})
    assert set(m.labels) == {0, 1, other}
    wanted = share + (1 - share) * (1 if other == 1 else 0.5)
    assert m.accuracy == pytest.approx(wanted)


def test_missing_values_and_dates_are_values():
    log = LOG.with_columns(site=pl.when(pl.col("site") != "c").then("site"))
    m = at_mix(cm.partial(log, by="site"), {"site": {None: 1.0}})
    assert m.accuracy == pytest.approx(accuracy_by("site")[2][1])
    m = at_mix(cm.partial(LOG, by="day"), {"day": {date(2024, 1, 2): 1}})
    assert m.accuracy == pytest.approx(accuracy_by("day")[1][1])


def test_an_evaluation_has_it():
    e = cm.evaluate(LOG, y_true="y_true", y_pred="y_pred", by=["site", "shift"])
    mix = {"site": {"a": 0.2, "b": 0.3, "c": 0.5}}
    assert e.at_mix(mix) == at_mix(PARTS, mix)
    two = cm.evaluate(LOG, y_true="y_true", y_pred={"x": "y_pred", "z": "y_true"}, by="site")
    assert two.at_mix(mix, model="z").accuracy == 1
    with pytest.raises(cm.InputError, match="`model` is None"):
        two.at_mix(mix)
    log = LOG.with_columns(s=0.5).drop("y_pred")
    scored = cm.evaluate(log, y_true="y_true", y_score="s", by="site")
    with pytest.raises(cm.InputError, match="without `y_pred`"):
        scored.at_mix(mix)


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ({"town": {"a": 1}}, "has the key 'town'; the keys are"),
        ({"site": {"x": 1}}, "`mix` has 'x' of 'site'; there are"),
        ({"site": {"a": 0.5, "b": 0.6}}, "adds up to 1"),
        ({"site": {"a": 0.2, "b": 0.2, "c": 0.2}}, "adds up to 0"),
        ({"site": {"a": -1}}, "`mix` is -1"),
        ({"site": {"a": math.nan}}, "`mix` is nan"),
        ({"site": [1]}, "wanted shares"),
        ({"site": {"a": 1}, "shift": {1: 1}}, "wanted one key"),
        ("site", "wanted one key"),
        ({}, "wanted one key"),
        ({("site", "town"): {("a", 1): 1}}, "has the key 'town'"),
        ({"state": {"a": 1}}, "has the key 'state'"),
    ],
)
def test_a_mix_that_is_none_is_refused(mix, said):
    with pytest.raises(cm.InputError, match=said):
        at_mix(PARTS, mix)


def test_models_are_not_mixed():
    two = cm.evaluate(LOG, y_true="y_true", y_pred={"x": "y_pred", "z": "y_true"}, by="site")
    with pytest.raises(cm.InputError, match="several models"):
        at_mix(two.states(), {"site": {"a": 1}})
    with pytest.raises(cm.InputError, match="several models"):
        cm.monitor(two.states(), "site")
    assert two.monitor("site", model="z")["value"].to_list() == [1, 1, 1]


def test_scores_are_no_matrix():
    scored = cm.partial(LOG.with_columns(s=0.5), y_score="s", by="site")
    with pytest.raises(cm.InputError, match="predicted classes"):
        at_mix(scored, {"site": {"a": 1}})
