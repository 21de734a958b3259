"""Expectations that cannot be are refused by their number and key."""

import datetime

import polars as pl
import pytest

import confmat as cm

LOG = pl.DataFrame(
    {
        "site": ["a", "b"],
        "day": [datetime.date(2024, 5, 1), datetime.date(2024, 5, 2)],
        "size": [1, 2],
        "late": [True, False],
        "y_true": [0, 1],
        "y_pred": [0, 1],
    }
)
STATES = cm.partial(LOG, by=["site", "day", "size", "late"])
FINE = {"metric": "accuracy", "at_least": 0.5}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"at_lest": 1}, "unknown key 'at_lest'; did you mean 'at_least'?"),
        ({"min": 1}, "unknown key 'min'; did you mean 'at_least'?"),
        ({"max": 1}, "unknown key 'max'; did you mean 'at_most'?"),
        ({"Lower": 1}, "unknown key 'Lower'; did you mean 'at_least'?"),
        ({"zzz": 1}, "unknown key 'zzz'; the keys are"),
        ({"metric": "acuracy"}, "unknown metric 'acuracy'; did you mean 'accuracy'?"),
        ({"metric": 3}, "`metric` is 3; wanted the name of a metric"),
        ({"metric": None}, "`metric` is None; wanted the name"),
        ({"at_least": "0.9"}, "`at_least` is '0.9'; wanted a finite number"),
        ({"at_least": float("nan")}, "`at_least` is nan; wanted a finite number"),
        ({"at_most": float("inf")}, "`at_most` is inf; wanted a finite number"),
        ({"at_least": True}, "`at_least` is True; wanted a finite number"),
        ({"min_n": -1}, "`min_n` is -1; wanted a number of rows"),
        ({"min_n": 1.5}, "`min_n` is 1.5; wanted a number of rows"),
        ({"ci": 95}, "`ci` is 95; wanted a level between 0 and 1"),
        ({"ci": float("nan")}, "`ci` is nan; wanted a level"),
        ({"ci": True}, "`ci` is True; wanted a level"),
        ({"doubt": "passes"}, "`doubt` is about intervals; give `ci` too"),
        ({"ci": 0.9, "doubt": "maybe"}, "`doubt` is 'maybe'; wanted 'fails' or 'passes'"),
        ({"slice": "a"}, "`slice` is 'a'; wanted values by key"),
        ({"slice": {"site": ["a"]}}, "`slice` has ['a'] as 'site'; wanted one value"),
        ({"slice": {"size": float("nan")}}, "`slice` has nan as 'size'; wanted one value"),
        ({"slice": {"site": 1}}, "`slice` has 1 as 'site', and the key is String"),
        ({"slice": {"size": "1"}}, "`slice` has '1' as 'size', and the key is Int64"),
        ({"slice": {"size": True}}, "`slice` has True as 'size', and the key is Int64"),
        ({"slice": {"day": "2024-05-01"}}, "and the key is Date"),
        ({"slice": {"late": 1}}, "`slice` has 1 as 'late', and the key is Boolean"),
        ({"slice": {"place": "a"}}, "there is no key 'place' in `states`; the keys are ['site'"),
        ({"each": 3}, "`each` is 3; wanted names of keys"),
        ({"each": ["site", "site"]}, "wanted each key once"),
        ({"each": "site", "slice": {"site": "a"}}, "wanted each key once"),
        ({"each": "sight"}, "there is no key 'sight' in `states`"),
        ({"pos_label": 1.5}, "`pos_label` is 1.5; wanted a class"),
        ({"name": 3}, "`name` is 3; wanted a text"),
        ({"change_at_least": 0}, "it is about a change, and there is no `baseline`"),
        ({"metric": "roc_auc"}, "a metric of scores"),
        ({"metric": "n", "ci": 0.95}, "`ci` is of metrics, and 'n' is a number of rows"),
        ({"metric": "ks", "ci": 0.95}, "'ks' has no interval by a formula"),
        ({"ci": 0.9, "relative_change_at_least": 0}, "relative changes have no interval"),
        ({"metric": "fbeta(x)"}, "fbeta"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    with pytest.raises(cm.InputError, match="`expectations`, number 2") as error:
        cm.check(STATES, [FINE, FINE | change])
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "the list `expect` is empty"),
        ({}, "the list `expect` is None"),
        ({"expect": {}}, "the list `expect` is {}"),
        ("accuracy", "the list `expect` is 'accuracy'"),
        (None, "the list `expect` is None"),
        ({"expects": [FINE]}, "unknown key 'expects'; did you mean 'expect'?"),
        ({"level": 0.9, "expect": [FINE]}, "unknown key 'level'"),
        ([3], "number 1: 3 is no table of keys"),
        ([{"metric": "accuracy"}], "no bound is given; wanted one of at_least, at_most"),
        ({"min_n": "x", "expect": [FINE]}, "`min_n` is 'x'; wanted a number of rows"),
        ({"ci": 2, "expect": [FINE]}, "`ci` is 2; wanted a level"),
    ],
)
def test_lists_that_are_none_are_refused(given, message):
    with pytest.raises(cm.InputError) as error:
        cm.check(STATES, given)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "states", [STATES, STATES.lazy(), cm.evaluate(LOG, "y_true", "y_pred", by="site")]
)
def test_states_in_the_place_of_expectations_are_told_in_a_line(states):
    found = f"`expectations` is {type(states).__name__}; wanted a list of mappings"
    for given in ([FINE], {"expect": [FINE]}):
        with pytest.raises(cm.InputError) as error:
            cm.check(given, states)
        more = f", and `states` is {type(given).__name__}: states come first, expectations second"
        assert str(error.value) == found + more
    with pytest.raises(cm.InputError) as error:
        cm.check(STATES, states)
    assert str(error.value) == found


