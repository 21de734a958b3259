"""`cm.compare(method="bootstrap")`: rows, or whole clusters, drawn again for both models."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

import confmat as cm
from confmat import _core
from confmat.matrices.joint_influence import influence
from confmat.options import SECOND
from confmat.paired.asked import Asked
from confmat.paired.bootstrapping import drawn_ends, replicates, units_of

METRICS = ["accuracy", "mcc", "f1", "precision"]
WHOLE = {"draws": np.ones(1), "starts": np.array([0, 1]), "amounts": np.ones(1)}


def log(n=300, seed=0, users=40):
    rng = np.random.default_rng(seed)
    user = rng.integers(0, users, n)
    good = rng.beta(4, 2, users)
    y = rng.integers(0, 2, n)
    a = np.where(rng.random(n) < good[user], y, 1 - y)
    b = np.where(rng.random(n) < 0.75, y, a)
    return pl.DataFrame({"y": y, "a": a, "b": b, "user": user, "w": rng.uniform(0.2, 2, n)})


def compared(frame, **options):
    asked = {"metrics": METRICS, "method": "bootstrap", "seed": 7} | options
    return cm.compare(frame, "y", ["a", "b"], **asked)


def asked_of(**options):
    return Asked(None, 0.95, "both", "bootstrap", None, 0, **{"seed": 3} | options)


def test_same_seed_same_numbers():
    frame = log()
    one, again = (compared(frame, cluster=c, by=b).table() for c, b in [("user", "y")] * 2)
    assert one.equals(again)
    other = compared(frame, cluster="user", by="y", seed=8).table()
    assert not one.equals(other)
    # A comparison without a seed keeps to the one that it drew.
    c = compared(frame, seed=None)
    assert c.difference("kappa") == c.difference("kappa")
    assert set(one["method"].drop_nulls()) == {"bootstrap"}


@pytest.mark.parametrize("clustered", [False, True])
def test_replicates_are_those_of_rows_drawn_again(clustered):
    """Against rows, or users, drawn by NumPy: the same moments and quantiles."""
    frame = log()
    y, a, b, user = (frame[name].to_numpy() for name in ("y", "a", "b", "user"))
    joint = cm.joint_matrix(y, a, b)
    cells = compared(frame, cluster="user")._units.one("b", None, {}).cells if clustered else None
    units = units_of(joint, influence(joint, "mcc"), cells)
    found = replicates(joint, "mcc", asked_of(replicates=5_000), units)
    rng = np.random.default_rng(1)
    rows_of = [np.flatnonzero(user == u) for u in np.unique(user)]
    wanted = np.empty(1_200)
    for at in range(len(wanted)):
        rows = rng.integers(0, len(y), len(y))
        if clustered:
            rows = np.concatenate([rows_of[u] for u in rng.integers(0, len(rows_of), len(rows_of))])
        one, other = (np.corrcoef(y[rows], p[rows])[0, 1] for p in (a, b))
        wanted[at] = other - one
    assert found.mean() == pytest.approx(wanted.mean(), abs=0.01)
    assert found.std() == pytest.approx(wanted.std(), rel=0.08)
    shares = [0.05, 0.5, 0.95]
    assert np.quantile(found, shares) == pytest.approx(np.quantile(wanted, shares), abs=0.015)


def test_interval_is_that_of_scipy():
    frame = log(150)
    right = [(frame["y"] == frame[name]).to_numpy().astype(float) for name in "ab"]
    wanted = stats.bootstrap(
        (right[1] - right[0],), np.mean, n_resamples=20_000, method="BCa", random_state=5
    ).confidence_interval
    row = compared(frame, metrics="accuracy", replicates=20_000).table().row(0, named=True)
    assert (row["low"], row["high"]) == pytest.approx(tuple(wanted), abs=0.008)


@pytest.mark.parametrize("options", [{}, {"cluster": "user"}, {"sample_weight": "w"},
                                     {"cluster": "user", "sample_weight": "w"}])  # fmt: skip
def test_close_to_the_delta_method(options):
    frame = log(3_000, users=300)
    drawn = compared(frame, **options).table()
    delta = compared(frame, method="delta", seed=None, **options).table()
    for name in ("value_a", "value_b", "difference", "n"):
        assert drawn[name].equals(delta[name])
    for end in ("low", "high"):
        gap = (drawn[end] - delta[end]).abs() / (delta["high"] - delta["low"])
        assert gap.max() < 0.06


def test_p_value_belongs_to_the_interval():
    """At the level 1 - p an end of the interval is 0."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 120)
    frame = pl.DataFrame({"y": y, "a": np.where(rng.random(120) < 0.7, y, 1 - y)})
    frame = frame.with_columns(b=pl.Series(np.where(rng.random(120) < 0.79, y, 1 - y)))
    for side in ("both", "lower"):
        p = compared(frame, metrics="mcc", side=side, replicates=20_000).table()["p_value"][0]
        assert 0.005 < p < 0.4
        at = compared(frame, metrics="mcc", side=side, level=1 - p, replicates=20_000).table()
        assert at["low"][0] == pytest.approx(0, abs=0.006)
    turned = compared(frame, metrics="mcc", side="upper", replicates=20_000).table()["p_value"][0]
    assert turned == pytest.approx(1 - p, abs=0.01)
    no = compared(frame.with_columns(b=pl.col("a")), metrics="mcc").table().row(0, named=True)
    assert (no["difference"], no["low"], no["high"], no["p_value"]) == (0, 0, 0, 1)
    assert "says the same of both models" in no["reason"]


