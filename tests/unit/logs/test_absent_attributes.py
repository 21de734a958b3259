"""Attributes that evaluations and comparisons do not have lead to what has the number."""

import re

import polars as pl
import pytest

import confmat as cm

LOG = pl.DataFrame({"y": [0, 1, 1, 0], "p": [0, 1, 0, 0], "q": [0, 1, 1, 1], "k": list("aabb")})
EVALUATION = cm.evaluate(LOG, "y", "p", by="k")
COMPARISON = cm.compare(LOG, "y", ["p", "q"])


@pytest.mark.parametrize(
    ("of", "name", "calls"),
    [
        (EVALUATION, "accuracy", ["overall(['accuracy'])", "slices(['accuracy'])"]),
        (EVALUATION, "f1_score", ["overall(['f1'])", "slices(['f1'])"]),
        (EVALUATION, "acuracy", ["overall(['accuracy'])"]),
        (EVALUATION, "value", ["overall(metrics)", "slices(metrics)"]),
        (EVALUATION, "confusion_matrix", ["matrix()", "matrix(key=value)"]),
        (EVALUATION, "counts", ["matrix().counts"]),
        (EVALUATION, "overal", ["overall"]),
        (EVALUATION, "qqqqqqq", ["test_slices, to_bytes, worst"]),
        (COMPARISON, "mcc", ["difference('mcc')", "overall(['mcc'])"]),
        (COMPARISON, "acuracy", ["difference('accuracy')"]),
        (COMPARISON, "value", ["difference(metric)", "overall(metrics)"]),
        (COMPARISON, "confusion_matrix", ["evaluation.matrix(model=...)"]),
        (COMPARISON, "flip", ["flips"]),
        (COMPARISON, "qqqqqqq", ["baseline, difference"]),
    ],
)
def test_hints_lead_to_what_works(of, name, calls):
    with pytest.raises(AttributeError) as caught:
        getattr(of, name)
    message = str(caught.value)
    assert message.startswith(f"{type(of).__name__} has no attribute {name!r}; ")
    for call in calls:
        assert call in message
        for part in call.split(", "):
            filled = re.sub(r"key=value", "k='a'", part).replace("model=...", "model='p'")
            asked = {"of": of, "metrics": ["mcc"], "metric": "mcc"}
            assert eval(f"of.{filled}", asked) is not None


def test_an_evaluation_does_not_compare():
    with pytest.raises(
        AttributeError, match=r"; cm\.compare\(df, y_true, y_pred\) compares models, "
    ):
        EVALUATION.compare  # noqa: B018
    assert COMPARISON.difference("mcc") is not None


def test_what_tools_ask_for_is_not_there():
    for of in (EVALUATION, COMPARISON):
        with pytest.raises(AttributeError, match=r"has no attribute '_repr_png_'$"):
            of._repr_png_()
        assert not hasattr(of, "__array__")
