"""Undefined is nan with a reason, and `undefined=x` takes its place; a number needs no excuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.tables import POOL, SIZES, WEIGHTED, tables
from support.value_names import ASKED, fact_of, first, reason, values


def excused(asked, value, k):
    """Return whether a number may carry a reason: a degenerate or hidden determinant."""
    zero = -np.inf if asked == "log_abs_gmcc" else 0.0
    base = fact_of(asked)["base"]
    return base in DEGENERATE and (k > 2 or base == "gmcc_mean") and value == zero


DEGENERATE = ("gmcc", "gmcc_root", "log_abs_gmcc", "gmcc_mean")


def broken(asked, table):
    value, said = values(asked, table[None])[0], reason(asked, table)
    if np.isnan(value) and not said:
        return f"{asked} of {table.tolist()} is nan without a reason"
    if not np.isnan(value) and said is not None and not excused(asked, value, len(table)):
        return f"{asked} of {table.tolist()} is {value} and yet: {said}"
    hidden = fact_of(asked)["base"] == "gmcc_mean" and said == "singular to working precision"
    if not np.isnan(value) and said and not said.startswith("degenerate class") and not hidden:
        return f"{asked} of {table.tolist()} is {value}: {said}"
    return None


@pytest.mark.parametrize("asked", ASKED)
def test_nan_if_and_only_if_there_is_a_reason(asked):
    for k in SIZES:
        for table in (*POOL[k][:26], *WEIGHTED[k][:18]):
            assert broken(asked, table) is None


@given(table=tables(st.integers(0, 3)))
def test_nan_if_and_only_if_there_is_a_reason_for_found_tables(table):
    found = [broken(asked, table) for asked in ASKED]
    assert not [message for message in found if message]


def misplaced(asked, stack, x):
    """Return the first table where `undefined=x` does not act as it says."""
    plain, given_x = values(asked, stack), values(asked, stack, undefined=x)
    bad = np.isnan(given_x)
    if fact_of(asked)["level"] == "class":
        bad |= given_x != np.where(np.isnan(plain), x, plain)
    return first(f"{asked}, undefined={x}", stack, bad, plain, given_x)


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("x", [0.0, 0.25, 1.0])
def test_undefined_replaces(asked, x):
    for k in SIZES:
        assert misplaced(asked, POOL[k], x) is None


@pytest.mark.parametrize("asked", ASKED)
def test_undefined_changes_no_table_without_an_undefined_class(asked):
    full = {k: stack[stack.min(axis=(1, 2)) > 0] for k, stack in POOL.items()}
    for k in SIZES:
        assert len(full[k])
        plain, given_x = values(asked, full[k]), values(asked, full[k], undefined=7.0)
        defined = ~np.isnan(plain)
        assert first(asked, full[k], (plain != given_x) & defined, plain, given_x) is None


@pytest.mark.parametrize("asked", ASKED)
def test_an_empty_table_has_no_value(asked):
    empty = np.zeros((3, 3), np.int64)
    sized = fact_of(asked)["undefined"] == "never"
    assert values(asked, empty[None])[0] == 0 if sized else np.isnan(values(asked, empty[None])[0])


@pytest.mark.parametrize("asked", ASKED)
def test_every_reason_can_be_met(asked):
    """A row that says when it is undefined is undefined for some table of the pool."""
    ever = any(np.isnan(values(asked, POOL[k])).any() for k in SIZES)
    assert ever is (fact_of(asked)["undefined"] != "never")
