"""Metrics of a matrix by name: attributes, values and frames."""

import math

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk

import confmat as cm

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 4, 3_000)
P = np.where(RNG.random(3_000) < 0.6, Y, RNG.integers(0, 4, 3_000))
M = cm.confusion_matrix(Y, P)
BINARY = cm.ConfusionMatrix([[90, 10], [20, 80]])
PETS = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["cat", "dog"])


def test_values_equal_scikit_learn():
    assert M.accuracy == pytest.approx(sk.accuracy_score(Y, P), rel=1e-14)
    assert M.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(Y, P), rel=1e-14)
    assert M.mcc == pytest.approx(sk.matthews_corrcoef(Y, P), rel=1e-13)
    assert M.kappa == pytest.approx(sk.cohen_kappa_score(Y, P), rel=1e-13)
    for average in ("macro", "micro", "weighted"):
        wanted = sk.f1_score(Y, P, average=average)
        assert M.value("f1", average=average) == pytest.approx(wanted, rel=1e-14)
        wanted = sk.fbeta_score(Y, P, beta=2, average=average)
        assert M.value("fbeta", average=average, beta=2) == pytest.approx(wanted, rel=1e-14)


def test_one_number_by_every_door():
    value = M.f1_macro
    assert type(value) is float
    assert value == M["f1_macro"] == M.value("f1_macro") == M.value("f1", average="macro")
    assert value == M.values(["mcc", "f1_macro"])["f1_macro"]
    assert value == M.overall(["f1_macro"])["value"].item()
    assert M["fbeta_macro(2)"] == M.value("fbeta", "macro", beta=2)
    assert M.value("fbeta_macro", beta=2) == M.value("fbeta(2)", average="macro")


def test_verified_numbers():
    m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]])
    assert m.gmcc == pytest.approx(0.22566928801238018, rel=1e-14)
    assert m.cramer_v == pytest.approx(0.48657806242104484, rel=1e-14)
    np.testing.assert_allclose(m.singular_values, [1, 0.55530805, 0.40638577], atol=1e-8)
    iris = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    assert iris.eve == pytest.approx(0.96808, abs=5e-6)
    np.testing.assert_allclose(iris.eve_eigenvalues, [1.014094, 1, 0.545906], atol=5e-7)
    np.testing.assert_allclose(iris.eve_bounds, (0.716453, 1.283547), atol=5e-7)
    assert m.gmcc_root == pytest.approx(math.sqrt(m.gmcc))
    assert m.log_abs_gmcc == pytest.approx(math.log(m.gmcc))


def test_the_positive_class():
    assert BINARY.precision == 80 / 90
    assert BINARY.value("precision", pos_label=0) == 90 / 110
    assert BINARY.value("recall", average="binary") == 0.8
    assert cm.ConfusionMatrix([[90, 10], [20, 80]], [False, True]).precision == 80 / 90
    assert cm.ConfusionMatrix([[80, 20], [10, 90]], [1, 0]).precision == 80 / 90
    assert (
        cm.ConfusionMatrix([[90, 10], [20, 80]], [False, True]).value("recall", pos_label=1) == 0.8
    )
    assert PETS.value("recall", pos_label="cat") == 0.8
    assert M.value("recall", pos_label=3) == M.one_vs_rest(3).recall


def test_without_a_positive_class():
    with pytest.raises(cm.InputError) as caught:
        PETS.value("precision")
    assert "['cat', 'dog']" in str(caught.value)
    assert "pos_label" in str(caught.value)
    with pytest.raises(cm.InputError, match="precision_macro"):
        M.value("precision")
    with pytest.raises(cm.InputError, match=r"`pos_label` 'emu' is not in .*'cat', 'dog'"):
        PETS.value("precision", pos_label="emu")
    with pytest.raises(cm.InputError, match="pos_label"):
        PETS.value("mcc", pos_label=1)
    with pytest.raises(cm.InputError, match="pos_label"):
        cm.ConfusionMatrix([[3]], labels=["a"]).value("precision")
    with pytest.raises(cm.InputError, match="pos_label"):
        PETS.values(["mcc", "precision"])