@pytest.mark.parametrize(
    "states", [3, None, LOG, LOG.lazy(), pl.DataFrame({"state": ["a"]}), {"state": [b""]}]
)
def test_states_that_are_none_are_refused(states):
    for given in ({"states": states}, {"states": STATES, "baseline": states}):
        if given.get("baseline", 0) is None:
            continue
        with pytest.raises(cm.InputError) as error:
            cm.check(expectations=[FINE], **given)
        assert f"`{list(given)[-1]}`" in str(error.value)


def test_bytes_that_are_no_state_are_refused():
    cut = STATES.with_columns(state=pl.Series([STATES["state"][0], STATES["state"][1][:-2]]))
    for given in ({"states": cut}, {"states": STATES, "baseline": cut}):
        of = f"`{list(given)[-1]}` at row 1 of 'state': wanted 117 bytes"
        with pytest.raises(cm.InputError, match=f"^{of}"):
            cm.check(expectations=[FINE], **given)


def test_slices_that_overlap_are_refused():
    both = STATES.with_columns(grouping=pl.lit("site"))
    with pytest.raises(cm.InputError, match="`states` has a column 'grouping'"):
        cm.check(both, [FINE])


@pytest.mark.parametrize(
    "value",
    [
        {"site": "a"},
        {"size": 1},
        {"size": 1.0},
        {"late": True},
        {"day": datetime.date(2024, 5, 1)},
        {"site": "a", "size": 1},
    ],
)
def test_values_of_every_type_name_slices(value):
    found = cm.check(STATES, [FINE | {"slice": value}])
    assert found.passed
    assert found.table()["n"].to_list() == [1]


def test_a_baseline_has_the_keys_too():
    models = STATES.with_columns(model=pl.lit("m"))
    change = [{"metric": "accuracy", "change_at_least": 0}]
    with pytest.raises(cm.InputError, match="there is no key 'model' in `baseline`"):
        cm.check(models, change, STATES)
    with pytest.raises(cm.InputError, match="there is no key 'day' in `baseline`"):
        cm.check(STATES, [change[0] | {"each": "day"}], cm.merge(STATES, by="site"))
