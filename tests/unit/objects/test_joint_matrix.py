"""Two models on the same rows: matrices of either as `confusion_matrix` counts them."""

import collections

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.render.figures import figure

_LABELS = {
    "ints": [3, -1, 7, None],
    "bools": [True, False, None],
    "texts": ["", "b", "漢", None],
    "whole floats": [1.0, 2.0, float("nan"), None],
}
_WEIGHTS = {"none": None, "ints": [0, 1, 5, 2**40], "floats": [0.1, 0.0, 2**-60, 1e17]}
Y, A, B = ["x", "y", "y", "x"], ["x", "x", "y", "z"], ["x", "y", "x", "x"]


@st.composite
def rows(draw, kind):
    """Draw three columns of labels, and weights."""
    label = st.sampled_from(_LABELS[kind])
    n = draw(st.integers(0, 12))
    columns = [draw(st.lists(label, min_size=n, max_size=n)) for _ in range(3)]
    of_weights = _WEIGHTS[draw(st.sampled_from(list(_WEIGHTS)))]
    weight = None
    if of_weights is not None:
        values = st.sampled_from([*of_weights, None] if draw(st.booleans()) else of_weights)
        dtype = pl.Int64 if isinstance(of_weights[0], int) else pl.Float64
        weight = pl.Series(draw(st.lists(values, min_size=n, max_size=n)), dtype=dtype)
    dtype = {"ints": pl.Int16, "bools": pl.Boolean, "texts": pl.String}.get(kind, pl.Float32)
    return [pl.Series(column, dtype=dtype) for column in columns], weight


def whole_rows(columns, weight):
    """Return the rows that have no null, as columns."""
    frame = pl.DataFrame({"y": columns[0], "a": columns[1], "b": columns[2]}).fill_nan(None)
    frame = frame.with_columns(w=pl.Series(weight) if weight is not None else pl.lit(1))
    return frame.drop_nulls()


@pytest.mark.parametrize("kind", _LABELS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_matrices_are_those_of_the_same_rows(kind, data):
    columns, weight = data.draw(rows(kind))
    j = cm.joint_matrix(*columns, sample_weight=weight)
    known = whole_rows(columns, weight)
    assert j.n_dropped == len(columns[0]) - len(known)
    weights = None if weight is None else known["w"]
    labels = {"labels": list(j.labels)} if j.labels else {}
    for model in ("a", "b"):
        wanted = cm.confusion_matrix(known["y"], known[model], sample_weight=weights, **labels)
        found = j.matrix(model)
        assert found.counts.tolist() == wanted.counts.tolist()
        squares = [None if m.weights_sq is None else m.weights_sq.tolist() for m in (found, wanted)]
        assert squares[0] == squares[1]
        assert found.n_dropped == j.n_dropped
    if j.labels:
        both = [
            cm.confusion_matrix(known["y"], known[model], sample_weight=weights) for model in "ab"
        ]
        assert (both[0] + both[1]).labels == j.labels
    cells = collections.Counter()
    for y, a, b, w in known.rows():
        cells[y, a, b] += w
    if weight is None or weight.dtype == pl.Int64:
        assert {row[:3]: row[3] for row in j.to_polars().rows()} == {
            cell: n for cell, n in cells.items() if n
        }


@pytest.mark.parametrize("kind", _LABELS)
@settings(max_examples=40, deadline=None)
@given(data=st.data(), cut=st.integers(0, 12))
def test_splits_and_differences(kind, data, cut):
    columns, weight = data.draw(rows(kind))
    parts = []
    for part in (slice(None, cut), slice(cut, None)):
        of_part = None if weight is None else weight[part]
        parts.append(cm.joint_matrix(*(one[part] for one in columns), sample_weight=of_part))
    whole = cm.joint_matrix(*columns, sample_weight=weight)
    for total in (
        parts[0] + parts[1],
        parts[1] + parts[0],
        sum(parts),
        cm.merge(parts),
        cm.merge([one.to_bytes() for one in parts]),
    ):
        assert total == whole
        assert total.to_bytes() == whole.to_bytes()
    rest = whole - parts[1]
    assert rest.n_dropped == parts[0].n_dropped
    left = {row[:3]: row[3] for row in rest.to_polars().rows()}
    assert left == {row[:3]: row[3] for row in parts[0].to_polars().rows()}


@settings(max_examples=40, deadline=None)
@given(data=st.data(), bucket=st.booleans())
def test_given_labels_and_others(data, bucket):
    columns, weight = data.draw(rows("ints"))
    options = {"labels": [7, 3], "sample_weight": weight}
    known = whole_rows(columns, weight)
    inside = known.filter(pl.all_horizontal(pl.col("y", "a", "b").is_in([7, 3])))
    if not bucket:
        if len(inside) < len(known):
            with pytest.raises(cm.InputError, match=r"label -1 at row \d+ of `y_(true|pred_[ab])`"):
                cm.joint_matrix(*columns, **options)
        return
    j = cm.joint_matrix(*columns, other="bucket", **options)
    assert j.labels == (7, 3)
    assert j.n_other == len(known) - len(inside)
    assert j.n_dropped == len(columns[0]) - len(known)
    weights = None if weight is None else inside["w"]
    for model in ("a", "b"):
        wanted = cm.confusion_matrix(
            inside["y"], inside[model], labels=[7, 3], sample_weight=weights
        )
        assert j.matrix(model).counts.tolist() == wanted.counts.tolist()


def test_rows_with_a_null_may_have_any_label():
    for weight in (None, [1, 1]):
        j = cm.joint_matrix([7, 7], [7, -1], [7, None], labels=[7, 3], sample_weight=weight)
        assert (j.n, j.n_dropped, j.n_other) == (1, 1, 0)
    assert cm.joint_matrix([7, 7], [7, -1], [7, None]).labels == (7,)


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        lambda x: np.array(x, dtype=object),
        pl.Series,
        lambda x: pl.Series(x, dtype=pl.Categorical),
        lambda x: pl.Series(x).to_arrow(),
        lambda x: pl.Series(x).to_pandas(),
        lambda x: pl.Series(x).to_pandas().astype("category"),
    ],
)
def test_columns_of_any_kind(make):
    j = cm.joint_matrix(make(Y), make(A), make(B))
    assert {row[:3]: row[3] for row in j.to_polars().rows()} == dict.fromkeys(
        zip(Y, A, B, strict=True), 1
    )


