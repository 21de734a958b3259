"""A class that never occurs changes nothing, but for what `keep_empty` and positions say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.tables import POOL, SIZES, tables
from support.value_names import ASKED, FACTS, ORDERED, first, values

# Measures of ordered classes see positions, so that a class in between pushes others apart.
UNORDERED = tuple(asked for asked in ASKED if asked not in ORDERED)


def with_absent(stack, at):
    """Return the stack with an empty row and column before class `at`."""
    return np.insert(np.insert(stack, at, 0, axis=1), at, 0, axis=2)


def broken(asked, stack, at):
    left = values(asked, stack)
    right = values(asked, with_absent(stack, at), pos=0 if at else 1)
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    return first(f"{asked}, before {at}", stack, ~same, left, right)


@pytest.mark.parametrize("asked", UNORDERED)
def test_absent_class_changes_no_bit(asked):
    for k in SIZES:
        for at in (0, 1, k):
            assert broken(asked, POOL[k], at) is None


@given(table=tables(), data=st.data())
def test_absent_class_changes_no_bit_of_found_tables(table, data):
    at = data.draw(st.integers(0, len(table)))
    found = [broken(asked, table[None], at) for asked in UNORDERED]
    assert not [message for message in found if message]


@pytest.mark.parametrize("name", ORDERED)
def test_ordered_measures_see_a_gap(name):
    # At the end it moves nothing, but where the number of classes counts.
    assert (broken(name, POOL[3], 3) is None) == (not name.startswith("gwet_ac2"))
    assert broken(name, POOL[3], 1) is not None


def test_keep_empty_counts_the_absent_class_in():
    table = np.array([[3, 1, 0], [2, 4, 0], [0, 0, 0]])[None]
    for name in ("recall_macro", "eve", "gmcc"):
        assert values(name, table, keep_empty=True, undefined=0.0) != values(name, table)
    assert values("recall_macro", table, keep_empty=True, undefined=0.0)[0] == pytest.approx(
        (3 / 4 + 4 / 6 + 0) / 3, rel=1e-15
    )
    assert set(ORDERED) <= set(FACTS)
