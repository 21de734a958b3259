"""Logs of numbers: evaluated in batches and files, by slices, of several models."""

import math
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.logs import slices

NAMES = ["mae", "rmse", "r2", "huber(2)", "mape"]


@pytest.fixture
def log():
    rng = np.random.default_rng(3)
    y = rng.gamma(3, 10, 1_000)
    return pl.DataFrame(
        {
            "site": rng.choice(["a", "b", None], 1_000),
            "y": y,
            "old": y + rng.normal(0, 3, 1_000),
            "new": y + rng.normal(0, 2, 1_000),
            "w": rng.random(1_000),
        }
    )


def values(frame, y_pred, names=NAMES):
    r = cm.regression(frame["y"], frame[y_pred], metrics=names)
    return [r.value(name) for name in names]


def test_slices(log, tmp_path):
    for at, part in enumerate(log.iter_slices(300)):
        part.write_parquet(tmp_path / f"{at}.parquet")
    of = {"y_true": "y", "y_pred": "old", "task": "regression", "metrics": NAMES}
    e = cm.evaluate(tmp_path, by="site", **of)
    for site, n, dropped, *found in e.slices().rows():
        part = log.filter(pl.col("site").eq_missing(site))
        assert (n, dropped) == (part.height, 0)
        assert found == values(part, "old")
    assert e.overall()["value"].to_list() == values(log, "old")
    assert e.n == 1_000
    assert e.regression(site="a").mae == values(log.filter(pl.col("site") == "a"), "old")[0]
    assert "mae" in str(e)
    again = cm.from_bytes(e.to_bytes())
    assert again.slices().equals(e.slices())
    assert (e + again).n == 2_000
    whole = cm.evaluate(log, by="site", cube=True, min_n=600, **of)
    assert whole.slices()["mae"].null_count() == 3
    with pytest.raises(cm.InputError, match="evaluated as numbers"):
        e.matrix(site="a")


def test_models_and_weights(log):
    e = cm.evaluate(
        log,
        y_true="y",
        y_pred=["old", "new"],
        sample_weight="w",
        task="regression",
        metrics=["mae", "mape"],
    )
    for model, metric, value, reason in e.overall().rows():
        r = cm.regression(log["y"], log[model], sample_weight=log["w"], metrics="mape")
        assert (r.value(metric), reason) == (value, None)


@pytest.mark.parametrize("weight", [None, "w"])
def test_slices_beyond_sums_are_kept_as_states(log, weight, tmp_path):
    """Of the first files there are sums, which the last one has too many slices for."""
    few = log.with_columns(k=pl.int_range(1_000) % 7, p=pl.when(pl.col("w") > 0.1).then("old"))
    many = few.with_columns(k=pl.int_range(1_000))
    for at, part in enumerate((few, few.head(10), many)):
        part.write_parquet(tmp_path / f"{at}.parquet")
    asked = {"y_true": "y", "y_pred": "p", "by": "k", "sample_weight": weight, "metrics": NAMES}
    e = cm.evaluate(tmp_path, max_memory="4 MB", task="regression", **asked)
    whole = pl.concat([few, few.head(10), many]).cm.evaluate(task="regression", **asked)
    assert e.slices().equals(whole.select(e.slices().columns))
    assert e.n == pytest.approx(whole["n"].sum())


@pytest.mark.parametrize("metrics", [NAMES, "median_ae", "density", "exact_errors", "d2_huber"])
def test_what_keeps_rows_is_kept_as_states(log, metrics):
    """`max_memory` knows what states take, and not what sums keep of errors and cells."""
    asked = {"y_true": "y", "y_pred": "old", "by": "site", "task": "regression"}
    made = []
    by_keys = slices._by_keys
    with patch.object(slices, "_by_keys", lambda *of: made.append(by_keys(*of)) or made[-1]):
        e = cm.evaluate(log, metrics=metrics, **asked)
    assert (made[0] is not None) is (metrics is NAMES)
    assert e.states().equals(cm.partial(log, metrics=metrics, **asked))


