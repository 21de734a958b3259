"""Every published and recomputed number under tests/vectors, from the core and from the class."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import confmat as cm
from confmat import _core
from confmat.options import Options

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = sorted((Path(__file__).parents[2] / "vectors").glob("*.toml"))
CASES = [case for path in FILES for case in tomllib.loads(path.read_text("utf-8"))["case"]]
IDS = [case["name"] for case in CASES]
FACTS = {name: fact for fact in _core.facts() for name in (fact["name"], *fact["aliases"])}
KEYS = {"name", "counts", "weights", "labels", "pos", "smoothing", "undefined", "rtol", "atol",
        "values", "vectors", "of_balanced", "source"}  # fmt: skip


def cells_of(case):
    if "weights" in case:
        return np.array(case["weights"], np.float64)
    return np.array(case["counts"], np.int64)


def labels_of(case):
    return case.get("labels", list(range(len(cells_of(case)))))


def close(got, wanted, case):
    if math.isnan(wanted) or math.isnan(got):
        return math.isnan(wanted) and math.isnan(got)
    # A printed digit may be off by its last half unit, and one bit.
    room = case.get("atol", 0.0) + case.get("rtol", 0.0) * abs(wanted) + 4e-16
    return got == wanted or abs(got - wanted) <= room


def off(got, case, section="values"):
    """Return what does not agree: name, got, wanted."""
    wanted = case[section]
    return [
        (name, value, wanted[name])
        for name, value in zip(wanted, got, strict=True)
        if not close(float(value), float(wanted[name]), case)
    ]


def options_of(case):
    return {key: case[key] for key in ("undefined", "smoothing") if key in case}


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_values_of_the_core(case):
    shown = [str(label) for label in labels_of(case)]
    asks = _core.Asks(list(case["values"]))
    got = asks.values(cells_of(case), shown, Options(case.get("pos", -1), **options_of(case)))
    assert off(got, case) == []


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_values_of_the_matrix(case):
    cells = cells_of(case)
    if sum(map(int, cells.flat)) >= 2**63:
        with pytest.raises(cm.InputError, match="64-bit"):
            cm.ConfusionMatrix(cells)
        return
    m = cm.ConfusionMatrix(cells, labels=labels_of(case)).smooth(case.get("smoothing", 0.0))
    asked = {"pos_label": m.labels[case["pos"]] if "pos" in case else None}
    if "undefined" in case:
        asked["undefined"] = case["undefined"]
    got = [m.value(name, **asked) for name in case["values"]]
    assert off(got, case) == []
    assert off(m.values(case["values"], **asked).values(), case) == []


@pytest.mark.parametrize(
    "case", [case for case in CASES if "vectors" in case], ids=lambda c: c["name"]
)
def test_vectors(case):
    for name, wanted in case["vectors"].items():
        got = getattr(_core, name)(cells_of(case))
        assert len(got) == len(wanted)
        pairs = zip(got, wanted, strict=True)
        assert all(close(float(one), float(two), case) for one, two in pairs), (name, got)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "of_balanced" in case], ids=lambda c: c["name"]
)
def test_values_of_the_balanced_matrix(case):
    m = cm.ConfusionMatrix(_core.balanced(cells_of(case)))
    assert off(m.values(case["of_balanced"]).values(), case, "of_balanced") == []


def test_every_value_name_has_a_vector():
    asked = {name.partition("(")[0] for case in CASES for name in case["values"]}
    tested = {FACTS[name]["name"] for name in asked if name in FACTS}
    assert {fact["name"] for fact in _core.facts()} - tested == set()


def test_no_case_says_what_no_test_reads():
    assert {key for case in CASES for key in case} <= KEYS
    assert all("rtol" in case or "atol" in case for case in CASES)
    assert len(set(IDS)) == len(IDS)
