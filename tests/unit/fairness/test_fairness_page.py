"""The page on fairness shows what the code gives, and coverage that was measured."""

import re
import runpy
from pathlib import Path

import pytest
from support.pages import failures, page

ROOT = Path(__file__).parents[3]
PAGE = page("fairness.md")


def test_examples():
    blocks, failed = failures(PAGE)
    assert blocks == 5
    assert not failed, failed


def lines():
    """Return the cells of the table of coverage."""
    table = PAGE.partition("<!-- coverage: begin -->")[2].partition("<!-- coverage: end -->")[0]
    rows = [line for line in table.splitlines() if re.match(r"\| \d", line)]
    return [[cell.strip(" *") for cell in row.strip("|").split("|")] for row in rows]


def test_every_scenario_is_covered():
    table = lines()
    assert len(table) == 3 * 4 * 3 * 2
    for _, _, _, coverage, width, other, ratio, *_ in table:
        assert float(coverage.rstrip("%")) >= 94.0
        assert float(ratio.rstrip("%")) >= 94.0
        assert float(width) > 0
        if float(coverage.rstrip("%")) > 98.0:
            assert float(other.partition(" ")[0]) > 0


@pytest.mark.parametrize("at", [0, 9, 24, 43])
def test_the_table_is_what_the_script_measures(at):
    script = runpy.run_path(str(ROOT / "benchmarks" / "fairness_coverage.py"), run_name="script")
    scenario = list(script["scenarios"]())[at]
    script["OTHERS"].pop("bootstrap")
    found = script["run"](scenario, 4_000)["confmat"]
    groups, rows, _, coverage, width, *_ = lines()[at]
    assert (int(groups), rows) == (scenario.groups, scenario.rows)
    assert found.coverage == pytest.approx(float(coverage.rstrip("%")) / 100, abs=0.012)
    assert found.width == pytest.approx(float(width), rel=0.02)
