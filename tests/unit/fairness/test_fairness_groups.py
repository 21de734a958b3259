"""Groups: which there are, which are too small, what is asked of them and refused."""

import copy
import pickle

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.judged import KEYS, LABELS, LOG, PARTS

import confmat as cm
from confmat import InputError
from confmat.fairness.from_parts import OF_MANY, OF_SCORES, OF_TWO, fairness
from confmat.fairness.groups import _TAKEN


def test_finer_slices_are_merged():
    one = fairness(LABELS, "sex")
    other = fairness(cm.partial(LOG, y_true="y", y_pred="p", by="sex"), "sex")
    assert_frame_equal(one.table(), other.table())
    assert_frame_equal(one.between(), other.between())
    assert_frame_equal(one.compared("rest"), other.compared("rest"))


def test_groups_within_control_values_are_those_of_the_rows_there():
    f = fairness(PARTS, ["sex", "age"], "region")
    tables = []
    for region in (1, 2, 3):
        rows = LOG.filter(pl.col("region") == region)
        parts = cm.partial(rows, y_true="y", y_pred="p", y_score="s", by=["sex", "age"])
        alone = fairness(parts, ["sex", "age"])
        tables.append([alone.table(), alone.between(), alone.compared("rest"), alone.inequality()])
        assert f.value("equalized_odds_ratio", region=region) == alone.equalized_odds_ratio
    found = [f.table(), f.between(), f.compared("rest"), f.inequality()]
    for whole, parts in zip(found, zip(*tables, strict=True), strict=True):
        assert_frame_equal(whole.drop("region"), pl.concat(parts))


def test_defaults():
    assert fairness(LABELS, "sex").metrics == OF_TWO
    assert fairness(PARTS, "sex").metrics == (*OF_TWO, *OF_SCORES)
    scores = cm.partial(LOG, y_true="y", y_score="s", by="sex")
    f = fairness(scores, "sex")
    assert f.metrics == OF_SCORES
    assert f.between()["criterion"].to_list()[:2] == ["roc_auc_difference", "roc_auc_ratio"]
    kinds = LOG.with_columns(pl.col("region").alias("y"), pl.col("region").reverse().alias("p"))
    many = cm.partial(kinds, y_true="y", y_pred="p", by="sex")
    assert fairness(many, "sex").metrics == OF_MANY
    f = fairness(many, "sex", pos_label=2)
    assert f.metrics == OF_TWO
    rows = kinds.filter(pl.col("sex") == "m")
    assert f.by_group()["selection_rate"][1] == pytest.approx((rows["p"] == 2).mean())
    assert f.by_group()["accuracy"][1] == pytest.approx((rows["p"] == rows["y"]).mean())


def test_small_groups_are_suppressed_and_count_among_all_rows():
    sizes = dict(LOG.group_by("sex").len().rows())
    f = fairness(PARTS, "sex", min_n=sizes["x"] + 1)
    enough = fairness(PARTS, "sex", min_n=sizes["x"])
    assert_frame_equal(enough.table(), fairness(PARTS, "sex").table())
    small = f.table().filter(pl.col("sex") == "x")
    assert small["value"].null_count() == small["low"].null_count() == len(f.metrics)
    assert {*small["reason"]} == {f"n is below min_n = {sizes['x'] + 1}"}
    assert small["n"].unique().to_list() == [sizes["x"]]
    assert f.overall()["n"].item() == len(LOG)
    assert f.between()["groups"].unique().to_list() == [2]
    rates = LOG.filter(pl.col("sex") != "x").group_by("sex").agg(pl.col("p").mean())["p"]
    assert f.demographic_parity_ratio == pytest.approx(rates.min() / rates.max())
    others = LOG.filter(pl.col("sex") != "f")["p"].mean()
    rest = f.compared("rest").filter(pl.col("metric") == "selection_rate")
    assert rest["other"][0] == pytest.approx(others)
    assert rest.row(2, named=True)["difference"] is None
    assert rest["reason"][2] == f"n is below min_n = {sizes['x'] + 1}"
    assert "1 group below min_n" in str(f)
    assert f.four_fifths()["passes"].null_count() == 1
    assert "x" not in f.four_fifths_curve()["lowest"].to_list()
    assert "x" not in f.calibration()["sex"].to_list()
    of_one = fairness(PARTS, "sex", min_n=sizes["f"] + sizes["m"])
    why = "fewer than two groups have a value: n is below min_n = "
    assert of_one.reason("tpr_difference").startswith(why)
    assert np.isnan(of_one.value("tpr_difference"))
    assert of_one.compared("best")["difference"].null_count() == 3 * len(of_one.metrics)
    assert len(of_one.four_fifths_curve()) == 0
    str(of_one)


