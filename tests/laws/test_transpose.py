"""Exchange of truth and prediction: a metric stays, becomes its partner, or visibly neither."""

import pytest
from hypothesis import given
from laws.tables import POOL, SIZES, WEIGHTED, tables
from support.value_names import ASKED, NAMES, differ, fact_of, first, values, variants


def partner(asked):
    """Return the name that `asked` becomes, or None when nothing is declared."""
    fact = fact_of(asked)
    return asked if fact["transpose_invariant"] else fact["transpose_partner"] or None


def broken(asked, stack):
    left, right = values(asked, stack), values(partner(asked), stack.swapaxes(1, 2))
    return first(asked, stack, differ(asked, left, right, stack.shape[1]), left, right)


DECLARED = tuple(filter(partner, ASKED))


@pytest.mark.parametrize("asked", DECLARED)
def test_declared_holds(asked):
    for k in SIZES:
        assert broken(asked, POOL[k]) is None
        assert broken(asked, WEIGHTED[k]) is None


@given(table=tables())
def test_declared_holds_for_found_tables(table):
    found = [broken(asked, table[None]) for asked in DECLARED]
    assert not [message for message in found if message]


# What the exchange does to it in a pair of classes the other order of these undoes.
OF_PAIRS = ("adjusted_f_ovo",)


@pytest.mark.parametrize("name", [n for n in NAMES if not partner(n) and n not in OF_PAIRS])
def test_undeclared_has_a_counter_example(name):
    assert any(
        differ(asked, values(asked, POOL[k]), values(asked, POOL[k].swapaxes(1, 2)), k).any()
        for asked in variants(name)
        for k in SIZES
    )


@pytest.mark.parametrize("name", [name for name in NAMES if fact_of(name)["transpose_partner"]])
def test_a_metric_with_a_partner_is_not_invariant(name):
    assert any(
        differ(name, values(name, POOL[k]), values(name, POOL[k].swapaxes(1, 2)), k).any()
        for k in SIZES
    )
