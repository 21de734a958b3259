"""Several numbers of each row: each as it is alone, means as scikit-learn has them."""

import copy
import pickle

import numpy as np
import polars as pl
import pytest
from sklearn import metrics

import confmat as cm

RNG = np.random.default_rng(3)
Y = RNG.normal(5, 2, (400, 3))
P = Y + RNG.normal(size=(400, 3)) * [0.1, 1.0, 4.0]
W = RNG.uniform(0, 2, 400)
NAMES = {
    "mae": metrics.mean_absolute_error,
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "r2": metrics.r2_score,
    "explained_variance": metrics.explained_variance_score,
    "mape": metrics.mean_absolute_percentage_error,
    "median_absolute_error": metrics.median_absolute_error,
    "d2_absolute_error": metrics.d2_absolute_error_score,
}
R = cm.regression(Y, P, metrics=["mape", "exact_errors", "exact_truths"])


@pytest.mark.parametrize("name", NAMES)
def test_means_are_those_of_scikit_learn(name):
    assert R.value(name) == pytest.approx(NAMES[name](Y, P), rel=1e-13)
    each = NAMES[name](Y, P, multioutput="raw_values")
    assert R.per_output([name])[name].to_list() == pytest.approx(list(each), rel=1e-13)
    assert getattr(cm, name)(Y, P) == pytest.approx(NAMES[name](Y, P), rel=1e-13)
    if name in ("r2", "explained_variance"):
        wanted = NAMES[name](Y, P, multioutput="variance_weighted")
        assert R.value(name, average="variance") == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_functions_give_one_number_an_output(name):
    function, each = getattr(cm, name), NAMES[name](Y, P, multioutput="raw_values")
    got = function(Y, P, average=None)
    assert got.dtype == np.float64
    assert got == pytest.approx(each, rel=1e-12)
    assert function(Y[:, 0], P[:, 0], average=None) == pytest.approx(each[:1], rel=1e-12)
    assert function(Y, P, average="variance") == pytest.approx(
        R.value(name, average="variance"), rel=1e-12
    )
    assert function(Y[:, 0], P[:, 0], average="variance") == function(Y[:, 0], P[:, 0])
    for other in ("macro", ["uniform"], Y):
        with pytest.raises(cm.InputError, match="wanted 'uniform' or 'variance', or None for each"):
            function(Y, P, average=other)


def test_functions_say_for_which_output_there_is_no_number():
    constant = np.column_stack([Y[:, 0], np.ones(400)])
    frames = [pl.DataFrame({"a": of[:, 0], "b": of[:, 1]}) for of in (constant, P)]
    with pytest.warns(cm.UndefinedMetricWarning, match="r2 is undefined for the output 'b'"):
        got = cm.r2(*frames, average=None)
    assert np.isnan(got).tolist() == [False, True]
    assert cm.r2(*frames, average=None, undefined=0.0).tolist() == [got[0], 0.0]
    with pytest.warns(cm.UndefinedMetricWarning, match="r2 is undefined here"):
        cm.r2(constant[:, 1], P[:, 1], average=None)
    with pytest.raises(cm.InputError, match="`per_output` has the metrics of each output"):
        R.value("mae", average=None)


def test_weights_are_those_of_scikit_learn():
    r = cm.regression(Y, P, sample_weight=W)
    for name in ("mae", "r2"):
        assert r.value(name) == pytest.approx(NAMES[name](Y, P, sample_weight=W), rel=1e-12)
    # scikit-learn weighs outputs by variances without the weights of rows.
    of = [cm.regression(Y[:, i], P[:, i], sample_weight=W) for i in range(3)]
    spread = [np.cov(Y[:, i], aweights=W) for i in range(3)]
    wanted = np.average([one.r2 for one in of], weights=spread)
    assert r.value("r2", average="variance") == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    "make",
    [
        np.asarray,
        np.ndarray.tolist,
        lambda x: pl.DataFrame(x, schema=["a", "b", "c"]),
        lambda x: pl.DataFrame(x, schema=["a", "b", "c"]).to_arrow(),
        lambda x: pytest.importorskip("pandas").DataFrame(x, columns=["a", "b", "c"]),
    ],
)
def test_any_two_dimensions(make):
    r = cm.regression(make(Y), make(P))
    names = (0, 1, 2) if not hasattr(make(Y), "columns") else ("a", "b", "c")
    assert r.outputs == names
    for at, name in enumerate(names):
        assert r.output(name) == cm.regression(Y[:, at], P[:, at])


