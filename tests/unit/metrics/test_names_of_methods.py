"""Numbers that matrices have as methods, asked for as metrics or as functions."""

import re

import numpy as np
import polars as pl
import pytest

import confmat as cm

M = cm.ConfusionMatrix([[40, 9, 2], [6, 45, 3], [1, 4, 30]])
NAMES = ["ami", "adjusted_mutual_info_score", "aickin_alpha", "gwet_ac2", "weighted_kappa"]


@pytest.mark.parametrize("name", NAMES)
def test_the_hint_of_a_name_works(name):
    frame = pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 1]})
    for ask in (
        lambda: M.value(name),
        lambda: cm.metrics(metrics=[name]),
        lambda: frame.cm.evaluate("y_true", "y_pred", metrics=[name]),
        lambda: cm.evaluate(frame, y_true="y_true", y_pred="y_pred", metrics=[name]).overall(),
    ):
        with pytest.raises(cm.InputError, match="a matrix m has it as m") as error:
            ask()
        [call] = re.findall(r"has it as (m\.\w+\(.*\))$", str(error.value))
        assert eval(call, {"m": M, "weights": "linear"}) is not None


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("adjusted_mutual_info_score", {"y_true": [0, 1, 1], "y_pred": [0, 1, 0]}),
        ("d2_brier_score", {"y_true": [0, 1, 1], "scores": np.eye(2)[[0, 1, 0]]}),
        ("ranked_probability_score", {"y_true": [0, 1, 1], "scores": np.eye(2)[[0, 1, 0]]}),
    ],
)
def test_the_hint_of_a_function_that_is_not_there_works(name, names):
    with pytest.raises(AttributeError, match="; see cm") as error:
        getattr(cm, name)
    call = str(error.value).partition("; see ")[2].partition(";")[0].replace("...", "[0, 1]")
    assert np.isfinite(eval(call, {"cm": cm, **names}))
