"""Recalibrations that are refused: dicts, rows and scores; and SciPy that is missing."""

import math
import sys

import numpy as np
import polars as pl
import pytest
from support.recalibrated import fitted

import confmat as cm
from confmat.calibration.fit import recalibrate


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a dict, not list"),
        ({}, "`method` is None; wanted one of platt, isotonic, temperature"),
        ({"method": []}, r"`method` is \[\]"),
        ({"method": "platt", "a": 1.0}, "the parameters are a; wanted a, b, logit"),
        ({"method": "platt", "a": 1.0, "b": math.nan, "logit": False}, "`b` is nan"),
        ({"method": "platt", "a": "1", "b": 1, "logit": False}, "`a` is '1'"),
        ({"method": "platt", "a": 1, "b": 1, "logit": 0}, "`logit` is 0"),
        ({"method": "temperature"}, "the parameters are none"),
        ({"method": "temperature", "inverse_temperature": -1}, "at least 0"),
        ({"method": "isotonic", "knots": [0, 1], "values": [0]}, "shapes"),
        ({"method": "isotonic", "knots": [], "values": []}, "shapes"),
        ({"method": "isotonic", "knots": [1, 1], "values": [0, 1]}, "do not increase"),
        ({"method": "isotonic", "knots": [0, math.inf], "values": [0, 1]}, "not finite"),
        ({"method": "isotonic", "knots": [0, 1], "values": [1, 0]}, "`values` fall"),
        ({"method": "isotonic", "knots": [0, 1], "values": [0, 2]}, "outside 0 to 1"),
        ({"method": "isotonic", "knots": ["a"], "values": [0]}, "not a list of numbers"),
    ],
)
def test_bad_dicts(data, message):
    with pytest.raises(cm.StateError, match=message):
        cm.Recalibration.from_dict(data)


@pytest.mark.parametrize(
    ("counts", "arguments", "message"),
    [
        (([], [], []), ("platt",), "holds no rows"),
        (([0.5], [0], [3]), ("isotonic",), "holds one class"),
        (([0.2, 0.5], [1, 1], [1, 1]), ("beta",), "'beta'; wanted one of 'platt', 'isotonic'"),
        (([0.2, 1.5], [1, 1], [1, 1]), ("temperature",), "`y_score` holds 1.5; temperature wants"),
        (([-0.5, 0.5], [1, 1], [1, 1]), ("platt", {"logit": True}), "holds -0.5; logit=True wants"),
        (([0.5, 1], [1, 1], [1, 1]), ("platt", {"logit": True}), "holds 1.0, of infinite logit"),
        (([0, 0.5], [1, 1], [1, 1]), ("platt", {"logit": True}), "holds 0.0, of infinite logit"),
        (([0, math.inf], [1, 1], [1, 1]), ("platt",), "holds inf; platt wants finite scores"),
        (([-math.inf, 0], [1, 1], [1, 1]), ("isotonic",), "holds -inf; isotonic wants finite"),
        (([0, 0.5], [1, 1], [1, 1]), ("temperature",), "a positive at 0: its log loss is inf"),
        (([0.5, 1], [1, 1], [1, 1]), ("temperature",), "a negative at 1"),
        (([0, 1], [0, 1], [1, 0]), ("temperature",), "0 or 1 everywhere"),
        (([0.2, 0.8], [0, 1], [1, 0]), ("temperature",), "on the right side of 0.5"),
        (([0.5], [1], [1]), ("temperature",), "every score is 0.5"),
        (([0.2, 0.8], [1, 1], [1, 1]), ("isotonic", {"logit": True}), "`logit` is an option of"),
        (([0.2, 0.8], [1, 1], [1, 1]), ("isotonic", {"smoothing": False}), "`smoothing` is an"),
    ],
)
def test_bad_fits(counts, arguments, message):
    method, options = arguments if len(arguments) == 2 else (*arguments, {})
    with pytest.raises(cm.InputError, match=message):
        recalibrate(*counts, method, **options)


def test_bad_scores():
    r = fitted("temperature", {})
    with pytest.raises(cm.InputError, match=r"`scores` holds 1\.5 at row 2; wanted 0 to 1"):
        r.apply([0.5, math.nan, 1.5, -1])
    with pytest.raises(cm.InputError, match=r"`scores` holds -0\.1 at row 0"):
        fitted("platt", {"logit": True}).apply(np.array([-0.1]))
    with pytest.raises(cm.InputError, match="`scores` has dtype String; wanted numbers"):
        r.apply(["a"])
    with pytest.raises(cm.InputError, match=r"`scores` has shape \(1, 2\)"):
        r.apply(np.array([[0.5, 0.5]]))
    with pytest.raises(cm.InputError, match="`score` is of type int"):
        r.expr(3)
    assert pl.select(r.expr(pl.lit(1.5))).item() is None


def test_without_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(cm.ConfmatError, match="isotonic regression needs SciPy"):
        fitted("isotonic", {})
    for method in ("platt", "temperature"):
        assert fitted(method, {}).apply([0.5]).shape == (1,)


def test_an_expression_is_null_where_a_score_is_no_probability():
    r = cm.Recalibration.from_dict({"method": "temperature", "inverse_temperature": 0.5})
    df = pl.DataFrame({"s": [0.0, 0.5, 1.0, 1.2, -0.1, None, float("nan")]})
    found = df.select(r.expr("s"))["s"].to_list()
    assert found[:6] == [0.0, 0.5, 1.0, None, None, None]
    assert math.isnan(found[6])
