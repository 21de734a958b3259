"""Lattices: what the rows of every grouping, evaluated apart, give."""

from itertools import combinations

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given, settings
from polars.testing import assert_frame_equal
from support.cubes import evaluated_apart

import confmat as cm
from confmat.slices.lattice import groupings_of, lattice

BY = ["site", "shift"]
LOG = pl.DataFrame(
    {
        "model": ["m", "m", "n", "n", "m", "m", "n", "n"],
        "site": ["a", "a", "a", "b", "b", None, None, "b"],
        "shift": [1, 2, 1, 1, 2, None, 1, None],
        "y": [0, 1, 2, 0, 1, 1, 0, 2],
        "p": [0, 1, 1, 0, 0, 1, 0, None],
        "t": [0, 1, 1, 0, 1, 1, 0, 0],
        "s": [0.1, 0.9, 0.4, 0.4, 0.3, 0.8, 0.5, 0.2],
    }
)
METRICS = ["accuracy", "mcc", "f1_macro"]
PARTS = cm.partial(LOG, y_true="y", y_pred="p", by=["model", *BY])


def of(frame: pl.DataFrame, keys: list[str] = BY, **options: object) -> pl.DataFrame:
    parts = cm.partial(frame, y_true="y", y_pred="p", by=keys)
    return cm.finish(lattice(parts, keys, **options), METRICS)


def test_a_cube_is_what_evaluate_gives() -> None:
    found = of(LOG, cube=True)
    wanted = LOG.cm.evaluate("y", "p", by=BY, metrics=METRICS, cube=True)
    assert_frame_equal(found, wanted, check_exact=True)


@pytest.mark.parametrize(
    ("options", "groupings"),
    [
        ({}, [("site", "shift")]),
        ({"cube": True}, [("site", "shift"), ("site",), ("shift",), ()]),
        ({"depth": 2}, [("site", "shift"), ("site",), ("shift",), ()]),
        ({"depth": 1}, [("site",), ("shift",), ()]),
        ({"depth": 0}, [()]),
        ({"depth": 9}, [("site", "shift"), ("site",), ("shift",), ()]),
        ({"grouping_sets": [[], ["shift"]]}, [(), ("shift",)]),
        ({"grouping_sets": ["site", ["shift", "site"]]}, [("site",), ("site", "shift")]),
    ],
)
def test_groupings_are_those_of_the_rows(options: dict, groupings: list) -> None:
    assert list(groupings_of(tuple(BY), **options)) == groupings
    wanted = evaluated_apart(LOG, BY, groupings, y_true="y", y_pred="p", metrics=METRICS)
    assert_frame_equal(of(LOG, **options), wanted, check_exact=True)


def test_each_slice_is_the_matrix_of_its_rows() -> None:
    parts = cm.partial(LOG, y_true="y", y_pred="p", by=BY)
    for row in lattice(parts, BY, cube=True).iter_rows(named=True):
        held = [] if row["grouping"] == "all" else row["grouping"].split(", ")
        inside = [pl.col(key).eq_missing(pl.lit(row[key])) for key in held]
        rows = LOG.filter(inside) if inside else LOG
        wanted = cm.confusion_matrix(rows["y"], rows["p"])
        assert cm.from_bytes(row["state"]) == wanted
        assert row["state"] == wanted.to_bytes()


def test_models_are_not_merged_unless_asked() -> None:
    apart = lattice(PARTS, BY, cube=True)
    assert apart.columns == ["model", *BY, "grouping", "state"]
    for model in ("m", "n"):
        one = cm.finish(apart.filter(model=model).drop("model"), METRICS)
        assert_frame_equal(one, of(LOG.filter(model=model), cube=True), check_exact=True)
    together = lattice(PARTS, BY, cube=True, within=[])
    assert_frame_equal(cm.finish(together, METRICS), of(LOG, cube=True), check_exact=True)
    assert lattice(PARTS, ["site"], within=["shift"], depth=1).columns[:2] == ["shift", "site"]
    assert lattice(PARTS, ["model"], depth=0)["grouping"].to_list() == ["all"]


def test_scores_beside_classes() -> None:
    parts = cm.partial(LOG, y_true="t", y_pred="p", y_score="s", by=BY, bins=None)
    found = cm.finish(lattice(parts, BY, cube=True), ["accuracy", "roc_auc"])
    wanted = LOG.cm.evaluate("t", "p", "s", by=BY, metrics=["accuracy", "roc_auc"], cube=True)
    assert_frame_equal(found, wanted, check_exact=True)


def test_rows_of_one_slice_are_merged_first() -> None:
    days = [cm.partial(LOG[i::3], y_true="y", y_pred="p", by=BY) for i in range(3)]
    assert_frame_equal(lattice(pl.concat(days), BY, cube=True), lattice(
        cm.partial(LOG, y_true="y", y_pred="p", by=BY), BY, cube=True
    ))  # fmt: skip


def test_lattices_of_several_days_finish_as_one() -> None:
    days = [
        lattice(cm.partial(LOG[i::2], y_true="y", y_pred="p", by=BY), BY, cube=True)
        for i in range(2)
    ]
    both = cm.finish(pl.concat(days), METRICS)
    assert_frame_equal(both, of(LOG, cube=True), check_exact=True)
    merged = cm.finish(cm.merge(pl.concat(days)), METRICS)
    assert_frame_equal(merged, both, check_row_order=False, check_exact=True)


