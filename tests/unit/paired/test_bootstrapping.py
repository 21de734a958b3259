"""`cm.compare(method="bootstrap")`: rows, or whole clusters, drawn again for both models."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score

import confmat as cm
from confmat import _core
from confmat.matrices.joint_influence import influence
from confmat.options import SECOND
from confmat.paired import score_bootstrapping as of_scores
from confmat.paired.asked import Asked
from confmat.paired.bootstrapping import drawn_ends, replicates, units_of
from confmat.paired.drawn_differences import DrawnDifferences
from confmat.paired.score_bootstrapping import (
    difference_of_areas,
    difference_of_sweeps,
)

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


def scored(n=400, seed=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    a, b = ((0.3 * y + rng.uniform(0, 0.7, n)).round(2) for _ in "ab")
    user = rng.integers(0, n // 8, n)
    return pl.DataFrame({"y": y, "a": a, "b": b, "user": user, "w": rng.uniform(0.2, 2, n)})


def compared_scores(frame, **options):
    asked = {"metrics": ["roc_auc", "brier", "log_loss"], "method": "bootstrap", "seed": 7}
    return cm.compare(frame, "y", y_score=["a", "b"], **(asked | options)).table()


@pytest.mark.parametrize("options", [{}, {"cluster": "user"}, {"sample_weight": "w"},
                                     {"cluster": "user", "sample_weight": "w"}])  # fmt: skip
def test_scores_are_drawn_again(options):
    frame = scored(2_000)
    found = compared_scores(frame, **options)
    assert set(found["method"]) == {"bootstrap"}
    assert found.equals(compared_scores(frame, **options))
    assert not found.equals(compared_scores(frame, **options, seed=8))
    delta = compared_scores(frame, method=None, seed=None, **options)
    assert found["difference"].equals(delta["difference"])
    for name in ("low", "high"):
        gap = (found[name] - delta[name]).abs() / (delta["high"] - delta["low"])
        assert gap.max() < 0.06


def test_areas_of_rows_drawn_again_are_those_of_the_rows():
    frame = scored(60)
    y = (frame["y"] == 1).to_numpy()
    a, b = (frame[name].to_numpy() for name in "ab")
    times = np.random.default_rng(1).poisson(1, (20, 60)).astype(float)
    found = difference_of_areas(y, a, b)(times)
    for drawn, value in zip(times.astype(int), found, strict=True):
        again = frame[np.repeat(np.arange(60), drawn).tolist()]
        one, other = (cm.sweep(again["y"], again[name]).value("roc_auc") for name in "ab")
        assert value == pytest.approx(other - one, abs=1e-12)


def test_scores_that_cannot_be_drawn_say_so():
    frame = scored(100)
    with pytest.raises(cm.InputError, match="`bins` does not keep them"):
        compared_scores(frame, bins="unit")
    one = compared_scores(frame.with_columns(user=pl.lit(1)), cluster="user")
    assert set(one["reason"]) == {"there is one cluster: wanted several"}
    alone = pl.concat([frame.filter(pl.col("y") == 0), frame.filter(pl.col("y") == 1)[:1]])
    assert compared_scores(alone)["reason"][0] == "a class has one row alone"


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


DRAWN = ["average_precision", "brier_skill", "h_measure", "bedroc(5)"]


@pytest.mark.parametrize("options", [{}, {"cluster": "user"}, {"sample_weight": "w"}])
def test_scores_without_a_formula_are_drawn_again(options):
    """Against rows, or users, drawn by NumPy, and sweeps of these."""
    frame = scored(500)
    found = compared_scores(frame, metrics=DRAWN, method=None, **options)
    assert set(found["method"]) == {"bootstrap"}
    random = np.random.default_rng(0)
    users = frame.partition_by("user", maintain_order=True)
    gaps = []
    for _ in range(1_500):
        if options.get("cluster"):
            again = pl.concat(users[i] for i in random.integers(0, len(users), len(users)))
        else:
            again = frame[random.integers(0, frame.height, frame.height).tolist()]
        weight = again["w"] if "sample_weight" in options else None
        a, b = (cm.sweep(again["y"], again[name], sample_weight=weight) for name in "ab")
        gaps.append([b.values(DRAWN)[name] - a.values(DRAWN)[name] for name in DRAWN])
    weight = frame["w"] if "sample_weight" in options else None
    a, b = (cm.sweep(frame["y"], frame[name], sample_weight=weight) for name in "ab")
    for row, gap in zip(found.iter_rows(named=True), np.array(gaps).T, strict=True):
        value = b[row["metric"]] - a[row["metric"]]
        assert row["difference"] == pytest.approx(value, abs=1e-12)
        low, high = np.quantile(gap, [0.025, 0.975])
        assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.2 * (high - low))
        assert row["p_value"] == pytest.approx(2 * stats.norm.sf(abs(value) / gap.std()), abs=0.1)


def test_metrics_asked_together_or_apart_have_the_same_draws():
    frame = scored(300)
    together = compared_scores(frame, metrics=DRAWN, method=None, seed=None)
    apart = [compared_scores(frame, metrics=name, method=None, seed=None) for name in DRAWN]
    assert together.equals(pl.concat(apart))
    assert not together.equals(compared_scores(frame, metrics=DRAWN, method=None, seed=9))
    assert together.equals(compared_scores(frame, metrics=DRAWN, seed=0))


def test_weights_are_sums_at_distinct_scores():
    frame = scored(80)
    y = (frame["y"] == 1).to_numpy()
    scores = [frame[name].to_numpy() for name in "ab"]
    of = difference_of_sweeps(["average_precision", "log_loss", "roc_auc"], y, scores, [1e-9] * 2)
    times = np.random.default_rng(1).poisson(1, (5, 80))
    areas = difference_of_areas(y, *scores)(times.astype(float))
    assert of(times.astype(float))[:, 2] == pytest.approx(areas, abs=1e-12)
    for drawn, value in zip(times, of(times.astype(float)), strict=True):
        again = frame[np.repeat(np.arange(80), drawn).tolist()]
        one, other = (average_precision_score(again["y"], again[name]) for name in "ab")
        assert value[0] == pytest.approx(other - one, abs=1e-12)
    more = np.ones((1, 80))
    assert difference_of_areas(y, *scores, 2)(more) == pytest.approx(
        2 * difference_of_areas(y, *scores)(more)
    )


def test_gini_is_twice_the_area():
    frame = scored(200)
    for options in ({}, {"cluster": "user"}, {"sample_weight": "w"}, {"method": "bootstrap"}):
        method = options.pop("method", None)
        table = compared_scores(
            frame, metrics=["roc_auc", "gini"], method=method, seed=None, **options
        )
        area, gini = table.select("difference", "low", "high", "p_value").rows()
        assert gini == pytest.approx((*(2 * x for x in area[:3]), area[3]))


def test_scores_that_have_no_honest_interval_say_why():
    frame = scored(200)
    biased = ["ks", "eer", "ece", "ece(20)", "mce", "rms_ce", "smooth_ece"]
    for method in (None, "bootstrap"):
        table = compared_scores(frame, metrics=biased, method=method, seed=None)
        assert table["reason"].str.contains("grows where rows are drawn again").all()
        assert table["low"].null_count() == table["p_value"].null_count() == len(biased)
        assert table["difference"].null_count() == 0
    delta = compared_scores(frame, metrics=DRAWN, method="delta", seed=None)
    assert delta["reason"].str.contains("by rows drawn again alone").all()
    one = compared_scores(frame.with_columns(user=pl.lit(1)), metrics=DRAWN, cluster="user")
    assert set(one["reason"]) == {"drawing again takes 10 clusters, and there are 1"}
    alone = pl.concat([frame.filter(pl.col("y") == 0), frame.filter(pl.col("y") == 1)[:1]])
    few = "drawing again takes 10 rows of each class, and there are 1"
    assert set(compared_scores(alone, metrics=DRAWN)["reason"]) == {few}
    same = compared_scores(frame.with_columns(b="a"), metrics=DRAWN)
    assert same.select("low", "high", "p_value").rows() == [(0, 0, 1)] * len(DRAWN)


def test_few_rows_or_clusters_are_not_drawn():
    frame = scored(200)
    of_rows, least = frame.group_by("y", maintain_order=True).head(9), "and there are 9"
    assert compared_scores(of_rows, metrics=DRAWN)["reason"].str.ends_with(least).all()
    enough = frame.group_by("y", maintain_order=True).head(10)
    assert compared_scores(enough, metrics=DRAWN)["reason"].null_count() == len(DRAWN)
    users = frame.with_columns(user=pl.int_range(pl.len()) % 9)
    few = compared_scores(users, metrics=DRAWN, cluster="user")
    assert set(few["reason"]) == {"drawing again takes 10 clusters, and there are 9"}


def test_few_rows_or_clusters_of_predictions_are_not_drawn():
    frame = log().with_columns(few=pl.int_range(pl.len()) % 9, enough=pl.int_range(pl.len()) % 10)
    few = compared(frame, cluster="few").table()
    assert set(few["reason"]) == {"drawing again takes 10 clusters, and there are 9"}
    assert compared(frame, cluster="enough").table()["low"].null_count() == 0
    rows = compared(frame.head(9)).table()["reason"].drop_nulls()
    assert "drawing again takes 10 rows, and there are 9" in set(rows)


def test_a_difference_that_no_draw_changes_has_no_interval():
    frame = scored(200).with_columns(b=pl.col("a") / 2)
    table = compared_scores(frame, metrics=["average_precision"])
    assert table.select("difference", "low", "reason").rows() == [
        (0.0, None, "the difference is the same in all draws")
    ]


def test_drawn_differences_have_the_percentiles_of_numpy():
    frame = scored(120)
    (row,) = compared_scores(frame, metrics=["average_precision"], seed=4).to_dicts()
    y = (frame["y"] == 1).to_numpy()
    a, b = (frame[name].to_numpy() for name in "ab")
    of = difference_of_sweeps(["average_precision"], y, (a, b), (0.0, 0.0))
    wanted = np.quantile(
        of_scores.replicates(of, np.ones(120), None, 2_000, 4)[:, 0], [0.025, 0.975]
    )
    assert [row["low"], row["high"]] == pytest.approx(wanted, abs=1e-3)
    rng = np.random.default_rng(9)
    times = np.array([np.bincount(rng.integers(0, 120, 120), minlength=120) for _ in range(8_000)])
    wanted = np.quantile(of(times.astype(float))[:, 0], [0.025, 0.975])
    width = row["high"] - row["low"]
    assert [row["low"], row["high"]] == pytest.approx(wanted, abs=0.08 * width)


def test_many_rows_are_drawn_less_often():
    def count(rows, level=0.95, replicates=None):
        asked = Asked(None, level, "both", None, None, 0, replicates=replicates)
        return asked.count(DrawnDifferences(None, None, np.ones(rows), None, asked)._suited())

    assert [count(n) for n in (100, 50_000, 100_000, 10**6)] == [2_000, 2_000, 1_000, 400]
    assert (count(100, 0.999), count(100, replicates=500)) == (20_000, 500)
    with pytest.raises(cm.InputError, match=r"at the level 0\.99"):
        compared_scores(scored(50), method=None, level=0.99, replicates=1_000)


@pytest.mark.long
@pytest.mark.parametrize("name", ["average_precision", "brier_skill", "h_measure"])
def test_intervals_of_scores_hold_the_difference(name):
    random = np.random.default_rng(2)

    def rows(n):
        y, u = random.random(n) < 0.3, random.normal(size=(2, n))
        a, b = u[0] + 1.2 * y, 0.7 * u[0] + 0.7 * u[1] + 1.6 * y
        a, b = (1 / (1 + np.exp(1.5 - x)) for x in (a, b))
        return pl.DataFrame({"y": y, "a": a, "b": b})

    many = rows(10**6)
    a, b = (cm.sweep(many["y"], many[of])[name] for of in "ab")
    held = 0
    for _ in range(400):
        c = compared_scores(rows(500), metrics=name, method=None, replicates=600)
        held += c["low"][0] <= b - a <= c["high"][0]
    assert 0.91 < held / 400 < 0.985
