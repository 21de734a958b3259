"""Matrices, tables and costs that follow from a confusion matrix."""

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk
from sklearn.metrics import cluster

import confmat as cm

RNG = np.random.default_rng(11)
Y, P = RNG.integers(0, 4, (2, 800))
M = cm.confusion_matrix(Y, P)
ABC = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]], labels=["a", "b", "c"])
W = cm.confusion_matrix(Y, P, sample_weight=RNG.random(800))


def test_one_vs_rest():
    m = ABC.one_vs_rest("c")
    assert m.labels == (False, True)
    assert m.counts.tolist() == [[48, 0], [24, 8]]
    assert m.counts.dtype == np.int64
    wanted = sk.multilabel_confusion_matrix(Y, P)
    for label in M.labels:
        assert M.one_vs_rest(label).counts.tolist() == wanted[label].tolist()
        for name in ("precision", "f1", "specificity", "mcc_binary"):
            assert M.one_vs_rest(label)[name] == M.value(name, pos_label=label)
            smooth, by_label = M.smooth(0.5).one_vs_rest(label), M.smooth(0.5)
            assert smooth[name] == pytest.approx(by_label.value(name, pos_label=label), rel=1e-13)
    with pytest.raises(cm.InputError, match=r"`label` 'z' is not in the labels \['a', 'b', 'c'\]"):
        ABC.one_vs_rest("z")


def test_one_vs_rest_keeps_weights_and_rows_left_out():
    for label in W.labels:
        m = W.one_vs_rest(label)
        assert m.n == pytest.approx(W.n)
        assert m.weights_sq.sum() == pytest.approx(W.weights_sq.sum())
        assert m.weights_sq[1, 1] == W.weights_sq[label, label]
    left = cm.confusion_matrix([0, None, 5], [0, 1, 1], labels=[0, 1], other="bucket")
    assert (left.one_vs_rest(1).n_dropped, left.one_vs_rest(1).n_other) == (1, 1)


def test_one_vs_rest_of_tiny_weights_does_not_cancel():
    m = cm.ConfusionMatrix([[1e20, 1e-9], [1e-9, 1.0]]).one_vs_rest(0)
    assert m.counts.tolist() == [[1.0, 1e-9], [1e-9, 1e20]]


def test_one_vs_one():
    m = ABC.one_vs_one("a", "c")
    assert m.labels == ("a", "c")
    assert m.counts.tolist() == [[20, 0], [12, 8]]
    assert ABC.one_vs_one("c", "a").counts.tolist() == [[8, 12], [0, 20]]
    assert m.value("recall", pos_label="c") == 0.4
    assert W.one_vs_one(2, 0).weights_sq.tolist() == W.weights_sq[np.ix_([2, 0], [2, 0])].tolist()
    with pytest.raises(cm.InputError, match="two classes"):
        ABC.one_vs_one("a", "a")
    with pytest.raises(cm.InputError, match="`b` 'z'"):
        ABC.one_vs_one("a", "z")


def test_pair_counts():
    m = M.pair_counts()
    assert m.labels == (False, True)
    assert (2 * m.counts).tolist() == cluster.pair_confusion_matrix(Y, P).tolist()
    assert m.n == 800 * 799 // 2
    assert cm.ConfusionMatrix(M.counts.astype(float)).pair_counts() == m
    with pytest.raises(cm.InputError, match="float weights"):
        W.pair_counts()


def test_balanced():
    m = ABC.balanced()
    sizes = ABC.counts.sum(axis=1)
    wanted = ABC.counts * np.sqrt(sizes[None, :] / sizes[:, None])
    np.testing.assert_allclose(m.counts, wanted, rtol=1e-14)
    assert m.labels == ABC.labels
    cell = cm.ConfusionMatrix([[25, 3], [6, 26]]).balanced()
    assert cell.eve == pytest.approx(0.978, abs=5e-4)


def test_normalize():
    for by in ("true", "pred", "all"):
        wanted = sk.confusion_matrix(Y, P, normalize=by)
        np.testing.assert_allclose(M.normalize(by), wanted, rtol=1e-15)
    both = M.normalize("bistochastic")
    np.testing.assert_allclose(both.sum(axis=0), 1, rtol=1e-9)
    np.testing.assert_allclose(both.sum(axis=1), 1, rtol=1e-9)
    with pytest.raises(cm.InputError, match="'row'; wanted one of 'true', 'pred', 'all'"):
        M.normalize("row")


def test_normalize_of_empty_classes():
    m = cm.ConfusionMatrix([[8, 2], [0, 0]])
    assert np.isnan(m.normalize("true")[1]).all()
    assert m.normalize("true", fill=0.0).tolist() == [[0.8, 0.2], [0, 0]]
    assert np.isnan(cm.ConfusionMatrix([[0]]).normalize("all")).all()
    assert m.smooth(1).normalize("true").tolist() == [[0.75, 0.25], [0.5, 0.5]]


