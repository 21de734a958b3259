"""`cm.compare(method="bootstrap")` of scores: sweeps of the rows drawn again."""

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score

import confmat as cm
from confmat.paired import score_bootstrapping as of_scores
from confmat.paired.asked import Asked
from confmat.paired.drawn_differences import DrawnDifferences
from confmat.paired.score_bootstrapping import (
    difference_of_areas,
    difference_of_sweeps,
)


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
