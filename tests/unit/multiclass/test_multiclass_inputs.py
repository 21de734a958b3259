"""Tables of probabilities in every form, and what is refused, with the row."""

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

Y = ["b", "a", "c", "a"]
P = np.array([[0.25, 0.5, 0.25], [0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.125, 0.5, 0.375]])
NAMES = ["a", "b", "c"]


def strided(a):
    """Return the same values at every second place of a larger array, backwards."""
    wide = np.full((2 * a.shape[0], 3 * a.shape[1]), 9.0, a.dtype)
    wide[::-2, ::-3] = a
    return wide[::-2, ::-3]


FORMS = {
    "rows": P,
    "columns": np.asfortranarray(P),
    "strided": strided(P),
    "transposed view": P.T.copy().T,
    "big-endian": P.astype(">f8"),
    "float32": P.astype(np.float32),
    "float32 columns": np.asfortranarray(P.astype(np.float32)),
    "float16": P.astype(np.float16),
    "unaligned": np.frombuffer(b"x" + P.tobytes(), np.uint8)[1:].view(np.float64).reshape(P.shape),
    "read-only": np.frombuffer(P.tobytes()).reshape(P.shape),
    "nested lists": P.tolist(),
    "rows of arrays": list(P),
    "list of Series": [pl.Series(c) for c in P.T],
    "rows of tuples": tuple(map(tuple, P.tolist())),
    "rows of pandas": [pd.Series(r) for r in P],
    "rows of pyarrow": [pa.array(r) for r in P],
    "mixed rows": [P[0], P[1].tolist(), pd.Series(P[2]), P[3].astype(np.float16)],
    "dict of mixed widths": dict(
        zip(NAMES, [P[:, 0].astype(np.float32), P[:, 1], pl.Series(P[:, 2])], strict=True)
    ),
    "DataFrame": pl.DataFrame(P, schema=NAMES),
    "DataFrame, float32": pl.DataFrame(P.astype(np.float32), schema=NAMES),
    "chunked": pl.concat([pl.DataFrame(P[:1], schema=NAMES), pl.DataFrame(P[1:], schema=NAMES)]),
    "Array Series": pl.Series(P, dtype=pl.Array(pl.Float64, 3)),
    "List Series": pl.Series(P.tolist(), dtype=pl.List(pl.Float32)),
    "sliced List": pl.Series([[1.0], *P.tolist(), []])[1:-1],
    "pandas": pd.DataFrame(P, columns=NAMES),
    "pyarrow table": pa.table(dict(zip(NAMES, P.T, strict=True))),
    "pyarrow list": pa.array(P.tolist()),
    "pyarrow fixed list": pa.FixedSizeListArray.from_arrays(pa.array(P.ravel()), 3),
    "masked": np.ma.masked_array(P, np.zeros_like(P, dtype=bool)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form):
    s = cm.multiclass_sweep(Y, FORMS[form])
    plain = cm.multiclass_sweep(Y, P)
    assert s.labels == tuple(NAMES)
    assert s.log_loss == plain.log_loss
    assert (
        s.per_class()["roc_auc"].to_numpy().tolist()
        == plain.per_class()["roc_auc"].to_numpy().tolist()
    )
    assert s.value("roc_auc", average="micro") == plain.value("roc_auc", average="micro")
    assert s.average_precision == plain.average_precision
    assert s.soft_matrix() == plain.soft_matrix()
    assert s.at_top_k(2) == plain.at_top_k(2)
    assert s.top_label_ece == plain.top_label_ece


def test_native_floats_are_not_copied():
    for p in (P, np.asfortranarray(P), P.astype(np.float32), strided(P), P.astype(">f8")):
        s = cm.multiclass_sweep(Y, p)
        assert all(np.shares_memory(column, p) for column in s._columns)
    frame = pl.DataFrame(P, schema=NAMES)
    s = cm.multiclass_sweep(Y, frame)
    for name, column in zip(NAMES, s._columns, strict=True):
        assert np.shares_memory(column, frame[name].to_numpy())


@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 30))
def test_any_strides(seed, k, n):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(k), n)
    y = rng.integers(0, k, n)
    s = cm.multiclass_sweep(y, p, labels=range(k))
    for other in (np.asfortranarray(p), strided(p), list(p), p.astype(">f8")):
        t = cm.multiclass_sweep(y, other, labels=range(k))
        assert (t.log_loss, t.brier) == (s.log_loss, s.brier)
        np.testing.assert_array_equal(
            t.per_class()["roc_auc"].to_numpy(), s.per_class()["roc_auc"].to_numpy()
        )
        assert t.at_argmax() == s.at_argmax()


