"""Weights have no unit: multiplying every cell changes nothing, where that is declared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.tables import POOL, SIZES, tables
from support.value_names import NAMES, differ, fact_of, first, values, variants, where

DECLARED = where(scale_invariant=True)
FACTORS = (3, 2.0**-60, 2.0**300, 0.1, 1e-7)


def broken(asked, stack, factor):
    left, right = values(asked, stack), values(asked, stack * factor)
    return first(f"{asked} x {factor}", stack, differ(asked, left, right, stack.shape[1]), left,
                 right)  # fmt: skip


@pytest.mark.parametrize("asked", DECLARED)
def test_declared_holds(asked):
    for k in SIZES:
        for factor in FACTORS:
            assert broken(asked, POOL[k], factor) is None


@given(table=tables(st.integers(0, 99)), factor=st.floats(1e-9, 1e9))
def test_declared_holds_for_found_tables(table, factor):
    found = [broken(asked, table[None], factor) for asked in DECLARED]
    assert not [message for message in found if message]


@pytest.mark.parametrize("name", [name for name in NAMES if not fact_of(name)["scale_invariant"]])
def test_undeclared_has_a_counter_example(name):
    assert any(
        differ(asked, values(asked, POOL[k]), values(asked, POOL[k] * 3), k).any()
        for asked in variants(name)
        for k in SIZES
    )


@pytest.mark.parametrize("name", ["tp", "fp", "fn", "tn", "support"])
def test_sizes_scale_with_the_weights(name):
    for k in SIZES:
        left, right = values(name, POOL[k]) * 0.37, values(name, POOL[k] * 0.37)
        assert np.allclose(left, right, rtol=1e-14, atol=0), first(
            name, POOL[k], ~np.isclose(left, right, rtol=1e-14, atol=0), left, right
        )