def test_undefined_values_say_why_and_are_not_compared():
    log = pl.DataFrame({"g": ["a", "a", "b", "b", "c"], "y": [0, 1, 0, 0, 1], "p": [0, 1, 0, 1, 0]})
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="g"), "g")
    tpr = f.table().filter(pl.col("metric") == "tpr")
    assert tpr["reason"].to_list() == [None, "tp + fn = 0", None]
    assert f.equal_opportunity_difference == 1.0
    row = f.between().filter(pl.col("criterion") == "equal_opportunity_ratio").row(0, named=True)
    assert (row["value"], row["lowest"], row["highest"], row["groups"]) == (0.0, "c", "a", 2)
    compared = f.compared("reference", "b").filter(pl.col("metric") == "tpr")
    assert compared["difference"].null_count() == 3
    nothing = "what it is compared with is undefined"
    assert compared["reason"].to_list() == [nothing, "tp + fn = 0", nothing]
    compared = f.compared("reference", "c").filter(pl.col("metric") == "tpr")
    assert compared["reason"].to_list() == [
        "what it is divided by is 0",
        "tp + fn = 0",
        "the group itself",
    ]
    none = fairness(cm.partial(log.with_columns(p=0), y_true="y", y_pred="p", by="g"), "g")
    assert none.reason("demographic_parity_ratio") == "all values are 0"
    assert none.demographic_parity_difference == 0.0


def test_values_below_zero_have_no_ratio():
    log = pl.DataFrame({"g": list("aabb"), "y": [0, 1, 0, 1], "p": [0, 1, 1, 0]})
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="g"), "g", metrics="mcc")
    assert f.mcc_difference == 2.0
    assert f.reason("mcc_ratio") == "a value below 0 has no ratio"
    assert f.compared("reference", "a")["ratio"].to_list() == [1.0, None]


def test_missing_values_are_a_group():
    log = LOG.with_columns(pl.when(pl.col("sex") != "x").then("sex").alias("sex"))
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="sex"), "sex", reference={"sex": None})
    assert f.by_group()["sex"].to_list() == ["f", "m", None]
    assert {*f.compared().filter(pl.col("reason") == "the group itself")["sex"]} == {None}
    assert "null" in {*f.between()["lowest"], *f.between()["highest"]}


def test_a_group_without_rows_has_no_values():
    of_none = pl.DataFrame({"sex": ["z"], "state": [None]}, schema_overrides={"state": pl.Binary})
    parts = pl.concat([cm.merge(LABELS, by="sex"), of_none])
    f = fairness(parts, "sex")
    without = fairness(LABELS, "sex")
    assert_frame_equal(f.table().filter(pl.col("sex") != "z"), without.table())
    assert_frame_equal(f.between(), without.between())
    assert_frame_equal(f.inequality(), without.inequality())
    empty = f.table().filter(pl.col("sex") == "z")
    assert empty["value"].null_count() == len(empty)
    assert empty["n"].unique().to_list() == [0]
    assert empty["reason"].null_count() == 0
    none = fairness(of_none, "sex")
    assert none.by_group()["n"].to_list() == [0]
    str(none)


def test_one_group_alone_has_no_comparisons():
    f = fairness(LABELS.filter(pl.col("sex") == "m"), "sex", metrics=["tpr", "mcc"])
    table = f.compared("overall")
    assert table["difference"].to_list() == [0.0, 0.0]
    assert table["difference_low"].null_count() == 2
    assert table["reason"].to_list() == [
        "undefined for the rest",
        "there is no interval of this comparison yet",
    ]
    assert f.compared("rest")["difference"].null_count() == 2
    assert f.between()["value"].null_count() == len(f.between())


def test_copies_and_pickles_say_the_same():
    f = fairness(PARTS, "sex", "age", reference="m", min_n=10, level=0.9)
    for again in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        assert_frame_equal(again.between(), f.between())
        assert_frame_equal(again.compared(), f.compared())


