"""`cm.check`: what passes, what fails and why, against numbers that are found by other means."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.intervals.differences import newcombe
from confmat.intervals.wilson import wilson

SITES = {"a": (9, 10), "b": (70, 100), None: (2, 4)}  # how many of how many are right


def states_of(sites, key="site", **more):
    """Return states of two classes, of which so many rows are right."""
    rows = [
        {key: site, "y_true": at % 2, "y_pred": at % 2 if at < right else 1 - at % 2}
        for site, (right, n) in sites.items()
        for at in range(n)
    ]
    schema = {key: pl.String, "y_true": pl.Int64, "y_pred": pl.Int64}
    return cm.partial(pl.DataFrame(rows, schema=schema).with_columns(**more), by=[key, *more])


STATES = states_of(SITES)


def outcomes(expectations, states=STATES, baseline=None):
    """Return slice, outcome and reason of each check."""
    if not isinstance(expectations, list):
        expectations = [expectations]
    table = cm.check(states, expectations, baseline).table()
    return table.select("slice", "outcome", "reason").rows()


def accuracy(**bounds):
    return {"metric": "accuracy", **bounds}


def test_all_rows_are_judged_by_default():
    passed = [("all rows", "passed", None)]
    share = 81 / 114
    assert outcomes(accuracy(at_least=share)) == passed
    assert outcomes(accuracy(at_most=share)) == passed
    assert outcomes(accuracy(at_least=math.nextafter(share, 1))) == [("all rows", "failed", None)]
    assert outcomes(accuracy(at_most=math.nextafter(share, 0))) == [("all rows", "failed", None)]


def test_every_bound_is_a_check():
    found = cm.check(STATES, [accuracy(at_least=0.1, at_most=0.2)])
    assert found.table()["outcome"].to_list() == ["passed", "failed"]
    assert not found.passed


def test_every_slice_is_judged_and_missing_keys_are_one():
    found = cm.check(STATES, [accuracy(each="site", at_least=0.6)]).table()
    assert found.select("slice", "n", "value", "outcome").rows() == [
        ("site = a", 10, 0.9, "passed"),
        ("site = b", 100, 0.7, "passed"),
        ("site = missing", 4, 0.5, "failed"),
    ]


def test_a_named_slice_is_judged_alone():
    assert outcomes(accuracy(slice={"site": "b"}, at_least=0.7)) == [("site = b", "passed", None)]
    found = cm.check(STATES, [accuracy(slice={"site": "b"}, at_least=0.7)]).table()
    assert found["n"].item() == 100


def test_slices_by_one_key_within_another():
    states = pl.concat([states_of(SITES, shift=pl.lit(1)), states_of({"a": (1, 2)}, shift=2)])
    found = cm.check(states, [accuracy(slice={"shift": 2}, each=["site"], at_least=0.5)]).table()
    assert found.select("slice", "n").rows() == [("shift = 2, site = a", 2)]


def test_a_missing_slice_fails():
    reason = "there is no such slice"
    found = outcomes(accuracy(slice={"site": "z"}, at_least=0))
    assert found == [("site = z", "failed", reason)]
    nothing = STATES.clear()
    for where in ({}, {"each": "site"}, {"slice": {"site": "a"}}):
        found = outcomes(accuracy(at_least=0, **where), nothing)
        assert [outcome for _, outcome, _ in found] == ["failed"]
        assert found[0][2] in (reason, "there are no rows")


def test_an_undefined_value_fails_whatever_the_bound():
    log = pl.DataFrame({"y_true": [0, 0], "y_pred": [0, 0]})
    for bound in ({"at_least": -1e9}, {"at_most": 1e9}):
        ((_, outcome, reason),) = outcomes({"metric": "recall", **bound}, cm.partial(log))
        assert (outcome, reason) == ("failed", "undefined: class 1: tp + fn = 0")


def test_few_rows_are_skipped_among_slices_and_fail_where_named():
    few = "too few rows: 4 of 10"
    found = outcomes(accuracy(each="site", at_least=0.6, min_n=10))
    assert found == [
        ("site = a", "passed", None),
        ("site = b", "passed", None),
        ("site = missing", "skipped", few),
    ]
    found = outcomes(accuracy(slice={"site": "a"}, at_least=0, min_n=11))
    assert found == [("site = a", "failed", "too few rows: 10 of 11")]
    assert outcomes(accuracy(at_least=0, min_n=115))[0][1] == "failed"
    assert cm.check(STATES, [accuracy(each="site", at_least=0.6, min_n=10)]).passed


def test_where_all_slices_are_skipped_the_expectation_fails():
    found = cm.check(STATES, [accuracy(each="site", at_least=0, min_n=1000)])
    assert found.table()["outcome"].to_list() == ["skipped"] * 3 + ["failed"]
    assert found.table()["reason"][-1] == "all slices have fewer than 1,000 rows"
    assert not found.passed


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_all_of_the_interval_has_to_hold(level):
    low, high = (float(end) for end in wilson(70, 100, level))
    of_b = {"slice": {"site": "b"}, "ci": level}
    found = cm.check(STATES, [accuracy(at_least=0, **of_b)]).table()
    assert found.select("low", "high").row(0) == pytest.approx((low, high), rel=1e-12)
    for bounds, wanted in (
        ({"at_least": low - 1e-9}, "passed"),
        ({"at_least": low + 1e-9}, "failed"),
        ({"at_most": high + 1e-9}, "passed"),
        ({"at_most": high - 1e-9}, "failed"),
    ):
        assert outcomes(accuracy(**of_b, **bounds))[0][1] == wanted
    assert outcomes(accuracy(**of_b, at_least=low + 1e-9))[0][2] == (
        "the bound lies within the interval"
    )
    assert outcomes(accuracy(**of_b, at_least=high))[0][2] is None


def test_doubt_may_pass():
    low, high = (float(end) for end in wilson(70, 100))
    of_b = {"slice": {"site": "b"}, "ci": 0.95, "doubt": "passes"}
    for bounds, wanted in (
        ({"at_least": high - 1e-9}, "passed"),
        ({"at_least": high + 1e-9}, "failed"),
        ({"at_most": low + 1e-9}, "passed"),
        ({"at_most": low - 1e-9}, "failed"),
    ):
        assert outcomes(accuracy(**of_b, **bounds))[0][1] == wanted


def test_a_value_without_an_interval_fails():
    sums = cm.ConfusionMatrix([[0.5, 1.5], [0.0, 8.0]])  # of weights whose squares nobody knows
    states = pl.DataFrame({"state": [sums.to_bytes()]})
    ((_, outcome, reason),) = outcomes(accuracy(at_least=0, ci=0.9), states)
    assert (outcome, reason) == (
        "failed",
        "there is no interval: the squared weights are not known",
    )
    assert outcomes(accuracy(at_least=0.85), states)[0][1] == "passed"
    of_baseline = outcomes(accuracy(change_at_least=-1, ci=0.9), cm.merge(STATES, by=[]), states)
    assert of_baseline[0][1] == "failed"
    assert "of the baseline: the squared weights" in of_baseline[0][2]


OLD = states_of({"a": (8, 10), "b": (75, 100), "gone": (1, 2)})


def test_changes_are_from_the_baseline_slice_by_slice():
    found = cm.check(STATES, [accuracy(each="site", change_at_least=-0.05)], OLD).table()
    rows = found.select("slice", "value", "baseline", "outcome", "reason").rows()
    assert rows == [
        ("site = a", 0.9, 0.8, "passed", None),
        ("site = b", 0.7, 0.75, "passed", None),
        ("site = missing", 0.5, None, "failed", "of the baseline: there is no such slice"),
        ("site = gone", None, 0.5, "failed", "there is no such slice"),
    ]
    assert found["judged"].to_list()[:2] == pytest.approx([0.1, -0.05])


def test_relative_changes_are_shares_of_the_baseline():
    of_b = {"slice": {"site": "b"}}
    found = cm.check(STATES, [accuracy(relative_change_at_least=-0.07, **of_b)], OLD).table()
    assert found["judged"].item() == pytest.approx(-0.05 / 0.75)
    assert found["outcome"].item() == "passed"
    assert outcomes(accuracy(relative_change_at_least=-0.06, **of_b), baseline=OLD)[0][1] == (
        "failed"
    )
    zero = states_of({"b": (0, 5)})
    found = outcomes(accuracy(relative_change_at_most=9, **of_b), baseline=zero)
    assert found == [("site = b", "failed", "the baseline is 0")]
    worse = states_of({"b": (1, 10)})  # a negative baseline: larger is still up
    found = cm.check(STATES, [{"metric": "mcc", "relative_change_at_least": 0, **of_b}], worse)
    assert found.passed


def test_the_interval_of_a_change_is_newcombes():
    low, high = (float(end) for end in newcombe(70, 100, 75, 100))
    of_b = {"slice": {"site": "b"}, "ci": 0.95}
    found = cm.check(STATES, [accuracy(change_at_least=low - 1e-9, **of_b)], OLD)
    assert found.passed
    ends = found.table().select("judged", "low", "high").row(0)
    assert ends == pytest.approx((-0.05, low, high), rel=1e-12)
    assert not cm.check(STATES, [accuracy(change_at_least=low + 1e-9, **of_b)], OLD).passed
    lenient = accuracy(change_at_least=high - 1e-9, **of_b, doubt="passes")
    assert cm.check(STATES, [lenient], OLD).passed


def test_few_rows_of_the_baseline_are_too_few():
    found = outcomes(accuracy(each="site", change_at_least=-1, min_n=3), baseline=OLD)
    assert found[-1] == ("site = gone", "skipped", "of the baseline: too few rows: 2 of 3")
    assert outcomes(accuracy(slice={"site": "b"}, change_at_least=-1, min_n=50), STATES, OLD) == [
        ("site = b", "passed", None)
    ]
    few = states_of({"b": (9, 9)})
    found = outcomes(accuracy(slice={"site": "b"}, change_at_least=-1, min_n=50), baseline=few)
    assert found == [("site = b", "failed", "of the baseline: too few rows: 9 of 50")]


def test_models_are_never_merged():
    states = pl.concat(
        [states_of(SITES, model=pl.lit("m1")), states_of({"a": (1, 10)}, model=pl.lit("m2"))]
    )
    found = cm.check(states, [accuracy(at_least=0.5)]).table()
    assert found.select("slice", "n", "outcome").rows() == [
        ("model = m1", 114, "passed"),
        ("model = m2", 10, "failed"),
    ]
    one = cm.check(states, [accuracy(at_least=0.5, slice={"model": "m1"})])
    assert one.passed
    of_sites = cm.check(states, [accuracy(at_least=0, each=["site"])]).table()
    assert of_sites["slice"].to_list()[-1] == "model = m2, site = a"


def test_scores_and_predictions_are_both_read():
    log = pl.DataFrame({"y_true": [0, 1, 1, 0], "y_pred": [0, 1, 0, 0], "s": [0.1, 0.9, 0.4, 0.5]})
    states = cm.partial(log, y_pred="y_pred", y_score="s")
    found = cm.check(
        states,
        [{"metric": "roc_auc", "at_least": 0.75}, {"metric": "recall", "at_most": 0.5}],
    ).table()
    assert found["value"].to_list() == [0.75, 0.5]
    assert found["outcome"].to_list() == ["passed", "passed"]


def test_scores_of_many_classes_are_read():
    log = pl.DataFrame({"y": [0, 1, 2], "a": [0.6, 0.2, 0.1], "b": [0.3, 0.5, 0.1]})
    log = log.with_columns(c=1 - pl.col("a") - pl.col("b"))
    states = cm.partial(log, y_true="y", y_score=["a", "b", "c"], labels=[0, 1, 2])
    assert outcomes({"metric": "top_1_accuracy", "at_least": 1}, states)[0][1:] == ("passed", None)
    found = cm.check(states, [{"metric": "top_1_accuracy", "at_most": 1, "ci": 0.9}]).table()
    assert found["outcome"].item() == "passed"
    assert 0 < found["low"].item() < 1


def test_numbers_of_rows_may_be_expected():
    log = pl.DataFrame({"y_true": [0, 1, None], "y_pred": [0, 1, 1]})
    states = cm.partial(log)
    wanted = [{"metric": "n", "at_least": 2}, {"metric": "n_dropped", "at_most": 0}]
    found = cm.check(states, {"min_n": 100, "ci": 0.95, "expect": wanted}).table()
    assert found.select("value", "outcome").rows() == [(2, "passed"), (1, "failed")]


def test_an_evaluation_is_its_states():
    log = pl.DataFrame({"site": ["a", "b"], "y_true": [0, 1], "y_pred": [0, 0]})
    e = cm.evaluate(log, by="site")
    wanted = [accuracy(each="site", at_least=0.5)]
    assert cm.check(e, wanted).table().equals(cm.check(e.states(), wanted).table())


def test_the_class_of_a_metric_of_one_class():
    log = pl.DataFrame({"y_true": ["a", "b", "c"], "y_pred": ["a", "c", "c"]})
    states = cm.partial(log)
    assert outcomes({"metric": "recall", "pos_label": "b", "at_most": 0}, states)[0][1] == "passed"
    given = {"pos_label": "c", "expect": [{"metric": "recall", "at_least": 1}]}
    assert cm.check(states, given).passed
    with pytest.raises(cm.InputError, match="`pos_label` 'z' is not in the labels"):
        cm.check(states, [{"metric": "recall", "pos_label": "z", "at_least": 0}])


@given(
    st.dictionaries(
        st.sampled_from("abcde"),
        st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
        min_size=1,
    ),
    st.floats(0, 1),
    st.integers(0, 50),
)
def test_a_gate_passes_if_every_slice_does(sites, limit, min_n):
    states = states_of(sites)
    found = cm.check(states, [accuracy(each="site", at_least=limit, min_n=min_n)])
    large = [right / n for right, n in sites.values() if n >= min_n]
    assert found.passed == (bool(large) and all(share >= limit for share in large))
    counted = found.table()["outcome"].value_counts(sort=True)
    skipped = counted.filter(outcome="skipped")["count"].sum()
    assert skipped == len(sites) - len(large)


def test_it_prints_what_failed_first():
    found = cm.check(STATES, [accuracy(each="site", at_least=0.6)])
    assert repr(found) == "<3 checks: 2 passed, 1 failed, 0 skipped>"
    lines = str(found).splitlines()
    assert lines[0] == "2 passed, 1 failed, 0 skipped"
    assert "site = missing" in lines[4]
    assert "failed" in lines[4]
    assert "<table" in found._repr_html_()


def test_intervals_of_clusters_are_not_those_of_rows():
    log = pl.DataFrame({"user": [0, 1, 2] * 20, "y": [0, 1] * 30, "p": [0, 1] * 30})
    e = cm.evaluate(log, "y", "p", cluster="user")
    assert outcomes(accuracy(at_least=0.9), e) == [("all rows", "passed", None)]
    outcome, reason = outcomes(accuracy(at_least=0.9, ci=0.95), e)[0][1:]
    assert outcome == "failed"
    assert "there is no interval: intervals of `check` take rows as independent" in reason


def test_a_class_that_no_state_has_opens_no_gate():
    log = pl.DataFrame({"y_true": ["long", "short"] * 9, "y_pred": ["long", "short"] * 9})
    asked = [{"metric": "specificity", "pos_label": "longg", "at_least": 0.9}]
    with pytest.raises(cm.InputError, match=r"`pos_label` 'longg' is not in the labels"):
        cm.check(cm.partial(log), asked)


def test_checks_are_true_where_they_passed():
    states = cm.partial(pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 0]}))
    assert cm.check(states, [{"metric": "accuracy", "at_least": 0.5}])
    assert not cm.check(states, [{"metric": "accuracy", "at_least": 0.6}])
