"""What columns may be made of, and what is said of the rest."""

import array

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confmat as cm
from confmat.inputs import column
from confmat.missing import first_null

TRUE = [0, 1, 2, 1, 0, 2, 2, 1]
PRED = [0, 1, 1, 1, 2, 2, 0, 1]
WANTED = cm.confusion_matrix(np.array(TRUE), np.array(PRED)).counts.tolist()
TEXT = np.array(["ant", "bee", "cat"])


def strided(values):
    spread = np.full(3 * len(values), 9, dtype=values.dtype)
    spread[1::3] = values
    return spread[1::3]


def unaligned(values):
    raw = bytearray(1 + values.nbytes)
    raw[1:] = values.tobytes()
    return np.frombuffer(raw, dtype=values.dtype, offset=1)


def frozen(values):
    values = values.copy()
    values.flags.writeable = False
    return values


LAYOUTS = {
    "plain": np.copy,
    "strided": strided,
    "reversed": lambda values: values[::-1].copy()[::-1],
    "swapped": lambda values: values.astype(values.dtype.newbyteorder(">")),
    "unaligned": unaligned,
    "read-only": frozen,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_every_layout_of_every_integer_counts_the_same(layout, dtype):
    true, pred = (LAYOUTS[layout](np.array(side, dtype=dtype)) for side in (TRUE, PRED))
    m = cm.confusion_matrix(true, pred)
    assert m.counts.tolist() == WANTED
    assert m.labels == (0, 1, 2)


def test_native_arrays_are_not_copied():
    values = np.arange(10)[::-2]
    assert column(values, "y_true").data is values
    series = pl.Series([1, 2])
    assert column(series, "y_true").data is series
    frame_series = pd.Series([1, 2])
    data = column(frame_series, "y_true").data
    assert isinstance(data, np.ndarray)
    assert np.shares_memory(data, frame_series.to_numpy())


NUMBER_KINDS = {
    "list": list,
    "tuple": tuple,
    "array.array": lambda v: array.array("i", v),
    "memoryview": lambda v: memoryview(array.array("h", v)),
    "list of NumPy scalars": lambda v: [np.int16(x) for x in v],
    "object array": lambda v: np.array(v, dtype=object),
    "polars": pl.Series,
    "pandas": pd.Series,
    "pandas index": pd.Index,
    "pandas Int64": lambda v: pd.Series(v, dtype="Int64"),
    "pandas pyarrow": lambda v: pd.Series(v, dtype="int32[pyarrow]"),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas Categorical": lambda v: pd.Categorical(v, categories=[2, 0, 1]),
    "pyarrow array": pa.array,
    "pyarrow chunks": lambda v: pa.chunked_array([v[:3], [], v[3:]]),
    "pyarrow slice": lambda v: pa.array([9, *v, 9]).slice(1, len(v)),
}


@pytest.mark.parametrize("kind", NUMBER_KINDS)
def test_every_container_of_integers_counts_the_same(kind):
    make = NUMBER_KINDS[kind]
    m = cm.confusion_matrix(make(TRUE), make(PRED), labels=[0, 1, 2])
    assert m.counts.tolist() == WANTED


TEXT_KINDS = {
    "list": list,
    "NumPy U": np.array,
    "NumPy object": lambda v: np.array(v, dtype=object),
    "polars": pl.Series,
    "polars categorical": lambda v: pl.Series(v, dtype=pl.Categorical),
    "polars enum": lambda v: pl.Series(v, dtype=pl.Enum(["cat", "ant", "bee"])),
    "pandas str": pd.Series,
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pyarrow": pa.array,
    "pyarrow large": lambda v: pa.array(v, pa.large_string()),
    "pyarrow view": lambda v: pa.array(v, pa.string_view()),
    "pyarrow dictionary": lambda v: pa.array(v).dictionary_encode(),
}


@pytest.mark.parametrize("kind", TEXT_KINDS)
@pytest.mark.parametrize("other", ["list", "pandas category", "polars enum"])
def test_every_container_of_texts_counts_the_same(kind, other):
    true = TEXT_KINDS[kind](TEXT[TRUE].tolist())
    pred = TEXT_KINDS[other](TEXT[PRED].tolist())
    m = cm.confusion_matrix(true, pred, labels=TEXT)
    assert m.counts.tolist() == WANTED
    assert m.labels == ("ant", "bee", "cat")


def test_categories_are_matched_by_text_not_by_code():
    true = pd.Series(pd.Categorical(["x", "y", None, "y"], categories=["y", "unused", "x"]))
    pred = pd.Series(pd.Categorical(["x", "x", "x", "y"], categories=["x", "y"]))
    m = cm.confusion_matrix(true, pred)
    assert m.labels == ("x", "y")
    assert m.counts.tolist() == [[1, 0], [1, 1]]
    assert m.n_dropped == 1


def test_bool_columns_of_every_kind():
    true, pred = [True, False, True, True], [True, True, False, True]
    kinds = (list, np.array, pl.Series, pa.array, lambda v: pd.Series(v, dtype="boolean"))
    for make in kinds:
        m = cm.confusion_matrix(make(true), make(pred))
        assert m.labels == (False, True)
        assert m.counts.tolist() == [[0, 1], [1, 2]]


class OnlyArray:
    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)


