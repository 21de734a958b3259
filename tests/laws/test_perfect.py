"""A diagonal table reaches the best end of the range, where the row declares that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.tables import SIZES
from support.value_names import ASKED, NAMES, fact_of, first, values, variants


def diagonals(k):
    """Return diagonal tables with every class present: even, uneven, large."""
    sizes = np.random.default_rng(k).integers(2, 10**6, (20, k))
    return np.array([np.diag(line) for line in [*sizes, [2] * k, [2**40] * k]])


def best(asked):
    fact = fact_of(asked)
    return fact["hi"] if fact["better"] == "higher" else fact["lo"]


def broken(asked, stack):
    found = values(asked, stack)
    return first(asked, stack, ~np.isclose(found, best(asked), rtol=1e-14, atol=1e-14), found)


# Pairs of rows are counted, and weights that are no whole numbers are no rows.
OF_PAIRS = ("rand", "adjusted_rand", "pair_jaccard", "pair_fowlkes_mallows")
DECLARED = tuple(asked for asked in ASKED if fact_of(asked)["perfect_is_best"])


@pytest.mark.parametrize("asked", DECLARED)
def test_declared_holds(asked):
    for k in SIZES:
        assert broken(asked, diagonals(k)) is None
        if fact_of(asked)["base"] not in OF_PAIRS:
            assert broken(asked, diagonals(k) * 0.37) is None


@given(sizes=st.lists(st.integers(2, 2**40), min_size=2, max_size=6))
def test_declared_holds_for_found_tables(sizes):
    found = [broken(asked, np.diag(sizes)[None]) for asked in DECLARED]
    assert not [message for message in found if message]


@pytest.mark.parametrize("name", [name for name in NAMES if not fact_of(name)["perfect_is_best"]])
def test_undeclared_has_a_counter_example(name):
    neither = fact_of(name)["better"] == "neither"
    assert neither or any(broken(asked, diagonals(k)) for asked in variants(name) for k in SIZES)


@pytest.mark.parametrize("asked", DECLARED)
def test_a_declared_best_end_exists(asked):
    assert fact_of(asked)["better"] in ("higher", "lower")