def test_one_hot_integers_and_booleans_are_probabilities():
    hot = np.eye(3, dtype=np.int8)
    assert cm.multiclass_sweep([0, 1, 2], hot).at_argmax().accuracy == 1
    assert cm.multiclass_sweep([0, 1, 2], hot.astype(bool)).log_loss < 1e-15
    for table in (pl.DataFrame(hot), pl.DataFrame(hot == 1), list(hot), list(hot == 1)):
        assert cm.multiclass_sweep([0, 1, 2], table).at_argmax().accuracy == 1


def test_columns_that_are_labels_name_the_classes():
    frame = pl.DataFrame(P, schema=["c", "a", "b"])
    assert cm.multiclass_sweep(Y, frame).labels == ("c", "a", "b")
    assert cm.multiclass_sweep(["a", "a", "b", "a"], frame).labels == ("c", "a", "b")
    other = pl.DataFrame(P, schema=["p_a", "p_b", "p_c"])
    assert cm.multiclass_sweep(Y, other).labels == ("a", "b", "c")
    assert cm.multiclass_sweep([1, 2, 3, 1], frame).labels == (1, 2, 3)
    assert cm.multiclass_sweep(Y, frame, labels=["c", "a", "b"]).labels == ("c", "a", "b")
    with pytest.raises(cm.InputError, match="column 'c' at position 0 and `labels` 'a'"):
        cm.multiclass_sweep(Y, frame, labels=NAMES)


def test_categories_are_the_labels():
    kind = pl.Enum(["low", "mid", "high"])
    y = pl.Series(["high", "low", "high", "low"], dtype=kind)
    assert cm.multiclass_sweep(y, P).labels == ("low", "mid", "high")
    assert cm.multiclass_sweep(pd.Categorical(Y), P).labels == ("a", "b", "c")


def changed(row, column, value):
    p = P.copy()
    p[row, column] = value
    return p


