"""The confusion entropy of each class: its definition, and the metrics that are its means."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm


def entropy(table, j, once):
    """Return that of one class from the definition, class by class."""
    table = np.asarray(table, float)
    size = table[j].sum() + table[:, j].sum() - (table[j, j] if once else 0)
    base = 2 * (len(table) - 1)
    errors = [x for i in range(len(table)) if i != j for x in (table[j, i], table[i, j])]
    return -sum(x / size * math.log(x / size, base) for x in errors if x)


@given(cells=st.integers(3, 5).flatmap(lambda k: st.lists(st.integers(1, 90), min_size=k * k,
                                                          max_size=k * k)))  # fmt: skip
def test_each_class_and_their_means(cells):
    k = math.isqrt(len(cells))
    m = cm.ConfusionMatrix(np.reshape(cells, (k, k)))
    found = m.class_entropies()
    for name, once in (("cen", False), ("mcen", True)):
        each = found[name].to_numpy()
        assert each == pytest.approx([entropy(m.counts, j, once) for j in range(k)], rel=1e-12)
        weights = m.counts.sum(0) + m.counts.sum(1) - once * np.diagonal(m.counts)
        assert m.value(name) == pytest.approx((each * weights).sum() / weights.sum(), rel=1e-12)


def test_absent_classes_are_not_counted():
    m = cm.ConfusionMatrix([[5, 0, 2], [0, 0, 0], [1, 0, 7]])
    plain = cm.ConfusionMatrix([[5, 2], [1, 7]])
    found = m.class_entropies()
    assert found["cen"][1] is None
    assert found["cen"].drop_nulls().to_list() == plain.class_entropies()["cen"].to_list()
    assert cm.ConfusionMatrix([[5]]).class_entropies()["mcen"].to_list() == [None]


def test_smoothing_weights_and_many_classes():
    cells = np.array([[5, 1], [0, 7]])
    smooth = cm.ConfusionMatrix(cells).smooth(0.5).class_entropies()
    assert smooth.equals(cm.ConfusionMatrix(cells + 0.5).class_entropies())
    y = np.repeat(np.arange(12_000), 3)
    found = cm.confusion_matrix(y, np.roll(y, 3)).class_entropies()
    # Each class has two cells, both errors, and half of its rows and columns is in each.
    assert found["cen"].to_numpy() == pytest.approx(math.log(2) / math.log(2 * 11_999))


def test_nothing_wrong_is_0():
    found = cm.ConfusionMatrix([[4, 0], [0, 3]]).class_entropies()
    assert found["cen"].to_list() == found["mcen"].to_list() == [0.0, 0.0]
    assert not np.signbit(found["cen"].to_numpy()).any()
