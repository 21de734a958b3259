"""Regressions of groups: expressions, states, parts of frames, merged and finished."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm

NAMES = ["mean_error", "mae", "rmse", "r2", "pearson_r", "ccc", "max_error", "pinball(0.9)", "mape"]


def log(n=2_000, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.gamma(3, 10, n)
    return pl.DataFrame(
        {
            "site": rng.choice(["a", "b", "c", None], n),
            "day": rng.integers(0, 5, n),
            "y": y,
            "p": y + rng.normal(0, 3, n),
            "w": rng.random(n),
        }
    )


def wanted(frame, weighted=False, names=NAMES):
    r = cm.regression(
        frame["y"], frame["p"], sample_weight=frame["w"] if weighted else None, metrics=names
    )
    return r, [r.value(name) for name in names]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_groups(engine, weighted):
    frame = log()
    asked = cm.regression_metrics("y", "p", NAMES, sample_weight="w" if weighted else None)
    query = frame.lazy().group_by("site").agg(m=asked, s=pl.col("y").sum())
    out = query.collect(engine=engine).unnest("m").sort("site", nulls_last=True)
    assert out.height == 4
    for row in out.iter_rows(named=True):
        part = frame.filter(pl.col("site").eq_missing(row["site"]))
        r, values = wanted(part, weighted)
        assert row["n"] == r.n
        assert [row[name] for name in NAMES] == values


def test_select_over_and_methods():
    frame = log(200)
    _, values = wanted(frame)
    asked = pl.col("y").cm.regression_metrics("p", NAMES)
    assert list(frame.select(asked).unnest("regression_metrics").row(0)[2:]) == values
    assert frame.select(pl.col("y").cm.rmse("p")).item() == values[2]
    assert frame.select(pl.col("y").cm.pinball("p", quantile=0.9)).item() == values[7]
    each = frame.select(m=pl.col("y").cm.mae("p").over("day"), day="day").unique()
    for day, mae in each.select("day", "m").rows():
        assert mae == wanted(frame.filter(pl.col("day") == day))[1][1]


def test_nulls_nans_and_reasons():
    frame = pl.DataFrame({"y": [1.0, None, math.nan, 1.0], "p": [1, 2, 3, 5]})
    asked = cm.regression_metrics("y", "p", ["mae", "r2"], nan="drop", reasons=True)
    row = frame.select(asked).unnest("regression_metrics").row(0)
    assert row == (2.0, 2, 2.0, None, {"mae": None, "r2": "all true values are the same"})
    asked = cm.regression_metrics("y", "p", "r2", nan="drop", undefined=-1)
    assert frame.select(asked).unnest("regression_metrics").row(0) == (2.0, 2, -1.0)
    with pytest.raises(pl.exceptions.ComputeError, match="nan at row 2"):
        frame.select(cm.regression_metrics("y", "p"))
    with pytest.raises(pl.exceptions.ComputeError, match="wanted numbers"):
        pl.DataFrame({"y": ["a"], "p": ["b"]}).select(cm.regression_metrics("y", "p"))
    with pytest.raises(cm.InputError, match="did you mean"):
        cm.regression_metrics("y", "p", "rsme")


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_merged_and_finished(weighted):
    frame = log()
    of = {"y_true": "y", "y_pred": "p", "sample_weight": "w" if weighted else None}
    of |= {"task": "regression", "metrics": NAMES}
    whole = cm.partial(frame, by=["site", "day"], **of)
    parts = [cm.partial(part, by=["site", "day"], **of) for part in frame.iter_slices(333)]
    merged = cm.merge(pl.concat(parts))
    assert merged.equals(whole)
    table = cm.finish(cm.merge(merged, by="site"), NAMES)
    for row in table.iter_rows(named=True):
        r, values = wanted(frame.filter(pl.col("site").eq_missing(row["site"])), weighted)
        assert (row["n"], row["n_dropped"]) == (r.n, 0)
        assert [row[name] for name in NAMES] == values
    assert table.schema["n"] == (pl.Float64 if weighted else pl.UInt64)
    everything = cm.merge(merged, by=[])
    assert cm.from_bytes(everything["state"].item()) == wanted(frame, weighted)[0]
    assert cm.finish(everything).columns[2:] == [*NAMES[:7]]


def test_columns_of_states():
    frame = log(500)
    days = frame.group_by("day").agg(s=cm.state("y", "p", task="regression"))
    asked = pl.col("s").cm.state_metrics(["mae", "r2"], reasons=True)
    for day, m in days.select("day", asked).rows():
        values = wanted(frame.filter(pl.col("day") == day), names=["mae", "r2"])[1]
        assert [m["mae"], m["r2"]] == values
    whole = days.select(pl.col("s").cm.merge_states()).item()
    assert cm.from_bytes(whole) == cm.regression(frame["y"], frame["p"])
    with pytest.raises(cm.InputError, match="'mae', a metric of numbers, beside 'accuracy'"):
        pl.col("s").cm.state_metrics(["accuracy", "mae"])
    with pytest.raises(pl.exceptions.ComputeError, match="a state of numbers, and the metrics"):
        days.select(pl.col("s").cm.state_metrics("accuracy"))
    with pytest.raises(pl.exceptions.ComputeError, match="the sums of 'mape' were not kept"):
        days.select(pl.col("s").cm.state_metrics("mape"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [1.0]}, "`labels` is of classes or scores"),
        ({"y_score": "y"}, "`y_score` is of classes or scores"),
        ({"bins": 64}, "`bins` is of classes or scores"),
        ({"task": "ranking"}, "`task` is 'ranking'"),
        ({"metrics": "mea"}, "unknown metric of numbers"),
        ({"y_true": ["y"]}, "one column each"),
    ],
)
def test_options_that_numbers_do_not_have(options, message):
    with pytest.raises(cm.InputError, match=message):
        cm.state(**({"y_true": "y", "y_pred": "p", "task": "regression"} | options))


def test_a_bad_row_of_a_frame_is_named():
    frame = log(50).with_columns(p=pl.when(pl.int_range(50) == 17).then(math.inf).otherwise("p"))
    with pytest.raises(cm.InputError, match="inf at row 17 of `y_pred` is infinite"):
        cm.partial(frame, y_true="y", y_pred="p", by="day", task="regression")