@pytest.mark.parametrize("dtype", [">i4", "u1", "i8", "f4", "?"])
def test_numbers_of_any_type(dtype):
    y, a, b = (np.array(x, dtype=dtype)[::2] for x in ([1, 9, 0, 9], [1, 9, 1, 9], [0, 9, 0, 9]))
    j = cm.joint_matrix(y, a, b)
    assert j == cm.joint_matrix(y.tolist(), a.tolist(), b.tolist())
    assert j.n == 2


def test_categories_of_an_enum_are_the_labels():
    enum = pl.Enum(["z", "y", "x", "none"])
    columns = [pl.Series(one, dtype=enum) for one in (Y, A, B)]
    j = cm.joint_matrix(*columns)
    assert j.labels == ("z", "y", "x", "none")
    assert j.matrix("a").to_bytes() == cm.confusion_matrix(*columns[:2]).to_bytes()
    assert cm.from_bytes(j.to_bytes()).labels == j.labels


def test_counts_are_truth_by_a_by_b():
    j = cm.joint_matrix(Y, A, B)
    wanted = np.zeros((3, 3, 3), dtype=np.int64)
    for y, a, b in zip(Y, A, B, strict=True):
        wanted["xyz".index(y), "xyz".index(a), "xyz".index(b)] += 1
    assert np.array_equal(j.counts, wanted)
    assert not j.counts.flags.writeable
    assert np.array_equal(j.matrix("a").counts, wanted.sum(axis=2))
    many = cm.joint_matrix(range(600), range(600), range(600))
    with pytest.raises(cm.InputError, match=r"of 600 classes would take 1\.6 GiB.*to_polars"):
        _ = many.counts
    assert many.matrix("b").accuracy == 1
    assert many.to_polars().height == 600


def test_flips_say_who_is_right():
    frame = cm.joint_matrix(Y, A, B).flips()
    assert frame.columns == ["label", "n", "both", "only_a", "only_b", "neither"]
    assert frame.rows() == [("x", 2, 1, 0, 1, 0), ("y", 2, 0, 1, 1, 0), ("z", 0, 0, 0, 0, 0)]
    weighted = cm.joint_matrix(Y, A, B, sample_weight=[0.5, 1.0, 2.0, 4.0]).flips()
    assert weighted["only_b"].to_list() == [4.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "j",
    [
        cm.joint_matrix(Y, A, B),
        cm.joint_matrix([1, 0], [0, 0], [1, 1], labels=[1, 0]),
        cm.joint_matrix([True], [True], [False]),
    ],
)
def test_long_frames_are_read(j):
    frame = j.to_polars()
    assert cm.JointMatrix(frame, labels=j.labels) == j
    twice = cm.JointMatrix(pl.concat([frame, frame]), labels=j.labels)
    assert twice.n == 2 * j.n
    assert cm.JointMatrix(j) == j


