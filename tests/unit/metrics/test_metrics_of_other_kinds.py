"""A metric asked of what does not have it: the same words at every door, and they hold."""

import re

import polars as pl
import pytest

import confmat as cm

Y, P, S = [0, 1, 1, 0], [0, 1, 0, 0], [0.2, 0.9, 0.4, 0.3]
FRAME = pl.DataFrame({"y": Y, "p": P, "s": S})
OBJECTS = {
    "predicted classes": cm.confusion_matrix(Y, P),
    "scores": cm.sweep(Y, S),
    "numbers": cm.regression([1.0, 2.0], [1.5, 2.0]),
}
HAS = {
    "predicted classes": ("accuracy", "f1_macro", "kappa"),
    "scores": ("roc_auc", "ece", "average_precision"),
    "numbers": ("rmse", "r2", "pearson_r"),
}
MADE_BY = {
    "predicted classes": "cm.confusion_matrix(y_true, y_pred)",
    "scores": "cm.sweep(y_true, y_score)",
    "numbers": "cm.regression(y_true, y_pred)",
}
EXPRESSIONS = {"scores": cm.sweep_metrics, "numbers": cm.regression_metrics}


def told(call):
    with pytest.raises(cm.InputError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("of", OBJECTS)
@pytest.mark.parametrize("asked", OBJECTS)
def test_what_has_it_is_told(of, asked):
    if of == asked:
        return
    for name in HAS[of]:
        said = f"`{name}` is a metric of {of}; `{MADE_BY[of]}` has it"
        calls = [lambda name=name: OBJECTS[asked].value(name)]
        calls.append(lambda name=name: OBJECTS[asked].values([name]))
        if asked in EXPRESSIONS:
            calls.append(lambda name=name: FRAME.select(EXPRESSIONS[asked]("y", "s", [name])))
        for call in calls:
            found = told(call)
            assert found == said or found.startswith(f"{said}, and a sweep s at a threshold t")
        known = eval(MADE_BY[of], {"cm": cm, "y_true": Y, "y_pred": P, "y_score": S})
        assert known.value(name) == known[name]


def test_with_an_average():
    assert told(lambda: OBJECTS["predicted classes"].value("rmse", average="macro")) == (
        "`rmse` is a metric of numbers; `cm.regression(y_true, y_pred)` has it"
    )


def test_what_no_object_has_by_name():
    for of in OBJECTS.values():
        assert told(lambda of=of: of.value("ami")) == (
            "'ami' is no name of a metric; a matrix m has it as m.adjusted_mutual_information()"
        )


@pytest.mark.parametrize("asked", OBJECTS)
def test_names_like_it(asked):
    word = "" if asked == "predicted classes" else f"of {asked} "
    for of, (name, *_) in HAS.items():
        wrong = f"{name}q"
        said = told(lambda wrong=wrong: OBJECTS[asked].value(wrong))
        start = f"unknown metric {word}'{wrong}'; "
        hint = "did you mean " if of == asked else "of other kinds there are "
        if of != "numbers" or asked == "numbers":  # "rms_ce" of scores is like "rmseq", too
            assert said.startswith(f"{start}{hint}'{name}'"), said
        assert name in said or "rms_ce" in said


@pytest.mark.parametrize("asked", EXPRESSIONS)
def test_where_nothing_is_like_it_the_list_is_named(asked):
    said = told(lambda: OBJECTS[asked].value("qqqqqqqq"))
    assert said.startswith(f"unknown metric of {asked} 'qqqqqqqq'; ")
    listed = eval(re.findall("`(.*)`", said)[0], {"cm": cm})
    assert set(HAS[asked]) <= set(listed["name"])
