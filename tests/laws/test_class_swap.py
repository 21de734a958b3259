"""Two classes swapped: a metric about the positive class becomes its partner about the other."""

import pytest
from hypothesis import given
from laws.tables import POOL, WEIGHTED, tables
from support.value_names import NAMES, differ, fact_of, first, values, variants, where

CLASS = where(level="class")


def partner(asked):
    return fact_of(asked)["swap_partner"]


def broken(asked, stack):
    """Compare the metric of class 0 with its partner of class 1."""
    bare, bracket, params = asked.partition("(")
    twin = partner(asked) + (bracket + params if partner(asked) == bare else "")
    left, right = values(asked, stack, pos=0), values(twin, stack, pos=1)
    return first(asked, stack, differ(asked, left, right, 2), left, right)


DECLARED = tuple(filter(partner, CLASS))


@pytest.mark.parametrize("asked", DECLARED)
def test_declared_holds(asked):
    assert broken(asked, POOL[2]) is None
    assert broken(asked, WEIGHTED[2]) is None


@given(table=tables(sizes=[2]))
def test_declared_holds_for_found_tables(table):
    found = [broken(asked, table[None]) for asked in DECLARED]
    assert not [message for message in found if message]


@pytest.mark.parametrize("name", [name for name in NAMES if name in CLASS and not partner(name)])
def test_undeclared_has_a_counter_example(name):
    stack = POOL[2]
    assert any(
        differ(asked, values(asked, stack, pos=0), values(asked, stack, pos=1), 2).any()
        for asked in variants(name)
    )


@pytest.mark.parametrize("name", DECLARED)
def test_partners_are_mutual(name):
    bare = name.partition("(")[0]
    assert partner(partner(name)) == bare
