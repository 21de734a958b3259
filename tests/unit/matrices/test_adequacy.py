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
    # 150 rows are right and 50 wrong; the right ones are lighter, which is not taken whole.
    right = 550 + (250 * 2.5 - 550) * 8 / (250**2 / 550 + 8)
    variance = (right * 0.375**2 + 450 * 0.625**2) / 400**2
    assert row(uneven, "accuracy")["n"] == pytest.approx(0.375 * 0.625 / variance)
    heavy = cm.confusion_matrix(y, p, sample_weight=[1.0, 3.0] * 100)
    for label in (0, 1):
        for name in NUMBERS:
            found, wanted = row(heavy.adequacy(), name, label), heavy.ci(name, pos_label=label)
            assert (found["low"], found["high"]) == pytest.approx(wanted[1:3])


@given(TABLES.filter(lambda cells: len(cells) > 1 and cells.any(axis=1).all()), st.data())
def test_rates_at_other_shares_are_those_of_the_matrix_there(cells, data):
    drawn = data.draw(st.lists(st.floats(0.01, 1), min_size=len(cells), max_size=len(cells)))
    shares = [share / sum(drawn) for share in drawn]
    m = cm.ConfusionMatrix(cells)
    there, found = m.at_prevalence(shares), m.adequacy(prevalence=shares)
    values = [there.value("accuracy")]
    values += [there.value(name, pos_label=at) for at in range(len(cells)) for name in NUMBERS]
    seen = found["value"].cast(float).fill_null(np.nan)
    np.testing.assert_allclose(seen, values, rtol=1e-9, atol=1e-12)
    assert (found["low"].is_null() | (found["low"] <= found["value"])).all()
    if not ((cells > 0).sum(1) == 1).any():  # errors by the gradient
        for one in found.iter_rows(named=True):
            value = one["value"]
            if value is None or not 0 < value < 1:
                continue
            wanted = there.ci(one["metric"], method="delta", pos_label=one["label"])
            assert math.sqrt(value * (1 - value) / one["n"]) == pytest.approx(wanted.se, rel=1e-6)


def test_a_matrix_at_other_shares_is_judged_as_with_these_shares():
    m = cm.ConfusionMatrix([[288, 87], [178, 240]])
    there, asked = m.at_prevalence(0.03).adequacy(), m.adequacy(prevalence=0.03)
    same = ["metric", "label", "n", "events", "low", "high", "rows_for_width"]
    for name in same[2:]:
        assert there[name].to_list() == pytest.approx(asked[name].to_list())
    precision = row(asked, "precision", 1)
    assert f"{precision['low']:.4f}, {precision['high']:.4f}" == "0.0589, 0.0856"
    assert "as of 1,428 rows predicted as it" in precision["verdict"]


def test_a_rate_that_seems_sure_is_not():
    """None of 300 is a false positive; at a share of 1% a few would be half of all found."""
    m = cm.ConfusionMatrix([[300, 0], [10, 90]])
    found = row(m.adequacy(prevalence=0.01), "precision", 1)
    assert found["value"] == 1
    assert found["low"] < m.at_prevalence(0.01).ci("precision").low < 0.5
    assert found["n_for_width"] > 300


def test_shares_of_a_class_without_rows_leave_the_rest_as_it_is():
    m = cm.ConfusionMatrix([[80, 15, 5], [10, 85, 5], [0, 0, 0]])
    found, plain = m.adequacy(prevalence={2: 0.1}), m.adequacy()
    assert found["value"].to_list() == plain["value"].to_list()
    for metric, label in (("accuracy", None), ("precision", 0), ("specificity", 0)):
        words = row(found, metric, label)["verdict"]
        assert "at the shares of these rows, none of which is of 2" in words
    assert "at the shares" not in row(found, "recall", 0)["verdict"]


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


@pytest.mark.parametrize(("share", "value"), [(0.0, 0.0), (1.0, 1.0)])
def test_what_the_shares_alone_make_is_certain(share, value):
    found = row(cm.ConfusionMatrix([[90, 10], [5, 95]]).adequacy(prevalence=share), "precision", 1)
    assert found["value"] == value
    assert found["verdict"] == f"precision of 1: always {value:.4f} at these shares"
