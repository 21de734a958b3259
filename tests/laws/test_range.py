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


def ramps(k, power):
    """Return the table of weights in which a coefficient of ordered classes is least.

    Nothing is gained by rows off the other diagonal. There the denominator is convex in the sizes
    of the classes, so these are linear in how far they lie apart; how steep they are is tried.
    """
    far = np.abs(2 * np.arange(k) - (k - 1.0)) ** power
    tried = []
    for at in np.unique(far):
        sizes = np.maximum(far - at * (1 - 1e-9), 0)
        tried.append(np.fliplr(np.diag(sizes / sizes.sum())))
    return np.stack(tried)


@pytest.mark.parametrize(
    ("name", "power", "least", "low"),
    [
        ("gwet_ac2_linear", 1, lambda k: (1 - 2 * k) / (k + 1), -1.53),
        ("gwet_ac2_quadratic", 2, lambda k: (7 - 5 * k) / (k + 1), -3.18),
    ],
)
def test_weighted_agreement_nears_its_least(name, power, least, low):
    assert values(name, np.array([[[0, 1], [1, 0]]]))[0] == least(2) == -1
    found = {k: values(name, ramps(k, power)).min() for k in (3, 10, 100)}
    assert all(least(k) < value for k, value in found.items())
    assert found[100] < low  # in tables of very many classes it nears the end of the range
    for k in SIZES:
        assert np.nanmin(values(name, POOL[k])) >= least(k)


@pytest.mark.parametrize("name", ["cen", "mcen"])
def test_confusion_entropy_reaches_its_most(name):
    share = 2 / np.e if name == "cen" else 1
    errors = share * np.eye(2)[::-1] + (1 - share) * np.eye(2)
    assert values(name, errors[None])[0] == pytest.approx(fact_of(name)["hi"], rel=1e-14)
    for k in (3, 4, 20):
        assert values(name, (1 - np.eye(k))[None])[0] == pytest.approx(1, rel=1e-14)


def test_the_rand_index_of_counts_is_at_least_a_half_below_0():
    small = np.indices((3,) * 9).reshape(9, -1).T.reshape(-1, 3, 3)
    assert np.nanmin(values("adjusted_rand", small)) == -0.5
    assert values("adjusted_rand", np.array([[[1.4, 0.2], [0.3, 0.0]]]))[0] < -0.5  # of weights
