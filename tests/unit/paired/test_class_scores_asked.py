"""What scores of many classes may be compared, and what is said where they may not."""

import math
import re

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.class_scores import ALL, AREAS, CLASSES, COLUMNS, compared, log, row_of, sweep_of

import confmat as cm


def test_lists_arrays_and_labels_in_another_order():
    frame = log()
    wanted = compared(frame).table()
    arrays = frame.with_columns(
        a=pl.concat_arr(COLUMNS["a"]), b=pl.concat_list(COLUMNS["b"])
    ).with_columns(c=pl.concat_arr("b_cat", "b_dog", pl.col("b_emu")))
    of_lists = cm.compare(arrays, "y", y_score=["a", "b"], metrics=ALL)
    assert of_lists.table().equals(wanted)
    turned = {"a": COLUMNS["a"], "b": COLUMNS["b"][::-1]}  # named after the classes
    assert cm.compare(frame, "y", y_score=turned, metrics=ALL).table().equals(wanted)
    given = cm.compare(
        arrays, "y", y_score={"a": COLUMNS["a"], "b": "c"}, labels=CLASSES, metrics=ALL
    )
    assert given.table().equals(wanted)


@pytest.mark.parametrize("of", [pl.Categorical, pl.Enum(CLASSES)])
def test_labels_of_other_types(of):
    frame = log()
    wanted = compared(frame).table()
    assert compared(frame.with_columns(pl.col("y").cast(of))).table().equals(wanted)
    numbers = frame.with_columns(y=pl.col("y").replace_strict({"cat": 3, "dog": 5, "emu": 9}))
    assert compared(numbers).table().equals(wanted)
    assert compared(numbers.with_columns(pl.col("y").cast(pl.Float64))).table().equals(wanted)


def test_slices_are_as_their_rows_alone():
    frame = log()
    table = compared(frame, by="site").table()
    for (site,), rows in frame.group_by("site"):
        alone = compared(rows).table()
        assert table.filter(pl.col("site") == site).drop("site").equals(alone)
    worst = compared(frame, by="site").slices("log_loss")
    assert worst["difference"].is_sorted(descending=True)  # the lower, the better


def test_a_class_without_rows_is_left_out():
    frame = log(400).filter(pl.col("y") != "emu")
    names = ["roc_auc_macro", "roc_auc_ovo", "average_precision_macro", "log_loss"]
    table = compared(frame, names, labels=CLASSES).table()
    assert table["low"].null_count() == 0
    for name in names:
        assert row_of(table, name)["value_b"] == sweep_of(frame, "b").value(name)
    alone = compared(frame.filter(pl.col("y") == "cat"), names, labels=CLASSES).table()
    assert row_of(alone, "roc_auc_macro")["reason"] == "a: all rows are of one class"
    assert row_of(alone, "log_loss")["low"] is not None


def test_nulls_and_nan_leave_rows_out():
    frame = log()
    kept = frame[5:]
    gaps = frame.with_row_index().with_columns(
        y=pl.when(pl.col("index") > 0).then("y"),
        a_dog=pl.when(pl.col("index") != 1).then("a_dog"),
        b_emu=pl.when(pl.col("index") != 2).then("b_emu"),
        w=pl.when(pl.col("index") != 3).then("w").otherwise(0),
    )
    gaps = gaps.with_columns(w=pl.when(pl.col("index") != 4).then("w"))
    wanted = compared(kept, sample_weight="w").table()
    assert compared(gaps, sample_weight="w").table().equals(wanted)
    lists = gaps.with_columns(
        a=pl.when(pl.col("index") != 1).then(pl.concat_list(COLUMNS["a"])),
        b=pl.when(pl.col("index") != 2).then(pl.concat_arr(COLUMNS["b"])),
    )
    of_lists = cm.compare(lists, "y", y_score=["a", "b"], metrics=ALL, sample_weight="w")
    assert of_lists.table().equals(wanted)
    whole = {name: (pl.col(name) * 100).cast(pl.Int64) for of in "ab" for name in COLUMNS[of]}
    of_numbers = [
        compared(rows.with_columns(**whole), AREAS, sample_weight="w").table()
        for rows in (gaps, kept)
    ]
    assert of_numbers[0].equals(of_numbers[1])
    odd = frame.with_columns(
        b_dog=pl.when(pl.int_range(pl.len()) < 5).then(math.nan).otherwise("b_dog")
    )
    assert compared(odd, nan="drop").table().equals(compared(kept).table())
    with pytest.raises(cm.InputError, match="`y_score` 'b_dog' is nan, first at row 0"):
        compared(odd)


