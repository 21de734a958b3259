"""Exact sweeps of the core, next to `numpy.unique`."""

import math
import threading

import numpy as np
import polars as pl
import pytest
from support.core_sweeps import parts_of

from confmat import _core
from confmat.errors import InputError

RNG = np.random.default_rng(41)
SCORE_DTYPES = ["f4", "f8", ">f4", ">f8", "i1", "u2", "i4", "i8", "u8"]


def sweep(y, s, w=None, *, pos=None, nan_drop=False, threads=1):
    """Call the core with keywords."""
    return parts_of(_core.sweep(y, s, w, pos, False, nan_drop, threads))


def by_unique(y, s, w=None):
    """Return distinct scores, descending, and the sums of `w` at each for both classes."""
    scores, at = np.unique(s + s.dtype.type(0), return_inverse=True)
    w = np.ones(len(s), dtype=np.int64) if w is None else w
    sums = np.zeros((2, len(scores)), dtype=w.dtype)
    if w.dtype.kind == "f":  # exact, rounded once
        parts = [[[] for _ in scores] for _ in range(2)]
        for side, place, weight in zip(y.tolist(), at.tolist(), w.tolist(), strict=True):
            parts[side][place].append(weight)
        sums[:] = [[math.fsum(part) for part in side] for side in parts]
    else:
        np.add.at(sums, (y.astype(int), at), w)
    return scores[::-1], sums[1, ::-1], sums[0, ::-1]


