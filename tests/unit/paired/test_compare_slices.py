"""`cm.compare` by slices, of any source."""

import polars as pl
import pytest
from support.compared_log import COLUMNS, compared, log

import confmat as cm


def test_a_screen_says_that_not_all_slices_are_on_it():
    few, many = (log(400, 3).with_columns(at=pl.int_range(pl.len()) % n) for n in (8, 9))
    assert "shown:" not in str(cm.compare(few, "y", ["a", "b"], by="at"))
    told = str(cm.compare(many, "y", ["a", "b"], by="at"))
    assert "9 slices by at (shown: the 4 worst and best of b; .slices() has all)" in told


def test_slices():
    frame = log()
    frame = frame.with_columns(b=pl.when(site="y").then("y").otherwise("b"))
    c = compared(frame, by="site", metrics=["accuracy", "f1"])
    table = c.table()
    assert table.columns == ["site", *COLUMNS]
    assert table["site"].to_list() == ["x", "x", "y", "y", "z", "z"]
    for site in "xyz":
        own = compared(frame.filter(site=site), metrics=["accuracy", "f1"]).table()
        assert table.filter(site=site).drop("site").equals(own)
        assert c.difference("f1", site=site) == compared(frame.filter(site=site)).difference("f1")
    assert c.overall().equals(compared(frame, metrics=["accuracy", "f1"]).table())
    ranked = c.slices()
    assert ranked["difference"].is_sorted()
    assert set(ranked["metric"]) == {"accuracy"}
    assert ranked["p_adjusted"].equals(cm.adjust_p(ranked["p_value"]), null_equal=True)
    told = [
        None if row["p_adjusted"] >= 0.05 else "better" if row["difference"] > 0 else "worse"
        for row in ranked.to_dicts()
    ]
    assert ranked["verdict"].to_list() == told
    assert c.slices("error")["difference"].is_sorted(descending=True)
    assert c.slices("error")["verdict"].to_list() == told
    assert (
        c.slices(adjust="holm")["p_adjusted"].to_list()
        == cm.adjust_p(ranked["p_value"], "holm").to_list()
    )
    plain = c.slices(adjust=None)
    assert plain["p_adjusted"].to_list() == plain["p_value"].to_list()
    with pytest.raises(cm.InputError, match="`adjust` is 'most'"):
        c.slices(adjust="most")


def test_slices_of_expressions_missing_values_and_times():
    frame = log().with_columns(
        site=pl.when(pl.col("site") != "x").then("site"),
        day=pl.date(2024, 1, 1) + pl.duration(days=pl.col("user") % 2),
    )
    c = compared(frame, by=[pl.col("day").dt.day().alias("on"), "site"], metrics="accuracy")
    assert c.keys == ("on", "site")
    assert c.table().select("on", "site").rows() == [
        (day, site) for day in (1, 2) for site in ("y", "z", None)
    ]
    missing = c.table().filter(pl.col("site").is_null(), pl.col("on") == 2)
    own = frame.filter(pl.col("site").is_null(), pl.col("day").dt.day() == 2)
    assert missing["n"].item() == own.height
    assert (
        c.difference("accuracy", slice={"site": None, "on": 2}).value
        == missing["difference"].item()
    )


def test_small_slices_have_no_values():
    c = compared(log(), by="site", min_n=140, metrics="mcc")
    for row in c.table().to_dicts():
        assert (row["difference"] is None) == (row["n"] < 140)
    few = c.table().filter(pl.col("n") < 140)
    assert few.height
    assert "140" in few["reason"][0]
    assert c.slices().height == 3


def test_any_source_and_any_split_give_the_same(tmp_path):
    frame = log(500)
    wanted = compared(frame, by="site").table()
    frame[:200].write_parquet(tmp_path / "1.parquet")
    frame[200:].write_parquet(tmp_path / "2.parquet")
    for source in (
        frame.lazy(),
        [frame[:7], frame[7:300], frame[300:]],
        tmp_path,
        frame.to_pandas(),
        frame.to_arrow(),
    ):
        assert compared(source, by="site").table().equals(wanted)
    e = cm.evaluate(frame[:123], "y", ["a", "b"], by="site")
    e += cm.evaluate(frame[123:], "y", ["a", "b"], by="site")
    assert e == compared(frame, by="site").evaluation