def test_unknown_names():
    with pytest.raises(cm.InputError, match="accuracy"):
        M.value("acuracy")
    with pytest.raises(cm.InputError, match="f1"):
        M["f1_makro"]
    with pytest.raises(AttributeError, match="accuracy"):
        M.acuracy  # noqa: B018
    assert not hasattr(M, "shape")
    assert not hasattr(M, "__array_interface__")
    with pytest.raises(cm.InputError):
        M.value("f1", average="media")
    with pytest.raises(cm.InputError, match="name"):
        M.value(5)
    with pytest.raises(TypeError, match="counts"):
        M[0, 1]
    with pytest.raises(cm.InputError, match="`metrics` has int 5 at position 0"):
        M.values([5])


def test_attributes_about_one_class():
    assert hasattr(BINARY, "precision")
    assert not hasattr(M, "precision")
    assert not hasattr(PETS, "precision")
    assert {"mcc", "f1_macro", "precision", "counts"} <= set(dir(BINARY))
    assert "f1_macro" in dir(M)
    assert "precision" not in dir(M)


def test_counts_are_exact_integers():
    m = cm.ConfusionMatrix([[2**60 + 1, 3], [5, 2**54 + 1]])
    found = [m.value(name) for name in ("tp", "fp", "fn", "tn", "support")]
    assert found == [2**54 + 1, 3, 5, 2**60 + 1, 2**54 + 6]
    assert {type(value) for value in found} == {int}
    assert m.tp == 2**54 + 1
    assert m.value("tp", pos_label=0) == 2**60 + 1
    frame = m.per_class(["tp", "tn", "recall"])
    assert frame["tp"].to_list() == [2**60 + 1, 2**54 + 1]
    assert frame.dtypes == [pl.Int64, pl.Int64, pl.Int64, pl.Float64]
    assert type(m.smooth(1).tp) is float
    assert BINARY.smooth(1).tp == 81


def test_overall_frame():
    frame = M.overall()
    assert frame.columns == ["metric", "value", "reason"]
    assert frame.dtypes == [pl.String, pl.Float64, pl.String]
    assert {"accuracy", "mcc", "f1_macro", "recall_weighted"} <= set(frame["metric"])
    assert not {"precision", "tp"} & set(frame["metric"])
    assert frame["metric"].is_unique().all()
    for name, value, reason in frame.rows():
        if value is None:
            assert reason
            assert math.isnan(M[name])
        else:
            assert M[name] == value
    undefined = cm.ConfusionMatrix([[5, 0], [3, 0]]).overall(["mcc", "accuracy", "precision"])
    assert undefined["value"].to_list() == [None, 5 / 8, None]
    assert [reason is None for reason in undefined["reason"]] == [False, True, False]


def test_per_class_frame():
    frame = M.per_class()
    assert frame.columns[0] == "label"
    assert frame["label"].to_list() == [0, 1, 2, 3]
    for average, name in ((None, "recall"), (None, "f1"), (None, "precision")):
        score = getattr(sk, f"{name}_score")(Y, P, average=average)
        np.testing.assert_allclose(frame[name], score, rtol=1e-14)
    for label in M.labels:
        row = frame.row(label, named=True)
        for name in ("npv", "markedness", "tn", "support", "mcc_binary"):
            assert row[name] == M.value(name, pos_label=label)
    undefined = cm.ConfusionMatrix([[5, 0], [3, 0]]).per_class(["precision"])
    assert undefined["precision"].to_list() == [5 / 8, None]
    assert PETS.per_class("recall").rows() == [("cat", 0.8), ("dog", 0.9)]


def test_weights_act_like_repeated_rows():
    counts = RNG.integers(1, 5, len(Y))
    repeated = cm.confusion_matrix(np.repeat(Y, counts), np.repeat(P, counts))
    weighted = cm.confusion_matrix(Y, P, sample_weight=counts)
    halves = cm.confusion_matrix(Y, P, sample_weight=counts / 2)
    for name in ("mcc", "f1_macro", "gmcc", "kappa", "eve"):
        assert weighted[name] == repeated[name]
        assert halves[name] == pytest.approx(repeated[name], rel=1e-13)
    assert type(halves.value("tp", pos_label=0)) is float


def test_means_with_large_exponents_near_the_extremes():
    m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]])
    for sign, end in ((1, "max"), (-1, "min")):
        means = [m.value("generalized_f1", p=sign * p) for p in (10.0, 1e3, 1e6, 1e300)]
        assert means[1:] == pytest.approx([m.value("generalized_f1", p=end)] * 3, rel=2e-3)