def test_bistochastic_scaling_needs_support():
    for counts in ([[1, 1], [0, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 0]]):
        with pytest.raises(cm.InputError, match="too many zeros"):
            cm.ConfusionMatrix(counts).normalize("bistochastic")


def test_spectra_of_little_data():
    m = cm.confusion_matrix([0, 1], [0, 1], labels=[0, 1, 2])
    assert m.singular_values.tolist() == pytest.approx([1, 1])
    assert m.eve_eigenvalues.tolist() == pytest.approx([1, 1])
    empty = cm.ConfusionMatrix(np.zeros((2, 2), dtype=int))
    assert empty.singular_values.size == empty.eve_eigenvalues.size == 0
    assert np.isnan(empty.eve_bounds).all()


def test_top_confusions():
    frame = ABC.top_confusions()
    assert frame.rows() == [
        ("c", "a", 12, 12 / 32),
        ("c", "b", 12, 12 / 32),
        ("a", "b", 6, 6 / 26),
        ("b", "a", 2, 2 / 22),
    ]
    assert frame.dtypes == [pl.String, pl.String, pl.Int64, pl.Float64]
    assert ABC.top_confusions(2).rows() == frame.rows()[:2]
    assert ABC.top_confusions(0).is_empty()
    assert ABC.top_confusions(None).height == 4
    m = cm.ConfusionMatrix([[1, 1], [9, 91]])
    assert m.top_confusions(1, by="rate").rows() == [(0, 1, 1, 0.5)]
    assert m.top_confusions(1).rows() == [(1, 0, 9, 0.09)]
    assert cm.ConfusionMatrix([[1, 0], [0, 1]]).top_confusions().is_empty()
    for n in (-1, 1.5, True, "a"):
        with pytest.raises(cm.InputError, match="`n`"):
            ABC.top_confusions(n)
    with pytest.raises(cm.InputError, match="`by`"):
        ABC.top_confusions(by="support")


def test_top_confusions_sorts_counts_beyond_doubles():
    m = cm.ConfusionMatrix([[0, 2**60, 2**60 + 1], [0, 0, 0], [0, 0, 0]])
    assert m.top_confusions()["pred"].to_list() == [2, 1]


def test_cost():
    m = cm.ConfusionMatrix([[40, 3], [2, 69]])
    assert m.cost([[0, 3], [5, 0]]) == 19
    assert cm.ConfusionMatrix([[37, 6], [0, 71]]).cost(np.array([[0, 3], [5, 0]])) == 18
    assert type(m.cost([[0, 3], [5, 0]])) is float
    assert m.smooth(9).cost([[0, 3], [5, 0]]) == 19
    for bad, words in (
        ([0, 3], r"shape \(2,\); wanted a 2 x 2 matrix"),
        (np.zeros((3, 3)), r"shape \(3, 3\)"),
        ([[0, np.nan], [1, 0]], r"nan at \[0, 1\]"),
        ([["a", 1], [1, 0]], "not an array of numbers"),
    ):
        with pytest.raises(cm.InputError, match=words):
            m.cost(bad)


def test_long_frame():
    frame = ABC.to_polars()
    assert frame.columns == ["true", "pred", "count"]
    assert frame.height == 9
    assert frame.row(6) == ("c", "a", 12)
    assert cm.ConfusionMatrix(frame) == ABC
    assert frame.dtypes == [pl.String, pl.String, pl.Int64]
    assert W.to_polars()["count"].dtype == pl.Float64
    bools = cm.ConfusionMatrix([[1, 2], [3, 4]], [True, False])
    assert bools.to_polars()["true"].to_list() == [True, True, False, False]


def test_smooth():
    assert ABC.smooth(2).smoothing == 2
    assert ABC.smooth(2).smooth(1).smoothing == 1
    for alpha in (-1, float("inf"), float("nan"), "a", None):
        with pytest.raises(cm.InputError, match="`smoothing`"):
            ABC.smooth(alpha)


def test_one_vs_one_counts_the_rows_of_other_classes():
    m = cm.confusion_matrix(
        ["a", "b", "c", "a", None, "z"], ["a", "c", "c", "b", "a", "a"], labels=list("abc"),
        other="bucket",
    )  # fmt: skip
    pair = m.one_vs_one("a", "c")
    assert (pair.n, pair.n_dropped, pair.n_other) == (2, 1, 3)
    assert pair.n + pair.n_dropped + pair.n_other == m.n + m.n_dropped + m.n_other == 6
    for weights in ([1, 2, 3, 4], [0.5, 1.5, 2.5, 3.5]):
        weighted = cm.confusion_matrix(list("abca"), list("accb"), sample_weight=weights)
        assert weighted.one_vs_one("a", "c").n_other == 0
