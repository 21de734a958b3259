"""Tables of slices: any keys there and back, the same bytes in any order, hostile bytes."""

import itertools
import random
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from support.kept_tables import ASKED, SAVED, TABLES

import confmat as cm
from confmat.state_tables import merge_tables, read_table, subtract_tables, table_bytes

GOLDEN = Path(__file__).parents[2] / "state" / "v1"
each = pytest.mark.parametrize("name", TABLES)


def counts(*cells):
    """Return the state of a matrix of two classes."""
    return cm.ConfusionMatrix([cells[:2], cells[2:]]).to_bytes()


def table(rows, asked=ASKED, totals=None):
    """Return the table of rows (site, shift, state)."""
    frame = pl.DataFrame(
        rows, schema={"site": pl.String, "shift": pl.Int8, "state": pl.Binary}, orient="row"
    )
    return table_bytes(frame, asked, totals or {})


@each
def test_there_and_back(name):
    parts, asked, totals = TABLES[name]
    back, asked_back, totals_back = read_table(SAVED[name])
    keys = [column for column in parts.columns if parts[column].dtype != pl.Binary]
    wanted = parts.sort(keys, nulls_last=True) if keys else parts
    assert back.schema == parts.schema
    assert_frame_equal(back, wanted)
    assert (asked_back, totals_back) == (asked, totals)
    assert table_bytes(back, asked_back, totals_back) == SAVED[name]


@each
def test_golden_tables(name):
    """What was written must be readable for ever, and is written so until the version changes."""
    assert (GOLDEN / f"table_{name.replace(' ', '_')}.bin").read_bytes() == SAVED[name]


@each
def test_order_of_rows_is_nothing(name):
    parts, asked, totals = TABLES[name]
    assert table_bytes(parts.reverse(), dict(reversed(asked.items())), totals) == SAVED[name]


@each
def test_a_table_without_itself_counts_nothing(name):
    twice = merge_tables([SAVED[name], SAVED[name]])
    assert subtract_tables(twice, SAVED[name]) == SAVED[name]
    parts, _, totals = read_table(subtract_tables(SAVED[name], SAVED[name]))
    assert not any(totals.values())
    assert parts.height == TABLES[name][0].height
    if "state" in parts and parts.height:
        assert not any(cm.from_bytes(one).n for one in parts["state"].drop_nulls())


def test_rows_of_one_key_are_merged():
    rows = [("a", 1, counts(1, 2, 3, 4)), ("b", 1, None), ("a", 1, counts(1, 0, 0, 0))]
    parts, _, _ = read_table(table(rows))
    assert parts.rows() == [("a", 1, counts(2, 2, 3, 4)), ("b", 1, None)]


def test_equal_floats_are_one_key():
    keys = pl.Series([0.0, -0.0, float("nan"), -float("nan")])
    frame = pl.DataFrame({"key": keys, "state": [counts(1, 0, 0, 0)] * 4})
    parts, _, _ = read_table(table_bytes(frame, {}, {}))
    assert parts["key"].to_list()[0] == 0.0
    assert [cm.from_bytes(one).n for one in parts["state"]] == [2, 2]


_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "é", None]),
        st.sampled_from([1, 2, None]),
        st.one_of(st.none(), st.builds(counts, *[st.sampled_from([0, 1, 5, 300, 2**40])] * 4)),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(rows=_ROWS, cuts=st.lists(st.integers(0, 12), max_size=4), seed=st.integers(0, 99))
def test_any_split_and_order_give_the_same_bytes(rows, cuts, seed):
    whole = table(rows, totals={"n": len(rows)})
    shuffled = rows.copy()
    random.Random(seed).shuffle(shuffled)
    ends = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    days = [shuffled[a:b] for a, b in itertools.pairwise(ends)]
    tables = [table(day, totals={"n": len(day)}) for day in days]
    assert merge_tables(tables) == whole
    folded = tables[0]
    for one in tables[1:]:
        folded = merge_tables([one, folded])
    assert folded == whole
    assert (
        pl.Series(tables).cast(pl.Binary).to_frame("t").select(pl.col("t").cm.merge_states()).item()
        == whole
    )


def test_states_of_every_kind_add_within_tables():
    from support.kept_states import STATES

    beyond = "counts, negative labels"  # whose sum is beyond 64-bit integers
    kept = {name: one for name, one in STATES.items() if name != beyond}
    frame = pl.DataFrame({"key": list(kept), "state": [one.to_bytes() for one in kept.values()]})
    one = table_bytes(frame, {}, {})
    parts, _, _ = read_table(merge_tables([one, one]))
    for key, state in parts.rows():
        assert state == (kept[key] + kept[key]).to_bytes(), key


