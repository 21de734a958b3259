"""Labels at every door: whole numbers in floats, forms of columns, the positive class."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confmat as cm

Y = [0, 1, 1, 0, 1, None]
P = [0, 1, 0, 0, 1, 1]
S = [0.1, 0.9, 0.4, 0.2, 0.8, 0.5]
NAN = [0, 1, 1, 0, 1, float("nan")]
TEXTS = ["a", "b", "b", "a", "b", None]
SQL = "select * from (values ({}), ({}), ({}), ({}), ({}), (null)) t(a)"

NUMBERS = {
    "list": lambda: Y,
    "list with nan": lambda: NAN,
    "list of mixed numbers": lambda: [0.0, 1, 1, 0, 1, None],
    "list with NA": lambda: [0, 1, 1, 0, 1, pd.NA],
    "list of rows of one": lambda: [[value] for value in Y],
    "float64": lambda: np.array(NAN),
    "float32": lambda: np.array(NAN, dtype=np.float32),
    "float16": lambda: np.array(NAN, dtype=np.float16),
    "big-endian": lambda: np.array(NAN, dtype=">f8"),
    "strided": lambda: np.repeat(np.array(NAN), 2)[::2],
    "(n, 1)": lambda: np.array(NAN)[:, None],
    "(n, 1) of objects": lambda: np.array(Y, dtype=object)[:, None],
    "objects": lambda: np.array(Y, dtype=object),
    "masked": lambda: np.ma.masked_invalid(NAN),
    "pandas": lambda: pd.Series(Y),
    "pandas Int64": lambda: pd.Series(Y, dtype="Int64"),
    "pandas Float64": lambda: pd.Series(Y, dtype="Float64"),
    "pandas Arrow": lambda: pd.Series(Y, dtype="int64[pyarrow]"),
    "pandas Arrow floats": lambda: pd.Series(Y, dtype="double[pyarrow]"),
    "pandas objects": lambda: pd.Series(Y, dtype=object),
    "pandas categories": lambda: pd.Series(Y, dtype="category"),
    "pandas frame": lambda: pd.DataFrame({"a": Y}),
    "pandas index": lambda: pd.Index(Y),
    "Polars": lambda: pl.Series(Y, dtype=pl.Float64),
    "Polars Float16": lambda: pl.Series(Y, dtype=pl.Float32).cast(pl.Float16),
    "Polars objects": lambda: pl.Series(Y, dtype=pl.Object),
    "Polars frame": lambda: pl.DataFrame({"a": Y}, schema={"a": pl.Float32}),
    "pyarrow": lambda: pa.array(Y, pa.float64()),
    "pyarrow halves": lambda: pa.array(np.array(NAN, dtype=np.float16)),
    "pyarrow table": lambda: pa.table({"a": Y}),
    "pyarrow batch": lambda: pa.record_batch({"a": Y}),
    "pyarrow reader": lambda: pa.table({"a": NAN}).to_reader(),
    "DuckDB": lambda: duckdb.sql(SQL.format(0, 1, 1, 0, 1)),
    "DuckDB doubles": lambda: duckdb.sql(SQL.format("0::double", 1, 1, 0, 1)),
}
WORDS = {
    "objects": lambda: np.array(TEXTS, dtype=object),
    "objects with nan": lambda: np.array([*TEXTS[:-1], np.nan], dtype=object),
    "StringDType": lambda: np.array(
        [*TEXTS[:-1], np.nan], dtype=np.dtypes.StringDType(na_object=np.nan)
    ),
    "pandas": lambda: pd.Series(TEXTS),
    "pandas string": lambda: pd.Series(TEXTS, dtype="string"),
    "pandas Arrow": lambda: pd.Series(TEXTS, dtype="string[pyarrow]"),
    "pandas large": lambda: pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas dictionary": lambda: pd.Series(
        TEXTS, dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))
    ),
    "pandas objects": lambda: pd.Series([*TEXTS[:-1], pd.NA], dtype=object),
    "DuckDB": lambda: duckdb.sql(SQL.format("'a'", "'b'", "'b'", "'a'", "'b'")),
}


@pytest.mark.parametrize("form", NUMBERS)
def test_whole_numbers_of_any_form_are_labels(form: str) -> None:
    make = NUMBERS[form]
    m = cm.confusion_matrix(make(), P)
    assert (m.labels, m.counts.tolist(), m.n_dropped) == ((0, 1), [[2, 0], [1, 2]], 1)
    assert cm.f1(make(), P) == 0.8
    assert cm.confusion_matrix(P, make()).counts.tolist() == [[2, 1], [0, 2]]
    s = cm.sweep(make(), S)
    assert (s.labels, s.roc_auc, s.n_dropped) == ([0, 1], 1.0, 1)
    k = cm.multiclass_sweep(make(), np.c_[1 - np.array(S), S])
    assert k.labels == (0, 1)
    with pytest.raises(cm.InputError, match="null at row 5 of `y_true`"):
        cm.confusion_matrix(make(), P, nulls="raise")


@pytest.mark.parametrize("form", WORDS)
def test_texts_of_any_form_are_labels(form: str) -> None:
    make, predicted = WORDS[form], ["a", "b", "a", "a", "b", "b"]
    m = cm.confusion_matrix(make(), predicted)
    assert (m.labels, m.counts.tolist(), m.n_dropped) == (("a", "b"), [[2, 0], [1, 2]], 1)
    assert cm.sweep(make(), S, pos_label="b").roc_auc == 1.0


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32, pl.Float16])
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_float_columns_are_labels_in_expressions(dtype: type, engine: str) -> None:
    y = pl.Series([*Y, None, -3.0], dtype=pl.Float64)
    frame = pl.DataFrame({"g": [1, 1, 2, 2, 1, 2, 1, 1], "y": y, "p": [*P, 1, -3]})
    frame = frame.with_columns(s=pl.Series([*S, 0.3, 0.2]), w=pl.Series([1.0, 2, 1, 1, 1, 1, 1, 2]))
    ints = frame.cast({"y": pl.Int64, "p": pl.Int64})
    floats = frame.cast({"y": dtype, "p": dtype})
    nan = pl.when(pl.col("y").is_null()).then(float("nan")).otherwise("y")
    floats = floats.with_columns(nan.cast(dtype).alias("y"))
    two, one = floats.head(7), ints.head(7)
    asked = ["accuracy", "mcc", "recall_macro"]
    for weight in (None, "w"):
        for labels in (None, [-3, 0, 1]):
            whole = cm.metrics("y", "p", asked, labels=labels, sample_weight=weight)
            for by in (None, "g"):
                found, wanted = (
                    f.lazy().select(whole) if by is None else f.lazy().group_by(by).agg(whole)
                    for f in (floats, ints)
                )
                order = [] if by is None else [by]
                left, right = (q.collect(engine=engine) for q in (found, wanted))
                assert (left.sort(order) if by else left).equals(right.sort(order) if by else right)
        scored = cm.sweep_metrics("y", "s", ["roc_auc"], sample_weight=weight)
        for positive in (scored, cm.sweep_metrics("y", "s", pos_label=1, sample_weight=weight)):
            assert (
                two.lazy().select(positive).collect(engine=engine)
                .equals(one.lazy().select(positive).collect(engine=engine))
            )  # fmt: skip
    for by in (None, "g"):
        assert floats.cm.evaluate("y", "p", by=by).equals(ints.cm.evaluate("y", "p", by=by))
        lazy = floats.lazy().cm.evaluate("y", "p", by=by).collect(engine=engine)
        assert lazy.equals(ints.lazy().cm.evaluate("y", "p", by=by).collect(engine=engine))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (0.5, "is not a whole number; these look like scores"),
        (float("inf"), "is not a whole number from -2^53 to 2^53"),
        (2.0**53 + 2, "is not a whole number from -2^53 to 2^53"),
        (-1e300, "is not a whole number from -2^53 to 2^53"),
    ],
)
def test_floats_that_are_no_labels_are_named_by_their_row(value: float, why: str) -> None:
    y, p = [0.0, 1.0, value], [0, 1, 1]
    frame = pl.DataFrame({"g": 1, "y": y, "p": p, "s": [0.1, 0.2, 0.3]})
    for call in (
        lambda: cm.f1(y, p),
        lambda: cm.confusion_matrix(p, y),
        lambda: cm.confusion_matrix(y, p, labels=[0, 1], other="bucket"),
        lambda: cm.sweep(y, [0.1, 0.2, 0.3]),
        lambda: cm.sweep(y, [0.1, 0.2, 0.3], pos_label=1),
        lambda: cm.multiclass_sweep(y, [[0.5, 0.5]] * 3, labels=[0, 1]),
        lambda: frame.cm.evaluate("y", "p"),
        lambda: frame.cm.evaluate("y", "p", by="g"),
        lambda: frame.cm.evaluate("y", "p", by="g", sample_weight="s"),
        lambda: frame.cm.evaluate("y", y_pred=None, y_score="s"),
    ):
        with pytest.raises(cm.InputError, match=r"row 2 of `y_(true|pred)`") as caught:
            call()
        assert why in str(caught.value)
    assert cm.confusion_matrix([2.0**53, -(2.0**53)], [0, 0]).labels == (-(2**53), 0, 2**53)
    with pytest.raises(cm.InputError, match=r"9007199254740993 at row 1 beside floats"):
        cm.f1([0.0, 2**53 + 1], [0, 1])


def test_one_rule_for_the_positive_class() -> None:
    s = [0.2, 0.9, 0.7, 0.1]
    for negative, positive in ((0, 1), (False, True), (-1, 1), (0.0, 1.0), (-1.0, 1.0)):
        y = [negative, positive, positive, negative]
        p = [negative, positive, negative, negative]
        frame = pl.DataFrame({"g": ["a", "b", "a", "b"], "y": y, "p": p, "s": s})
        assert cm.recall(y, p) == cm.confusion_matrix(y, p).recall == 0.5
        assert cm.sweep(y, s).roc_auc == cm.sweep(y, s, bins=65536).roc_auc == 1.0
        assert frame.select(cm.metric("recall", "y", "p")).item() == 0.5
        assert frame.select(pl.col("y").cm.roc_auc("s")).item() == 1.0
        assert frame.cm.evaluate("y", "p", metrics=["recall"])["recall"][0] == 0.5
        by = frame.cm.evaluate("y", "p", by="g", metrics=["recall"])
        assert by["recall"].to_list() == [0.0, 1.0]
        if positive is not True:
            labels = [int(negative), 1]
            known = cm.metric("recall", "y", "p", labels=labels)
            assert frame.select(known).item() == 0.5
    for alone, recall in ((1, 1.0), (True, 1.0), (0, None), (-1, None), (False, None)):
        frame = pl.DataFrame({"y": [alone] * 2})
        assert frame.select(cm.metric("recall", "y", "y")).item() == recall
        assert cm.sweep([alone] * 2, [0.1, 0.2]).labels[1] == 1
    for one, two in ((1, 2), (0, 2), (-1, 0), ("0", "1"), (5, 5)):
        frame = pl.DataFrame({"y": [one, two], "s": [0.1, 0.9]})
        for call in (
            lambda f=frame: cm.f1(f["y"], f["y"]),
            lambda f=frame: cm.confusion_matrix(f["y"], f["y"]).value("f1"),
            lambda f=frame: cm.sweep(f["y"], f["s"]),
            lambda f=frame: f.cm.evaluate("y", "y", metrics=["f1"]),
            lambda f=frame: f.cm.evaluate("y", y_pred=None, y_score="s"),
        ):
            with pytest.raises(cm.InputError, match="pos_label"):
                call()
        with pytest.raises(pl.exceptions.ComputeError, match="pos_label"):
            frame.select(cm.metric("f1", "y", "y"))
        assert cm.f1(frame["y"], frame["y"], pos_label=one) == 1.0
    with pytest.raises(cm.InputError, match="label 0 at row 2 of `y_true` is neither -1 nor 1"):
        cm.sweep([1, -1, 0], [0.1, 0.2, 0.3])
    mixed = pl.DataFrame({"y": [1, -1, 0], "s": [0.1, 0.2, 0.3], "w": [1.0, 2.0, 3.0]})
    for weight in (None, "w"):
        with pytest.raises(pl.exceptions.ComputeError, match=r"holds (0 and -1|-1 and 0)"):
            mixed.select(cm.sweep_metrics("y", "s", sample_weight=weight))


def test_a_list_of_rows_holds_rows_whatever_they_are() -> None:
    true = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]])
    pred = np.array([[1, 1, 1], [0, 1, 0], [0, 1, 0]])
    wanted = cm.multilabel(true, pred)
    assert not np.array_equal(wanted.counts, cm.multilabel(true.T, pred.T).counts)
    scores = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.6, 0.2]])
    k, areas = cm.multiclass_sweep([0, 2, 1], scores), cm.multilabel_sweep(true, scores)
    kinds = (
        list,
        tuple,
        lambda table: [row.tolist() for row in table],
        lambda table: [tuple(row.tolist()) for row in table],
        lambda table: [pd.Series(row) for row in table],
        lambda table: [pa.array(row) for row in table],
        lambda table: [pl.Series(column) for column in table.T],
        lambda table: {f"{at}": column for at, column in enumerate(table.T)},
    )
    for kind in kinds:
        given = {"labels": [0, 1, 2]}
        assert np.array_equal(cm.multilabel(kind(true), kind(pred), **given).counts, wanted.counts)
        same = cm.multiclass_sweep([0, 2, 1], kind(scores), **given)
        assert same.at_argmax() == k.at_argmax()
        other = cm.multilabel_sweep(kind(true), kind(scores), **given)
        assert [other.label(at) for at in range(3)] == [areas.label(at) for at in range(3)]


def test_sets_of_labels_in_columns_of_objects() -> None:
    sets = [["a"], ["a", "b"], None, []]
    wanted = cm.multilabel(pl.Series(sets, dtype=pl.List(pl.String)), [["a"], ["b"], [], ["b"]])
    objects = np.empty(4, dtype=object)
    objects[:] = sets
    for form in (pd.Series(sets), objects, pl.Series(sets, dtype=pl.Object), sets):
        m = cm.multilabel(form, [["a"], ["b"], [], ["b"]])
        assert (m.labels, m.n_dropped) == (wanted.labels, wanted.n_dropped)
        assert np.array_equal(m.counts, wanted.counts)
    table = [[1.0, 0.0], [float("nan"), 1.0], [0.0, 1.0]]
    m = cm.multilabel(table, [[1, 0], [0, 1], [0, 1]])
    assert (m.n_dropped, m.exact_match) == (1, 1.0)


class Streams:
    """An object that hands over an Arrow stream, and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def test_a_stream_of_one_column_is_a_column():
    truth, pred = ([1, 0, 1], [1, 1, 1])
    stream = Streams(pa.table({"a": truth}))
    assert cm.confusion_matrix(stream, pred) == cm.confusion_matrix(truth, pred)
    assert cm.roc_auc([0, 1, 1], Streams(pa.table({"s": [0.1, 0.4, 0.3]}))) == 1.0
    with pytest.raises(cm.InputError, match="Struct"):
        cm.confusion_matrix(Streams(pa.table({"a": truth, "b": pred})), pred)


def test_integers_of_128_bits_and_rows_of_one_value():
    wide = pl.Series([1, None, 0], dtype=pl.Int128)
    assert cm.confusion_matrix(wide, [1, 1, 0]) == cm.confusion_matrix([1, None, 0], [1, 1, 0])
    rows = [np.array([0]), np.array([1])]
    assert cm.confusion_matrix(rows, [[0], (1,)]) == cm.confusion_matrix([0, 1], [0, 1])
    with pytest.raises(cm.InputError, match="holds 9223372036854775808 at row 2"):
        cm.confusion_matrix(pl.Series([1, None, 2**63], dtype=pl.Int128), [1, 1, 0])