def test_one_column_is_one_output():
    assert cm.regression(Y[:, :1], P[:, :1]) == cm.regression(Y[:, 0], P[:, 0])
    one = pl.DataFrame({"a": Y[:, 0]})
    assert cm.regression(one, P[:, 0]) == cm.regression(Y[:, 0], P[:, 0])
    assert cm.regression([[1.0], [2.0]], [[1.0], [3.0]]).mae == 0.5


def test_parts_add_up_and_are_saved():
    one, two = (cm.regression(Y[part], P[part]) for part in (slice(0, 70), slice(70, 400)))
    whole = cm.regression(Y, P)
    assert one + two == sum([one, two]) == cm.merge([one, two.to_bytes()]) == whole
    assert hash(one + two) == hash(whole)
    assert (one + two).to_bytes() == whole.to_bytes()
    assert (whole - two).output(1).mae == one.output(1).mae
    for back in (
        cm.from_bytes(whole.to_bytes()),
        cm.MultioutputRegression.from_bytes(whole.to_bytes()),
        pickle.loads(pickle.dumps(whole)),
    ):
        assert back == whole
        assert back.outputs == (0, 1, 2)
        assert back.to_bytes() == whole.to_bytes()
    assert copy.deepcopy(whole) is whole
    named = cm.regression(pl.DataFrame(Y), pl.DataFrame(P))
    assert cm.from_bytes(named.to_bytes()).outputs == named.outputs
    assert named != whole
    with pytest.raises(cm.InputError, match="outputs differ"):
        named + whole
    with pytest.raises(TypeError):
        whole + 1
    with pytest.raises(cm.StateError, match="no evaluation"):
        cm.Evaluation.from_bytes(whole.to_bytes())
    log = pl.DataFrame({"y_true": [1.0], "y_pred": [2.0]})
    other = cm.evaluate(log, task="regression").to_bytes()
    with pytest.raises(cm.StateError, match="no regression of several outputs"):
        cm.MultioutputRegression.from_bytes(other)


def test_nulls_are_of_one_output():
    y = pl.DataFrame({"a": [1.0, None, 3.0], "b": [1.0, 2.0, 3.0]})
    r = cm.regression(y, y)
    assert r.n == (2, 3)
    assert r.n_dropped == (1, 0)
    assert str(r).startswith("Regression of 2 outputs, rows differ; 1 dropped: null\n")


def test_undefined_says_for_which():
    r = cm.regression([[1.0, 1.0], [2.0, 1.0]], [[1.0, 1.0], [2.0, 3.0]])
    assert np.isnan(r.r2)
    assert r.reason("r2") == "output 1: all true values are the same"
    assert r.reason("mae") is None
    assert r.overall(["r2"]).row(0) == ("r2", None, r.reason("r2"))
    assert r.per_output(["r2"])["r2"].to_list() == [1.0, None]
    none = cm.regression([[1.0, 1.0]], [[1.0, 2.0]])
    assert none.reason("mae", average="variance") == "the true values of no output vary"


def test_what_is_refused():
    with pytest.raises(cm.InputError, match="`y_true` has 3 outputs, `y_pred` 2"):
        cm.regression(Y, P[:, :2])
    with pytest.raises(cm.InputError, match="`y_true` has 1 outputs, `y_pred` 3"):
        cm.regression(Y[:, 0], P)
    with pytest.raises(cm.InputError, match=r"row 1 of `y_true` is \[3\]; wanted 2 numbers"):
        cm.regression([[1, 2], [3]], [[1, 2], [3, 4]])
    with pytest.raises(cm.InputError, match="no output is named 'x'; there are 0, 1, 2"):
        R.output("x")
    with pytest.raises(cm.InputError, match="`average`"):
        R.value("mae", average="raw_values")
    with pytest.raises(cm.InputError, match="did you mean 'rmse'"):
        R.value("rmsee")
    with pytest.raises(AttributeError, match="does not change"):
        R.outputs = ()
    with pytest.raises(TypeError, match="made by `cm"):
        cm.MultioutputRegression()
    two = pl.DataFrame([pl.Series("a", [1.0]), pl.Series("b", [1.0])])
    assert cm.regression(two, two).per_output("mae").columns == ["output", "mae"]


def test_columns_go_by_their_names():
    y, p = pl.DataFrame(Y, schema=["a", "b", "c"]), pl.DataFrame(P, schema=["a", "b", "c"])
    assert cm.regression(y, p.select("c", "a", "b")) == cm.regression(y, p)
    other = p.rename({"a": "p", "b": "q", "c": "r"})
    assert cm.regression(y, other) == cm.regression(y, p)
    with pytest.raises(cm.InputError, match="column 1 of `y_true` is 'b', that of `y_pred` 'q'"):
        cm.regression(y, p.rename({"a": "b", "b": "q"}))