def test_accumulator(log):
    acc = cm.Accumulator(y_true="y", y_pred="old", task="regression", metrics=NAMES, by="site")
    for part in log.iter_slices(99):
        acc.update(part)
    assert acc.result().overall()["value"].to_list() == values(log, "old")
    more = cm.Accumulator.from_bytes(acc.to_bytes())
    more.update(log)
    assert more.result().n == 2_000


OUTPUTS = {"y_true": ["y", "z"], "y_pred": ["old", "new"], "task": "regression", "metrics": NAMES}


@pytest.mark.parametrize("more", [{}, {"by": "site", "cube": True, "ci": 0.9}, {"nan": "drop"}])
def test_several_outputs_are_each_as_alone(log, more, tmp_path):
    both = log.with_columns(z=pl.when(pl.int_range(1_000) % 7 > 0).then(pl.col("y") + 1))
    if "nan" in more:
        both = both.with_columns(
            new=pl.when(pl.int_range(1_000) % 9 > 0).then("new").otherwise(math.nan)
        )
    for at, part in enumerate(both.iter_slices(300)):
        part.write_parquet(tmp_path / f"{at}.parquet")
    e = cm.evaluate(tmp_path, **OUTPUTS, **more)
    assert e.models == ("y", "z")
    for name, predicted in (("y", "old"), ("z", "new")):
        alone = cm.evaluate(tmp_path, **OUTPUTS | {"y_true": name, "y_pred": predicted}, **more)
        of_output = e.slices().filter(model=name).drop("model")
        assert of_output.equals(alone.slices())
        assert e.overall().filter(model=name).drop("model").equals(alone.overall())
        assert str(e.regression(model=name)) == str(alone.regression())
    again = cm.from_bytes(e.to_bytes())
    assert again.slices().equals(e.slices())
    assert (e + again).slices()["n"].to_list() == [2 * n for n in e.slices()["n"]]
    table = both.cm.evaluate(["y", "z"], ["old", "new"], task="regression", metrics=NAMES, **more)
    told = e.slices().rename({"model": "output"})
    assert table.select(told.columns).sort(pl.all()).equals(told.sort(pl.all()))


def test_several_outputs_as_rows_come(log):
    log = log.with_columns(z=pl.col("y") * 2)
    acc = cm.Accumulator(**OUTPUTS, by="site")
    for part in log.iter_slices(99):
        acc.update(part)
    e = cm.evaluate(log, **OUTPUTS, by="site")
    assert cm.Accumulator.from_bytes(acc.to_bytes()).result().slices().equals(e.slices())
    named = cm.evaluate(log, **OUTPUTS | {"y_pred": {"y": "old", "z": "new"}}, by="site")
    assert named.slices().equals(e.slices())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y_pred": ["old"]}, "`y_true` has 2 outputs, `y_pred` 1; wanted as many"),
        ({"y_pred": [["old"], "new"]}, r"`y_pred` holds \['old'\]; wanted the name of a column an"),
        ({"y_pred": {"y": "old", "w": "new"}}, r"`y_pred` has the outputs \['y', 'w'\], `y_true`"),
        ({"y_true": ["y", "y"]}, "`y_true` has 'y' twice"),
        ({"y_true": {"y", "z"}}, "`y_true` is {.*}, which has no order; wanted a list of columns"),
        ({"y_pred": frozenset(["old"])}, "`y_pred` is frozenset.*, which has no order"),
        ({"y_true": {"y": 1, "z": 2}}, "`y_true` is {'y': 1, 'z': 2}; wanted the name of a column"),
        ({"y_true": 3}, "`y_true` is 3; wanted the name of a column, or a list of names"),
        ({"y_pred": np.array([])}, "`y_true` has 2 outputs, `y_pred` 0; wanted as many"),
        (
            {"y_true": "y", "y_pred": [["old"]]},
            r"`y_pred` holds \['old'\]; wanted the name of a col",
        ),
    ],
)
def test_outputs_that_are_refused(log, columns, message):
    with pytest.raises(cm.InputError, match=message):
        cm.evaluate(log.with_columns(z="y"), **OUTPUTS | columns)


