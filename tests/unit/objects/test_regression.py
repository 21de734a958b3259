"""The regression: made of any columns, read by name, refused with the row."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.moments.names import exact
from confmat.registry import regression_facts, required

Y, P = [3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0]


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        pl.Series,
        lambda x: np.array(x, np.float32),
        lambda x: np.array(x, ">f8"),
        lambda x: np.array([x, x]).T[:, 0],
        lambda x: np.array([0, *x])[1:],
        lambda x: pl.Series(x).to_arrow(),
        lambda x: pl.Series(x, dtype=pl.Float32),
    ],
)
def test_columns_of_any_kind(make):
    assert cm.regression(make(Y), make(P)) == cm.regression(Y, P)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "i8", "f2", "f4", "?"])
def test_integers_and_booleans(dtype):
    y, p = np.array([0, 1, 1, 0, 1], dtype), np.array([1, 1, 0, 0, 1], dtype)
    assert cm.regression(y, p) == cm.regression(y.astype(float), p.astype(float))


def test_nulls_and_nans():
    y = pl.Series([1.0, None, 3.0, math.nan, 5.0, None])
    p = pl.Series([1.5, 2.0, None, 4.0, 4.0, math.nan])
    r = cm.regression(y, p, nan="drop")
    assert (r.n, r.n_dropped, r.n_nan) == (2, 3, 1)
    assert r.mae == 0.75
    assert str(r).startswith("Regression, n = 2; 3 dropped: null; 1 dropped: nan\n")
    with pytest.raises(cm.InputError, match='nan at row 3 of `y_true` is no number; nan="drop"'):
        cm.regression(y, p)
    with pytest.raises(cm.InputError, match=r"null at row 1 of `y_true` \(3 rows have one"):
        cm.regression(y, p, nan="drop", nulls="raise")
    assert cm.regression([None], [None]).n_dropped == 1


def test_weights():
    r = cm.regression(Y, P, sample_weight=[1, 0, 2, 3])
    again = cm.regression([3.0, 2.0, 2.0, 7.0, 7.0, 7.0], [2.5, 2.0, 2.0, 8.0, 8.0, 8.0])
    assert r.n == again.n == 6
    assert r.n_rows == 4
    for name in ("mae", "mse", "r2", "ccc", "pearson_r", "explained_variance", "pinball"):
        assert r.value(name) == pytest.approx(again.value(name), rel=1e-15), name
    # A row of weight 0 bounds nothing.
    assert cm.regression([1, 2, 99], [1, 3, 0], sample_weight=[1, 1, 0]).max_error == 1
    assert cm.regression([1.0], [2.0], sample_weight=[0]).reason("mae") == "all weights are 0"


BAD = [
    ({"y_true": [1.0, 2.0], "y_pred": [1.0]}, "`y_true` has 2 rows, `y_pred` has 1"),
    ({"y_true": [1.0, math.inf], "y_pred": [1.0, 2.0]}, "inf at row 1 of `y_true` is infinite"),
    ({"y_true": [1.0], "y_pred": [-2e60]}, "-2e.60 at row 0 of `y_pred` is too large"),
    (
        {"y_true": [1.0], "y_pred": [2**53 + 2]},
        "9007199254740994 at row 0 of `y_pred` is an integer beyond",
    ),
    ({"y_true": ["a"], "y_pred": ["b"]}, "`y_true` has dtype String: wanted numbers"),
    ({"y_true": [1.0], "y_pred": [1.0], "sample_weight": [-1.0]}, "weight -1 at row 0"),
    ({"y_true": [1.0], "y_pred": [1.0], "sample_weight": [math.nan]}, "weight nan at row 0"),
    (
        {"y_true": [1.0], "y_pred": [1.0], "sample_weight": [1e-61]},
        "not 0, or from 1e-60 to 1e60",
    ),
    ({"y_true": [1.0], "y_pred": [1.0], "sample_weight": [1.0, 2.0]}, "`sample_weight` has 2"),
    ({"y_true": [[1.0, 2.0]], "y_pred": [1.0]}, "`y_true` has 2 outputs, `y_pred` 1"),
    ({"y_true": np.zeros((1, 2, 2)), "y_pred": [1.0]}, "y_true"),
    ({"y_true": [1.0], "y_pred": [1.0], "nan": "keep"}, "`nan` is 'keep'"),
    ({"y_true": [1.0], "y_pred": [1.0], "nulls": 3}, "`nulls` is 3"),
    (
        {"y_true": [1.0], "y_pred": [1.0], "metrics": ["mea"]},
        "unknown metric of numbers 'mea'",
    ),
    ({"y_true": [1.0], "y_pred": [1.0], "metrics": ["huber(0)"]}, "must be delta"),
    ({"y_true": [1.0], "y_pred": [1.0], "metrics": ["mae", "mae"]}, "'mae' twice"),
    ({"y_true": [1.0], "y_pred": [1.0], "metrics": 5}, "`metrics` is"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input(arguments, message):
    with pytest.raises(cm.InputError, match=message):
        cm.regression(**arguments)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mape", "sums of 'mape' were not kept; name it in `metrics`"),
        ("huber(3)", "sums of 'huber.3.' were not kept"),
        ("mae(3)", "takes no parameter"),
        ("pinball(1.5)", "must be quantile"),
        ("adjusted_r2(1.5)", "must be n_features"),
        ("accuracy", "a metric of predicted classes"),
        (5, "`name` is int"),
    ],
)
def test_names_that_are_refused(name, message):
    r = cm.regression(Y, P, metrics="huber")
    with pytest.raises(cm.InputError, match=message):
        r.value(name)


def test_parameters():
    r = cm.regression(Y, P)
    assert r.value("pinball", quantile=0.9) == r.value("pinball(quantile=0.9)") == r["pinball(0.9)"]
    with pytest.raises(cm.InputError, match="no parameter `alpha`; it takes quantile"):
        r.value("pinball", alpha=0.9)
    with pytest.raises(cm.InputError, match="in its name and as an argument"):
        r.value("pinball(0.5)", quantile=0.9)
    with pytest.raises(AttributeError, match="mape"):
        _ = r.mape


@pytest.mark.parametrize(
    ("y", "p", "name", "reason"),
    [
        ([], [], "mae", "there are no rows"),
        ([1, 1], [0, 2], "r2", "all true values are the same"),
        ([1, 1], [0, 2], "pearson_r", "all true values are the same"),
        ([0, 2], [1, 1], "slope", "all predictions are the same"),
        ([1, 1], [1, 1], "ccc", "truth and prediction are all one and the same number"),
        ([1, 2], [1, 1], "adjusted_r2", "there are too few rows"),
        ([-1, 1], [0, 2], "nrmse_mean", "the mean of the true values is 0"),
        ([0, 1], [0, 2], "mape", "a true value is 0"),
        ([0, -1], [0, 2], "msle", "a value is not above -1"),
        ([0, 1], [0, 2], "poisson_deviance", "a true value is below 0, or a prediction not above"),
        ([0, 1], [1, 2], "gamma_deviance", "a value is not above 0"),
        ([1e9, 1e9 + 1], [1e9, 1e9], "d2_poisson", "the true values lie too close together"),
    ],
)
def test_what_is_undefined_says_why(y, p, name, reason):
    r = cm.regression(y, p, metrics=[name])
    assert math.isnan(r.value(name))
    assert r.reason(name).startswith(reason)
    assert r.overall([name]).row(0)[1] is None
    with pytest.warns(cm.UndefinedMetricWarning, match=f"{name} is undefined"):
        assert math.isnan(getattr(cm, name)(y, p))
    assert getattr(cm, name)(y, p, undefined=-1.0) == -1.0


def test_what_differences_do_not_know():
    r = cm.regression(Y, P)
    rest = r - cm.regression([7.0], [8.0])
    assert rest.mae == cm.regression(Y[:3], P[:3]).mae
    assert math.isnan(rest.max_error)
    assert rest.reason("max_error").startswith("rows were taken away")
    assert math.isnan(rest.y_range[1])
    assert rest.y_range[0] == -0.5
    with pytest.raises(cm.InputError, match="cannot subtract: a sum of the second"):
        r - cm.regression([8.0], [8.0])
    with pytest.raises(cm.InputError, match="cannot add: they hold the sums of other metrics"):
        r + cm.regression(Y, P, metrics="mape")
    with pytest.raises(cm.InputError, match="cannot add: one has weights"):
        r + cm.regression(Y, P, sample_weight=Y[:1] * 4)


def test_shown():
    r = cm.regression(Y, P)
    assert repr(r) == "<Regression n=4>"
    assert "rmse" in str(r)
    assert "rmse" in r._repr_html_()
    assert {"rmse", "r2", "value"} <= set(dir(r))
    assert "mape" not in dir(r)
    with pytest.raises(TypeError, match=r"made by `cm\.regression`"):
        cm.Regression()


def test_the_error_of_a_naive_forecast_must_be_given():
    y, p = [3.0, 0.5, 2.0, 7.0], [2.5, 1.0, 2.0, 8.0]
    r = cm.regression(y, p)
    assert cm.mase(y, p, naive_error=2) == r.value("mase", naive_error=2) == r["mase(2)"] == 0.25
    wanted = r"'mase' takes naive_error, the mean absolute error of the naive forecast.*'mase\(2\)'"
    for ask in (
        lambda: r.value("mase"),
        lambda: r["mase"],
        lambda: r.reason("mase"),
        lambda: r.ci("mase"),
        lambda: cm.regression(y, p, metrics="mase"),
        lambda: cm.mase(y, p, naive_error=None),
        lambda: cm.regression_metrics("y", "p", ["mase"]),
        lambda: pl.DataFrame({"y": y, "p": p}).cm.evaluate(
            "y", "p", task="regression", metrics=["mase"]
        ),
    ):
        with pytest.raises(cm.InputError, match=wanted):
            ask()
    with pytest.raises(AttributeError, match=wanted):
        _ = r.mase
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'naive_error'"):
        cm.mase(y, p)
    assert "mase" not in dir(r)


def test_every_function_is_that_of_the_object():
    y, p = [3.0, 0.5, 2.0, 7.0], [2.5, 1.0, 2.0, 8.0]
    for fact in regression_facts():
        name, to_give = fact["name"], required(fact)
        given = {} if to_give is None else {to_give: 2.0}
        asked = name if to_give is None else f"{name}(2)"
        of = cm.regression(y, p, metrics=exact([asked])).value(asked)
        assert getattr(cm, name)(y, p, **given) == of, name
        frame = pl.DataFrame({"y": y, "p": p})
        assert frame.select(getattr(pl.col("y").cm, name)("p", **given)).item() == of, name
    assert cm.pinball(y, p, quantile=0.9) == cm.regression(y, p).value("pinball(0.9)")
    assert cm.huber(y, p, delta=0.1) == cm.regression(y, p, metrics="huber(0.1)")["huber(0.1)"]