def test_few_rows_have_reasons():
    table = compared(log(3, seed=3).with_columns(y=pl.Series(CLASSES))).table()
    assert row_of(table, "roc_auc")["reason"] == "a class has one row alone"
    precision = row_of(table, "average_precision_macro")["reason"]
    assert precision.endswith("has an interval of 50 rows of each class or more, and there are 1")
    pooled = row_of(table, "average_precision_micro")["reason"]
    assert pooled.endswith("has an interval of 50 rows or more, and there are 3")
    one = compared(log(1), labels=CLASSES).table()
    assert row_of(one, "log_loss")["reason"] == "there is one row alone"
    assert row_of(one, "top_1_accuracy")["low"] is not None
    none = compared(log().clear(), labels=CLASSES)
    assert none.table()["reason"].unique().to_list() == ["there are no rows"]
    assert str(none)
    few = compared(log(), min_n=1000).table()
    assert few["low"].null_count() == few.height == len(ALL)


def test_what_is_no_estimate_has_no_interval():
    table = compared(log(), ["classwise_ece", "top_label_ece"]).table()
    assert table["value_b"].null_count() == 0
    assert table["low"].null_count() == 2
    assert table["reason"].str.ends_with("no interval holds").all()


def test_logits_have_no_losses():
    frame = log().with_columns(pl.col(*COLUMNS["a"]) * 7)
    c = cm.compare(frame, "y", y_score=COLUMNS)
    assert c.metrics == ("roc_auc_macro", "top_1_accuracy")
    found = row_of(c.overall(["brier", "hinge_loss"]), "brier")
    assert found["reason"].startswith("a: `scores` holds ")
    assert row_of(c.overall(["hinge_loss"]), "hinge_loss")["low"] is not None
    probabilities = cm.compare(log(), "y", y_score=COLUMNS)
    assert probabilities.metrics == ("roc_auc_macro", "top_1_accuracy", "brier", "log_loss")
    assert "better" in str(probabilities)
    assert probabilities.plot("log_loss").to_dict()