def test_masks_and_rows_of_arrays():
    masked = np.ma.masked_array(Y, mask=np.arange(1200).reshape(400, 3) % 7 == 0)
    r = cm.regression(masked, P)
    assert r.n_dropped == tuple(masked.mask.sum(axis=0).tolist())
    assert r.output(2) == cm.regression(masked[:, 2], P[:, 2])
    assert cm.regression(list(Y), list(P)) == cm.regression(Y, P)


def test_errors_say_which_output():
    bad = P.copy()
    bad[3, 1] = np.nan
    with pytest.raises(cm.InputError, match="output 1: nan at row 3 of `y_pred`"):
        cm.regression(Y, bad)
    with pytest.raises(AttributeError, match=r"each output has its own, as in output\(0\).density"):
        R.density()
    assert R.output(0).ci("mae").low > 0
    with pytest.raises(AttributeError, match="unknown metric of numbers"):
        R.maee  # noqa: B018


def test_a_stream_is_read_once():
    pa = pytest.importorskip("pyarrow")

    def stream(**columns):
        batch = pa.record_batch(columns)
        return pa.RecordBatchReader.from_batches(batch.schema, [batch])

    y, p = [1.0, 2.0, 3.0], [1.0, 2.0, 4.0]
    assert cm.regression(stream(a=y), stream(a=p)).n == 3
    assert cm.regression(stream(a=y), np.array(p)).mae == cm.mae(y, stream(b=p))
    both = cm.regression(
        stream(a=y, b=p), stream(a=p, b=y), sample_weight=stream(w=[1.0, 2.0, 4.0])
    )
    assert both.n == (7.0, 7.0)


def test_sets_of_metrics_are_means():
    y, p = np.eye(3), np.eye(3) + 0.1
    found = cm.MetricSet(["mae", "r2"])(y, p)
    assert found == {"mae": cm.mae(y, p), "r2": cm.r2(y, p)}
    r = cm.regression(y, p)
    assert r.values("mae", average="variance") == {"mae": r.value("mae", average="variance")}


def test_rows_that_are_none_are_named():
    with pytest.raises(cm.InputError, match=r"row 0 of `y_true` is None; wanted 2 numbers"):
        cm.regression([None, [1, 2]], [[1, 2], [3, 4]])
    with pytest.raises(cm.InputError, match=r"row 1 of `y_pred` is 3; wanted 2 numbers"):
        cm.regression([[1, 2], [3, 4]], [[1, 2], 3])
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(cm.InputError, match=r"sparse csr_matrix; pass its \.toarray\(\)"):
        cm.regression(sparse.csr_matrix(np.eye(3)), sparse.csr_matrix(np.eye(3)))
    rows = [pl.Series([1.0, 2.0]), pl.Series([3.0, 4.0])]
    assert cm.regression(rows, [[1, 2], [3, 5]]).per_output("mae")["mae"].to_list() == [0, 0.5]


def test_what_is_merged_is_of_one_kind():
    y = np.eye(3)
    several = cm.regression(y, y)
    one = cm.evaluate(pl.DataFrame({"y": [1.0], "p": [1.0]}), "y", "p", task="regression")
    for parts in ([several, one], [several.to_bytes(), one.to_bytes()], [several.to_bytes(), one]):
        with pytest.raises(cm.InputError, match="Evaluation and MultioutputRegression; wanted one"):
            cm.merge(parts)


@pytest.mark.parametrize("dtype", [pl.Array(pl.Float64, 3), pl.List(pl.Float64)])
def test_columns_of_lists(dtype):
    y, p = pl.Series(Y.tolist(), dtype=dtype), pl.Series(P.tolist(), dtype=dtype)
    assert cm.regression(y, p) == cm.regression(Y, P)
    assert cm.mae(y, P) == cm.mae(Y, P)
    missing = pl.select(pl.when(pl.Series(np.arange(400) != 3)).then(y)).to_series()
    assert cm.regression(missing, p).n_dropped == (1, 1, 1)
    assert cm.regression(missing, p).mae == cm.mae(np.delete(Y, 3, 0), np.delete(P, 3, 0))


def test_lists_of_other_lengths_are_refused_with_the_row():
    y = pl.Series([[1.0, 2.0], None, [1.0]])
    with pytest.raises(cm.InputError, match="`y_true` has a list of 1 at row 2; wanted 2 numbers"):
        cm.regression(y, y)
