"""Whether rows are enough, of matrices: counts, weights, empty classes, other shares."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.intervals.sample_size import rows_for_width
from confmat.intervals.wilson import wilson

TABLES = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.integers(0, 60), min_size=k * k, max_size=k * k).map(
        lambda cells: np.array(cells).reshape(k, k)
    )
)
NUMBERS = ("recall", "precision", "specificity")


def row(frame, metric, label=None):
    found = frame.filter(pl.col("metric").eq(metric) & pl.col("label").eq_missing(label))
    return found.row(0, named=True)


@given(TABLES, st.sampled_from([0.02, 0.1, 0.5]))
def test_rates_are_those_of_the_matrix(cells, width):
    labels = [f"c{at}" for at in range(len(cells))]
    m = cm.ConfusionMatrix(cells, labels)
    found = m.adequacy(width=width)
    assert found.height == 1 + 3 * len(cells)
    wanted = [m.value("accuracy")]
    wanted += [m.value(name, pos_label=label) for label in labels for name in NUMBERS]
    np.testing.assert_allclose(found["value"].cast(float).fill_null(np.nan), wanted, rtol=1e-12)
    low, high = wilson(found["events"], found["n"])
    np.testing.assert_array_equal(found["low"].fill_null(np.nan), low)
    np.testing.assert_array_equal(found["high"].fill_null(np.nan), high)
    assert found["is_enough"].to_list() == [bool(x <= width) for x in high - low]


@given(TABLES)
def test_the_rows_named_are_enough(cells):
    """As many times the same rows as `n_for_width` asks for are enough, and fewer are not."""
    for one in cm.ConfusionMatrix(cells).adequacy(width=0.07).iter_rows(named=True):
        if one["value"] is None:
            assert one["n"] == 0
            assert "cannot be estimated" in one["verdict"]
            continue
        assert one["n_for_width"] <= one["n_for_width_worst"]
        assert one["is_enough"] is (one["n"] >= one["n_for_width"])
        assert ("not enough" in one["verdict"]) is not one["is_enough"]


def test_the_watch():
    watch = cm.confusion_matrix([0] * 100, [0] * 100)
    found = watch.adequacy(prevalence=1e-5)
    recall = row(found, "recall", 1)
    assert (recall["n"], recall["value"], recall["is_enough"]) == (0, None, False)
    assert recall["rows_for_width"] == 38_100_000
    assert recall["verdict"] == (
        "recall of 1 cannot be estimated: none of the 100 rows is of this class. A 95% interval "
        "of width 0.1 needs up to 381 of them: at a share of 1e-05 that takes about 38,100,000 "
        "rows; 299,572 hold one of them, 95% of the time"
    )
    assert row(found, "specificity", 0)["rows_for_width"] == 38_100_000
    specificity = row(found, "specificity", 1)
    assert specificity["exact_bound"] == pytest.approx(0.05**0.01)
    assert "all are right: at least 0.9705 (one-sided 95%)" in specificity["verdict"]
    assert row(watch.adequacy(), "recall", 1)["rows_for_width"] is None


def test_a_positive_class_that_no_row_has_is_there():
    assert cm.confusion_matrix([], []).adequacy()["label"].to_list() == [None, 1, 1, 1]
    named = cm.confusion_matrix(["a"], ["a"], labels=["a", "b"], pos_label="b")
    assert row(named.adequacy(prevalence=0.5), "recall", "b")["rows_for_width"] == 762


def test_none_right_has_a_bound_from_above():
    found = row(cm.ConfusionMatrix([[90, 0], [10, 0]]).adequacy(), "recall", 1)
    assert found["exact_bound"] == pytest.approx(1 - 0.05**0.1)
    assert "none is right: at most 0.2589" in found["verdict"]


def test_shares_turn_rows_of_a_class_into_rows_of_all():
    m = cm.ConfusionMatrix([[80, 10, 10], [10, 70, 20], [0, 5, 95]], labels=["a", "b", "c"])
    here, there = m.adequacy(), m.adequacy(prevalence={"a": 0.01})
    needed = row(here, "recall", "a")["n_for_width"]
    assert row(here, "recall", "a")["rows_for_width"] == 3 * needed
    assert row(there, "recall", "a")["rows_for_width"] == 100 * needed
    told = 0.01 * 0.8 + 0.495 * 0.1
    wanted = row(there, "precision", "a")["n_for_width"] / told
    assert row(there, "precision", "a")["rows_for_width"] == math.ceil(wanted)
    needed = row(there, "specificity", "a")["n_for_width"]
    assert row(there, "specificity", "a")["rows_for_width"] == math.ceil(needed / 0.99)
    by_order = m.adequacy(prevalence=[0.01, 0.495, 0.495])
    assert by_order.equals(there)


def test_weighted_rows_count_for_their_effective_number():
    y, p = [0, 0, 1, 1] * 50, [0, 1, 1, 1] * 50
    plain = cm.confusion_matrix(y, p).adequacy()
    same = cm.confusion_matrix(y, p, sample_weight=[2.5] * 200).adequacy()
    for name in ("n", "low", "high", "n_for_width", "rows_for_width"):
        np.testing.assert_allclose(same[name].cast(float), plain[name].cast(float), rtol=1e-12)
    uneven = cm.confusion_matrix(y, p, sample_weight=[1.0, 3.0] * 100).adequacy()
    assert row(uneven, "accuracy")["n"] == pytest.approx(400**2 / (100 + 900))


def test_weights_without_their_squares_say_so():
    found = cm.ConfusionMatrix([[1.5, 2.0], [0.5, 3.0]]).adequacy()
    assert found["low"].null_count() == found.height
    assert all("squared weights" in words for words in found["verdict"])


def test_many_classes_in_few_cells():
    k = 2_000
    m = cm.confusion_matrix(np.arange(k), np.arange(k), labels=range(k))
    found = m.adequacy()
    assert found.height == 1 + 3 * k
    dense = cm.ConfusionMatrix(np.eye(3, dtype=int)).adequacy()
    assert dense["value"].to_list() == found["value"].to_list()[:10]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"width": 1.5}, "`width` is 1.5"),
        ({"delta": 0}, "`delta` is 0"),
        ({"level": 95}, "`level` is 95"),
        ({"power": 1}, "`power` is 1"),
        ({"prevalence": 1.1}, "`prevalence` is 1.1"),
        ({"prevalence": {"x": 0.1}}, "`prevalence`"),
        ({"prevalence": [0.5]}, "has 1 shares"),
        ({"prevalence": [0.5, 0.6]}, "adds up to 1.1"),
        ({"prevalence": {0: math.nan}}, "of 0 is nan"),
        ({"pos_label": "zz"}, "`pos_label` .* is not in the labels"),
        ({"pos_label": object()}, "`pos_label`"),
        ({"prevalence": "much"}, "`prevalence` is 'much'"),
    ],
)
def test_what_cannot_be_is_refused(asked, said):
    with pytest.raises(cm.InputError, match=said):
        cm.ConfusionMatrix([[5, 1], [1, 5]]).adequacy(**asked)


def test_one_number_needs_a_positive_class():
    m = cm.ConfusionMatrix([[5, 1], [1, 5]], labels=["a", "b"])
    with pytest.raises(cm.InputError, match="no positive class"):
        m.adequacy(prevalence=0.1)
    found = row(m.adequacy(prevalence=0.1, pos_label="b"), "recall", "b")
    assert found["rows_for_width"] == 10 * rows_for_width(0.1, 5 / 6)
