"""What errors cost: by class, and the confusions that cost most."""

import doctest
import importlib

import numpy as np
import pytest

import confmat as cm

M = cm.ConfusionMatrix([[20, 6, 3], [2, 20, 7], [12, 14, 8]], labels=["a", "b", "c"])
COSTS = [[0, 1, 10], [5, 0, 1], [1, 2, 0]]


def test_costs_of_classes_add_up_to_the_total():
    table = M.class_costs(COSTS)
    assert table.columns == ["label", "n", "cost", "mean_cost"]
    assert table.rows() == [
        ("a", 29, 36.0, 36 / 29),
        ("b", 29, 17.0, 17 / 29),
        ("c", 34, 40.0, 40 / 34),
    ]
    assert table["cost"].sum() == M.cost(COSTS)


def test_a_class_without_rows_has_no_mean_cost():
    m = cm.ConfusionMatrix([[3, 1], [0, 0]])
    assert m.class_costs([[0, 2], [5, 0]]).rows() == [(0, 4, 2.0, 0.5), (1, 0, 0.0, None)]


def test_costs_of_weights_and_of_huge_counts():
    weighted = cm.confusion_matrix([0, 0, 1], [1, 0, 0], sample_weight=[0.5, 1.5, 2.0])
    assert weighted.class_costs([[0, 4], [1, -1]]).rows() == [
        (0, 2.0, 2.0, 1.0),
        (1, 2.0, 2.0, 1.0),
    ]
    huge = cm.ConfusionMatrix([[2**62, 1], [0, 3]])
    assert huge.class_costs([[0, 1], [1, 0]])["cost"].to_list() == [1.0, 0.0]


def test_confusions_by_what_they_cost():
    table = M.top_confusions(3, by="cost", cost_matrix=COSTS)
    assert table.rows() == [
        ("a", "c", 3, 3 / 29, 30.0),
        ("c", "b", 14, 14 / 34, 28.0),
        ("c", "a", 12, 12 / 34, 12.0),
    ]
    assert M.top_confusions(0, by="cost", cost_matrix=COSTS).columns == table.columns
    whole = M.top_confusions(None, by="cost", cost_matrix=COSTS)
    assert whole["cost"].sum() == M.cost(COSTS)
    assert whole.head(3).equals(table)


def test_costs_beside_counts():
    table = M.top_confusions(2, cost_matrix=COSTS)
    assert table.drop("cost").equals(M.top_confusions(2))
    assert table["cost"].to_list() == [28.0, 12.0]


def test_gains_come_last_and_equal_costs_in_label_order():
    m = cm.ConfusionMatrix([[0, 2, 2], [2, 0, 2], [1, 1, 0]])
    table = m.top_confusions(None, by="cost", cost_matrix=[[0, 1, 1], [-3, 0, 2], [2, 2, 0]])
    assert table["cost"].to_list() == [4.0, 2.0, 2.0, 2.0, 2.0, -6.0]
    assert table.select("true", "pred").rows()[1:5] == [(0, 1), (0, 2), (2, 0), (2, 1)]


def test_what_is_refused():
    with pytest.raises(cm.InputError, match="`cost_matrix` is needed; wanted a 3 x 3 matrix"):
        M.top_confusions(by="cost")
    with pytest.raises(cm.InputError, match="wanted 'count', 'rate' or 'cost'"):
        M.top_confusions(by="costs")
    for call in (M.class_costs, lambda costs: M.top_confusions(by="cost", cost_matrix=costs)):
        with pytest.raises(cm.InputError, match=r"`cost_matrix` has shape \(2, 2\)"):
            call([[0, 1], [1, 0]])
        with pytest.raises(cm.InputError, match=r"`cost_matrix`: .* beyond the range of floats"):
            call(np.full((3, 3), 1e308))


@pytest.mark.parametrize("module", ["class_costs", "top_confusions"])
def test_examples(module):
    found = importlib.import_module(f"confmat.matrices.{module}")
    assert doctest.testmod(found).failed == 0