def test_small_slices_show_their_counts_alone() -> None:
    parts = cm.partial(LOG, y_true="y", y_pred="p", by=BY)
    found = cm.finish(lattice(parts, BY, cube=True), METRICS, min_n=3, reasons=True)
    wanted = LOG.cm.evaluate("y", "p", by=BY, metrics=METRICS, cube=True, min_n=3, reasons=True)
    assert_frame_equal(found, wanted, check_exact=True)
    small = found.filter(pl.col("n") < 3)
    assert small["mcc"].null_count() == small.height > 0
    assert set(small["reasons"].struct.field("mcc")) == {"n is below min_n = 3"}


def test_parts_without_rows() -> None:
    parts = cm.partial(LOG.clear(), y_true="y", y_pred="p", by=BY)
    assert lattice(parts, BY).is_empty()
    assert lattice(parts, BY, depth=1)["grouping"].to_list() == ["all"]
    assert lattice(parts, BY, depth=1).schema == lattice(PARTS, BY, depth=1, within=[]).schema


def test_more_values_than_one_code_holds() -> None:
    keys = [f"k{i}" for i in range(12)]
    values = {key: [(i * 7919 * (at + 1)) % 997 for i in range(997)] for at, key in enumerate(keys)}
    frame = pl.DataFrame(values).with_columns(y=pl.col("k0") % 3, p=pl.col("k1") % 2)
    sets = [keys, keys[3:11], keys[:1], []]
    found = of(frame, keys, grouping_sets=sets)
    wanted = evaluated_apart(frame, keys, sets, y_true="y", y_pred="p", metrics=METRICS)
    assert_frame_equal(found, wanted, check_exact=True)


VALUES = st.sampled_from([None, "a", "b", "\N{SNOWMAN}"])
ROWS = st.lists(st.tuples(VALUES, VALUES, st.booleans(), *[st.integers(0, 3)] * 2), max_size=30)


@settings(max_examples=40, deadline=None)
@given(ROWS, st.data())
def test_random_frames(rows: list, data: st.DataObject) -> None:
    keys = ["u", "v", "w"]
    schema = dict.fromkeys(keys[:2], pl.String) | {"w": pl.Boolean, "y": pl.Int8, "p": pl.Int8}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    every = [of for size in range(4) for of in combinations(keys, size)]
    sets = data.draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    found = of(frame, keys, grouping_sets=sets)
    wanted = evaluated_apart(frame, keys, sets, y_true="y", y_pred="p", metrics=METRICS)
    if not rows:  # of no rows no states are kept
        wanted = wanted.with_columns(pl.col(METRICS).cast(pl.Float64))
        found = found.with_columns(pl.col("n").fill_null(0))
    assert_frame_equal(found, wanted, check_exact=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lattice(PARTS, "sites"), "`by` has the key 'sites', and `parts` has"),
        (lambda: lattice(PARTS, []), "`by` is empty"),
        (lambda: lattice(PARTS, ["site", "site"]), "`by` names a key twice"),
        (lambda: lattice(PARTS, BY, within="site"), "`within` and `by` have the key 'site' both"),
        (lambda: lattice(PARTS, BY, within="day"), "`within` has the key 'day'"),
        (lambda: lattice(PARTS, BY, cube=True, depth=1), "`cube` and `depth` are both given"),
        (lambda: lattice(PARTS, BY, depth=-1), "`depth` is -1"),
        (lambda: lattice(PARTS, BY, depth=True), "`depth` is True"),
        (lambda: lattice(PARTS, BY, grouping_sets=[]), "`grouping_sets` is empty"),
        (lambda: lattice(PARTS, BY, grouping_sets="site"), "`grouping_sets` is 'site'"),
        (lambda: lattice(PARTS, BY, grouping_sets=3), "`grouping_sets` is 3"),
        (lambda: lattice(PARTS, BY, grouping_sets=[["day"]]), "`grouping_sets` has 'day'"),
        (
            lambda: lattice(PARTS, BY, grouping_sets=[["site"], "site"]),
            r"`grouping_sets` has \['site'\] twice",
        ),
        (lambda: lattice(PARTS.lazy(), BY), "`parts` is LazyFrame"),
        (lambda: lattice(LOG, BY), "no Binary column 'state'"),
        (lambda: lattice(lattice(PARTS, BY), BY), "`parts` has a column 'grouping'"),
    ],
)
def test_what_is_refused(call: object, message: str) -> None:
    with pytest.raises(cm.InputError, match=message):
        call()


def test_bytes_that_are_no_state_are_named() -> None:
    parts = PARTS.with_columns(
        state=pl.when(pl.int_range(pl.len()) == 2)
        .then(pl.lit(b"no state at all"))
        .otherwise("state")
    )
    with pytest.raises(cm.StateError, match="`states` at row 2 of 'state'"):
        lattice(parts, BY, cube=True)


def test_states_that_cannot_be_added_are_refused() -> None:
    texts = cm.partial(LOG.with_columns(pl.col("y", "p").cast(pl.String)), y_true="y", y_pred="p",
                       by=BY)  # fmt: skip
    both = pl.concat([texts, cm.partial(LOG, y_true="y", y_pred="p", by=BY)])
    with pytest.raises(cm.InputError, match=r"labels differ .text labels .* and int labels"):
        lattice(both, BY, depth=0)
