"""Columns of lists are no labels: the error says how sets of labels are evaluated."""

import re

import polars as pl
import pytest

import confmat as cm

df = pl.DataFrame(
    {
        "y": [["a"], ["b"]],
        "p": [["a"], ["a", "b"]],
        "q": [["b"], ["b"]],
        "s": [[0.1, 0.2], [0.3, 0.4]],
        "t": ["a", "b"],
        "k": [1, 2],
    }
)
WANTED = "wanted integers, Booleans, strings, Categorical or Enum"


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (lambda: cm.evaluate(df, "y", "p"), "y_true=['y'], y_pred=['p']"),
        (lambda: cm.evaluate(df.lazy(), "y", "p", by="k"), "y_true=['y'], y_pred=['p']"),
        (lambda: df.cm.evaluate("y", "p"), "y_true=['y'], y_pred=['p']"),
        (lambda: df.cm.evaluate("y", "p", by="k"), "y_true=['y'], y_pred=['p']"),
        (lambda: df.lazy().cm.evaluate("y", "p").collect(), "y_true=['y'], y_pred=['p']"),
        (lambda: cm.evaluate(df, "y", y_score="s"), "y_true=['y'], y_score=['s']"),
        (
            lambda: cm.evaluate(df, "y", {"A": "p", "B": "q"}),
            "y_true=['y'], y_pred={'A': ['p'], 'B': ['q']}",
        ),
        (lambda: cm.compare(df, "y", ["p", "q"]), "y_true=['y'], y_pred={'p': ['p'], 'q': ['q']}"),
    ],
)
def test_the_error_says_what_works(call, given):
    with pytest.raises(cm.InputError) as caught:
        call()
    told = f"`y_true` has dtype List(String): {WANTED}; rows of sets of labels are for "
    assert str(caught.value) == f"{told}cm.evaluate(df, {given})"
    advice = re.search(r"cm\.evaluate.*", str(caught.value))
    assert advice is not None
    assert eval(advice[0], {"cm": cm, "df": df}).n == 2


def test_plain_scores_are_none_of_sets():
    with pytest.raises(cm.InputError, match=f"has dtype List.*: {WANTED}$"):
        cm.evaluate(df.with_columns(s=0.5), "y", y_score="s")


@pytest.mark.parametrize("columns", [("t", "p"), ("y", "t"), ("s", "s")])
def test_nothing_is_advised_where_it_would_not_work(columns):
    for call in (cm.evaluate, lambda frame, *names: frame.cm.evaluate(*names)):
        with pytest.raises(cm.InputError, match=f"has dtype List.*: {WANTED}$"):
            call(df, *columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y_pred": [["py"], "pz"]}, r"`y_pred` holds \['py'\]; wanted the name of a column"),
        ({"y_true": ["y", ["z"]]}, r"`y_true` holds \['z'\]; wanted the name of a column"),
        ({"y_score": ["py", ["a"]]}, r"`y_score` holds \['a'\]; wanted the name of a column"),
        ({"y_pred": {"a": ["py", 3]}}, "`y_pred` holds 3; wanted the name of a column"),
        ({"y_true": {"y", "z"}}, "`y_true` is {.*}, which has no order; wanted a list of columns"),
        ({"y_pred": 3}, "`y_pred` is 3; wanted the name of a column, or a list of names"),
    ],
)
def test_what_is_no_list_of_names_is_refused(columns, message):
    frame = pl.DataFrame({"y": [0, 1], "z": [1, 0], "py": [0, 1], "pz": [1, 1]})
    with pytest.raises(cm.InputError, match=message):
        cm.evaluate(frame, **{"y_true": ["y", "z"], "y_pred": ["py", "pz"]} | columns)