@pytest.mark.parametrize("kind", [np.array, pl.Series, tuple])
def test_outputs_are_named_by_any_sequence(log, kind):
    frame = log.with_columns(z="y")
    of = {"task": "regression", "metrics": ["mae"]}
    truth, predicted = ["y", "z"], ["old", "new"]
    asked = {"y_true": kind(truth), "y_pred": kind(predicted)}
    slices = cm.evaluate(frame, truth, predicted, **of).slices()
    assert cm.evaluate(frame, **asked, **of).slices().equals(slices)
    table = frame.cm.evaluate(truth, predicted, **of)
    assert frame.cm.evaluate(**asked, **of).equals(table)
    models = cm.evaluate(frame, "y", kind(predicted), **of).slices()["model"]
    assert set(models) == set(predicted)


def test_pairs_of_outputs_come_in_any_order(log):
    frame = log.with_columns(z="y")
    of = {"task": "regression", "metrics": ["mae"]}
    pairs = {"z": "new", "y": "old"}
    slices = cm.evaluate(frame, ["y", "z"], ["old", "new"], **of).slices()
    assert cm.evaluate(frame, ["y", "z"], pairs, **of).slices().equals(slices)
    table = frame.cm.evaluate(["y", "z"], ["old", "new"], **of)
    assert frame.cm.evaluate(["y", "z"], pairs, **of).equals(table)
    for columns in ({"y", "z"}, frozenset("yz")):
        with pytest.raises(cm.InputError, match="which has no order"):
            frame.cm.evaluate(columns, columns, **of)


def test_errors_name_the_output_and_the_file(log, tmp_path):
    bad = log.with_columns(z=pl.when(pl.int_range(1_000) == 7).then(math.nan).otherwise("y"))
    columns = {"y_true": ["y", "z"], "y_pred": ["old", "new"], "task": "regression"}
    with pytest.raises(cm.InputError, match=r"^output 'z': nan at row 7 of `y_true`") as caught:
        cm.evaluate(bad, **columns)
    assert caught.value.row == 7
    bad.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(cm.InputError, match=r"a\.parquet: output 'z': nan at row 7"):
        cm.evaluate(tmp_path, **columns)


def test_usual_metrics_nans_and_no_rows(log):
    bad = log.with_columns(y=pl.when(pl.int_range(1_000) == 7).then(math.nan).otherwise("y"))
    of = {"y_true": "y", "y_pred": "old", "task": "regression"}
    with pytest.raises(cm.InputError, match="nan at row 7"):
        cm.evaluate(bad, **of)
    e = cm.evaluate(bad, nan="drop", **of)
    assert e.n_nan == 1
    assert e.overall()["metric"].to_list()[:3] == ["mean_error", "mae", "rmse"]
    nothing = cm.evaluate(log.clear(), by="site", **of)
    assert nothing.slices().height == 0
    assert cm.evaluate(log.clear(), **of).overall()["reason"].unique().to_list() == [
        "there are no rows"
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [0, 1]}, "`labels` is"),
        ({"y_score": "old"}, "`y_score` is 'old'"),
        ({"per_class": True}, "`per_class` is True"),
        ({"task": "classes"}, "`task` is 'classes'"),
        ({"metrics": ["accuracy"]}, "`accuracy` is a metric of predicted classes"),
        ({"y_true": "site"}, "wanted numbers"),
    ],
)
def test_what_is_refused(log, options, message):
    asked = {"y_true": "y", "y_pred": "old", "task": "regression"} | options
    with pytest.raises(cm.InputError, match=message):
        cm.evaluate(log, **asked)
