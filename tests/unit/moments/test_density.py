"""How true and predicted numbers lie together: cells, calibration by prediction, pictures."""

import itertools
import json

import numpy as np
import polars as pl
import pytest

import confmat as cm

RNG = np.random.default_rng(5)
N = 40_000
Y = RNG.normal(50, 10, N)
P = 0.8 * Y + 12 + RNG.normal(0, 4, N)
R = cm.regression(Y, P, metrics="density")


def test_cells_hold_the_rows_that_lie_in_them():
    found = R.density()
    assert 1_024 < found.height <= 4_096
    assert found["n"].sum() == N
    side = (found["true_hi"] - found["true_lo"]).unique().item()
    assert side == (found["predicted_hi"] - found["predicted_lo"]).unique().item() == 1
    rows = pl.DataFrame({"y": Y, "p": P})
    wanted = rows.group_by((pl.col("y", "p") / side).floor() * side).len().sort("y", "p")
    assert found.select("true_lo", "predicted_lo", pl.col("n").cast(int)).rows() == wanted.rows()


def test_any_parts_give_the_same_cells():
    at = [0, 5, 4_096, 4_200, 20_000, N]
    parts = [cm.regression(Y[i:j], P[i:j], metrics="density") for i, j in itertools.pairwise(at)]
    assert sum(parts[1:], parts[0]).to_bytes() == R.to_bytes()
    assert cm.from_bytes(R.to_bytes()) == R
    frame = pl.DataFrame({"y": Y, "p": P, "g": np.arange(N) % 7})
    kept = cm.evaluate(frame, y_true="y", y_pred="p", by="g", task="regression", metrics=["mae"])
    assert "density" not in kept.slices().columns
    asked = {"task": "regression", "metrics": ["density"]}
    states = frame.group_by("g").agg(cm.state("y", "p", **asked).alias("s"))
    assert sum(map(cm.from_bytes, states["s"]), cm.regression([], [], metrics="density")) == R
    kept = cm.evaluate(frame, y_true="y", y_pred="p", by="g", **asked)
    assert sum((kept.regression(g=g) for g in range(1, 7)), kept.regression(g=0)) == R


def test_far_from_zero_cells_are_no_coarser():
    far = cm.regression(2.0**33 + Y, 2.0**33 + P, metrics="density").density()
    assert (far["true_hi"] - far["true_lo"]).unique().item() == 1


def test_one_far_row_costs_one_cell():
    far = cm.regression([*Y, 1e50], [*P, -1e50], metrics="density").density()
    assert (far["predicted_hi"] - far["predicted_lo"]).max() == 1
    assert far.filter(pl.col("true_lo") > 1e49)["n"].item() == 1


def test_weights():
    w = RNG.uniform(0, 3, N)
    found = cm.regression(Y, P, sample_weight=w, metrics="density").density()
    assert found["n"].sum() == pytest.approx(w.sum(), rel=1e-12)
    one = found.row(by_predicate=pl.col("n") == found["n"].max(), named=True)
    inside = (one["true_lo"] <= Y) & (one["true_hi"] > Y)
    inside &= (one["predicted_lo"] <= P) & (one["predicted_hi"] > P)
    assert one["n"] == pytest.approx(w[inside].sum(), rel=1e-12)


def test_calibration_is_that_of_the_rows():
    table = R.calibration(bins=8)
    assert table.height == 8
    assert table["n"].sum() == N
    assert (table["n"] - N / 8).abs().max() < N / 40
    for row in table.iter_rows(named=True):
        mine = Y[(row["lo"] <= P) & (row["hi"] > P)]
        assert row["n"] == mine.size
        assert row["mean_true"] == pytest.approx(mine.mean(), rel=1e-12)
        reach = 1.96 * mine.std() / np.sqrt(mine.size)
        assert row["ci_high"] - row["mean_true"] == pytest.approx(reach, rel=0.01)
    # Predictions are made to be too high by 2.
    assert (table["mean_predicted"] - table["mean_true"] - 2).abs().max() < 0.25
    assert (table["ci_high"] < table["mean_predicted"]).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_means_of_whole_numbers_are_no_half_off(weighted):
    p = RNG.uniform(20, 300, N)
    y = RNG.poisson(p).astype(float)
    w = RNG.lognormal(0, 1, N) if weighted else np.ones(N)
    asked = {"sample_weight": w} if weighted else {}
    r = cm.regression(y, p, metrics="density", **asked)
    for row in r.calibration().iter_rows(named=True):
        mine = (row["lo"] <= p) & (row["hi"] > p)
        mean = np.average(y[mine], weights=w[mine])
        assert row["mean_true"] == pytest.approx(mean, rel=1e-12)
        assert row["mean_predicted"] == pytest.approx(np.average(p[mine], weights=w[mine]))
        assert row["ci_low"] < mean < row["ci_high"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [1.0, 1e-230, 1e50])