def drawn_scores(n, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return np.round(RNG.normal(size=n), 3).astype(dtype)
    return RNG.integers(0 if dtype.kind == "u" else -50, 50, n).astype(dtype)


@pytest.mark.parametrize("n", [0, 1, 9, 1_000, 150_000, 300_000])
@pytest.mark.parametrize("dtype", SCORE_DTYPES)
def test_like_unique(dtype, n):
    y, s = RNG.random(n) < 0.3, drawn_scores(n, dtype)
    wanted = by_unique(y, s)
    for threads in (1, 2):
        scores, positives, negatives, labels, *rows = sweep(y, s, threads=threads)
        assert scores.dtype == ("f4" if n and dtype.endswith("f4") else "f8")
        assert positives.dtype == negatives.dtype == "u4"
        for got, want in zip((scores, positives, negatives), wanted, strict=True):
            np.testing.assert_array_equal(got, want)
        assert labels == (False, True)
        assert rows == [n, 0, 0]


@pytest.mark.parametrize("n", [50, 300_000])
@pytest.mark.parametrize(
    "draw",
    [
        RNG.random,
        lambda n: RNG.random(n, dtype="f4"),
        lambda n: RNG.normal(size=n) * 10.0 ** RNG.integers(-300, 300, n),
        lambda n: 0.9999999 + RNG.random(n) * 1e-12,
        lambda n: np.where(RNG.random(n) < 0.5, 1e-9, 0.999) + RNG.random(n) * 1e-12,
        lambda n: np.full(n, -0.0),
        lambda n: np.where(RNG.random(n) < 0.5, np.inf, -np.inf).astype("f4"),
    ],
)
def test_distributions_like_unique(draw, n):
    y, s = RNG.random(n) < 0.3, draw(n)
    found = sweep(y, s, threads=2)
    for got, want in zip(found[:3], by_unique(y, s), strict=True):
        np.testing.assert_array_equal(got, want)
    assert not np.signbit(found[0][found[0] == 0]).any()


@pytest.mark.parametrize("weights", ["f8", "f4", "i8", "u1"])
def test_weights_like_unique(weights):
    n = 200_000
    y, s = RNG.random(n) < 0.3, drawn_scores(n, "f8")
    w = (RNG.random(n) * 100 + 1).astype(weights)
    wanted = by_unique(y, s, w.astype("f8"))
    first = sweep(y, s, w)
    for got, want in zip(first[:3], wanted, strict=True):
        np.testing.assert_array_equal(got, want)
    for threads in (2, 4):
        for one, other in zip(first[:3], sweep(y, s, w, threads=threads)[:3], strict=True):
            assert one.tobytes() == other.tobytes()


def test_weight_zero_is_no_row():
    y, s, w = np.array([1, 0, 1]), np.array([3.0, 2.0, 1.0]), np.array([1, 0, 2])
    scores, positives, negatives, _, n_rows, n_dropped, _ = sweep(y, s, w)
    assert scores.tolist() == [3, 1]
    assert positives.tolist() == [1.0, 2.0]
    assert negatives.tolist() == [0.0, 0.0]
    assert (n_rows, n_dropped) == (3, 0)


@pytest.mark.parametrize("label_dtype", ["?", "i1", "u8", "bits", "str", "cat", "enum"])
@pytest.mark.parametrize("score_dtype", [pl.Float32, pl.Float64, pl.Int16])
def test_series_with_nulls_in_chunks(label_dtype, score_dtype):
    n = 5_000
    positive = pl.Series(RNG.random(n) < 0.3)
    null = [pl.Series(RNG.random(n) < 0.1) for _ in range(2)]
    names = pl.select(pl.when(positive).then(pl.lit("yes")).otherwise(pl.lit("no"))).to_series()
    y = {
        "str": lambda: names,
        "cat": lambda: names.cast(pl.Categorical),
        "enum": lambda: names.cast(pl.Enum(["no", "yes", "perhaps"])),
        "bits": lambda: positive,
    }.get(label_dtype, lambda: pl.Series(positive.to_numpy().astype(label_dtype)))()
    s = pl.Series(RNG.integers(-50, 50, n)).cast(score_dtype)
    y = pl.select(pl.when(~null[0]).then(y)).to_series()
    s = pl.select(pl.when(~null[1]).then(s)).to_series()
    y = pl.concat([y[:17], y[17:17], y[17:]], rechunk=False)
    s = pl.concat([s[:1000], s[1000:]], rechunk=False)
    assert (y.n_chunks(), s.n_chunks()) == (3, 2) or y.n_chunks() == 2
    known = (~null[0] & ~null[1]).to_numpy()
    text = label_dtype in ("str", "cat", "enum")
    found = sweep(y, s, pos="yes" if text else None)
    wanted = by_unique(positive.to_numpy()[known], s.to_numpy()[known])
    for got, want in zip(found[:3], wanted, strict=True):
        np.testing.assert_array_equal(got, want)
    assert found[3] == (("no", "yes") if text else (0, 1))
    assert found[4:] == (n, n - known.sum(), 0)


def test_strided_reversed_and_read_only_arrays():
    y, s = RNG.integers(0, 2, 6_000), RNG.random(6_000)
    y.flags.writeable = s.flags.writeable = False
    for part in (slice(None, None, -1), slice(3, None, 7)):
        for got, want in zip(sweep(y[part], s[part])[:3], by_unique(y[part], s[part]), strict=True):
            np.testing.assert_array_equal(got, want)


def test_nan_is_an_error_or_dropped():
    y = np.array([True, False, True, True])
    s = np.array([1.0, np.nan, 0.5, np.nan], dtype="f4")
    with pytest.raises(InputError, match="score nan at row 1 of `y_score`"):
        sweep(y, s)
    scores, _, _, _, n_rows, n_dropped, n_nan = sweep(y, s, nan_drop=True)
    assert scores.tolist() == [1.0, 0.5]
    assert (n_rows, n_dropped, n_nan) == (4, 0, 2)


@pytest.mark.parametrize(
    ("y", "pos", "labels"),
    [
        ([0, 1], 1, [0, 1]),
        ([0, 1], 0, [1, 0]),
        ([1, 1], 1, [0, 1]),
        ([5, -2], -2, [5, -2]),
        ([5, 5], 5, [None, 5]),
        ([True, False], False, [True, False]),
        ([True, True], 1, [False, True]),
        ([0, 0], 1, [0, 1]),
        ([1, 1], 0, [1, 0]),
        ([False, False], True, [False, True]),
        (["a", "b"], "a", ["b", "a"]),
        (["a", "a"], "a", [None, "a"]),
    ],
)
def test_labels(y, pos, labels):
    found = sweep(pl.Series(y), np.array([0.2, 0.1]), pos=pos)
    assert found[3] == tuple(labels)
    assert found[1].tolist() == [int(label == pos) for label in y]
    assert [type(label) for label in found[3] if label is not None] == [
        type(y[0]) for label in labels if label is not None
    ]


HOSTILE = [
    ([0, 2], [1.0, 2.0], None, r"label 2 at row 1 of `y_true` is neither 0 nor 1 \(classes found:"),
    ([0, 1, 2], [1.0, 2.0, 3.0], 2, r"beside pos_label 2 \(classes found: 0, 1, 2\)"),
    (["a", "b"], [1.0, 2.0], None, r"`y_true` holds strings \(classes found: a, b\); pos_label"),
    (["a", "b"], [1.0, 2.0], 1, "pos_label is 1, but `y_true` holds strings"),
    (["a", "a"], [1.0, 2.0], "b", r"pos_label b does not occur in `y_true` \(classes found: a\)"),
    ([5, 5], [1.0, 2.0], 1, r"pos_label 1 does not occur in `y_true` \(classes found: 5\)"),
    ([True, False], [1.0, 2.0], 7, "pos_label 7 does not occur"),
    ([0.0, 0.5], [1.0, 2.0], None, "label 0.5 at row 1 of `y_true` is not a whole number"),
    ([0, 1], ["x", "y"], None, "`y_score` has dtype String: wanted numbers"),
    ([0, 1], [1.0], None, "`y_true` has 2 rows, `y_score` has 1"),
    ([0, 1], [2**53 + 1, 0], None, "score 9007199254740993 at row 0 of `y_score`"),
]


@pytest.mark.parametrize(("y", "s", "pos", "message"), HOSTILE)
def test_hostile_columns(y, s, pos, message):
    for call in (
        lambda: sweep(pl.Series(y), pl.Series(s), pos=pos),
        lambda: _core.sweep_binned(pl.Series(y), pl.Series(s), None, pos, 64, False, False, 1),
        lambda: _core.sweep_binned(
            pl.Series(y), pl.Series(s), None, pos, np.zeros(1), False, False, 1
        ),
    ):
        with pytest.raises(InputError, match=message):
            call()


@pytest.mark.parametrize(
    ("w", "message"),
    [
        ([1.0, -1.0], "weight -1 at row 1 of `sample_weight` is negative"),
        ([np.inf, 1.0], "weight inf at row 0 of `sample_weight` is not finite"),
        ([1.0], "`y_true` has 2 rows, `sample_weight` has 1"),
        (["1", "2"], "`sample_weight` has dtype String"),
    ],
)
def test_hostile_weights(w, message):
    with pytest.raises(InputError, match=message):
        sweep(np.array([0, 1]), np.array([0.5, 0.6]), pl.Series(w))


def test_columns_that_change_meanwhile_do_no_harm():
    n = 1_000_000
    y, s = RNG.random(n) < 0.5, RNG.random(n, dtype="f4")
    done = threading.Event()

    def disturb():
        rng = np.random.default_rng(1)
        while not done.is_set():
            at = rng.integers(0, n, 1000)
            s[at] = rng.normal(size=1000) * 1e30
            y[at] = ~y[at]

    other = threading.Thread(target=disturb)
    other.start()
    try:
        for _ in range(10):
            try:
                scores, positives, negatives, *_ = sweep(y, s, threads=2)
            except InputError as error:
                assert "changed while it was read" in str(error)  # noqa: PT017
            else:
                assert len(scores) == len(positives) == len(negatives)
    finally:
        done.set()
        other.join()


@pytest.mark.parametrize("n", [10, 200_000])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_rows_without_any_score_are_counted_and_checked(n, dtype):
    y = np.arange(n) % 2 == 0
    nothing = np.full(n, np.nan, dtype)
    with pytest.raises(InputError, match="nan at row 0 of `y_score`"):
        sweep(y, nothing)
    assert sweep(y, nothing, nan_drop=True)[4:] == (n, 0, n)
    nulls = pl.Series(y, dtype=pl.Boolean), pl.Series([None] * n, dtype=pl.Float64)
    assert sweep(*nulls)[4:] == (n, n, 0)


@pytest.mark.parametrize("weight", [1e-200, 1e-160, 1e155, 1e308])
@pytest.mark.parametrize("n", [10, 200_000])
def test_weights_whose_products_are_no_doubles_are_refused(weight, n):
    y = np.arange(n) % 2 == 0
    s, w = np.linspace(0, 1, n), np.full(n, weight)
    for run in (sweep, lambda *rows: _core.sweep_binned(*rows, None, 256, False, False, 1)):
        with pytest.raises(InputError, match=r"weights of a class in `sample_weight` sum to"):
            run(y, s, w)
    state = np.array([0.9, 0.1]), np.array([weight, 0.0]), np.array([0.0, weight])
    with pytest.raises(InputError, match="wanted 0, or a sum from 1e-150 to 1e150"):
        _core.score_values(["roc_auc"], *state)


def test_a_class_without_weight_is_a_class():
    w = np.array([1.0, 0.0])
    found = sweep(pl.Series([0, 1]), np.array([0.2, 0.1]), w, pos=1)
    assert (found[1].tolist(), found[2].tolist(), found[3]) == ([0.0], [1.0], (0, 1))
    found = sweep(pl.Series(["a", "b"]), np.array([0.2, 0.1]), w, pos="b")
    assert (found[1].tolist(), found[2].tolist(), found[3]) == ([0.0], [1.0], ("a", "b"))
    with pytest.raises(InputError, match="third class beside pos_label a"):
        sweep(pl.Series(["a", "b", "c"]), np.array([0.2, 0.1, 0.1]), np.array([1, 1, 0]), pos="a")