def test_references_by_value_tuple_and_mapping():
    f = fairness(LABELS, ["sex", "age"], metrics="tpr")
    wanted = f.compared("reference", ("m", "old"))
    assert_frame_equal(f.compared(reference={"age": "old", "sex": "m"}), wanted)
    asked = fairness(LABELS, ["sex", "age"], metrics="tpr", reference=["m", "old"])
    assert_frame_equal(asked.compared(), wanted)
    with pytest.raises(InputError, match="`reference` is 'm'; wanted a value of each of"):
        f.compared("reference", "m")
    with pytest.raises(InputError, match="no group has it; there are 'f, old', 'f, young'"):
        f.compared("reference", ("z", "old"))
    with pytest.raises(InputError, match="name the group by `reference`"):
        f.compared("reference")
    # A reference that has no rows in a block leaves that block without comparisons.
    part = LABELS.filter((pl.col("sex") != "m") | (pl.col("region") != 2))
    table = fairness(part, "sex", "region", metrics="tpr", reference="m").compared()
    empty = table.filter(pl.col("region") == 2)
    assert empty["difference"].null_count() == len(empty) == 2
    assert table["difference"].null_count() == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sensitive": "sexx"}, "`sensitive` has 'sexx'; the keys are"),
        ({"sensitive": []}, "`sensitive` is empty"),
        ({"sensitive": ["sex", "sex"]}, "`sensitive` has the column 'sex' twice"),
        ({"sensitive": "state"}, "`sensitive` has 'state'; the keys"),
        ({"sensitive": "sex", "control": "sex"}, "`control` has the column 'sex', which is in"),
        ({"sensitive": "sex", "control": "x"}, "`control` has 'x'; the keys"),
        ({"sensitive": "sex", "metrics": "tprr"}, "no metric is named 'tprr'; did you mean"),
        ({"sensitive": "sex", "metrics": "roc_auc_macro"}, "of scores of many classes"),
        ({"sensitive": "sex", "metrics": ["top_3_accuracy"]}, "of scores of many classes"),
        ({"sensitive": "sex", "metrics": []}, "`metrics` is empty"),
        ({"sensitive": "sex", "metrics": "roc_auc"}, "give `y_score` to `cm.partial`"),
        ({"sensitive": "sex", "level": 95}, "`level` is 95"),
        ({"sensitive": "sex", "min_n": -1}, "`min_n` is -1"),
        ({"sensitive": "sex", "pos_label": "yes"}, "`pos_label` is 'yes': .* classes are 0, 1"),
        ({"sensitive": "sex", "reference": "z"}, "`reference` is 'z', and no group has it"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        fairness(LABELS, **arguments)


@pytest.mark.parametrize("name", ["n", "metric", "threshold"])
def test_keys_with_names_of_the_result(name):
    parts = LABELS.rename({"sex": name})
    with pytest.raises(InputError, match=f"`sensitive` has '{name}', a name of the result; rename"):
        fairness(parts, name)
    fairness(parts.rename({name: "kind"}), "kind")  # what the message says to do


def test_no_column_of_a_table_is_taken_twice():
    f = fairness(PARTS, "sex", "age")
    tables = [f.table(), f.compared(), f.between(), f.four_fifths(), f.four_fifths_curve()]
    taken = {name for table in [*tables, f.inequality()] for name in table.columns}
    assert taken - {"sex", "age"} <= {*_TAKEN}


def test_parts_that_are_none():
    for parts in (LOG, LABELS.lazy(), {"sex": 1}):
        with pytest.raises(InputError, match=r"`parts` is .*; wanted a frame of `cm.partial`"):
            fairness(parts, "sex")


def test_names_of_criteria_that_are_not_there():
    f = fairness(LABELS, "sex", "region")
    cases = {
        ("tpr",): "no criterion is named 'tpr'; wanted the name of a metric, or one of demographic",
        ("tprr_ratio",): "no metric is named 'tprr'; did you mean",
        ("fpr_ratio_mean",): "no criterion is named 'fpr_ratio_mean'",
        ("tpr_ratio",): "several of the control values are meant; give each of",
    }
    for (name,), message in cases.items():
        with pytest.raises(InputError, match=message):
            f.value(name)
    with pytest.raises(InputError, match="none of the control values are meant"):
        f.value("tpr_ratio", region=9)
    with pytest.raises(InputError, match="`age` is no control column"):
        f.value("tpr_ratio", age="old")
    with pytest.raises(InputError, match="`agg` is 'max'; wanted 'worst_case' or 'mean'"):
        f.value("equalized_odds_ratio", agg="max", region=1)
    assert not hasattr(f, "tprr_ratio")
    assert "equalized_odds_ratio" in dir(f)


def test_many_groups_at_once():
    rng = np.random.default_rng(1)
    rows = 30_000
    log = pl.DataFrame(
        {
            "g": rng.integers(0, 3_000, rows),
            "y": rng.integers(0, 2, rows),
            "p": rng.integers(0, 2, rows),
        }
    )
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="g"), "g")
    assert f.by_group().height == log["g"].n_unique()
    assert f.interval("accuracy_difference")[0] == 0.0
    assert len(str(f).splitlines()) < 60


def test_keys_are_those_of_the_parts():
    f = fairness(PARTS, KEYS)
    assert f.table().columns[:3] == KEYS
    assert f.table()["n"].dtype == pl.Int64
    assert f.table().height == len(PARTS) * len(f.metrics)