def test_sums_of_columns_follow_from_the_rows(weighted, size):
    y, p = RNG.normal(0, size, 9_000), RNG.normal(0, size, 9_000)
    w = np.exp(RNG.uniform(-130, 130, 9_000)) if weighted else None

    def of(at):
        mine = None if w is None else w[at]
        return cm.regression(y[at], p[at], metrics="density", sample_weight=mine)

    parts = [
        of(at) for at in (slice(100), slice(100, 5_000), slice(5_000, 8_999), slice(8_999, None))
    ]
    whole = of(slice(None)).to_bytes()
    assert sum(parts[1:], parts[0]).to_bytes() == whole
    assert cm.merge(parts[::-1]).to_bytes() == whole
    rest = sum(parts[1:], parts[0]) - parts[1]
    left = np.r_[0:100, 5_000:9_000]
    weights = None if w is None else w[left]
    table = rest.calibration(bins=1).row(0, named=True)
    assert table["mean_true"] == pytest.approx(np.average(y[left], weights=weights), rel=1e-9)
    assert cm.from_bytes(rest.to_bytes()) == rest


def test_a_difference_keeps_large_cells_and_says_how_little_it_knows():
    y = RNG.normal(size=50)
    few = cm.regression(y, y + 0.1, metrics="density")
    rest = R + few - R
    assert rest.density().height < few.density().height
    (row,) = rest.calibration(bins=1).iter_rows(named=True)
    assert row["mean_true"] == pytest.approx(y.mean())
    assert row["ci_low"] < row["mean_true"] < row["ci_high"]


def test_two_rows_know_little():
    stats = pytest.importorskip("scipy.stats")
    r = cm.regression([1.0, 2.0, 6.0, 9.0], [1.0, 3.0, 6.0, 7.0], metrics="density")
    for level in (0.8, 0.95, 0.999):
        wanted = stats.t.interval(level, 1, 1.5, 0.5)
        row = r.calibration(bins=2, level=level).row(0, named=True)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(wanted, rel=1e-9)


def test_calibration_of_few_rows():
    few = cm.regression([1.0, 3.0], [2.0, 5.0], metrics="density").calibration()
    assert few["lo", "hi", "n", "mean_true", "ci_low"].rows() == [
        (2.0, 2.0, 1.0, 1.0, None),
        (5.0, 5.0, 1.0, 3.0, None),
    ]
    none = cm.regression([], [], metrics="density")
    assert none.calibration().height == none.density().height == 0
    assert none.density().schema == R.density().schema
    assert none.calibration().schema == R.calibration().schema


def test_one_far_row_leaves_squares_in_pictures():
    alt = pytest.importorskip("altair")
    far = cm.regression([*Y, -3.4e38], [*P, 50.0], metrics="density")
    for r in (R, far):
        assert isinstance(r.plot.density().layer[0].mark, alt.MarkDef)
        assert r.plot.density().to_dict()["layer"][0]["mark"]["type"] == "rect"


def test_weights_are_no_rows():
    pytest.importorskip("altair")
    r = cm.regression(Y, P, sample_weight=np.full(N, 1e-6), metrics="density")
    said = json.dumps(r.plot.density().to_dict()["title"])
    assert "rows that weigh" in said
    assert "lie further out" in said


@pytest.mark.parametrize("picture", ["density", "calibration"])
def test_pictures(picture):
    pytest.importorskip("altair")
    for r in (
        R,
        cm.regression([1.0, 3.0], [2.0, 5.0], metrics="density"),
        cm.regression([1.0], [1.0], metrics="density"),
        cm.regression([], [], metrics="density"),
        cm.regression([1e60, -1e60], [1e60, 0.0], metrics="density"),
    ):
        chart = getattr(r.plot, picture)(title="mine", width=300)
        assert json.loads(chart.to_json())["title"]["text"] == ["mine"]


def test_what_is_refused():
    plain = cm.regression(Y, P)
    pytest.importorskip("altair")
    for call in (plain.density, plain.calibration, plain.plot.density, plain.plot.calibration):
        with pytest.raises(cm.InputError, match=r'metrics=\["density"\]'):
            call()
    assert cm.regression(Y, P, metrics=["density"]).density().height  # what it says to do
    with pytest.raises(cm.InputError, match="`bins` is 0"):
        R.calibration(0)
    with pytest.raises(cm.InputError, match="`bins` is True"):
        R.plot.calibration(True)
    with pytest.raises(cm.InputError, match="`ci`"):
        R.plot.calibration(ci=2)
    with pytest.raises(cm.InputError, match="names sums to keep"):
        R.value("density")
    with pytest.raises(cm.InputError, match="did you mean 'density'"):
        cm.regression(Y, P, metrics="densty")
