"""Names of classes carry no meaning: permuting the classes changes nothing where that is declared.

A metric about one class stays what it is when its class keeps being the positive one.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.tables import POOL, SIZES, tables
from support.value_names import ASKED, NAMES, differ, fact_of, first, values, variants


def is_class(asked):
    return fact_of(asked)["level"] == "class"


def broken(asked, stack, order):
    """Return the first table whose value changes when its classes are put in another order."""
    k = len(order)
    moved = stack[:, order][:, :, order]
    pos = order.index(0) if is_class(asked) else 0
    left, right = values(asked, stack), values(asked, moved, pos=pos)
    return first(asked, stack, differ(asked, left, right, k), left, right)


def invariant(asked):
    return fact_of(asked)["relabel_invariant"] or is_class(asked)


def orders(k):
    rng = np.random.default_rng(k)
    return [[*range(1, k), 0], *(rng.permutation(k).tolist() for _ in range(2))]


DECLARED = tuple(filter(invariant, ASKED))


@pytest.mark.parametrize("asked", DECLARED)
def test_declared_holds(asked):
    for k in SIZES:
        for order in orders(k):
            assert broken(asked, POOL[k], order) is None


@given(table=tables(), data=st.data())
def test_declared_holds_for_found_tables(table, data):
    order = data.draw(st.permutations(range(len(table))))
    found = [broken(asked, table[None], list(order)) for asked in DECLARED]
    assert not [message for message in found if message]


# All rows are all rows of every class.
VARIANT = [n for n in NAMES if not fact_of(n)["relabel_invariant"] and n != "population"]


@pytest.mark.parametrize("name", VARIANT)
def test_undeclared_has_a_counter_example(name):
    def changes(asked, k, order):
        left = values(asked, POOL[k])
        right = values(asked, POOL[k][:, order][:, :, order])
        return differ(asked, left, right, k).any()

    assert any(
        changes(asked, k, order) for asked in variants(name) for k in SIZES for order in orders(k)
    )
