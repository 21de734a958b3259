"""Sets of labels that are refused: tables, options and names."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

NAMES = ["x", "y", "z"]
TRUE = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1]])
PRED = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 0], [0, 1, 1]])
REFUSED = (
    ([[0, 2]], [[0, 1]], {}, "`y_true` holds 2 at row 0 of column 1; wanted 0 and 1"),
    ([[0, 1]], [[0, 1, 0]], {}, r"`y_true` has 2 labels \(columns\) and `y_pred` 3"),
    ([[0, 1]], [[0, 1], [1, 1]], {}, "`y_true` has 1 rows and `y_pred` 2"),
    ([0, 1], [0, 1], {}, "`y_true` holds int 0 at row 0; wanted n x L"),
    ([[1, 2], [3]], [[1], [3]], {}, r"label names \(of integers: sets, or a List column\)"),
    ([[0.5]], [[1]], {}, "`y_true` holds 0.5 at row 0 of column 0; these look like scores"),
    ([["a"]], [[1]], {}, "holds lists of names, the other indicators"),
    (
        [["a"]],
        [["b"]],
        {"labels": ["a"]},
        r"label 'b' at row 0 of `y_pred` is not in labels \['a'\]",
    ),
    ([{"a", 1}], [{"a"}], {}, "`y_true` has (str .a.|int 1) at row 0 and (int 1|str .a.) at row 0"),
    ([["a", None]], [["a"]], {}, "`y_true` holds a null inside the list at row 0"),
    ([[1]], [[1]], {"labels": ["a", "b"]}, "`labels` has 2 labels for 1 columns"),
    ([[1]], [[1]], {"sample_weight": [-1]}, "weight -1 at row 0 of `sample_weight` is negative"),
    ([[1]], [[1]], {"nulls": "keep"}, "`nulls` is 'keep'"),
    (pl.DataFrame({"a": [1]}), pl.DataFrame({"b": [1]}), {}, "have other columns"),
    (pl.DataFrame({"a": [0.5]}), pl.DataFrame({"a": [1]}), {}, "column 0; these look like scores"),
    (pl.DataFrame({"a": [3]}), pl.DataFrame({"a": [1]}), {}, "holds 3 at row 0 of column 0"),
    (pl.LazyFrame({"a": [3]}), [[1]], {}, "`y_true` is a LazyFrame; collect it first"),
    (pl.Series([1]), [[1]], {}, "`y_true` is a Series of Int64"),
    (None, [[1]], {}, r"`y_true` has shape \(\)"),
)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[3])
def test_bad_input_is_refused(case):
    true, pred, options, message = case
    with pytest.raises(cm.InputError, match=message):
        cm.multilabel(true, pred, **options)


def test_bad_names_are_refused():
    m = cm.multilabel(TRUE, PRED, labels=NAMES)
    for call, message in (
        (lambda: m.value("f1"), "f1 is about one label; ask for f1_samples, _micro"),
        (lambda: m.value("roc_auc"), r"metric of scores; `cm\.multilabel_sweep\(y_true, scores\)`"),
        (lambda: m.value("log_loss_macro"), "`log_loss` is a metric of scores"),
        (lambda: m.value("rmse"), "`rmse` is a metric of numbers"),
        (lambda: m.value("f1", "binary"), "`average` is 'binary'; wanted one of 'samples'"),
        (lambda: m.value("f_one_macro"), "no metric|f_one"),
        (lambda: m.value("f1_macro", beta=2), "has no parameter `beta`"),
        (lambda: m.label("q"), "`label` 'q' is not in the labels"),
        (lambda: m.value(3), "`name` is int"),
        (lambda: m + cm.multilabel(TRUE, PRED), "cannot add: labels differ"),
        (
            lambda: m + cm.multilabel(TRUE, PRED, labels=["x", "y", "q"]),
            r"labels differ \(only in the first: \['z'\]; only in the second: \['q'\]\)",
        ),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()
    with pytest.raises(AttributeError, match=r"MultilabelMatrix\.f_one"):
        _ = m.f_one


def test_unknown_names_are_told_apart_from_missing_averages():
    m = cm.multilabel([["a"]], [["a"]])
    for name, message in (
        ("f1", "f1 is about one label; ask for f1_samples"),
        ("recal", "no metric is named 'recal'; did you mean recall"),
        ("recall_makro", "no metric is named 'recall_makro'"),
    ):
        with pytest.raises(cm.InputError, match=message):
            m.value(name)
    assert {"f1_samples", "exact_match", "powerset"} <= set(dir(m))
    assert m.overall(["f1_micro", "fbeta_macro(2)"])["value"].to_list() == [1.0, 1.0]
    assert m.overall("f1_micro").height == 1


@pytest.mark.parametrize(
    ("rows", "found", "row"),
    [
        ([["a"], [1]], "int 1 at row 1 and str 'a' at row 0", 1),
        ([["a", True], ["b"]], "bool True at row 0 and str 'a' at row 0", 0),
        ([[1], None, [2, "a"]], "str 'a' at row 2 and int 1 at row 0", 2),
        ([{1}, {"a"}], "str 'a' at row 1 and int 1 at row 0", 1),
        ([["a"], [{}]], "dict {} at row 1 and str 'a' at row 0", 1),
    ],
)
def test_names_of_two_kinds_are_told_by_their_rows(rows, found, row):
    with pytest.raises(cm.InputError) as caught:
        cm.multilabel([["a"]] * len(rows), rows)
    assert str(caught.value) == f"`y_pred` has {found}; wanted labels of one kind"
    assert caught.value.row == row