def test_a_thousand_classes():
    rng = np.random.default_rng(4)
    k, n = 1_000, 3_000
    y = np.tile(np.arange(k), n // k)
    frame = pl.DataFrame({"y": y})
    for of in "ab":
        p = rng.random((n, k)).astype(np.float32)
        p[np.arange(n), y] += 0.3
        frame = frame.with_columns(pl.Series(of, p, pl.Array(pl.Float32, k)))
    table = cm.compare(frame, "y", y_score=["a", "b"]).table()
    assert table["metric"].to_list() == ["roc_auc_macro", "top_1_accuracy"]
    assert table["low"].null_count() == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_score": list(COLUMNS.values())}, "no names of models; wanted {model: [columns]}"),
        ({"y_score": {"a": COLUMNS["a"], "b": "b_cat"}}, "scores of the same classes of both"),
        ({"y_score": {"a": COLUMNS["a"], "b": COLUMNS["b"][:2]}}, "'b' has scores of 2 classes"),
        ({"y_score": {"a": ["a_cat"], "b": ["b_cat"]}}, "a list of one column, 'a_cat'"),
        ({"y_score": {"a": COLUMNS["a"], "b": COLUMNS["a"]}}, "the column 'a_cat' for two models"),
        ({"y_score": {"a": ["a_cat"] * 3, "b": COLUMNS["b"]}}, "the column 'a_cat' twice"),
        ({"y_score": {"a": ["list", "w"], "b": COLUMNS["b"]}}, "'list', which holds lists"),
        ({"y_score": {"a": COLUMNS["a"], "b": ["y", "w", "user"]}}, "'y' is String"),
        ({"y_score": {"a": COLUMNS["a"], "b": "texts"}}, "'texts' is String"),
        ({"y_score": {"a": COLUMNS["a"], "b": "ragged"}}, "lists of 2 scores and of 3"),
        ({"y_score": {"a": COLUMNS["a"], "b": []}}, "of the model 'b' is []"),
        ({"y_score": {"a": COLUMNS["a"], "b": 3}}, "name of a column, or a list of these"),
        ({"y_score": {"a": COLUMNS["a"], "b": ["b_cat", "b_dog", "b_fox"]}}, "'b_fox'"),
        ({"labels": ["cat", "dog"]}, "`labels` has 2 labels for 3 columns of `y_score`"),
        ({"labels": ["cat", "dog", "fox"]}, "emu"),
        ({"labels": CLASSES[::-1]}, "wanted the labels in the order of the columns"),
        ({"metrics": "ks"}, "ks"),
        ({"metrics": "f1_macro"}, "give `y_pred`"),
        ({"bins": "unit"}, "joint states of scores are of two classes"),
        ({"method": "bootstrap"}, "scores of many classes are not drawn again"),
        ({"method": "wald"}, "`method` is 'wald'; wanted 'delta' or 'bootstrap'"),
        ({"seed": 1}, "`seed` is 1, and scores of many classes are not drawn again; leave it out"),
        ({"replicates": 99}, "`replicates` is 99, and scores of many classes are not drawn again"),
        ({"pos_label": "cat"}, "`pos_label` is 'cat', and scores of many classes have no positive"),
        ({"other": "bucket"}, "`other` is 'bucket'"),
    ],
)
def test_what_cannot_be_asked(options, message):
    frame = log().with_columns(
        list=pl.concat_list(COLUMNS["a"]),
        texts=pl.concat_list("y", "site"),
        ragged=pl.when(pl.col("site") == "x")
        .then(pl.concat_list("a_cat", "a_dog"))
        .otherwise(pl.concat_list(COLUMNS["a"])),
    )
    with pytest.raises(cm.InputError) as told:
        cm.compare(frame, "y", **({"y_score": COLUMNS} | options))
    assert message in str(told.value)


def test_one_column_of_many_classes_is_told_what_to_give():
    with pytest.raises(cm.InputError, match=r"`y_true` has 3 classes.*\{model: \[columns\]\}"):
        cm.compare(log(), "y", y_score={"a": "a_cat", "b": "b_cat"})


def test_columns_of_lists_have_names_of_their_own():
    frame = log(60)
    lists = frame.with_columns(a=pl.concat_list("a_cat", "a_dog", "a_emu"))
    lists = lists.rename({f"b_{name}": f"a[{at}]" for at, name in enumerate(CLASSES)})
    names = [f"a[{at}]" for at in range(3)]
    asked = {"metrics": ["brier"], "labels": CLASSES}
    found = cm.compare(lists, "y", y_score={"a": "a", "b": names}, **asked).table()
    wanted = cm.compare(frame, "y", y_score=COLUMNS, **asked).table()
    assert_frame_equal(found, wanted)


def test_the_order_of_classes_is_that_of_no_model():
    frame = log(60)
    mixed = COLUMNS | {"b": [COLUMNS["b"][at] for at in (1, 0, 2)]}
    one, other = (
        cm.compare(
            frame, "y", y_score=mixed, baseline=base, metrics=["ranked_probability_score"]
        ).table()
        for base in "ab"
    )
    assert one["difference"][0] == -other["difference"][0] != 0


