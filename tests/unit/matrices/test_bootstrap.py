"""Replicates of the metrics of a matrix: their law, seeds, and what is refused."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import confmat as cm
from confmat import _core
from confmat.errors import InputError
from confmat.matrices.bootstrapping import accelerations, bootstrap, bootstrap_interval
from confmat.matrices.sparse import SparseCells
from confmat.options import Options

CELLS = [[40, 3, 7], [2, 61, 0], [9, 1, 27]]
NAMES = ("accuracy", "mcc", "f1_macro", "kappa", "gmcc", "eve", "cramer_v", "recall_min")


@pytest.fixture
def m():
    return cm.ConfusionMatrix(CELLS)


def cells_of(m, n=200, seed=0):
    """Return the cells of replicates, read off metrics that are them."""
    k = len(m.labels)
    names = ["tp", "fp", "fn", "tn"]
    found = [bootstrap(m, names, n, seed, pos_label=label)[1] for label in m.labels]
    assert len(found) == k
    return np.stack(found, axis=1)  # (replicates, K, 4)


def test_replicates_are_tables_of_as_many_rows(m):
    found = cells_of(m)
    assert (found.sum(-1) == 150).all()
    assert (found >= 0).all()
    assert len(np.unique(found[:, 0, 0])) > 10


@given(
    st.lists(st.integers(0, 60), min_size=9, max_size=9).filter(any),
    st.integers(0, 2**64 - 1),
)
@settings(max_examples=60, deadline=None)
def test_empty_cells_stay_empty(cells, seed):
    table = np.array(cells).reshape(3, 3)
    m = cm.ConfusionMatrix(table)
    tp = np.stack([bootstrap(m, "tp", 20, seed, label)[1][:, 0] for label in range(3)], axis=1)
    support = [bootstrap(m, "support", 20, seed, label)[1][:, 0] for label in range(3)]
    assert (tp[:, np.diagonal(table) == 0] == 0).all()
    assert (np.sum(support, axis=0) == table.sum()).all()
    off = table.sum(1) - np.diagonal(table)
    assert (np.stack(support, axis=1)[:, off == 0] == tp[:, off == 0]).all()


def test_counts_of_replicates_are_binomial(m):
    """Chi-squared against the exact distribution of one cell, 40 of 150 rows."""
    drawn = bootstrap(m, "tp", 60_000, 1, pos_label=0)[1][:, 0]
    counts = np.bincount(drawn.astype(int), minlength=151)
    expected = stats.binom.pmf(np.arange(151), 150, 40 / 150) * 60_000
    often = expected > 20
    observed = np.append(counts[often], counts[~often].sum())
    wanted = np.append(expected[often], expected[~often].sum())
    assert stats.chisquare(observed, wanted).pvalue > 1e-4


@pytest.mark.parametrize("factor", [1, 10, 10**7, 10**15])
def test_spread_is_that_of_the_delta_method(factor):
    m = cm.ConfusionMatrix(np.array(CELLS) * factor)
    values, drawn = bootstrap(m, ("accuracy", "mcc", "kappa", "f1_macro"), 20_000, 3)
    for at, name in enumerate(("accuracy", "mcc", "kappa", "f1_macro")):
        value, slopes = m.gradient(name)
        assert values[at] == value
        n = m.counts.sum()
        gap = slopes - (m.counts * slopes).sum() / n
        se = math.sqrt((m.counts * gap * gap).sum())
        assert drawn[:, at].std() == pytest.approx(se, rel=0.06 if factor == 1 else 0.025)


def test_weighted_rates_vary_by_their_delta_variance():
    rng = np.random.default_rng(2)
    n = 3000
    y, p = rng.integers(0, 2, n), rng.integers(0, 2, n)
    p = np.where(rng.random(n) < 0.7, y, p)
    w = rng.gamma(2.0, size=n)
    m = cm.confusion_matrix(y, p, sample_weight=w)
    hit = y == p
    rate = (w * hit).sum() / w.sum()
    # The variance of a ratio by the rows themselves: their weights are alike in all cells.
    delta = (w**2 * (hit - rate) ** 2).sum() / w.sum() ** 2
    values, drawn = bootstrap(m, ["accuracy", "mcc"], 20_000, 5)
    assert values[0] == pytest.approx(rate)
    assert drawn[:, 0].var() == pytest.approx(delta, rel=0.05)
    # Rows drawn again, which know their weights.
    again = [(w * hit)[at].sum() / w[at].sum() for at in rng.integers(0, n, (3000, n))]
    assert drawn[:, 0].std() == pytest.approx(np.std(again), rel=0.06)
    rates = accelerations(m, ["accuracy", "mcc"])
    assert (np.abs(rates) < 0.05).all()


def test_equal_weights_are_counts(m):
    rows = [(i, j) for i in range(3) for j in range(3) for _ in range(CELLS[i][j])]
    y, p = zip(*rows, strict=True)
    weighted = cm.confusion_matrix(y, p, sample_weight=[2.5] * len(rows))
    one = bootstrap(m, NAMES, 20_000, 0)
    other = bootstrap(weighted, NAMES, 20_000, 0)
    np.testing.assert_allclose(one[0], other[0])
    np.testing.assert_allclose(one[1].mean(0), other[1].mean(0), atol=4e-3)
    np.testing.assert_allclose(one[1].std(0), other[1].std(0), rtol=0.03)
    np.testing.assert_allclose(accelerations(m, NAMES), accelerations(weighted, NAMES), atol=1e-6)


def test_accelerations_of_weights_are_those_of_the_rows():
    """Where the rows of a cell weigh the same, its sums tell all of them."""
    y = np.repeat([0, 0, 1, 1], [40, 10, 5, 25])
    p = np.repeat([0, 1, 0, 1], [40, 10, 5, 25])
    w = np.repeat([1.0, 3.0, 0.5, 2.0], [40, 10, 5, 25])
    m = cm.confusion_matrix(y, p, sample_weight=w)
    change = w * ((y == p) - m.accuracy)
    assert change.sum() == pytest.approx(0, abs=1e-12)
    expected = (change**3).sum() / 6 / (change**2).sum() ** 1.5
    assert accelerations(m, "accuracy")[0] == pytest.approx(expected, rel=1e-9)


def test_seeds_decide(m):
    one = bootstrap(m, NAMES, 300, 7)[1]
    assert one.tobytes() == bootstrap(m, NAMES, 300, np.int64(7))[1].tobytes()
    assert one[:100].tobytes() == bootstrap(m, NAMES, 100, 7)[1].tobytes()
    assert one.tobytes() != bootstrap(m, NAMES, 300, 8)[1].tobytes()
    assert bootstrap(m, "mcc", 300)[1].tobytes() != bootstrap(m, "mcc", 300)[1].tobytes()


@pytest.mark.parametrize("k", [3, 70])
def test_threads_change_nothing(k):
    table = np.random.default_rng(k).integers(0, 9, (k, k)) + np.eye(k, dtype=int) * 30
    parsed = _core.Asks(NAMES)
    shown = [str(at) for at in range(k)]
    found = [
        _core.replicates(
            parsed, table, shown, squares=None, replicates=3000 // k, seed=3, threads=threads
        ).tobytes()
        for threads in (1, 2, 5)
    ]
    assert len(set(found)) == 1


def test_numbers_of_a_seed_are_kept(m):
    """They are the same on every machine, and from version to version."""
    drawn = bootstrap(m, "tp", 6, 0, pos_label=0)[1][:, 0]
    assert drawn.tolist() == [48, 44, 31, 44, 40, 39]
    large = cm.ConfusionMatrix(np.array(CELLS) * 10**6)
    drawn = bootstrap(large, "tp", 3, 0, pos_label=0)[1][:, 0]
    assert drawn.tolist() == [39997229, 40005986, 39997421]


@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_matrices_are_drawn_as_tables(weighted):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 1100, 6000)
    p = np.where(rng.random(6000) < 0.8, y, rng.integers(0, 1100, 6000))
    weights = rng.gamma(2.0, size=6000) if weighted else None
    sparse = cm.confusion_matrix(y, p, sample_weight=weights)
    assert isinstance(sparse._cells, SparseCells)
    squares = sparse.weights_sq
    whole = cm.ConfusionMatrix._of(
        sparse.counts.copy(), sparse.labels, squares if squares is None else squares.copy()
    )
    names = ("accuracy", "mcc", "kappa", "f1_micro")
    one, other = bootstrap(sparse, names, 20, 1), bootstrap(whole, names, 20, 1)
    np.testing.assert_allclose(one[1], other[1], rtol=1e-12)
    np.testing.assert_allclose(accelerations(sparse, names), accelerations(whole, names), atol=2e-3)
    found = bootstrap_interval(sparse, "accuracy", replicates=500, seed=0)
    assert found.low < found.value < found.high


def test_parameters_are_those_of_value(m):
    values, drawn = bootstrap(m, "fbeta", 5, 0, beta=2, average="macro", classes=[0, 2])
    assert values[0] == m.value("fbeta", average="macro", classes=[0, 2], beta=2)
    assert drawn.shape == (5, 1)
    two = cm.ConfusionMatrix([[9, 1], [2, 8]], labels=["a", "b"])
    assert bootstrap(two, "recall", 5, 0, pos_label="b")[0][0] == 0.8
    with pytest.raises(InputError, match="pos_label"):
        bootstrap(two, "recall", 5, 0)
    with pytest.raises(InputError, match="no_metric"):
        bootstrap(m, "no_metric", 5, 0)
    filled = bootstrap(cm.ConfusionMatrix([[5, 0], [0, 0]]), "precision", 4, 0, undefined=0.5)
    assert (filled[1] == 0.5).all()


def test_smoothing_is_that_of_the_matrix():
    plain = cm.ConfusionMatrix([[5, 0], [0, 5]])
    smooth = cm.confusion_matrix([0] * 5 + [1] * 5, [0] * 5 + [1] * 5, smoothing=1.0)
    assert (bootstrap(plain, "accuracy", 50, 0)[1] == 1).all()
    drawn = bootstrap(smooth, "accuracy", 50, 0)[1]
    np.testing.assert_allclose(drawn, 12 / 14)


def test_undefined_replicates_are_nan_and_left_out():
    rare = cm.ConfusionMatrix([[50, 0], [1, 1]])
    values, drawn = bootstrap(rare, "recall", 2000, 0)
    missing = np.isnan(drawn[:, 0]).mean()
    assert values[0] == 0.5
    assert missing == pytest.approx((50 / 52) ** 52, abs=0.03)
    found = bootstrap_interval(rare, "accuracy", replicates=2000, seed=0)
    assert found.method == "bootstrap"
    empty = cm.ConfusionMatrix([[0, 0], [0, 0]])
    values, drawn = bootstrap(empty, "accuracy", 3, 0)
    assert np.isnan(values).all()
    assert np.isnan(drawn).all()
    assert math.isnan(bootstrap_interval(empty, "accuracy", replicates=500, seed=0).low)


@pytest.mark.parametrize(
    ("replicates", "words"),
    [
        (0, "at least 1"),
        (-1, "at least 1"),
        (2.5, "at least 1"),
        (True, "at least 1"),
        ("many", "at least 1"),
        (None, "at least 1"),
        (10**9, r"limit of 1 GiB; wanted at most 134,217,728"),
        (10**30, "limit of 1 GiB"),
    ],
)
def test_hostile_replicates(m, replicates, words):
    with pytest.raises(InputError, match=words) as error:
        bootstrap(m, "mcc", replicates, 0)
    assert "`replicates`" in str(error.value)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, [1], np.random.default_rng(0)])
def test_hostile_seeds(m, seed):
    with pytest.raises(InputError, match="`seed` is"):
        bootstrap(m, "mcc", 5, seed)


def test_ends_of_seeds(m):
    for seed in (0, 2**64 - 1, np.uint64(2**64 - 1)):
        assert bootstrap(m, "mcc", 5, seed)[1].shape == (5, 1)


def test_weights_without_squares_are_refused():
    with pytest.raises(InputError, match="squares of the weights are not known"):
        bootstrap(cm.ConfusionMatrix([[1.5, 2.0], [0.25, 3.0]]), "mcc", 5, 0)


def test_core_refuses_what_does_not_fit():
    parsed = _core.Asks(["mcc"])
    table = np.array([[5, 1], [2, 6]])
    how = {"squares": None, "replicates": 2, "seed": 0}
    for cells, labels, other in (
        (table[None], ["0", "1"], {}),
        (table, ["0"], {}),
        (table, ["0", "1"], {"replicates": -1}),
        (table, ["0", "1"], {"replicates": 2**41}),
        (table, ["0", "1"], {"squares": np.ones(3)}),
        (table, ["0", "1"], {"squares": np.zeros((2, 2))}),
        (table, ["0", "1"], {"squares": np.full((2, 2), np.nan)}),
        (table, ["0", "1"], {"squares": np.full((2, 2), np.inf)}),
        (table, ["0", "1"], {"options": Options(pos=2)}),
        (table, ["0", "1"], {"options": Options(classes=[5])}),
        (-table, ["0", "1"], {}),
        (np.full((2, 2), 2**61 + 1), ["0", "1"], {}),
    ):
        with pytest.raises(InputError):
            _core.replicates(parsed, cells, labels, **(how | other))


def test_large_weights_stay_finite():
    y = [0, 0, 1, 1, 1]
    p = [0, 1, 1, 1, 0]
    for scale in (1e-150, 1.0, 1e150):
        m = cm.confusion_matrix(y, p, sample_weight=np.array([1.0, 2.0, 1.5, 1.0, 3.0]) * scale)
        drawn = bootstrap(m, "accuracy", 200, 0)[1]
        assert np.nanstd(drawn) == pytest.approx(0.2, abs=0.1)


def test_coverage_of_a_seeded_simulation():
    """1,000 samples of 100 rows: BCa and percentile intervals of the MCC hold the true one."""
    truth = np.array([[0.40, 0.10], [0.08, 0.42]])
    mcc = cm.ConfusionMatrix(truth * 100).mcc
    rng = np.random.default_rng(11)
    held = 0
    for seed, cells in enumerate(rng.multinomial(100, truth.ravel(), 1000)):
        m = cm.ConfusionMatrix(cells.reshape(2, 2))
        found = bootstrap_interval(m, "mcc", 0.9, replicates=400, seed=seed)
        held += found.low <= mcc <= found.high
    assert 0.87 <= held / 1000 <= 0.93


def test_one_sided_intervals_end_at_the_range(m):
    low = bootstrap_interval(m, "mcc", side="lower", replicates=500, seed=0)
    high = bootstrap_interval(m, "mcc", side="upper", replicates=500, seed=0)
    both = bootstrap_interval(m, "mcc", 0.9, replicates=500, seed=0)
    assert (low.low, low.high) == (both.low, 1.0)
    assert (high.low, high.high) == (-1.0, both.high)
    assert both.se == pytest.approx(bootstrap(m, "mcc", 500, 0)[1].std(ddof=1))


def test_long_frames_are_drawn_too():
    frame = pl.DataFrame({"true": ["a", "b"], "pred": ["a", "a"], "count": [30, 20]})
    m = cm.ConfusionMatrix(frame)
    assert bootstrap(m, "accuracy", 2000, 0)[1].std() == pytest.approx(0.0693, abs=0.004)
