"""Methods that the namespaces do not have lead to what does the same, which works."""

import re

import polars as pl
import pytest

import confmat as cm

df = pl.DataFrame({"y_true": [0, 1, 1, 0], "y_pred": [0, 1, 0, 0], "y_score": [0.1, 0.9, 0.4, 0.2]})
lf = df.lazy()
e = pl.col("y_true").cm


def told(of, name):
    with pytest.raises(AttributeError) as caught:
        getattr(of, name)
    before = f"{type(of).__name__} has no attribute {name!r}"
    assert str(caught.value).startswith(before)
    return str(caught.value).removeprefix(before)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("acuracy", "accuracy"),
        ("f1_score", "f1"),
        ("roc_auc_score", "roc_auc"),
        ("multilabel_metric", "multilabel_metrics"),
    ],
)
def test_expressions_name_their_methods(name, meant):
    assert told(e, name).startswith(f"; did you mean {meant}")
    assert callable(getattr(e, meant))


def test_averages_that_are_not_listed_are_expressions_of_a_name():
    assert told(e, "f1_min") == "; cm.metric('f1_min', y_true, y_pred) has it"
    df.select(cm.metric("f1_min", "y_true", "y_pred"))
    for name, asked in (("f1_power", "f1_power(2)"), ("fbeta_power", "fbeta_power(1,2)")):
        wanted = f"; cm.metric({asked!r}, y_true, y_pred) has that of exponent 2"
        assert told(e, name) == wanted
        df.select(cm.metric(asked, "y_true", "y_pred"))


@pytest.mark.parametrize("name", ["confusion_matrix", "sweep", "multilabel_sweep", "metrics"])
@pytest.mark.parametrize("of", [df, lf])
def test_functions_are_named_with_the_columns_that_they_take(of, name):
    hint = told(of.cm, name)
    if name == "metrics":
        assert hint == '; it is an expression: cm.metrics("y_true", "y_pred")'
        of.select(cm.metrics("y_true", "y_pred"))
        return
    second = "y_pred" if name == "confusion_matrix" else "y_score"
    collected = " with df = lf.collect()" if of is lf else ""
    called = f'cm.{name}(df["y_true"], df["{second}"])'
    assert hint == f"; it is a function of columns: {called}{collected}"
    if name != "multilabel_sweep":
        assert eval(called, {"cm": cm, "df": df}).n == 4
        assert told(e, name) == f"; it is a function of columns: {called}"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("accuracy", "; evaluate(..., metrics=['accuracy']) has it"),
        ("f1_score", "; evaluate(..., metrics=['f1']) has it"),
        ("acuracy", "; did you mean evaluate(..., metrics=['accuracy'])?"),
        ("evalute", "; did you mean evaluate?"),
        ("partial", "; it is a function: cm.partial(...)"),
        ("qqqqqqq", "; there is evaluate"),
    ],
)
@pytest.mark.parametrize("of", [df, lf])
def test_frames_have_evaluate(of, name, hint):
    assert told(of.cm, name) == hint
    asked = re.search(r"metrics=(\[.*?\])", hint)
    if asked:
        of.cm.evaluate(metrics=eval(asked[1])).lazy().collect()


def test_names_that_tools_ask_for_have_no_hint():
    for of in (e, df.cm, lf.cm):
        assert told(of, "_repr_png_") == ""