def test_bad_long_frames_are_refused():
    frame = cm.joint_matrix(Y, A, B).to_polars()
    for bad, words in (
        (frame.drop("b"), r"a frame of \['y_true', 'a', 'n'\]; wanted"),
        ([1], "`counts` is list"),
        (frame.with_columns(n=-pl.col("n")), "integers from 0 on"),
        (frame.with_columns(n=pl.lit(0.5)), "integers from 0 on"),
        (frame.with_columns(a=pl.lit(None, pl.String)), "column `a` has a null"),
        (frame.with_columns(n=pl.lit(2**62)), "beyond 64-bit integers"),
    ):
        with pytest.raises(cm.InputError, match=words):
            cm.JointMatrix(bad)
    with pytest.raises(cm.InputError, match="label 'z' at row"):
        cm.JointMatrix(frame, labels=["x", "y"])


def test_bad_rows_are_refused():
    for columns, options, words in (
        ((Y, A, B[:3]), {}, "`y_true` has 4 rows, `y_pred_b` has 3"),
        ((Y, A, B), {"sample_weight": [1]}, "`y_true` has 4 rows, `sample_weight` has 1"),
        ((Y, A, B), {"sample_weight": [1, 1, 1, -1]}, "`sample_weight`"),
        ((Y, A, [1, 2, 3, 4]), {}, "`y_pred_b`"),
        ((Y, A, B), {"labels": ["x", "y"]}, "label 'z' at row 3 of `y_pred_a`"),
        ((Y, B, A), {"labels": ["x", "y"]}, "label 'z' at row 3 of `y_pred_b`"),
        (([0.5], [1], [1]), {}, "y_true"),
        ((Y, A, B), {"other": "drop"}, "`other`"),
    ):
        with pytest.raises(cm.InputError, match=words):
            cm.joint_matrix(*columns, **options)
    j = cm.joint_matrix(Y, A, B)
    with pytest.raises(cm.InputError, match="`model`"):
        j.matrix("c")
    with pytest.raises(cm.InputError, match=r"has no number 'mcc'; .*j\.matrix"):
        j.value("mcc")
    with pytest.raises(
        cm.InputError, match="true 'x', of model a 'x', of model b 'x' has 1 in the"
    ):
        j - (j + j)
    assert not hasattr(j, "mcc")


def test_print_says_who_is_better():
    text = str(cm.joint_matrix([*Y, None], [*A, "x"], [*B, "x"]))
    assert text.splitlines()[0] == (
        "Two models on rows of 3 classes, n = 4: accuracy 0.5000 of a, 0.7500 of b; 1 dropped: null"
    )
    assert "only_a" in text
    assert repr(cm.joint_matrix(Y, A, B)) == "<JointMatrix of 3 ['x', 'y', 'z'], n=4>"
    assert "accuracy" in cm.joint_matrix(Y, A, B)._repr_html_()


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("n", [3, 400])
def test_print_has_the_intervals_of_both_and_of_their_difference(weight, n):
    rng = np.random.default_rng(n)
    log = pl.DataFrame({"y": rng.integers(0, 3, n), "w": rng.exponential(size=n)})
    right = pl.Series(rng.random(n) < 0.6), pl.Series(rng.random(n) < 0.8)
    log = log.with_columns(
        a=pl.when(right[0]).then("y").otherwise((pl.col("y") + 1) % 3),
        b=pl.when(right[1]).then("y").otherwise((pl.col("y") + 2) % 3).cast(pl.Int64),
    )
    j = cm.joint_matrix(log["y"], log["a"], log["b"], sample_weight=weight and log[weight])
    words = [line.split(maxsplit=1) for line in str(j).replace("b - a", "b-a").splitlines()]
    table = dict(words[i] for i in (3 + 1, 3 + 2, 3 + 3))
    found = [j.matrix(model).ci("accuracy") for model in ("a", "b")]
    found.append(cm.compare(log, "y", ["a", "b"], sample_weight=weight).difference("accuracy"))
    for model, of in zip(("a", "b", "b-a"), found, strict=True):
        value, low, high = map(figure, of[:3])
        assert table[model].split() == [value, f"[{low},", f"{high}]"]
    assert str(j).count("95% interval") == 1


def test_print_of_no_rows_has_no_intervals():
    assert "interval" not in str(cm.joint_matrix([], [], []))
    unknown = cm.JointMatrix(pl.DataFrame({"y_true": [1], "a": [1], "b": [1], "n": [0]}))
    assert "interval" not in str(unknown)


def test_print_of_weights_of_many_classes():
    y = np.arange(39_000) % 13_000
    j = cm.joint_matrix(y, y[::-1], y, sample_weight=np.linspace(0.5, 1.5, len(y)))
    assert str(j).count("95% interval") == 1
