"""Building, comparing and merging confusion matrices from given counts."""

import copy

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import confmat as cm

PETS = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["cat", "dog"])


def test_from_arrays():
    for counts in ([[8, 2], [1, 9]], ((8, 2), (1, 9)), np.array([[8, 2], [1, 9]], dtype=np.uint8)):
        m = cm.ConfusionMatrix(counts)
        assert m.counts.dtype == np.int64
        assert m.counts.tolist() == [[8, 2], [1, 9]]
        assert m.labels == (0, 1)
        assert m.n == 20
        assert type(m.n) is int
        assert (m.n_dropped, m.n_other, m.smoothing, m.weights_sq) == (0, 0, 0.0, None)


def test_floats_stay_floats():
    m = cm.ConfusionMatrix([[0.5, 0.25], [0, 1]])
    assert m.counts.dtype == np.float64
    assert m.n == 1.75
    assert np.isnan(m.n_effective)


def test_from_nested_dicts():
    m = cm.ConfusionMatrix({"b": {"b": 4, "c": 1}, "a": {"a": 3}})
    assert m.labels == ("a", "b", "c")
    assert m.counts.tolist() == [[3, 0, 0], [0, 4, 1], [0, 0, 0]]
    m = cm.ConfusionMatrix({"dog": {"dog": 9, "cat": 1}, "cat": {"cat": 8, "dog": 2}})
    assert m == PETS


@pytest.mark.parametrize("names", [("true", "pred", "count"), ("y_true", "y_pred", "n")])
@pytest.mark.parametrize("frame", [pl.DataFrame, pl.LazyFrame, pd.DataFrame])
def test_from_long_frames(names, frame):
    columns = (["cat", "dog", "dog", "cat", "cat"], ["cat", "cat", "dog", "dog", "cat"])
    rows = dict(zip(names, (*columns, [5, 1, 9, 2, 3]), strict=True))
    assert cm.ConfusionMatrix(frame(rows)) == PETS
    assert cm.ConfusionMatrix(frame(rows), labels=["dog", "cat"]).labels == ("dog", "cat")


def test_a_long_frame_of_enums_keeps_the_categories():
    kind = pl.Enum(["low", "mid", "high"])
    rows = {"true": ["high", "low"], "pred": ["high", "high"], "count": [2, 1]}
    m = cm.ConfusionMatrix(pl.DataFrame(rows, schema_overrides={"true": kind, "pred": kind}))
    assert m.labels == ("low", "mid", "high")
    assert m.counts.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 2]]


def test_from_a_crosstab():
    true, pred = pd.Series(["a", "b", "b", "b"]), pd.Series(["a", "a", "b", "c"])
    m = cm.ConfusionMatrix(pd.crosstab(true, pred))
    assert m == cm.confusion_matrix(true, pred)
    assert m.labels == ("a", "b", "c")


def test_from_another_matrix_keeps_the_labels():
    assert cm.ConfusionMatrix(PETS) == PETS