def test_what_differs_is_shown():
    one, rows = table([]), [("a", 1, counts(1, 0, 0, 0))]
    for other, words in (
        (
            table([], asked=ASKED | {"bins": 1024}),
            r'first: "bins":"unit"; in the second: "bins":1024',
        ),
        (table([], asked={}), r"in the second: nothing\)"),
        (
            table_bytes(pl.DataFrame(rows, ["site", "shift", "state"], orient="row"), ASKED, {}),
            r'keys differ \(site \["String"\], shift \["Int8"\]; .*shift \["Int64"\]\)',
        ),
    ):
        for act in (lambda a, b: merge_tables([a, b]), subtract_tables):
            with pytest.raises(cm.InputError, match=words):
                act(one, other)
    with pytest.raises(cm.InputError, match="nothing to merge"):
        merge_tables([])
    with pytest.raises(cm.InputError, match="holds NoneType at position 1"):
        merge_tables([one, None])


def test_slices_that_do_not_add_are_named():
    one = table([("a", 1, counts(1, 0, 0, 0))])
    text = table([("a", 1, cm.confusion_matrix(["x"], ["x"]).to_bytes())])
    with pytest.raises(cm.InputError, match="slice site=a, shift=1: cannot add: labels differ"):
        merge_tables([one, text])
    with pytest.raises(cm.InputError, match=r"slice site=a, shift=1: .*has 1 in the first and 2"):
        subtract_tables(one, merge_tables([one, one]))
    for other in (table([("b", 1, counts(1, 0, 0, 0))]), table([("a", None, counts(1, 0, 0, 0))])):
        with pytest.raises(cm.InputError, match="cannot subtract: it is in the second alone"):
            subtract_tables(one, other)
    with pytest.raises(cm.InputError, match="the total n is larger in the second"):
        subtract_tables(table([]), table([], totals={"n": 1}))
    with pytest.raises(cm.InputError, match="the total n is beyond 64-bit integers"):
        merge_tables([table([], totals={"n": 2**62})] * 2)


@pytest.mark.parametrize(
    ("key", "found"),
    [
        (pl.Series([[1]]), r"List\(Int64\)"),
        (pl.Series([{"a": 1}]), "Struct"),
        (pl.Series(["1.5"]).cast(pl.Decimal(10, 2)), "Decimal"),
        (pl.Series([1], dtype=pl.Int128), "Int128"),
    ],
)
def test_other_keys_are_refused(key, found):
    frame = pl.DataFrame({"key": key, "state": [counts(1, 0, 0, 0)]})
    with pytest.raises(cm.InputError, match=f"the key 'key' is {found}.*; wanted integers"):
        table_bytes(frame, {}, {})


def test_bad_arguments_are_refused():
    good = pl.DataFrame({"state": [counts(1, 0, 0, 0)]})
    for parts, asked, totals, words in (
        (good.lazy(), {}, {}, "`parts` is LazyFrame"),
        (pl.DataFrame({"a": [1]}), {}, {}, "no Binary column of states"),
        (good, {"a": {1}}, {}, "`asked` is nothing that JSON holds"),
        (good, {"a": float("nan")}, {}, "`asked` is nothing that JSON holds"),
        (good, {"a": "\ud800"}, {}, "`asked` is nothing that JSON holds"),
        (good, {}, {"n": 1.5}, "`totals` holds 1.5 as 'n'"),
        (good, {}, {"n": 2**63}, "`totals` holds 9223372036854775808 as 'n'; wanted 0 to"),
        (good, {}, {"n": -1}, "`totals` holds -1 as 'n'; wanted 0 to"),
    ):
        with pytest.raises(cm.InputError, match=words):
            table_bytes(parts, asked, totals)
    inner = table_bytes(good, {}, {})
    for state, words in (
        (b"nothing", "not a saved state"),
        (inner, "a table lies within a table"),
        (b"", "no bytes"),
        (counts(1, 0, 0, 0)[:-1], "as the header says"),
    ):
        with pytest.raises(cm.StateError, match=words):
            table_bytes(pl.DataFrame({"state": [state]}), {}, {})


def test_tables_are_no_states_of_rows():
    data = table([])
    with pytest.raises(cm.StateError, match="a table of slices that is no evaluation"):
        cm.from_bytes(data)
    with pytest.raises(cm.StateError, match="these bytes are a saved table of slices"):
        cm.ConfusionMatrix.from_bytes(data)
    with pytest.raises(cm.StateError, match="not a saved table of slices"):
        read_table(counts(1, 0, 0, 0))
    with pytest.raises(cm.InputError, match="ConfusionMatrix and Evaluation"):
        cm.merge([data, counts(1, 0, 0, 0)])
    frame = pl.DataFrame({"state": [data]})
    with pytest.raises(Exception, match=r"a state of slices, .*: it has none by name"):
        frame.select(pl.col("state").cm.state_metrics(["mcc"]))
