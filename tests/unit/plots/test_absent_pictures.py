"""Pictures that are not there, or not named, lead to those that are."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

SWEEP = cm.sweep([0, 1, 1, 0], [0.2, 0.3, 0.9, 0.1])
CLASSES = cm.multiclass_sweep([0, 1, 2], np.eye(3))
NUMBERS = cm.regression([1.0, 2.0], [1.0, 2.5])
SLICES = cm.evaluate(pl.DataFrame({"y": [0, 1], "p": [0, 1], "k": ["a", "b"]}), "y", "p", by="k")

EACH = [
    (SWEEP, "SweepPlots", "roc", ["pr", "det", "calibration", "metrics"]),
    (CLASSES, "SweepPlots", "roc", ["pr"]),
    (NUMBERS, "RegressionPlots", "residuals", ["density", "calibration"]),
    (SLICES, "SlicePlots", "slices", ["heatmap"]),
]
each = pytest.mark.parametrize(
    ("of", "kind", "first", "more"), EACH, ids=["binary", "classes", "numbers", "slices"]
)


@each
def test_a_picture_that_is_not_there(of, kind, first, more):
    with pytest.raises(AttributeError, match=f"^{kind} has no attribute 'predictions'; ") as caught:
        of.plot.predictions  # noqa: B018
    for name in (first, *more):
        assert name in str(caught.value).partition("; ")[2]
        assert callable(getattr(of.plot, name))


@each
def test_a_call_without_a_picture(of, kind, first, more):
    for asked in ({}, {"title": "t"}):
        with pytest.raises(TypeError, match=r"name a picture, as `plot\.") as caught:
            of.plot(**asked)
        for name in (first, *more):
            assert name in str(caught.value)


def test_what_tools_ask_for_is_not_there():
    assert not hasattr(SWEEP.plot, "_repr_html_")