def test_what_has_no_interval_says_why():
    frame = log()
    one = compared(frame.with_columns(user=pl.lit(1)), cluster="user").table()
    assert set(one["reason"]) == {"there is one cluster: wanted several"}
    assert one["low"].null_count() == one.height
    sums = cm.joint_matrix([0, 1, 1], [0, 1, 0], [0, 0, 1], sample_weight=[0.5, 1.5, 2.0])
    assert units_of(sums, influence(sums, "accuracy"), None) is not None
    drawn = np.array([0.2, 0.3] * 400)
    ends = drawn_ends(0.1, drawn, 0.0, asked_of(), 1.0)
    assert math.isnan(ends.low)


def test_positive_class_that_no_row_has():
    frame = pl.DataFrame({"y": [0] * 40, "a": [0] * 40, "b": [0] * 40})
    told = compared(frame, metrics=["specificity"], pos_label=1).table().row(0, named=True)
    assert (told["value_a"], told["value_b"], told["difference"]) == (1.0, 1.0, 0.0)


def test_seed_and_replicates_are_of_the_bootstrap_alone():
    frame, m = log(40), cm.ConfusionMatrix([[9, 2], [3, 8]])
    for option in ({"seed": 1}, {"replicates": 500}):
        for method in (None, "delta"):
            with pytest.raises(cm.InputError, match="only method='bootstrap' draws rows again"):
                compared(frame, **{"seed": None, "method": method} | option)
            with pytest.raises(cm.InputError, match="only method='bootstrap' draws rows again"):
                m.ci("mcc", method=method, **option)
    assert m.ci("mcc", method="bootstrap", seed=1, replicates=500).method == "bootstrap"


def test_hostile_arguments():
    frame = log(40)
    for bad, message in ((-1, "at least 1"), (0, "at least 1"), (1.5, "at least 1"),
                         (True, "at least 1"), (399, "at least 400"),
                         (10**12, "above the limit")):  # fmt: skip
        with pytest.raises(cm.InputError, match=message):
            compared(frame, replicates=bad)
    assert compared(frame, replicates=400).table().height == len(METRICS)
    for bad in (-1, 2**64, "x", True, 1.5):
        with pytest.raises(cm.InputError, match="`seed` is"):
            compared(frame, seed=bad)
    with pytest.raises(cm.InputError, match="wanted 'delta' or 'bootstrap'"):
        compared(frame, method="jackknife")
    with pytest.raises(cm.InputError, match=r"at the level 0\.99"):
        compared(frame, level=0.99, replicates=1_000)


def drawn(**changed):
    of = {**WHOLE, "at_a": np.zeros(1, np.int64), "at_b": np.array([3])} | changed
    asks = _core.Asks(["accuracy"])
    return _core.paired_replicates(asks, 2, ("0", "1"), SECOND, replicates=3, seed=0, **of)


def test_the_core_refuses_units_that_are_none():
    assert drawn().tolist() == [[[1.0], [1.0]]] * 3
    for changed in (
        {"at_a": np.array([4])},
        {"at_b": np.array([-1])},
        {"starts": np.array([0, 2])},
        {"starts": np.array([1, 1])},
        {"starts": np.array([0])},
        {"draws": np.array([-1.0])},
        {"draws": np.array([math.nan])},
        {"draws": np.array([1e300])},
        {"amounts": np.ones(2)},
    ):
        with pytest.raises(cm.InputError):
            drawn(**changed)


def test_few_rows_or_clusters_of_predictions_are_not_drawn():
    frame = log().with_columns(few=pl.int_range(pl.len()) % 9, enough=pl.int_range(pl.len()) % 10)
    few = compared(frame, cluster="few").table()
    assert set(few["reason"]) == {"drawing again takes 10 clusters, and there are 9"}
    assert compared(frame, cluster="enough").table()["low"].null_count() == 0
    rows = compared(frame.head(9)).table()["reason"].drop_nulls()
    assert "drawing again takes 10 rows, and there are 9" in set(rows)
