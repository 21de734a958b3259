"""Matrices at other shares of classes and with other errors of labels."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import confmat as cm
from confmat.matrices import mixed_rows


def tables(least=0):
    return st.integers(2, 4).flatmap(
        lambda k: st.lists(st.integers(least, 60), min_size=k * k, max_size=k * k).map(
            lambda cells: np.array(cells).reshape(k, k)
        )
    )


WITHIN = ("recall", "specificity", "fpr", "fnr")


@given(tables(), st.floats(0.001, 0.999))
def test_rates_within_classes_stay_and_shares_are_as_asked(cells, share):
    assume((cells.sum(1) > 0).all())
    m = cm.ConfusionMatrix(cells)
    new = m.at_prevalence({0: share})
    assert new.n == pytest.approx(m.n)
    assert new.counts.sum(1)[0] / new.n == pytest.approx(share, rel=1e-12)
    np.testing.assert_allclose(new.normalize("true"), m.normalize("true"), rtol=1e-12)
    rest = new.counts.sum(1)[1:] / cells.sum(1)[1:]
    np.testing.assert_allclose(rest, rest[0], rtol=1e-12)
    assert new.class_sizes_known


@given(tables(), st.data())
def test_own_shares_change_nothing(cells, data):
    assume((cells.sum(1) > 0).all())
    m = cm.ConfusionMatrix(cells)
    own = cells.sum(1) / cells.sum()
    given = data.draw(st.sampled_from([own, dict(enumerate(own)), {0: own[0]}]))
    new = m.at_prevalence(given)
    np.testing.assert_allclose(new.counts, cells, rtol=1e-12)
    np.testing.assert_allclose(new.weights_sq, cells, rtol=1e-12)
    for name in ("mcc", "accuracy", "f1_macro", "precision_macro"):
        assert new[name] == pytest.approx(m[name], rel=1e-10, abs=1e-12, nan_ok=True)


@given(tables(1), st.fractions(Fraction(1, 1000), Fraction(999, 1000)))
def test_predictive_values_are_those_of_bayes_in_fractions(cells, p):
    m = cm.ConfusionMatrix(cells[:2, :2])
    (tn, fp), (fn, tp) = (map(Fraction, map(int, row)) for row in m.counts)
    hit, alarm = tp / (tp + fn), fp / (tn + fp)
    new = m.at_prevalence(float(p))
    ppv = hit * p / (hit * p + alarm * (1 - p))
    npv = (1 - alarm) * (1 - p) / ((1 - alarm) * (1 - p) + (1 - hit) * p)
    assert new.precision == pytest.approx(float(ppv), rel=1e-12)
    assert new.npv == pytest.approx(float(npv), rel=1e-12)


# Mercaldo, Lau and Zhou (2007), Table VIII: a test of Alzheimer's disease by the gene ApoE4, 240 of
# 418 cases and 87 of 375 controls positive; at a prevalence of 3 % the predictive values.
def test_weights_of_squares_hold_what_each_class_says():
    m = cm.ConfusionMatrix([[288, 87], [178, 240]])
    new = m.at_prevalence(0.03)
    factors = np.array([0.97 * 793 / 375, 0.03 * 793 / 418])
    np.testing.assert_allclose(new.counts, m.counts * factors[:, None], rtol=1e-12)
    np.testing.assert_allclose(new.weights_sq, m.counts * factors[:, None] ** 2, rtol=1e-12)
    # The effective rows of a class are its rows.
    sizes = new.counts.sum(1) ** 2 / new.weights_sq.sum(1)
    np.testing.assert_allclose(sizes, [375, 418], rtol=1e-12)


def test_what_is_known_of_a_matrix_stays():
    m = cm.confusion_matrix(["a", "b", None], ["b", "b", "a"], labels=["a", "b"], pos_label="a")
    new = m.at_prevalence(0.2)
    assert (new.pos_label, new.labels, new.n_dropped) == ("a", ("a", "b"), 1)
    assert new.counts[0].tolist() == [0, 0.4]
    for copied in (pickle.loads(pickle.dumps(new)), copy.copy(new), cm.ConfusionMatrix(new)):
        assert copied == new
        assert copied.class_sizes_known
    bare = cm.from_bytes(new.to_bytes())
    assert not bare.class_sizes_known
    assert bare != new
    assert not (new + new).class_sizes_known
    assert not m.class_sizes_known


def test_weights_are_scaled_with_their_squares():
    m = cm.confusion_matrix([0, 0, 1, 1], [0, 1, 1, 1], sample_weight=[1.0, 2.0, 0.5, 0.25])
    new = m.at_prevalence(0.5)
    factors = np.array([1.875 / 3, 1.875 / 0.75])[:, None]
    np.testing.assert_allclose(new.counts, m.counts * factors)
    np.testing.assert_allclose(new.weights_sq, m.weights_sq * factors**2)
    assert cm.ConfusionMatrix([[1.5, 1], [1, 2]]).at_prevalence(0.5).weights_sq is None


def test_smoothed_cells_are_scaled():
    m = cm.ConfusionMatrix([[5, 0], [1, 4]]).smooth(1)
    new = m.at_prevalence(0.5)
    assert new.recall == m.recall
    assert new.smoothing == 0


def test_many_classes_in_few_cells_stay_so():
    k = 20_000
    y = np.arange(k) % 7_000
    m = cm.confusion_matrix(y, np.arange(k) % 6_999, labels=range(k))
    new = m.at_prevalence({3: 0.5})
    assert new.value("recall", pos_label=3) == pytest.approx(m.value("recall", pos_label=3))
    assert new.value("prevalence", pos_label=3) == pytest.approx(0.5)


def test_a_class_without_rows_has_no_rates_to_scale():
    m = cm.ConfusionMatrix([[5, 1], [0, 0]])
    with pytest.raises(cm.InputError, match="no row is of that class"):
        m.at_prevalence(0.1)
    assert m.at_prevalence(0.0).counts.tolist() == [[5, 1], [0, 0]]
    wide = cm.ConfusionMatrix([[5, 1, 0], [0, 0, 0], [0, 0, 0]])
    with pytest.raises(cm.InputError, match="which have no rows; wanted their shares"):
        wide.at_prevalence({0: 0.5})


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, "x", True, {}, {7: 0.1}, [0.5], [[0.5, 0.5]]])
def test_shares_that_are_none_are_refused(bad):
    m = cm.ConfusionMatrix([[5, 1], [1, 5]])
    if bad == {}:
        assert m.at_prevalence(bad).counts.tolist() == [[5, 1], [1, 5]]
        return
    with pytest.raises(cm.InputError, match="`prevalence`"):
        m.at_prevalence(bad)


@given(tables(), st.floats(0, 0.4))
def test_noise_and_its_inverse_give_the_matrix(cells, wrong):
    m = cm.ConfusionMatrix(cells)
    k = len(cells)
    assume(abs(1 - wrong * k / (k - 1)) > 0.05)
    noisy = m.with_label_noise(wrong)
    assert noisy.n == pytest.approx(m.n)
    np.testing.assert_allclose(noisy.counts.sum(0), cells.sum(0), atol=1e-9)
    back = noisy.without_label_noise(wrong)
    np.testing.assert_allclose(back.counts, cells, atol=1e-7 * max(m.n, 1))
    assert back.weights_sq is None


def test_noise_is_what_rows_with_errors_show_on_average():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 200_000)
    p = np.where(rng.random(len(y)) < 0.7, y, rng.integers(0, 3, len(y)))
    noise = np.array([[0.9, 0.1, 0], [0.05, 0.9, 0.05], [0, 0.3, 0.7]])
    written = np.minimum((rng.random((len(y), 1)) > noise.cumsum(1)[y]).sum(1), 2)
    wanted = cm.confusion_matrix(written, p).counts
    found = cm.confusion_matrix(y, p).with_label_noise(noise)
    assert (abs(found.counts - wanted) < 5 * np.sqrt(wanted)).all()
    np.testing.assert_allclose(found.weights_sq, found.counts)


def test_more_noise_than_there_is():
    m = cm.ConfusionMatrix([[99, 1], [0, 100]])
    with pytest.raises(cm.InputError, match="would be of 0 and predicted as 1"):
        m.without_label_noise(0.1)
    assert m.without_label_noise(0.1, negative="zero").counts[0, 1] == 0


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (0.5, "cannot be undone"),
        (1.5, "`noise` is 1.5"),
        ("x", "no array of numbers"),
        ([[1, 0]], "has shape"),
        ([[0.5, 0.6], [0, 1]], "row 0, which adds up to 1.1"),
        ([[1.5, -0.5], [0, 1]], "holds 1.5"),
        ([[math.nan, 0], [0, 1]], "holds nan"),
    ],
)
def test_noise_that_is_none_is_refused(noise, said):
    with pytest.raises(cm.InputError, match=said):
        cm.ConfusionMatrix([[5, 1], [1, 5]]).without_label_noise(noise)


NOISE = [[0.85, 0.15], [0.2, 0.8]]


@pytest.mark.parametrize("name", ["accuracy", "mcc", "precision", "kappa", "recall"])
def test_expected_labels_vary_as_their_rows_do(name):
    """Against matrices of rows that are drawn again and mixed."""
    m = cm.ConfusionMatrix([[120, 30], [24, 126]])
    found = m.with_label_noise(NOISE).ci(name)
    drawn = np.random.default_rng(0).multinomial(300, m.counts.ravel() / 300, 3_000)
    mixed = [cm.ConfusionMatrix(c.reshape(2, 2)).with_label_noise(NOISE)[name] for c in drawn]
    assert found.se == pytest.approx(np.std(mixed), rel=0.05)
    ends = np.quantile(mixed, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(ends, abs=0.15 * (ends[1] - ends[0]))


def test_labels_without_noise_are_less_sure_than_their_rows():
    m = cm.ConfusionMatrix([[126, 48], [42, 84]])
    found = m.without_label_noise(0.1).ci("accuracy")
    # Accuracy is linear in the share of rows that are right: (share - 0.1) / 0.8.
    right = 0.7
    assert found.value == pytest.approx((right - 0.1) / 0.8)
    assert found.se == pytest.approx(math.sqrt(right * (1 - right) / 300) / 0.8, rel=1e-9)
    assert m.without_label_noise(0.1).with_label_noise(0.1).ci("accuracy").se < found.se


def test_no_noise_changes_no_standard_error():
    m = cm.confusion_matrix([0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9, sample_weight=[0.5, 1, 2, 1] * 9)
    for same in (m, m.at_prevalence(0.3)):
        for name in ("accuracy", "f1", "mcc"):
            wanted = same.ci(name, method="delta").se
            found = same.with_label_noise(0.0).ci(name, method="delta").se
            assert found == pytest.approx(wanted)


def test_rows_that_are_all_right_are_not_sure():
    noisy = cm.ConfusionMatrix([[40, 0], [0, 40]]).with_label_noise(NOISE)
    for name in ("accuracy", "mcc", "precision"):
        value, low, high, se, method = noisy.ci(name)
        assert method == "delta of smoothed cells"
        assert low < value <= high
        assert se > 0
    table = noisy.per_class(["recall"], ci=0.95)
    assert table["recall_low"][0] == pytest.approx(noisy.ci("recall", pos_label=0).low)
    ends = noisy.overall(["accuracy"], ci=0.95).row(0)[2:4]
    assert ends == pytest.approx(noisy.ci("accuracy")[1:3])


def test_what_a_mixture_keeps():
    noisy = cm.ConfusionMatrix([[20, 3], [4, 18]]).with_label_noise(NOISE)
    wanted = noisy.ci("mcc")
    for copied in (pickle.loads(pickle.dumps(noisy)), copy.copy(noisy), cm.ConfusionMatrix(noisy)):
        assert copied == noisy
        assert copied.ci("mcc") == wanted
    bare = cm.from_bytes(noisy.to_bytes())
    assert bare != noisy
    assert bare.ci("mcc", method="delta").se > wanted.se
    tested = noisy.test("equal", other=0.5, metric="accuracy")
    gap = noisy.accuracy - 0.5
    found = noisy.ci("accuracy")
    below = (found.value - found.low) / 1.959963984540054
    assert tested.statistic == pytest.approx(gap / below)
    assert "of 45 rows" in tested.compared
    for method in ("wilson", "bootstrap"):
        with pytest.raises(cm.InputError, match="wanted 'delta'"):
            noisy.ci("accuracy", method=method)


def test_cells_set_to_zero_have_no_interval():
    m = cm.ConfusionMatrix([[99, 1], [0, 100]])
    assert math.isnan(m.without_label_noise(0.1, negative="zero").ci("accuracy").low)


@pytest.mark.parametrize("weight", [1.0, 4.0])
def test_more_rows_of_a_mixed_matrix_are_z_squared_more(weight):
    y = np.repeat([0, 1], 50)
    m = cm.confusion_matrix(y, y, sample_weight=np.full(100, weight)).with_label_noise(0.1)
    more = mixed_rows._of_more_rows(m, 2.0)._mixed[0]
    assert more.n_effective == pytest.approx(104)
    assert more.counts.sum() == pytest.approx(100 * weight)
