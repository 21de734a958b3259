"""A value lies in the range that its row declares, ends included, or is undefined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.tables import POOL, SIZES, WEIGHTED, tables
from support.value_names import ASKED, fact_of, first, values


def broken(asked, stack):
    fact, found = fact_of(asked), values(asked, stack)
    return first(asked, stack, (found < fact["lo"]) | (found > fact["hi"]), found)


@pytest.mark.parametrize("asked", ASKED)
def test_range(asked):
    for k in SIZES:
        assert broken(asked, POOL[k]) is None
        assert broken(asked, WEIGHTED[k]) is None


@given(table=tables())
def test_range_of_found_tables(table):
    found = [broken(asked, table[None]) for asked in ASKED]
    assert not [message for message in found if message]


@given(table=tables(st.integers(0, 9)), factor=st.floats(1e-300, 1e300))
def test_range_of_weights_of_any_size(table, factor):
    found = [broken(asked, (table * factor)[None]) for asked in ASKED]
    assert not [message for message in found if message]


@pytest.mark.parametrize("asked", ASKED)
def test_zeros_and_nans_have_one_form(asked):
    for k in SIZES:
        found = values(asked, POOL[k])
        assert not np.signbit(found[found == 0]).any()
        assert not np.signbit(found[np.isnan(found)]).any()
