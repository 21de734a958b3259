"""Averages are means of what the class metric gives: over classes, pairs of classes, or pooled."""

import numpy as np
import pytest
from hypothesis import given
from laws.tables import POOL, SIZES, tables
from support.value_names import ASKED, fact_of, n_used, values

from confmat import _core

AVERAGES = tuple(asked for asked in ASKED if fact_of(asked)["level"] == "average")
# Means without facts of their own, and what they are; `x` holds the defined values.
MEANS = {
    "harmonic": lambda x: 0.0 if 0 in x else len(x) / np.sum(1 / x),
    "geometric": lambda x: np.prod(x) ** (1 / len(x)),
    "quadratic": lambda x: np.sqrt(np.mean(x**2)),
    "min": np.min,
    "max": np.max,
    "power(3)": lambda x: np.mean(x**3) ** (1 / 3),
    "power(-2)": lambda x: 0.0 if 0 in x else np.mean(x**-2.0) ** -0.5,
    "power": np.mean,
}
# What an exponent of the power mean stands for.
NAMED = {
    "-1": "harmonic",
    "0": "geometric",
    "1": "macro",
    "2": "quadratic",
    "-inf": "min",
    "inf": "max",
}


def class_name(asked):
    """Return the class metric behind an average: "fbeta(2)" for "fbeta_macro(2)"."""
    _, bracket, params = asked.partition("(")
    return fact_of(asked)["base"] + bracket + params


def kept(table):
    """Return the table without classes that are absent from both sides."""
    present = (table.sum(axis=0) + table.sum(axis=1)) > 0
    return table[np.ix_(present, present)]


def pooled(table):
    """Return the 2 x 2 table of the one-vs-rest cells summed, positive first."""
    tp = np.trace(table)
    wrong = table.sum() - tp
    return np.array([[tp, wrong], [wrong, len(table) * table.sum() - tp - 2 * wrong]])


def expected(asked, table):
    """Return the mean, and how many values are in it, by the definition."""
    table, name, average = kept(table), class_name(asked), fact_of(asked)["average"]
    k = len(table)
    if k == 0:
        return np.nan, 0
    if average == "micro":
        value = values(name, pooled(table)[None])[0]
        return value, 0 if np.isnan(value) else k
    if average == "ovo":
        pairs = [[i, j] for i in range(k) for j in range(k) if i != j]
        found = np.array([values(name, table[np.ix_(p, p)][None])[0] for p in pairs])
        defined = found[~np.isnan(found)]
        return (defined.mean() if len(defined) else np.nan), len(defined)
    found = np.array([values(name, table[None], pos=i)[0] for i in range(k)])
    defined, support = found[~np.isnan(found)], table.sum(axis=1)[~np.isnan(found)]
    if average == "macro":
        return (defined.mean() if len(defined) else np.nan), len(defined)
    counted = support > 0
    if not counted.any():
        return np.nan, len(defined)
    return np.average(defined[counted], weights=support[counted]), len(defined)


def broken(asked, table):
    wanted, used = expected(asked, table)
    value, said = values(asked, table[None])[0], n_used(asked, table)
    # An infinite value makes every mean infinite; its size is tested with the class metric.
    if np.isclose(value, wanted, rtol=1e-12, atol=1e-14, equal_nan=True) and said == used:
        return None
    return f"{asked} of {table.tolist()}: {value} of {said}, wanted {wanted} of {used}"


@pytest.mark.parametrize("asked", AVERAGES)
def test_average(asked):
    for k in SIZES:
        for table in POOL[k][:17]:
            assert broken(asked, table) is None


@given(table=tables(sizes=[2, 3, 4]))
def test_average_of_found_tables(table):
    found = [broken(asked, table) for asked in AVERAGES]
    assert not [message for message in found if message]


@pytest.mark.parametrize("suffix", MEANS)
@pytest.mark.parametrize("name", ["precision", "f1", "gmean", "phi_four"])
def test_means_without_facts_of_their_own(name, suffix):
    for table in POOL[4][1:]:
        table = kept(table)
        found = np.array([values(name, table[None], pos=i)[0] for i in range(len(table))])
        defined = found[~np.isnan(found)]
        wanted = MEANS[suffix](defined) if len(defined) else np.nan
        # Where the first parameter is the metric's own the exponent is named.
        asked = f"{name}_{suffix}".replace("(", "(mean_p=" if name == "phi_four" else "(")
        value = values(asked, table[None])[0]
        assert np.isclose(value, wanted, rtol=1e-12, atol=1e-15, equal_nan=True), table.tolist()


@pytest.mark.parametrize("name", ["precision", "f1_negative", "tversky", "lift", "lr_positive"])
@pytest.mark.parametrize("p", NAMED)
def test_power_means_are_those_that_have_names(name, p):
    own = "0.3,2," if name == "tversky" else ""
    of_row = f"({own[:-1]})" if own else ""
    for table in POOL[4][1:]:
        one, other = f"{name}_power({own}{p})", f"{name}_{NAMED[p]}{of_row}"
        found = [values(asked, table[None], undefined=fill)[0].tobytes()
                 for asked in (one, other) for fill in (None, 0.5)]  # fmt: skip
        assert found[:2] == found[2:], table.tolist()
        assert n_used(one, table) == n_used(other, table)


@pytest.mark.parametrize("asked", [asked for asked in AVERAGES if "_macro" in asked])
@pytest.mark.parametrize("x", [0.0, 1.0])
def test_undefined_is_replaced_before_averaging(asked, x):
    for table in POOL[4][1:]:
        table = kept(table)
        each = [
            values(class_name(asked), table[None], i, undefined=x)[0] for i in range(len(table))
        ]
        value = values(asked, table[None], undefined=x)[0]
        assert np.isclose(value, np.mean(each), rtol=1e-12, atol=1e-15), table.tolist()


@pytest.mark.parametrize("asked", ASKED)
def test_per_class_is_the_value_of_each_class(asked):
    table = POOL[4][7]
    parsed = _core.Asks([asked])
    if fact_of(asked)["level"] != "class":
        with pytest.raises(ValueError, match="per class"):
            parsed.per_class(table)
        return
    each = [values(asked, table[None], pos=i)[0] for i in range(4)]
    assert parsed.per_class(table)[:, 0].tobytes() == np.array(each).tobytes()