SUM = r"`scores` has the sum 1.25 at row 2; wanted 1 within 1e-05; divide each row by its sum"
NO_PROBABILITIES = {
    "negative": (changed(1, 2, -0.25), r"`scores` holds -0.25 at row 1 of column 2; wanted prob"),
    "above one": (changed(3, 0, 1.5), r"`scores` holds 1.5 at row 3 of column 0"),
    "infinite": (changed(0, 1, math.inf), r"`scores` holds inf at row 0 of column 1"),
    "sum": (changed(2, 1, 0.5), SUM),
    "logits": (P * 10, r"`scores` holds 2.5 at row 0 of column 0"),
}
REFUSED = {
    "nan": (changed(2, 1, math.nan), r"`scores` holds nan at row 2 of column 1; wanted numbers"),
    "null": (
        pl.DataFrame(P, schema=NAMES).with_columns(b=pl.Series([0.5, None, 0.25, 0.5])),
        r"`scores` holds a null at row 1 of column 1",
    ),
    "null in a list": (pl.Series([[0.5, 0.5], [0.5, None]]), r"`scores` holds a null at row 1"),
    "null list": (pl.Series([[0.5, 0.5], None]), r"`scores` holds a null at row 1"),
    "uneven lists": (pl.Series([[0.5, 0.5], [1.0]]), r"`scores` has a list of 1 at row 1; row 0"),
    "uneven columns": (
        [pl.Series(P[:, 0]), pl.Series(P[:3, 1])],
        r"4 rows in column 0 and 3 in column 1",
    ),
    "rows and columns": ([P[0], pl.Series(P[1])], r"a ndarray and, at position 1, a Series"),
    "a number among rows": ([P[0], 0.5], r"`scores` holds float 0\.5 at row 1"),
    "masked": (np.ma.masked_equal(P, 0.375), r"`scores` is masked at row 3"),
    "one dimension": (P[:, 0], r"`scores` has shape \(4,\)"),
    "three dimensions": (P[None], r"`scores` has shape \(1, 4, 3\)"),
    "texts": (P.astype(str), r"`scores` has dtype <U32; wanted floats"),
    "complex": (P + 0j, r"`scores` has dtype complex128"),
    "ragged": ([[0.5, 0.5], [1.0]], r"`scores` has 1 values at row 1 and 2 at row 0"),
    "no columns": (P[:, :0], r"`scores` has no columns"),
    "empty list": ([], r"`scores` has no rows"),
    "lazy": (pl.LazyFrame(P), r"`scores` is a LazyFrame; collect it first"),
    "a Series": (pl.Series(P[:, 0]), r"`scores` is a Series of Float64"),
    "text column": (pl.DataFrame({"a": ["x"] * 4}), r"`scores` has column 0 of String"),
    "equal names": (
        pd.DataFrame(P, columns=["a", "a", "b"]),
        "`scores` gives no Arrow data: .*Duplicate column names",
    ),
    "none": (None, r"`scores` has shape \(\)"),
    "rows": (P[:3], r"`scores` has 3 rows and `y_true` 4"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_tables_are_refused(case):
    p, message = REFUSED[case]
    with pytest.raises(cm.InputError, match=message):
        cm.multiclass_sweep(Y, p, labels=NAMES[: np.shape(p)[1]] if case == "rows" else None)


@pytest.mark.parametrize("case", NO_PROBABILITIES)
def test_scores_that_are_no_probabilities_have_ranks_alone(case):
    p, message = NO_PROBABILITIES[case]
    s = cm.multiclass_sweep(Y, p)
    frame = s.overall()
    for name in ("log_loss", "brier", "classwise_ece", "top_label_ece"):
        with pytest.raises(cm.InputError, match=f"{name} needs probabilities: {message}"):
            s.value(name)
        assert not hasattr(s, name)
        assert re.match(message, s.reason(name))
        assert frame.row(by_predicate=pl.col("metric") == name) == (name, None, s.reason(name))
        assert s.n_used("roc_auc") == 3
    for call in (s.soft_matrix, lambda: s.at_min_cost(np.eye(3)), lambda: s.n_clipped):
        with pytest.raises(cm.InputError, match="needs probabilities"):
            call()
    assert frame["value"].null_count() == 4
    assert s.at_argmax().accuracy == s.value("top_k_accuracy", k=1, ties="first")


@given(st.integers(0, 1999), st.sampled_from([1, 3, 64, 100]))
def test_the_first_bad_row_is_named(row, k):
    p = np.full((2000, k), 1 / k)
    p[row:] = 3.0
    y = np.zeros(2000, dtype=int)
    s = cm.multiclass_sweep(y, p, labels=range(k))
    assert f"holds 3 at row {row} of column 0" in s.reason("brier")


def test_tolerance():
    p = P.copy()
    p[2, 0] += 2e-4
    assert "at row 2; wanted 1 within" in cm.multiclass_sweep(Y, p).reason("brier")
    for fits in (
        cm.multiclass_sweep(Y, p, tolerance=1e-3),
        cm.multiclass_sweep(Y, p.astype(np.float16)),
        cm.multiclass_sweep(Y, p, tolerance=1),
        cm.multiclass_sweep([0, 1], np.eye(2), tolerance=0),
    ):
        assert fits.reason("brier") is None
    for bad in (-1, 1.5, True, "0.1"):
        with pytest.raises(cm.InputError, match=f"`tolerance` is {bad!r}"):
            cm.multiclass_sweep(Y, p, tolerance=bad)


def test_bad_labels_are_refused():
    wanted = r"`scores` has 3 columns and `y_true` 2 classes, \['a', 'b'\]; pass labels=..."
    with pytest.raises(cm.InputError, match=wanted):
        cm.multiclass_sweep(["a", "b", "a", "a"], P)
    with pytest.raises(cm.InputError, match="`labels` has 2 labels for 3 columns"):
        cm.multiclass_sweep(Y, P, labels=["a", "b"])
    message = r"label 'c' at row 2 of `y_true` is not in labels \['a', 'b', 'd'\]"
    with pytest.raises(cm.InputError, match=message):
        cm.multiclass_sweep(Y, P, labels=["a", "b", "d"])
    with pytest.raises(cm.InputError, match="`y_true` is String"):
        cm.multiclass_sweep(Y, P, labels=[1, 2, 3])


def test_bad_weights_are_refused():
    for bad, shown in ((-1.0, "-1"), (math.nan, "nan"), (math.inf, "inf")):
        with pytest.raises(cm.InputError, match=rf"weight {shown} at row 2 of `sample_weight`"):
            cm.multiclass_sweep(Y, P, sample_weight=[1.0, 1.0, bad, bad])
    with pytest.raises(cm.InputError, match="`y_true` has 4 rows, `sample_weight` has 3"):
        cm.multiclass_sweep(Y, P, sample_weight=[1, 2, 3])
    with pytest.raises(cm.InputError, match="`sample_weight`"):
        cm.multiclass_sweep(Y, P, sample_weight=list("abcd"))
    for huge in ([1e308] * 4, [0, 1e-320, 0, 0], [1e151, 1, 1, 1], [1.0, 1.0, 1e-160, 1.0]):
        with pytest.raises(cm.InputError, match="wanted 0, or a sum from 1e-150 to 1e150"):
            cm.multiclass_sweep(Y, P, sample_weight=huge)
    for scale in (1e149, 1e-149):
        s = cm.multiclass_sweep(Y, P, sample_weight=[scale, 3 * scale, scale, 2 * scale])
        t = cm.multiclass_sweep(Y, P, sample_weight=[1.0, 3.0, 1.0, 2.0])
        assert s.per_class()["roc_auc"].to_numpy().tolist() == pytest.approx(
            t.per_class()["roc_auc"].to_numpy().tolist(), rel=1e-12
        )
        assert s.log_loss == pytest.approx(t.log_loss, rel=1e-12)
    y = pl.Series(["b", "a", None, "c"])  # the weight of a dropped row is not looked at
    assert cm.multiclass_sweep(y, P, sample_weight=[1, 1, -1, 1]).n == 3


def test_bad_options_are_refused():
    s = cm.multiclass_sweep(Y, P)
    for call, message in (
        (
            lambda: s.value("roc_auc", average="samples"),
            "`average` is 'samples'; wanted one of 'macro'",
        ),
        (lambda: s.value("roc_auc", average="micro", multi_class="ovo"), "`average` is 'micro'"),
        (lambda: s.value("roc_auc", multi_class="raise"), "`multi_class` is 'raise'"),
        (lambda: s.value("average_precision", average=["macro"]), "`average` is"),
        (lambda: s.value("top_k_accuracy", k=0), "`k` is 0; wanted an integer, at least 1"),
        (lambda: s.value("top_k_accuracy", k=1.5), "`k` is 1.5"),
        (lambda: s.value("top_k_accuracy", k=2, ties="random"), "`ties` is 'random'"),
        (lambda: s.at_top_k(2, "best"), "`ties` is 'best'"),
        (lambda: s.value("log_loss", clip=0.5), "`clip` is 0.5"),
        (lambda: s.value("log_loss", clip="auto"), "`clip` is 'auto'"),
        (lambda: s.value("classwise_ece", bins=0), "`bins` is 0"),
        (lambda: s.roc_curve("weighted"), "`average` is 'weighted'"),
        (lambda: s.roc_curve(grid=[0.5, 2]), "`grid` is"),
        (lambda: s.pr_curve(grid="all"), "`grid` is 'all'"),
        (lambda: s.reason("f1"), "no number is named 'f1'; wanted one of roc_auc"),
        (lambda: s.one_vs_rest("d"), r"`label` 'd' is not in the labels \['a', 'b', 'c'\]"),
        (lambda: cm.multiclass_sweep(Y, P, nulls="keep"), "`nulls` is 'keep'"),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()


@pytest.mark.parametrize("shape", ["{}", "p_{}", "{}_share", "p({})"])
@pytest.mark.parametrize("labels", [["a", "b", "cc"], [3, 10, 20], [False, True]])
def test_columns_named_after_the_labels_come_in_any_order(shape, labels):
    rng = np.random.default_rng(2)
    p = rng.dirichlet(np.ones(len(labels)), 30)
    y = [labels[i] for i in rng.integers(0, len(labels), 30)]
    order = list(range(len(labels)))[::-1]
    names = [shape.format(labels[i]) for i in order]
    s = cm.multiclass_sweep(y, pl.DataFrame(p[:, order], schema=names))
    assert [str(label) for label in s.labels] == [str(labels[i]) for i in order]
    assert s.log_loss == cm.multiclass_sweep(y, p, labels=labels).log_loss


def test_columns_of_lower_case_booleans():
    frame = pl.DataFrame({"p_true": [0.8, 0.3], "p_false": [0.2, 0.7]})
    s = cm.multiclass_sweep([True, False], frame)
    assert s.labels == (True, False)
    assert s.at_argmax().accuracy == 1


def test_labels_against_the_names_of_the_columns():
    frame = pl.DataFrame(P, schema=["p_a", "p_b", "p_c"])
    with pytest.raises(cm.InputError, match="column 'p_a' at position 0 and `labels` 'b'"):
        cm.multiclass_sweep(Y, frame, labels=["b", "a", "c"])
    counted = pl.DataFrame(P, schema=["column_0", "column_1", "column_2"])
    assert cm.multiclass_sweep([1, 0, 2, 0], counted, labels=[2, 1, 0]).labels == (2, 1, 0)
    assert cm.multiclass_sweep(Y, counted).labels == ("a", "b", "c")


def test_columns_called_as_other_classes_are_refused():
    """One name that is no label must not turn the columns of the others into other classes."""
    rows = pl.DataFrame({"dog": [0.8, 0.1, 0.1], "cat": [0.1, 0.8, 0.1], "Bird": [0.1, 0.1, 0.8]})
    y = ["dog", "cat", "bird"]
    at = "has the column 'dog' at position 0"
    with pytest.raises(cm.InputError, match=f"`scores` {at}, and the labels of `y_true` have 'bi"):
        cm.multiclass_sweep(y, rows)
    with pytest.raises(cm.InputError, match=f"{at} and `labels` 'bird'; wanted the labels in the"):
        cm.multiclass_sweep(y, rows, labels=["bird", "cat", "dog"])
    told = cm.multiclass_sweep(y, rows, labels=y)
    assert told.labels == tuple(y)
    assert told.at_argmax().accuracy == 1
    frame = rows.with_columns(y=pl.Series(y))
    of = {"y_true": "y", "y_score": rows.columns, "metrics": ["log_loss"]}
    for door in (frame.cm.evaluate, lambda **asked: cm.evaluate(frame, **asked).overall()):
        with pytest.raises(cm.InputError, match=at):
            door(**of)
        assert door(**of, labels=y)["log_loss" if door == frame.cm.evaluate else "value"].item() < 1
    # Names that have nothing to do with the labels are no names of classes.
    assert cm.multiclass_sweep(y, rows.rename({"dog": "x", "cat": "z"})).labels == (
        "bird",
        "cat",
        "dog",
    )
