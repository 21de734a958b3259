"""Comparisons that keep joint states of scores in place of rows."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

SCORES = {"old": "a", "new": "b", "third": "c"}


def log(n=4000, seed=3):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    common = rng.normal(size=n) + 1.2 * y
    columns = {
        name: 1 / (1 + np.exp(-common - spread * rng.normal(size=n)))
        for name, spread in (("a", 0.7), ("b", 0.6), ("c", 2.0))
    }
    frame = pl.DataFrame({"y": y, **columns, "site": rng.choice(["x", "y", "z"], n)})
    return frame.with_columns(
        pl.when(pl.int_range(pl.len()) % 11 == 0).then(None).otherwise("b").alias("b"),
        p=pl.col("a") > 0.5,
        q=pl.col("b") > 0.5,
        w=pl.int_range(pl.len()) % 3,
    )


@pytest.mark.parametrize("weight", [None, "w"])
def test_tables_are_those_of_the_rows(weight):
    options = {"y_true": "y", "y_score": SCORES, "by": "site", "sample_weight": weight}
    rows = cm.compare(log(), **options)
    states = cm.compare(log(), bins="unit", **options)
    for of in ("table", "overall"):
        one, other = getattr(rows, of)(), getattr(states, of)()
        same = [name for name in one.columns if one.schema[name] != pl.Float64 and name != "method"]
        assert other.select(same).equals(one.select(same))
        assert set(other["method"]) <= {"delong", "mean", "delong, bins", "mean, bins"}
        for name in ("value_a", "value_b", "difference"):
            assert np.allclose(other[name], one[name], atol=3e-4), name
        width = one["high"] - one["low"]
        assert ((other["low"] - one["low"]).abs() < 0.05 * width + 3e-4).all()
        assert ((other["high"] - one["high"]).abs() < 0.05 * width + 3e-4).all()
    assert set(states.slices("roc_auc")["site"]) == {"x", "y", "z"}


def test_files_are_read_in_parts(tmp_path):
    whole = log()
    for at in range(3):
        whole.filter(pl.int_range(pl.len()) % 3 == at).write_parquet(tmp_path / f"{at}.parquet")
    options = {"y_true": "y", "y_score": SCORES, "bins": "unit", "by": "site"}
    options["where"] = pl.col("site") != "z"
    found = cm.compare(str(tmp_path / "*.parquet"), **options)
    frame = cm.compare(whole, **options)
    assert found.table().equals(frame.table())
    for model in ("new", "third"):
        assert found.joint_sweep(model).to_bytes() == frame.joint_sweep(model).to_bytes()
    assert found.joint_sweep("new", site="x").n == whole.filter(site="x")["b"].count()


def test_predictions_are_counted_beside():
    options = {
        "y_true": "y",
        "y_pred": {"old": "p", "new": "q"},
        "y_score": {"old": "a", "new": "b"},
    }
    rows, states = cm.compare(log(), **options), cm.compare(log(), bins="unit", **options)
    assert states.metrics == rows.metrics
    of_classes = pl.col("metric").is_in(["accuracy", "recall", "mcc"])
    assert states.overall().filter(of_classes).equals(rows.overall().filter(of_classes))
    assert states.flips().equals(rows.flips())
    assert states.evaluation is not None
    assert "late" not in str(states)


def test_usual_metrics_follow_the_scores():
    far = log().with_columns(pl.col("a", "b") * 3)
    options = {"y_true": "y", "y_score": {"old": "a", "new": "b"}, "bins": "unit"}
    assert cm.compare(far, **options).metrics == ("roc_auc",)
    assert cm.compare(log(), **options).metrics == ("roc_auc", "brier", "log_loss")


def test_sides_and_small_slices():
    options = {"y_true": "y", "y_score": {"old": "a", "new": "b"}, "bins": "unit"}
    lower = cm.compare(log(), side="lower", metrics="roc_auc", **options).overall()
    assert lower["high"].item() == 1
    few = cm.compare(log(), by="site", min_n=10**6, metrics="roc_auc", **options)
    assert few.table()["reason"].str.starts_with("n is below min_n").all()
    none = cm.compare(log(), where=pl.col("site") == "", metrics="roc_auc", **options)
    assert none.overall()["reason"].to_list() == ["there are no rows"]
    other = cm.compare(log(), metrics="ks", **options).overall()
    assert other["reason"].to_list() == [
        "there is no paired interval of ks without the rows: leave out `bins`"
    ]
    assert other["value_a"].item() > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 64}, "`bins` is 64; wanted 'unit'"),
        ({"bins": "unit", "cluster": "site"}, "`cluster` needs the rows of scores"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(cm.InputError, match=message):
        cm.compare(log(), "y", y_score={"old": "a", "new": "b"}, **options)


def test_rows_have_no_joint_states():
    c = cm.compare(log(), "y", y_score={"old": "a", "new": "b"})
    with pytest.raises(cm.InputError, match='compare with `bins="unit"`'):
        c.joint_sweep()


def test_a_part_may_lack_the_positive_class(tmp_path):
    whole = log().with_columns(pl.col("y").replace_strict({True: "late", False: "on time"}))
    for at, of_class in enumerate(("on time", "late")):
        whole.filter(y=of_class).write_parquet(tmp_path / f"{at}.parquet")
    options = {"y_true": "y", "y_score": SCORES, "pos_label": "late", "bins": "unit"}
    found = cm.compare(str(tmp_path / "*.parquet"), **options)
    assert found.overall().equals(cm.compare(whole, **options).overall())


def test_files_of_scores_of_two_types(tmp_path):
    whole = log()
    whole.head(2000).write_parquet(tmp_path / "0.parquet")
    whole.tail(2000).with_columns(pl.col("a").cast(pl.Float32)).write_parquet(
        tmp_path / "1.parquet"
    )
    options = {"y_true": "y", "y_score": {"old": "a", "new": "b"}, "metrics": ["auc"]}
    found = cm.compare(str(tmp_path / "*.parquet"), bins="unit", **options).difference("auc")
    known = cm.compare(str(tmp_path / "*.parquet"), **options).difference("auc")
    assert found.value == pytest.approx(known.value, abs=1e-4)
    assert found.se == pytest.approx(known.se, rel=1e-3)


def test_a_bad_row_is_named_by_its_place_in_the_file(tmp_path):
    whole = log().with_columns(b=pl.when(pl.int_range(pl.len()) == 3210).then(np.nan).otherwise(0))
    whole.write_parquet(tmp_path / "log.parquet")
    with pytest.raises(cm.InputError, match=r"log\.parquet: nan at row 3210 of `y_score_b`"):
        cm.compare(str(tmp_path), "y", y_score={"old": "a", "new": "b"}, bins="unit")


def test_scores_within_one_bin_may_differ_by_anything():
    y = np.arange(400) % 2
    near = {"a": 0.7 + 1e-7 * y, "b": 0.7 - 1e-7 * y}
    c = cm.compare(pl.DataFrame({"y": y, **near}), "y", y_score=["a", "b"], bins="unit")
    told = c.overall("auc").row(0, named=True)
    assert (told["low"], told["high"], told["p_value"]) == (-1, 1, 1)
    assert told["reason"] is None
    assert c.joint_sweep().test("equal").p_value == 1
