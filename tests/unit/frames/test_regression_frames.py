"""Frames and queries of numbers: `df.cm.evaluate(task="regression")` and of lazy frames."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm

NAMES = ["mean_error", "rmse", "r2", "huber(2)", "mape"]


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(4)
    y = rng.gamma(3, 10, 600)
    return pl.DataFrame(
        {
            "site": rng.choice(["a", "b", None], 600).tolist(),
            "day": rng.integers(0, 3, 600),
            "y": y,
            "p": y + rng.normal(0, 3, 600),
            "w": rng.random(600),
        }
    )


OF = {"y_true": "y", "y_pred": "p", "task": "regression", "metrics": NAMES}


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("cube", [False, True])
def test_frames_and_queries_give_what_logs_give(log, weight, cube):
    of = OF | {"by": ["site", "day"], "sample_weight": weight, "cube": cube, "min_n": 30}
    wanted = cm.evaluate(log, reasons=True, **of).slices()
    assert log.cm.evaluate(reasons=True, **of).equals(wanted)
    query = log.lazy().cm.evaluate(reasons=True, **of)
    assert query.collect_schema() == wanted.schema
    assert query.collect(engine="streaming").equals(wanted)


def test_all_rows_expressions_as_keys_and_the_usual_metrics(log):
    row = log.cm.evaluate("y", "p", task="regression").row(0, named=True)
    r = cm.regression(log["y"], log["p"])
    assert row == {"n": 600, "n_dropped": 0} | {
        name: r.value(name)
        for name in ("mean_error", "mae", "rmse", "r2", "pearson_r", "ccc", "max_error")
    }
    table = log.cm.evaluate(by=pl.col("day") > 0, **OF)
    assert table["n"].sum() == 600


def test_no_rows_nulls_nans_and_undefined():
    none = pl.DataFrame(schema={"y": pl.Float64, "p": pl.Float64, "s": pl.String})
    of = {"y_true": "y", "y_pred": "p", "task": "regression", "metrics": ["r2"]}
    assert none.cm.evaluate(**of).rows() == [(0, 0, None)]
    assert none.cm.evaluate(by="s", **of).height == 0
    assert none.cm.evaluate(by="s", cube=True, **of)["n"].to_list() == [0]
    some = pl.DataFrame({"y": [1.0, None, math.nan, 1.0], "p": [1, 2, 3, 5]})
    assert some.cm.evaluate(nan="drop", undefined=-1, **of).rows() == [(2, 2, -1.0)]
    with pytest.raises(cm.InputError, match="nan at row 2"):
        some.cm.evaluate(**of)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [0, 1]}, "`labels` is"),
        ({"y_score": "w"}, "`y_score` is 'w'"),
        ({"cluster": "day"}, "`cluster` is 'day'"),
        ({"keep_empty": True}, "`keep_empty` is True"),
        ({"task": "classes"}, "`task` is 'classes'"),
        ({"metrics": ["accuracy"]}, "`accuracy` is a metric of predicted classes"),
        ({"y_pred": "q"}, "has the column 'q'|'q'"),
        ({"by": "q"}, "'q'"),
        ({"cube": True}, "`cube` needs keys"),
        ({"min_n": -1}, "`min_n` is -1"),
        ({"ci": 3}, "`ci` is 3"),
        ({"y_true": "site"}, "wanted numbers"),
    ],
)
def test_what_is_refused(log, options, message):
    with pytest.raises(cm.InputError, match=message):
        log.cm.evaluate(**(OF | options))


def test_the_worst_slices(log):
    log = log.with_columns(p=pl.col("p") + 9 * (pl.col("site") == "b").fill_null(False))
    e = cm.evaluate(log, by="site", ci=0.95, **(OF | {"metrics": ["mae", "r2", "max_error"]}))
    table = e.worst("mae")
    first = table.row(0, named=True)
    one, rest = (log.filter(pl.col("site").eq_missing("b") == it) for it in (True, False))
    values = [cm.mae(part["y"], part["p"]) for part in (one, rest)]
    assert first["site"] == "b"
    assert [first["value"], first["rest"]] == pytest.approx(values)
    assert first["loss"] == pytest.approx(cm.mae(log["y"], log["p"]) - values[1])
    assert first["difference_low"] < values[0] - values[1] < first["difference_high"]
    assert e.worst("r2")["site"][0] == "b"
    largest = e.worst("max_error")  # of the rest it is not known where the slice has it
    assert largest["difference_low"].null_count() == 3
    with pytest.raises(cm.InputError, match="neither more nor less"):
        e.worst("mean_error")
    with pytest.raises(cm.InputError, match="a metric of predicted classes"):
        e.worst("accuracy")
    with pytest.raises(cm.InputError, match="is of classes and scores"):
        e.fairness()
    assert e.plot.slices("mae").to_dict()
