"""Every metric has the derivatives that it shows when its cells move."""

import numpy as np
import pytest
from support.value_names import ORDERED

import confmat as cm
from confmat import _core
from confmat.options import Options
from confmat.registry import names

METRICS = (*names("overall"), *names("average"), *names("class"))
PARAMETERS = (
    *("fbeta(2)", "phi(-inf)", "phi(inf)", "phi(0)", "phi(2)", "phi_four(3)", "fbeta_macro(0.5)"),
    *("generalized_f1(geometric)", "generalized_f1(min)", "generalized_f1(3)", "gmcc_mean(0)"),
    *("gmcc_mean(-2)", "gmcc_mean(1)", "recall_geometric", "f1_harmonic", "precision_quadratic"),
    *("recall_max", "f1_min", "mcc_ovo", "precision_ovo", "tversky(0.3,2)"),
    *("tversky_macro(2,0.25)", "tversky_weighted(beta=3)", "tversky_micro(0.3,2)", "lift_ovo"),
    *("recall_power(3)", "fbeta_power(2,-0.5)", "f1_power(inf)", "phi_power(0,2)", "f2_power(0)"),
)


def tables():
    rng = np.random.default_rng(7)
    for k in (2, 3, 5):
        cells = rng.integers(3, 60, (k, k)) + rng.random((k, k))
        yield cells + np.diag(rng.integers(40, 90, k))


def moved(value_at, cells):
    """Return the derivatives by finite differences, good to about ten digits."""
    out = np.zeros_like(cells)
    for place, cell in np.ndenumerate(cells):
        step = 1e-4 * cell
        for at, factor in zip((2, 1, -1, -2), (-1, 8, -8, 1), strict=True):
            there = cells.copy()
            there[place] += at * step
            out[place] += factor * value_at(there) / (12 * step)
    return out


@pytest.mark.parametrize("name", METRICS + PARAMETERS)
def test_gradients_are_those_of_the_values(name):
    asks = _core.Asks([name])
    for cells in tables():
        pos = len(cells) - 1 if asks.needs_positive else -1
        labels = [str(at) for at in range(len(cells))]

        def value_at(table, pos=pos, labels=labels):
            return asks.values(table, labels, Options(pos))[0]

        found = _core.gradients(asks, cells, labels, Options(pos))[0]
        if np.isnan(value_at(cells)):
            assert np.isnan(found).all()
            continue
        wanted = moved(value_at, cells)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8 * np.abs(wanted).max())


@pytest.mark.parametrize("name", sorted({*METRICS} - {*ORDERED}))
def test_absent_classes_change_no_slope(name):
    cells = np.array([[50, 3, 4], [6, 40, 2], [1, 9, 30]])
    wide = np.zeros((4, 4), dtype=np.int64)
    at = [0, 1, 3]
    wide[np.ix_(at, at)] = cells
    one, other = cm.ConfusionMatrix(cells), cm.ConfusionMatrix(wide)
    known = {"pos_label": 0} if name in names("class") else {}
    value, slopes = one.gradient(name, **known)
    found, more = other.gradient(name, **known)
    assert found == pytest.approx(value, rel=1e-12, nan_ok=True)
    np.testing.assert_allclose(more[np.ix_(at, at)], slopes, rtol=1e-9, atol=1e-15)


def test_undefined_values_have_no_gradient():
    m = cm.ConfusionMatrix([[5, 0], [3, 0]])
    value, slopes = m.gradient("precision")
    assert np.isnan(value)
    assert np.isnan(slopes).all()
    singular = cm.ConfusionMatrix([[2, 2, 2], [1, 1, 1], [3, 1, 2]])
    assert singular.gmcc == 0
    assert np.isnan(singular.gradient("gmcc")[1]).all()


def test_smoothed_matrices_and_matrices_of_one_class():
    m = cm.ConfusionMatrix([[5, 1], [3, 4]]).smooth(0.5)
    plain = cm.ConfusionMatrix([[5.5, 1.5], [3.5, 4.5]])
    np.testing.assert_allclose(m.gradient("mcc")[1], plain.gradient("mcc")[1], rtol=1e-12)
    one = cm.confusion_matrix([0, 0], [0, 0])
    value, slopes = one.gradient("specificity")
    assert value == 1.0
    assert slopes.tolist() == [[0.0]]


def test_a_sparse_matrix_has_none():
    m = cm.confusion_matrix(np.arange(5000), np.arange(5000)[::-1].copy())
    with pytest.raises(cm.InputError, match=r"f1_macro has no gradient .* 5000 classes"):
        m.gradient("f1_macro")


@pytest.mark.parametrize("name", ["gmean_macro", "adjusted_f_macro", "gmcc", "gmean_ovo"])
def test_without_a_gradient_there_is_no_standard_error(name):
    m = cm.ConfusionMatrix([[64, 25, 0], [11, 43, 0], [3, 1, 0]])
    assert np.isnan(m.gradient(name)[1][m.counts > 0]).any()
    found = m.ci(name)
    assert np.isnan(found.se)
    assert found.low < found.value < found.high  # by smoothed cells


def test_slopes_are_there_where_others_are_not():
    m = cm.ConfusionMatrix([[64, 25, 0], [11, 43, 0], [0, 0, 5]])
    value, slopes = m.gradient("extended_mcc")
    assert np.isnan(slopes).tolist() == [[False, False, True], [False, False, True], [True] * 3]

    def at(four):
        cells = m.counts.astype(float)
        cells[:2, :2] = four
        return cm.ConfusionMatrix(cells).extended_mcc

    four = m.counts[:2, :2].astype(float)
    np.testing.assert_allclose(slopes[:2, :2], moved(at, four), rtol=1e-6)
    found = m.ci("extended_mcc")
    assert np.isnan(found.se)
    assert found[:3] == pytest.approx((value, 0.28722485641197, 0.60801594685798), rel=1e-12)