class OnlyArrowArray:
    def __init__(self, values):
        self.values = pa.array(values)

    def __arrow_c_array__(self, requested_schema=None):
        return self.values.__arrow_c_array__(requested_schema)


@pytest.mark.parametrize("kind", [OnlyArray, OnlyArrowArray])
def test_protocols_are_enough(kind):
    assert cm.confusion_matrix(kind(TRUE), kind(PRED)).counts.tolist() == WANTED


def test_masked_values_are_nulls():
    true = np.ma.MaskedArray(TRUE, mask=[0, 0, 1, 0, 0, 0, 0, 0])
    m = cm.confusion_matrix(true, PRED)
    assert m.n_dropped == 1
    assert m.n == len(TRUE) - 1


def test_missing_values_of_pandas_are_nulls():
    for true in (pd.Series(["a", None, "b"]), pd.Series(["a", np.nan, "b"], dtype=object)):
        m = cm.confusion_matrix(true, ["a", "a", "b"])
        assert (m.n, m.n_dropped, m.labels) == (2, 1, ("a", "b"))


def test_pandas_without_pyarrow(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    texts, numbers, known = ["b", None, "a"], [2, None, 1], [True, None, False]
    for values, kinds in (
        (texts, ("str", object, "category")),
        (numbers, ("Int64", "Float64", "float64", "category")),
        (known, ("boolean", object)),
    ):
        for kind in kinds:
            true = pd.Series(values, dtype=kind)
            m = cm.confusion_matrix(true, true)
            assert m.labels == tuple(sorted(value for value in values if value is not None))
            assert m.counts.tolist() == [[1, 0], [0, 1]]
            assert m.n_dropped == 1


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.array(3), "shape ()"),
        (np.zeros((2, 3), dtype=int), "shape (2, 3)"),
        ([[1, 2], [3, 4]], "shape (2, 2)"),
        ([np.array([1, 2]), np.array([3, 4])], "shape (2, 2)"),
        (pd.DataFrame({"a": [1], "b": [2]}), "2 columns ('a', 'b'); wanted one"),
        (pa.table({"a": [1], "b": [2]}), "2 columns ('a', 'b'); wanted one"),
        (pl.DataFrame({"a": [1], "b": [2]}), "2 columns ('a', 'b'); wanted one"),
        (pl.LazyFrame({"a": [1]}), "LazyFrame; collect it, and pass one column"),
        (pl.col("a"), "Polars expression"),
        (pl.Series([[1], [2]]), "dtype List"),
        (pl.Series([{"a": 1}]), "dtype Struct"),
        (pl.Series([b"a"]), "dtype Binary"),
        ([1, "a"], "mixes int and str (first str: 'a' at row 1)"),
        (["a", None, 2], "mixes str and int (first int: 2 at row 2)"),
        ([1, True], "mixes int and bool"),
        (np.array(["a", 1], dtype=object), "mixes str and int"),
        (["a", 0.5], "mixes str and float"),
        ([object()], "type object at row 0"),
        ([b"a"], "type bytes at row 0"),
        ([2**70], "holds 1180591620717411303424 at row 0; wanted integers of 64 bits"),
        ([2**130], "not a column"),
        (["\ud800"], "not a column"),
        (np.array([1j]), "complex128"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "datetime64"),
        ("abc", "type str"),
        (b"abc", "type bytes"),
        ({1: 2}, "type dict"),
        ({1, 2}, "type set"),
        (5, "single value 5"),
        (None, "type NoneType"),
        ((i for i in [1]), "type generator"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_unusable_columns_are_named(values, words):
    for argument in ("y_true", "y_pred"):
        columns = {"y_true": [1], "y_pred": [1], argument: values}
        with pytest.raises(cm.InputError) as caught:
            cm.confusion_matrix(**columns)
        assert f"`{argument}`" in str(caught.value)
        assert words in str(caught.value)


def test_an_array_that_cannot_be_made_is_an_input_error():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("can't convert a device tensor")

    with pytest.raises(cm.InputError, match=r"`y_pred`.*device tensor"):
        cm.confusion_matrix([1], Broken())


def test_labels_beyond_64_bits_are_named():
    big = np.array([1, 2**63 + 5], dtype=np.uint64)
    for values in (big, pl.Series(big)):
        with pytest.raises(cm.InputError) as caught:
            cm.confusion_matrix([1, 1], values)
        assert "`y_pred`" in str(caught.value)
        assert "row 1" in str(caught.value)


@pytest.mark.parametrize(
    "kind", [pa.date32(), pa.timestamp("s"), pa.duration("s"), pa.time64("ns")]
)
def test_moments_in_arrow_are_not_labels(kind):
    for values in (pa.array([0], kind), pa.chunked_array([pa.array([0], kind)])):
        with pytest.raises(cm.InputError, match="`y_true` has"):
            cm.confusion_matrix(values, [1])


def test_first_null():
    assert first_null(pl.Series([1, None, 2, None])) == 1
    assert first_null(pl.Series([1, 2])) is None
    assert first_null(np.array([1.0, np.nan])) is None
    assert first_null(pa.chunked_array([[1], [None]])) == 1
