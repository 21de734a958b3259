"""Scores of many classes of two models on the same rows: values, intervals, slices, refusals."""

import math
import re

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import confmat as cm

CLASSES = ["cat", "dog", "emu"]
AREAS = ["roc_auc", "roc_auc_weighted", "roc_auc_micro", "roc_auc_ovo"]
PRECISIONS = [f"average_precision_{of}" for of in ("macro", "weighted", "micro")]
LOSSES = ["brier", "log_loss", "ranked_probability_score", "hinge_loss"]
SAVED = ["d2_brier", "d2_log_loss"]
TOPS = ["top_1_accuracy", "top_2_accuracy"]
ALL = [*AREAS, *PRECISIONS, *LOSSES, *SAVED, *TOPS]
COLUMNS = {of: [f"{of}_{label}" for label in CLASSES] for of in "ab"}


def log(n=240, seed=1, decimals=2):
    """Return rows of three classes, two models of like errors, weights, users and sites."""
    rng = np.random.default_rng(seed)
    y = rng.choice(3, n, p=[0.4, 0.35, 0.25])
    common = rng.normal(0, 0.8, (n, 3))
    frame = pl.DataFrame(
        {
            "y": np.array(CLASSES)[y],
            "w": rng.uniform(0.2, 3, n),
            "user": rng.integers(0, 40, n),
            "site": np.array(["x", "y"])[rng.integers(0, 2, n)],
        }
    )
    for model, shift in (("a", 1.0), ("b", 1.4)):
        odds = common + rng.normal(0, 0.6, (n, 3))
        odds[np.arange(n), y] += shift
        p = np.exp(odds) / np.exp(odds).sum(1, keepdims=True)
        p = np.round(p, decimals)  # ties
        p[:, 2] = 1 - p[:, 0] - p[:, 1]
        frame = frame.with_columns(
            pl.Series(name, p[:, at]) for at, name in enumerate(COLUMNS[model])
        )
    return frame


def compared(frame, metrics=ALL, **options):
    return cm.compare(frame, "y", y_score=COLUMNS, metrics=metrics, **options)


def sweep_of(frame, model, weight=None):
    weights = None if weight is None else frame[weight]
    scores = [frame[name] for name in COLUMNS[model]]
    return cm.multiclass_sweep(frame["y"], scores, labels=CLASSES, sample_weight=weights)


def row_of(table, name):
    return table.row(by_predicate=pl.col("metric") == name, named=True)


def slopes(frame, name, weight=None, step=1e-5):
    """Return how fast the difference changes with the weight of each row."""
    w = np.ones(frame.height) if weight is None else frame[weight].to_numpy().copy()
    out = []
    for at in range(frame.height):
        both = []
        for sign in (1, -1):
            moved = w.copy()
            moved[at] += sign * step
            heavy = frame.with_columns(pl.Series("moved", moved))
            both.append(
                sweep_of(heavy, "b", "moved").value(name)
                - sweep_of(heavy, "a", "moved").value(name)
            )
        out.append((both[0] - both[1]) / (2 * step))
    return w, np.array(out)


@pytest.mark.parametrize("weight", [None, "w"])
def test_values_are_those_of_sweeps(weight):
    frame = log()
    table = compared(frame, sample_weight=weight).table()
    for name in ALL:
        found = row_of(table, name)
        a, b = (sweep_of(frame, model, weight).value(name) for model in "ab")
        assert (found["value_a"], found["value_b"]) == (a, b)
        assert found["difference"] == b - a


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", [name for name in ALL if name not in TOPS])
def test_errors_are_those_of_the_slopes_in_the_weights(name, weight):
    frame = log()
    w, slope = slopes(frame, name, weight)
    added = w * slope
    codes = frame["y"].to_numpy()
    samples = [np.ones(len(w), bool)]
    if name.endswith(("macro", "ovo")) or name == "roc_auc":
        samples = [codes == label for label in CLASSES]
    variance = sum(
        (added[one] ** 2).sum() / (1 - (w[one] ** 2).sum() / w[one].sum() ** 2) for one in samples
    )
    c = compared(frame, sample_weight=weight)
    assert c.difference(name).se == pytest.approx(math.sqrt(variance), rel=2e-4)
    found = row_of(c.table(), name)
    reach = stats.norm.ppf(0.975) * c.difference(name).se
    assert found["high"] - found["difference"] == pytest.approx(reach)
    assert found["difference"] - found["low"] == pytest.approx(reach)
    p = 2 * stats.norm.sf(abs(found["difference"]) / c.difference(name).se)
    assert found["p_value"] == pytest.approx(p)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", ["roc_auc_macro", "average_precision_weighted", "top_2_accuracy"])
def test_clusters_are_summed(name, weight):
    frame = log()
    w, slope = slopes(frame, name, weight)
    sums = np.bincount(frame["user"], w * slope)
    wanted = math.sqrt((sums @ sums) * 40 / 39)
    c = compared(frame, cluster="user", sample_weight=weight)
    assert frame["user"].n_unique() == 40
    assert c.difference(name).se == pytest.approx(wanted, rel=2e-4)
    assert c.difference(name).method == "cluster"


def test_two_classes_are_as_the_positive_one():
    frame = log().filter(pl.col("y") != "emu").with_columns(y=pl.col("y") == "dog")
    columns = {}
    for of in "ab":
        both = pl.col(f"{of}_cat") + pl.col(f"{of}_dog")
        frame = frame.with_columns(
            (pl.col(f"{of}_cat") / both).alias(f"{of}0"),
            (pl.col(f"{of}_dog") / both).alias(f"{of}1"),
        )
        columns[of] = [f"{of}0", f"{of}1"]
    many = cm.compare(frame, "y", y_score=columns, metrics=["roc_auc", "log_loss", "brier"])
    two = cm.compare(frame, "y", y_score={"a": "a1", "b": "b1"}, metrics=["roc_auc", "log_loss"])
    for name in ("roc_auc", "log_loss"):
        one, other = row_of(many.table(), name), row_of(two.table(), name)
        for end in ("difference", "low", "high", "p_value"):
            assert one[end] == pytest.approx(other[end], abs=1e-9)
        assert (one["method"], one["n"]) == (other["method"], other["n"])


def test_the_top_class_is_compared_as_accuracy():
    frame = log(decimals=1)
    codes = {of: np.array([frame[name] for name in COLUMNS[of]])[::-1].argmax(0) for of in "ab"}
    frame = frame.with_columns(
        pl.Series(f"p{of}", np.array(CLASSES)[2 - codes[of]]) for of in "ab"
    )  # of equal scores the last
    both = {"y_pred": {"a": "pa", "b": "pb"}, "y_score": COLUMNS}
    for options in ({}, {"side": "lower"}, {"by": "site", "min_n": 5}):
        c = cm.compare(frame, "y", **both, metrics=["accuracy", "top_1_accuracy"], **options)
        table = c.table().drop("metric")
        assert table[1::2].equals(table[::2])
        assert table["method"].to_list() == ["tango"] * table.height


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
        ({"seed": 1}, "seed"),
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
