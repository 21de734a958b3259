"""Every published and recomputed number of regressions, and that every metric has one."""

import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import confmat as cm
from confmat.moments.names import exact

FILE = Path(__file__).parents[2] / "vectors" / "regression" / "numbers.toml"
CASES = tomllib.loads(FILE.read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["source"])
def test_values(case):
    r = cm.regression(case["y_true"], case["y_pred"], metrics=exact([*case["values"]]))
    for name, wanted in case["values"].items():
        assert r.value(name) == pytest.approx(wanted, rel=1e-12, abs=1e-15), name


def test_every_metric_has_a_vector():
    named = {name.partition("(")[0] for case in CASES for name in case["values"]}
    assert set(cm.list_metrics(level="regression")["name"]) <= named
