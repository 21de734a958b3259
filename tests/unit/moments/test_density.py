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
        assert row["mean_true"] == pytest.approx(mine.mean(), abs=0.02)
        reach = 1.96 * mine.std() / np.sqrt(mine.size)
        assert row["ci_high"] - row["mean_true"] == pytest.approx(reach, rel=0.01)
    # Predictions are made to be too high by 2.
    assert (table["mean_predicted"] - table["mean_true"] - 2).abs().max() < 0.25
    assert (table["ci_high"] < table["mean_predicted"]).all()


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