@pytest.mark.parametrize("metric", ["brier", "log_loss", "d2_brier", "d2_log_loss", "hinge_loss"])
def test_a_constant_difference_has_no_standard_error(metric):
    y = CLASSES * 20
    columns = {
        f"{model}_{name}": [right if of == name else wrong for of in y]
        for model, right, wrong in (("a", 0.8, 0.1), ("b", 0.7, 0.15))
        for name in CLASSES
    }
    row = cm.compare(pl.DataFrame({"y": y, **columns}), "y", y_score=COLUMNS, metrics=[metric])
    row = row.table().row(0, named=True)
    assert row["low"] is row["p_value"] is None
    assert "every row says the same" in row["reason"]


def test_losses_of_few_rows_are_tested_by_t():
    rng = np.random.default_rng(4)
    alarms = 0
    for _ in range(300):
        scores = rng.dirichlet([1, 1, 1], (2, 5))
        columns = {
            name: of[:, at]
            for of, model in zip(scores, "ab", strict=True)
            for at, name in enumerate(COLUMNS[model])
        }
        frame = pl.DataFrame({"y": rng.permutation(CLASSES + CLASSES[:2]), **columns})
        found = cm.compare(frame, "y", y_score=COLUMNS, metrics=["brier"]).table()
        alarms += found["p_value"][0] < 0.05
    assert alarms < 24  # 15 are expected


def test_an_infinite_score_is_told():
    frame = log(60).with_columns(
        a_dog=pl.when(pl.int_range(60) == 3).then(float("inf")).otherwise("a_dog")
    )
    row = cm.compare(frame, "y", y_score=COLUMNS, metrics=["hinge_loss"]).table().row(0, named=True)
    assert (row["low"], row["reason"]) == (None, "a value is infinite")


@pytest.mark.parametrize("scores", [COLUMNS, ["a_cat", "b_cat"]])
def test_weights_that_are_texts_are_refused(scores):
    frame = log(60).with_columns(w=pl.lit("x"))
    frame = frame if scores is COLUMNS else frame.with_columns(y=pl.col("y") == "cat")
    with pytest.raises(cm.InputError, match="`sample_weight` has dtype String: wanted numbers"):
        cm.compare(frame, "y", y_score=scores, sample_weight="w")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ROC_AUC", "no number is named 'ROC_AUC'; wanted one of roc_auc"),
        ("top_k_accuracy(2)", "did you mean top_k_accuracy, top_2_accuracy"),
        ("accuracy", "a metric of predicted classes; give `y_pred`"),
    ],
)
def test_names_that_are_not_there_are_told_with_those_that_are(name, said):
    with pytest.raises(cm.InputError, match=re.escape(said)):
        compared(log(60), [name])


def test_the_screen_tells_the_rows_of_all_models():
    frame = log(60).with_columns(c_cat="b_cat", c_dog="b_dog")
    frame = frame.with_columns(c_emu=pl.when(pl.int_range(60) > 53).then(None).otherwise("b_emu"))
    scores = COLUMNS | {"c": ["c_cat", "c_dog", "c_emu"]}
    assert "n = 54 to 60;" in str(cm.compare(frame, "y", y_score=scores, metrics=["brier"]))


def test_rows_of_other_classes_are_left_out_by_where():
    frame = log().with_columns(y=pl.when(pl.int_range(240) < 9).then(pl.lit("fox")).otherwise("y"))
    with pytest.raises(cm.InputError, match="leave rows of other classes out by `where`"):
        compared(frame, ["brier"], labels=CLASSES, other="drop")
    with pytest.raises(cm.InputError, match="fox"):
        compared(frame, ["brier"], labels=CLASSES)
    found = compared(frame, ["brier"], labels=CLASSES, where=pl.col("y") != "fox")
    assert found.table().equals(compared(frame.slice(9), ["brier"], labels=CLASSES).table())