class Sized:
    """What has a length that raises, or is none."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        if isinstance(self.length, int):
            return self.length
        raise self.length("no length")


class Row(list):
    def __len__(self):
        raise RuntimeError("no length")


@pytest.mark.parametrize(
    ("counts", "labels", "words"),
    [
        ([[1, 2, 3]], None, "shape (1, 3)"),
        ([1, 2, 3, 4], None, "shape (4,)"),
        ([], None, "shape (0,)"),
        (np.zeros((2, 2, 2)), None, "shape (2, 2, 2)"),
        ([[1], [2, 3]], None, "`counts` has 2 cells in row 1 and 1 in row 0; wanted a K x K"),
        (([1, 2], np.ones(3)), None, "`counts` has 3 cells in row 1 and 2 in row 0; wanted a K x"),
        ([[1, 2], np.array(5)], None, "`counts` is not an array ("),
        ([[1, 2], "a"], None, "`counts` is not an array ("),
        ([[1, 2], {}], None, "`counts` is not an array ("),
        ([[1, 2], Sized(RuntimeError)], None, "`counts` is not an array ("),
        ([[1, 2], Sized(-1)], None, "`counts` is not an array ("),
        ([[1, 2], Row([3])], None, "`counts` is not an array ("),
        ("abc", None, "'abc'"),
        (5, None, "5"),
        ([["1", "2"], ["3", "4"]], None, "dtype <U1"),
        ([[1, None], [2, 3]], None, "dtype object"),
        ([[1, 2**70], [2, 3]], None, "dtype object"),
        ([[1, 2**63], [2, 3]], None, "beyond 64-bit"),
        (scipy.sparse.csr_array([[1, 2], [3, 4]]), None, "sparse csr_array; pass its .toarray()"),
        ([[1, -2], [3, 4]], None, "-2 at [0, 1]"),
        ([[1, 2], [-0.5, 4]], None, "-0.5 at [1, 0]"),
        ([[1, 2], [3, np.nan]], None, "nan at [1, 1]"),
        ([[1, 2], [3, np.inf]], None, "inf at [1, 1]"),
        ([[2**62, 2**62], [0, 0]], None, "beyond 64-bit"),
        (np.full((2, 2), 2**63, dtype=np.uint64), None, "beyond 64-bit"),
        ([[1e308, 1e308], [0, 0]], None, "range of floats"),
        ([[1, 2], [3, 4]], ["a"], "`labels` has 1 labels"),
        ([[1, 2], [3, 4]], ["a", "a"], "twice"),
        ({"a": 5}, None, "wanted a dict"),
        ({}, None, "empty"),
        ({"a": {"a": "x"}}, None, "dtype <U1"),
        ({"a": {"a": [1]}}, None, "nested"),
        ({"a": {"a": 2**63, "b": 1}}, None, "beyond 64-bit"),
        ({"a": {1: 2}}, None, "mixes str and int"),
        ({"a": {"b": 2}}, ["a"], "'b', which is not in labels ['a']"),
        (pl.DataFrame({"true": [1], "n": [1]}), None, "no column `pred` (or `y_pred`)"),
        (pl.DataFrame({"true": [1], "pred": [None], "n": [1]}), None, "`pred` has a null"),
        (pl.DataFrame({"true": [1], "pred": [1], "n": [-1]}), None, "-1 at [0]"),
        (pl.DataFrame({"true": [1.5], "pred": [1.5], "n": [1]}), None, "float 1.5"),
    ],
    ids=lambda value: "",
)
def test_unusable_counts_are_named(counts, labels, words):
    with pytest.raises(cm.InputError) as caught:
        cm.ConfusionMatrix(counts, labels)
    assert words in str(caught.value)


def test_the_largest_counts_fit():
    m = cm.ConfusionMatrix([[2**62, 2**62 - 1], [0, 0]])
    assert m.n == 2**63 - 1
    assert m.value("tn", pos_label=1) == 2**62


def test_a_matrix_does_not_change():
    given = np.array([[8, 2], [1, 9]])
    m = cm.ConfusionMatrix(given)
    given[0, 0] = 99
    assert m.counts[0, 0] == 8
    with pytest.raises(ValueError, match="read-only"):
        m.counts[0, 0] = 1
    with pytest.raises(AttributeError, match="does not change"):
        m.n_dropped = 5
    with pytest.raises(AttributeError, match="does not change"):
        m.n = 5


def test_as_an_array():
    assert np.asarray(PETS) is PETS.counts
    assert np.array(PETS).flags.writeable
    assert np.asarray(PETS, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="needs a copy"):
        np.array(PETS, dtype=np.float32, copy=False)


def test_equality_sees_everything():
    same = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["cat", "dog"])
    assert same == PETS
    assert hash(PETS) == hash(same)
    assert cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["dog", "cat"]) != PETS
    assert cm.ConfusionMatrix([[8, 2], [1, 8]], labels=["cat", "dog"]) != PETS
    assert cm.ConfusionMatrix([[1]], [1]) != cm.ConfusionMatrix([[1]], [True])
    assert PETS.smooth(1) != PETS
    one, two = ([0, 1, None], [0, 1, 1]), ([0, 1], [0, 1])
    assert cm.confusion_matrix(*one) != cm.confusion_matrix(*two)
    weights = cm.confusion_matrix(*two, sample_weight=[2.0, 2.0])
    assert weights != cm.confusion_matrix(two[0] * 2, two[1] * 2)
    assert PETS != [[8, 2], [1, 9]]


def test_addition_merges():
    rng = np.random.default_rng(1)
    y, p = rng.integers(0, 3, (2, 500))
    w = rng.integers(1, 5, 500) / 4
    whole = cm.confusion_matrix(y, p, sample_weight=w)
    parts = [
        cm.confusion_matrix(y[cut], p[cut], sample_weight=w[cut], labels=[0, 1, 2])
        for cut in (slice(0, 100), slice(100, 101), slice(101, None))
    ]
    assert sum(parts) == parts[2] + parts[1] + parts[0] == whole
    assert whole - parts[0] == parts[1] + parts[2]
    assert whole - whole == cm.ConfusionMatrix(np.zeros((3, 3)))._of(
        np.zeros((3, 3)), (0, 1, 2), np.zeros((3, 3))
    )


def test_addition_of_plain_and_weighted_counts():
    plain = cm.ConfusionMatrix([[1, 2], [3, 4]])
    weighted = cm.confusion_matrix([0, 1], [1, 1], sample_weight=[0.5, 2.0], labels=[0, 1])
    both = plain + weighted
    assert both.counts.tolist() == [[1, 2.5], [3, 6]]
    assert both.weights_sq.tolist() == [[1, 2.25], [3, 8]]
    assert weighted + plain == both
    assert both - plain == weighted
    assert (cm.ConfusionMatrix([[0.5]]) + cm.ConfusionMatrix([[1]])).weights_sq is None


def test_rows_that_are_not_counted_add_up():
    m = cm.confusion_matrix([0, None, 7], [0, 1, 1], labels=[0, 1], other="bucket")
    assert ((m + m).n_dropped, (m + m).n_other) == (2, 2)
    assert ((m + m - m).n_dropped, (m + m - m).n_other) == (1, 1)
    with pytest.raises(cm.InputError, match="n_dropped is larger"):
        cm.ConfusionMatrix(m.counts) - m


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["cat", "emu"], "only in the first: ['dog']; only in the second: ['emu']"),
        (["dog", "cat"], "another order, ['cat', 'dog'] and ['dog', 'cat']"),
        ([0, 1], "text labels ['cat', 'dog'] and int labels [0, 1]"),
    ],
)
def test_different_labels_do_not_merge(labels, words):
    other = cm.ConfusionMatrix([[1, 0], [0, 1]], labels)
    for operation in (lambda: PETS + other, lambda: PETS - other):
        with pytest.raises(cm.InputError) as caught:
            operation()
        assert words in str(caught.value)


def test_a_longer_label_set_does_not_merge():
    with pytest.raises(cm.InputError, match="only in the second"):
        cm.ConfusionMatrix(np.eye(2)) + cm.ConfusionMatrix(np.eye(3))


def test_different_smoothing_does_not_merge():
    with pytest.raises(cm.InputError, match=r"smoothing differs, 0\.0 and 1\.0"):
        PETS + PETS.smooth(1)


def test_subtraction_stops_at_zero():
    with pytest.raises(cm.InputError, match=r"true 'cat', predicted 'dog' has 2 .* 3 "):
        PETS - cm.ConfusionMatrix([[0, 3], [0, 0]], labels=["cat", "dog"])


def test_subtraction_forgives_rounding():
    one, two = cm.ConfusionMatrix([[0.1 + 0.2]]), cm.ConfusionMatrix([[0.3]])
    assert (one - two).n >= 0
    assert (two - one).n == 0


def test_addition_beyond_64_bits_is_refused():
    big = cm.ConfusionMatrix([[2**62]])
    with pytest.raises(cm.InputError, match="beyond 64-bit"):
        big + big


def test_foreign_operands_are_type_errors():
    for operation in (lambda: PETS + 1, lambda: 1 + PETS, lambda: PETS - "a", lambda: "a" + PETS):
        with pytest.raises(TypeError):
            operation()


def test_transposition():
    m = cm.confusion_matrix([0, 1, None], [1, 1, 1], sample_weight=[0.5, 2.0, 1.0])
    assert m.T.counts.tolist() == [[0, 0], [0.5, 2]]
    assert m.T.weights_sq.tolist() == [[0, 0], [0.25, 4]]
    assert m.T.n_dropped == 1
    assert m == m.T.T
    assert m.T.counts.flags.c_contiguous


def test_copies_are_the_matrix_itself():
    assert copy.copy(PETS) is PETS
    assert copy.deepcopy([PETS])[0] is PETS


def test_effective_n():
    assert PETS.n_effective == 20
    m = cm.confusion_matrix([0, 1, 1], [0, 1, 1], sample_weight=[1.0, 1.0, 2.0])
    assert m.n_effective == pytest.approx(16 / 6)
    assert (m - m).n_effective == 0
    for size in (1e200, 1e-200):
        m = cm.confusion_matrix([0, 1], [0, 1], sample_weight=[size, size])
        assert np.isnan(m.n_effective)
        assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m


def test_short_repr():
    assert repr(PETS) == "<ConfusionMatrix of 2 (cat, dog), n=20>"
    m = cm.ConfusionMatrix(np.eye(6, dtype=int), labels=["\x1b[31m", "x" * 40, *"abcd"])
    assert repr(m) == f"<ConfusionMatrix of 6 (\\x1b[31m, {'x' * 15}…, a, b, 2 more), n=6>"


def test_a_matrix_of_a_matrix_is_the_same():
    m = cm.confusion_matrix(
        [0, 1, 1, 7, None], [0, 1, 0, 1, 1], labels=[0, 1], other="bucket", smoothing=0.5,
        sample_weight=[1.5, 2.5, 1.0, 1.0, 1.0],
    )  # fmt: skip
    copied = cm.ConfusionMatrix(m)
    assert copied == m
    assert copied.to_bytes() == m.to_bytes()
    assert (copied.n_dropped, copied.n_other, copied.smoothing) == (1, 1, 0.5)
    assert copied.n_effective == m.n_effective
    renamed = cm.ConfusionMatrix(m, labels=["no", "yes"])
    assert renamed.labels == ("no", "yes")
    assert (renamed.n_other, renamed.smoothing) == (1, 0.5)
