"""Metrics with parameters, as numbers or as the names of means."""

import numpy as np
import pytest

import confmat as cm

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 4, 3_000)
P = np.where(RNG.random(3_000) < 0.6, Y, RNG.integers(0, 4, 3_000))
M = cm.confusion_matrix(Y, P)
BINARY = cm.ConfusionMatrix([[90, 10], [20, 80]])


def test_parameters():
    assert BINARY.value("fbeta", beta=1) == BINARY.f1
    assert BINARY.value("fbeta", beta=2) == pytest.approx(5 * 80 / (5 * 80 + 4 * 20 + 10))
    assert BINARY.value("fbeta(0.5)") == BINARY.value("fbeta", beta=0.5)
    with pytest.raises(cm.InputError, match="`mcc` has no parameter `beta`; it takes none"):
        BINARY.value("mcc", beta=2)
    with pytest.raises(cm.InputError, match="no parameter `bta`; it takes beta"):
        BINARY.value("fbeta", bta=2)
    with pytest.raises(cm.InputError, match="give them once"):
        BINARY.value("fbeta(2)", beta=2)
    with pytest.raises(cm.InputError, match="`beta` is 'a'"):
        BINARY.value("fbeta", beta="a")
    with pytest.raises(cm.InputError, match="no metric"):
        BINARY.value("fbetaa", beta=2)


@pytest.mark.parametrize("average", ["min", "max", "harmonic", "geometric", "quadratic"])
def test_parameters_of_averages_that_are_not_listed(average):
    assert M.value("fbeta", average=average, beta=2) == M[f"fbeta_{average}(2)"]
    assert M.value(f"fbeta_{average}", beta=2) == M[f"fbeta_{average}(2)"]
    assert M.value("fbeta", average=average, beta=1) == M[f"f1_{average}"]
    assert M.value("generalized_f1", p=average) == M[f"generalized_f1({average})"]
    assert M.value("generalized_f1", p=average) == pytest.approx(M[f"f1_{average}"], rel=1e-14)
    assert M.value("phi", "macro", p=average) == M[f"phi_macro({average})"]
    assert M.reason("fbeta", average, beta=2) is None


def test_names_of_means_are_of_exponents_only():
    assert M.value("generalized_f1", p="arithmetic") == M.f1_macro
    with pytest.raises(cm.InputError, match="`beta` is 'min'; wanted a number"):
        M.value("fbeta", "macro", beta="min")
    with pytest.raises(cm.InputError, match="`p` is 'mean'; wanted a number or one of harmonic"):
        M.value("generalized_f1", p="mean")
    with pytest.raises(cm.InputError, match="'gmcc_mean\\(max\\)': the parameter must be p"):
        M.value("gmcc_mean", p="max")
    with pytest.raises(cm.InputError, match="can be negative"):
        M.value("informedness", "geometric")
