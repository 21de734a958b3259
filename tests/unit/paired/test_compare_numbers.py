"""`cm.compare(task="regression")`: two predictions of the same numbers."""

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import confmat as cm
from confmat.moments.names import exact
from confmat.paired.row_terms import added, has_terms
from confmat.registry import regression_facts

FORMULAS = [fact["name"] for fact in regression_facts() if has_terms(fact["name"])]
WITH = {"adjusted_r2": "adjusted_r2(3)", "mase": "mase(2)", "pinball": "pinball(0.8)"}
DRAWN = ["median_absolute_error", "error_quantile(0.8)", "poisson_deviance", "gamma_deviance",
         "d2_poisson", "d2_gamma", "d2_pinball(0.8)", "d2_huber"]  # fmt: skip


def log(n=400, seed=0):
    rng = np.random.default_rng(seed)
    user = rng.integers(0, max(n // 8, 2), n)
    y = rng.gamma(4, 1, n) + 0.5
    shift = rng.normal(0, 0.3, n)[user]
    a, b = (np.abs(y + shift + scale * rng.normal(size=n)) + 0.1 for scale in (0.9, 0.7))
    return pl.DataFrame(
        {"y": y, "a": a, "b": b, "user": user, "w": rng.uniform(0.2, 2, n), "site": user % 3}
    )


def compared(frame, **options):
    return cm.compare(frame, "y", ["a", "b"], task="regression", **options)


def value(frame, model, name, weight=None):
    weights = None if weight is None else frame[weight]
    kept = exact([name])
    return cm.regression(frame["y"], frame[model], sample_weight=weights, metrics=kept)[name]


def test_every_formula_is_tried():
    assert {"mae", "mse", "rmse", "r2", "mean_error", "pearson_r", "huber", "rmsle"} < set(FORMULAS)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", FORMULAS)
def test_rows_add_the_derivative_by_their_weight(name, weight):
    frame, full = log(50), WITH.get(name, name)
    w = np.ones(50) if weight is None else frame["w"].to_numpy()
    r = cm.regression(frame["y"], frame["a"], sample_weight=w, metrics=[full, "intervals"])
    found = added(r, full, frame["y"].to_numpy(), frame["a"].to_numpy())
    assert w @ found == pytest.approx(0, abs=1e-9)
    step = 1e-5
    for i in (0, 17, 49):
        ends = []
        for by in (step, -step):
            more = w.copy()
            more[i] += by
            moved = cm.regression(frame["y"], frame["a"], sample_weight=more, metrics=[full])
            ends.append(moved[full])
        slope = (ends[0] - ends[1]) / (2 * step)
        assert found[i] / w.sum() == pytest.approx(slope, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("n", [12, 200])
def test_means_of_errors_have_the_paired_t_test(n):
    frame = log(n)
    y, a, b = (frame[name].to_numpy() for name in "yab")
    terms = {"mae": np.abs, "mse": np.square, "mean_error": lambda e: e}
    for name, of in terms.items():
        gap = of(b - y) - of(a - y)
        test = stats.ttest_rel(of(b - y), of(a - y))
        found = compared(frame, metrics=name).table().row(0, named=True)
        assert found["difference"] == pytest.approx(gap.mean())
        if n < 30 and name != "mse":
            assert found["p_value"] == pytest.approx(test.pvalue)
            wanted = test.confidence_interval(0.95)
            assert (found["low"], found["high"]) == pytest.approx((wanted.low, wanted.high))
        se = compared(frame).difference(name).se
        assert found["difference"] / se == pytest.approx(test.statistic)
        assert found["method"] == "mean"
        sides = [compared(frame, metrics=name, side=side).table()["p_value"][0]
                 for side in ("lower", "upper")]  # fmt: skip
        assert sum(sides) == pytest.approx(1)


@pytest.mark.parametrize("options", [{}, {"cluster": "user"}, {"sample_weight": "w"}])
def test_differences_against_rows_drawn_by_numpy(options):
    frame, random = log(600, seed=2), np.random.default_rng(0)
    names = ["mae", "rmse", "r2", "ccc", *DRAWN]
    table = compared(frame, metrics=names, **options).table()
    weight = options.get("sample_weight")
    users = frame.partition_by("user", maintain_order=True)
    gaps = []
    for _ in range(800):
        if "cluster" in options:
            again = pl.concat(users[i] for i in random.integers(0, len(users), len(users)))
        else:
            again = frame[random.integers(0, frame.height, frame.height).tolist()]
        gaps.append([value(again, "b", x, weight) - value(again, "a", x, weight) for x in names])
    for row, gap in zip(table.iter_rows(named=True), np.array(gaps).T, strict=True):
        name = row["metric"]
        assert row["value_a"] == pytest.approx(value(frame, "a", name, weight))
        assert row["value_b"] == pytest.approx(value(frame, "b", name, weight))
        low, high = np.quantile(gap, [0.025, 0.975])
        assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.25 * (high - low))
        assert row["p_value"] == pytest.approx(
            2 * stats.norm.sf(abs(row["difference"]) / gap.std()), abs=0.1
        )
        is_drawn = name in DRAWN
        of = "bootstrap" if is_drawn else "cluster" if "cluster" in options else row["method"]
        assert row["method"] == of


def test_the_bootstrap_is_near_the_formulas():
    frame = log(2_000)
    options = {"metrics": ["mae", "r2"]}
    delta = compared(frame, **options).table()
    drawn = compared(frame, **options, method="bootstrap", replicates=2_000).table()
    assert drawn.equals(compared(frame, **options, method="bootstrap", replicates=2_000).table())
    assert set(drawn["method"]) == {"bootstrap"}
    for end in ("low", "high"):
        gap = (drawn[end] - delta[end]).abs() / (delta["high"] - delta["low"])
        assert gap.max() < 0.1


def test_slices_are_compared_by_their_own_rows():
    frame = log()
    c = compared(frame, by="site", metrics=["mae", "r2"])
    for site in range(3):
        alone = compared(frame.filter(site=site), metrics=["mae", "r2"]).overall()
        assert_frame_equal(c.table().filter(site=site).drop("site"), alone)
        assert c.difference("mae", site=site).value == alone["difference"][0]
    ranked = c.slices()
    assert ranked["difference"].is_sorted(descending=True)  # the lower, the better
    assert ranked["p_adjusted"].to_list() == pytest.approx(cm.adjust_p(ranked["p_value"]).to_list())
    assert set(ranked["verdict"].drop_nulls()) == {"better"}
    assert compared(frame, by="site", min_n=10**6).table()["reason"].str.contains("min_n").all()


def test_exchanged_models_differ_by_the_sign():
    frame = log(80)
    one = cm.compare(frame, "y", {"a": "a", "b": "b"}, task="regression").table()
    other = cm.compare(frame, "y", {"b": "b", "a": "a"}, task="regression").table()
    for name in ("difference", "low"):
        turned = {"difference": "difference", "low": "high"}[name]
        assert one[name].to_list() == pytest.approx((-other[turned]).to_list())
    assert one["p_value"].to_list() == pytest.approx(other["p_value"].to_list())


def test_screen_and_picture():
    c = compared(log(), by="site")
    assert c.metrics == ("mae", "rmse", "r2", "pearson_r", "ccc", "mean_error")
    text = str(c)
    assert "n = 400; 3 slices by site" in text
    mae = next(line for line in text.splitlines() if line.startswith("mae"))
    assert mae.endswith("better")
    assert "mae: b - a" in text
    assert "<table" in c._repr_html_()
    assert c.plot("mae").to_dict()["layer"]
    assert c.evaluation is None
    three = cm.compare(log().with_columns(c="a"), "y", ["a", "b", "c"], task="regression")
    assert three.table()["model_b"].to_list() == ["b"] * 6 + ["c"] * 6


def test_models_that_agree_or_differ_by_a_constant():
    frame = log(60).with_columns(b="a")
    table = compared(frame).table()
    assert set(table["reason"]) == {
        "every row says the same of both models, so that the interval has no width"
    }
    assert table.select("low", "high", "p_value").unique().rows() == [(0, 0, 1)]
    shifted = compared(log(60).with_columns(b=pl.col("a") + 1 / 3), metrics="mean_error").table()
    assert shifted["reason"][0].startswith("every row says the same of the difference")
    assert shifted["difference"][0] == pytest.approx(1 / 3)


def test_what_has_no_interval_says_why():
    frame = log(60)
    table = compared(frame, metrics=["max_error", "nrmse"]).table()
    assert table["reason"].str.contains("rests on single rows").all()
    exact = compared(frame.with_columns(b="y"), metrics=["rmse", "r2", "mae"]).table()
    assert exact["reason"].to_list() == ["b: the value is at an end of its range"] * 2 + [None]
    assert exact["value_b"].to_list() == [0, 1, 0]
    drawn = compared(frame, metrics=DRAWN, method="delta").table()
    assert drawn["reason"].str.contains("by rows drawn again alone").all()
    flat = compared(frame.with_columns(y=pl.lit(2.0)), metrics="r2").table()
    assert flat["reason"].to_list() == ["a: all true values are the same"]
    one = compared(frame[:1], metrics=["mae", "median_absolute_error"]).table()
    few = "drawing again takes 10 rows, and there are 1"
    assert one["reason"].to_list() == ["there is one row alone", few]
    users = compared(frame.with_columns(user=pl.lit(1)), cluster="user", metrics=["mae", DRAWN[0]])
    few = "drawing again takes 10 clusters, and there are 1"
    assert users.table()["reason"].to_list() == ["there is one cluster: wanted several", few]
    none = compared(frame, where=pl.col("y") < 0, metrics="mae").table()
    assert none["reason"].to_list() == ["there are no rows"]


def test_rows_without_a_value_are_left_out():
    frame = log(60)
    holes = frame.with_columns(
        y=pl.when(pl.int_range(pl.len()) != 3).then("y"),
        b=pl.when(pl.int_range(pl.len()) != 5).then("b"),
        w=pl.when(pl.int_range(pl.len()) != 7).then("w").otherwise(0.0),
    )
    kept = frame.with_row_index("at").filter(~pl.col("at").is_in([3, 5]))
    assert_frame_equal(compared(holes).table(), compared(kept).table())
    kept = kept.filter(pl.col("at") != 7)
    found, wanted = (compared(one, sample_weight="w").table() for one in (holes, kept))
    assert_frame_equal(found, wanted)
    bad = frame.with_columns(b=pl.when(pl.int_range(pl.len()) != 5).then("b").otherwise(math.nan))
    with pytest.raises(cm.InputError, match="`y_pred` 'b' is nan, first at row 5"):
        compared(bad)
    assert compared(bad, nan="drop").table()["n"][0] == 59
    with pytest.raises(cm.InputError, match="`y_true` 'y' is nan, first at row 5"):
        compared(bad.with_columns(y="b", b="y"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": "unit"}, "bins are of scores, not of numbers"),
        ({"pos_label": 1}, "of numbers there is no such thing"),
        ({"labels": [0, 1]}, "of numbers there is no such thing"),
        ({"other": "bucket"}, "of numbers there is no such thing"),
        ({"metrics": "accuracy"}, "`accuracy` is a metric of predicted classes"),
        ({"metrics": []}, "`metrics` is empty"),
        ({"metrics": "intervals"}, "names sums to keep"),
        ({"task": "classes"}, "`task` is 'classes'; wanted 'regression'"),
        ({"y_pred": ["a", "text"]}, "`y_pred` 'text' is String; wanted numbers"),
        ({"y_pred": {"a": "a", "b": "a"}}, "`y_pred` names the column 'a' for two models"),
        ({"y_pred": None, "y_score": ["a", "b"]}, "`y_score` is given with task='regression'"),
        ({"y_true": "text"}, "`y_true` 'text' is String; wanted numbers"),
        ({"seed": 1, "method": "delta"}, "only method='bootstrap' draws rows again"),
        ({"cluster": "nulls"}, "`cluster` names 'nulls', which has nulls"),
    ],
)
def test_hostile_arguments(options, message):
    frame = log(20).with_columns(text=pl.lit("x"), nulls=pl.lit(None, pl.Int64))
    asked = {"y_true": "y", "y_pred": ["a", "b"], "task": "regression"} | options
    with pytest.raises(cm.InputError, match=message):
        cm.compare(frame, **asked)


def test_there_are_no_counts():
    c = compared(log(20))
    for ask in (c.flips, c.joint):
        with pytest.raises(cm.InputError, match="numbers are compared: there are no counts"):
            ask()


@pytest.mark.parametrize("name", ["mae", "rmse", "r2", "median_absolute_error"])
def test_intervals_hold_the_difference(name):
    """Of 95 % intervals, in samples of 100 rows."""
    many = log(400_000, seed=9)
    true, held = value(many, "b", name) - value(many, "a", name), 0
    samples = 400
    for i in range(samples):
        c = compared(log(100, seed=100 + i), metrics=name, replicates=1_000)
        low, high = c.table().select("low", "high").row(0)
        held += low <= true <= high
    assert 0.89 < held / samples < 0.985


def test_what_is_wanted_is_said_at_this_door():
    frame = pl.DataFrame({"y": [1, 0, 1], "a": [1, 0, 0], "b": [1, 1, 1]})
    with pytest.raises(cm.InputError, match=r'give `task="regression"`'):
        cm.compare(frame, "y", ["a", "b"], metrics=["mae"])
    assert cm.compare(frame, "y", ["a", "b"], metrics=["mae"], task="regression").table().height
    exact = frame.with_columns(pl.col("y").cast(pl.Decimal(10, 2)))
    with pytest.raises(cm.InputError, match=r"`y_true` 'y' is Decimal.*cast it to pl.Float64"):
        cm.compare(exact, "y", ["a", "b"], task="regression")
    cast = exact.with_columns(pl.col("y").cast(pl.Float64))
    assert cm.compare(cast, "y", ["a", "b"], task="regression").table().height
