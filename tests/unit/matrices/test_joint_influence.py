"""How joint cells move differences of metrics, against rows whose weights are changed a little."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rates import OF_ALL_ROWS, OF_ONE_CLASS

import confmat as cm
from confmat.matrices.joint_influence import influence, paired_rate, standard_error

STEP = 1e-3
METRICS = ("accuracy", "f1_macro", "mcc", "kappa", "balanced_accuracy", "precision_macro", "eve")
OF_TWO = ("precision", "f1", "recall", "mcc", "informedness", "fbeta(2)", "jaccard")


def drawn(seed, n=60, classes=3):
    rng = np.random.default_rng(seed)
    y, a, b = rng.integers(0, classes, (3, n))
    return y, np.where(rng.random(n) < 0.6, y, a), np.where(rng.random(n) < 0.7, y, b)


def value(y, p, name, weights):
    return cm.confusion_matrix(y, p, sample_weight=weights).value(name)


def moved(y, a, b, name, weights):
    """Return the derivative of the difference in the weight of each row."""
    out = np.empty(len(y))
    for row in range(len(y)):
        ends = []
        for step in (STEP, -STEP):
            changed = weights.copy()
            changed[row] += step
            ends.append(value(y, b, name, changed) - value(y, a, name, changed))
        out[row] = (ends[0] - ends[1]) / (2 * STEP)
    return out


@pytest.mark.parametrize(
    ("name", "classes"), [*((name, 3) for name in METRICS), *((name, 2) for name in OF_TWO)]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_variance_is_that_of_the_infinitesimal_jackknife(name, classes, weighted):
    y, a, b = drawn(len(name), classes=classes)
    weights = np.random.default_rng(2).uniform(0.5, 3, len(y)) if weighted else np.ones(len(y))
    joint = cm.joint_matrix(y, a, b, sample_weight=weights if weighted else None)
    found = influence(joint, name)
    wanted = moved(y, a, b, name, weights)
    assert found.reason is None
    assert found.value_a == pytest.approx(value(y, a, name, weights))
    assert found.value_b == pytest.approx(value(y, b, name, weights))
    assert standard_error(joint, found) ** 2 == pytest.approx(
        ((weights * wanted) ** 2).sum(), rel=1e-4
    )


def test_counts_of_rows_vary_with_the_rows():
    y, a, _ = drawn(3, classes=2)
    b = np.where(np.arange(len(y)) % 3 > 0, y, 1 - y)
    joint = cm.joint_matrix(y, a, b)
    change = ((b == 1) & (y == 1)).astype(float) - ((a == 1) & (y == 1))
    assert change.mean()
    found = influence(joint, "tp")
    assert standard_error(joint, found) ** 2 == pytest.approx(len(y) * change.var(), rel=1e-4)


def test_a_metric_without_a_value_says_which_model_lacks_it():
    joint = cm.joint_matrix([0, 1, 1], [0, 0, 0], [0, 1, 1])
    found = influence(joint, "precision")
    assert np.isnan(found.value_a)
    assert found.value_b == 1
    assert found.reason == "a: class 1: tp + fp = 0"


RATES = ("recall", "fnr", "specificity", "fpr", "predicted_prevalence", "accuracy_binary")
rows = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=30)


@settings(deadline=None)
@given(rows)
def test_rates_with_the_rows_of_both_models(drawn_rows):
    y, a, b = map(list, zip(*drawn_rows, strict=True))
    joint = cm.joint_matrix(y, a, b, labels=[0, 1])
    for name in (*OF_ALL_ROWS, *RATES, "error_binary", "tpr", "sensitivity"):
        rate = paired_rate(joint, name)
        values = [joint.matrix(model).value(name) for model in "ab"]
        n = sum(rate)
        assert all(type(count) is int for count in rate)
        if n:
            assert (rate.both + rate.only_a) / n == pytest.approx(values[0])
            assert (rate.both + rate.only_b) / n == pytest.approx(values[1])
        else:
            assert np.isnan(values).all()


def test_which_metrics_are_no_such_rate():
    joint = cm.joint_matrix([0, 1, 1], [0, 0, 1], [0, 1, 1])
    of_models = set(OF_ONE_CLASS) - set(RATES) - {"error_binary"}
    for name in (*of_models, "mcc", "f1", "balanced_accuracy"):
        assert paired_rate(joint, name) is None
    weighted = cm.joint_matrix([0, 1, 1], [0, 0, 1], [0, 1, 1], sample_weight=[1, 2, 3])
    assert paired_rate(weighted, "accuracy") is None
    many = cm.joint_matrix([0, 1, 2], [0, 0, 1], [0, 1, 2])
    assert paired_rate(many, "recall") is None
    assert tuple(paired_rate(many, "recall", pos_label=2)) == (0, 0, 1, 0)
    assert tuple(paired_rate(many, "accuracy")) == (1, 0, 2, 0)


def test_squared_weights_of_joint_cells():
    joint = cm.joint_matrix([0, 1, 1], [0, 0, 1], [0, 1, 1], sample_weight=[0.5, 1.5, 2.0])
    assert joint._state.squares.tolist() == [0.25, 2.25, 4.0]
    assert joint._state.cells.tolist() == [0.5, 1.5, 2.0]
    assert cm.joint_matrix([0], [0], [1])._state.squares is None
